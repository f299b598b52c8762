/* CHOOSE [paper 5; spec 4.3]: elements that move slip along their velocity; for those at rest all combinations of hold and
 * slip are tried, holding first (many at once: by a projected iteration whose answer is then made exact). */
#include <string.h>

#include "methods/impact/friction_work.h"

enum {
    ENUMERATED = 5, /* so many resting elements are tried in all combinations */
    SWEEPS = 60,    /* of the projected iteration between two attempts to make its answer exact */
    ATTEMPTS = 40,
    CHANGES = 12, /* of states in one attempt */
};

/* Of the cone test, relative [spec 4.6], and against the forces around it, for loads that vanish but for rounding. */
static const double cone_slack = 1e-10;
static const double force_rounding = 1e-13;
/* Of the slip test: rounding of a rate against the sum of its contributions, with room for systems of some condition. */
static const double rate_rounding = 1e-11;
/* A row whose own answer is this small against the others' does not move: D_kk is rounding then. */
static const double immovable = 1e-14;

/* ---- tests ---- */

/* Rounding of a rate of row k. */
static double rate_scale(const friction_work *w, const reduced_problem *p, int k)
{
    double sum = p->rate ? fabs(p->rate[k]) : 0.0;
    for (int l = 0; l < p->row_count; ++l) {
        sum += fabs(p->D[k * p->row_count + l] * w->force[l]);
    }
    return sum;
}

/* By how much the force of a stuck element exceeds its cone, less the slack; <= 0: it may hold. */
static double cone_excess(const friction_work *w, const reduced_problem *p, int i)
{
    const friction_element *e = &p->elements[i];
    double bound = e->mu * w->load[i];
    double slack = cone_slack * bound + force_rounding * (1.0 + e->mu) * largest(w->force, p->row_count);
    return norm(w->force + e->first_row, e->dim) - bound - slack;
}

/* Whether an element that was at rest moves the way its friction supposes (or not at all). */
static bool starts_along(const friction_work *w, const reduced_problem *p, int i)
{
    const friction_element *e = &p->elements[i];
    const double *rate = w->rate + e->first_row, *u = w->state[i].direction;
    double scale = 0.0, across = 0.0, along = dot(rate, u, e->dim);
    for (int d = 0; d < e->dim; ++d) {
        scale = fmax(scale, rate_scale(w, p, e->first_row + d));
        across = fmax(across, fabs(rate[d] - along * u[d]));
    }
    return along >= -rate_rounding * scale && across <= 1e-9 * scale;
}

static bool fits(const friction_work *w, const reduced_problem *p)
{
    for (int r = 0; r < w->resting_count; ++r) {
        int i = w->resting[r];
        if (slips(&w->state[i]) ? !starts_along(w, p, i) : cone_excess(w, p, i) > 0.0) {
            return false;
        }
    }
    return true;
}

/* Elements that slip in name only: at the bound of their cone (as redundant contacts may be) without moving. */
static void call_still_ones_stuck(friction_work *w, const reduced_problem *p)
{
    for (int r = 0; r < w->resting_count; ++r) {
        const friction_element *e = &p->elements[w->resting[r]];
        friction_state *state = &w->state[w->resting[r]];
        double scale = 0.0;
        for (int d = 0; d < e->dim; ++d) {
            scale = fmax(scale, rate_scale(w, p, e->first_row + d));
        }
        if (slips(state) && norm(w->rate + e->first_row, e->dim) <= 0.1 * rate_rounding * scale) {
            *state = (friction_state){ .mode = FRICTION_STICK };
            memset(w->rate + e->first_row, 0, (size_t)e->dim * sizeof(double));
        }
    }
}

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

/* Whom to blame when nothing fits: the joint at rest that would have to hold most beyond its cone; -1: none. */
static int worst_joint(const friction_work *w, const reduced_problem *p)
{
    int worst = -1;
    double most = 0.0;
    for (int r = 0; r < w->resting_count; ++r) {
        int i = w->resting[r];
        double excess = p->elements[i].contact < 0 ? cone_excess(w, p, i) : 0.0;
        if (excess > most) {
            most = excess;
            worst = i;
        }
    }
    return worst;
}

