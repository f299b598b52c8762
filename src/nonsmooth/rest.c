/* Lasting contact with everything given: who is closed, who sticks, who slips where to [Pfeiffer1996].
 *
 * Unknown are the normal forces of closed contacts and the friction forces of what sticks; a slipping contact's friction
 * follows its own normal force, so with the columns S of all that the matrix (D S) restricted to the prescribed rows is
 * square and, where something slips, not symmetric. Redundant contacts make it singular: forces of least norm.
 * Slipping joints add their loads N >= 0 as unknowns: everything is affine in N, and N_j = sum |a_j + B_j N| is solved by
 * joint_loads.c; where it has no solution the mechanism jams. */
#include "nonsmooth/rest.h"

#include <math.h>
#include <string.h>

#include "base/stop.h"
#include "linalg/dense.h"
#include "nonsmooth/rest_work.h"

/* Pivots below this part of the largest entry belong to redundant contacts: D comes from solves that are good to about
 * 1e-12, but directions in which slip begins are found to 1e-8 or so only. */
static const double RANK_TOLERANCE = 1e-8;

/* ---- room ------------------------------------------------------------------------------------------------------------ */

static void make_answer(carom_arena *arena, rest_answer *a, int rows, int elements)
{
    a->closed = CAROM_ARENA_ARRAY(arena, bool, rows + 1);
    a->state = CAROM_ARENA_ARRAY(arena, friction_state, elements + 1);
    a->force = CAROM_ARENA_ARRAY(arena, double, rows + 1);
    a->rate = CAROM_ARENA_ARRAY(arena, double, rows + 1);
    a->load = CAROM_ARENA_ARRAY(arena, double, elements + 1);
    a->culprit = -1;
}

static void make_room_for_rates(carom_arena *arena, rest_work *w)
{
    size_t rows = (size_t)w->rows + 1;
    size_t columns = (size_t)w->elements + 1;
    w->active = CAROM_ARENA_ARRAY(arena, int, rows);
    w->column = CAROM_ARENA_ARRAY(arena, int, rows);
    w->matrix = CAROM_ARENA_ARRAY(arena, double, rows *rows);
    w->scratch = CAROM_ARENA_ARRAY(arena, double, dense_scratch(w->rows + 1));
    w->row_space = CAROM_ARENA_ARRAY(arena, double, rows *rows);
    w->force = CAROM_ARENA_ARRAY(arena, double, columns *rows);
    w->x = CAROM_ARENA_ARRAY(arena, double, rows *columns);
    w->share = CAROM_ARENA_ARRAY(arena, double, rest_share_room(w->rows + 1));
    joint_loads_create(&w->loads, arena, w->elements, w->load_room);
    w->bearings = CAROM_ARENA_ARRAY(arena, rest_bearing, rows + columns);
}

static void make_room_for_choosing(carom_arena *arena, rest_work *w)
{
    size_t rows = (size_t)w->rows + 1;
    size_t elements = (size_t)w->elements + 1;
    w->moving = CAROM_ARENA_ARRAY(arena, bool, elements);
    w->along = CAROM_ARENA_ARRAY(arena, friction_state, elements);
    w->contact_fault = CAROM_ARENA_ARRAY(arena, double, rows);
    w->element_fault = CAROM_ARENA_ARRAY(arena, double, elements);
    w->newton_force = CAROM_ARENA_ARRAY(arena, double, rows);
    w->newton_rate = CAROM_ARENA_ARRAY(arena, double, rows);
    w->turn_residual = CAROM_ARENA_ARRAY(arena, double, rows);
    w->turn_jacobian = CAROM_ARENA_ARRAY(arena, double, rows *rows);
    w->turn_step = CAROM_ARENA_ARRAY(arena, double, rows);
    w->newton_trial = CAROM_ARENA_ARRAY(arena, double, rows);
    w->newton_last = CAROM_ARENA_ARRAY(arena, double, rows);
    w->digit = CAROM_ARENA_ARRAY(arena, int, rows + elements);
    make_answer(arena, &w->answer, w->rows, w->elements);
    make_answer(arena, &w->trial, w->rows, w->elements);
    make_answer(arena, &w->other, w->rows, w->elements);
    make_answer(arena, &w->even, w->rows, w->elements);
}

static void make_room_for_islands(carom_arena *arena, rest_work *w)
{
    reduced_part_create(&w->part, arena, w->rows, w->elements, w->load_room);
    w->part_rows = CAROM_ARENA_ARRAY(arena, double, w->rows + 1);
    make_answer(arena, &w->whole, w->rows, w->elements);
}

