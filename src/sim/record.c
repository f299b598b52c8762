/* What a run hands to its sink: the events of its steps and the frames that they reach, from dense output.
 *
 * Events are counted and findings added up whatever the sink; without one no frame is looked at. */
#include "base/arguments.h"
#include "base/clock.h"
#include "dynamics/dense.h"
#include "dynamics/observer.h"
#include "model/method.h"
#include "result/result.h"
#include "sim/frame.h"
#include "sim/run.h"

static carom_status record_frame(run *r, double t, carom_error *err)
{
    carom_frame frame = { .scratch = r->scratch };
    carom_status status = observe_frame(r->scratch, r->state, t, &r->seen, &frame.all, err);
    if (status != CAROM_OK) {
        return status;
    }
    finding f;
    if (!judge_frame(r->model, &frame.all, &f) && !finding_totals_add(&r->watched.memory.findings, &f)) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for findings");
    }
    status = r->verifier ? verifier_frame(r->verifier, frame.all.t, frame.all.pose, err) : CAROM_OK;
    if (status != CAROM_OK) {
        return status;
    }
    r->last = frame.all.ledger;
    r->progress.frames++;
    carom_error said = { 0 };
    return run_sink_answer("frame", r->sink.frame(r->sink.self, &frame, &said), &said, err);
}

/* Of evaluations, so far. */
static double seconds_counted(const run *r)
{
    const work_counters *c = &r->scratch->counters;
    return c->seconds_detection + c->seconds_assembly + c->seconds_solve;
}

/* All frames that the last step has reached. */
static carom_status record_frames(run *r, carom_error *err)
{
    double start = carom_clock_wall();
    double counted = seconds_counted(r);
    if (!r->sink.frame || !schedule_reached(r)) {
        return CAROM_OK;
    }
    carom_status status = totals_look(r, &r->progress, err);
    bool ends = r->model->method->minimises || /* nothing is promised within a step: frames are at its end */
                (r->model->method->leaps && !r->scratch->dense->smooth);
    while (status == CAROM_OK && schedule_reached(r)) {
        status = record_frame(r, ends ? *r->state->time : fmin(schedule_next(r), *r->state->time), err);
        while (ends && schedule_reached(r)) {
            ++r->progress.skipped;
        }
        if (status == CAROM_OK && carom_stop_asked(&r->scratch->stop)) { /* a step may hold very many frames */
            status = run_interrupted(r, err);
        }
    }
    double evaluations = seconds_counted(r) - counted; /* counted as what they are */
    r->progress.phases[PHASE_RECORDING] += carom_clock_wall() - start - evaluations;
    return status;
}

static carom_status hand_over(run *r, const carom_event *event, carom_error *err)
{
    if (!r->sink.event || r->progress.events_recorded >= RESULT_EVENTS_MOST) {
        return CAROM_OK;
    }
    r->progress.events_recorded++;
    carom_error said = { 0 };
    return run_sink_answer("event", r->sink.event(r->sink.self, event, &said), &said, err);
}

/* Counts the events of the last step and hands them over, but for those beyond the limit. */
static carom_status record_events(run *r, carom_error *err)
{
    event_list *list = &r->scratch->events;
    event_list_sort(list);
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < list->count && status == CAROM_OK; ++i) {
        totals_add_event(r, &list->items[i]);
        status = hand_over(r, &list->items[i], err);
    }
    list->count = 0;
    return status;
}

carom_status record_findings(run *r, carom_error *err)
{
    finding_list *list = &r->scratch->findings;
    bool ok = !list->lost;
    for (size_t i = 0; ok && i < list->count; ++i) {
        ok = finding_totals_add(&r->watched.memory.findings, &list->items[i]);
    }
    list->count = 0;
    return ok ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory for findings");
}

carom_status record_begin(run *r, carom_error *err)
{
    carom_status status = contact_watch_start(&r->watched, r->scratch, err);
    status = status == CAROM_OK ? record_events(r, err) : status;
    status = status == CAROM_OK ? record_findings(r, err) : status;
    return status == CAROM_OK ? record_frames(r, err) : status;
}

carom_status record_step(run *r, carom_error *err)
{
    r->recording = true;
    r->record_start = carom_clock_wall();
    carom_status status = contact_watch_step(&r->watched, r->scratch, err); /* before anything else is evaluated */
    status = status == CAROM_OK ? judge_step(&r->judge, r->scratch, err) : status;
    status = status == CAROM_OK ? record_events(r, err) : status;
    status = status == CAROM_OK ? record_findings(r, err) : status;
    status = status == CAROM_OK ? record_frames(r, err) : status;
    r->recording = false;
    r->inside_step = status == CAROM_INTERRUPTED;
    return status;
}

double carom_frame_time(const carom_frame *frame)
{
    return frame ? frame->all.t : 0.0;
}

carom_status carom_frame_observe(const carom_frame *frame, const carom_observer *observer, double *out,
                                 carom_error *err)
{
    const char *function = "carom_frame_observe";
    carom_status status = argument_given(function, "frame", frame, err);
    status = status == CAROM_OK ? observer_check(function, observer, frame->scratch->model, out, err) : status;
    if (status == CAROM_OK) {
        observer_read(observer, frame->scratch, &frame->all.ledger, out);
    }
    return status;
}
