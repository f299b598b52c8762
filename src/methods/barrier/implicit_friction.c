/* Friction that follows the iterate. Friction with the normal forces of an earlier solve has a potential; renewing it again and again
 * converges only while it changes normal forces by less than it is changed by them. Bodies that wedge, roll up or strike with friction
 * swing to and fro for ever.
 *
 * The equations of the step have no potential, but they have a derivative. With the Hessian H of the potential with lagged friction, a
 * contact with gap d, normal force N, slip along e and its friction mu N f0'(|u|) e adds to it the product of
 *
 *     mu N'(d) f0'(|u|) e   and   grad d,
 *
 * of rank one and not symmetric. Newton's method solves (H + sum of products) x = -g by minimal residuals (linalg/gmres.h) with the
 * factors of H. The line search asks that |H^-1 g| falls, in the norm of kinetic energy: Newton's direction is one of descent for it,
 * whatever the scale of forces and torques. */
#include "methods/barrier/implicit_friction.h"

#include <string.h>

#include "base/array.h"
#include "base/parallel.h"
#include "linalg/gmres.h"
#include "methods/barrier/bodies.h"
#include "methods/barrier/contacts.h"
#include "methods/barrier/friction.h"
#include "methods/barrier/joints.h"
#include "methods/barrier/line_search.h"
#include "methods/barrier/pairs.h"
#include "methods/barrier/quadratic.h"
#include "methods/barrier/stops.h"

enum { MOST_VECTORS = 60 }; /* of minimal residuals: contacts whose friction matters are few */

/* ---- the derivative --------------------------------------------------------------------------------------------------------- */

typedef struct couple_task {
    const barrier_work *w;
    island *isle;
} couple_task;

static void couple_slice(void *context, size_t begin, size_t end)
{
    const couple_task *task = context;
    for (size_t k = begin; k < end; ++k) {
        friction_coupling *c = &task->isle->couplings[k];
        friction_couple(task->w, &task->w->pairs[c->pair], task->isle->follows, c);
    }
}

static bool find_couplings(barrier_work *w, island *s)
{
    enum { GRAIN = 16 };
    s->coupling_count = 0;
    if (!CAROM_ARRAY_RESERVE(s->couplings, s->coupling_capacity, (size_t)s->near_count + 1)) {
        return false;
    }
    for (int k = 0; k < s->near_count; ++k) {
        const barrier_pair *p = &w->pairs[s->near[k]];
        s->couplings[s->coupling_count].pair = s->near[k];
        s->coupling_count += p->contact_count > 0 && p->mu_static > 0.0;
    }
    couple_task task = { w, s };
    carom_parallel_uneven(s->threads, (size_t)s->coupling_count, GRAIN, couple_slice, &task);
    return true;
}

/* out += what friction of a pair that follows the twists x does to the gradient. */
static void add_pair(const friction_coupling *c, const double *x, double *out)
{
    for (int to = 0; to < 2; ++to) {
        for (int from = 0; from < 2; ++from) {
            bool both = c->node[to] >= 0 && c->node[from] >= 0;
            double *g = out + COLUMNS * c->node[to];
            const double *d = x + COLUMNS * c->node[from];
            for (int i = 0; both && i < COLUMNS; ++i) {
                const double *K = c->K[COLUMNS * to + i] + COLUMNS * from;
                g[i] += K[0] * d[0] + K[1] * d[1] + K[2] * d[2] + K[3] * d[3] + K[4] * d[4] + K[5] * d[5];
            }
        }
    }
}

/* out += what the factored Hessian leaves out of the derivative of the gradient, times x: friction that follows, and curvature that is not
 * positive. */
static void add_left_out(const island *s, const double *x, double *room, double *out)
{
    size_t n = (size_t)(COLUMNS * s->node_count);
    for (int k = 0; k < s->coupling_count; ++k) {
        add_pair(&s->couplings[k], x, out);
    }
    if (s->curvature != CURVATURE_WHOLE) {
        memset(room, 0, n * sizeof *room);
        block_system_multiply(s->system, x, room);
        for (size_t k = 0; k < n; ++k) {
            out[k] -= room[k];
        }
        block_system_multiply(s->exact, x, out);
    }
}

