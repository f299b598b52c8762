/* The run loop: assemble, step, record frames from dense output, keep checkpoints, sum up.
 *
 * Frames lie on a grid of times and never shape the steps, so results do not depend on how often they are written.
 * A checkpoint is taken between steps and counts the frames written before it; going on from it repeats the same
 * steps and the same frames bit for bit; likewise events. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <carom/run.h>

#include "base/arguments.h"
#include "base/clock.h"
#include "dynamics/observe.h"
#include "export/csv.h"
#include "result/checkpoint.h"
#include "result/result.h"
#include "result/summary.h"
#include "model/method.h"
#include "sim/contact_watch.h"
#include "sim/judge.h"
#include "sim/start.h"

static const double RECORD_ANYWAY = 0.3;     /* [s] of wall time for frames of a step after an end is wanted */
static const double FLUSH_EVERY = 2.0;       /* [s] of wall time a killed run may lose */
static const double CHECKPOINT_EVERY = 30.0; /* [s] of wall time */

typedef struct run {
    const carom_model *model;
    const carom_run_options *options;
    carom_state *state;
    carom_scratch *scratch;
    carom_arena arena;
    observer seen;
    contact_watch watched;
    contact_judge judge;
    carom_findings *findings; /* at the end */
    result_writer *writer;
    run_progress progress;
    carom_ledger last;
    double wall_start;
    double last_flush;
    double last_checkpoint;
    double last_dt;
    int last_contacts;
    const char *warning; /* of the start; NULL: none */
    double reached;      /* [s] where the last step ended */
    double saved;        /* [s] until when the folder holds the run; less than nothing: not at all */
    bool begun;          /* the first frame is written */
    bool resumable;      /* there is a checkpoint */
    bool recording;      /* frames of a step are being written since: */
    double record_start; /* [s] */
    bool inside_step;    /* stopped between the frames of one step: the last checkpoint stands */
} run;

static double wall(const run *r)
{
    return r->progress.wall + carom_clock_wall() - r->wall_start;
}

/* The time of frame k; the last one is the end, on the grid or not. */
static double frame_time(const run *r, long k)
{
    double t = (double)k * r->progress.every;
    return t < r->progress.end * (1.0 - 1e-12) ? t : r->progress.end;
}

static long frame_total(const run *r)
{
    return (long)ceil(r->progress.end / r->progress.every - 1e-9) + 1;
}

static void keep_worst(double *worst, double value)
{
    *worst = max_or_nan(*worst, fabs(value));
}

/* The largest energy that has changed its form since the start. Where all rests that is rounding: no less than a billionth of
 * what lifts the bodies by their size, or of what springs hold. */
static double turnover(const run *r, const carom_ledger *now)
{
    const carom_model *model = r->model;
    const carom_ledger *first = r->progress.steps > 0 ? &r->progress.first : now;
    const double all[] = { now->kinetic,
                           now->potential - first->potential,
                           now->elastic - first->elastic,
                           now->work_motors,
                           now->work_loads,
                           now->work_motion,
                           now->lost_damping,
                           now->lost_drag,
                           now->lost_stops,
                           now->lost_friction,
                           now->lost_contact,
                           now->lost_impact };
    double mass = 0.0;
    for (int i = 0; i < model->body_count; ++i) {
        mass += model->bodies[i].role == BODY_FREE ? model->bodies[i].mass : 0.0;
    }
    double least = 1e-9 * (mass * v3_norm(model->scene.gravity) * model->length_scale + fabs(now->elastic)) +
                   1e-12 * fabs(now->potential);
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
        least = max_or_nan(least, fabs(all[k]));
    }
    return least;
}

static void judge(run *r, const carom_ledger *ledger)
{
    run_progress *p = &r->progress;
    keep_worst(&p->energy_error_max, ledger->residue);
    keep_worst(&p->momentum_error_max, v3_norm(ledger->momentum_residue));
    keep_worst(&p->angular_momentum_error_max, v3_norm(ledger->angular_momentum_residue));
    keep_worst(&p->position_error_max, ledger->position_error);
    keep_worst(&p->velocity_error_max, ledger->velocity_error);
    keep_worst(&p->kinetic_max, ledger->kinetic);
    keep_worst(&p->turnover_max, turnover(r, ledger));
    r->last = *ledger;
}

