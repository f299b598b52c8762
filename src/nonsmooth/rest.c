/* Lasting contact with everything given: who is closed, who sticks, who slips where to [Pfeiffer1996].
 *
 * Unknown are the normal forces of closed contacts and the friction forces of what sticks; a slipping contact's friction
 * follows its own normal force, so with the columns S of all that the matrix (D S) restricted to the prescribed rows is
 * square and, where something slips, not symmetric. Redundant contacts make it singular: forces of least norm.
 * Slipping joints add their loads N >= 0 as unknowns: everything is affine in N, and N_j = sum |a_j + B_j N| is solved by
 * Newton's method, at once where the right side contracts (then there is one solution), else along the branch that
 * starts at mu = 0, t going from 0 to 1 in N = h(t N). Where that branch ends the mechanism jams. */
#include "nonsmooth/rest.h"

#include <math.h>
#include <string.h>

#include "base/stop.h"
#include "linalg/dense.h"
#include "nonsmooth/rest_work.h"

/* Pivots below this part of the largest entry belong to redundant contacts: D comes from solves that are good to about
 * 1e-12, but directions in which slip begins are found to 1e-8 or so only. */
static const double RANK_TOLERANCE = 1e-8;
static const double SINGULAR = 1e-14; /* pivots of the load equations below, which are 1 without friction: a fold */

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
    w->slide = CAROM_ARENA_ARRAY(arena, int, columns);
    w->matrix = CAROM_ARENA_ARRAY(arena, double, rows *rows);
    w->scratch = CAROM_ARENA_ARRAY(arena, double, dense_scratch(w->rows + 1));
    w->force = CAROM_ARENA_ARRAY(arena, double, columns *rows);
    w->carried = CAROM_ARENA_ARRAY(arena, double, columns *((size_t)w->loads + 1));
    w->x = CAROM_ARENA_ARRAY(arena, double, rows *columns);
    w->N = CAROM_ARENA_ARRAY(arena, double, columns);
    w->residual = CAROM_ARENA_ARRAY(arena, double, columns);
    w->jacobian = CAROM_ARENA_ARRAY(arena, double, columns *columns);
    w->trial_N = CAROM_ARENA_ARRAY(arena, double, columns);
    w->value = CAROM_ARENA_ARRAY(arena, double, w->loads + 1);
    w->share = CAROM_ARENA_ARRAY(arena, double, rest_share_room(w->rows + 1));
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
    w->sweep_force = CAROM_ARENA_ARRAY(arena, double, rows);
    w->sweep_rate = CAROM_ARENA_ARRAY(arena, double, rows);
    w->turn_residual = CAROM_ARENA_ARRAY(arena, double, rows);
    w->turn_jacobian = CAROM_ARENA_ARRAY(arena, double, rows *rows);
    w->turn_step = CAROM_ARENA_ARRAY(arena, double, rows);
    w->newton_trial = CAROM_ARENA_ARRAY(arena, double, rows);
    w->swept = CAROM_ARENA_ARRAY(arena, double, rows);
    w->digit = CAROM_ARENA_ARRAY(arena, int, rows + elements);
    make_answer(arena, &w->answer, w->rows, w->elements);
    make_answer(arena, &w->trial, w->rows, w->elements);
    make_answer(arena, &w->other, w->rows, w->elements);
    make_answer(arena, &w->even, w->rows, w->elements);
}

