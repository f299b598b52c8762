/* One solve: Newton's method on the incremental potential, along screws that are free of collisions.
 *
 *     gradient and Hessian, positive definite; the twist that leads to the least of the quadratic model
 *     alpha: the part of it without collisions, halved until the potential does not rise
 *     move; stop after a twist that moves no point faster than the tolerance
 *
 * The last twist is applied, too, and one is always taken: bodies whose whole motion in a step is below the tolerance would
 * float. */
#include "methods/barrier/barrier_work.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "dynamics/element_tangents.h"

double *gradient_of(barrier_work *w, int body)
{
    int node = w->bodies[body].node;
    return node >= 0 ? w->gradient + COLUMNS * node : NULL;
}

double *diagonal_of(barrier_work *w, int body)
{
    int node = w->bodies[body].node;
    return node >= 0 ? block_system_node(w->system, node) : NULL;
}

/* ---- the system --------------------------------------------------------------------------------------------------------- */

static int by_nodes(const void *x, const void *y)
{
    const int *a = x;
    const int *b = y;
    return a[0] != b[0] ? (a[0] > b[0]) - (a[0] < b[0]) : (a[1] > b[1]) - (a[1] < b[1]);
}

/* The edge between two nodes; -1: none. */
static int find_edge(const barrier_work *w, const int key[2])
{
    int low = 0;
    int high = w->edge_count;
    while (low < high) {
        int middle = (low + high) / 2;
        int order = by_nodes(w->edges[middle], key);
        if (order == 0) {
            return middle;
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return -1;
}

/* The lower node first; -1 where a body is no node. */
static void key_of(const barrier_work *w, int body_a, int body_b, int key[2])
{
    int a = w->bodies[body_a].node;
    int b = w->bodies[body_b].node;
    key[0] = a < b ? a : b;
    key[1] = a < b ? b : a;
}

int edge_between(const barrier_work *w, int body_a, int body_b)
{
    int key[2];
    key_of(w, body_a, body_b, key);
    return key[0] >= 0 && key[0] != key[1] ? find_edge(w, key) : -1;
}

/* Two bodies that are near each other, or that a force acts between. */
static void note_edge(barrier_work *w, int *count, int body_a, int body_b)
{
    key_of(w, body_a, body_b, w->edges[*count]);
    *count += w->edges[*count][0] >= 0 && w->edges[*count][0] != w->edges[*count][1];
}

/* An edge for every two bodies with near features or a force between them, then those of joints. */
static carom_status begin_system(barrier_work *w, carom_error *err)
{
    size_t most = (size_t)(w->pair_count + element_count(w->model) + 4 * w->row_node_count + 1);
    void *larger = carom_array_grow(w->edges, &w->edge_capacity, most, sizeof *w->edges);
    if (!larger) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for contacts");
    }
    w->edges = larger;
    int count = 0;
    for (int k = 0; k < w->pair_count; ++k) {
        if (w->pairs[k].list.count > 0) {
            note_edge(w, &count, w->pairs[k].body[0], w->pairs[k].body[1]);
        }
    }
    for (int k = 0; w->has_elements && k < element_count(w->model); ++k) {
        const int *bodies = element_bodies(w->model, k);
        if (element_has_tangent(w->model, k) && bodies[1] >= 0) {
            note_edge(w, &count, bodies[0], bodies[1]);
        }
    }
    qsort(w->edges, (size_t)count, sizeof *w->edges, by_nodes);
    w->edge_count = 0;
    for (int k = 0; k < count; ++k) {
        if (k == 0 || by_nodes(w->edges[k], w->edges[w->edge_count - 1]) != 0) {
            memmove(w->edges[w->edge_count++], w->edges[k], sizeof *w->edges);
        }
    }
    for (int k = 0; k < w->pair_count; ++k) {
        w->pairs[k].edge = edge_between(w, w->pairs[k].body[0], w->pairs[k].body[1]);
    }
    block_pattern pattern = { .node_count = w->node_count + w->row_node_count,
                              .sizes = w->node_sizes,
                              .is_row = w->node_is_row,
                              .edge_count = joints_edges(w, w->edges, w->edge_count),
                              .edges = (const int(*)[2])w->edges };
    return block_system_begin(w->system, &pattern, err);
}

static carom_status assemble(barrier_work *w, carom_error *err)
{
    carom_status status = begin_system(w, err);
    if (status == CAROM_OK) {
        memset(w->gradient, 0, (size_t)(COLUMNS * w->node_count) * sizeof *w->gradient);
        inertia_add(w);
        applied_add(w);
        contacts_add(w);
        friction_add(w);
        joints_add(w);
    }
    return status;
}

/* A body that has turned by more than about a right angle against its goal has a Hessian that is not positive. */
static carom_status factor(barrier_work *w, carom_error *err)
{
    enum { MOST = 60 };
    double shift = 0.0;
    for (int k = 0; k < MOST; ++k) {
        if (block_system_factor(w->system, shift)) {
            w->counts.shifts += k > 0;
            return CAROM_OK;
        }
        shift = k == 0 ? 1e-6 * w->lightest / (w->h * w->h) : 4.0 * shift;
    }
    return carom_fail(err, CAROM_NOT_CONVERGED, "the contact forces are no longer finite numbers");
}

/* ---- direction ------------------------------------------------------------------------------------------------------------ */

static double way_of(const moving_body *b)
{
    double turn = v3_norm(b->d.w);
    return v3_norm(b->d.v) + (turn > 0.0 ? turn * b->reach : 0.0);
}

/* Kinematic bodies go what is left of their motion in this step. Returns the farthest way [m]. */
static double aim_given(barrier_work *w)
{
    double most = 0.0;
    for (int i = 0; i < w->model->body_count; ++i) {
        moving_body *b = &w->bodies[i];
        if (b->kinematic) {
            v3 turn = so3_log(q_mul(b->end.q_wb, q_conj(b->at.q_wb)));
            b->d = screw_through(turn, v3_sub(b->end.x_w, b->at.x_w));
            b->way = way_of(b);
            most = fmax(most, b->way);
        }
    }
    return most;
}

static void stay_given(barrier_work *w)
{
    for (int i = 0; i < w->model->body_count; ++i) {
        if (w->bodies[i].kinematic) {
            w->bodies[i].d = twist_zero();
            w->bodies[i].way = 0.0;
        }
    }
}

/* Takes the solution as twists. Returns the farthest way of a free body [m]. */
static double aim_free(barrier_work *w)
{
    double most = 0.0;
    for (int i = 0; i < w->model->body_count; ++i) {
        moving_body *b = &w->bodies[i];
        if (b->node >= 0) {
            const double *x = w->x + COLUMNS * b->node;
            b->d = (twist){ v3_load(x), v3_load(x + 3) };
            b->way = way_of(b);
            most = fmax(most, b->way);
        }
    }
    return most;
}

static carom_status find_direction(barrier_work *w, double *slope, carom_error *err)
{
    carom_status status = assemble(w, err);
    status = status == CAROM_OK ? factor(w, err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    *slope = 0.0;
    for (int k = 0; k < COLUMNS * w->node_count; ++k) {
        w->x[k] = -w->gradient[k];
    }
    joints_set_residual(w, w->x);
    block_system_solve(w->system, w->x);
    joints_take_multipliers(w, w->x);
    for (int k = 0; k < COLUMNS * w->node_count; ++k) {
        *slope += w->gradient[k] * w->x[k];
    }
    return CAROM_OK;
}

/* ---- line search ------------------------------------------------------------------------------------------------------------ */

typedef struct search {
    double potential; /* [J] of barriers and friction where it begins */
    double slope;     /* [J] of the whole potential along the direction, < 0 */
    bool decides;     /* the potential must fall */
    double noise;     /* [J] what rounding makes of it */
} search;

/* The twists of least energy that lead back to the joints, as often as it takes. False: something is in the way, or they lead
 * nowhere. Motions are measured from where they begin, so that each is a leg of its own. */
static bool return_to_joints(barrier_work *w)
{
    enum { MOST = 6 };
    for (int k = 0; k < MOST && joints_evaluate(w) > w->joint_tolerance; ++k) {
        memset(w->x, 0, (size_t)(COLUMNS * w->node_count) * sizeof *w->x);
        joints_set_residual(w, w->x);
        block_system_solve(w->system, w->x);
        stay_given(w);
        aim_free(w);
        for (int i = 0; i < w->model->body_count; ++i) {
            w->bodies[i].leg = w->bodies[i].at;
        }
        if (pairs_sweep(w) < 1.0) {
            return false;
        }
        bodies_move(w, 1.0);
    }
    return w->row_node_count == 0 || joints_evaluate(w) <= 16.0 * w->joint_tolerance;
}

/* Back to where the line search begins, with its direction. */
static void aim_again(barrier_work *w)
{
    for (int i = 0; i < w->model->body_count; ++i) {
        moving_body *b = &w->bodies[i];
        b->leg = b->from;
        b->d = b->aim;
        b->way = way_of(b);
    }
}

/* Halves alpha until the potential does not rise. False: it rises however small the part. */
static bool search_line(barrier_work *w, const search *s, double alpha, double *potential)
{
    enum { MOST = 60 };
    static const double ARMIJO = 1e-4;
    w->backtracked = false;
    for (int k = 0; k < MOST; ++k, alpha *= 0.5) {
        aim_again(w);
        bodies_move(w, alpha);
        if (w->row_node_count > 0 && !return_to_joints(w)) {
            w->backtracked = true;
            ++w->counts.backtracks;
            continue;
        }
        *potential = contacts_evaluate(w) + friction_value(w);
        applied_evaluate(w);
        double change = *potential - s->potential + inertia_change(w) + applied_change(w);
        bool falls = change <= ARMIJO * alpha * fmin(s->slope, 0.0) + s->noise;
        if (w->failure != CAROM_OK || (isfinite(*potential) && (!s->decides || falls))) {
            w->counts.least_alpha = fmin(w->counts.least_alpha, alpha);
            return true;
        }
        w->backtracked = true;
        ++w->counts.backtracks;
    }
    return false;
}

/* Kinematic bodies that have gone all of their way are exactly where they belong. */
static void land_given(barrier_work *w)
{
    for (int i = 0; i < w->model->body_count; ++i) {
        moving_body *b = &w->bodies[i];
        if (b->kinematic) {
            b->at = b->end;
            b->R = q_matrix(b->at.q_wb);
        }
    }
}

/* ---- the solve -------------------------------------------------------------------------------------------------------------- */

/* A kinematic body that makes no way is blocked. */
typedef struct progress {
    double left; /* [m] when it was last looked at */
    int since;   /* iterations */
} progress;

static carom_status check_progress(const barrier_work *w, progress *p, double left, carom_error *err)
{
    enum { PATIENCE = 50 };
    static const double LEAST = 1e-3; /* of what is left */
    if (!(left > 0.0) || left < (1.0 - LEAST) * p->left) {
        *p = (progress){ .left = left };
        return CAROM_OK;
    }
    if (++p->since < PATIENCE) {
        return CAROM_OK;
    }
    const carom_model *m = w->model;
    return carom_fail(err, CAROM_NOT_CONVERGED,
                      "a prescribed motion is blocked at t = %.9g s: %.3g m are left of this step, and '%.100s' and '%.100s' are in "
                      "each other's way",
                      w->t_end, left, w->blockers[0] >= 0 ? m->bodies[w->blockers[0]].name : "?",
                      w->blockers[1] >= 0 ? m->bodies[w->blockers[1]].name : "?");
}

carom_status newton_solve(barrier_work *w, int *iterations, carom_error *err)
{
    static const double ROUNDING = 1e-9;  /* of the energies: below, differences say nothing */
    static const double CONTRACTS = 0.9;  /* of the last twist: goes on without them */
    double last_way = HUGE_VAL;
    progress given = { .left = HUGE_VAL };
    double potential = contacts_evaluate(w) + friction_value(w);
    applied_evaluate(w);
    for (*iterations = 0; *iterations < w->options->iterations;) {
        double slope = 0.0;
        double left = aim_given(w);
        double open = joints_evaluate(w);
        carom_status status = find_direction(w, &slope, err);
        if (status != CAROM_OK) {
            return status;
        }
        double way = aim_free(w);
        left = open > 16.0 * w->joint_tolerance ? fmax(left, open) : left; /* drivers have moved on */
        status = check_progress(w, &given, left, err);
        if (status != CAROM_OK) {
            return status;
        }
        bool last = way <= w->tolerance * w->h && left == 0.0;
        double scale = fabs(potential) + inertia_value(w);
        bool rounding = fabs(slope) <= ROUNDING * scale;
        bool trusts = rounding && way < CONTRACTS * last_way;
        search s = { .potential = potential, .slope = slope, .decides = left == 0.0 && !last && !trusts };
        s.noise = 1e-13 * fabs(potential);
        last_way = way;
        w->counts.last_speed = way / w->h;
        bodies_keep(w);
        memcpy(w->applied_from, w->applied, (size_t)(COLUMNS * w->node_count) * sizeof *w->applied);
        double alpha = pairs_sweep(w);
        bool found = alpha >= 0.0 && search_line(w, &s, alpha, &potential);
        ++*iterations;
        ++w->counts.iterations;
        if (alpha < 0.0 || w->failure != CAROM_OK) {
            return carom_fail(err, CAROM_NO_MEMORY, "out of memory for contacts");
        }
        if (!found) { /* where it began: as good as rounding allows, or stuck */
            aim_again(w);
            bodies_move(w, 0.0);
            contacts_evaluate(w);
            applied_evaluate(w);
            w->counts.not_converged += !rounding;
            return CAROM_OK;
        }
        if (left > 0.0 && alpha == 1.0 && !w->backtracked) {
            land_given(w);
        }
        if (last) {
            return CAROM_OK;
        }
    }
    ++w->counts.not_converged;
    return CAROM_OK;
}