/* A joint that moves. */
static int moving_joint(const friction_work *w, const reduced_problem *p)
{
    for (int i = 0; i < p->element_count; ++i) {
        if (p->elements[i].contact < 0 && slips(&w->trial[i])) {
            return i;
        }
    }
    return -1;
}

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
    int blame;        /* the joint that cannot hold; -1: none */
    int jammed;       /* a joint that jams; -1: none */
} attempts;

/* Tries one combination, of which `slipping` elements slip. */
static void try_combination(friction_work *w, const reduced_problem *p, const double *normal, int code, int slipping,
                            attempts *tried, friction_answer *out)
{
    friction_outcome outcome = friction_find_start(w, p, normal, out);
    double load = outcome == FRICTION_OK && fits(w, p) ? total_load(w, p) : HUGE_VAL;
    if (load < tried->best_load * (1.0 - 1e-9)) {
        tried->best = code;
        tried->best_load = load;
    }
    tried->jammed = outcome == FRICTION_JAM && tried->jammed < 0 ? out->jammed : tried->jammed;
    tried->blame = outcome == FRICTION_OK && slipping == 0 ? worst_joint(w, p) : tried->blame;
}

/* The answer of the combination that fits. */
static friction_outcome take_combination(friction_work *w, const reduced_problem *p, const double *normal, int code,
                                         friction_answer *out)
{
    set_combination(w, p, code);
    friction_outcome outcome = friction_find_start(w, p, normal, out);
    call_still_ones_stuck(w, p);
    return outcome;
}

/* All combinations, those in which fewer slip first, and of these the one with the least loads, so that the choice does
 * not depend on the order of elements: there may be several that fit. */
static friction_outcome try_combinations(friction_work *w, const reduced_problem *p, const double *normal,
                                         friction_answer *out)
{
    attempts tried = { .best = -1, .best_load = HUGE_VAL, .blame = -1, .jammed = -1 };
    int count = combination_count(w, p);
    for (int slipping = 0; slipping <= w->resting_count && tried.best < 0; ++slipping) {
        int last = -1;
        for (int code = 0; code < count; ++code) {
            if (set_combination(w, p, code) == slipping) {
                try_combination(w, p, normal, code, slipping, &tried, out);
                last = code;
            }
        }
        if (tried.best >= 0 && tried.best == last) { /* its answer is still there */
            call_still_ones_stuck(w, p);
            return FRICTION_OK;
        }
    }
    if (tried.best >= 0) {
        return take_combination(w, p, normal, tried.best, out);
    }
    set_combination(w, p, 0);
    out->jammed = tried.blame >= 0 ? tried.blame : tried.jammed >= 0 ? tried.jammed : moving_joint(w, p);
    return out->jammed >= 0 ? FRICTION_JAM : FRICTION_INCONSISTENT;
}

/* ---- many at rest ---- */

/* Shortens the force of an element to its cone. */
static void project_force(const friction_element *e, double load, double *force)
{
    double size = norm(force, e->dim), bound = e->mu * load;
    for (int d = 0; size > bound && d < e->dim; ++d) {
        force[d] *= bound / size;
    }
}

/* Changes the force of an element so that its own rate gets smaller; never too far, because of the trace. */
static void push_back(friction_work *w, const reduced_problem *p, const friction_element *e)
{
    int rows = p->row_count;
    double step[SLIP_DIM], trace = 0.0;
    for (int d = 0; d < e->dim; ++d) {
        int k = e->first_row + d;
        step[d] = dot(p->D + k * rows, w->sweep, rows) + (p->rate ? p->rate[k] : 0.0);
        trace += p->D[k * rows + k];
    }
    for (int d = 0; trace > 0.0 && d < e->dim; ++d) {
        w->sweep[e->first_row + d] -= step[d] / trace;
    }
}

/* One sweep: every resting element in turn moves its force against its rate and back into its cone; forces of moving
 * elements and all loads follow. */
