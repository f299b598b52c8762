/* A step of an impact in which slip directions turn, integrated part by part until something happens (turn.h). */
#include <string.h>

#include "base/stop.h"
#include "nonsmooth/turn.h"

enum {
    TURN_PARTS = 400,  /* of one integration */
    WIDEN_AFTER = 100, /* parts until the limits of slow slip are widened */
};

/* A direction does not turn when the rate across it is rounding of the sums that make it. */
static const double straight = 1e-13;
/* An event function beyond this where a part begins has its event there: a hundred times what events are located to. */
static const double already = 1e-12;
/* Length (in tau) of the first part: directions turn by a quarter at the most. */
static const double first_length = 0.25;
/* Parts as short as this are taken whatever their error, which is that of rates not smooth at one place. */
static const double short_enough = 1e-9;
/* Parts shorter than this (in tau) into a jam do not matter: it begins here. */
static const double shortest = 1e-10;

/* ---- whether anything turns ---- */

/* Part of an element's slip rate that is across its slip. */
static double rate_across(const stroke *s, const friction_answer *a, int i)
{
    const friction_element *e = &s->p->elements[i];
    const double *rate = a->rate + e->first_row, *direction = a->state[i].direction;
    double along = 0.0, square = 0.0;
    for (int d = 0; d < e->dim; ++d) {
        along += rate[d] * direction[d];
    }
    for (int d = 0; d < e->dim; ++d) {
        double across = rate[d] - along * direction[d];
        square += across * across;
    }
    return sqrt(square);
}

static bool turns(const stroke *s, const friction_answer *a, int i)
{
    const friction_element *e = &s->p->elements[i];
    bool pushes = slip_norm(e, a->force) > straight;
    return pushes && rate_across(s, a, i) > straight * turn_gain(s, i);
}

bool stroke_turns(const stroke *s, const friction_answer *a)
{
    for (int i = 0; i < s->p->element_count; ++i) {
        bool may_turn = s->p->elements[i].dim > 1 && a->state[i].mode == FRICTION_SLIP && slip_speed(s, i) > s->still;
        if (may_turn && turns(s, a, i)) {
            return true;
        }
    }
    return false;
}

/* ---- parts ---- */

/* The slope where a part begins, w->slope, with the signs there; false: joints jam. */
static bool begin_part(stroke *s, bool widen)
{
    friction_answer a;
    double sigma;
    bool known = turn_rates(s, s->w->y, true, &a, &sigma) && a.regularity > 0.0;
    if (known && widen) {
        turn_widen_limits(s);
        turn_find_creeping(s, a.rate);
        known = turn_rates(s, s->w->y, true, &a, &sigma) && a.regularity > 0.0;
    }
    if (!known) {
        return false;
    }
    turn_remember(s, &a);
    turn_set_slope(s, &a, sigma, s->w->slope);
    turn_find_signs(s, &a);
    return true;
}

/* A part of length *h, or of less up to the next event, to w->y_new; *h becomes the next length. False: it has to be tried
 * again with that. */
static bool take_part(stroke *s, double *h, turn_events *events)
{
    turn_size size = turn_extrapolate(s, *h);
    double tried = *h, before = events->worst;
    *h = size.next;
    if (size.error > turn_tolerance && tried > (isfinite(size.error) ? short_enough : shortest)) {
        return false;
    }
    turn_events after = isfinite(size.error) ? turn_look(s, s->w->y_new) : turn_jam(-1);
    if (after.worst == HUGE_VAL && tried > shortest) {
        *h = 0.25 * tried;
        return false;
    }
    bool happened = after.worst > 0.0;
    if (happened && before > already) {
        memcpy(s->w->y_new, s->w->y, (size_t)(s->p->row_count + 1) * sizeof(double));
    } else {
        *events = happened ? turn_locate(s, tried, after, before) : after;
    }
    events->happened = happened;
    return true;
}

/* What is the case at the beginning. An event there may be one of creeping only: that a stuck element could not hold,
 * which friction_choose, who knows nothing of that, has just let hold. */
static turn_events look_first(stroke *s)
{
    turn_events events = turn_look(s, s->w->y);
    return events.worst > -already && turn_drop_creeping(s) ? turn_look(s, s->w->y) : events;
}

static turn_events end_in_jam(int joint)
{
    turn_events events = turn_jam(joint);
    events.happened = true;
    return events;
}

/* Beyond the kink of a load component: what is the case there. Where loads have no solution on the other side the joint
 * that the component belongs to jams. */
