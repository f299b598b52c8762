/* What has happened at given impulses of the integration (turn.h): event functions, scaled to order one. */
#include "nonsmooth/turn.h"

/* Rates against the direction of creeping (relative to kappa), and forces beyond a cone, that count: well beyond the slack
 * of friction_choose, which must see that an element cannot hold, and see it start. */
static const double beyond = 1e-9;
/* Restitution may begin with an approach that is rounding: ten times what the end of compression leaves. */
static const double begins_apart = 1e-11;
/* Slip that began from rest may go back by this part of what counts as none. */
static const double backwards_by_rounding = 0.5;

turn_events turn_jam(int joint)
{
    return (turn_events){ .worst = HUGE_VAL, .which = TURN_JAM, .who = joint };
}

void turn_notice(turn_events *events, double value, turn_event which, int who)
{
    if (value > events->worst) {
        events->worst = value;
        events->which = which;
        events->who = who;
    }
}

/* By how much stuck elements exceed their cones, relative. */
static void check_cones(stroke *s, const friction_answer *a, turn_events *events)
{
    for (int i = 0; i < s->p->element_count; ++i) {
        const friction_element *e = &s->p->elements[i];
        if (s->w->state[i].mode == FRICTION_STICK && !s->w->held[i]) {
            double bound = e->mu * a->load[i] * (1.0 + beyond);
            turn_notice(events, slip_norm(e, a->force) - bound - beyond * (1.0 + e->mu), TURN_STATE, -1);
        }
    }
}

/* A slip in one dimension has gone past zero; one that began from rest may do so by rounding. */
static void check_slip_in_line(const stroke *s, int i, turn_events *events)
{
    double backwards = -s->w->speed[s->p->elements[i].first_row] * s->w->state[i].direction[0];
    double none = stroke_moves(s, i) ? 0.0 : backwards_by_rounding * s->still;
    turn_notice(events, (backwards - none) / s->speed_scale, TURN_STATE, -1);
}

/* Rate of an element's slip along its direction. */
static double rate_along(const stroke *s, const friction_answer *a, int i)
{
    const friction_element *e = &s->p->elements[i];
    double along = 0.0;
    for (int d = 0; d < e->dim; ++d) {
        along += a->rate[e->first_row + d] * a->state[i].direction[d];
    }
    return along;
}

/* A creeping element stops again; another one has gone. */
static void check_turning_slip(stroke *s, const friction_answer *a, int i, turn_events *events)
{
    double along = rate_along(s, a, i);
    if (s->w->creeps[i]) {
        turn_notice(events, -along / turn_gain(s, i) - beyond, TURN_STOP, i);
        events->turning = true;
    } else {
        s->w->stop[i] = turn_slip(s, i) <= s->gone_limit && along < 0.0;
    }
    events->vanished = events->vanished || s->w->stop[i];
}

static void check_slips(stroke *s, const friction_answer *a, turn_events *events)
{
    events->turning = stroke_turns(s, a);
    for (int i = 0; i < s->p->element_count; ++i) {
        s->w->stop[i] = false;
        if (s->w->state[i].mode != FRICTION_SLIP) {
            continue;
        }
        if (s->p->elements[i].dim == 1) {
            check_slip_in_line(s, i, events);
        } else {
            check_turning_slip(s, a, i, events);
        }
    }
}

/* The impact ends by its law; compression or restitution is over. */
static void check_end(stroke *s, const double *y, turn_events *events)
{
    double speed = s->w->speed[s->contact] / s->speed_scale, impulse = stroke_remaining_impulse(s);
    if (isfinite(impulse)) {
        turn_notice(events, (y[s->contact] - impulse) * s->own_answer / s->speed_scale, TURN_END, -1);
    }
    double work = stroke_remaining_work(s);
    if (isfinite(work)) {
        double scale = s->speed_scale * s->speed_scale;
        turn_notice(events, (y[s->p->row_count] - work) * s->own_answer / scale, TURN_END, -1);
    }
    if (s->restitution && s->def->law == STRIKE_NEWTON && !stroke_is_prescribed(s)) {
        turn_notice(events, (s->w->speed[s->contact] - s->target) / s->speed_scale, TURN_END, -1);
    }
    turn_notice(events, s->restitution ? -speed - begins_apart : speed, TURN_STATE, -1);
}

turn_events turn_look(stroke *s, const double *y)
{
    turn_events events = { .worst = -HUGE_VAL, .who = -1 };
    friction_answer a;
    double sigma;
    if (!turn_rates(s, y, true, &a, &sigma)) {
        return turn_jam(-1);
    }
    check_cones(s, &a, &events);
    check_slips(s, &a, &events);
    turn_check_signs(s, &a, &events);
    check_end(s, y, &events);
    turn_notice(&events, turn_folded - a.regularity, TURN_JAM, -1);
    return events;
}
