/* From where the state stands to the end of a step or to its first event.
 *
 *     advance_to_event   dynamics' step_to with what follows; again, shorter, where a play has been exceeded all the same
 *     integrate          a step in which closed clearances stay closed and no joint jams
 *     search             the first event on its dense output (search.h)
 *     locate             where the event is once the step has been repeated up to it: gap closed, slip used up
 *
 * Friction may grow without limit within no time: of a joint (jam) or of a contact (grip). No step then leads up to the
 * event; it is where the step begins. */
#include "methods/impact/advance.h"

#include <float.h>

#include "dynamics/dense.h"
#include "dynamics/integrator.h"
#include "dynamics/step_to.h"
#include "methods/impact/resolve_event.h"

typedef struct advance {
    carom_step_context *c;
    impact_work *iw;
    impact_event *event; /* found last */
    bool refine;         /* it is to be located better than the search has done */
    bool refused;        /* the step that led to it is searched anew */
    int searches;
} advance;

/* ---- integrate ------------------------------------------------------------------------------------------------------ */

/* The contact that slips and carries most in the last evaluation, the first one where that found nothing; -1: none slips. */
static int most_loaded_slip(const impact_work *iw)
{
    int most = -1;
    for (size_t k = 0; k < iw->present.contacts.count; ++k) {
        bool slips = iw->present.modes[k].mode == FRICTION_SLIP && !iw->present.modes[k].inactive;
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
        if (!active_set_watch(iw)) {
            return carom_fail(c->err, CAROM_NO_MEMORY, "out of memory for contacts");
        }
        carom_status status = try_step(c, iw, dt, report, &shorter);
        report->rejected += rejected;
        if (status != CAROM_OK || shorter == 0.0) {
            return status;
        }
        rejected = report->rejected + 1;
        dt = shorter;
        if (iw->gripped >= 0) {
            return CAROM_OK;
        }
        step_abort(c);
        integrator_load(c->scratch, c->state);
    }
}

/* The event is where the step begins. */
static void event_at_begin(const advance *a, event_kind kind, carom_step_report *report)
{
    step_nowhere(a->c, report);
    *a->event = (impact_event){ .kind = kind, .t = *a->c->state->time, .distance = HUGE_VAL };
}

/* A step of at most dt; a joint that jams somewhere in between is approached by ever shorter ones until it jams here. */
static carom_status step_freely(const advance *a, double dt, carom_step_report *report)
{
    static const double SHORTEST = 1e-10; /* of the run */
    *a->event = (impact_event){ .kind = EVENT_NONE };
    for (;;) {
        carom_status status = step_closed(a->c, a->iw, dt, report);
        if (status != CAROM_OK || !a->iw->jammed) {
            if (status == CAROM_OK && a->iw->gripped >= 0) {
                event_at_begin(a, EVENT_GRIP, report);
            }
            return status;
        }
        dt = 0.5 * report->dt;
        if (!(dt > SHORTEST * a->iw->model->scene.time.end)) {
            event_at_begin(a, EVENT_JAM, report);
            return CAROM_OK;
        }
        step_abort(a->c);
    }
}

/* Up to an event; or a shorter step, that is searched anew. */
static carom_status step_again(const advance *a, double dt, carom_step_report *report)
{
    double shorter = 0.0;
    carom_status status = try_step(a->c, a->iw, dt, report, &shorter);
    if (status != CAROM_OK || shorter == 0.0) {
        return status;
    }
    if (a->iw->gripped >= 0) {
        event_at_begin(a, EVENT_GRIP, report);
        return CAROM_OK;
    }
    step_abort(a->c);
    status = step_closed(a->c, a->iw, shorter, report);
    if (status == CAROM_OK && a->iw->gripped >= 0) {
        event_at_begin(a, EVENT_GRIP, report);
    }
    return status;
}

static carom_status integrate(void *context, bool again, double dt, carom_step_report *report)
{
    const advance *a = context;
    return again ? step_again(a, dt, report) : step_freely(a, dt, report);
}

/* ---- search --------------------------------------------------------------------------------------------------------- */

/* The first event within the last step. What the search has to say holds for the step to that event, too, whose notes begin
 * there. */
static carom_status search(void *context, double *t)
{
    advance *a = context;
    carom_scratch *w = a->c->scratch;
    size_t before = w->findings.count;
    impact_event found;
    *t = HUGE_VAL;
    if (a->event->kind == EVENT_JAM || a->event->kind == EVENT_GRIP) {
        return CAROM_OK; /* no step was made */
    }
    carom_status status = search_first(a->iw, w, &found, a->c->err);
    step_keep_findings(w, before);
    if (found.kind != EVENT_NONE || !a->refused) { /* else the event at the end of the step stays */
        *a->event = found;
    }
    *t = found.kind != EVENT_NONE ? found.t : HUGE_VAL;
    a->refine = found.kind == EVENT_TOUCH || (found.kind == EVENT_MODE && found.slip >= 0);
    a->refused = false;
    a->searches++;
    return status;
}

/* ---- locate --------------------------------------------------------------------------------------------------------- */

/* The gap of a contact where bodies are at these poses. */
static gap_value gap_at(const impact_work *iw, const carom_scratch *w, const body_pose *pose, const body_rate *rate,
                        const contact *at)
{
    gap_value g;
    contact_bodies bodies = { { pose[at->body[0]], pose[at->body[1]] }, { rate[at->body[0]], rate[at->body[1]] } };
    contact_gap(at, iw->model, &bodies, w->near, &g);
    return g;
}