static carom_status record_frame(run *r, double t, carom_error *err)
{
    result_frame frame;
    carom_status status = observe_frame(r->scratch, r->state, t, &r->seen, &frame, err);
    if (status != CAROM_OK) {
        return status;
    }
    finding f;
    if (!judge_frame(r->model, &frame, &f) && !finding_totals_add(&r->watched.memory.findings, &f)) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for findings");
    }
    r->last = frame.ledger;
    r->progress.frames++;
    return result_writer_append(r->writer, &frame, err);
}

/* The ledger where the state stands: what the run is judged by, free of interpolation. */
static carom_status look(run *r, carom_error *err)
{
    carom_ledger ledger;
    carom_status status = carom_observe_ledger(r->model, r->state, r->scratch, &ledger, err);
    if (status == CAROM_OK) {
        judge(r, &ledger);
    }
    return status;
}

static void count_event(run_progress *p, const carom_event *event)
{
    p->events[event->kind]++;
    if (event->kind == CAROM_EVENT_IMPACT) {
        p->impact_modes[event->mode]++;
    }
}

/* Counts the events of the last step and records them, but for those beyond the limit. */
static carom_status record_events(run *r, carom_error *err)
{
    event_list *list = &r->scratch->events;
    event_list_sort(list);
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < list->count && status == CAROM_OK; ++i) {
        count_event(&r->progress, &list->items[i]);
        if (r->progress.events_recorded < RESULT_EVENTS_MOST) {
            r->progress.events_recorded++;
            status = result_writer_add_event(r->writer, &list->items[i], err);
        }
    }
    list->count = 0;
    return status;
}

/* Adds up what the step, or the start, has found. */
static carom_status record_findings(run *r, carom_error *err)
{
    finding_list *list = &r->scratch->findings;
    bool ok = !list->lost;
    for (size_t i = 0; ok && i < list->count; ++i) {
        ok = finding_totals_add(&r->watched.memory.findings, &list->items[i]);
    }
    list->count = 0;
    return ok ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory for findings");
}

static bool wants_to_go_on(const run *r)
{
    carom_progress p = { .t = r->reached,
                         .end = r->progress.end,
                         .dt = r->last_dt,
                         .wall = wall(r),
                         .steps = r->progress.steps,
                         .contacts = r->last_contacts,
                         .warning = r->warning,
                         .begun = r->begun };
    return !r->options->keep_going || r->options->keep_going(r->options->context, &p);
}

/* For those who work inside of steps. A step whose frames are not all written is lost: they are, unless it takes long. */
static bool may_go_on(void *context)
{
    const run *r = context;
    bool soon_done = r->recording && carom_clock_wall() - r->record_start < RECORD_ANYWAY;
    return soon_done || wants_to_go_on(r);
}

static carom_status interrupted(const run *r, carom_error *err)
{
    return carom_fail(err, CAROM_INTERRUPTED, "interrupted at t = %.6g s of %.6g s", *r->state->time,
                      r->progress.end);
}

/* Of evaluations, so far. */
static double seconds_counted(const run *r)
{
    const work_counters *c = &r->scratch->counters;
    return c->seconds_detection + c->seconds_assembly + c->seconds_solve;
}

/* All frames that the last step has reached. */
static carom_status record_reached(run *r, carom_error *err)
{
    double start = carom_clock_wall();
    double counted = seconds_counted(r);
    long total = frame_total(r);
    if (r->progress.frames >= total || frame_time(r, r->progress.frames) > *r->state->time) {
        return CAROM_OK;
    }
    carom_status status = look(r, err);
    while (status == CAROM_OK && r->progress.frames < total && frame_time(r, r->progress.frames) <= *r->state->time) {
        status = record_frame(r, frame_time(r, r->progress.frames), err);
        if (status == CAROM_OK && carom_stop_asked(&r->scratch->stop)) { /* a step may hold very many frames */
            status = interrupted(r, err);
        }
    }
    double evaluations = seconds_counted(r) - counted; /* counted as what they are */
    r->progress.phases[PHASE_RECORDING] += carom_clock_wall() - start - evaluations;
    return status;
}

