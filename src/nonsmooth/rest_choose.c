/* Lasting contact: who opens, sticks, slips, and where to [Pfeiffer1996].
 *
 * A combination is tried by rest_rates and every condition is checked on its answer. Tried are, one after another: everything
 * closed and holding; that with what is wrong set right, several times; what Newton's method finds; all combinations where
 * they are not too many, which proves that there is no solution where none is found. At last what comes near, handed out
 * as rough.
 *
 * Redundant contacts: rest_rates shares their forces so that all can bear them (rest_share.c). Where combinations are
 * gone through without that, a corner beyond its cone is given as slipping (or open) with no acceleration: its force is at
 * its bound, and the conditions hold.
 *
 * Painleve: where friction turns the response of a sliding contact around (n.D.(n - mu u) <= 0) all combinations are
 * tried. Of several that fit, the one is taken that has the fewest contacts carried in that way: it is the one that stays
 * as mu goes to zero. */
#include "base/stop.h"
#include "nonsmooth/rest_parts.h"

static const double COMBINATIONS = 5000.0; /* no more are tried */

static void find_motion(rest_work *w, const reduced_problem *p, const double *u, double still)
{
    for (int e = 0; e < p->element_count; ++e) {
        w->moving[e] = (p->elements[e].goes_on || rest_slip_norm(&p->elements[e], u) > still) &&
                       rest_direct(&p->elements[e], u, 1.0, &w->along[e]);
    }
}

static bool try_in_turn(rest_work *w, const reduced_problem *p, rest_answer *a)
{
    rest_close_all(w, p, a);
    return rest_try_flipping(w, p, a) || rest_try_newton(w, p, a);
}

/* The contact to name: whose response is turned around most, else that which misses its condition most. */
static int find_culprit(const rest_work *w, const reduced_problem *p)
{
    int culprit = p->contact_count > 0 ? 0 : -1;
    for (int c = 1; c < p->contact_count; ++c) {
        culprit = rest_turned_response(w, p, c) < rest_turned_response(w, p, culprit) ? c : culprit;
    }
    if (culprit < 0 || !(rest_turned_response(w, p, culprit) > ROUNDING)) {
        return culprit;
    }
    for (int c = 0; c < p->contact_count; ++c) {
        culprit = w->contact_fault[c] > w->contact_fault[culprit] ? c : culprit;
    }
    return culprit;
}

static bool find_answer(rest_work *w, const reduced_problem *p)
{
    bool few = rest_count_combinations(w, p) <= COMBINATIONS;
    bool paradox = few && rest_count_turned(w, p, NULL) > 0;
    if (paradox) {
        return rest_try_all(w, p, true);
    }
    return try_in_turn(w, p, &w->answer) || (few && rest_try_all(w, p, false));
}

/* ---- what others keep closed ---------------------------------------------------------------------------------------- */

/* An element of a contact that closes again: as it moves, else as it is accelerated. */
static void follow_motion(const rest_work *w, const reduced_problem *p, double none, int e, rest_answer *a)
{
    const friction_element *el = &p->elements[e];
    a->state[e] = w->moving[e] ? w->along[e] : (friction_state){ .mode = FRICTION_STICK };
    if (!w->moving[e] && rest_slip_norm(el, a->rate) > none) {
        rest_direct(el, a->rate, 1.0, &a->state[e]);
    }
}

/* Closes contacts that are open but do not part; returns how many. */
static int close_kept(const rest_work *w, const reduced_problem *p, rest_answer *a)
{
    double none = rest_scale_of(p, a).rate;
    int count = 0;
    for (int c = 0; c < p->contact_count; ++c) {
        bool kept = !a->closed[c] && a->rate[c] <= none;
        a->closed[c] = a->closed[c] || kept;
        count += kept;
        for (int e = 0; kept && e < p->element_count; ++e) {
            if (p->elements[e].contact == c) {
                follow_motion(w, p, none, e, a);
            }
        }
    }
    return count;
}

/* Where one contact of several that keep a body in place was found open, another one could have been as well: which, the
 * way to the answer has decided. With all of them closed the accelerations are the same, and alike contacts are alike. */
static void share_evenly(rest_work *w, const reduced_problem *p)
{
    rest_copy_answer(p, &w->answer, &w->even);
    if (close_kept(w, p, &w->even) > 0 && rest_try_answer(w, p, &w->even)) {
        rest_copy_answer(p, &w->even, &w->answer);
    }
}

/* ---- the whole ------------------------------------------------------------------------------------------------------ */

rest_outcome rest_choose_one(rest_work *w, const reduced_problem *p, const double *u, double still)
{
    find_motion(w, p, u, still);
    w->jammed = -1;
    bool found = find_answer(w, p);
    if (carom_stop_seen(p->stop)) {
        return REST_STOPPED;
    }
    if (found) {
        share_evenly(w, p);
        return REST_OK;
    }
    bool proven = rest_count_combinations(w, p) <= COMBINATIONS || rest_count_turned(w, p, NULL) > 0;
    if (w->jammed < 0 && !proven && rest_take_rough(w, p, &w->answer)) {
        return REST_ROUGH;
    }
    rest_try_rates(w, p, &w->answer); /* so that what is handed out belongs together, even if it does not fit */
    w->answer.culprit = w->jammed >= 0 ? w->jammed : find_culprit(w, p);
    return w->jammed >= 0 ? REST_JAM : REST_INCONSISTENT;
}

rest_outcome rest_choose(rest_work *w, const reduced_problem *p, const double *u, double still, rest_answer *out)
{
    if (p->island_count > 1) {
        rest_request request = { .u = u, .still = still };
        return rest_solve_islands(w, p, &request, out);
    }
    rest_outcome outcome = rest_choose_one(w, p, u, still);
    *out = w->answer;
    return outcome;
}
