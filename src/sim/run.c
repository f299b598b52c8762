/* Runs as objects: begin, advance, end.
 *
 * A checkpoint is taken between steps and counts the frames recorded before it; going on from it repeats the same steps and
 * the same frames bit for bit; likewise events. */
#include "sim/run.h"

#include <stdlib.h>

#include "base/arguments.h"
#include "base/clock.h"
#include "model/method.h"
#include "result/checkpoint.h"
#include "sim/start.h"

static const double RECORD_ANYWAY = 0.3; /* [s] of wall time for frames of a step after an end is wanted */

double run_wall(const run *r)
{
    return r->progress.wall + (r->working ? carom_clock_wall() - r->wall_start : 0.0);
}

/* Wall time counts while a call works on the run. */
static void start_clock(run *r)
{
    r->wall_start = carom_clock_wall();
    r->working = true;
}

static void stop_clock(run *r)
{
    r->progress.wall = run_wall(r);
    r->working = false;
}

carom_status run_interrupted(const run *r, carom_error *err)
{
    return carom_fail(err, CAROM_INTERRUPTED, "interrupted at t = %.6g s of %.6g s", *r->state->time,
                      r->progress.end);
}

carom_status run_sink_answer(const char *function, carom_status status, const carom_error *said, carom_error *err)
{
    if ((unsigned)status > CAROM_UNSUPPORTED) {
        return carom_fail(err, CAROM_BAD_INPUT, "the function '%s' of the sink returned %d, which is no carom_status",
                          function, (int)status);
    }
    if (status != CAROM_OK && said->message[0] == '\0') {
        return carom_fail(err, status, "the function '%s' of the sink failed (%s) and gave no message", function,
                          carom_status_name(status));
    }
    return status == CAROM_OK ? CAROM_OK : carom_fail(err, status, "%s", said->message);
}

static bool wants_to_go_on(const run *r)
{
    carom_progress p = { .t = r->reached,
                         .end = r->progress.end,
                         .dt = r->last_dt,
                         .wall = run_wall(r),
                         .steps = r->progress.steps,
                         .contacts = r->last_contacts,
                         .warning = r->warning,
                         .begun = r->begun };
    return !r->def.keep_going || r->def.keep_going(r->def.context, &p);
}

/* For those who work inside of steps. A step whose frames are not all recorded is lost: they are, unless it takes long. */
static bool may_go_on(void *context)
{
    const run *r = context;
    bool soon_done = r->recording && carom_clock_wall() - r->record_start < RECORD_ANYWAY;
    return soon_done || wants_to_go_on(r);
}

/* ---- steps --------------------------------------------------------------------------------------------------------- */

/* What the sink has to do between steps. */
static carom_status let_sink_keep_house(run *r, carom_error *err)
{
    carom_error said = { 0 };
    return r->sink.step ? run_sink_answer("step", r->sink.step(r->sink.self, r, &said), &said, err) : CAROM_OK;
}

/* An event of the scene may end the run. */
static void end_where_stopped(run *r)
{
    if (r->scratch->stopped_by >= 0) {
        r->stopped_by = r->scratch->stopped_by;
        r->progress.end = *r->state->time;
    }
}

static carom_status advance(run *r, double until, carom_error *err)
{
    carom_step_report report = { 0 };
    sim_clear(r->scratch);
    carom_status status = sim_step(r->model, r->state, r->scratch, until - *r->state->time, &report, err);
    if (status != CAROM_OK) {
        return status;
    }
    totals_add_step(r, &report);
    end_where_stopped(r);
    status = record_step(r, err);
    r->reached = *r->state->time;
    return status == CAROM_OK ? let_sink_keep_house(r, err) : status;
}

static carom_status go(run *r, double until, double wall_limit, carom_error *err)
{
    double start = carom_clock_wall();
    while (*r->state->time < fmin(until, r->progress.end)) {
        if (!wants_to_go_on(r)) {
            return run_interrupted(r, err);
        }
        carom_status status = advance(r, until, err);
        if (status != CAROM_OK) {
            return status;
        }
        if (wall_limit > 0.0 && carom_clock_wall() - start >= wall_limit) {
            return CAROM_OK;
        }
    }
    wants_to_go_on(r); /* shows the end */
    return CAROM_OK;
}