rest_work *rest_create(carom_arena *arena, int rows, int elements, int loads)
{
    rest_work *w = CAROM_ARENA_ARRAY(arena, rest_work, 1);
    if (!w) {
        return NULL;
    }
    w->rows = rows;
    w->elements = elements;
    w->load_room = loads;
    make_room_for_rates(arena, w);
    make_room_for_choosing(arena, w);
    make_room_for_islands(arena, w);
    return arena->failed ? NULL : w;
}

/* ---- forces that are linear in the unknowns --------------------------------------------------------------------------- */

void rest_add_slip(const friction_element *el, const friction_state *state, double N, double *force)
{
    for (int d = 0; d < el->dim; ++d) {
        force[el->first_row + d] -= el->mu * N * state->direction[d];
    }
}

static bool slips(const rest_answer *a, int element)
{
    return a->state[element].mode == FRICTION_SLIP;
}

/* Copies what is given; friction needs a closed contact. */
static void take_states(const reduced_problem *p, const bool *closed, const friction_state *state, rest_answer *into)
{
    if (closed != into->closed) {
        memcpy(into->closed, closed, sizeof *closed * (size_t)p->contact_count);
    }
    if (state != into->state) {
        memcpy(into->state, state, sizeof *state * (size_t)p->element_count);
    }
    for (int e = 0; e < p->element_count; ++e) {
        int contact = p->elements[e].contact;
        if (contact >= 0 && !into->closed[contact]) {
            into->state[e] = (friction_state){ .mode = FRICTION_NONE };
        }
    }
}

static void activate(rest_work *w, int row)
{
    w->column[row] = w->active_count;
    w->active[w->active_count++] = row;
}

static void list_unknowns(rest_work *w, const reduced_problem *p, const rest_answer *a)
{
    w->active_count = 0;
    w->loads.count = 0;
    for (int row = 0; row < p->row_count; ++row) {
        w->column[row] = -1;
    }
    for (int c = 0; c < p->contact_count; ++c) {
        if (a->closed[c]) {
            activate(w, c);
        }
    }
    for (int e = 0; e < p->element_count; ++e) {
        const friction_element *el = &p->elements[e];
        for (int d = 0; a->state[e].mode == FRICTION_STICK && d < el->dim; ++d) {
            activate(w, el->first_row + d);
        }
        if (slips(a, e) && el->contact < 0) {
            w->loads.element[w->loads.count++] = e;
        }
    }
}

/* The columns of slipping contacts carry their friction with them. */
static void assemble(rest_work *w, const reduced_problem *p, const rest_answer *a)
{
    int n = w->active_count;
    for (int i = 0; i < n; ++i) {
        const double *D = p->D + (size_t)w->active[i] * (size_t)p->row_count;
        double *row = w->matrix + (size_t)i * (size_t)n;
        for (int j = 0; j < n; ++j) {
            row[j] = D[w->active[j]];
        }
        for (int e = 0; e < p->element_count; ++e) {
            const friction_element *el = &p->elements[e];
            for (int d = 0; el->contact >= 0 && slips(a, e) && d < el->dim; ++d) {
                row[w->column[el->contact]] -= el->mu * a->state[e].direction[d] * D[el->first_row + d];
            }
        }
    }
}

/* Column k of the unknowns in w->x as forces along all rows, added to what is there. */
static void spread(const rest_work *w, const reduced_problem *p, const rest_answer *a, int k, double *force)
{
    int columns = 1 + w->loads.count;
    for (int i = 0; i < w->active_count; ++i) {
        force[w->active[i]] += w->x[i * columns + k];
    }
    for (int e = 0; e < p->element_count; ++e) {
        const friction_element *el = &p->elements[e];
        if (el->contact >= 0 && slips(a, e)) {
            rest_add_slip(el, &a->state[e], w->x[w->column[el->contact] * columns + k], force);
        }
    }
}

static double *force_column(const rest_work *w, const reduced_problem *p, int k)
{
    return w->force + (size_t)k * (size_t)p->row_count;
}

/* Right sides: what is missing to the prescribed rates, and what one unit load of every slipping joint does to them. */
static void right_sides(rest_work *w, const reduced_problem *p, const rest_answer *a, const double *target)
{
    int columns = 1 + w->loads.count;
    memset(w->force, 0, sizeof(double) * (size_t)columns * (size_t)p->row_count);
    for (int i = 0; i < w->active_count; ++i) {
        int row = w->active[i];
        w->x[i * columns] = (target ? target[row] : 0.0) - (p->rate ? p->rate[row] : 0.0);
    }
    for (int j = 0; j < w->loads.count; ++j) {
        double *force = force_column(w, p, 1 + j);
        rest_add_slip(&p->elements[w->loads.element[j]], &a->state[w->loads.element[j]], 1.0, force);
        for (int i = 0; i < w->active_count; ++i) {
            const double *D = p->D + (size_t)w->active[i] * (size_t)p->row_count;
            w->x[i * columns + 1 + j] = -dot(D, force, p->row_count);
        }
    }
}

