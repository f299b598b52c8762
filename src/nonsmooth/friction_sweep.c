/* Who slips of many elements at rest: a projected iteration (Gauss and Seidel's), whose answer is made exact as soon as its
 * states fit. */
#include <string.h>

#include "base/stop.h"
#include "nonsmooth/friction_work.h"

enum {
    SWEEPS = 60, /* of the projected iteration between two attempts to make its answer exact */
    ATTEMPTS = 40,
    CHANGES = 12, /* of states in one attempt */
};

/* A force this near to the bound of its cone is at it: what a few dozen sweeps leave of the error, or more, for find_fit
 * changes states that do not fit. */
static const double at_bound = 1e-7;

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
        if (size > 0.0 && size >= bound * (1.0 - at_bound)) {
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
        } else if (friction_cone_excess(w, p, i) > 0.0) {
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
    for (int k = 0; k < CHANGES && !carom_stop_asked(p->stop); ++k) {
        friction_outcome outcome = friction_improve_start(w, p, normal, out);
        if (outcome != FRICTION_OK) {
            return outcome;
        }
        if (friction_fits(w, p)) {
            friction_call_still_ones_stuck(w, p);
            return FRICTION_OK;
        }
        change_violators(w, p);
    }
    return FRICTION_INCONSISTENT;
}

friction_outcome friction_sweep(friction_work *w, const reduced_problem *p, const double *normal,
                                friction_answer *out)
{
    memset(w->sweep, 0, (size_t)p->row_count * sizeof(double));
    memcpy(w->sweep, normal, (size_t)p->contact_count * sizeof(double));
    int jammed = -1;
    for (int k = 0; k < ATTEMPTS && !carom_stop_asked(p->stop); ++k) {
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
    out->jammed = jammed >= 0 ? jammed : friction_joint_to_jam(w, p, normal, out);
    return out->jammed >= 0 ? FRICTION_JAM : FRICTION_INCONSISTENT;
}
