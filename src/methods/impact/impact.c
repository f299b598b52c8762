/* Method "impact" [Gao2011; paper 5]: rigid contact by events and impulses.
 *
 * A step integrates the motion to its end or to the first event, whichever comes first: a gap that closes, a contact that
 * opens, a change between sticking and slipping. Where an event lies inside, the step is taken back and repeated up to
 * it, until the gap itself says that the moment is right; then velocities jump, the set of lasting contacts changes, and
 * the next step starts from there. What a state remembers: the lasting contacts and what friction does in each. */
#include "methods/impact/impact.h"

#include <float.h>

#include "base/error_list.h"
#include "dynamics/dense.h"
#include "dynamics/integrator.h"
#include "dynamics/project.h"
#include "dynamics/step.h"
#include "methods/impact/admit.h"
#include "methods/impact/settle.h"

static const impact_options defaults = { .rule = STRIKE_SHARING, .exponent = 1.5 };

static const char *const rule_names[] = { "sharing", "together", "sequential", NULL };

static const carom_field fields[] = {
    { .name = "several",
      .kind = CAROM_FIELD_ENUM,
      .offset = offsetof(impact_options, rule),
      .names = rule_names,
      .doc =
          "How several contacts are struck at one instant, which rigid bodies leave open: sharing stores and gives "
          "back energy in all of them at once, as a chain of springs would; together solves compression and "
          "expansion of all as two complementarity problems; sequential lets one follow the other, the fastest "
          "first, as bodies with the tiniest gaps would." },
    { .name = "exponent",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(impact_options, exponent),
      .flags = CAROM_POSITIVE,
      .doc = "Of force over compression where impacts share energy: 1.5 as Hertz has it, by default, or 1." },
    { .name = "rest_time",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(impact_options, rest_time),
      .dimension = CAROM_DIM_TIME,
      .flags = CAROM_POSITIVE,
      .doc = "Flights between two impacts shorter than this end in lasting contact: infinitely many ever smaller "
             "impacts come to an end there. By default a billionth of the run." },
    { .name = NULL },
};

static void set_colliders(collider_options *out, const void *options)
{
    (void)options;
    out->method = DETECT_DIRECT;
    out->facets = true;
    out->cache = NULL;
}

static carom_status impact_check(const carom_model *model, const void *options, carom_error *err)
{
    const impact_options *o = options;
    carom_status status = CAROM_OK;
    if (!(o->exponent >= 1.0 && o->exponent <= 3.0)) {
        carom_fail(err, CAROM_BAD_INPUT, "contact.exponent must be between 1 and 3, not %g", o->exponent);
        status = model_blame_setting(model, "contact.exponent", CAROM_BAD_INPUT, err);
    }
    return error_worse(status, dynamics_check(model, err));
}

/* Looks for the first event. What the search has to say holds for the step to that event, too, whose notes begin there. */
static carom_status search_and_note(carom_step_context *c, impact_work *iw, change *event)
{
    size_t before = c->scratch->findings.count;
    carom_status status = search_first(iw, c->scratch, event, c->err);
    step_keep_findings(c->scratch, before);
    return status;
}

/* ---- to the event -------------------------------------------------------------------------------------------------- */

/* The gap of the contact that is about to touch, where the state stands. */
static gap_value gap_of(const impact_work *iw, const carom_scratch *w, const carom_state *s, const contact *at)
{
    gap_value g;
    contact_bodies bodies = { { s->pose[at->body[0]], s->pose[at->body[1]] },
                              { s->rate[at->body[0]], s->rate[at->body[1]] } };
    contact_gap(at, iw->model, &bodies, w->near, &g);
    return g;
}

/* Whether the place of contact is inside its features where the state stands. */
static bool in_bounds(const impact_work *iw, const carom_state *s, const contact *at)
{
    if (at->kind != CONTACT_SURFACE) {
        return true;
    }
    gap_pair pair = contact_colliders(iw->model, at->a, at->b);
    const body_pose *a = &s->pose[at->body[0]];
    const body_pose *b = &s->pose[at->body[1]];
    carom_pose pose_w[2] = { { a->x_w, a->q_wb }, { b->x_w, b->q_wb } };
    return gap_bounds(&at->feature, &pair, pose_w) >= 0.0;
}

