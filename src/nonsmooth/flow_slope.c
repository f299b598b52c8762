/* Impacts at several contacts: how fast impulses and velocities change at a point of the way. Within a piece
 * everything that could jump is frozen, so that slopes are smooth even beyond its end. */
#include <math.h>
#include <string.h>

#include "nonsmooth/flow_parts.h"

/* ---- y ------------------------------------------------------------------------------------------------------------ */

double *flow_impulse(const flow *f, double *y)
{
    (void)f;
    return y;
}

double *flow_speed(const flow *f, double *y)
{
    return y + f->p.row_count;
}

double *flow_depth(const flow *f, double *y)
{
    return y + 2 * f->p.row_count;
}

double *flow_compression(const flow *f, double *y)
{
    return y + 2 * f->p.row_count + f->p.contact_count;
}

double *flow_work(const flow *f, double *y)
{
    return y + 2 * f->p.row_count + 2 * f->p.contact_count;
}

double *flow_parameter(const flow *f, double *y)
{
    return flow_work(f, y) + 1;
}

double flow_slip_norm(const friction_element *el, const double *rows)
{
    double sum = 0.0;
    for (int d = 0; d < el->dim; ++d) {
        sum += rows[el->first_row + d] * rows[el->first_row + d];
    }
    return sqrt(sum);
}

double flow_slip_along(const friction_element *el, const friction_state *state, const double *rows)
{
    double sum = 0.0;
    for (int d = 0; d < el->dim; ++d) {
        sum += state->direction[d] * rows[el->first_row + d];
    }
    return sum;
}

double flow_slip_across(const friction_element *el, const friction_state *state, const double *rows)
{
    double along = flow_slip_along(el, state, rows);
    double sum = 0.0;
    for (int d = 0; d < el->dim; ++d) {
        double across = rows[el->first_row + d] - along * state->direction[d];
        sum += across * across;
    }
    return sqrt(sum);
}

void flow_fit_speeds(const flow *f, double *y)
{
    int rows = f->p.row_count;
    const double *J = flow_impulse(f, y);
    double *u = flow_speed(f, y);
    for (int k = 0; k < rows; ++k) {
        double sum = 0.0;
        for (int l = 0; l < rows; ++l) {
            sum += f->p.D[(size_t)k * (size_t)rows + (size_t)l] * J[l];
        }
        u[k] = f->w->u0[k] + sum;
    }
}

/* ---- slopes ------------------------------------------------------------------------------------------------------- */

static void turn_directions(const flow *f, const double *u)
{
    for (int e = 0; e < f->p.element_count; ++e) {
        const friction_element *el = &f->p.elements[e];
        friction_state *state = &f->w->state[e];
        if (el->dim == 1 || state->mode != FRICTION_SLIP || f->w->straight[e] || f->w->creeping[e]) {
            continue;
        }
        double speed = flow_slip_norm(el, u);
        for (int d = 0; speed > f->still && d < el->dim; ++d) {
            state->direction[d] = u[el->first_row + d] / speed;
        }
    }
}

static bool some_creep(const flow *f)
{
    for (int e = 0; e < f->p.element_count; ++e) {
        if (f->w->creeping[e] && f->w->state[e].mode == FRICTION_SLIP) {
            return true;
        }
    }
    return false;
}

void flow_show_speeds(const flow *f, double *y, bool frozen)
{
    memcpy(f->w->shown, flow_speed(f, y), (size_t)f->p.row_count * sizeof(double));
    for (int e = 0; e < f->p.element_count; ++e) {
        const friction_element *el = &f->p.elements[e];
        bool goes_on = frozen && f->w->moving[e] && f->w->straight[e] && f->w->state[e].mode == FRICTION_SLIP;
        for (int d = 0; (f->w->creeping[e] || goes_on) && d < el->dim; ++d) {
            f->w->shown[el->first_row + d] = f->w->creeping[e] ? 0.0 : f->speed * f->w->state[e].direction[d];
        }
    }
}

/* Directions of creeping elements from their accelerations: found by friction_choose. */
static friction_outcome choose_creeping(flow *f, double *y, friction_answer *a)
{
    flow_show_speeds(f, y, true);
    friction_outcome outcome = friction_choose(f->friction, &f->p, f->w->shown, f->still, f->w->normal, f->w->held,
                                               a);
    for (int e = 0; outcome == FRICTION_OK && e < f->p.element_count; ++e) {
        if (f->w->creeping[e] && a->state[e].mode == FRICTION_SLIP && f->w->state[e].mode == FRICTION_SLIP) {
            f->w->state[e] = a->state[e];
        }
    }
    return outcome;
}

/* Forces and rates at y, kept in the margins' arrays. False: joints jam. */
static bool find_forces(flow *f, double *y)
{
    struct strike_all_work *w = f->w;
    size_t rows = (size_t)f->p.row_count;
    turn_directions(f, flow_speed(f, y));
    if (f->mode == FLOW_STOPPING) {
        rest_answer a;
        rest_outcome outcome = rest_rates(w->rest, &f->stopping, w->closed, w->state, NULL, &a);
        f->jams = outcome == REST_OK ? -1 : a.culprit;
        memcpy(w->margin_force, a.force, rows * sizeof(double));
        memcpy(w->margin_load, a.load, (size_t)f->p.element_count * sizeof(double));
        for (size_t k = 0; k < rows; ++k) {
            w->margin_rate[k] = a.rate[k] - w->bias[k];
        }
        return outcome == REST_OK;
    }
    friction_answer a;
    friction_outcome outcome = some_creep(f) ? choose_creeping(f, y, &a)
                                             : friction_rates(f->friction, &f->p, w->state, w->normal, &a);
    f->jams = outcome == FRICTION_OK ? -1 : a.jammed;
    memcpy(w->margin_force, a.force, rows * sizeof(double));
    memcpy(w->margin_rate, a.rate, rows * sizeof(double));
    memcpy(w->margin_load, a.load, (size_t)f->p.element_count * sizeof(double));
    return outcome == FRICTION_OK;
}

bool flow_find_slope(flow *f, double *y, double *slope)
{
    if (!find_forces(f, y)) {
        return false;
    }
    const double *u = flow_speed(f, y);
    const double *force = f->w->margin_force;
    memcpy(flow_impulse(f, slope), force, (size_t)f->p.row_count * sizeof(double));
    memcpy(flow_speed(f, slope), f->w->margin_rate, (size_t)f->p.row_count * sizeof(double));
    double power = 0.0;
    for (int c = 0; c < f->p.contact_count; ++c) {
        bool loads = f->mode == FLOW_STOPPING || f->until >= 0;
        flow_depth(f, slope)[c] = 0.0;
        flow_compression(f, slope)[c] = loads ? force[c] : 0.0;
        power += force[c] * u[c];
    }
    *flow_work(f, slope) = power;
    *flow_parameter(f, slope) = 1.0;
    return true;
}