/* The seconds that evaluations have counted so far. */
static void add_phases(const run *r, double phases[PHASE_COUNT])
{
    const work_counters *counters = &r->scratch->counters;
    phases[PHASE_DETECTION] += counters->seconds_detection;
    phases[PHASE_ASSEMBLY] += counters->seconds_assembly;
    phases[PHASE_SOLVE] += counters->seconds_solve;
}

static carom_status flush(run *r, carom_error *err)
{
    carom_status status = result_writer_flush(r->writer, err);
    r->saved = status == CAROM_OK ? *r->state->time : r->saved;
    return status;
}

static carom_status save(run *r, carom_error *err)
{
    run_progress saved = r->progress;
    saved.wall = wall(r);
    add_phases(r, saved.phases);
    carom_status status = flush(r, err);
    r->last_flush = r->last_checkpoint = carom_clock_wall();
    if (status == CAROM_OK) {
        status = checkpoint_write(r->options->folder, r->model, r->state, &saved, &r->watched.memory, err);
        r->resumable = r->resumable || status == CAROM_OK;
    }
    return status;
}

static carom_status keep_house(run *r, carom_error *err)
{
    double now = carom_clock_wall();
    double every = r->options->checkpoint_every > 0.0 ? r->options->checkpoint_every : CHECKPOINT_EVERY;
    if (now - r->last_checkpoint >= every) {
        return save(r, err);
    }
    if (now - r->last_flush >= FLUSH_EVERY) {
        r->last_flush = now;
        return flush(r, err);
    }
    return CAROM_OK;
}

static void note_contacts(run_progress *p, const carom_step_report *report)
{
    p->contacts_max = report->contacts > p->contacts_max ? report->contacts : p->contacts_max;
    p->penetration_max = fmax(p->penetration_max, report->penetration);
    p->distance_min = fmin(p->distance_min, report->distance);
}

/* All that the last step leaves behind. */
static carom_status record_step(run *r, carom_error *err)
{
    r->recording = true;
    r->record_start = carom_clock_wall();
    carom_status status = contact_watch_step(&r->watched, r->scratch, err); /* before anything else is evaluated */
    status = status == CAROM_OK ? judge_step(&r->judge, r->scratch, err) : status;
    status = status == CAROM_OK ? record_events(r, err) : status;
    status = status == CAROM_OK ? record_findings(r, err) : status;
    status = status == CAROM_OK ? record_reached(r, err) : status;
    r->recording = false;
    r->inside_step = status == CAROM_INTERRUPTED;
    return status;
}

static carom_status advance(run *r, carom_error *err)
{
    carom_step_report report = { 0 };
    sim_clear(r->scratch);
    carom_status status = sim_step(r->model, r->state, r->scratch, r->progress.end - *r->state->time, &report, err);
    if (status != CAROM_OK) {
        return status;
    }
    r->last_dt = report.dt;
    r->last_contacts = report.contacts;
    r->progress.steps++;
    r->progress.rejected += report.rejected;
    r->progress.evaluations += report.evaluations;
    note_contacts(&r->progress, &report);
    status = record_step(r, err);
    r->reached = *r->state->time;
    return status == CAROM_OK ? keep_house(r, err) : status;
}

static carom_status go(run *r, carom_error *err)
{
    while (*r->state->time < r->progress.end) {
        if (!wants_to_go_on(r)) {
            return interrupted(r, err);
        }
        carom_status status = advance(r, err);
        if (status != CAROM_OK) {
            return status;
        }
    }
    wants_to_go_on(r); /* shows the end */
    return CAROM_OK;
}

static const char *status_text(run *r, carom_status status, const carom_error *err)
{
    if (status == CAROM_OK) {
        return "done";
    }
    if (status == CAROM_INTERRUPTED) {
        return "interrupted";
    }
    const char *text = carom_arena_printf(&r->arena, "failed: %s", err ? err->message : carom_status_name(status));
    return text ? text : "failed";
}