/* By how much the moment of a touch has to be shifted so that its gap is that of surfaces that touch [s]. */
static double touch_correction(const impact_work *iw, const carom_scratch *w, const carom_state *s,
                               const change *event)
{
    gap_value g = gap_of(iw, w, s, &event->contact);
    double touch = settle_touch(w, g.rate);
    double off = g.gap - touch;
    double slowest = 1e-8 * lasting_speed_scale(w, s->rate);
    if (fabs(off) <= 0.1 * touch || !(g.rate < -slowest)) { /* grazing: the time is as good as it gets */
        return 0.0;
    }
    return -off / g.rate;
}

/* By how much the moment at which a slip is used up has to be shifted so that nothing is left of it [s]. Dense output may
 * miss the velocity at the end of the step that it was found on by more than the step itself errs. */
static double slip_correction(const impact_work *iw, const carom_state *s, const change *event)
{
    static const double AS_GOOD_AS_FOUND = 4.0 * DBL_EPSILON; /* of the time */
    double left = lasting_slip_left(iw, event->slip);
    return fabs(left) > AS_GOOD_AS_FOUND * fabs(*s->time) ? left : 0.0;
}

/* Whether a contact touches where the step begins. Once at an instant: where it has been treated there already, time goes
 * on. */
static bool touches_at_begin(carom_step_context *c, impact_work *iw, const change *event)
{
    step_abort(c);
    gap_value g = gap_of(iw, c->scratch, c->state, &event->contact);
    return !iw->repeated && g.gap <= 2.0 * settle_touch(c->scratch, g.rate) &&
           in_bounds(iw, c->state, &event->contact);
}

/* Nothing to advance: the event is where the step begins. */
static carom_status stay_at_begin(carom_step_context *c, carom_step_report *report)
{
    step_abort(c);
    integrator_load(c->scratch, c->state);
    *c->state->last_step = report->dt = 0.0;
    return CAROM_OK;
}

/* The contact that slips and carries most in the last evaluation, the first one where that found nothing; -1: none slips. */
static int most_loaded_slip(const impact_work *iw)
{
    int most = -1;
    for (size_t k = 0; k < iw->present.contacts.count; ++k) {
        bool slips = iw->present.modes[k].mode == FRICTION_SLIP && !iw->present.modes[k].idle;
        bool more = most < 0 || (iw->solved && iw->answer.force[k] > iw->answer.force[most]);
        most = slips && more ? (int)k : most;
    }
    return most;
}

/* Whether nothing longer than dt can be done: forces of friction grow without limit within no time, and shorter steps are no
 * help. */
static bool friction_grips(impact_work *iw, double dt)
{
    static const double NO_TIME = 1e-10; /* of the run */
    iw->gripped = dt <= NO_TIME * iw->model->scene.time.end ? most_loaded_slip(iw) : -1;
    return iw->gripped >= 0;
}

/* What a step may run into because it is too long: numbers that grow until matrices have no factors, motions that leave
 * their range, joints that do not close. */
static bool can_be_repeated(carom_status status)
{
    return status == CAROM_NOT_CONVERGED || status == CAROM_IMPOSSIBLE || status == CAROM_BAD_INPUT;
}

/* A step of exactly dt, or less where error control wants less, within which clearances that touch stay closed; else
 * *shorter says what to try instead, or iw->gripped who has to stick. */
