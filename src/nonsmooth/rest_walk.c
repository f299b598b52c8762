/* Lasting contact: a combination that fits, from one that does not by setting right what is wrong, or from forces found by
 * sweeps.
 *
 * Redundant contacts: rest_rates knows forces of least norm only, and those of a box that holds on a slope may leave the
 * cone of one corner while the corners together could hold. Such a corner is given as slipping (or open) with no
 * acceleration: its force is at its bound, and the conditions hold. From forces that fit, such a combination is found by
 * walking towards those of least norm and fixing what reaches its bound on the way. */
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

/* ---- from sweeps -------------------------------------------------------------------------------------------------- */

/* Who does what at forces that nearly fit. */
static void classify(rest_work *w, const reduced_problem *p, rest_answer *a)
{
    const double near = 1e-7;
    double largest = 0.0;
    for (int c = 0; c < p->contact_count; ++c) {
        largest = fmax(largest, w->sweep_force[c]);
    }
    rest_close_all(w, p, a);
    for (int e = 0; e < p->element_count; ++e) {
        const friction_element *el = &p->elements[e];
        double bound = el->mu * rest_load_at(w, p, e, w->sweep_force);
        if (!w->moving[e] && rest_slip_norm(el, w->sweep_force) >= (1.0 - near) * bound) {
            rest_direct(el, w->sweep_force, -1.0, &a->state[e]);
        }
    }
    for (int c = 0; c < p->contact_count; ++c) {
        if (!(w->sweep_force[c] > near * largest)) {
            rest_open_contact(p, c, a);
        }
    }
}

/* How far one may go from w->sweep_force to a->force until a contact's force vanishes. */
static double way_to_opening(const rest_work *w, const rest_answer *a, int contact)
{
    double from = w->sweep_force[contact];
    double to = a->force[contact];
    return a->closed[contact] && to < 0.0 ? fmax(0.0, from / (from - to)) : 2.0;
}

/* Likewise until an element that holds reaches its cone, by bisection: its bound is concave minus convex, not linear. */
static double way_to_cone(rest_work *w, const reduced_problem *p, const rest_answer *a, int e)
{
    const friction_element *el = &p->elements[e];
    if (a->state[e].mode != FRICTION_STICK || rest_slip_norm(el, a->force) <= el->mu * a->load[e]) {
        return 2.0;
    }
    double low = 0.0;
    double high = 1.0;
    for (int i = 0; i < 40; ++i) {
        double middle = 0.5 * (low + high);
        for (int row = 0; row < p->row_count; ++row) {
            w->turn_step[row] = (1.0 - middle) * w->sweep_force[row] + middle * a->force[row];
        }
        bool inside = rest_slip_norm(el, w->turn_step) <= el->mu * rest_load_at(w, p, e, w->turn_step);
        *(inside ? &low : &high) = middle;
    }
    return low;
}

/* Walks towards the forces of least norm and fixes what is met first; false when nothing is in the way. */
static bool walk(rest_work *w, const reduced_problem *p, rest_answer *a)
{
    double nearest = 2.0;
    int contact = -1;
    int element = -1;
    for (int c = 0; c < p->contact_count; ++c) {
        double way = way_to_opening(w, a, c);
        if (way < nearest) {
            nearest = way;
            contact = c;
        }
    }
    for (int e = 0; e < p->element_count; ++e) {
        double way = way_to_cone(w, p, a, e);
        if (way < nearest) {
            nearest = way;
            element = e;
        }
    }
    if (contact < 0 && element < 0) {
        return false;
    }
    for (int row = 0; row < p->row_count; ++row) {
        w->sweep_force[row] += nearest * (a->force[row] - w->sweep_force[row]);
    }
    if (element < 0) {
        rest_open_contact(p, contact, a);
        return true;
    }
    return rest_direct(&p->elements[element], w->sweep_force, -1.0, &a->state[element]);
}

/* The combination that forces nearly fitting show, made exact. */
static bool try_swept(rest_work *w, const reduced_problem *p, rest_answer *a)
{
    classify(w, p, a);
    int limit = p->contact_count + p->element_count;
    for (int i = 0; i <= limit; ++i) {
        if (rest_rates_with_directions(w, p, a) != REST_OK) {
            return false;
        }
        if (rest_fits(w, p, a)) {
            return true;
        }
        if (!walk(w, p, a)) {
            break;
        }
    }
    return rest_try_flipping(w, p, a);
}

bool rest_try_sweeping(rest_work *w, const reduced_problem *p, rest_answer *a)
{
    enum { SWEEPS = 200, MORE_SWEEPS = 3000 };
    rest_sweep_anew(w, p);
    rest_sweep(w, p, SWEEPS);
    memcpy(w->swept, w->sweep_force, sizeof(double) * (size_t)p->row_count);
    rest_newton(w, p);
    if (try_swept(w, p, a)) {
        return true;
    }
    memcpy(w->sweep_force, w->swept, sizeof(double) * (size_t)p->row_count);
    rest_sweep(w, p, MORE_SWEEPS);
    rest_newton(w, p);
    return try_swept(w, p, a) || (rest_newton_giving(w, p) && try_swept(w, p, a));
}

/* Forces that contacts which give a little would have: who does what there. */
bool rest_take_rough(rest_work *w, const reduced_problem *p, rest_answer *a)
{
    rest_sweep_anew(w, p);
    rest_sweep(w, p, 200);
    memcpy(w->swept, w->sweep_force, sizeof(double) * (size_t)p->row_count);
    rest_newton_giving(w, p);
    classify(w, p, a);
    return rest_rates_with_directions(w, p, a) == REST_OK;
}