static double detection(const run *r)
{
    return r->progress.phases[PHASE_DETECTION] + (r->scratch ? r->scratch->counters.seconds_detection : 0.0);
}

static long event_total(const run_progress *p)
{
    long total = 0;
    for (int kind = 0; kind < CAROM_EVENT_KINDS; ++kind) {
        total += p->events[kind];
    }
    return total;
}

/* How many findings of each severity, and the gravest of them in a sentence. */
static void report_findings(const run *r, carom_run_report *report)
{
    for (size_t i = 0; i < carom_findings_count(r->findings); ++i) {
        report->findings[carom_findings_at(r->findings, i)->severity]++;
    }
    const carom_finding *gravest = carom_findings_at(r->findings, 0);
    if (gravest) {
        snprintf(report->gravest, sizeof report->gravest, "%s", gravest->text);
    }
}

static void write_report(const run *r)
{
    const run_progress *p = &r->progress;
    if (r->options->report) {
        *r->options->report = (carom_run_report){
            .t = r->state ? *r->state->time : 0.0,
            .saved = r->saved,
            .wall = wall(r),
            .steps = p->steps,
            .rejected = p->rejected,
            .energy_error_max = p->energy_error_max,
            .kinetic_max = p->kinetic_max,
            .turnover_max = p->turnover_max,
            .position_error_max = p->position_error_max,
            .velocity_error_max = p->velocity_error_max,
            .penetration_max = p->penetration_max,
            .contacts_max = p->contacts_max,
            .events = event_total(p),
            .evaluations = p->evaluations,
            .detection = detection(r),
            .detection_processor = r->scratch ? r->scratch->counters.processor_detection : 0.0,
            .searched = r->scratch ? r->scratch->counters.searched : (carom_search_counts){ 0 },
            .assembly = p->assembly,
            .resumable = r->resumable
        };
        report_findings(r, r->options->report);
    }
}

static carom_status write_summary(run *r, carom_status outcome, const carom_error *why, carom_error *err)
{
    const run_progress *p = &r->progress;
    if (!r->findings) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for findings");
    }
    carom_pose *pose = CAROM_ARENA_ARRAY(&r->arena, carom_pose, r->model->body_count);
    body_rate *rate = CAROM_ARENA_ARRAY(&r->arena, body_rate, r->model->body_count);
    if (!pose || !rate) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    for (int i = 0; i < r->model->body_count; ++i) {
        pose[i] = carom_state_pose(r->model, r->state, i);
        rate[i] = (body_rate){ carom_state_velocity(r->model, r->state, i),
                               carom_state_angular_velocity(r->model, r->state, i) };
    }
    result_summary s = { .status = status_text(r, outcome, why),
                         .t = *r->state->time,
                         .steps = p->steps,
                         .rejected = p->rejected,
                         .evaluations = p->evaluations,
                         .wall = wall(r),
                         .first = p->first,
                         .last = r->last,
                         .energy_error_max = p->energy_error_max,
                         .turnover_max = p->turnover_max,
                         .momentum_error_max = p->momentum_error_max,
                         .angular_momentum_error_max = p->angular_momentum_error_max,
                         .position_error_max = p->position_error_max,
                         .velocity_error_max = p->velocity_error_max,
                         .penetration_max = p->penetration_max,
                         .distance_min = isfinite(p->distance_min) ? p->distance_min : (double)NAN,
                         .contacts_max = (int)p->contacts_max,
                         .assembly = p->assembly,
                         .pose = pose,
                         .rate = rate,
                         .pairs = r->model->method->forces ? &r->watched.memory.totals : NULL,
                         .findings = r->findings };
    memcpy(s.phases, p->phases, sizeof s.phases);
    memcpy(s.events, p->events, sizeof s.events);
    memcpy(s.impact_modes, p->impact_modes, sizeof s.impact_modes);
    add_phases(r, s.phases);
    return summary_write(r->options->folder, r->model, &s, err);
}