static carom_status try_step(carom_step_context *c, impact_work *iw, double dt, carom_step_report *report,
                             double *shorter)
{
    static const double SHORTEST = 1e-13; /* of the run */
    double end = iw->model->scene.time.end;
    *shorter = 0.0;
    iw->jammed = false;
    iw->gripped = -1;
    carom_status status = dynamics_step(c->scratch, c->state, dt, report, c->err);
    if (can_be_repeated(status)) {
        *shorter = 0.25 * dt;
        bool grips = friction_grips(iw, *shorter);
        bool again = grips || dt > 1e-7 * end ||
                     most_loaded_slip(iw) >= 0; /* else a step that short fails for good */
        return again ? CAROM_OK : status;
    }
    if (status != CAROM_OK || iw->jammed) {
        return status;
    }
    if (report->dt < dt && friction_grips(iw, report->dt)) { /* error control wants as little */
        *shorter = report->dt;
        return CAROM_OK;
    }
    double drift = search_play_drift(iw, c->scratch);
    if (drift > 1.0 && report->dt > SHORTEST * end) { /* errors of a step grow with its fifth or sixth power */
        *shorter = report->dt * fmax(0.1, 0.8 * pow(drift, -0.2));
        friction_grips(iw, *shorter);
    } else if (drift > 1.0) {
        return carom_fail(c->err, CAROM_NOT_CONVERGED,
                          "closed clearances open by %.3g times what they may at t = %.9g s, however short the step; "
                          "try a smaller time.tolerance",
                          drift, *c->state->time);
    }
    return CAROM_OK;
}

/* A step of at most dt within which clearances that touch stay closed: shorter ones are tried until they do. */
static carom_status step_closed(carom_step_context *c, impact_work *iw, double dt, carom_step_report *report)
{
    int rejected = 0;
    dt = fmin(dt, search_play_step(iw, c->scratch, c->state));
    for (;;) {
        double shorter = 0.0;
        if (!lasting_watch(iw)) {
            return carom_fail(c->err, CAROM_NO_MEMORY, "out of memory for contacts");
        }
        carom_status status = try_step(c, iw, dt, report, &shorter);
        report->rejected += rejected;
        if (status != CAROM_OK || shorter == 0.0) {
            return status;
        }
        rejected = report->rejected + 1;
        dt = shorter;
        step_abort(c);
        integrator_load(c->scratch, c->state);
        if (iw->gripped >= 0) {
            *c->state->last_step = report->dt = 0.0;
            return CAROM_OK;
        }
    }
}

/* The gap of a touch whose moment was not found in time. */
static void note_nearest(carom_step_context *c, const impact_work *iw, const contact *s)
{
    static const double OFF = 1e-9; /* of the model's size: less is as good as found */
    gap_value g = gap_of(iw, c->scratch, c->state, s);
    finding_place place = s->kind == CONTACT_SURFACE ? finding_at_pair(s->body[0], s->body[1])
                                                     : finding_at_joint(s->a);
    if (fabs(g.gap) > OFF * iw->model->length_scale) {
        finding_note(&c->scratch->findings, CAROM_FINDING_EVENT_NEAREST, place, fabs(g.gap),
                     settle_touch(c->scratch, g.rate), *c->state->time);
    }
}

/* Whether a touch is far from where the search has seen it: repeated up to there, the step moves otherwise than the longer
 * one did that was searched, and what is beyond has not been. */
static bool is_elsewhere(double begin, double target, double next)
{
    static const double FAR = 0.1; /* of the step; where steps are good they agree to many digits */
    return next - target > FAR * (target - begin);
}

