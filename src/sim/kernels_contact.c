/* Collision queries along screws and impacts, many at once. */
#include <carom/kernels.h>

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "base/arena.h"
#include "base/parallel.h"
#include "collision/surface_pair.h"
#include "nonsmooth/strike.h"

/* ---- collision queries ---------------------------------------------------------------------------------------------- */

struct carom_mesh_pair {
    surface *sides[2];
};

void carom_mesh_pair_destroy(carom_mesh_pair *p)
{
    if (p) {
        surface_destroy(p->sides[0]);
        surface_destroy(p->sides[1]);
        free(p);
    }
}

static carom_status make_surface(const carom_mesh *from, surface **out, carom_error *err)
{
    int vertices = carom_mesh_vertex_count(from), triangles = carom_mesh_triangle_count(from);
    mesh *m = mesh_create(vertices, triangles);
    if (!m) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for a mesh");
    }
    memcpy(m->vertices, carom_mesh_vertices(from), (size_t)vertices * sizeof *m->vertices);
    memcpy(m->triangles, carom_mesh_triangles(from), (size_t)triangles * sizeof *m->triangles);
    const surface_part part = { .mesh = m, .pose_c.orientation.w = 1.0 };
    carom_status status = surface_create(out, &part, 1, err);
    mesh_destroy(m);
    return status;
}

carom_status carom_mesh_pair_create(const carom_mesh *a, const carom_mesh *b, carom_mesh_pair **out, carom_error *err)
{
    const argument needed[] = { { "a", a }, { "b", b }, { "out", out } };
    if (out) {
        *out = NULL;
    }
    carom_status status = arguments_given("carom_mesh_pair_create", needed, 3, err);
    if (status != CAROM_OK) {
        return status;
    }
    carom_mesh_pair *p = calloc(1, sizeof *p);
    status = p ? make_surface(a, &p->sides[0], err) : carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    status = status == CAROM_OK ? make_surface(b, &p->sides[1], err) : status;
    if (status != CAROM_OK) {
        carom_mesh_pair_destroy(p);
        return status;
    }
    *out = p;
    return CAROM_OK;
}

enum { POSE = 7, MOTION = 6 }; /* numbers of one side */

typedef struct sweep_work {
    const carom_mesh_pair *pair;
    const double *poses, *motions;
    double range;
    double *parts;
    bool *meets;
} sweep_work;

static surface_place place_of(const sweep_work *work, size_t i, int side)
{
    const double *pose = work->poses + POSE * (2 * i + (size_t)side);
    const double *motion = work->motions ? work->motions + MOTION * (2 * i + (size_t)side) : NULL;
    const double *turn = pose + 3; /* behind the position */
    quat q = q_unit((quat){ turn[0], turn[1], turn[2], turn[3] });
    return (surface_place){ .surface = work->pair->sides[side],
                            .x_w = v3_load(pose),
                            .R_w = q_matrix(q),
                            .d_w = motion ? (twist){ v3_load(motion), v3_load(motion + 3) } : twist_zero() };
}

static void sweep_range(void *context, size_t begin, size_t end)
{
    const sweep_work *work = context;
    const sweep_limits limits = { .range = work->range };
    for (size_t i = begin; i < end; ++i) {
        const surface_place a = place_of(work, i, 0), b = place_of(work, i, 1);
        surface_pair pair = surface_pair_of(&a, &b);
        feature_pair witness;
        sweep_counts counts = { 0 };
        work->parts[i] = surface_pair_sweep(&pair, &limits, 1.0, &counts);
        if (work->meets) {
            surface_pair still = surface_pair_still(&a, &b);
            work->meets[i] = surface_pair_meets(&still, &witness);
        }
    }
}

static carom_status check_finite(const char *function, const char *name, const double *values, size_t count,
                                 carom_error *err)
{
    for (size_t i = 0; values && i < count; ++i) {
        if (!isfinite(values[i])) {
            return carom_fail(err, CAROM_BAD_INPUT, "%s: '%s' must be finite numbers; number %zu is %g", function,
                              name, i, values[i]);
        }
    }
    return CAROM_OK;
}

static carom_status check_orientations(const char *function, const double *poses, size_t count, carom_error *err)
{
    for (size_t i = 0; i < count; ++i) {
        const double *q = poses + POSE * i + 3;
        double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        if (fabs(length - 1.0) > 1e-3) {
            return carom_fail(
                err, CAROM_BAD_INPUT,
                "%s: the orientation of pose %zu must be a unit quaternion w, x, y, z; its length is %g", function, i,
                length);
        }
    }
    return CAROM_OK;
}