/* What steps have found, and what only the whole run shows; the latter is not kept, as a longer run may show another. */
static void sum_findings_up(run *r)
{
    finding_list *last = &r->scratch->findings;
    finding_totals all = { 0 };
    const finding_totals *found = &r->watched.memory.findings;
    bool ok = true;
    last->count = 0;
    judge_totals(&r->judge, &r->watched.memory.totals, last);
    judge_numbers(&r->progress, *r->state->time, last);
    for (size_t i = 0; ok && i < found->count; ++i) {
        ok = finding_totals_add(&all, &found->items[i]);
    }
    for (size_t i = 0; ok && i < last->count; ++i) {
        ok = finding_totals_add(&all, &last->items[i]);
    }
    r->findings = ok && !last->lost ? findings_tell(r->model, all.items, all.count) : NULL;
    free(all.items);
}

/* signals.csv: the columns that the scene asks to record, from the frames in the folder. */
static carom_status write_signals(const run *r, carom_error *err)
{
    return r->model->signal_count > 0 ? csv_write_recorded(r->options->folder, err) : CAROM_OK;
}

/* The status of a run whose end could not be saved: an end that nobody can read, or go on from, is none. */
static carom_status end_saved(carom_status outcome, carom_status saved, const carom_error *why, carom_error *err)
{
    bool ended = outcome == CAROM_OK || outcome == CAROM_INTERRUPTED;
    return ended && saved != CAROM_OK ? carom_fail(err, saved, "%s", why->message) : outcome;
}

/* Whatever happened, what was reached is saved; the first trouble is the one reported, in the summary as well. */
static carom_status finish(run *r, carom_status outcome, carom_error *err)
{
    carom_error later = { 0 };
    carom_status saved = r->inside_step ? flush(r, &later) : save(r, &later);
    outcome = end_saved(outcome, saved, &later, err);
    carom_status listed = saved == CAROM_OK ? write_signals(r, &later) : CAROM_OK;
    outcome = end_saved(outcome, listed, &later, err);
    look(r, NULL); /* after the checkpoint: an interrupted run must resume as if it had never stopped */
    sum_findings_up(r);
    carom_status summed = write_summary(r, outcome, err, &later);
    outcome = end_saved(outcome, summed, &later, err);
    carom_status closed = result_writer_close(r->writer, &later); /* last: it gives the folder free */
    r->writer = NULL;
    return end_saved(outcome, closed, &later, err);
}

static carom_status prepare(run *r, carom_error *err)
{
    r->wall_start = r->last_flush = r->last_checkpoint = carom_clock_wall();
    r->state = carom_state_create(r->model);
    if (!r->state) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    carom_status status = carom_scratch_create(r->model, r->options->threads, &r->scratch, err);
    if (status == CAROM_OK) {
        r->scratch->counts_processor = r->options->processor_time;
        carom_scratch_watch(r->scratch, may_go_on, r);
    }
    r->watched.judge = &r->judge;
    status = status == CAROM_OK ? judge_create(&r->judge, r->model, err) : status;
    return status == CAROM_OK ? observer_create(&r->seen, &r->arena, r->model, err) : status;
}

/* Recorded times: so many, so far apart. */
typedef struct time_grid {
    double end, every; /* [s] */
} time_grid;

static time_grid grid_of(const carom_model *model, double duration)
{
    const carom_scene_def *scene = &model->scene;
    double end = duration > 0.0 ? duration : scene->time.end;
    return (time_grid){ end, scene->record.every > 0.0 ? scene->record.every : end / 1000.0 };
}

/* Far beyond what anybody looks at; usually a slip of the keyboard. */
static const double MOST_FRAMES = 1e8;
static const double MOST_BYTES = 1e11;

/* Contact points and events come on top; nobody knows beforehand how many. */
static carom_run_amount amount_of(const carom_model *model, time_grid grid)
{
    double frames = ceil(grid.end / grid.every - 1e-9) + 1.0; /* the last one is the end, on the grid or not */
    return (carom_run_amount){ frames, frames * (double)result_frame_bytes(model) };
}

