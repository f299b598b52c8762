/* Method "constraint" [paper 2]: contact as a constraint that comes and goes, explicit steps.
 *
 *     (1)  [ M      Phi_q^T ] [ q'' ]   [ Q     ]       (4)  [ M       Phi_q^T  Phi^C_q^T ] [ q''   ]   [ Q       ]
 *          [ Phi_q  0       ] [ lam ] = [ gamma ]            [ Phi_q   0        0         ] [ lam   ] = [ gamma   ]
 *                                                            [ Phi^C_q 0        0         ] [ lam^C ]   [ gamma^C ]
 *     (2)  Phi^C(q, t) = 0,  (3) its second derivative
 *
 * in central differences with multipliers at the level of positions: velocities u live at half steps, and the rows ask that
 * Phi(q^{n+1}) = 0 and Phi^C(q^{n+1}) >= 0. So the velocity jump at first touch, the constraint, its stabilisation and the release are
 * one statement, and no number has to be chosen. Velocities that others see are those at whole steps, the mean of two half steps;
 * the state keeps the later half step in `history`. */
#include "methods/constraint/constraint.h"

#include <math.h>
#include <string.h>

#include "dynamics/integrator.h"
#include "dynamics/limits.h"
#include "methods/constraint/constraint_work.h"

/* ---- the step ---- */

/* How long this step may be: to the next frame, and no longer than keeps the caller in touch. */
static double bundle_length(const carom_model *m, double t, double h, double dt)
{
    enum { MOST_STEPS = 256 };
    double every = m->scene.record.every;
    double length = fmin(dt, MOST_STEPS * h);
    if (every > 0.0) {
        double next = (floor(t / every * (1.0 + 1e-12) + 1e-9) + 1.0) * every;
        length = fmin(length, fmax(next - t, h));
    }
    return length;
}

/* To the end of the step under way, and over to the next. */
static carom_status leap(constraint_work *cw, carom_step_context *c)
{
    carom_scratch *w = c->scratch;
    carom_state *s = c->state;
    double way = (1.0 - cw->place.part) * cw->place.h;
    leap_move(w, way);
    carom_status status = leap_evaluate(w, w->t + way, c->err);
    if (status == CAROM_OK) {
        count_way(w, s, way);
        status = kick_velocities(cw, w, c->err);
    }
    if (status == CAROM_OK) {
        count_kick(cw, w);
        leap_add_to_ledger(&cw->place, w, s, 1.0);
        memcpy(w->power.work, cw->work_after, sizeof cw->work_after);
        *s->power = w->power;
        cw->place.part = 0.0;
        cw->place.way = 0.0;
        status = announce_switches(cw, w) ? CAROM_OK : contacts_no_memory(c->err);
    }
    return status;
}

/* A part of a step, at the end of what was asked for: positions go on with the velocities there are, and nothing else happens. */
static carom_status leap_partly(constraint_work *cw, carom_step_context *c, double way)
{
    carom_scratch *w = c->scratch;
    double to = cw->place.part + way / cw->place.h;
    leap_move(w, way);
    carom_status status = leap_evaluate(w, w->t + way, c->err);
    count_way(w, c->state, way);
    leap_add_to_ledger(&cw->place, w, c->state, to);
    cw->place.part = to;
    cw->place.way = leap_way(w, &cw->place);
    memcpy(w->sigma, c->state->sigma, (size_t)w->model->row_count * sizeof *w->sigma);
    w->power = *c->state->power;
    return status;
}

/* Contact has been over for long: implicit steps may take over, from the whole step. */
static bool released(const constraint_work *cw)
{
    return cw->place.part == 0.0 && cw->place.quiet >= constraint_hold(cw->model);
}

/* Whole steps to the next frame or to the end, and then what is left of it. */
static carom_status advance(constraint_work *cw, carom_step_context *c, double dt)
{
    const double sliver = 1e-6; /* of a step: what rounding leaves is no step of its own */
    carom_scratch *w = c->scratch;
    double h = cw->place.h;
    double t = *c->state->time;
    double end = t + (cw->just_ended ? fmin(h, dt)
                                     : bundle_length(c->model, t, h, dt)); /* who looks at steps sees the end */
    uint64_t touching = hash_touching(cw);
    int switched = 0; /* steps since the topology changed: the whole step at which it does is half of either */
    carom_status status = CAROM_OK;
    w->t = t;
    cw->sum_time = 0.0;
    for (int k = 0; k < cw->sum_count && dt >= (1.0 - cw->place.part - sliver) * h; ++k) { /* else forces stay */
        cw->sums[k].impulse_w = v3_zero();
    }
    cw->stepping = true;
    while (status == CAROM_OK && switched < 2 && end - w->t > sliver * h && (w->t == t || !released(cw))) {
        double left = t + dt - w->t;
        if (left < (1.0 - cw->place.part - sliver) * h) {
            status = leap_partly(cw, c, left);
            break;
        }
        status = leap(cw, c);
        uint64_t now = hash_touching(cw);
        cw->place.quiet = now == 0 ? cw->place.quiet + h : 0.0;
        switched += switched > 0 || now != touching;
    }
    if (fabs(t + dt - w->t) <= sliver * h) {
        w->t = t + dt;
    }
    cw->stepping = false;
    return status;
}

