/* The sink of a folder: result.h5, checkpoint.bin, signals.csv and summary.json. The only one that touches HDF5. */
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "base/clock.h"
#include "export/csv.h"
#include "files/file.h"
#include "result/checkpoint.h"
#include "result/result.h"
#include "sim/frame.h"
#include "sim/run.h"

static const double FLUSH_EVERY = 2.0;       /* [s] of wall time a killed run may lose */
static const double CHECKPOINT_EVERY = 30.0; /* [s] of wall time */

typedef struct folder_sink {
    carom_arena arena;
    const char *folder;
    const char *scene_text;
    const char *command;
    double checkpoint_every; /* [s] */
    result_writer *writer;
    double last_flush;      /* [s] of the wall clock */
    double last_checkpoint; /* likewise; zero: there is none of this run yet */
} folder_sink;

/* ---- files --------------------------------------------------------------------------------------------------------- */

static carom_status flush(folder_sink *f, run *r, carom_error *err)
{
    carom_status status = result_writer_flush(f->writer, err);
    f->last_flush = carom_clock_wall();
    r->saved = status == CAROM_OK ? *r->state->time : r->saved;
    return status;
}

static carom_status save(folder_sink *f, run *r, carom_error *err)
{
    run_progress saved = r->progress;
    saved.wall = run_wall(r);
    totals_add_phases(r, saved.phases);
    carom_status status = flush(f, r, err);
    f->last_checkpoint = f->last_flush;
    if (status == CAROM_OK) {
        status = checkpoint_write(f->folder, r->model, r->state, &saved, &r->watched.memory, err);
        r->resumable = r->resumable || status == CAROM_OK;
    }
    return status;
}

/* signals.csv: the columns that the scene asks to record, from the frames in the folder. */
static carom_status write_signals(const folder_sink *f, const run *r, carom_error *err)
{
    return r->model->signal_count > 0 ? csv_write_recorded(f->folder, err) : CAROM_OK;
}

static carom_status write_summary(const folder_sink *f, const run *r, const carom_error *outcome, carom_error *err)
{
    char *words = NULL;
    carom_status status = run_summary_words(r, outcome, &words, err);
    status = status == CAROM_OK ? file_write_whole(f->folder, "summary.json", words, strlen(words), err) : status;
    free(words);
    return status;
}

/* ---- what a run calls ---------------------------------------------------------------------------------------------- */

/* A folder goes on from its own checkpoint, or holds a run from where it begins. */
static carom_status check_beginning(const folder_sink *f, const run *r, carom_error *err)
{
    if (r->resumed && strcmp(f->folder, r->def.checkpoint) != 0) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "a folder goes on from its own checkpoint only, not from that of '%s'", r->def.checkpoint);
    }
    return CAROM_OK;
}

static carom_status folder_begin(void *self, run *r, carom_error *err)
{
    folder_sink *f = self;
    carom_status status = check_beginning(f, r, err);
    if (status != CAROM_OK) {
        return status;
    }
    f->last_flush = carom_clock_wall();
    f->last_checkpoint = r->resumed && r->progress.frames > 0 ? f->last_flush : 0.0;
    if (!r->resumed) {
        return result_writer_create(&f->writer, f->folder, r->model, f->scene_text, f->command, err);
    }
    status = result_writer_reopen(&f->writer, f->folder, r->model, r->progress.frames, r->progress.events_recorded,
                                  err);
    r->saved = status == CAROM_OK ? r->reached : r->saved;
    r->resumable = status == CAROM_OK;
    return status;
}

static carom_status folder_frame(void *self, const carom_frame *frame, carom_error *err)
{
    folder_sink *f = self;
    return result_writer_append(f->writer, &frame->all, err);
}

static carom_status folder_event(void *self, const carom_event *event, carom_error *err)
{
    folder_sink *f = self;
    return result_writer_add_event(f->writer, event, err);
}

/* The first checkpoint is taken at once, so that a run can be resumed from the first moment. */
static carom_status folder_step(void *self, run *r, carom_error *err)
{
    folder_sink *f = self;
    double now = carom_clock_wall();
    if (f->last_checkpoint == 0.0 || now - f->last_checkpoint >= f->checkpoint_every) {
        return save(f, r, err);
    }
    return now - f->last_flush >= FLUSH_EVERY ? flush(f, r, err) : CAROM_OK;
}

/* Of a run that has come to its end, or was interrupted, the first trouble with its files is the outcome. */
static void note_trouble(carom_error *outcome, carom_status status, const carom_error *trouble)
{
    bool ended = outcome->status == CAROM_OK || outcome->status == CAROM_INTERRUPTED;
    if (ended && status != CAROM_OK) {
        *outcome = *trouble;
        outcome->status = status;
    }
}

/* Whatever happened, what was reached is saved; the first trouble is the one reported, in the summary as well. */
static carom_status folder_end(void *self, run *r, const carom_error *reached, carom_error *err)
{
    folder_sink *f = self;
    carom_error outcome = *reached;
    carom_error later = { 0 };
    carom_status saved = r->inside_step ? flush(f, r, &later) : save(f, r, &later);
    note_trouble(&outcome, saved, &later);
    carom_status listed = saved == CAROM_OK ? write_signals(f, r, &later) : CAROM_OK;
    note_trouble(&outcome, listed, &later);
    carom_status summed = write_summary(f, r, &outcome, &later);
    note_trouble(&outcome, summed, &later);
    carom_status closed = result_writer_close(f->writer, &later); /* last: it gives the folder free */
    f->writer = NULL;
    note_trouble(&outcome, closed, &later);
    return outcome.status == reached->status ? CAROM_OK : carom_fail(err, outcome.status, "%s", outcome.message);
}

static void folder_destroy(void *self)
{
    folder_sink *f = self;
    result_writer_close(f->writer, NULL);
    carom_arena_free(&f->arena);
    free(f);
}

/* ---- life ---------------------------------------------------------------------------------------------------------- */

static const char *keep_text(folder_sink *f, const char *text)
{
    return text ? carom_arena_text(&f->arena, text) : NULL;
}

static carom_status check_options(const carom_folder_options *options, const carom_sink *out, carom_error *err)
{
    const char *function = "carom_sink_folder";
    const argument needed[] = { { "options", options }, { "out", out } };
    carom_status status = arguments_given(function, needed, 2, err);
    status = status == CAROM_OK ? argument_text(function, "options->folder", options->folder, err) : status;
    return status == CAROM_OK
               ? argument_nonnegative(function, "options->checkpoint_every", options->checkpoint_every, "s", err)
               : status;
}

carom_status carom_sink_folder(const carom_folder_options *options, carom_sink *out, carom_error *err)
{
    if (out) {
        *out = (carom_sink){ 0 };
    }
    carom_status status = check_options(options, out, err);
    if (status != CAROM_OK) {
        return status;
    }
    folder_sink *f = calloc(1, sizeof *f);
    if (!f) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    f->folder = keep_text(f, options->folder);
    f->scene_text = keep_text(f, options->scene_text);
    f->command = keep_text(f, options->command);
    f->checkpoint_every = options->checkpoint_every > 0.0 ? options->checkpoint_every : CHECKPOINT_EVERY;
    if (f->arena.failed) {
        folder_destroy(f);
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    *out = (carom_sink){ .self = f,
                         .begin = folder_begin,
                         .frame = folder_frame,
                         .event = folder_event,
                         .step = folder_step,
                         .end = folder_end,
                         .destroy = folder_destroy };
    return CAROM_OK;
}
