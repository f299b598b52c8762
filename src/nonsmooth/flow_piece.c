/* Impacts at several contacts: who sticks and who slips at the beginning of a piece, and impulses that bring to
 * rest what is to hold. */
#include <math.h>
#include <string.h>

#include "linalg/dense.h"
#include "nonsmooth/flow_parts.h"

static const double ROUNDING = 1e-14; /* of velocities, relative */
static const double CREEPS = 1e-5;    /* slip that has just begun, relative to the largest velocity */

/* Takes part, and rests but for rounding (or is to hold after it has crept). */
static bool at_rest(const flow *f, int e)
{
    friction_mode mode = f->w->state[e].mode;
    if (mode == FRICTION_NONE || f->w->creeping[e]) {
        return mode == FRICTION_STICK;
    }
    return flow_slip_norm(&f->p.elements[e], flow_speed(f, f->w->y)) <= 2.0 * f->still;
}

/* Rows of elements that are at rest, or are to be. */
static int rows_at_rest(flow *f, int stop)
{
    int count = 0;
    for (int e = 0; e < f->p.element_count; ++e) {
        const friction_element *el = &f->p.elements[e];
        for (int d = 0; (at_rest(f, e) || f->w->held[e] || e == stop) && d < el->dim; ++d) {
            f->w->index[count++] = el->first_row + d;
        }
    }
    return count;
}

/* An impulse along the rows listed brings them to rest: kinetic energy is lost, never gained. */
static void lock_rows(flow *f, int count)
{
    struct strike_all_work *w = f->w;
    size_t rows = (size_t)f->p.row_count;
    for (int k = 0; k < count; ++k) {
        for (int l = 0; l < count; ++l) {
            w->matrix[k * count + l] = f->p.D[(size_t)w->index[k] * rows + (size_t)w->index[l]];
        }
        w->right[k] = -flow_speed(f, w->y)[w->index[k]];
    }
    dense_solve(w->matrix, w->right, count, 1e-11, w->scratch);
    for (int k = 0; k < count; ++k) {
        flow_impulse(f, w->y)[w->index[k]] += w->right[k];
    }
    flow_fit_speeds(f, w->y);
}

void flow_hold(flow *f, int element)
{
    f->w->held[element] = true;
    f->w->elements[element].mu = 1e12; /* for rest_choose: holds whatever it takes */
    f->out->jammed = f->out->jammed < 0 ? element : f->out->jammed;
    lock_rows(f, rows_at_rest(f, element));
    f->fresh = true;
}

void flow_stop_vanished(flow *f)
{
    double left = 0.0;
    for (int e = 0; e < f->p.element_count; ++e) {
        left = fmax(left, at_rest(f, e) ? flow_slip_norm(&f->p.elements[e], flow_speed(f, f->w->y)) : 0.0);
    }
    if (left > ROUNDING * f->speed) {
        lock_rows(f, rows_at_rest(f, -1));
    }
}

static bool choose_stopping(flow *f, strike_outcome *outcome)
{
    struct strike_all_work *w = f->w;
    rest_answer a;
    rest_outcome rest = rest_choose(w->rest, &f->stopping, flow_speed(f, w->y), f->still, &a);
    if (rest == REST_JAM && a.culprit >= 0 && !w->held[a.culprit]) {
        flow_hold(f, a.culprit);
        return false;
    }
    *outcome = rest == REST_OK ? STRIKE_OK : STRIKE_INCONSISTENT;
    f->until = a.culprit;
    memcpy(w->closed, a.closed, (size_t)f->p.contact_count * sizeof(bool));
    memcpy(w->state, a.state, (size_t)f->p.element_count * sizeof(friction_state));
    return true;
}

