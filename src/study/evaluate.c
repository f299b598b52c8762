/* One run becomes one row: scene with changes, model, run, measures, judgement. */
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <carom/scene.h>

#include "base/clock.h"
#include "files/output.h"
#include "model/model.h"
#include "sim/frame.h"

/* ---- rows --------------------------------------------------------------------------------------------------------- */

carom_row *row_create(const carom_study *s, size_t run)
{
    carom_row *row = calloc(1, sizeof *row);
    double *numbers = calloc(s->variable_count + s->measure_count + 1, sizeof *numbers);
    char *reason = calloc(1, 1);
    if (!row || !numbers || !reason) {
        free(row);
        free(numbers);
        free(reason);
        return NULL;
    }
    *row = (carom_row){ .run = run, .inputs = numbers, .values = numbers + s->variable_count, .reason = reason };
    for (size_t i = 0; i < s->measure_count; ++i) {
        row->values[i] = (double)NAN;
    }
    sample_inputs(s, run, row->inputs);
    return row;
}

void carom_row_destroy(carom_row *row)
{
    if (row) {
        free(row->inputs);
        free(row->reason);
        free(row);
    }
}

bool row_say(carom_row *row, carom_row_status status, const char *reason)
{
    char *copy = malloc(strlen(reason) + 1);
    if (!copy) {
        return false;
    }
    strcpy(copy, reason);
    for (char *c = copy; *c; ++c) {
        *c = (unsigned char)*c < ' ' ? ' ' : *c;
    }
    free(row->reason);
    row->reason = copy;
    row->status = status;
    return true;
}

static carom_status no_memory(carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "out of memory for a run of the study");
}

/* ---- the model ---------------------------------------------------------------------------------------------------- */

/* "path=value" of what all runs have otherwise, then of each variable (inputs NULL: of none), in the arena. */
static const char **changes_of(const carom_study *s, const double *inputs, carom_arena *arena, size_t *count)
{
    const char *const *set = s->def.set.items;
    char number[OUTPUT_NUMBER];
    const char **out = CAROM_ARENA_ARRAY(arena, const char *, s->def.set.count + s->variable_count + 1);
    *count = 0;
    for (size_t i = 0; out && i < s->def.set.count; ++i) {
        out[(*count)++] = set[i];
    }
    for (size_t i = 0; out && inputs && i < s->variable_count; ++i) {
        out[(*count)++] = carom_arena_printf(arena, "%s=%s", s->variables[i].path,
                                             output_number_text(inputs[i], 17, number));
    }
    return arena->failed ? NULL : out;
}

/* The study's events go behind those of the scene; names and signals are in SI, whatever the units of the scene. */
static carom_status add_events(const carom_study *s, carom_spec *spec, carom_arena *arena, carom_error *err)
{
    carom_scene_def scene = *carom_spec_scene(spec);
    size_t count = scene.events.count + s->own_event_count;
    carom_event_def *events = CAROM_ARENA_ARRAY(arena, carom_event_def, count);
    if (!events) {
        return no_memory(err);
    }
    if (scene.events.count > 0) {
        memcpy(events, scene.events.items, scene.events.count * sizeof *events);
    }
    for (size_t i = 0; i < s->own_event_count; ++i) {
        const study_event_def *own = &s->own_events[i];
        events[scene.events.count + i] = (carom_event_def){ .name = own->name,
                                                            .when = carom_value_expression(own->when),
                                                            .hold = own->hold,
                                                            .action.kind = own->stop ? "stop" : "mark" };
    }
    scene.events = (carom_list){ count, events };
    return carom_spec_set_scene(spec, &scene, err);
}

/* inputs NULL: the scene with what all runs have otherwise. */
carom_status evaluate_model(const carom_study *s, const double *inputs, carom_model **out, carom_error *err)
{
    carom_arena arena = { 0 };
    carom_spec *spec = NULL;
    *out = NULL;
    size_t count = 0;
    const char **changes = changes_of(s, inputs, &arena, &count);
    carom_status status = changes ? CAROM_OK : no_memory(err);
    if (status == CAROM_OK) {
        status = carom_scene_parse(s->scene_text, s->scene_length, s->scene_name, s->scene_folder, changes, count,
                                   &spec, err);
    }
    status = status == CAROM_OK && s->own_event_count > 0 ? add_events(s, spec, &arena, err) : status;
    const carom_compile_options options = { .store = s->store };
    status = status == CAROM_OK ? carom_compile_with(spec, &options, out, err) : status;
    carom_spec_destroy(spec);
    carom_arena_free(&arena);
    return status;
}