static carom_status check_amount(const carom_model *model, time_grid grid, carom_error *err)
{
    carom_run_amount much = amount_of(model, grid);
    if (much.frames <= MOST_FRAMES && much.bytes <= MOST_BYTES) {
        return CAROM_OK;
    }
    double fewer = fmax(much.frames / MOST_FRAMES, much.bytes / MOST_BYTES);
    carom_fail(err, CAROM_BAD_INPUT,
               "record.every = %g s makes %.3g frames in %g s, %.3g GB in result.h5; at most %g frames and %g GB "
               "are written: give record.every of %.3g s or more, or a shorter duration",
               grid.every, much.frames, grid.end, 1e-9 * much.bytes, MOST_FRAMES, 1e-9 * MOST_BYTES,
               1.01 * fewer * grid.every);
    return model_blame_setting(model, "record.every", CAROM_BAD_INPUT, err);
}

carom_status carom_run_check(const carom_model *model, double duration, carom_run_amount *amount, carom_error *err)
{
    const char *function = "carom_run_check";
    if (amount) {
        *amount = (carom_run_amount){ 0 };
    }
    const argument needed[] = { { "model", model } };
    carom_status status = arguments_given(function, needed, 1, err);
    status = status == CAROM_OK ? argument_nonnegative(function, "duration", duration, "s", err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    time_grid grid = grid_of(model, duration);
    if (amount) {
        *amount = amount_of(model, grid);
    }
    return check_amount(model, grid, err);
}

static void set_grid(run *r)
{
    time_grid grid = grid_of(r->model, r->options->duration);
    r->progress.end = grid.end;
    r->progress.every = grid.every;
}

/* The scratch as an evaluation of the state leaves it; events announced so far stay. */
static carom_status evaluate_again(run *r, carom_error *err)
{
    carom_ledger ledger;
    return carom_observe_ledger(r->model, r->state, r->scratch, &ledger, err);
}

/* The energies as the scene gives them; then what happens at once, and bodies that touch when the run begins. */
static carom_status start_motion(run *r, carom_error *err)
{
    carom_status status = look(r, err);
    r->progress.first = r->last;
    status = status == CAROM_OK ? sim_start(r->model, r->state, r->scratch, err) : status;
    return status == CAROM_OK ? evaluate_again(r, err) : status;
}

/* The first frame; nobody stops it. */
static carom_status record_start(run *r, carom_error *err)
{
    carom_scratch_watch(r->scratch, NULL, NULL);
    carom_status status = contact_watch_start(&r->watched, r->scratch, err);
    status = status == CAROM_OK ? record_events(r, err) : status;
    status = status == CAROM_OK ? record_findings(r, err) : status;
    status = status == CAROM_OK ? record_reached(r, err) : status;
    carom_scratch_watch(r->scratch, may_go_on, r);
    return status == CAROM_OK ? save(r, err) : status; /* so that a run can be resumed from the first moment */
}

/* What is wrong from the start is told at once, before a run that may be long. */
static void warn_of_start(run *r)
{
    const finding_totals *found = &r->watched.memory.findings;
    carom_findings *told = findings_tell(r->model, found->items, found->count);
    const carom_finding *gravest = carom_findings_at(told, 0);
    if (gravest && gravest->severity > CAROM_SEVERITY_NOTE) {
        r->warning = carom_arena_text(&r->arena, gravest->text);
    }
    carom_findings_destroy(told);
}

/* From the assembled state. Interrupted, that is what the checkpoint holds, without a frame. */
static carom_status begin_motion(run *r, carom_error *err)
{
    carom_state *assembled = carom_state_create(r->model);
    bool kept = assembled && carom_state_copy(assembled, r->state) == CAROM_OK;
    carom_status status = kept ? start_motion(r, err) : carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    if (status == CAROM_INTERRUPTED) {
        status = carom_state_copy(r->state, assembled) == CAROM_OK ? interrupted(r, err) : CAROM_NO_MEMORY;
    }
    carom_state_destroy(assembled);
    status = status == CAROM_OK ? record_start(r, err) : status;
    warn_of_start(r);
    return status;
}

static carom_status begin_new(run *r, carom_error *err)
{
    set_grid(r);
    r->progress.distance_min = HUGE_VAL;
    carom_status status = check_amount(r->model, (time_grid){ r->progress.end, r->progress.every }, err);
    if (status != CAROM_OK) {
        return status;
    }
    status = carom_assemble(r->model, r->state, r->scratch, &r->progress.assembly, err);
    if (status == CAROM_OK) {
        status = record_findings(r, err);
    }
    if (status == CAROM_OK) {
        status = carom_check_start(r->model, r->state, r->scratch, err);
    }
    if (status != CAROM_OK) {
        return status; /* an older result is not replaced for nothing */
    }
    status = result_writer_create(&r->writer, r->options->folder, r->model, r->options->scene_text,
                                  r->options->command, err);
    return status == CAROM_OK ? begin_motion(r, err) : status;
}

static carom_status begin_again(run *r, carom_error *err)
{
    carom_status status = checkpoint_read(r->options->folder, r->model, r->state, &r->progress, &r->watched.memory,
                                          err);
    if (status == CAROM_OK && r->options->duration > 0.0) {
        if (r->options->duration < *r->state->time) {
            return carom_fail(err, CAROM_BAD_INPUT, "the run has already reached %.6g s, beyond the duration %.6g s",
                              *r->state->time, r->options->duration);
        }
        r->progress.end = r->options->duration;
        status = check_amount(r->model, (time_grid){ r->progress.end, r->progress.every }, err);
    }
    if (status == CAROM_OK) {
        status = result_writer_reopen(&r->writer, r->options->folder, r->model, r->progress.frames,
                                      r->progress.events_recorded, err);
    }
    r->reached = *r->state->time;
    r->saved = status == CAROM_OK ? r->reached : r->saved;
    r->resumable = status == CAROM_OK;
    return status == CAROM_OK && r->progress.frames == 0 ? begin_motion(r, err) : status;
}

static carom_status run_all(const carom_model *model, const carom_run_options *options, bool resume, carom_error *err)
{
    run r = { .model = model, .options = options, .saved = -1.0 };
    carom_error own = { 0 };
    err = err ? err : &own;
    carom_status status = prepare(&r, err);
    if (status == CAROM_OK) {
        status = resume ? begin_again(&r, err) : begin_new(&r, err);
    }
    if (r.writer) {
        r.begun = status == CAROM_OK;
        if (status == CAROM_OK) {
            status = go(&r, err);
        }
        status = finish(&r, status, err);
    }
    write_report(&r);
    contact_watch_free(&r.watched);
    carom_findings_destroy(r.findings);
    judge_free(&r.judge);
    carom_scratch_destroy(r.scratch);
    carom_state_destroy(r.state);
    carom_arena_free(&r.arena);
    return status;
}

static carom_status check_options(const char *function, const carom_model *model, const carom_run_options *options,
                                  carom_error *err)
{
    const argument needed[] = { { "model", model }, { "options", options } };
    carom_status status = arguments_given(function, needed, 2, err);
    if (status != CAROM_OK) {
        return status;
    }
    if (options->report) {
        *options->report = (carom_run_report){ 0 };
    }
    status = argument_text(function, "options->folder", options->folder, err);
    if (status == CAROM_OK) {
        status = argument_nonnegative(function, "options->duration", options->duration, "s", err);
    }
    if (status == CAROM_OK) {
        status = argument_nonnegative(function, "options->checkpoint_every", options->checkpoint_every, "s", err);
    }
    return status == CAROM_OK ? argument_threads(function, options->threads, err) : status;
}

carom_status carom_run(const carom_model *model, const carom_run_options *options, carom_error *err)
{
    carom_status status = check_options("carom_run", model, options, err);
    return status == CAROM_OK ? run_all(model, options, false, err) : status;
}

carom_status carom_resume(const carom_model *model, const carom_run_options *options, carom_error *err)
{
    carom_status status = check_options("carom_resume", model, options, err);
    return status == CAROM_OK ? run_all(model, options, true, err) : status;
}