static void sweep_once(friction_work *w, const reduced_problem *p, const double *normal)
{
    int rows = p->row_count;
    memcpy(w->force, w->sweep, (size_t)rows * sizeof(double));
    friction_find_element_loads(w, p, normal);
    for (int i = 0; i < p->element_count; ++i) {
        if (slips(&w->trial[i])) {
            friction_add_slip(&p->elements[i], &w->trial[i], w->load[i], w->sweep);
        }
    }
    for (int i = 0, r = 0; i < p->element_count; ++i) {
        bool rests = r < w->resting_count && w->resting[r] == i; /* else locked: nothing bounds its force */
        if (w->trial[i].mode == FRICTION_STICK) {
            push_back(w, p, &p->elements[i]);
        }
        if (rests) {
            project_force(&p->elements[i], w->load[i], w->sweep + p->elements[i].first_row);
            ++r;
        }
    }
}

/* States from the forces of the projected iteration: at the bound of the cone means slip. */
static void read_states(friction_work *w, const reduced_problem *p)
{
    for (int r = 0; r < w->resting_count; ++r) {
        int i = w->resting[r];
        const friction_element *e = &p->elements[i];
        const double *force = w->sweep + e->first_row;
        double size = norm(force, e->dim), bound = e->mu * w->load[i];
        w->state[i] = (friction_state){ .mode = FRICTION_STICK };
        if (size > 0.0 && size >= bound * (1.0 - 1e-7)) {
            w->state[i].mode = FRICTION_SLIP;
            for (int d = 0; d < e->dim; ++d) {
                w->state[i].direction[d] = -force[d] / size;
            }
        }
    }
}

/* Whoever breaks Coulomb's law with the present states changes its own: beyond its cone it begins to slip the way it was
 * pushed, slipping backwards it holds. */
static void change_violators(friction_work *w, const reduced_problem *p)
{
    for (int r = 0; r < w->resting_count; ++r) {
        int i = w->resting[r];
        const friction_element *e = &p->elements[i];
        if (slips(&w->state[i])) {
            double along = dot(w->rate + e->first_row, w->state[i].direction, e->dim);
            w->state[i].mode = along < 0.0 ? FRICTION_STICK : FRICTION_SLIP;
        } else if (cone_excess(w, p, i) > 0.0) {
            double size = norm(w->force + e->first_row, e->dim);
            w->state[i].mode = FRICTION_SLIP;
            for (int d = 0; d < e->dim; ++d) {
                w->state[i].direction[d] = -w->force[e->first_row + d] / size;
            }
        }
    }
}

/* The exact answer with states near those that the iteration suggests. */
static friction_outcome find_fit(friction_work *w, const reduced_problem *p, const double *normal,
                                 friction_answer *out)
{
    for (int k = 0; k < CHANGES; ++k) {
        friction_outcome outcome = friction_improve_start(w, p, normal, out);
        if (outcome != FRICTION_OK) {
            return outcome;
        }
        if (fits(w, p)) {
            call_still_ones_stuck(w, p);
            return FRICTION_OK;
        }
        change_violators(w, p);
    }
    return FRICTION_INCONSISTENT;
}

/* Projected iteration, its answer made exact as soon as its states fit. */
static friction_outcome iterate(friction_work *w, const reduced_problem *p, const double *normal,
                                friction_answer *out)
{
    memset(w->sweep, 0, (size_t)p->row_count * sizeof(double));
    memcpy(w->sweep, normal, (size_t)p->contact_count * sizeof(double));
    int jammed = -1;
    for (int k = 0; k < ATTEMPTS; ++k) {
        for (int s = 0; s < SWEEPS; ++s) {
            sweep_once(w, p, normal);
        }
        memcpy(w->state, w->trial, (size_t)p->element_count * sizeof *w->state);
        read_states(w, p);
        friction_outcome outcome = find_fit(w, p, normal, out);
        if (outcome == FRICTION_OK) {
            return FRICTION_OK;
        }
        jammed = outcome == FRICTION_JAM ? out->jammed : jammed;
    }
    out->jammed = jammed >= 0 ? jammed : moving_joint(w, p);
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
        double speed = norm(u + e->first_row, e->dim);
        if (speed > still) {
            state->mode = FRICTION_SLIP;
            for (int d = 0; d < e->dim; ++d) {
                state->direction[d] = u[e->first_row + d] / speed;
            }
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
    return iterate(w, p, normal, out);
}
