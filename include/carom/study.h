/* Studies: many runs of one scene with numbers that vary, measures of each run, statistics over all.
 *
 * A study is a file ("carom-study": 1, see docs/studies.md). Its runs are numbered from 0; what run i varies, and by how much, is
 * a function of the study and of i alone, so that any run can be evaluated anywhere, in any order. Of a search ('minimize') it follows
 * from runs before it.
 *
 * Threads: a study is used by one thread at a time, but for carom_study_evaluate and what only reads, which any number of
 * threads may call at once. A sweep starts threads of its own. */
#ifndef CAROM_STUDY_H
#define CAROM_STUDY_H

#include <carom/run.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_study carom_study;

/* Reads a study file, or what the folder of an earlier sweep remembers of its study. runs: how many, instead of what the study
 * says, where its sampling can be extended; 0: as it says. */
CAROM_API carom_status carom_study_open(const char *file_or_folder, size_t runs, carom_study **out, carom_error *err);
CAROM_API void carom_study_destroy(carom_study *study); /* NULL: nothing */

/* Of a NULL study counts are 0 and texts NULL; likewise of an index out of range. */
CAROM_API const char *carom_study_name(const carom_study *study);
CAROM_API const char *carom_study_sampling(const carom_study *study); /* "random" */
CAROM_API size_t carom_study_run_count(const carom_study *study);     /* of a search: the most that there may be */
CAROM_API size_t carom_study_variable_count(const carom_study *study);
CAROM_API size_t carom_study_measure_count(const carom_study *study);
CAROM_API const char *carom_study_variable(const carom_study *study, size_t i); /* "variables.offset" */
CAROM_API const char *carom_study_measure(const carom_study *study, size_t i);
CAROM_API const char *carom_study_unit(const carom_study *study, size_t measure); /* "N"; "": none */

typedef enum carom_row_status {
    CAROM_ROW_MISSING,  /* not run yet */
    CAROM_ROW_DONE,     /* its measures count */
    CAROM_ROW_FAILED,   /* scene, start or solver said no; the reason says why */
    CAROM_ROW_DOUBTFUL, /* it came to its end, but its ledger, its start or a finding does not deserve trust */
    CAROM_ROW_LIMIT,    /* it was cut off at a limit of the study */
    CAROM_ROW_CRASHED,  /* it has ended the process */
    CAROM_ROW_STATUSES
} carom_row_status;
CAROM_API const char *carom_row_status_name(carom_row_status status); /* "done"; "" for any other number */

/* Whether a run belongs to the study: any but, of a search that has ended, those that it did not ask for. */
CAROM_API bool carom_study_needs(const carom_study *study, size_t run);

/* What came of a run. */
typedef struct carom_row {
    size_t run;
    carom_row_status status;
    double *inputs; /* of each variable, in the scene's units */
    double *values; /* of each measure, in SI; NaN: it has none */
    char *reason;   /* why it is not done; "" where it is */
    double wall;    /* [s] */
    double cpu;     /* [s] */
    long steps;
} carom_row;

/* The rows that a folder of this study has, for carom_study_row; none is made, nothing is written. */
CAROM_API carom_status carom_study_load(carom_study *study, const char *folder, carom_error *err);

/* Runs one run and nothing else; no file is written. A run that fails is a row all the same: the status is about the study.
 * A run of a search is known once its row has been made or loaded. */
CAROM_API carom_status carom_study_evaluate(const carom_study *study, size_t run, carom_row **out, carom_error *err);
CAROM_API void carom_row_destroy(carom_row *row); /* NULL: nothing */

typedef struct carom_sweep_progress {
    size_t runs;                     /* that are asked for here: of this part, if it is one */
    size_t rows[CAROM_ROW_STATUSES]; /* of them, by status */
    double wall;                     /* [s] since the sweep began */
    size_t fresh;                    /* rows made since then */
} carom_sweep_progress;