/* ---- the beginning ------------------------------------------------------------------------------------------------- */

/* The scratch as an evaluation of the state leaves it; events announced so far stay. */
static carom_status evaluate_again(run *r, carom_error *err)
{
    carom_ledger ledger;
    return carom_observe_ledger(r->model, r->state, r->scratch, &ledger, err);
}

/* The energies as the state has them; then what happens at once, and bodies that touch when the run begins. A state that has
 * been stepped goes on as it is. */
static carom_status start_motion(run *r, carom_error *err)
{
    carom_status status = totals_look(r, &r->progress, err);
    r->progress.first = r->last;
    if (status == CAROM_OK && *r->state->initialised < STATE_STARTED) {
        status = sim_start(r->model, r->state, r->scratch, err);
        end_where_stopped(r);
    }
    return status == CAROM_OK ? evaluate_again(r, err) : status;
}

/* The first frame; nobody stops it. */
static carom_status record_start(run *r, carom_error *err)
{
    carom_scratch_watch(r->scratch, NULL, NULL);
    carom_status status = record_begin(r, err);
    carom_scratch_watch(r->scratch, may_go_on, r);
    return status == CAROM_OK ? let_sink_keep_house(r, err) : status;
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
        status = carom_state_copy(r->state, assembled) == CAROM_OK ? run_interrupted(r, err) : CAROM_NO_MEMORY;
    }
    carom_state_destroy(assembled);
    status = status == CAROM_OK ? record_start(r, err) : status;
    warn_of_start(r);
    return status;
}

static carom_status open_sink(run *r, carom_error *err)
{
    carom_error said = { 0 };
    carom_status status = CAROM_OK;
    if (r->sink.begin) {
        status = run_sink_answer("begin", r->sink.begin(r->sink.self, r, &said), &said, err);
    }
    r->open = status == CAROM_OK;
    return status;
}

static carom_status assemble(run *r, carom_error *err)
{
    carom_status status = CAROM_OK;
    if (*r->state->initialised < STATE_ASSEMBLED) {
        status = carom_assemble(r->model, r->state, r->scratch, &r->progress.assembly, err);
        status = status == CAROM_OK ? record_findings(r, err) : status;
    }
    if (status == CAROM_OK && *r->state->initialised < STATE_STARTED) {
        status = carom_check_start(r->model, r->state, r->scratch, err);
    }
    return status;
}

static carom_status check_time_left(const run *r, carom_error *err)
{
    return *r->state->time <= r->progress.end
               ? CAROM_OK
               : carom_fail(err, CAROM_BAD_INPUT, "the run has already reached %.6g s, beyond the duration %.6g s",
                            *r->state->time, r->progress.end);
}

static carom_status begin_new(run *r, carom_error *err)
{
    r->progress.distance_min = HUGE_VAL;
    carom_status status = check_time_left(r, err);
    status = status == CAROM_OK ? schedule_check(r, err) : status;
    if (status == CAROM_OK) {
        r->reached = *r->state->time;
        schedule_from_here(r);
        status = assemble(r, err);
    }
    status = status == CAROM_OK ? open_sink(r, err) : status; /* last: an older result is not replaced for nothing */
    return status == CAROM_OK ? begin_motion(r, err) : status;
}

/* The times of the checkpoint's frames hold, unless the def or the sink wants others. */
static carom_status schedule_again(run *r, carom_error *err)
{
    if (r->def.duration > 0.0) {
        r->progress.end = r->def.duration;
    }
    carom_status status = r->def.duration > 0.0 ? check_time_left(r, err) : CAROM_OK;
    if (status == CAROM_OK && r->sink.every > 0.0) {
        r->progress.every = r->sink.every;
        schedule_from_here(r);
    }
    return status == CAROM_OK && (r->def.duration > 0.0 || r->sink.every > 0.0) ? schedule_check(r, err) : status;
}

/* The frames that the checkpoint goes on from. */
static carom_status verify_before(run *r, carom_error *err)
{
    return r->verifier ? verifier_folder(r->verifier, r->def.checkpoint, r->progress.frames, err) : CAROM_OK;
}