/* ---- direction -------------------------------------------------------------------------------------------------------------- */

typedef struct coupled_system {
    const barrier_work *w;
    const island *isle;
    double *right; /* unknowns of bodies and rows */
} coupled_system;

static size_t unknown_count(const barrier_work *w, const island *s)
{
    return (size_t)(COLUMNS * s->node_count) + (size_t)(s->mechanism ? w->model->row_count : 0);
}

/* H^-1 times what the twists change. */
static void apply_coupled(void *context, const double *x, double *out)
{
    const coupled_system *c = context;
    size_t n = (size_t)(COLUMNS * c->isle->node_count);
    memset(c->right, 0, unknown_count(c->w, c->isle) * sizeof *c->right);
    add_left_out(c->isle, x, out, c->right);
    block_system_solve(c->isle->system, c->right);
    memcpy(out, c->right, n * sizeof *out);
}

/* Memory of a solve. */
typedef struct coupled_room {
    double *weights; /* 6 per node: twice the kinetic energy per square of a rate */
    double *right;   /* unknowns of bodies and rows */
    double *coupled; /* unknowns of the bodies */
    double *krylov;
    int most;
} coupled_room;

static bool make_room(const barrier_work *w, island *s, coupled_room *room)
{
    int n = COLUMNS * s->node_count;
    size_t unknowns = unknown_count(w, s) + 1;
    room->most = n < MOST_VECTORS ? n : MOST_VECTORS;
    size_t all = 2 * (size_t)n + unknowns + gmres_scratch(n, room->most);
    s->exact = s->exact ? s->exact : block_system_create();
    if (!s->exact || !CAROM_ARRAY_RESERVE(s->coupled, s->coupled_capacity, all)) {
        return false;
    }
    room->weights = s->coupled;
    room->coupled = room->weights + n;
    room->right = room->coupled + n;
    room->krylov = room->right + unknowns;
    for (int k = 0; k < s->body_count; ++k) {
        const moving_body *b = &w->bodies[s->bodies[k]];
        for (int i = 0; b->node >= 0 && i < COLUMNS; ++i) {
            room->weights[COLUMNS * b->node + i] = b->mass * (i < 3 ? 1.0 : b->reach * b->reach);
        }
    }
    return true;
}

static double size_of(const island *s, const coupled_room *room, const double *x)
{
    double sum = 0.0;
    for (int k = 0; k < COLUMNS * s->node_count; ++k) {
        sum += room->weights[k] * x[k] * x[k];
    }
    return sqrt(sum);
}

/* Newton's twists, into x. Returns the size of those without the coupling: what the line search compares. */
static double find_twists(barrier_work *w, island *s, const coupled_room *room)
{
    static const double EXACT = 1e-3; /* linear convergence by this factor at worst */
    int n = COLUMNS * s->node_count;
    coupled_system system = { w, s, room->right };
    gmres_system gmres = { .n = n, .weights = room->weights, .apply = apply_coupled, .context = &system };
    quadratic_right(w, s, s->x);
    block_system_solve(s->system, s->x);
    double size = size_of(s, room, s->x);
    gmres_solve(&gmres, s->x, EXACT, room->most, room->krylov);
    memset(room->coupled, 0, (size_t)n * sizeof *room->coupled);
    add_left_out(s, s->x, room->right, room->coupled); /* once more with the rows, for the multipliers */
    quadratic_right(w, s, s->x);
    for (int k = 0; k < n; ++k) {
        s->x[k] -= room->coupled[k];
    }
    block_system_solve(s->system, s->x);
    joints_take_multipliers(w, s, s->x);
    return size;
}

/* ---- the solve -------------------------------------------------------------------------------------------------------------- */

static carom_status no_memory(island *s)
{
    return carom_fail(&s->error, CAROM_NO_MEMORY, "out of memory for contacts");
}

/* Friction and joints at the iterate. */
static carom_status look(barrier_work *w, island *s)
{
    if (!friction_follow_by(w, s, s->follows)) {
        return no_memory(s);
    }
    joints_evaluate(w, s);
    return CAROM_OK;
}

