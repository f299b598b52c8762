/* Method "impact" [Gao2011; paper 5]: rigid contact by events and impulses.
 *
 * A step integrates the motion to its end or to the first event, whichever comes first: a gap that closes, a contact that
 * opens, a change between sticking and slipping. There velocities jump, the active set of persistent contacts changes, and
 * the next step starts from there. What a state remembers: the active set and what friction does in each of its contacts.
 *
 *     advance.c   to the first event        resolve_event.c   what happens there */
#include "methods/impact/impact.h"

#include "dynamics/integrator.h"
#include "dynamics/step.h"
#include "methods/impact/admit.h"
#include "methods/impact/advance.h"
#include "methods/impact/resolve_event.h"

/* Resolves the event at which the state stands; without one, constraint drift of persistent contacts is removed. */
static carom_status resolve(carom_step_context *c, impact_work *iw, const impact_event *event)
{
    switch (event->kind) {
    case EVENT_NONE:
        return iw->present.contacts.count > 0 || iw->reduced.joint_count > 0 ? stabilise(c, iw) : CAROM_OK;
    case EVENT_JAM:
        return resolve_jam(c, iw, iw->culprit);
    case EVENT_GRIP:
        return resolve_grip(c, iw, iw->gripped);
    default:
        return resolve_event(c, iw, event->ahead);
    }
}

/* Steps that end where they began: constraints that contradict each other. */
static carom_status check_progress(carom_step_context *c, impact_work *iw, double dt)
{
    enum { MOST_STALLED = 1000 };
    iw->stalled = dt > 0.0 ? 0 : iw->stalled + 1;
    if (iw->stalled <= MOST_STALLED) {
        return CAROM_OK;
    }
    iw->stalled = 0;
    return carom_fail(
        c->err, CAROM_NOT_CONVERGED,
        "no progress: %d events in a row at t = %.9g s (%zu persistent contacts, %zu touching); two constraints "
        "probably contradict each other",
        MOST_STALLED, *c->state->time, iw->present.contacts.count, iw->found.count);
}

/* The state, its active set and the set of the step that leads on from here, for frames inside it. */
static carom_status begin(carom_step_context *c, impact_work *iw)
{
    integrator_load(c->scratch, c->state);
    if (iw->load_failed || !active_set_copy(&iw->last, &iw->present, iw->reduced.joint_count)) {
        return carom_fail(c->err, CAROM_NO_MEMORY, "out of memory for contacts");
    }
    iw->repeated = *c->state->last_step == 0.0 && *c->state->step_count > 0.0;
    return step_begin(c);
}

static void report_contacts(const impact_work *iw, const impact_event *event, carom_step_report *report)
{
    report->contacts = iw->points.count;
    report->penetration = iw->totals.penetration;
    report->distance = iw->points.count > 0 ? fmin(event->distance, -iw->totals.penetration) : event->distance;
}

/* Some solver may have been stopped before it came to its end. */
static carom_status end(const carom_step_context *c, carom_status status)
{
    if (status == CAROM_OK && carom_stop_seen(&c->scratch->stop)) {
        status = work_interrupted(c->scratch, c->err);
    }
    if (status != CAROM_OK) {
        step_abort(c);
    }
    return status;
}

static carom_status impact_step(carom_step_context *c, double dt, carom_step_report *report)
{
    impact_work *iw = c->scratch->contact;
    impact_event event;
    carom_status status = begin(c, iw);
    if (status != CAROM_OK) {
        return status;
    }
    status = advance_to_event(c, iw, fmin(dt, integrator_of(c->model).settings.step), report, &event);
    if (status == CAROM_OK) {
        status = resolve(c, iw, &event);
        report_contacts(iw, &event, report);
    }
    if (status == CAROM_OK) {
        status = check_progress(c, iw, report->dt);
    }
    return end(c, status);
}

static carom_status impact_start(carom_step_context *c)
{
    bool first = *c->state->step_count == 0.0; /* not anew, after a jump of a force */
    carom_status status = first ? impact_admit(c->state, c->scratch, c->err) : CAROM_OK;
    if (status == CAROM_OK) {
        status = dynamics_start(c->scratch, c->state, c->err);
    }
    return status == CAROM_OK ? resolve_event(c, c->scratch->contact, 0.0) : status;
}

static const carom_method *variant(const void *options)
{
    const impact_options *o = options;
    return o->stepping == STEPPING_FIXED ? &carom_method_impact_fixed : &carom_method_impact;
}

const carom_method carom_method_impact = {
    .kind = { .name = "impact",
              .doc = "Rigid contact by events: impulses with restitution and exact Coulomb friction at contacts and "
                     "joints, for linkages, clearances and long runs.",
              .fields = impact_fields,
              .defaults = &impact_defaults,
              .size = sizeof impact_defaults },
    .variant = variant,
    .colliders = impact_set_colliders,
    .clearance = true,
    .joint_friction = true,
    .rigid_stops = true,
    .announces = true,
    .forces = &impact_forces,
    .check = impact_check,
    .admit = impact_admit,
    .start = impact_start,
    .step = impact_step,
};