static carom_status begin_again(run *r, carom_error *err)
{
    carom_status status = checkpoint_read(r->def.checkpoint, r->model, r->state, &r->progress, &r->watched.memory,
                                          err);
    r->resumed = status == CAROM_OK;
    r->reached = *r->state->time;
    bool moved = r->progress.frames > 0;
    status = status == CAROM_OK ? schedule_again(r, err) : status;
    status = status == CAROM_OK && moved ? verify_before(r, err) : status;
    status = status == CAROM_OK ? open_sink(r, err) : status;
    return status == CAROM_OK && !moved ? begin_motion(r, err) : status;
}

static carom_status begin(run *r, carom_error *err)
{
    r->started = true;
    carom_status status = r->def.checkpoint ? begin_again(r, err) : begin_new(r, err);
    r->begun = status == CAROM_OK;
    return status;
}

/* ---- the end ------------------------------------------------------------------------------------------------------- */

/* The status of a run whose sink could not take the end: an end that nobody can read, or go on from, is none. */
static carom_status end_taken(carom_status outcome, carom_status taken, const carom_error *why, carom_error *err)
{
    bool ended = outcome == CAROM_OK || outcome == CAROM_INTERRUPTED;
    return ended && taken != CAROM_OK ? carom_fail(err, taken, "%s", why->message) : outcome;
}

static carom_status tell_end(run *r, carom_error *err)
{
    carom_error said = { 0 };
    return r->sink.end ? run_sink_answer("end", r->sink.end(r->sink.self, r, &r->outcome, &said), &said, err)
                       : CAROM_OK;
}

/* Whatever happened, what was reached goes to the sink; the first trouble is the one reported. */
static carom_status end(run *r, carom_status outcome, carom_error *err)
{
    carom_error later = { 0 };
    r->outcome = outcome == CAROM_OK ? (carom_error){ 0 } : *err;
    r->outcome.status = outcome;
    r->final = r->progress;
    r->ended = true;
    if (r->open) {
        totals_sum_up(r);
        outcome = end_taken(outcome, tell_end(r, &later), &later, err);
        if (!r->findings) {
            carom_status lost = carom_fail(&later, CAROM_NO_MEMORY, "out of memory for findings");
            outcome = end_taken(outcome, lost, &later, err);
        }
        r->outcome = outcome == CAROM_OK ? (carom_error){ 0 } : *err;
        r->outcome.status = outcome;
    }
    return outcome;
}

/* ---- life ---------------------------------------------------------------------------------------------------------- */

static carom_status check_def(const carom_model *model, const carom_run_def *def, carom_error *err)
{
    const char *function = "carom_run_create";
    carom_status status = argument_nonnegative(function, "def->duration", def->duration, "s", err);
    status = status == CAROM_OK ? argument_threads(function, def->threads, err) : status;
    if (status == CAROM_OK && def->sink) {
        status = argument_nonnegative(function, "def->sink->every", def->sink->every, "s", err);
    }
    if (status == CAROM_OK && def->from && !state_fits(model, def->from)) {
        status = carom_fail(err, CAROM_BAD_INPUT, "%s: 'def->from' is a state of another model", function);
    }
    if (status == CAROM_OK && def->from && def->checkpoint) {
        status = carom_fail(err, CAROM_BAD_INPUT, "%s: a run begins from a state or from a checkpoint, not from both",
                            function);
    }
    return status == CAROM_OK && def->checkpoint ? argument_text(function, "def->checkpoint", def->checkpoint, err)
                                                 : status;
}

static carom_status make_state(run *r, carom_error *err)
{
    r->state = carom_state_create(r->model);
    bool ok = r->state && (!r->def.from || carom_state_copy(r->state, r->def.from) == CAROM_OK);
    r->def.from = NULL;
    return ok ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory");
}

static carom_status keep_texts(run *r, carom_error *err)
{
    if (!r->def.checkpoint) {
        return CAROM_OK;
    }
    r->def.checkpoint = carom_arena_text(&r->arena, r->def.checkpoint);
    return r->def.checkpoint ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory");
}