static bool choose_friction(flow *f, strike_outcome *outcome)
{
    struct strike_all_work *w = f->w;
    friction_answer a;
    flow_show_speeds(f, w->y, false);
    friction_outcome friction = friction_choose(f->friction, &f->p, w->shown, f->still, w->normal, w->held, &a);
    if (friction == FRICTION_JAM && a.jammed >= 0 && !w->held[a.jammed]) {
        flow_hold(f, a.jammed);
        return false;
    }
    *outcome = friction == FRICTION_OK ? STRIKE_OK : STRIKE_INCONSISTENT;
    memcpy(w->state, a.state, (size_t)f->p.element_count * sizeof(friction_state));
    memcpy(w->margin_rate, a.rate, (size_t)f->p.row_count * sizeof(double));
    memcpy(w->margin_force, a.force, (size_t)f->p.row_count * sizeof(double));
    return true;
}

/* Friction of contacts that carry nothing is none. */
static void drop_idle_elements(flow *f)
{
    for (int e = 0; e < f->p.element_count; ++e) {
        int contact = f->p.elements[e].contact;
        bool idle = contact >= 0 && f->mode == FLOW_GIVEN && f->w->normal[contact] == 0.0;
        if (idle) {
            f->w->state[e] = (friction_state){ .mode = FRICTION_NONE };
        }
    }
}

/* What is to hold now, or begins to slip, does so from rest. */
static void settle(flow *f)
{
    flow_stop_vanished(f);
    for (int e = 0; e < f->p.element_count; ++e) {
        f->w->creeping[e] = f->w->creeping[e] && f->w->state[e].mode == FRICTION_SLIP;
    }
}

void flow_find_motion(flow *f)
{
    const double *u = flow_speed(f, f->w->y);
    f->turning = false;
    for (int e = 0; e < f->p.element_count; ++e) {
        const friction_element *el = &f->p.elements[e];
        bool slips = f->w->state[e].mode == FRICTION_SLIP;
        double speed = flow_slip_norm(el, u);
        f->w->creeping[e] = f->mode != FLOW_STOPPING && slips && el->dim > 1 && speed <= CREEPS * f->speed &&
                            (f->w->creeping[e] || speed <= f->still);
        f->w->moving[e] = slips && speed > f->still;
        double rate = flow_slip_norm(el, f->w->margin_rate);
        f->w->straight[e] = el->dim == 1 ||
                            (slips && flow_slip_across(el, &f->w->state[e], f->w->margin_rate) <= 1e-13 * rate);
        f->turning = f->turning || (slips && !f->w->straight[e]);
    }
}

static void watch_cones(flow *f)
{
    double force = flow_largest_force(f);
    for (int e = 0; e < f->p.element_count; ++e) {
        f->w->watched[e] = f->w->state[e].mode == FRICTION_STICK && flow_cone_margin(f, e, force) > 0.0;
    }
}

/* Slopes at the beginning of a piece; joints that jam lock. */
static bool first_slope(flow *f)
{
    for (int e = 0; e < f->p.element_count; ++e) {
        f->w->straight[e] = false;
    }
    if (!flow_find_slope(f, f->w->y, f->w->slope)) {
        if (f->jams >= 0 && !f->w->held[f->jams]) {
            flow_hold(f, f->jams);
        }
        return false;
    }
    flow_find_motion(f);
    watch_cones(f);
    f->margin = flow_smallest_margin(f, f->w->y);
    return true;
}

strike_outcome flow_begin_piece(flow *f)
{
    for (int attempt = 0; attempt <= 2 * f->p.element_count + 1; ++attempt) {
        strike_outcome outcome = STRIKE_OK;
        f->fresh = false;
        if (!(f->mode == FLOW_STOPPING ? choose_stopping(f, &outcome) : choose_friction(f, &outcome))) {
            continue;
        }
        if (outcome != STRIKE_OK) {
            return outcome;
        }
        drop_idle_elements(f);
        settle(f);
        if (first_slope(f)) {
            return STRIKE_OK;
        }
    }
    return STRIKE_INCONSISTENT;
}