/* Repeats the step up to the event, and again until the gap agrees, or the slip that ends. */
static carom_status step_to(carom_step_context *c, impact_work *iw, change *event, carom_step_report *report)
{
    enum { MOST = 6 };
    carom_state *s = c->state;
    double begin = c->scratch->dense->begin.t;
    double target = event->t;
    bool touches = event->kind == CHANGE_TOUCH;
    bool refine = touches || (event->kind == CHANGE_MODE && event->slip >= 0);
    for (int k = 0; k < MOST; ++k) {
        if (!(target > begin)) {
            return stay_at_begin(c, report);
        }
        double shorter = 0.0;
        step_abort(c);
        carom_status status = try_step(c, iw, target - begin, report, &shorter);
        if (status == CAROM_OK && shorter > 0.0) {
            step_abort(c);
            event->kind = iw->gripped >= 0 ? CHANGE_GRIP : CHANGE_NONE;
            return iw->gripped >= 0 ? stay_at_begin(c, report) : step_closed(c, iw, shorter, report);
        }
        if (status == CAROM_OK && *s->time < target - 4.0 * DBL_EPSILON * fabs(target)) {
            event->kind = CHANGE_NONE; /* error control wants a shorter step, within which there is none */
            return status;
        }
        if (status == CAROM_OK && refine && touches && k == MOST - 1) {
            note_nearest(c, iw, &event->contact);
        }
        if (status != CAROM_OK || !refine || k == MOST - 1) {
            return status;
        }
        if (touches && target < event->t &&
            !in_bounds(iw, s, &event->contact)) { /* they come into bounds only later, a little closed */
            target = event->t;
            refine = false;
            continue;
        }
        double next = target + (touches ? touch_correction(iw, c->scratch, s, event) : slip_correction(iw, s, event));
        if (next == target || (!touches && next <= begin)) {
            return CAROM_OK;
        }
        if (is_elsewhere(begin, target, next)) {
            event->kind = CHANGE_NONE;
            return CAROM_OK;
        }
        bool at_once = next <= begin && touches_at_begin(c, iw, event);
        refine = next > begin; /* else the features meet only where the search has seen them */
        target = refine ? next : at_once ? begin : target;
    }
    return CAROM_OK;
}

/* The step that was asked for, or up to the first event. */
static carom_status step_and_search(carom_step_context *c, impact_work *iw, double dt, carom_step_report *report,
                                    change *event)
{
    enum { MOST_SEARCHES = 8 };
    carom_scratch *w = c->scratch;
    carom_status status = step_closed(c, iw, dt, report);
    if (status != CAROM_OK) {
        return status;
    }
    if (iw->jammed) { /* somewhere in between: nearer, until it is here */
        *event = (change){ .kind = CHANGE_JAM, .t = w->dense->begin.t, .distance = HUGE_VAL };
        double half = 0.5 * report->dt;
        step_abort(c);
        if (half > 1e-10 * iw->model->scene.time.end) {
            return step_and_search(c, iw, half, report, event);
        }
        *c->state->last_step = report->dt = 0.0;
        return CAROM_OK;
    }
    if (iw->gripped >= 0) {
        *event = (change){ .kind = CHANGE_GRIP, .t = *c->state->time, .distance = HUGE_VAL };
        return CAROM_OK;
    }
    carom_step_report all = *report;
    status = search_and_note(c, iw, event);
    for (int k = 0; status == CAROM_OK && event->kind != CHANGE_NONE; ++k) {
        status = step_to(c, iw, event, report);
        all.rejected += report->rejected + 1;
        all.evaluations += report->evaluations;
        bool there = event->kind != CHANGE_NONE;
        bool beyond = report->dt > 0.0 && search_play_exceeded(iw, w);
        if (status != CAROM_OK || (there && (k >= MOST_SEARCHES || !beyond))) {
            break;
        }
        /* Another step, and a shorter one, has come of it, by error control or because it moves differently. */
        change found;
        status = search_and_note(c, iw, &found);
        if (there && found.kind == CHANGE_NONE) {
            break;
        }
        *event = found;
    }
    report->rejected = all.rejected;
    report->evaluations = all.evaluations;
    return status;
}

static carom_status treat(carom_step_context *c, impact_work *iw, const change *event)
{
    switch (event->kind) {
    case CHANGE_NONE:
        return iw->present.contacts.count > 0 || iw->reduced.joint_count > 0 ? settle_drift(c, iw) : CAROM_OK;
    case CHANGE_JAM:
        return settle_jam(c, iw, iw->culprit);
    case CHANGE_GRIP:
        return settle_grip(c, iw, iw->gripped);
    default:
        return settle(c, iw, event->ahead);
    }
}