static turn_events pass_kink(stroke *s, int component)
{
    turn_change_signs(s, component);
    turn_events events = turn_look(s, s->w->y);
    bool jams = events.which == TURN_JAM && events.worst > 0.0;
    return jams ? end_in_jam(turn_joint_of(s, component)) : events;
}

/* Whether a jam may be one of creeping only, whose directions have not been found: then w->y is gone on from without. */
static bool go_on_without_creeping(stroke *s)
{
    bool any = turn_let_creeping_go(s);
    if (any) {
        turn_go_back(s);
    }
    return any;
}

/* Goes on from the end of a part, w->y, to the next; false: something has happened that ends the step. */
static bool continue_from(stroke *s, turn_events *events)
{
    if (events->happened && events->which == TURN_JAM && go_on_without_creeping(s)) {
        *events = turn_look(s, s->w->y);
        return true;
    }
    bool kink = events->happened && events->which == TURN_KINK;
    if ((events->happened && !kink) || events->vanished || !events->turning) {
        return false;
    }
    if (kink) {
        *events = pass_kink(s, events->who);
    }
    turn_find_speed(s, s->w->y);
    turn_find_creeping(s, NULL);
    return !events->happened;
}

/* Part after part until something happens; y then in w->y. */
static turn_events integrate(stroke *s)
{
    strike_work *w = s->w;
    turn_events events = look_first(s);
    double h = first_length;
    for (int k = 0; k < TURN_PARTS && !carom_stop_asked(s->p->stop); ++k) {
        ++s->turn_steps;
        if (!begin_part(s, k % WIDEN_AFTER == WIDEN_AFTER - 1)) {
            if (k > 0 && go_on_without_creeping(s)) {
                continue;
            }
            return end_in_jam(-1);
        }
        if (!take_part(s, &h, &events)) {
            turn_go_back(s);
            continue;
        }
        memcpy(w->y, w->y_new, (size_t)(s->p->row_count + 1) * sizeof(double));
        if (!continue_from(s, &events)) {
            return events;
        }
    }
    return events;
}

/* ---- the step ---- */

/* The joint that jams at w->y, or just beyond, where the slope is w->slope. */
static int find_jamming_joint(stroke *s)
{
    strike_work *w = s->w;
    friction_answer a;
    double sigma;
    if (!turn_rates(s, w->y, true, &a, &sigma)) {
        return a.jammed;
    }
    if (a.regularity <= 2.0 * turn_folded) {
        return friction_weakest(w->friction, s->p, w->sign);
    }
    for (int k = 0; k <= s->p->row_count; ++k) {
        w->y_new[k] = w->y[k] + 100.0 * shortest * w->slope[k];
    }
    if (!turn_rates(s, w->y_new, false, &a, &sigma)) {
        return a.jammed;
    }
    return turn_rates(s, w->y, true, &a, &sigma) ? friction_weakest(w->friction, s->p, w->sign) : a.jammed;
}

static void begin_turning(stroke *s)
{
    strike_work *w = s->w;
    memset(w->y, 0, (size_t)(s->p->row_count + 1) * sizeof(double));
    memset(w->sign, 0, (size_t)s->p->load_count * sizeof(double));
    memcpy(w->turned, w->state, (size_t)s->p->element_count * sizeof(friction_state));
    turn_set_limits(s);
    turn_find_speed(s, w->y);
    turn_find_creeping(s, NULL);
}

/* Elements whose slip has gone at w->y: w->stop; the joint that jams there: jams_next. Where slip has all but gone its
 * direction is known too badly for kinks of loads to be located: it is that which ends then, and no joint jams. */
static void find_who_stops(stroke *s, const turn_events *events)
{
    bool jams = events->happened && events->which == TURN_JAM;
    s->jams_next = !jams ? -1 : events->who >= 0 ? events->who : find_jamming_joint(s);
    memset(s->w->stop, 0, (size_t)s->p->element_count * sizeof(bool));
    turn_look(s, s->w->y);
    if (s->jams_next >= 0 && turn_stop_slow(s)) {
        s->jams_next = -1;
    }
    if (events->vanished) {
        turn_stop_together(s);
    }
    if (events->happened && events->which == TURN_STOP) {
        s->w->stop[events->who] = true;
        s->stops_again = events->who;
    }
}

double stroke_turn(stroke *s)
{
    begin_turning(s);
    turn_events events = integrate(s);
    find_who_stops(s, &events);
    s->finished = events.happened && events.which == TURN_END;
    s->going_on = !events.happened && !events.vanished;
    memcpy(s->w->impulse, s->w->y, (size_t)s->p->row_count * sizeof(double));
    return s->w->y[s->p->row_count];
}
