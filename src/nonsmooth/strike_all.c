/* Impacts at several contacts. Rigid bodies alone do not say what happens; three rules do.
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
 * It goes event by event where friction is that of a line, or of one plane; with friction in the planes of several contacts,
 * or where no state of friction fits, in steps (strike_steps.h): who holds and who slips follows from a convex problem in each,
 * and there is always an answer. Sharing always goes in steps, to 1e-12 of the fastest approach without friction, 1e-9 with it
 * and 1e-6 where slips stop or begin; accuracy gives way, and in the end what is left is stopped, where contacts rattle on
 * and on.
 *
 * Sequential: the contact that approaches fastest strikes alone (strike_one, by its own law), until none does; what is left
 * of a geometric series, for e = 0 above all, is stopped together. Prescribed impulses are given one after another, in order
 * of the contacts, before the rest. */
#include <math.h>

#include "nonsmooth/several.h"

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

static bool any_prescribed(const reduced_problem *p, const strike_contact *defs)
{
    for (int c = 0; c < p->contact_count; ++c) {
        if (!isnan(defs[c].impulse)) {
            return true;
        }
    }
    return false;
}

static strike_outcome share(strike_work *work, const reduced_problem *p, const strike_contact *defs,
                            const strike_options *options, double *u, strike_result *out)
{
    flow f = several_begin(work, p, defs, options, u, several_largest_speed(p, u), out);
    several_set_scales(&f);
    out->cut_short = !steps_share(&f);
    several_conclude(work, p, options, u, &f);
    return STRIKE_OK;
}

/* Event by event where that is possible and adds no energy, else in steps, which always have an answer. */
static strike_outcome together(strike_work *work, const reduced_problem *p, const strike_contact *defs,
                               const strike_options *options, double *u, strike_result *out)
{
    double speed = several_largest_speed(p, u);
    flow f = several_begin(work, p, defs, options, u, speed, out);
    if (!crowded(p) && several_stop_and_expand(&f) == STRIKE_OK && !several_energy_grew(&f, f.w->y)) {
        several_hand_out(&f, u, out);
        return STRIKE_OK;
    }
    strike_clear(p, out);
    f = several_begin(work, p, defs, options, u, speed, out);
    several_stop_and_expand_in_steps(&f);
    several_conclude(work, p, options, u, &f);
    return STRIKE_OK;
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
    strike_clear(p, out);
    if (!isfinite(several_largest_speed(p, u)) || immovable_approaches(p, u)) {
        return STRIKE_INCONSISTENT;
    }
    if (p->contact_count == 1) {
        return strike_one(w, &bare, 0, &defs[0], u, out);
    }
    if (options->rule == STRIKE_SEQUENTIAL || any_prescribed(p, defs)) {
        return several_in_turn(w, &bare, defs, options, u, out);
    }
    return options->rule == STRIKE_SHARING ? share(w, &bare, defs, options, u, out)
                                           : together(w, &bare, defs, options, u, out);
}
