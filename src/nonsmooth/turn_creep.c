/* Slip that begins slowly, and slip that has all but gone (turn.h).
 *
 * Slip that begins from rest (a stuck element whose cone is exceeded little by little) is stiff: its direction relaxes
 * within an impulse of |slip| / kappa to that of its rate, while |slip| grows only with the square of the impulse. As long
 * as it is below a limit such an element creeps: its direction is that of its rate (friction_follow). Directions err by
 * |slip| du/dP / kappa then, velocities by the limit to the power 3/2. */
#include "nonsmooth/turn.h"

/* Slip that began from rest creeps up to this, relative to the largest velocity: which errs by 3e-8. */
static const double creeping = 1e-5;
/* Limits are widened tenfold, up to these, where the integration goes on and on: creeping then errs by 3e-5. Slip that goes
 * down very slowly is stopped at 1e-7 at the latest, where its direction is known to 1e-9 still: below, noise of directions
 * may decide what happens next. */
static const double wider = 10.0;
static const double creeping_at_most = 1e-3;
static const double vanished_at_most = 1e-7;
/* Slips that go to zero together do so in proportion: when one is below the limit, so are the others but for this factor. */
static const double together = 10.0;

void turn_set_limits(stroke *s)
{
    s->creep_limit = fmax(s->creep_limit, creeping * s->speed_scale);
    s->gone_limit = fmax(s->gone_limit, turn_vanished * s->speed_scale);
}

void turn_widen_limits(stroke *s)
{
    s->creep_limit = fmin(wider * s->creep_limit, creeping_at_most * s->speed_scale);
    s->gone_limit = fmin(wider * s->gone_limit, vanished_at_most * s->speed_scale);
    s->out->asked = pow(creeping, 1.5);
    s->out->accuracy = pow(s->creep_limit / s->speed_scale, 1.5);
}

void turn_find_creeping(stroke *s, const double *rate)
{
    for (int i = 0; i < s->p->element_count; ++i) {
        double speed = turn_slip(s, i);
        bool grows = rate && turn_growth(s, i, rate) > 0.0 && speed > s->gone_limit;
        bool began = s->w->creeps[i] || speed <= s->still || grows;
        bool turns = s->p->elements[i].dim > 1 && s->w->state[i].mode == FRICTION_SLIP;
        s->w->creeps[i] = turns && began && speed <= s->creep_limit;
    }
}

bool turn_drop_creeping(stroke *s)
{
    bool any = false;
    for (int i = 0; i < s->p->element_count; ++i) {
        bool drops = s->w->creeps[i] && stroke_moves(s, i);
        any = any || drops;
        s->w->creeps[i] = s->w->creeps[i] && !drops;
    }
    return any;
}

bool turn_let_creeping_go(stroke *s)
{
    bool any = false;
    turn_find_speed(s, s->w->y);
    for (int i = 0; i < s->p->element_count; ++i) {
        bool goes = s->w->creeps[i] && turn_slip(s, i) > s->gone_limit;
        any = any || goes;
        s->w->creeps[i] = s->w->creeps[i] && !goes;
    }
    return any;
}

static bool stop_below(stroke *s, double limit)
{
    bool any = false;
    friction_answer a;
    double sigma;
    if (!turn_rates(s, s->w->y, false, &a, &sigma)) {
        return false;
    }
    for (int i = 0; i < s->p->element_count; ++i) {
        bool slips = s->w->turned[i].mode == FRICTION_SLIP && !s->w->creeps[i];
        bool slow = slips && turn_slip(s, i) <= limit && turn_growth(s, i, a.rate) < 0.0;
        s->w->stop[i] = s->w->stop[i] || slow;
        any = any || slow;
    }
    return any;
}

bool turn_stop_together(stroke *s)
{
    return stop_below(s, together * s->gone_limit);
}

bool turn_stop_slow(stroke *s)
{
    return stop_below(s, vanished_at_most * s->speed_scale);
}
