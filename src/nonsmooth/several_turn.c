/* Impacts at several contacts, one after another: the one that approaches fastest strikes alone, until none does. */
#include <math.h>
#include <string.h>

#include "base/stop.h"
#include "nonsmooth/several.h"

static const double WORTH_A_PASS = 1e-11; /* sequential: slower approaches are stopped together, likewise */
enum { PASS_LIMIT = 50 };

/* Elements of the contact and of joints, listed in w->index; their rows, after the contact's own, in w->one_row. */
static void keep_elements(struct strike_all_work *w, const reduced_problem *p, int contact, reduced_problem *one)
{
    w->one_row[0] = contact;
    for (int e = 0; e < p->element_count; ++e) {
        friction_element el = p->elements[e];
        if (el.contact >= 0 && el.contact != contact) {
            continue;
        }
        for (int d = 0; d < el.dim; ++d) {
            w->one_row[one->row_count + d] = el.first_row + d;
        }
        el.first_row = one->row_count;
        el.contact = el.contact < 0 ? -1 : 0;
        one->row_count += el.dim;
        w->index[one->element_count] = e;
        w->elements[one->element_count++] = el;
    }
}

/* The problem of one contact alone: normals and friction of the others do nothing, and rows that do nothing only cost time. */
static reduced_problem alone(struct strike_all_work *w, const reduced_problem *p, int contact)
{
    reduced_problem one = *p;
    one.row_count = one.contact_count = 1;
    one.element_count = 0;
    keep_elements(w, p, contact, &one);
    for (int k = 0; k < one.row_count; ++k) {
        for (int l = 0; l < one.row_count; ++l) {
            w->matrix[k * one.row_count + l] = p->D[w->one_row[k] * p->row_count + w->one_row[l]];
        }
    }
    for (int i = 0; i < p->load_count; ++i) {
        for (int l = 0; l < one.row_count; ++l) {
            w->one_B[i * one.row_count + l] = p->B[i * p->row_count + w->one_row[l]];
        }
    }
    one.D = w->matrix;
    one.B = w->one_B;
    one.elements = w->elements;
    return one;
}

/* States of the elements kept go to their places, others do nothing. */
static void spread_states(const reduced_problem *p, const reduced_problem *one, const int *index,
                          const friction_state *from, friction_state *to)
{
    for (int e = 0; e < p->element_count; ++e) {
        to[e] = (friction_state){ .mode = FRICTION_NONE };
    }
    for (int e = 0; e < one->element_count; ++e) {
        to[index[e]] = from[e];
    }
}

static void append_history(const reduced_problem *p, const reduced_problem *one, const int *index,
                           const strike_history *from, strike_history *to)
{
    for (int i = 0; i < from->count; ++i) {
        int k = to->count++;
        if (k >= STRIKE_HISTORY || i >= STRIKE_HISTORY) {
            continue;
        }
        to->step[k] = from->step[i];
        if (to->state) {
            spread_states(p, one, index, from->state + (size_t)i * (size_t)one->element_count,
                          to->state + (size_t)k * (size_t)p->element_count);
        }
    }
}

/* Impulses of the rows kept, and what they do to all. */
static void add_result(const struct strike_all_work *w, const reduced_problem *p, const reduced_problem *one,
                       const strike_result *result, double *u, strike_result *out)
{
    for (int k = 0; k < one->row_count; ++k) {
        const double *D = p->D + (size_t)w->one_row[k] * (size_t)p->row_count;
        out->impulse[w->one_row[k]] += result->impulse[k];
        for (int l = 0; result->impulse[k] != 0.0 && l < p->row_count; ++l) {
            u[l] += D[l] * result->impulse[k];
        }
    }
    out->compression[w->one_row[0]] += result->compression[0];
    out->work_normal += result->work_normal;
    out->work_friction += result->work_friction;
    out->steps += result->steps;
    out->held = out->held || result->held;
    if (result->accuracy > out->accuracy) {
        out->accuracy = result->accuracy;
        out->asked = result->asked;
    }
    out->jammed = out->jammed < 0 && result->jammed >= 0 ? w->index[result->jammed] : out->jammed;
}

/* Where friction has no state u stays: what is left is stopped together. */
static strike_outcome strike_and_add(strike_work *work, const reduced_problem *p, int contact,
                                     const strike_contact *def, double *u, strike_result *out)
{
    struct strike_all_work *w = work->all;
    reduced_problem one = alone(w, p, contact);
    strike_result result = { .impulse = w->one_impulse, .compression = w->one_compression };
    result.history = out->history ? &w->history : NULL;
    for (int k = 0; k < one.row_count; ++k) {
        w->before[k] = u[w->one_row[k]];
    }
    strike_outcome outcome = strike_one(work, &one, 0, def, w->before, &result);
    if (outcome != STRIKE_OK) {
        return outcome;
    }
    add_result(w, p, &one, &result, u, out);
    for (int k = 0; k < one.row_count; ++k) {
        u[w->one_row[k]] = w->before[k];
    }
    int first = out->history ? out->history->count : 0;
    if (out->history) {
        append_history(p, &one, w->index, &w->history, out->history);
    }
    for (int k = first; out->history && k < out->history->count && k < STRIKE_HISTORY; ++k) {
        out->history->step[k].contact = contact;
    }
    return STRIKE_OK;
}

/* Prescribed impulses first, each once. */
static strike_outcome give_prescribed(strike_work *work, const reduced_problem *p, const strike_contact *defs,
                                      double *u, strike_result *out)
{
    strike_outcome outcome = STRIKE_OK;
    for (int c = 0; outcome == STRIKE_OK && c < p->contact_count; ++c) {
        if (!isnan(defs[c].impulse)) {
            outcome = strike_and_add(work, p, c, &defs[c], u, out);
        }
    }
    return outcome;
}

/* The fastest approach to which more impacts would have been due [m/s]. Without restitution these do what stopping does: only
 * where one has failed does that matter. */
static double left_to_stop(const reduced_problem *p, const strike_contact *defs, const double *u, bool failed)
{
    double fastest = 0.0;
    for (int c = 0; c < p->contact_count; ++c) {
        fastest = failed || defs[c].restitution > 0.0 ? fmax(fastest, -u[c]) : fastest;
    }
    return fastest;
}

strike_outcome several_in_turn(strike_work *work, const reduced_problem *p, const strike_contact *defs,
                               const strike_options *options, double *u, strike_result *out)
{
    out->rule_followed = STRIKE_SEQUENTIAL;
    double speed = several_largest_speed(p, u);
    strike_outcome outcome = give_prescribed(work, p, defs, u, out);
    for (int pass = 0; outcome == STRIKE_OK && pass < PASS_LIMIT * p->contact_count && !carom_stop_asked(p->stop);
         ++pass) {
        speed = fmax(speed, several_largest_speed(p, u));
        int contact = several_fastest_contact(p, u, WORTH_A_PASS * speed);
        if (contact < 0) {
            break;
        }
        strike_contact def = defs[contact];
        def.impulse = (double)NAN;
        outcome = strike_and_add(work, p, contact, &def, u, out);
    }
    flow f = several_begin(work, p, defs, options, u, speed, out);
    double left = left_to_stop(p, defs, u, outcome != STRIKE_OK) / f.speed;
    several_note_left(fmax(left, steps_stop(&f)), out);
    several_hand_out(&f, u, out);
    return STRIKE_OK;
}