carom_status carom_mesh_pair_sweep(const carom_mesh_pair *pair, const double *poses, const double *motions,
                                   size_t count, double range, double *parts, bool *meets, int threads,
                                   carom_error *err)
{
    const char *function = "carom_mesh_pair_sweep";
    const argument needed[] = { { "pair", pair }, { "poses", poses }, { "parts", parts } };
    carom_status status = count > 0 ? arguments_given(function, needed, 3, err) : CAROM_OK;
    status = status == CAROM_OK ? argument_positive(function, "range", range, "m", err) : status;
    status = status == CAROM_OK ? argument_threads(function, threads, err) : status;
    status = status == CAROM_OK ? check_finite(function, "poses", poses, 2 * POSE * count, err) : status;
    status = status == CAROM_OK ? check_finite(function, "motions", motions, 2 * MOTION * count, err) : status;
    status = status == CAROM_OK ? check_orientations(function, poses, 2 * count, err) : status;
    if (status == CAROM_OK && count > 0) {
        sweep_work work = { pair, poses, motions, range, parts, meets };
        carom_parallel_uneven(threads, count, 2, sweep_range, &work);
    }
    return status;
}

/* ---- impacts -------------------------------------------------------------------------------------------------------- */

enum { MOST_CONTACTS = 1000 };

typedef struct impact_work {
    const carom_impact_problem *given;
    reduced_problem problem;
    strike_contact *defs;
    strike_options options;
    const double *before;
    double *after, *impulses;
    int *fallbacks;
    atomic_size_t failed; /* one more than the first set without an answer; 0: none */
    atomic_bool no_memory;
} impact_work;

static int row_count(const carom_impact_problem *p)
{
    return p->contacts * (1 + p->slips);
}

static carom_status check_matrix(const char *function, const carom_impact_problem *p, carom_error *err)
{
    int rows = row_count(p);
    for (int k = 0; k < rows; ++k) {
        for (int l = 0; l < k; ++l) {
            double a = p->W[k * rows + l], b = p->W[l * rows + k];
            double size = fabs(p->W[k * rows + k]) + fabs(p->W[l * rows + l]);
            if (fabs(a - b) > 1e-9 * size) {
                return carom_fail(err, CAROM_BAD_INPUT, "%s: W must be symmetric; W[%d][%d] is %g, W[%d][%d] is %g",
                                  function, k, l, a, l, k, b);
            }
        }
        if (!(p->W[k * rows + k] >= 0.0)) {
            return carom_fail(err, CAROM_BAD_INPUT, "%s: W[%d][%d] is %g; a row answers an impulse along it",
                              function, k, k, p->W[k * rows + k]);
        }
    }
    return CAROM_OK;
}

static carom_status check_laws(const char *function, const carom_impact_problem *p, carom_error *err)
{
    for (int i = 0; i < p->contacts; ++i) {
        double e = p->restitution[i], mu = p->mu ? p->mu[i] : 0.0;
        if (!(e >= 0.0 && e <= 1.0)) {
            return carom_fail(err, CAROM_BAD_INPUT, "%s: the restitution of contact %d must be 0 to 1, not %g",
                              function, i, e);
        }
        if (!(mu >= 0.0 && isfinite(mu))) {
            return carom_fail(err, CAROM_BAD_INPUT,
                              "%s: the friction of contact %d must be finite and not negative, not %g", function, i,
                              mu);
        }
    }
    return CAROM_OK;
}

static carom_status check_problem(const char *function, const carom_impact_problem *p, carom_error *err)
{
    const argument needed[] = { { "problem->W", p->W }, { "problem->restitution", p->restitution } };
    if (p->contacts < 1 || p->contacts > MOST_CONTACTS || p->slips < 0 || p->slips > 2 ||
        (unsigned)p->rule > CAROM_IMPACT_SEQUENTIAL) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "%s: contacts must be 1 to %d, slips 0 to 2 and rule one of its names; they are "
                          "%d, %d and %d",
                          function, MOST_CONTACTS, p->contacts, p->slips, (int)p->rule);
    }
    carom_status status = arguments_given(function, needed, 2, err);
    size_t rows = (size_t)row_count(p);
    status = status == CAROM_OK ? check_finite(function, "problem->W", p->W, rows * rows, err) : status;
    status = status == CAROM_OK ? check_matrix(function, p, err) : status;
    return status == CAROM_OK ? check_laws(function, p, err) : status;
}