/* Where nothing slips the matrix is symmetric, and of low rank where many contacts are redundant. */
static bool is_symmetric(const rest_work *w, const reduced_problem *p, const rest_answer *a)
{
    bool none = w->loads.count == 0;
    for (int e = 0; none && e < p->element_count; ++e) {
        none = !slips(a, e);
    }
    return none;
}

/* w->x; returns the rank. */
static int solve_unknowns(rest_work *w, const reduced_problem *p, const rest_answer *a)
{
    enum { MANY = 32 }; /* unknowns: fewer are no slower by reflections */
    w->has_row_space = w->active_count > MANY && is_symmetric(w, p, a);
    if (w->has_row_space) {
        return dense_solve_semidefinite(w->matrix, w->x, w->active_count, RANK_TOLERANCE, w->row_space, w->scratch);
    }
    return dense_solve_many(w->matrix, w->x, w->active_count, 1 + w->loads.count, RANK_TOLERANCE, w->scratch);
}

/* Load components of joints at the forces of least norm, which bound what joints that hold may bear of redundant forces. */
static void find_bearing_loads(rest_work *w, const reduced_problem *p, const rest_answer *a)
{
    double *force = force_column(w, p, 0);
    spread(w, p, a, 0, force);
    joint_loads_find_components(&w->loads, p, force);
    memset(force, 0, sizeof(double) * (size_t)p->row_count);
}

/* Forces where no slipping joint is loaded, and per unit load of every slipping joint. */
static void respond(rest_work *w, const reduced_problem *p, const rest_answer *a, const double *target)
{
    assemble(w, p, a);
    right_sides(w, p, a, target);
    int rank = solve_unknowns(w, p, a);
    bool shared = rank > 0 && rank < w->active_count &&
                  w->loads.count == 0; /* loads of slipping joints would change */
    if (shared && !w->alone) {
        find_bearing_loads(w, p, a);
        rest_share(w, p, a, rank, w->x);
    }
    for (int k = 0; k <= w->loads.count; ++k) {
        spread(w, p, a, k, force_column(w, p, k));
    }
}

/* ---- the whole -------------------------------------------------------------------------------------------------------- */

static void add_up_forces(const rest_work *w, const reduced_problem *p, rest_answer *into)
{
    memcpy(into->force, w->force, sizeof(double) * (size_t)p->row_count);
    for (int j = 0; j < w->loads.count; ++j) {
        const double *force = force_column(w, p, 1 + j);
        for (int row = 0; row < p->row_count; ++row) {
            into->force[row] += w->loads.N[j] * force[row];
        }
    }
    for (int row = 0; row < p->row_count; ++row) {
        into->rate[row] = (p->rate ? p->rate[row] : 0.0) +
                          dot(p->D + (size_t)row * (size_t)p->row_count, into->force, p->row_count);
    }
}

static void add_up_loads(rest_work *w, const reduced_problem *p, rest_answer *into)
{
    double *lambda = w->loads.component;
    for (int j = 0; j < w->loads.count; ++j) {
        const double *own = lambda + (size_t)(1 + j) * (size_t)p->load_count;
        for (int l = 0; l < p->load_count; ++l) {
            lambda[l] += w->loads.N[j] * own[l];
        }
    }
    for (int e = 0; e < p->element_count; ++e) {
        const friction_element *el = &p->elements[e];
        into->load[e] = el->contact >= 0 ? into->force[el->contact] : joint_loads_norm(p, el, lambda);
    }
}

rest_outcome rest_rates_into(rest_work *w, const reduced_problem *p, const bool *closed, const friction_state *state,
                             const double *target, rest_answer *into)
{
    take_states(p, closed, state, into);
    into->ambiguous = false;
    into->culprit = -1;
    if (carom_stop_asked(p->stop)) {
        return REST_STOPPED;
    }
    list_unknowns(w, p, into);
    respond(w, p, into, target);
    joint_loads_find_components(&w->loads, p, w->force);
    if (w->loads.count > 0 && joint_loads_solve(&w->loads, p, &into->culprit) == 0) {
        return REST_JAM;
    }
    into->culprit = -1;
    add_up_forces(w, p, into);
    add_up_loads(w, p, into);
    return REST_OK;
}

rest_outcome rest_rates(rest_work *w, const reduced_problem *p, const bool *closed, const friction_state *state,
                        const double *target, rest_answer *out)
{
    if (p->island_count > 1) {
        rest_request request = { .closed = closed, .state = state, .target = target };
        return rest_solve_islands(w, p, &request, out);
    }
    rest_outcome outcome = rest_rates_into(w, p, closed, state, target, &w->answer);
    *out = w->answer;
    return outcome;
}