/* The size of the residual at the iterate by the factors of where the line search began. Joints push along the rows of the iterate with
 * the multipliers of the twists. */
static double residual(barrier_work *w, island *s, const coupled_room *room)
{
    int n = COLUMNS * s->node_count;
    memset(room->coupled, 0, (size_t)n * sizeof *room->coupled);
    joints_add_reactions(w, s, room->coupled);
    quadratic_gradient(w, s);
    quadratic_right(w, s, room->right);
    for (int k = 0; k < n; ++k) {
        room->right[k] -= room->coupled[k];
    }
    block_system_solve(s->system, room->right);
    return size_of(s, room, room->right);
}

/* Bodies along a part of their twists, at most alpha, after which the residual is smaller. *alpha: the part; 0: there is none, and they
 * are where they were. */
static carom_status descend(barrier_work *w, island *s, const coupled_room *room, double size, double *alpha)
{
    enum { MOST = 12 };
    static const double FALL = 0.1; /* of what is promised */
    carom_status status = CAROM_OK;
    for (int k = 0; k < MOST && status == CAROM_OK; ++k, *alpha *= 0.5) {
        double potential = go_part(w, s, *alpha);
        if (isnan(potential)) {
            return no_memory(s);
        }
        status = isfinite(potential) ? look(w, s) : CAROM_OK;
        if (isfinite(potential) && status == CAROM_OK && residual(w, s, room) <= (1.0 - FALL * *alpha) * size) {
            return CAROM_OK;
        }
        ++s->counts.backtracks;
    }
    *alpha = 0.0;
    go_part(w, s, 0.0);
    return status == CAROM_OK ? look(w, s) : status;
}

/* All of the Hessian in `exact`, and the factors of what is positive of it in `system`: where all is, the same. */
static carom_status factor_here(barrier_work *w, island *s)
{
    block_system *factored = s->system;
    s->full = true;
    s->shifted = false;
    s->system = s->exact;
    carom_status status = quadratic_assemble(w, s, false);
    if (status != CAROM_OK || block_system_factor(s->system, 0.0)) {
        s->exact = factored;
        return status;
    }
    s->system = factored;
    return quadratic_factor_positive(w, s);
}

/* What a row of iterations has come to. */
typedef struct descent {
    double most; /* part of the twists to begin with: what was not possible before hardly is now */
    int slow;    /* iterations in a row that took a small part of their twists */
    bool ends;   /* converged, or as far as it goes */
} descent;

static carom_status iterate(barrier_work *w, island *s, const coupled_room *room, descent *d)
{
    static const double BALANCED = 1e-2; /* of contact forces: the twist that is still to come makes it the square */
    static const double SLOW = 0.1, GROWTH = 4.0;
    enum { PATIENCE = 3 };
    carom_status status = find_couplings(w, s) ? factor_here(w, s) : no_memory(s);
    if (status != CAROM_OK) {
        return status;
    }
    double size = find_twists(w, s, room);
    if (!isfinite(size)) {
        return quadratic_not_finite(w, s);
    }
    double way = aim_free(w, s);
    joints_add_reactions(w, s, s->gradient);
    s->tight = !s->shifted && way <= s->tolerance * w->h && quadratic_balances(w, s, BALANCED);
    bodies_keep(w, s);
    double alpha = fmin(pairs_sweep(w, s, room_part(w, s)), stops_free_part(w, s));
    double most = d->most;
    alpha = fmin(alpha, most);
    status = descend(w, s, room, size, &alpha);
    d->most = fmin(1.0, GROWTH * alpha);
    joints_keep_part(w, s, alpha);
    ++s->counts.iterations;
    d->slow = alpha < fmin(SLOW, most) ? d->slow + 1 : 0; /* all that was asked for is not slow */
    d->ends = s->tight || alpha == 0.0 || d->slow >= PATIENCE;
    return status;
}

/* Newton's method with friction that follows by isle->follows. isle->tight: it has converged. */
static carom_status solve_stage(barrier_work *w, island *s, const coupled_room *room)
{
    enum { MOST = 30 };
    descent d = { .most = 1.0 };
    carom_status status = look(w, s);
    s->tight = false;
    for (int k = 0; status == CAROM_OK && !d.ends && k < MOST; ++k) {
        status = iterate(w, s, room, &d);
        if (status == CAROM_OK && s->watched && carom_stop_asked(&w->scratch->stop)) {
            status = work_interrupted(w->scratch, &s->error);
        }
    }
    return status;
}

