/* Method "compliant" [Zhang2024]: contact forces from signed distance fields, integrated with the rest of the
 * model by any integrator. Steps are long while boxes are apart, end where surfaces meet, and are left to the error
 * control of the integrator through contact; there are no events. What a state remembers: the speed at first touch of
 * pairs whose law asks for it, and the bristles of friction laws that have them. */
#include "methods/compliant/compliant.h"

#include "base/clock.h"
#include "dynamics/integrator.h"
#include "dynamics/step.h"
#include "methods/compliant/approach.h"
#include "methods/compliant/options.h"
#include "methods/compliant/forces.h"
#include "methods/compliant/substeps.h"
#include "methods/compliant/unseen.h"

static carom_status compliant_start(carom_step_context *c)
{
    return dynamics_start(c->scratch, c->state, c->err);
}

/* At the end of the step: what touches is seen by the state that was just reached and remembered in it. */
static carom_status remember(carom_step_context *c, compliant_work *t, carom_step_report *report)
{
    carom_scratch *w = c->scratch;
    double start = carom_clock_wall();
    double detection = w->counters.seconds_detection;
    work_place(w, *c->state->time, state_motion(c->state));
    work_forces(w);
    work_count_assembly(w, start, detection);
    carom_status status = work_may_go_on(w, c->err);
    if (status == CAROM_OK && !compliant_remember(t, w, &c->state->contacts)) {
        status = carom_fail(c->err, CAROM_NO_MEMORY, "out of memory for contacts");
    }
    report->contacts = t->totals.count;
    report->penetration = t->totals.penetration;
    return status;
}

/* The first pair with a touch whose force is no number, and that touch; NULL: there is none. */
static const broad_pair *find_not_finite(const compliant_work *t, const touching_point **where)
{
    for (size_t k = 0; k < t->pair_count; ++k) {
        const broad_pair *pair = &t->pairs[k];
        for (size_t i = pair->first; i < pair->first + pair->count; ++i) {
            if (isfinite(t->contacts[i].gap) && !v3_finite(t->contacts[i].force_w)) {
                *where = &t->contacts[i];
                return pair;
            }
        }
    }
    return NULL;
}

/* A step that is given up while bodies touch most often fails because of how they do. */
static carom_status blame_contact(const compliant_work *t, carom_status status, carom_error *err)
{
    if (status != CAROM_NOT_CONVERGED || t->totals.count == 0 || !err) {
        return status;
    }
    const touching_point *where = NULL;
    const broad_pair *pair = find_not_finite(t, &where);
    if (pair) {
        const model_interaction *i = pair->interaction;
        return carom_fail(
            err, status,
            "the contact law '%.60s'%s%.60s%s gives no usable force (not finite, or below zero) behind t = %.6g s, at a "
            "gap of %.6g m and a gap rate of %.6g m/s",
            i->law->kind.name, i->friction ? " (or its friction, '" : "", i->friction ? i->friction->kind.name : "",
            i->friction ? "')" : "", t->at->t, where->gap, where->gap_rate);
    }
    carom_error inner = *err;
    return carom_fail(err, status, "%.350s (%d contact points, up to %.3g m deep)", inner.message, t->totals.count,
                      t->totals.penetration);
}

/* The longest step after which no surfaces that are apart now have got far into each other. A fixed step is what somebody has asked
 * for, unless it may be cut: then it follows the contacts that there are, too. */
static carom_status bound_step(carom_step_context *c, compliant_work *t, double *dt, double *distance)
{
    const compliant_options *o = c->options;
    integrator_choice choice = integrator_of(c->model);
    bool cut = !choice.settings.adaptive && o->substeps == SUBSTEPS_AUTO;
    approach_rule rule = { cut ? fmin(o->approach, SUBSTEPS_PART) : o->approach, cut };
    *distance = HUGE_VAL;
    *dt = fmin(*dt, choice.settings.step);
    if (!choice.settings.adaptive && !cut) {
        return CAROM_OK;
    }
    *dt = approach_step(t, c->scratch, c->state, *dt, rule, distance);
    if (*dt < 0.0) {
        return carom_fail(c->err, CAROM_NO_MEMORY, "out of memory for contacts");
    }
    return cut ? substeps_bound(t, c->scratch, c->state, dt, c->err) : CAROM_OK;
}

/* One step [Zhang2024]: as far as surfaces that are apart allow; contact forces are part of every evaluation. */
static carom_status compliant_step(carom_step_context *c, double dt, carom_step_report *report)
{
    compliant_work *t = c->scratch->contact;
    double distance = HUGE_VAL;
    carom_status status = bound_step(c, t, &dt, &distance);
    status = status == CAROM_OK ? step_begin(c) : status;
    if (status != CAROM_OK) {
        return status;
    }
    status = dynamics_step(c->scratch, c->state, dt, report, c->err);
    if (status != CAROM_OK) {
        step_abort(c);
        return blame_contact(t, status, c->err);
    }
    status = remember(c, t, report);
    unseen_note(t, c->scratch);
    compliant_end_step(t);
    if (status != CAROM_OK) {
        step_abort(c);
    }
    report->distance = report->contacts > 0 ? fmin(distance, -report->penetration) : distance;
    return status;
}

const carom_method carom_method_compliant = {
    .kind = { .name = "compliant",
              .doc = "Contact is a force grown from penetration of signed distance fields: for mechanisms, docking "
                     "and histories of contact forces.",
              .fields = compliant_fields,
              .defaults = &compliant_defaults,
              .size = sizeof compliant_defaults },
    .colliders = compliant_set_colliders,
    .needs_laws = true,
    .clearance = true,
    .deformation = true,
    .skins = true,
    .forces = &compliant_forces,
    .check = compliant_check,
    .check_contact = compliant_check_contact,
    .start = compliant_start,
    .step = compliant_step,
};