static void make_room_for_islands(carom_arena *arena, rest_work *w)
{
    reduced_part_create(&w->part, arena, w->rows, w->elements, w->loads);
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
    w->loads = loads;
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
    w->slide_count = 0;
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
            w->slide[w->slide_count++] = e;
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
    int columns = 1 + w->slide_count;
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

static double dot(const double *a, const double *b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

static double *force_column(const rest_work *w, const reduced_problem *p, int k)
{
    return w->force + (size_t)k * (size_t)p->row_count;
}

/* Right sides: what is missing to the prescribed rates, and what one unit load of every slipping joint does to them. */
static void right_sides(rest_work *w, const reduced_problem *p, const rest_answer *a, const double *target)
{
    int columns = 1 + w->slide_count;
    memset(w->force, 0, sizeof(double) * (size_t)columns * (size_t)p->row_count);
    for (int i = 0; i < w->active_count; ++i) {
        int row = w->active[i];
        w->x[i * columns] = (target ? target[row] : 0.0) - (p->rate ? p->rate[row] : 0.0);
    }
    for (int j = 0; j < w->slide_count; ++j) {
        double *force = force_column(w, p, 1 + j);
        rest_add_slip(&p->elements[w->slide[j]], &a->state[w->slide[j]], 1.0, force);
        for (int i = 0; i < w->active_count; ++i) {
            const double *D = p->D + (size_t)w->active[i] * (size_t)p->row_count;
            w->x[i * columns + 1 + j] = -dot(D, force, p->row_count);
        }
    }
}

/* Forces where no slipping joint is loaded, and per unit load of every slipping joint. */
static void respond(rest_work *w, const reduced_problem *p, const rest_answer *a, const double *target)
{
    assemble(w, p, a);
    right_sides(w, p, a, target);
    int rank = dense_solve_many(w->matrix, w->x, w->active_count, 1 + w->slide_count, RANK_TOLERANCE, w->scratch);
    bool shared = rank > 0 && rank < w->active_count &&
                  w->slide_count == 0; /* loads of slipping joints would change */
    if (shared && !w->alone) {
        rest_share(w, p, a, rank, w->x);
    }
    for (int k = 0; k <= w->slide_count; ++k) {
        spread(w, p, a, k, force_column(w, p, k));
    }
}

/* Load components for every column of forces. */
static void carry(rest_work *w, const reduced_problem *p)
{
    for (int k = 0; k <= w->slide_count; ++k) {
        const double *force = force_column(w, p, k);
        double *carried = w->carried + (size_t)k * (size_t)p->load_count;
        for (int l = 0; l < p->load_count; ++l) {
            double own = k == 0 && p->load ? p->load[l] : 0.0;
            carried[l] = own + dot(p->B + (size_t)l * (size_t)p->row_count, force, p->row_count);
        }
    }
}

/* ---- loads of slipping joints ----------------------------------------------------------------------------------------- */

static double norm(const double *a, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        sum = hypot(sum, a[i]);
    }
    return sum;
}

double rest_group_load(const reduced_problem *p, const friction_element *el, const double *carried)
{
    double N = 0.0;
    for (int g = 0; g < el->group_count; ++g) {
        const load_group *group = &p->groups[el->first_group + g];
        N += norm(carried + group->first, group->dim);
    }
    return N;
}

/* Adds |a + t B N| of one group to h and its derivatives by N to the row of -dh/dN. */
static double group_norm(const rest_work *w, const reduced_problem *p, const load_group *group, double t, double *row)
{
    double *value = w->value;
    double sum = 0.0;
    for (int i = 0; i < group->dim; ++i) {
        value[i] = w->carried[group->first + i];
        for (int k = 0; k < w->slide_count; ++k) {
            value[i] += t * w->N[k] *
                        w->carried[(size_t)(1 + k) * (size_t)p->load_count + (size_t)(group->first + i)];
        }
        sum = hypot(sum, value[i]);
    }
    for (int k = 0; sum > 0.0 && k < w->slide_count; ++k) {
        const double *B = w->carried + (size_t)(1 + k) * (size_t)p->load_count + group->first;
        row[k] -= t * dot(value, B, group->dim) / sum;
    }
    return sum;
}

/* N - h(t N) and its derivative; returns the largest residual in proportion to the loads. */
static double load_equations(rest_work *w, const reduced_problem *p, double t)
{
    int k = w->slide_count;
    double worst = 0.0;
    double largest = 0.0;
    memset(w->jacobian, 0, sizeof(double) * (size_t)k * (size_t)k);
    for (int j = 0; j < k; ++j) {
        const friction_element *el = &p->elements[w->slide[j]];
        double *row = w->jacobian + (size_t)j * (size_t)k;
        double h = 0.0;
        row[j] = 1.0;
        for (int g = 0; g < el->group_count; ++g) {
            h += group_norm(w, p, &p->groups[el->first_group + g], t, row);
        }
        w->residual[j] = w->N[j] - h;
        worst = fmax(worst, fabs(w->residual[j]));
        largest = fmax(largest, fmax(fabs(w->N[j]), h));
    }
    return largest > 0.0 ? worst / largest : 0.0;
}

/* Newton's method on N = h(t N) from the present N. True when it ends where the determinant is positive, that is on the
 * branch from mu = 0. */
static bool newton_loads(rest_work *w, const reduced_problem *p, double t)
{
    enum { NEWTON_LIMIT = 15 };
    double before = HUGE_VAL;
    for (int step = 0; step < NEWTON_LIMIT; ++step) {
        double miss = load_equations(w, p, t);
        bool settled = miss <= 1e-15 || (miss <= 1e-12 && miss >= 0.5 * before);
        double det;
        if (!dense_eliminate(w->jacobian, w->residual, w->slide_count, SINGULAR, &det) || !(det > 0.0)) {
            return false; /* beyond the end of the branch */
        }
        for (int j = 0; !settled && j < w->slide_count; ++j) {
            w->N[j] -= w->residual[j];
        }
        if (settled) {
            return true;
        }
        before = miss;
    }
    return false;
}

/* One slipping joint: N - h(N) is concave, so that Newton's method from N = 0 climbs to the smallest root, which is the one
 * that grows out of mu = 0, or finds that there is none: h grows as fast as N before it is reached. */
static bool climb_to_load(rest_work *w, const reduced_problem *p)
{
    enum { CLIMB_LIMIT = 100 };
    w->N[0] = 0.0;
    for (int i = 0; i < CLIMB_LIMIT; ++i) {
        double miss = load_equations(w, p, 1.0);
        if (miss <= 1e-15 || w->residual[0] >= 0.0) {
            return true;
        }
        if (!(w->jacobian[0] > 0.0)) {
            return false;
        }
        double next = w->N[0] - w->residual[0] / w->jacobian[0];
        if (!(next > w->N[0])) {
            return true;
        }
        w->N[0] = next;
    }
    return false;
}

/* An upper bound of |dh/dN| (largest row sum) below one: one solution, and repeating N = h(N) finds it. */
static double contraction(const rest_work *w, const reduced_problem *p)
{
    double worst = 0.0;
    for (int j = 0; j < w->slide_count; ++j) {
        double sum = 0.0;
        for (int k = 0; k < w->slide_count; ++k) {
            sum += rest_group_load(p, &p->elements[w->slide[j]],
                                   w->carried + (size_t)(1 + k) * (size_t)p->load_count);
        }
        worst = fmax(worst, sum);
    }
    return worst;
}

static void start_loads(rest_work *w, const reduced_problem *p)
{
    for (int j = 0; j < w->slide_count; ++j) {
        w->N[j] = rest_group_load(p, &p->elements[w->slide[j]], w->carried);
    }
}

static bool repeat_loads(rest_work *w, const reduced_problem *p)
{
    enum { REPEAT_LIMIT = 2000 };
    start_loads(w, p);
    for (int i = 0; i < REPEAT_LIMIT; ++i) {
        if (load_equations(w, p, 1.0) <= 1e-14) {
            return true;
        }
        for (int j = 0; j < w->slide_count; ++j) {
            w->N[j] -= w->residual[j];
        }
    }
    return false;
}

/* Along t from 0 to 1, with steps as long as Newton's method follows. */
static bool follow_loads(rest_work *w, const reduced_problem *p)
{
    const double shortest = 1e-5;
    size_t bytes = sizeof(double) * (size_t)w->slide_count;
    double t = 0.0;
    double step = 0.25;
    start_loads(w, p);
    while (t < 1.0) {
        memcpy(w->trial_N, w->N, bytes);
        double next = fmin(1.0, t + step);
        bool followed = newton_loads(w, p, next);
        for (int j = 0; j < w->slide_count; ++j) {
            followed = followed && w->N[j] >= 0.0;
        }
        if (followed) {
            t = next;
            step *= 1.2;
        } else {
            memcpy(w->N, w->trial_N, bytes);
            step *= 0.25;
        }
        if (!(step > shortest)) {
            return false;
        }
    }
    return true;
}

static bool solve_loads(rest_work *w, const reduced_problem *p)
{
    if (w->slide_count == 0) {
        return true;
    }
    if (w->slide_count == 1) {
        return climb_to_load(w, p);
    }
    if (contraction(w, p) < 0.99) {
        start_loads(w, p);
        return newton_loads(w, p, 1.0) || repeat_loads(w, p);
    }
    return follow_loads(w, p);
}

/* The slipping joint whose own load grows fastest with itself: the one to name. */
static int jammed_element(const rest_work *w, const reduced_problem *p)
{
    int worst = 0;
    double most = -1.0;
    for (int j = 0; j < w->slide_count; ++j) {
        double own = rest_group_load(p, &p->elements[w->slide[j]],
                                     w->carried + (size_t)(1 + j) * (size_t)p->load_count);
        if (own > most) {
            most = own;
            worst = j;
        }
    }
    return w->slide[worst];
}

/* ---- the whole -------------------------------------------------------------------------------------------------------- */

static void add_up_forces(const rest_work *w, const reduced_problem *p, rest_answer *into)
{
    memcpy(into->force, w->force, sizeof(double) * (size_t)p->row_count);
    for (int j = 0; j < w->slide_count; ++j) {
        const double *force = force_column(w, p, 1 + j);
        for (int row = 0; row < p->row_count; ++row) {
            into->force[row] += w->N[j] * force[row];
        }
    }
    for (int row = 0; row < p->row_count; ++row) {
        into->rate[row] = (p->rate ? p->rate[row] : 0.0) +
                          dot(p->D + (size_t)row * (size_t)p->row_count, into->force, p->row_count);
    }
}

static void add_up_loads(rest_work *w, const reduced_problem *p, rest_answer *into)
{
    for (int j = 0; j < w->slide_count; ++j) {
        const double *carried = w->carried + (size_t)(1 + j) * (size_t)p->load_count;
        for (int l = 0; l < p->load_count; ++l) {
            w->carried[l] += w->N[j] * carried[l];
        }
    }
    for (int e = 0; e < p->element_count; ++e) {
        const friction_element *el = &p->elements[e];
        into->load[e] = el->contact >= 0 ? into->force[el->contact] : rest_group_load(p, el, w->carried);
    }
}

rest_outcome rest_rates_into(rest_work *w, const reduced_problem *p, const bool *closed, const friction_state *state,
                             const double *target, rest_answer *into)
{
    take_states(p, closed, state, into);
    into->culprit = -1;
    into->ambiguous = false;
    if (carom_stop_asked(p->stop)) {
        return REST_STOPPED;
    }
    list_unknowns(w, p, into);
    respond(w, p, into, target);
    carry(w, p);
    if (!solve_loads(w, p)) {
        into->culprit = jammed_element(w, p);
        return REST_JAM;
    }
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