/* All but the folder may be zero or NULL. */
typedef struct carom_sweep_options {
    const char *folder;
    int workers;     /* threads; 0: one for each processor */
    int part, parts; /* part 3 of 16: runs 2, 18, 34, ... only; parts 0: all */
    bool (*keep_going)(void *context,
                       const carom_sweep_progress *now); /* or NULL; ten times a second; false ends it cleanly */
    void *context;
    void (*begins)(void *context,
                   size_t run); /* or NULL; called by the worker's own thread before it begins a run, and with */
    void *begins_context;       /* (size_t)-1 after it */
} carom_sweep_options;

/* Makes all rows that the folder does not have yet and, once it has all, the files table.csv and study.h5, which do not depend on
 * who made which row when. A folder of another study is refused. CAROM_INTERRUPTED: keep_going said no; the rows so far are kept. */
CAROM_API carom_status carom_study_sweep(carom_study *study, const carom_sweep_options *options, carom_error *err);

/* The same in the hands of the caller, for runs that are evaluated elsewhere: on other machines, by another scheduler; not for a
 * search ('minimize'). It holds the
 * journal of the folder until it is closed. take and add may be called from any thread, the others from one. */
typedef struct carom_sweep carom_sweep;
CAROM_API carom_status carom_sweep_open(carom_study *study, const carom_sweep_options *options, carom_sweep **out,
                                        carom_error *err);

/* The next run that has no row and that nobody has taken; false: there is none. */
CAROM_API bool carom_sweep_take(carom_sweep *sweep, size_t *run);

/* Its row, which is the sweep's from this call on, whatever the status: into the journal, then to the study. */
CAROM_API carom_status carom_sweep_add(carom_sweep *sweep, carom_row *row, carom_error *err);
CAROM_API carom_sweep_progress carom_sweep_progress_of(carom_sweep *sweep);

/* Ends it; once all rows are there, writes table.csv and study.h5. NULL: nothing. */
CAROM_API carom_status carom_sweep_close(carom_sweep *sweep, carom_error *err);

/* A row as bytes for another process that has opened the same study, and back. Free *out with carom_text_destroy. */
CAROM_API carom_status carom_row_pack(const carom_study *study, const carom_row *row, char **out, size_t *size,
                                      carom_error *err);
CAROM_API carom_status carom_row_unpack(const carom_study *study, const char *bytes, size_t size, carom_row **out,
                                        carom_error *err);

/* Notes in the folder that a run has ended a process; after the second time its row is CAROM_ROW_CRASHED. why: "" or a word. */
CAROM_API carom_status carom_study_note_crash(const carom_study *study, const carom_sweep_options *options,
                                              size_t run, const char *why, carom_error *err);

/* A row of the last sweep; NULL: no such run, or it is missing. */
CAROM_API const carom_row *carom_study_row(const carom_study *study, size_t run);

/* What the rows of the last sweep come to, as lines of text for people. Free with carom_text_destroy; NULL: out of memory. */
CAROM_API char *carom_study_summary(const carom_study *study);

/* Writes the page of a study, report.html in this folder, with the rows of the last sweep: what came of them, drawn in several ways, a
 * table, and the command that repeats a run. */
CAROM_API carom_status carom_study_page(const carom_study *study, const char *folder, carom_error *err);

/* Runs whose whole results the study asks for ("keep"), after a sweep: their numbers, count of them at most. Returns how many there are. */
CAROM_API size_t carom_study_kept(const carom_study *study, size_t *runs, size_t count);

/* The scene of a run, and the changes ("path=value") that make it: for carom_scene_parse. There until the study is destroyed, and
 * until the next call for changes. */
CAROM_API const char *carom_study_scene(const carom_study *study, const char **name, const char **folder);
CAROM_API carom_status carom_study_changes(carom_study *study, size_t run, const char *const **out, size_t *count,
                                           carom_error *err);

#ifdef __cplusplus
}
#endif
#endif