static carom_status prepare(run *r, carom_error *err)
{
    start_clock(r);
    schedule_set(r);
    carom_status status = keep_texts(r, err);
    status = status == CAROM_OK ? make_state(r, err) : status;
    status = status == CAROM_OK ? carom_scratch_create(r->model, r->def.threads, &r->scratch, err) : status;
    if (status == CAROM_OK) {
        r->scratch->counts_processor = r->def.processor_time;
        carom_scratch_watch(r->scratch, may_go_on, r);
    }
    r->watched.judge = &r->judge;
    status = status == CAROM_OK ? judge_create(&r->judge, r->model, err) : status;
    status = status == CAROM_OK ? frame_space_create(&r->seen, &r->arena, r->model, err) : status;
    status = status == CAROM_OK && r->def.verify ? verifier_create(&r->verifier, r->model, err) : status;
    stop_clock(r);
    return status;
}

static void destroy_sink(const carom_sink *sink)
{
    if (sink && sink->destroy) {
        sink->destroy(sink->self);
    }
}

static carom_status create(const carom_model *model, const carom_run_def *def, run **out, carom_error *err)
{
    run *r = calloc(1, sizeof *r);
    if (!r) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    *r = (run){ .model = model, .def = *def, .saved = -1.0, .stopped_by = CAROM_NONE };
    r->sink = def->sink ? *def->sink : (carom_sink){ 0 };
    r->sink.destroy = NULL; /* the caller's, until the run is there */
    carom_status status = prepare(r, err);
    if (status != CAROM_OK) {
        carom_run_destroy(r);
        return status;
    }
    r->def.sink = NULL;
    r->sink.destroy = def->sink ? def->sink->destroy : NULL;
    *out = r;
    return CAROM_OK;
}

carom_status carom_run_create(const carom_model *model, const carom_run_def *def, carom_run **out, carom_error *err)
{
    const argument needed[] = { { "model", model }, { "def", def }, { "out", out } };
    if (out) {
        *out = NULL;
    }
    carom_status status = arguments_given("carom_run_create", needed, 3, err);
    status = status == CAROM_OK ? check_def(model, def, err) : status;
    status = status == CAROM_OK ? create(model, def, out, err) : status;
    if (status != CAROM_OK) {
        destroy_sink(def ? def->sink : NULL);
    }
    return status;
}

/* What a run that has ended answers; its end needs no error. */
static carom_status ended_before(const run *r, carom_error *err)
{
    if (r->outcome.status != CAROM_OK && err) {
        *err = r->outcome;
    }
    return r->outcome.status;
}

carom_status carom_run_advance(carom_run *r, double until, double wall_limit, carom_error *err)
{
    const char *function = "carom_run_advance";
    carom_error own = { 0 };
    err = err ? err : &own;
    carom_status status = argument_given(function, "run", r, err);
    status = status == CAROM_OK ? argument_nonnegative(function, "wall_limit", wall_limit, "s", err) : status;
    if (status == CAROM_OK && isnan(until)) {
        status = carom_fail(err, CAROM_BAD_INPUT, "%s: 'until' must be a time, not NaN", function);
    }
    if (status == CAROM_OK && r->working) {
        status = carom_fail(err, CAROM_BAD_INPUT,
                            "%s: the run is being advanced; its sink and keep_going must not advance it", function);
    }
    if (status != CAROM_OK || r->ended) {
        return status == CAROM_OK ? ended_before(r, err) : status;
    }
    start_clock(r);
    status = r->started ? CAROM_OK : begin(r, err);
    status = status == CAROM_OK ? go(r, fmin(until, r->progress.end), wall_limit, err) : status;
    if (status != CAROM_OK || *r->state->time >= r->progress.end) {
        status = end(r, status, err);
    }
    stop_clock(r);
    return status;
}

const carom_state *carom_run_state(const carom_run *r)
{
    return r ? r->state : NULL;
}

bool carom_run_ended(const carom_run *r)
{
    return !r || r->ended;
}

/* A run that is left before its end is one that was interrupted. */
static void leave(run *r)
{
    carom_error err = { 0 };
    if (r->open && !r->ended) {
        start_clock(r);
        end(r, run_interrupted(r, &err), &err);
        stop_clock(r);
    }
}

void carom_run_destroy(carom_run *r)
{
    if (!r) {
        return;
    }
    leave(r);
    destroy_sink(&r->sink);
    contact_watch_free(&r->watched);
    carom_findings_destroy(r->findings);
    judge_free(&r->judge);
    verifier_destroy(r->verifier);
    carom_scratch_destroy(r->scratch);
    carom_state_destroy(r->state);
    carom_arena_free(&r->arena);
    free(r);
}
