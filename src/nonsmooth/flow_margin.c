/* Impacts at several contacts: how far everything is from the next event, as margins that are positive until then. */
#include <math.h>

#include "nonsmooth/flow_parts.h"

static const double CONE_SLACK = 1e-9; /* wider than that of friction_choose, which is asked again at the event */

/* Given forces act until a contact approaches no more. */
static double contact_margin(const flow *f, double *y, int contact)
{
    double speed = flow_speed(f, y)[contact] / f->speed;
    return f->until == contact ? 2.0 * NO_SPEED - speed : HUGE_VAL;
}

/* Closed contacts push, open ones will not approach at the end: wider than the tolerances of rest_choose. */
static double stopping_margin(const flow *f, int contact)
{
    const double slack = 1e-8;
    double bias = 0.0;
    for (int c = 0; c < f->p.contact_count; ++c) {
        bias = fmax(bias, fabs(f->w->bias[c]));
    }
    double D = f->p.D[(size_t)contact * (size_t)f->p.row_count + (size_t)contact];
    if (f->w->closed[contact]) {
        return D > 0.0 ? f->w->margin_force[contact] * D / bias + slack : HUGE_VAL;
    }
    return (f->w->margin_rate[contact] + f->w->bias[contact]) / bias + slack;
}

double flow_cone_margin(const flow *f, int e, double largest_force)
{
    const friction_element *el = &f->p.elements[e];
    double bound = el->mu * f->w->margin_load[e];
    double force = flow_slip_norm(el, f->w->margin_force);
    double scale = bound + force + 1e-6 * largest_force;
    return scale > 0.0 ? (bound - force) / scale + CONE_SLACK : HUGE_VAL;
}

static double slip_margin(const flow *f, double *y, int e)
{
    const friction_element *el = &f->p.elements[e];
    const double *u = flow_speed(f, y);
    if (el->dim > 1 && !f->w->straight[e] && !f->w->creeping[e]) {
        return f->w->moving[e] ? flow_slip_norm(el, u) / f->speed - FLOW_STILL : HUGE_VAL;
    }
    double slack = f->w->moving[e] && !f->w->creeping[e] ? 0.0 : 2.0 * f->still / f->speed;
    return flow_slip_along(el, &f->w->state[e], u) / f->speed + slack;
}

double flow_largest_force(const flow *f)
{
    double largest = 0.0;
    for (int k = 0; k < f->p.row_count; ++k) {
        largest = fmax(largest, fabs(f->w->margin_force[k]));
    }
    return largest;
}

double flow_smallest_margin(const flow *f, double *y)
{
    double least = HUGE_VAL;
    double force = flow_largest_force(f);
    for (int c = 0; c < f->p.contact_count; ++c) {
        least = fmin(least, f->mode == FLOW_STOPPING ? stopping_margin(f, c) : contact_margin(f, y, c));
    }
    for (int e = 0; e < f->p.element_count; ++e) {
        if (f->w->state[e].mode == FRICTION_SLIP) {
            least = fmin(least, slip_margin(f, y, e));
        } else if (f->w->state[e].mode == FRICTION_STICK && f->w->watched[e] && !f->w->held[e]) {
            least = fmin(least, flow_cone_margin(f, e, force));
        }
    }
    return least;
}