/* ---- the run ------------------------------------------------------------------------------------------------------ */

typedef struct watcher {
    const carom_study *study;
    const carom_observer *observer;
    double *values;
    measure_sums *sums;
    const carom_model *model;
    double *event_at; /* [s] when it happened, first; NaN: not yet */
    double overlap;   /* [m] where the run begins */
    bool begun;
    double cpu_start; /* [s] */
    carom_row_status cut;
    bool (*stop)(void *);
    void *context;
    bool stopped;
} watcher;

static carom_status see_event(void *self, const carom_event *event, carom_error *err)
{
    watcher *w = self;
    (void)err;
    const char *name = event->kind == CAROM_EVENT_SCENE ? carom_model_event_name(w->model, event->named) : NULL;
    for (size_t i = 0; name && i < w->study->event_count; ++i) {
        if (strcmp(w->study->events[i], name) == 0 && isnan(w->event_at[i])) {
            w->event_at[i] = event->t;
        }
    }
    return CAROM_OK;
}

static carom_status see_frame(void *self, const carom_frame *frame, carom_error *err)
{
    watcher *w = self;
    carom_status status = carom_frame_observe(frame, w->observer, w->values, err);
    for (size_t i = 0; status == CAROM_OK && i < w->study->signal_count; ++i) {
        measure_add(&w->sums[i], frame->all.t, w->values[i]);
    }
    for (int k = 0; !w->begun && k < frame->all.contact_count; ++k) {
        w->overlap = fmax(w->overlap, -frame->all.contacts[k].gap);
    }
    w->begun = true;
    return status;
}

static bool go_on(void *context, const carom_progress *now)
{
    watcher *w = context;
    const limit_def *limit = &w->study->def.limit;
    bool long_steps = limit->steps > 0 && now->steps >= limit->steps && now->t < now->end;
    bool long_time = limit->cpu > 0.0 && carom_clock_thread() - w->cpu_start > limit->cpu;
    w->cut = long_steps || long_time ? CAROM_ROW_LIMIT : w->cut;
    w->stopped = w->stop && w->stop(w->context);
    return !long_steps && !long_time && !w->stopped;
}

/* ---- judgement ---------------------------------------------------------------------------------------------------- */

static const char *doubt(const carom_study *s, const watcher *w, const carom_run_report *r, char *buffer, size_t size)
{
    const accept_def *a = &s->def.accept;
    double error = r->turnover_max > 0.0 ? r->energy_error_max / r->turnover_max : 0.0;
    if (a->overlap > 0.0 && w->overlap > a->overlap) {
        snprintf(buffer, size, "starts %.3g m inside, more than %g m", w->overlap, a->overlap);
    } else if (a->energy > 0.0 && !(error <= a->energy)) {
        snprintf(buffer, size, "energy off by %.3g of what changed its form, more than %g", error, a->energy);
    } else if (r->findings[CAROM_SEVERITY_WRONG] > 0 || (!a->warnings && r->findings[CAROM_SEVERITY_WARNING] > 0)) {
        snprintf(buffer, size, "%s", r->gravest);
    } else {
        return NULL;
    }
    return buffer;
}

static bool judge(const carom_study *s, const watcher *w, const carom_run_report *r, carom_status status,
                  const carom_error *why, carom_row *row)
{
    char text[600];
    if (w->cut == CAROM_ROW_LIMIT) {
        bool steps = s->def.limit.steps > 0 && r->steps >= s->def.limit.steps;
        if (steps) {
            snprintf(text, sizeof text, "more than %d steps at t = %.6g s", s->def.limit.steps, r->t);
        } else {
            snprintf(text, sizeof text, "more than %g s of processor time", s->def.limit.cpu);
        }
        return row_say(row, CAROM_ROW_LIMIT, text);
    }
    if (status != CAROM_OK) {
        snprintf(text, sizeof text, "%.500s", why->message);
        return row_say(row, CAROM_ROW_FAILED, text);
    }
    const char *reason = doubt(s, w, r, text, sizeof text);
    return row_say(row, reason ? CAROM_ROW_DOUBTFUL : CAROM_ROW_DONE, reason ? reason : "");
}

