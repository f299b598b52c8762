/* Whether the states of elements at rest fit their forces and rates. */
#include <string.h>

#include "nonsmooth/friction_work.h"

/* Of the cone test, relative, and against the forces around it, for loads that vanish but for rounding. */
static const double cone_slack = 1e-10;
static const double force_rounding = 1e-13;
/* Of the slip test: rounding of a rate against the sum of its contributions, with room for systems of some condition; of
 * the part across the direction, which is searched to 1e-12 and is a difference. */
static const double rate_rounding = 1e-11;
static const double across_rounding = 1e-9;

/* Rounding of a rate of row k. */
static double rate_scale(const friction_work *w, const reduced_problem *p, int k)
{
    double sum = p->rate ? fabs(p->rate[k]) : 0.0;
    for (int l = 0; l < p->row_count; ++l) {
        sum += fabs(p->D[k * p->row_count + l] * w->force[l]);
    }
    return sum;
}

double friction_cone_excess(const friction_work *w, const reduced_problem *p, int i)
{
    const friction_element *e = &p->elements[i];
    double bound = e->mu * w->load[i];
    double slack = cone_slack * bound + force_rounding * (1.0 + e->mu) * largest(w->force, p->row_count);
    return norm(w->force + e->first_row, e->dim) - bound - slack;
}

static double largest_rate_scale(const friction_work *w, const reduced_problem *p, const friction_element *e)
{
    double scale = 0.0;
    for (int d = 0; d < e->dim; ++d) {
        scale = fmax(scale, rate_scale(w, p, e->first_row + d));
    }
    return scale;
}

/* Whether an element that was at rest moves the way its friction supposes (or not at all). */
static bool starts_along(const friction_work *w, const reduced_problem *p, int i)
{
    const friction_element *e = &p->elements[i];
    const double *rate = w->rate + e->first_row, *u = w->state[i].direction;
    double scale = largest_rate_scale(w, p, e), across = 0.0, along = dot(rate, u, e->dim);
    for (int d = 0; d < e->dim; ++d) {
        across = fmax(across, fabs(rate[d] - along * u[d]));
    }
    return along >= -rate_rounding * scale && across <= across_rounding * scale;
}

bool friction_fits(const friction_work *w, const reduced_problem *p)
{
    for (int r = 0; r < w->resting_count; ++r) {
        int i = w->resting[r];
        if (slips(&w->state[i]) ? !starts_along(w, p, i) : friction_cone_excess(w, p, i) > 0.0) {
            return false;
        }
    }
    return true;
}

void friction_call_still_ones_stuck(friction_work *w, const reduced_problem *p)
{
    for (int r = 0; r < w->resting_count; ++r) {
        const friction_element *e = &p->elements[w->resting[r]];
        friction_state *state = &w->state[w->resting[r]];
        double scale = largest_rate_scale(w, p, e);
        if (slips(state) && norm(w->rate + e->first_row, e->dim) <= 0.1 * rate_rounding * scale) {
            *state = (friction_state){ .mode = FRICTION_STICK };
            memset(w->rate + e->first_row, 0, (size_t)e->dim * sizeof(double));
        }
    }
}
