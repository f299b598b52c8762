/* Impacts at several contacts [spec 4.5]. Rigid bodies alone do not say what happens; three rules do.
 *
 * Energy sharing: every contact has a compression d >= 0 and pushes with F = k d^eta, d' = -vn while it approaches and
 * -vn/e^2 while it parts, so that it gives back e^2 of the energy that it took; only ratios of stiffness matter. Contacts at
 * rest take part when they are pressed; what is pressed again is compressed again. For e = 0 the energy of a contact is
 * dropped when vn vanishes. What is left at the end, below all accuracy, is stopped as in the next rule.
 *
 * Together (Poisson, two phases): compression brings all contacts to rest that approach, 0 <= P _|_ vn + A P >= 0, along a
 * straight way that is cut where slip vanishes or turns; expansion gives e P back in the same proportions, and whatever
 * approaches then is stopped again. Without friction the energy cannot grow, whatever the e: stopping minimises
 * P.vn + P.A.P/2 over all P >= e P_c, and P_c is one of them. With friction it may; then all e are reduced in the same
 * proportion until it does not. Where friction turns the response around (Painleve) a contact that approaches is pushed
 * until its slip has gone, as stepping in the impulse would do.
 *
 * Both go event by event where friction is that of a line, or of one plane; with friction in the planes of several contacts,
 * or where no state of friction fits, they go in steps (strike_steps.h): who holds and who slips follows from a convex problem
 * in each, and there is always an answer. Sharing has errors of 1e-8 to 1e-5 then, by the work it takes; beyond the work allowed
 * it gives way to the rule together.
 *
 * Sequential: the contact that approaches fastest strikes alone (strike_one, by its own law), until none does; what is left
 * of a geometric series, for e = 0 above all, is stopped together. Prescribed impulses are given one after another, in order
 * of the contacts, before the rest. */
#include <math.h>

#include "methods/impact/several.h"

enum { CROWD = 1 };

/* Several contacts with friction in a plane: who holds, who slips which way is too much to ask event by event. */
static bool crowded(const reduced_problem *p)
{
    int count = 0;
    for (int e = 0; e < p->element_count; ++e) {
        count += p->elements[e].contact >= 0 && p->elements[e].dim > 1;
    }
    return count > CROWD;
}

static bool exact(flow *f, strike_rule rule)
{
    strike_outcome outcome = rule == STRIKE_SHARING ? several_share_energy(f) : several_stop_and_expand(f);
    return outcome == STRIKE_OK && !several_energy_grew(f, f->w->y);
}

static bool in_steps(flow *f, strike_rule rule)
{
    if (rule == STRIKE_SHARING) {
        several_set_scales(f);
        return steps_share(f) == STRIKE_OK;
    }
    several_stop_and_expand_in_steps(f);
    return true;
}

static bool any_prescribed(const reduced_problem *p, const strike_contact *defs)
{
    for (int c = 0; c < p->contact_count; ++c) {
        if (!isnan(defs[c].impulse)) {
            return true;
        }
    }
    return false;
}

/* Event by event where that is possible, else in steps. Where the work allowed is not enough for sharing, or energy would
 * grow, the simpler rule takes over, which always has an answer. */
static strike_outcome at_once(strike_work *work, const reduced_problem *p, const strike_contact *defs,
                              const strike_options *options, double *u, strike_result *out)
{
    double speed = several_largest_speed(p, u);
    for (int rule = (int)options->rule; rule < (int)STRIKE_SEQUENTIAL; ++rule) {
        for (int way = crowded(p) ? 1 : 0; way < 2; ++way) {
            several_clear_result(p, out);
            flow f = several_begin(work, p, defs, options, u, speed, out);
            if (!(way == 0 ? exact(&f, (strike_rule)rule) : in_steps(&f, (strike_rule)rule))) {
                continue;
            }
            if (several_energy_grew(&f, f.w->y)) {
                several_take_growth_away(work, p, options, u, &f);
            }
            out->rule_followed = (strike_rule)rule;
            out->jammed = out->jammed < 0 && way == 1 ? rub_jammed(f.w->rub) : out->jammed;
            several_hand_out(&f, u, out);
            return STRIKE_OK;
        }
    }
    return STRIKE_ENDLESS; /* not reached: steps together always end */
}

/* A contact that approaches although no impulse along it moves anything cannot be stopped. */
static bool immovable_approaches(const reduced_problem *p, const double *u)
{
    double most = 0.0;
    double speed = several_largest_speed(p, u);
    for (int k = 0; k < p->row_count; ++k) {
        most = fmax(most, several_diagonal(p, k));
    }
    for (int c = 0; c < p->contact_count; ++c) {
        if (!(several_diagonal(p, c) > 1e-14 * most) && u[c] < -1e-9 * speed) {
            return true;
        }
    }
    return false;
}

strike_outcome strike_all(strike_work *w, const reduced_problem *p, const strike_contact *defs,
                          const strike_options *options, double *u, strike_result *out)
{
    reduced_problem bare = *p;
    bare.rate = NULL;
    bare.load = NULL;
    out->rule_followed = options->rule;
    several_clear_result(p, out);
    if (!isfinite(several_largest_speed(p, u)) || immovable_approaches(p, u)) {
        return STRIKE_INCONSISTENT;
    }
    if (p->contact_count == 1) {
        return strike_one(w, &bare, 0, &defs[0], u, out);
    }
    if (options->rule == STRIKE_SEQUENTIAL || any_prescribed(p, defs)) {
        return several_in_turn(w, &bare, defs, options, u, out);
    }
    return at_once(w, &bare, defs, options, u, out);
}