/* ---- ways to the solution --------------------------------------------------------------------------------------------------- */

/* Poses to which solves can return. */
static void keep_poses(barrier_work *w, const island *s, bool lagged)
{
    for (int k = 0; k < s->body_count; ++k) {
        moving_body *b = &w->bodies[s->bodies[k]];
        b->stage = b->at;
        b->lagged = lagged ? b->at : b->lagged;
    }
}

static carom_status return_to_poses(barrier_work *w, island *s, bool lagged)
{
    for (int k = 0; k < s->body_count; ++k) {
        moving_body *b = &w->bodies[s->bodies[k]];
        b->stage = lagged ? b->lagged : b->stage;
        b->at = b->stage;
        b->R = q_matrix(b->at.q_wb);
        b->d = twist_zero();
        b->way = 0.0;
    }
    bodies_keep(w, s);
    return isnan(go_part(w, s, 0.0)) ? no_memory(s) : CAROM_OK;
}

/* Newton's method overshoots the kink between slip one way and the other. Friction that is smoothed over higher speeds has none as
 * sharp: from its solution to those of less and less smoothing, by a ratio whose root is taken where a solve does not follow. */
static carom_status sharpen(barrier_work *w, island *s, const coupled_room *room)
{
    static const double SOFTEST = 100.0, FIRST = 10.0, LEAST = 1.1;
    double ratio = FIRST;
    double solved = 0.0;
    double stick = SOFTEST; /* stick speed over that of the options */
    s->follows = 1.0;
    friction_soften(w, s, stick - 1.0);
    carom_status status = solve_stage(w, s, room);
    while (status == CAROM_OK && (s->tight ? stick > 1.0 : solved > 0.0 && ratio > LEAST)) {
        if (s->tight) {
            solved = stick;
            keep_poses(w, s, false);
        } else {
            ratio = sqrt(ratio);
            status = return_to_poses(w, s, false);
        }
        stick = fmax(1.0, solved / ratio);
        friction_soften(w, s, stick - 1.0);
        status = status == CAROM_OK ? solve_stage(w, s, room) : status;
    }
    friction_soften(w, s, 0.0);
    return status;
}

/* With a part of friction lagged, whose solution is known, to all of it following; by steps that are halved where a solve does not
 * converge, and doubled where it does. */
static carom_status release(barrier_work *w, island *s, const coupled_room *room)
{
    static const double LEAST = 1.0 / 64.0;
    double solved = 0.0;
    double step = 0.5;
    carom_status status = CAROM_OK;
    while (status == CAROM_OK && solved < 1.0 && step >= LEAST) {
        s->follows = fmin(1.0, solved + step);
        status = solve_stage(w, s, room);
        if (s->tight) {
            solved = s->follows;
            step *= 2.0;
            keep_poses(w, s, false);
        } else if (status == CAROM_OK) {
            step *= 0.5;
            status = return_to_poses(w, s, false);
        }
    }
    return status;
}

/* Straight away; or by one of two ways that lead there step by step. The second is long: it is for beginnings after the first. */
carom_status implicit_friction_solve(barrier_work *w, island *s, bool thorough)
{
    coupled_room room = { .most = 0 };
    s->damping = 0.0;
    s->backtracked = s->tight = false;
    s->follows = 1.0;
    friction_keep_lagged(w, s);
    keep_poses(w, s, true);
    carom_status status = make_room(w, s, &room) ? return_to_poses(w, s, true) : no_memory(s);
    status = status == CAROM_OK ? solve_stage(w, s, &room) : status;
    for (int way = 0; status == CAROM_OK && !s->tight && way < (thorough ? 2 : 1); ++way) {
        status = return_to_poses(w, s, true);
        if (status == CAROM_OK) {
            status = way == 0 ? sharpen(w, s, &room) : release(w, s, &room);
        }
    }
    s->follows = 0.0;
    return status;
}
