/* Lasting contact: a combination that fits, from one that does not by setting right what is wrong, or from forces
 * found by Newton's method. */
#include <math.h>
#include <string.h>

#include "nonsmooth/rest_parts.h"

/* ---- setting right what is wrong ---------------------------------------------------------------------------------- */

static void flip_contact(const rest_work *w, const reduced_problem *p, int contact, rest_answer *a)
{
    if (a->closed[contact]) {
        rest_open_contact(p, contact, a);
    } else {
        rest_close_contact(w, p, contact, a);
    }
}

static void flip_element(const reduced_problem *p, int e, rest_answer *a)
{
    const friction_element *el = &p->elements[e];
    if (a->state[e].mode == FRICTION_SLIP || !rest_direct(el, a->force, -1.0, &a->state[e])) {
        a->state[e] = (friction_state){ .mode = FRICTION_STICK };
    }
}

/* Changes all that misses its condition (or the worst alone). */
static void flip(const rest_work *w, const reduced_problem *p, bool all, rest_answer *a)
{
    double worst = 0.0;
    for (int c = 0; c < p->contact_count; ++c) {
        worst = fmax(worst, w->contact_fault[c]);
    }
    bool contacts = worst > 0.0;
    for (int e = 0; !contacts && e < p->element_count; ++e) {
        worst = fmax(worst, w->element_fault[e]);
    }
    for (int c = 0; contacts && c < p->contact_count; ++c) {
        if (w->contact_fault[c] > 0.0 && (all || w->contact_fault[c] >= worst)) {
            flip_contact(w, p, c, a);
        }
    }
    for (int e = 0; !contacts && e < p->element_count; ++e) {
        if (w->element_fault[e] > 0.0 && (all || w->element_fault[e] >= worst)) {
            flip_element(p, e, a);
        }
    }
}

bool rest_try_flipping(rest_work *w, const reduced_problem *p, rest_answer *a)
{
    int limit = 4 + 2 * (p->contact_count + p->element_count);
    for (int i = 0; i < limit; ++i) {
        if (rest_rates_with_directions(w, p, a) != REST_OK) {
            return false;
        }
        if (rest_fits(w, p, a)) {
            return true;
        }
        flip(w, p, i < limit / 2, a);
    }
    return false;
}

/* ---- from forces ------------------------------------------------------------------------------------------------ */

/* Who does what at forces that nearly fit. */
static void classify(rest_work *w, const reduced_problem *p, rest_answer *a)
{
    const double near = 1e-7;
    double largest = 0.0;
    for (int c = 0; c < p->contact_count; ++c) {
        largest = fmax(largest, w->newton_force[c]);
    }
    rest_close_all(w, p, a);
    for (int e = 0; e < p->element_count; ++e) {
        const friction_element *el = &p->elements[e];
        double bound = el->mu * rest_load_at(w, p, e, w->newton_force);
        if (!w->moving[e] && rest_slip_norm(el, w->newton_force) >= (1.0 - near) * bound) {
            rest_direct(el, w->newton_force, -1.0, &a->state[e]);
        }
    }
    for (int c = 0; c < p->contact_count; ++c) {
        if (!(w->newton_force[c] > near * largest)) {
            rest_open_contact(p, c, a);
        }
    }
}

bool rest_try_newton(rest_work *w, const reduced_problem *p, rest_answer *a)
{
    rest_newton(w, p);
    classify(w, p, a);
    return rest_try_flipping(w, p, a);
}

/* Forces that contacts which give a little would have: who does what there. */
bool rest_take_rough(rest_work *w, const reduced_problem *p, rest_answer *a)
{
    rest_newton_giving(w, p);
    classify(w, p, a);
    return rest_rates_with_directions(w, p, a) == REST_OK;
}