static void report_contacts(const constraint_work *cw, carom_step_report *report)
{
    report->contacts = cw->points.count;
    report->penetration = cw->totals.penetration;
    report->distance = cw->points.count > 0 ? -cw->totals.penetration : HUGE_VAL;
}

static carom_status finish(constraint_work *cw, carom_step_context *c, carom_step_report *report)
{
    carom_scratch *w = c->scratch;
    give_state(cw, w, c->state);
    carom_status status = limits_check_motion(w, w->t, state_motion(c->state), c->err);
    if (status == CAROM_OK && !remember_contacts(cw, c->state)) {
        status = contacts_no_memory(c->err);
    }
    if (status == CAROM_OK) {
        step_commit(w, c->state, report);
        load_records(cw, c->state);
        make_points(cw, w);
        report_contacts(cw, report);
    }
    return status == CAROM_OK && cw->load_failed ? contacts_no_memory(c->err) : status;
}

/* Assembly closes joints by moving rigid bodies; a section that it has moved away from its body would tear it. */
static carom_status check_sections(const carom_step_context *c)
{
    const double room = 1e-7; /* of the size of the mechanism */
    for (int k = 0; k < c->model->nodal_count; ++k) {
        const model_nodal *n = &c->model->nodal[k];
        for (int s = 0; s < n->section_count; ++s) {
            const model_section *section = &n->sections[s];
            v3 there = v3_add(n->start.position, m3_mulv(n->R_start, section->centre));
            double off = v3_norm(v3_sub(c->state->pose[section->body].x_w, there));
            m3 turned = m3_mul(m3_transpose(n->R_start), q_matrix(c->state->pose[section->body].q_wb));
            double turn = sqrt(fmax(0.0, 3.0 - m3_trace(turned)));
            if (off > room * c->model->length_scale || turn > room) {
                return carom_fail(
                    c->err, CAROM_BAD_INPUT,
                    "the joints at the attachment '%.100s' of body '%.100s' are open by %.3g m and %.3g rad at the "
                    "start; place the body so that they are closed",
                    section->name, c->model->bodies[n->body].name, off, turn);
            }
        }
    }
    return CAROM_OK;
}

/* The first half step: forces over h/2, rows that look ahead by h. */
static carom_status start_leaps(constraint_work *cw, carom_step_context *c)
{
    carom_scratch *w = c->scratch;
    carom_state *s = c->state;
    integrator_load(w, s);
    cw->place = (leap_place){ .h = constraint_step_size(c->model) };
    work_place(w, *s->time, state_motion(s));
    carom_status status = leap_evaluate(w, *s->time, c->err);
    if (status != CAROM_OK) {
        return status;
    }
    /* The kinetic energy that the books have: of a start in the middle of explicit steps that of half steps, else that of the velocities. What
     * the new half steps count less is handed over. */
    double hidden = leap_kinetic(w, s);
    memcpy(s->history, s->rate, (size_t)c->model->body_count * sizeof *s->rate);
    memcpy(s->q_history, s->q_dot, (size_t)c->model->deform_count * sizeof *s->q_dot);
    take_state(cw, w, s);
    cw->sum_time = 0.0;
    status = start_velocities(cw, w, &hidden, c->err);
    if (status != CAROM_OK) {
        return status;
    }
    count_start(cw, w, s, hidden);
    keep_half_steps(cw, w, s);
    *s->step = cw->place.h;
    return announce_switches(cw, w) && remember_contacts(cw, s) ? CAROM_OK : contacts_no_memory(c->err);
}

/* Explicit steps, (1) without contacts and (4) with them. */
static carom_status leap_on(constraint_work *cw, carom_step_context *c, double dt, carom_step_report *report)
{
    carom_scratch *w = c->scratch;
    integrator_load(w, c->state);
    step_open(w, c->state, report);
    take_state(cw, w, c->state);
    carom_status status = advance(cw, c, dt);
    return status == CAROM_OK ? finish(cw, c, report) : status;
}