/* Whether the place of contact is inside its features there. */
static bool in_bounds(const impact_work *iw, const body_pose *pose, const contact *at)
{
    if (at->kind != CONTACT_SURFACE) {
        return true;
    }
    gap_pair pair = contact_colliders(iw->model, at->a, at->b);
    const body_pose *a = &pose[at->body[0]];
    const body_pose *b = &pose[at->body[1]];
    carom_pose pose_w[2] = { { a->x_w, a->q_wb }, { b->x_w, b->q_wb } };
    return gap_bounds(&at->feature, &pair, pose_w) >= 0.0;
}

/* By how much the moment of a touch has to be shifted so that its gap is that of surfaces that touch [s]. */
static double touch_correction(const advance *a)
{
    const carom_scratch *w = a->c->scratch;
    const carom_state *s = a->c->state;
    gap_value g = gap_at(a->iw, w, s->pose, s->rate, &a->event->contact);
    double touch = touching_gap(w, g.rate);
    double off = g.gap - touch;
    double slowest = 1e-8 * impact_speed_scale(w, s->rate);
    if (fabs(off) <= 0.1 * touch || !(g.rate < -slowest)) { /* grazing: the time is as good as it gets */
        return 0.0;
    }
    return -off / g.rate;
}

/* By how much the moment at which a slip is used up has to be shifted so that nothing is left of it [s]. Dense output may
 * miss the velocity at the end of the step that it was found on by more than the step itself errs. */
static double slip_correction(const advance *a)
{
    static const double AS_GOOD_AS_FOUND = 4.0 * DBL_EPSILON; /* of the time */
    double left = event_function_slip_left(a->iw, a->event->slip);
    return fabs(left) > AS_GOOD_AS_FOUND * fabs(*a->c->state->time) ? left : 0.0;
}

/* Whether the contact touches where the step begins. Once at an instant: where it has been treated there already, time goes
 * on. */
static bool touches_at_begin(const advance *a)
{
    const carom_scratch *w = a->c->scratch;
    const dense_end *begin = &w->dense->begin;
    gap_value g = gap_at(a->iw, w, begin->pose, begin->rate, &a->event->contact);
    return !a->iw->repeated && g.gap <= 2.0 * touching_gap(w, g.rate) &&
           in_bounds(a->iw, begin->pose, &a->event->contact);
}

/* The gap of a touch whose moment was not found in time. */
static void note_nearest(const advance *a)
{
    const carom_step_context *c = a->c;
    const contact *s = &a->event->contact;
    static const double OFF = 1e-9; /* of the model's size: less is as good as found */
    gap_value g = gap_at(a->iw, c->scratch, c->state->pose, c->state->rate, s);
    finding_place place = s->kind == CONTACT_SURFACE ? finding_at_pair(s->body[0], s->body[1])
                                                     : finding_at_joint(s->a);
    if (fabs(g.gap) > OFF * a->iw->model->length_scale) {
        finding_note(&c->scratch->findings, CAROM_FINDING_EVENT_NEAREST, place, fabs(g.gap),
                     touching_gap(c->scratch, g.rate), *c->state->time);
    }
}

/* Whether a touch is far from where the search has seen it: repeated up to there, the step moves otherwise than the longer
 * one did that was searched, and what is beyond has not been. */
static bool is_elsewhere(double begin, double target, double next)
{
    static const double FAR = 0.1; /* of the step; where steps are good they agree to many digits */
    return next - target > FAR * (target - begin);
}

/* Where a slip ends whose step has been repeated up to t. */
static double locate_slip(const advance *a, double t)
{
    double begin = a->c->scratch->dense->begin.t;
    double next = t + slip_correction(a);
    return next <= begin ? t : is_elsewhere(begin, t, next) ? HUGE_VAL : next;
}

/* Where a gap closes whose step has been repeated up to t. */
static double locate_touch(advance *a, double t)
{
    double begin = a->c->scratch->dense->begin.t;
    if (t < a->event->t && !in_bounds(a->iw, a->c->state->pose, &a->event->contact)) {
        a->refine = false; /* they come into bounds only later, a little closed */
        return a->event->t;
    }
    double next = t + touch_correction(a);
    if (is_elsewhere(begin, t, next)) {
        return HUGE_VAL;
    }
    if (next > begin) {
        return next;
    }
    a->refine = false; /* unless at the beginning, the features meet only where the search has seen them */
    return touches_at_begin(a) ? begin : t;
}

static double locate(void *context, double t, bool last)
{
    advance *a = context;
    bool touch = a->event->kind == EVENT_TOUCH;
    if (last && touch && a->refine) {
        note_nearest(a);
    }
    if (!a->refine || last) {
        return t;
    }
    return touch ? locate_touch(a, t) : locate_slip(a, t);
}

/* A step that has gone beyond an open play on the way to the event, because it moves otherwise than the longer one that was
 * searched, is searched anew. */
static bool accept(void *context)
{
    enum { MOST_SEARCHES = 8 };
    advance *a = context;
    const carom_scratch *w = a->c->scratch;
    bool moved = *a->c->state->time > w->dense->begin.t;
    a->refused = moved && a->searches <= MOST_SEARCHES && search_play_exceeded(a->iw, a->c->scratch);
    return !a->refused;
}

/* ---- the whole ------------------------------------------------------------------------------------------------------ */

carom_status advance_to_event(carom_step_context *c, impact_work *iw, double dt, carom_step_report *report,
                              impact_event *event)
{
    static const double SHORTEST = 1e-9; /* of the run */
    int rejected = 0;
    size_t findings = c->scratch->kept.findings;
    for (;;) {
        advance a = { .c = c, .iw = iw, .event = event };
        step_events events = {
            .context = &a, .step = integrate, .first = search, .locate = locate, .accept = accept
        };
        carom_status status = step_to(c, &events, dt, report);
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