/* Events without end at one instant are a contradiction that no treatment solves. */
static carom_status check_progress(carom_step_context *c, impact_work *iw, double dt)
{
    enum { MOST_STALLED = 1000 };
    iw->stalled = dt > 0.0 ? 0 : iw->stalled + 1;
    if (iw->stalled <= MOST_STALLED) {
        return CAROM_OK;
    }
    iw->stalled = 0;
    return carom_fail(c->err, CAROM_NOT_CONVERGED,
                      "contact does not let time go on at t = %.9g s (%zu lasting contacts, %zu touching)",
                      *c->state->time, iw->present.contacts.count, iw->found.count);
}

static carom_status finish(carom_step_context *c, impact_work *iw, const change *event, carom_step_report *report)
{
    carom_status status = treat(c, iw, event);
    status = status == CAROM_OK ? check_progress(c, iw, report->dt) : status;
    report->contacts = iw->points.count;
    report->penetration = iw->totals.penetration;
    report->distance = iw->points.count > 0 ? fmin(event->distance, -iw->totals.penetration) : event->distance;
    return status;
}

/* The same; a step that has gone beyond a play all the same, as its motion depends on how long it is, is too long. */
static carom_status step_within_play(carom_step_context *c, impact_work *iw, double dt, carom_step_report *report,
                                     change *event)
{
    static const double SHORTEST = 1e-9; /* of the run */
    int rejected = 0;
    size_t findings = c->scratch->kept.findings;
    for (;;) {
        carom_status status = step_and_search(c, iw, dt, report, event);
        report->rejected += rejected;
        bool beyond = status == CAROM_OK && report->dt > 0.0 && search_play_exceeded(iw, c->scratch);
        bool shortest = report->dt <= SHORTEST * iw->model->scene.time.end;
        if (beyond && shortest) {
            finding_note(&c->scratch->findings, CAROM_FINDING_SEARCH_CUT_SHORT, finding_in_run(), rejected + 1,
                         (double)NAN, *c->state->time);
        }
        if (!beyond || shortest) {
            return status;
        }
        dt = 0.25 * fmin(dt, report->dt);
        rejected = report->rejected + 1;
        c->scratch->kept.findings = findings;
        step_abort(c);
        integrator_load(c->scratch, c->state);
    }
}

static carom_status impact_step(carom_step_context *c, double dt, carom_step_report *report)
{
    impact_work *iw = c->scratch->contact;
    change event;
    integrator_load(c->scratch, c->state);
    if (iw->load_failed || !contact_set_copy(&iw->last, &iw->present, iw->reduced.joint_count)) {
        return carom_fail(c->err, CAROM_NO_MEMORY, "out of memory for contacts");
    }
    carom_status status = step_begin(c);
    if (status != CAROM_OK) {
        return status;
    }
    iw->repeated = *c->state->last_step == 0.0 && *c->state->step_count > 0.0;
    dt = fmin(dt, integrator_of(c->model).settings.step);
    status = step_within_play(c, iw, dt, report, &event);
    if (status == CAROM_OK) {
        status = finish(c, iw, &event, report);
    }
    if (status == CAROM_OK && carom_stop_seen(&c->scratch->stop)) { /* some solver has not come to its end */
        status = work_interrupted(c->scratch, c->err);
    }
    if (status != CAROM_OK) {
        step_abort(c);
    }
    return status;
}

static carom_status impact_start(carom_step_context *c)
{
    bool first = *c->state->step_count == 0.0; /* not anew, after a jump of a force */
    carom_status status = first ? impact_admit(c->state, c->scratch, c->err) : CAROM_OK;
    if (status == CAROM_OK) {
        status = dynamics_start(c->scratch, c->state, c->err);
    }
    return status == CAROM_OK ? settle(c, c->scratch->contact, 0.0) : status;
}

const carom_method carom_method_impact = {
    .kind = { .name = "impact",
              .doc = "Rigid contact by events: impulses with restitution and exact Coulomb friction at contacts and "
                     "joints, for linkages, clearances and long runs.",
              .fields = fields,
              .defaults = &defaults,
              .size = sizeof defaults },
    .colliders = set_colliders,
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