/* A gap is a few explicit steps from closing. */
static bool about_to_touch(constraint_work *cw, carom_step_context *c, carom_status *status)
{
    const double few = 4.0;
    bool ok = true;
    bool touches = touches_within(cw, c->scratch, c->state, few * constraint_step_size(c->model), &ok, &cw->next);
    *status = ok ? *status : contacts_no_memory(c->err);
    return touches;
}

/* From flight to explicit steps. */
static carom_status land(constraint_work *cw, carom_step_context *c)
{
    double before = c->state->sums->work[ACCOUNT_HANDOVER];
    carom_status status = start_leaps(cw, c);
    double lost = c->state->sums->work[ACCOUNT_HANDOVER] - before;
    return status != CAROM_OK || announce_phase(c->scratch, &cw->next, lost) ? status : contacts_no_memory(c->err);
}

/* From explicit steps to flight, unless something is about to touch. The mean velocities of the whole step take the place of half steps. */
static carom_status take_off(constraint_work *cw, carom_step_context *c)
{
    const double ahead = 10.0; /* explicit steps: less is no flight */
    carom_scratch *w = c->scratch;
    bool ok = true;
    node_contact nearest;
    if (touches_within(cw, w, c->state, ahead * cw->place.h, &ok, &nearest)) {
        return CAROM_OK;
    }
    double hidden = leap_kinetic(w, c->state) - work_kinetic(w);
    ok = ok && announce_phase(w, NULL, hidden);
    carom_status status = ok ? start_flight(cw, c) : contacts_no_memory(c->err);
    ledger_add(c->state, ACCOUNT_HANDOVER, hidden);
    return status;
}

/* Large implicit steps in flight; explicit ones from a little before the first touch until contact has been over for long. */
static carom_status constraint_step(carom_step_context *c, double dt, carom_step_report *report)
{
    carom_scratch *w = c->scratch;
    constraint_work *cw = w->contact;
    long evaluations = w->counters.evaluations;
    integrator_load(w, c->state);
    carom_status status = cw->load_failed ? contacts_no_memory(c->err) : step_begin(c);
    if (status != CAROM_OK) {
        return status;
    }
    size_t events = w->events.count;
    bool flies = in_flight(c->state);
    if (flies && about_to_touch(cw, c, &status)) {
        status = land(cw, c);
        flies = false;
    }
    if (status == CAROM_OK) {
        status = flies ? fly(cw, c, dt, report) : leap_on(cw, c, dt, report);
    }
    if (status == CAROM_OK && !note_unseen(cw, w, c->state)) {
        status = contacts_no_memory(c->err);
    }
    if (status == CAROM_OK && !flies && released(cw)) {
        status = take_off(cw, c);
    }
    report->evaluations = (int)(w->counters.evaluations - evaluations);
    report->switches = cw->switches; /* with those of the start */
    cw->switches = 0;
    if (status != CAROM_OK) {
        w->events.count = events;
        step_abort(c);
    }
    return status;
}

/* At the beginning of a run, and after a jump of a force, in the phase that the state is in. */
static carom_status constraint_start(carom_step_context *c)
{
    constraint_work *cw = c->scratch->contact;
    bool first = *c->state->step_count == 0.0;
    carom_status status = first ? check_sections(c) : CAROM_OK;
    status = first && status == CAROM_OK ? constraint_admit(c->state, c->scratch, c->err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    bool flies = in_flight(c->state) && isfinite(constraint_hold(c->model)) &&
                 !(first && about_to_touch(cw, c, &status));
    if (status != CAROM_OK) {
        return status;
    }
    return flies ? start_flight(cw, c) : start_leaps(cw, c);
}

const carom_method carom_method_constraint = {
    .kind = { .name = "constraint",
              .doc =
                  "Contact as a constraint that comes and goes, in explicit steps: for bodies that deform, their waves "
                  "and their impacts.",
              .fields = constraint_fields,
              .defaults = &constraint_defaults,
              .size = sizeof constraint_defaults },
    .colliders = constraint_set_colliders,
    .inelastic = true,
    .leaps = true,
    .critical_step = constraint_critical_step,
    .deformation = true,
    .announces = true,
    .forces = &constraint_forces,
    .check = constraint_check,
    .admit = constraint_admit,
    .start = constraint_start,
    .step = constraint_step,
};
