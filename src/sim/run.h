/* A run from the inside: a state on its way to the end, with scratch, schedule, totals and judgement. Where frames and events
 * go is a sink's business (carom/run.h); of the files of this folder only sink_folder.c knows of folders and HDF5.
 *
 * run.c begins, advances and ends a run; schedule.c has the times of its frames, record.c hands frames and events to the
 * sink, totals.c adds up and reports. */
#ifndef CAROM_SIM_RUN_H
#define CAROM_SIM_RUN_H

#include <carom/run.h>

#include "dynamics/observe.h"
#include "sim/contact_watch.h"
#include "sim/judge.h"
#include "sim/verify.h"

typedef carom_run run;

struct carom_run {
    const carom_model *model;
    carom_run_def def; /* texts in the arena; its sink is the one below, its state is copied */
    carom_sink sink;   /* all NULL: nothing is recorded */
    carom_state *state;
    carom_scratch *scratch;
    carom_arena arena;
    frame_space seen;
    contact_watch watched;
    contact_judge judge;
    verifier *verifier; /* NULL: not asked for */
    run_progress progress;
    run_progress final;       /* totals with a look at the end, where no frame need be; once it has ended */
    carom_findings *findings; /* likewise */
    carom_ledger last;
    double wall_start; /* [s] when the call that works on it has begun */
    bool working;      /* one does */
    double last_dt;    /* [s] */
    int last_contacts;
    const char *warning; /* of the start; NULL: none */
    int stopped_by;      /* event of the scene that has ended it; CAROM_NONE */
    double reached;      /* [s] where the last step ended */
    bool started;        /* the first advance has tried to begin */
    bool open;           /* the sink has begun: it will be told the end */
    bool begun;          /* the first frame is recorded */
    bool resumed;        /* from a checkpoint */
    bool recording;      /* frames of a step are being recorded since: */
    double record_start; /* [s] */
    bool inside_step;    /* stopped between the frames of one step: the last checkpoint stands */
    bool ended;
    carom_error outcome; /* then */

    /* What a folder says of itself. */
    double saved;   /* [s] until when it holds the run; less than nothing: not at all */
    bool resumable; /* it has a checkpoint */
};

/* [s] of wall time so far, in this process and before. */
double run_wall(const run *r);

/* CAROM_INTERRUPTED, with the time. */
carom_status run_interrupted(const run *r, carom_error *err);

/* The status that a function of a sink has returned, with the sentence that it has said or, if it has said none, its name.
 * A number that is no status is bad input. */
carom_status run_sink_answer(const char *function, carom_status status, const carom_error *said, carom_error *err);

/* ---- schedule.c ---------------------------------------------------------------------------------------------------- */

/* The end, and the times between frames, from the scene and the def. */
void schedule_set(run *r);

/* Refuses more than is ever recorded, if anything is. */
carom_status schedule_check(const run *r, carom_error *err);

/* The next frame is the first on the grid that is not before the state. */
void schedule_from_here(run *r);

/* Whether the state has reached the next frame; its time. */
bool schedule_reached(const run *r);
double schedule_next(const run *r);

/* ---- record.c ------------------------------------------------------------------------------------------------------ */

/* What happens, what touches and how it looks where a run begins. */
carom_status record_begin(run *r, carom_error *err);

/* All that the last step leaves behind. */
carom_status record_step(run *r, carom_error *err);

/* Adds up what the step, or the start, has found. */
carom_status record_findings(run *r, carom_error *err);

/* ---- totals.c ------------------------------------------------------------------------------------------------------ */

/* Takes the ledger where the state stands, free of interpolation, into the totals: what the run is judged by. */
carom_status totals_look(run *r, run_progress *totals, carom_error *err);

void totals_add_step(run *r, const carom_step_report *report);
void totals_add_event(run *r, const carom_event *event);

/* The totals and findings of a run that has just ended. */
void totals_sum_up(run *r);

/* Adds the seconds that evaluations have counted so far. */
void totals_add_phases(const run *r, double phases[PHASE_COUNT]);

/* ---- summarise.c --------------------------------------------------------------------------------------------------- */

/* The text of summary.json of a run whose totals are summed up; free() it. *out is NULL on failure. */
carom_status run_summary_words(const run *r, const carom_error *outcome, char **out, carom_error *err);

#endif