/* ---- all ---------------------------------------------------------------------------------------------------------- */

/* Whether a measure looks at more than the end of a run. */
static bool needs_frames(const carom_study *s)
{
    bool needs = false;
    for (size_t i = 0; i < s->measure_count; ++i) {
        measure_kind kind = s->measures[i].kind;
        needs = needs || kind == MEASURE_MAX || kind == MEASURE_MIN || kind == MEASURE_MEAN;
    }
    return needs;
}

static double frames_every(const carom_study *s, const carom_model *model)
{
    double end = s->def.duration > 0.0 ? s->def.duration : model->scene.time.end;
    return needs_frames(s) ? s->def.every : end;
}

static carom_status run_model(const carom_study *s, const carom_model *model, watcher *w, carom_row *row,
                              carom_error *err)
{
    carom_run *run = NULL;
    carom_error why = { 0 };
    const carom_sink sink = { .self = w, .every = frames_every(s, model), .frame = see_frame, .event = see_event };
    const carom_run_def def = {
        .duration = s->def.duration, .threads = 1, .sink = &sink, .keep_going = go_on, .context = w
    };
    carom_status status = carom_run_create(model, &def, &run, &why);
    status = status == CAROM_OK ? carom_run_advance(run, HUGE_VAL, 0.0, &why) : status;
    const carom_run_report report = carom_run_report_of(run);
    row->steps = report.steps;
    carom_run_destroy(run);
    if (status == CAROM_NO_MEMORY) {
        return carom_fail(err, status, "run %zu: %.500s", row->run, why.message);
    }
    if (w->stopped) {
        return CAROM_OK;
    }
    if (!judge(s, w, &report, status, &why, row)) {
        return no_memory(err);
    }
    bool ended = row->status == CAROM_ROW_DONE || row->status == CAROM_ROW_DOUBTFUL;
    return ended ? measures_finish(s, w->sums, w->event_at, row->inputs, row->values, err) : CAROM_OK;
}

static void end_watcher(watcher *w)
{
    free(w->event_at);
    free(w->values);
    free(w->sums);
}

static carom_status measure_model(const carom_study *s, const carom_model *model, watcher *w, carom_row *row,
                                  carom_error *err)
{
    carom_observer *observer = NULL;
    carom_error why = { 0 };
    w->values = calloc(s->signal_count + 1, sizeof *w->values);
    w->sums = calloc(s->signal_count + 1, sizeof *w->sums);
    w->event_at = calloc(s->event_count + 1, sizeof *w->event_at);
    bool room = w->values && w->sums && w->event_at;
    for (size_t i = 0; room && i < s->event_count; ++i) {
        w->event_at[i] = (double)NAN;
    }
    w->model = model;
    carom_status status = room ? CAROM_OK : no_memory(err);
    if (status == CAROM_OK &&
        carom_observer_create(model, s->signals, s->signal_count, &observer, &why) != CAROM_OK) {
        status = row_say(row, CAROM_ROW_FAILED, why.message) ? CAROM_OK : no_memory(err);
    } else if (status == CAROM_OK) {
        w->observer = observer;
        status = run_model(s, model, w, row, err);
    }
    carom_observer_destroy(observer);
    end_watcher(w);
    return status;
}

carom_status evaluate_row(const carom_study *s, carom_row *row, bool (*stop)(void *), void *context, carom_error *err)
{
    carom_model *model = NULL;
    carom_error why = { 0 };
    double wall = carom_clock_wall();
    watcher w = { .study = s, .stop = stop, .context = context, .cpu_start = carom_clock_thread() };
    carom_status status = evaluate_model(s, row->inputs, &model, &why);
    if (status == CAROM_NO_MEMORY) {
        status = carom_fail(err, status, "run %zu: %.500s", row->run, why.message);
    } else if (status != CAROM_OK) {
        status = row_say(row, CAROM_ROW_FAILED, why.message) ? CAROM_OK : no_memory(err);
    } else {
        status = measure_model(s, model, &w, row, err);
    }
    carom_model_destroy(model);
    row->wall = carom_clock_wall() - wall;
    row->cpu = carom_clock_thread() - w.cpu_start;
    return status;
}
