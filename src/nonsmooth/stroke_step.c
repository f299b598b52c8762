/* Steps of constant rates [paper 5]: while nobody begins or ends to slip and no slip turns, all velocities are
 * linear in the normal impulse P, so that a step goes straight to the next event: a slip vanishes, compression ends (the
 * normal velocity vanishes), the impact ends by its law. */
#include <string.h>

#include "nonsmooth/stroke.h"

/* A rate below this, relative to what the forces could do, is none (everything locked: zero but for rounding, of either
 * sign): forces of stuck elements solve systems with a condition of 1e4 and more, which leaves 1e-11 or so of a rate. */
static const double still_rate = 1e-10;
/* Slip whose rate is this nearly against it (1 - cos^2) goes to zero and not past it: slip and rate have stepped along one
 * line, from which rounding of 1e-16 of the largest velocity has moved them when slip is down to 1e-11 of that. */
static const double straight = 1e-10;
/* Slips that vanish within this part of the step do so at the same time: they differ by rounding of the lengths alone. */
static const double same_length = 1e-14;

/* |D_kl| is at most sqrt(D_kk D_ll), and this bound serves for rows that do not feel the forces at all, too. */
void stroke_find_strength(stroke *s)
{
    int rows = s->p->row_count;
    s->strength = 0.0;
    for (int k = 0; k < rows; ++k) {
        if (s->a.force[k] != 0.0) {
            s->strength += fabs(s->a.force[k]) * sqrt(fmax(0.0, s->p->D[k * rows + k]));
        }
    }
}

/* Rate of a row, none where it is rounding. */
static double clear_rate(const stroke *s, int k)
{
    double rate = s->a.rate[k], none = still_rate * s->strength;
    return rate * rate <= none * none * s->p->D[k * (s->p->row_count + 1)] ? 0.0 : rate;
}

double stroke_normal_rate(const stroke *s)
{
    return clear_rate(s, s->contact);
}

double stroke_remaining_impulse(const stroke *s)
{
    if (stroke_is_prescribed(s)) {
        return fmax(0.0, s->def->impulse - s->P);
    }
    return s->restitution && s->def->law == STRIKE_POISSON ? fmax(0.0, s->def->restitution * s->stored) : HUGE_VAL;
}

double stroke_remaining_work(const stroke *s)
{
    if (stroke_is_prescribed(s) || !s->restitution || s->def->law != STRIKE_ENERGETIC) {
        return HUGE_VAL;
    }
    return fmax(0.0, s->def->restitution * s->def->restitution * s->stored);
}

/* dP until the slip of a moving element vanishes; HUGE_VAL: it does not. */
static double until_slip_ends(const stroke *s, int i)
{
    const friction_element *e = &s->p->elements[i];
    if (!stroke_moves(s, i)) {
        return HUGE_VAL;
    }
    double along = 0.0, rate_square = 0.0, speed = slip_speed(s, i);
    for (int d = 0; d < e->dim; ++d) {
        double rate = clear_rate(s, e->first_row + d);
        along += s->u[e->first_row + d] / speed * rate;
        rate_square += rate * rate;
    }
    /* Without load a slip may pass by zero: it does not turn what does not push. */
    bool ends = e->dim == 1 || along * along >= (1.0 - straight) * rate_square;
    return along < 0.0 && ends ? -speed / along : HUGE_VAL;
}

/* dP until the work of the normal is `work` (vn dP + vn' dP^2 / 2 = work), in restitution. Where everything is locked there
 * is no more work to be had: vn is what is left of a slip that was stopped. */
static double until_work(const stroke *s, double work)
{
    double speed = fmax(0.0, stroke_normal_speed(s)), rate = stroke_normal_rate(s);
    double square = speed * speed + 2.0 * rate * work;
    bool locked = rate == 0.0 && speed <= s->still;
    if (!isfinite(work) || square < 0.0 || locked) {
        return HUGE_VAL;
    }
    double sum = speed + sqrt(square);
    return sum > 0.0 ? 2.0 * work / sum : HUGE_VAL;
}

/* dP until the impact ends by its law. */
static double until_end(const stroke *s)
{
    if (s->restitution && s->def->law == STRIKE_NEWTON && !stroke_is_prescribed(s)) {
        double rate = stroke_normal_rate(s);
        return rate > 0.0 ? fmax(0.0, (s->target - stroke_normal_speed(s)) / rate) : HUGE_VAL;
    }
    return fmin(stroke_remaining_impulse(s), until_work(s, stroke_remaining_work(s)));
}

/* dP until the normal velocity vanishes. */
static double until_phase_ends(const stroke *s)
{
    double speed = stroke_normal_speed(s), rate = stroke_normal_rate(s);
    if (s->restitution ? rate < 0.0 && speed > 0.0 : rate > 0.0 && speed < 0.0) {
        return -speed / rate;
    }
    return HUGE_VAL;
}

double stroke_next_event(stroke *s)
{
    double dP = until_phase_ends(s), *until_slip = s->w->until_slip;
    for (int i = 0; i < s->p->element_count; ++i) {
        until_slip[i] = until_slip_ends(s, i);
        dP = fmin(dP, until_slip[i]);
    }
    double end = until_end(s);
    s->finished = end <= dP;
    dP = fmin(dP, end);
    for (int i = 0; i < s->p->element_count; ++i) {
        s->w->stop[i] = isfinite(dP) && until_slip[i] <= dP * (1.0 + same_length);
    }
    return dP;
}

void stroke_step(stroke *s, double dP)
{
    int rows = s->p->row_count;
    double work = 0.0;
    memcpy(s->w->before, s->u, (size_t)rows * sizeof(double));
    for (int k = 0; k < rows; ++k) {
        double after = s->u[k] + s->a.rate[k] * dP;
        double part = 0.5 * s->a.force[k] * dP * (s->u[k] + after);
        s->out->work_friction += k == s->contact ? 0.0 : part;
        work += k == s->contact ? part : 0.0;
        s->out->impulse[k] += s->a.force[k] * dP;
        s->u[k] = after;
    }
    stroke_store(s, dP, work);
    stroke_record(s);
    s->going_on = false;
}
