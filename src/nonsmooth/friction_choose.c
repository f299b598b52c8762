/* CHOOSE [paper 5]: elements that move slip along their velocity; for those at rest all combinations of hold and
 * slip are tried, holding first (many at once: friction_sweep.c). */
#include <string.h>

#include "nonsmooth/friction_work.h"

enum { ENUMERATED = 5 }; /* so many resting elements are tried in all combinations */

/* A row whose own answer is this small against the others' does not move: D_kk is rounding then. */
static const double immovable = 1e-14;
/* Of two combinations that fit the one with the smaller loads is taken; below this difference they are the same. */
static const double same_load = 1e-9;

/* ---- combinations ---- */

/* State number `option` of an element at rest: stick, slip forwards, backwards; in more dimensions stick or slip. */
static friction_state option_state(int option)
{
    friction_state state = { .mode = option == 0 ? FRICTION_STICK : FRICTION_SLIP };
    state.direction[0] = option == 0 ? 0.0 : option == 1 ? 1.0 : -1.0;
    return state;
}

/* Sets the resting elements' states from a number; returns how many slip. */
static int set_combination(friction_work *w, const reduced_problem *p, int code)
{
    int count = 0;
    for (int r = 0; r < w->resting_count; ++r) {
        int options = p->elements[w->resting[r]].dim == 1 ? 3 : 2;
        w->trial[w->resting[r]] = option_state(code % options);
        count += code % options != 0;
        code /= options;
    }
    return count;
}

static int combination_count(const friction_work *w, const reduced_problem *p)
{
    int count = 1;
    for (int r = 0; r < w->resting_count; ++r) {
        count *= p->elements[w->resting[r]].dim == 1 ? 3 : 2;
    }
    return count;
}

/* ---- whom to blame when nothing fits ---- */

/* The joint at rest that would have to hold most beyond its cone; -1: none. */
static int worst_joint(const friction_work *w, const reduced_problem *p)
{
    int worst = -1;
    double most = 0.0;
    for (int r = 0; r < w->resting_count; ++r) {
        int i = w->resting[r];
        double excess = p->elements[i].contact < 0 ? friction_cone_excess(w, p, i) : 0.0;
        if (excess > most) {
            most = excess;
            worst = i;
        }
    }
    return worst;
}

/* Lets whoever is beyond its cone while all hold slip the way it is pushed: w->trial. */
static void yield_to_push(friction_work *w, const reduced_problem *p)
{
    for (int r = 0; r < w->resting_count; ++r) {
        int i = w->resting[r];
        if (friction_cone_excess(w, p, i) > 0.0) {
            w->trial[i] = option_state(w->force[p->elements[i].first_row] > 0.0 ? 2 : 1);
        }
    }
}

/* That which jams while all at rest hold, or would have to hold most beyond its cone; where only contacts would, that which
 * jams when these yield, or whose load grows fastest with friction then. All of these are properties of one state each, which
 * no description of the mechanism changes. */
int friction_joint_to_jam(friction_work *w, const reduced_problem *p, const double *normal, friction_answer *out)
{
    set_combination(w, p, 0);
    if (friction_find_start(w, p, normal, out) == FRICTION_JAM) {
        return out->jammed;
    }
    int worst = worst_joint(w, p);
    if (worst >= 0) {
        return worst;
    }
    yield_to_push(w, p);
    if (friction_find_start(w, p, normal, out) == FRICTION_JAM) {
        return out->jammed;
    }
    worst = friction_weakest(w, p, NULL);
    return worst >= 0 && w->load[worst] > 0.0 ? worst : -1;
}

/* ---- all combinations ---- */

/* Sum of the loads of all elements, by which answers that fit are compared. */
static double total_load(const friction_work *w, const reduced_problem *p)
{
    double sum = 0.0;
    for (int i = 0; i < p->element_count; ++i) {
        sum += w->load[i];
    }
    return sum;
}

/* What has been learnt from combinations. */
typedef struct attempts {
    int best;         /* the code of that which fits; -1: none yet */
    double best_load; /* its total_load */
} attempts;

