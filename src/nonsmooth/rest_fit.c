/* Lasting contact: combinations of who is closed, sticks and slips, and whether the answer to one fulfils all conditions. */
#include <math.h>
#include <string.h>

#include "nonsmooth/rest_parts.h"

static const double FIT = 1e-8; /* conditions hold to this part of the largest rate: see RANK_TOLERANCE in rest.c */

static double diagonal(const reduced_problem *p, int row)
{
    return p->D[(size_t)row * (size_t)p->row_count + (size_t)row];
}

double rest_slip_norm(const friction_element *el, const double *rows)
{
    double sum = 0.0;
    for (int d = 0; d < el->dim; ++d) {
        sum = hypot(sum, rows[el->first_row + d]);
    }
    return sum;
}

double rest_slip_along(const friction_element *el, const friction_state *state, const double *rows)
{
    double sum = 0.0;
    for (int d = 0; d < el->dim; ++d) {
        sum += state->direction[d] * rows[el->first_row + d];
    }
    return sum;
}

bool rest_direct(const friction_element *el, const double *rows, double sign, friction_state *state)
{
    double size = rest_slip_norm(el, rows);
    if (!(size > 0.0)) {
        return false;
    }
    *state = (friction_state){ .mode = FRICTION_SLIP };
    for (int d = 0; d < el->dim; ++d) {
        state->direction[d] = sign * rows[el->first_row + d] / size;
    }
    return true;
}

/* ---- combinations ------------------------------------------------------------------------------------------------- */

static void hold_or_slide(const rest_work *w, int e, rest_answer *a)
{
    a->state[e] = w->moving[e] ? w->along[e] : (friction_state){ .mode = FRICTION_STICK };
}

void rest_open_contact(const reduced_problem *p, int contact, rest_answer *a)
{
    a->closed[contact] = false;
    for (int e = 0; e < p->element_count; ++e) {
        if (p->elements[e].contact == contact) {
            a->state[e] = (friction_state){ .mode = FRICTION_NONE };
        }
    }
}

void rest_close_contact(const rest_work *w, const reduced_problem *p, int contact, rest_answer *a)
{
    a->closed[contact] = true;
    for (int e = 0; e < p->element_count; ++e) {
        if (p->elements[e].contact == contact) {
            hold_or_slide(w, e, a);
        }
    }
}

void rest_close_all(const rest_work *w, const reduced_problem *p, rest_answer *a)
{
    for (int c = 0; c < p->contact_count; ++c) {
        a->closed[c] = true;
    }
    for (int e = 0; e < p->element_count; ++e) {
        hold_or_slide(w, e, a);
    }
}

void rest_copy_answer(const reduced_problem *p, const rest_answer *from, rest_answer *to)
{
    memmove(to->closed, from->closed, sizeof *to->closed * (size_t)p->contact_count);
    memmove(to->state, from->state, sizeof *to->state * (size_t)p->element_count);
    memmove(to->force, from->force, sizeof *to->force * (size_t)p->row_count);
    memmove(to->rate, from->rate, sizeof *to->rate * (size_t)p->row_count);
    memmove(to->load, from->load, sizeof *to->load * (size_t)p->element_count);
    to->culprit = from->culprit;
    to->ambiguous = from->ambiguous;
}

/* ---- does it fit? ------------------------------------------------------------------------------------------------- */

fit_scale rest_scale_of(const reduced_problem *p, const rest_answer *a)
{
    double rate = 0.0;
    double terms = 0.0;
    double force = 0.0;
    for (int row = 0; row < p->row_count; ++row) {
        rate = fmax(rate, p->rate ? fabs(p->rate[row]) : 0.0);
        terms = fmax(terms, fabs(diagonal(p, row) * a->force[row]));
        force = fmax(force, fabs(a->force[row]));
    }
    double none = FIT * rate + ROUNDING * terms;
    return (fit_scale){ .rate = none, .force = ROUNDING * force };
}

/* Of a force along a row: what would be needed for the least rate that counts. */
static double force_scale(const reduced_problem *p, fit_scale scale, int row)
{
    double D = diagonal(p, row);
    return scale.force + (D > 0.0 ? scale.rate / D : 0.0);
}

/* Beyond its tolerance; zero over zero is none. */
static double fault(double amount, double tolerance)
{
    return amount <= tolerance ? 0.0 : (tolerance > 0.0 ? amount / tolerance : HUGE_VAL);
}

static double contact_fault(const reduced_problem *p, const rest_answer *a, fit_scale scale, int contact)
{
    double rate = a->rate[contact];
    if (!a->closed[contact]) {
        return fault(-rate, scale.rate);
    }
    return fmax(fault(fabs(rate), scale.rate), fault(-a->force[contact], force_scale(p, scale, contact)));
}

static double stick_fault(const reduced_problem *p, const rest_answer *a, fit_scale scale, int e)
{
    const friction_element *el = &p->elements[e];
    double beyond = rest_slip_norm(el, a->force) - el->mu * a->load[e];
    return fmax(fault(rest_slip_norm(el, a->rate), scale.rate), fault(beyond, force_scale(p, scale, el->first_row)));
}

/* Slip that begins: along its direction, not across. */
static double onset_fault(const reduced_problem *p, const rest_answer *a, fit_scale scale, int e)
{
    const friction_element *el = &p->elements[e];
    double along = rest_slip_along(el, &a->state[e], a->rate);
    double across = 0.0;
    for (int d = 0; d < el->dim; ++d) {
        across = hypot(across, a->rate[el->first_row + d] - along * a->state[e].direction[d]);
    }
    return fmax(fault(-along, scale.rate), fault(across, scale.rate));
}

static double element_fault(const rest_work *w, const reduced_problem *p, const rest_answer *a, fit_scale scale,
                            int e)
{
    if (a->state[e].mode == FRICTION_STICK) {
        return stick_fault(p, a, scale, e);
    }
    return a->state[e].mode == FRICTION_SLIP && !w->moving[e] ? onset_fault(p, a, scale, e) : 0.0;
}

static bool finite_answer(const reduced_problem *p, const rest_answer *a)
{
    for (int row = 0; row < p->row_count; ++row) {
        if (!isfinite(a->force[row]) || !isfinite(a->rate[row])) {
            return false;
        }
    }
    return true;
}

bool rest_fits(rest_work *w, const reduced_problem *p, const rest_answer *a)
{
    fit_scale scale = rest_scale_of(p, a);
    double worst = 0.0;
    for (int c = 0; c < p->contact_count; ++c) {
        w->contact_fault[c] = contact_fault(p, a, scale, c);
        worst = fmax(worst, w->contact_fault[c]);
    }
    for (int e = 0; e < p->element_count; ++e) {
        w->element_fault[e] = element_fault(w, p, a, scale, e);
        worst = fmax(worst, w->element_fault[e]);
    }
    return worst == 0.0 && finite_answer(p, a);
}