/* Contacts with friction become elements; the others have slip rows without any force. */
static void fill_problem(impact_work *work, carom_arena *arena)
{
    const carom_impact_problem *p = work->given;
    friction_element *elements = CAROM_ARENA_ARRAY(arena, friction_element, p->contacts);
    work->defs = CAROM_ARENA_ARRAY(arena, strike_contact, p->contacts);
    if (arena->failed) {
        return;
    }
    int count = 0;
    strike_law law = p->rule == CAROM_IMPACT_TOGETHER ? STRIKE_POISSON : STRIKE_ENERGETIC;
    for (int i = 0; i < p->contacts; ++i) {
        work->defs[i] = (strike_contact){ law, p->restitution[i], (double)NAN, 1.0 };
        if (p->mu && p->mu[i] > 0.0 && p->slips > 0) {
            elements[count++] = (friction_element){
                .first_row = p->contacts + p->slips * i, .dim = p->slips, .mu = p->mu[i], .contact = i
            };
        }
    }
    work->problem = (reduced_problem){ .row_count = row_count(p),
                                       .contact_count = p->contacts,
                                       .element_count = count,
                                       .D = p->W,
                                       .elements = elements };
    work->options = (strike_options){ .rule = (strike_rule)p->rule, .exponent = 1.0 };
}

static void note_failure(impact_work *work, size_t i)
{
    size_t known = atomic_load(&work->failed);
    while ((known == 0 || i + 1 < known) && !atomic_compare_exchange_weak(&work->failed, &known, i + 1)) {
    }
}

static void strike_set(impact_work *work, strike_work *solver, size_t i, double *impulse, double *compression)
{
    size_t rows = (size_t)work->problem.row_count;
    double *u = work->after + i * rows;
    strike_result out = { .impulse = impulse, .compression = compression };
    memcpy(u, work->before + i * rows, rows * sizeof *u);
    strike_outcome outcome = strike_all(solver, &work->problem, work->defs, &work->options, u, &out);
    if (outcome != STRIKE_OK) {
        note_failure(work, i);
    }
    if (work->impulses) {
        memcpy(work->impulses + i * rows, impulse, rows * sizeof *impulse);
    }
    if (work->fallbacks) {
        work->fallbacks[i] = out.cut_short + out.held + (out.accuracy > 0.0);
    }
}

static void strike_range(void *context, size_t begin, size_t end)
{
    impact_work *work = context;
    carom_arena arena = { 0 };
    const reduced_problem *p = &work->problem;
    strike_work *solver = strike_create(&arena, p->row_count, p->element_count, 0);
    double *impulse = CAROM_ARENA_ARRAY(&arena, double, p->row_count);
    double *compression = CAROM_ARENA_ARRAY(&arena, double, p->contact_count);
    bool ok = solver && impulse && compression;
    if (!ok) {
        atomic_store(&work->no_memory, true);
    }
    for (size_t i = begin; ok && i < end; ++i) {
        memset(impulse, 0, (size_t)p->row_count * sizeof *impulse);
        strike_set(work, solver, i, impulse, compression);
    }
    carom_arena_free(&arena);
}

static carom_status tell(const impact_work *work, carom_error *err)
{
    size_t failed = atomic_load(&work->failed);
    if (atomic_load(&work->no_memory)) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for impacts");
    }
    return failed ? carom_fail(err, CAROM_NOT_CONVERGED,
                               "carom_impacts: no end was found for the impact of set %zu; W may contradict the rows",
                               failed - 1)
                  : CAROM_OK;
}

carom_status carom_impacts(const carom_impact_problem *problem, const double *before, size_t count, double *after,
                           double *impulses, int *fallbacks, int threads, carom_error *err)
{
    const char *function = "carom_impacts";
    const argument needed[] = { { "before", before }, { "after", after } };
    carom_status status = argument_given(function, "problem", problem, err);
    status = status == CAROM_OK ? check_problem(function, problem, err) : status;
    status = status == CAROM_OK && count > 0 ? arguments_given(function, needed, 2, err) : status;
    status = status == CAROM_OK ? argument_threads(function, threads, err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    status = check_finite(function, "before", before, count * (size_t)row_count(problem), err);
    carom_arena arena = { 0 };
    impact_work work = {
        .given = problem, .before = before, .after = after, .impulses = impulses, .fallbacks = fallbacks
    };
    if (status == CAROM_OK) {
        fill_problem(&work, &arena);
        status = arena.failed ? carom_fail(err, CAROM_NO_MEMORY, "out of memory for impacts") : CAROM_OK;
    }
    if (status == CAROM_OK && count > 0) {
        carom_parallel_uneven(threads, count, 2, strike_range, &work);
        status = tell(&work, err);
    }
    carom_arena_free(&arena);
    return status;
}