/* Tries one combination. */
static void try_combination(friction_work *w, const reduced_problem *p, const double *normal, int code,
                            attempts *tried, friction_answer *out)
{
    friction_outcome outcome = friction_find_start(w, p, normal, out);
    double load = outcome == FRICTION_OK && friction_fits(w, p) ? total_load(w, p) : HUGE_VAL;
    if (load < tried->best_load * (1.0 - same_load)) {
        tried->best = code;
        tried->best_load = load;
    }
}

/* The answer of the combination that fits. */
static friction_outcome take_combination(friction_work *w, const reduced_problem *p, const double *normal, int code,
                                         friction_answer *out)
{
    set_combination(w, p, code);
    friction_outcome outcome = friction_find_start(w, p, normal, out);
    friction_call_still_ones_stuck(w, p);
    return outcome;
}

/* All combinations, those in which fewer slip first, and of these the one with the least loads, so that the choice does
 * not depend on the order of elements: there may be several that fit. */
static friction_outcome try_combinations(friction_work *w, const reduced_problem *p, const double *normal,
                                         friction_answer *out)
{
    attempts tried = { .best = -1, .best_load = HUGE_VAL };
    int count = combination_count(w, p);
    for (int slipping = 0; slipping <= w->resting_count && tried.best < 0; ++slipping) {
        int last = -1;
        for (int code = 0; code < count; ++code) {
            if (set_combination(w, p, code) == slipping) {
                try_combination(w, p, normal, code, &tried, out);
                last = code;
            }
        }
        if (tried.best >= 0 && tried.best == last) { /* its answer is still there */
            friction_call_still_ones_stuck(w, p);
            return FRICTION_OK;
        }
    }
    if (tried.best >= 0) {
        return take_combination(w, p, normal, tried.best, out);
    }
    out->jammed = friction_joint_to_jam(w, p, normal, out);
    return out->jammed >= 0 ? FRICTION_JAM : FRICTION_INCONSISTENT;
}

/* ---- the choice ---- */

/* Whether no row of an element answers any force. */
static bool cannot_move(const reduced_problem *p, const friction_element *e, double largest_answer)
{
    for (int d = 0; d < e->dim; ++d) {
        int k = e->first_row + d;
        if (p->D[k * p->row_count + k] > immovable * largest_answer) {
            return false;
        }
    }
    return true;
}

static double largest_mobility(const reduced_problem *p)
{
    double most = 0.0;
    for (int k = 0; k < p->row_count; ++k) {
        most = fmax(most, p->D[k * p->row_count + k]);
    }
    return most;
}

static friction_state slip_along(const double *slip, int dim)
{
    friction_state state = { .mode = FRICTION_SLIP };
    double speed = norm(slip, dim);
    for (int d = 0; d < dim; ++d) {
        state.direction[d] = slip[d] / speed;
    }
    return state;
}

/* What moves slips along its velocity, what is locked or cannot move holds; the others are to be found. */
static void sort_elements(friction_work *w, const reduced_problem *p, const double *u, double still,
                          const double *normal, const bool *held)
{
    double most = largest_mobility(p);
    w->resting_count = 0;
    for (int i = 0; i < p->element_count; ++i) {
        const friction_element *e = &p->elements[i];
        friction_state *state = &w->trial[i];
        *state = (friction_state){ .mode = FRICTION_STICK };
        if (e->contact >= 0 && !(normal[e->contact] > 0.0)) {
            state->mode = FRICTION_NONE;
            continue;
        }
        if (held && held[i]) {
            continue;
        }
        if (norm(u + e->first_row, e->dim) > still) {
            *state = slip_along(u + e->first_row, e->dim);
        } else if (!cannot_move(p, e, most)) {
            w->resting[w->resting_count++] = i;
        }
    }
}

friction_outcome friction_choose(friction_work *w, const reduced_problem *p, const double *u, double still,
                                 const double *normal, const bool *held, friction_answer *out)
{
    friction_show(w, out);
    w->firm = held;
    sort_elements(w, p, u, still, normal, held);
    if (w->resting_count == 0) {
        memcpy(w->state, w->trial, (size_t)p->element_count * sizeof *w->state);
        return friction_find_rates(w, p, normal, out);
    }
    if (w->resting_count <= ENUMERATED) {
        return try_combinations(w, p, normal, out);
    }
    return friction_sweep(w, p, normal, out);
}
