/* Runs: from the start to the end of a scene, with frames, events, checkpoints and a summary in a folder; and runs as objects
 * that hand frames and events to a sink: a folder, memory, or none.
 *
 * Threads: a run, its sink and its memory are used by one thread at a time; any number of runs of one model go on in
 * as many threads, and their results do not depend on it. Folders are the exception. HDF5 keeps state of its own and is mostly
 * built without locks: runs into folders, and results as they are opened, read and closed, take one thread of the process at
 * a time. Nothing else here touches HDF5. */
#ifndef CAROM_RUN_H
#define CAROM_RUN_H

#include <carom/contact.h>
#include <carom/observe.h>
#include <carom/trust.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_progress {
    double t, end; /* [s] simulated */
    double dt;     /* [s] last step */
    double wall;   /* [s] since the start */
    long steps;
    int contacts;
    const char *warning; /* the gravest finding where the run began, in a sentence; NULL: none */
    bool begun;          /* false: the start is being prepared, nothing is worth showing yet */
} carom_progress;

/* What the exact test of recorded frames has found (carom_run_def.verify). All zero: none was asked for. */
typedef struct carom_verification {
    long frames; /* tested */
    long pairs;  /* of shapes that may touch and whose boxes overlap, of all frames: each is decided exactly */
    long
        intersections; /* of them that cut, touch or contain each other, or frames in which a body has no finite pose */
    double wall;       /* [s] of wall time that it took */

    /* Of the first intersection: */
    double t; /* [s] */
    carom_id body[2];
    int shape[2];    /* of each body, in the order of the scene */
    char first[400]; /* in a sentence, with the features that meet; empty: none */
} carom_verification;

/* How a run went, in numbers also found in summary.json. Errors are taken where steps end, free of interpolation. */
typedef struct carom_run_report {
    double t; /* [s] reached */
    double
        saved;   /* [s] until when the folder holds the run; below t where a file could not be written, -1: nothing */
    double wall; /* [s] */
    long steps;
    long rejected;             /* attempts thrown away by error control or Newton's method */
    double energy_error_max;   /* [J] worst |energy.residue| */
    double kinetic_max;        /* [J] largest kinetic energy */
    double turnover_max;       /* [J] largest energy that has changed its form since the start, to compare it with */
    double position_error_max; /* [m or rad] worst constraint residual */
    double velocity_error_max;
    double penetration_max;          /* [m] deepest of all steps */
    long contacts_max;               /* touching points at once */
    long switches;                   /* contact constraints that came or went, of methods that count them */
    long events;                     /* of all kinds */
    long evaluations;                /* of the model */
    double detection;                /* [s] of wall time spent on finding contacts and their forces */
    double detection_processor;      /* [s] of processor time for it, if asked for */
    carom_search_counts searched;    /* by it; these two since the start or the resumption, not in summary.json */
    carom_assembly assembly;         /* what it took to make the start consistent */
    char stopped_by[100];            /* event of the scene that has ended it; empty: none */
    bool resumable;                  /* there is a checkpoint from which carom_resume_folder goes on */
    long findings[CAROM_SEVERITIES]; /* that are told in summary.json, by how grave they are */
    char gravest[512];               /* the gravest of them in a sentence; empty: none */
    carom_verification verified;     /* if asked for */
} carom_run_report;

/* Times are finite and not negative, threads at most 4096; folder must be given, all else may be zero or NULL. */
typedef struct carom_run_options {
    const char *folder;      /* receives result.h5, summary.json, signals.csv, checkpoint */
    double duration;         /* [s]; 0: the scene's */
    int threads;             /* 0: one */
    double checkpoint_every; /* [s] of wall time; 0: 30 */
    const char *scene_text;  /* stored with the results, so that they explain themselves */
    const char *command;     /* likewise */
    bool (*keep_going)(void *context, const carom_progress *progress); /* or NULL; false ends the run cleanly. Asked
                                  between steps and, fifty times a second at most, within what takes long */
    void *context;
    carom_run_report *report; /* or NULL; filled whatever the status */
    bool processor_time;      /* report the processor time of detection; costs a microsecond per evaluation */
    bool verify; /* test every frame for intersections, exactly and by other means than those of the method; what
                                is found is reported, also in summary.json, and does not end the run. A run that is resumed
                                tests the frames in the folder as well */
} carom_run_options;

/* Runs the model from its start to the end, or resumes the run in options->folder from its checkpoint. What was
 * reached is saved whatever the status. */
CAROM_API carom_status carom_run_folder(const carom_model *model, const carom_run_options *options, carom_error *err);
CAROM_API carom_status carom_resume_folder(const carom_model *model, const carom_run_options *options,
                                           carom_error *err);

/* What such a run records at least: contact points and events come on top. While it lasts result.h5 is kept twice. */
typedef struct carom_run_amount {
    double frames;
    double bytes; /* in result.h5 */
} carom_run_amount;

/* Refuses, as a run would, more frames or bytes than are ever written (1e8, 100 GB); *amount (or NULL) is filled all the
 * same. duration in s, 0: the scene's. */
CAROM_API carom_status carom_run_check(const carom_model *model, double duration, carom_run_amount *amount,
                                       carom_error *err);

/* ---- runs as objects ----------------------------------------------------------------------------------------------- */

/* A state on its way to the end of a scene, with its work space, schedule, totals and judgement. */
typedef struct carom_run carom_run;

/* An instant that a run records. There during the call that hands it over. */
typedef struct carom_frame carom_frame;
CAROM_API double carom_frame_time(const carom_frame *frame); /* [s]; NULL: 0 */

/* The signals of an observer there: nothing is evaluated again. out as in carom_observe. */
CAROM_API carom_status carom_frame_observe(const carom_frame *frame, const carom_observer *observer, double *out,
                                           carom_error *err);

/* Where frames and events go. Any function may be NULL: not called; without `frame` no frame is ever looked at. A status other
 * than CAROM_OK, with a sentence in err, ends the run with it. Calls come from the thread that advances the run; to advance it
 * from within one is refused, and they must not destroy it. */
typedef struct carom_sink {
    void *self;   /* handed to all of them */
    double every; /* [s] frames are at its multiples, and at the end; 0: as the scene says. No step is cut for them */

    /* Once, when the start is known to be possible. From then on `end` will be called. */
    carom_status (*begin)(void *self, carom_run *run, carom_error *err);
    carom_status (*frame)(void *self, const carom_frame *frame, carom_error *err);

    /* In the order of time, before the next frame; a million at most. */
    carom_status (*event)(void *self, const carom_event *event, carom_error *err);

    /* After the first frame, and after every step and its frames. */
    carom_status (*step)(void *self, carom_run *run, carom_error *err);

    /* Once. outcome->status is CAROM_OK at the end of the run, CAROM_INTERRUPTED when the run is left before. */
    carom_status (*end)(void *self, carom_run *run, const carom_error *outcome, carom_error *err);
    void (*destroy)(void *self);
} carom_sink;

/* All may be zero or NULL. Times are finite and not negative, threads at most 4096. */
typedef struct carom_run_def {
    double duration;        /* [s] time where it ends, wherever it begins; 0: the scene's */
    int threads;            /* within each step; 0: one */
    const carom_sink *sink; /* copied; NULL: nothing is recorded */

    /* Where it begins: at a state, which is copied and goes on with the same bits; or at the checkpoint in the folder of an
     * earlier run, with its totals; or, both NULL, at the scene's start. */
    const carom_state *from;
    const char *checkpoint;
    bool (*keep_going)(void *context, const carom_progress *progress); /* as in carom_run_options */
    void *context;
    bool processor_time; /* likewise */
    bool verify;         /* likewise; of a sink that takes frames */
} carom_run_def;

/* Makes a run ready; its first advance begins it. The sink is the run's from this call on: it is destroyed with it, and
 * at once when the call fails. */
CAROM_API carom_status carom_run_create(const carom_model *model, const carom_run_def *def, carom_run **out,
                                        carom_error *err);

/* Goes on to `until` [s], where a step ends, or to the end of the run if that is earlier: infinity will do. Returns CAROM_OK
 * before, between two steps, when wall_limit [s] of wall time has passed, though not without a step; 0: no limit. The
 * first call assembles the start, or reads the checkpoint, even if `until` is in the past. A run that has failed or was
 * interrupted by keep_going has ended, and answers every further call likewise; the state is the last one that was
 * reached. */
CAROM_API carom_status carom_run_advance(carom_run *run, double until, double wall_limit, carom_error *err);

/* The present state, until the run is destroyed; NULL for NULL. To fork a run, give it to another as `from`. */
CAROM_API const carom_state *carom_run_state(const carom_run *run);

/* How it went so far; findings are told once it has ended. The ledger is looked at where the run begins and ends and where
 * frames are recorded. `saved` is -1 without a folder. Zeros for NULL. */
CAROM_API carom_run_report carom_run_report_of(const carom_run *run);

/* Whether it has come to its end, has failed or was interrupted; true for NULL. */
CAROM_API bool carom_run_ended(const carom_run *run);

/* What a folder's summary.json would say of a run that has ended; a run that has not is refused. Free *out with
 * carom_text_destroy; NULL on failure. */
CAROM_API carom_status carom_run_summary(const carom_run *run, char **out, carom_error *err);

/* A run that has not ended is interrupted: its sink is told so. NULL: nothing. */
CAROM_API void carom_run_destroy(carom_run *run);

/* ---- a folder ------------------------------------------------------------------------------------------------------ */

/* As in carom_run_options; texts are copied. */
typedef struct carom_folder_options {
    const char *folder;
    double checkpoint_every; /* [s] of wall time; 0: 30 */
    const char *scene_text;  /* or NULL */
    const char *command;     /* or NULL */
} carom_folder_options;

/* The sink of carom_run_folder. It holds a run from where that begins (t = 0, or the state of a fork), or goes on from the
 * checkpoint of its own folder. It belongs to the run that it is given to. */
CAROM_API carom_status carom_sink_folder(const carom_folder_options *options, carom_sink *out, carom_error *err);

/* ---- memory -------------------------------------------------------------------------------------------------------- */

/* Times, signals and events of a run as arrays. */
typedef struct carom_memory carom_memory;

/* Frames are at multiples of `every` [s] and at the end; 0: as the scene says. The observer must live as long as the memory. */
CAROM_API carom_status carom_memory_create(const carom_observer *observer, double every, carom_memory **out,
                                           carom_error *err);
CAROM_API void carom_memory_destroy(carom_memory *memory); /* NULL: nothing */

/* The sink that writes into it. The memory is the caller's, must outlive the run and may be read whenever no run is being
 * advanced into it. A run that begins clears it, so that one memory serves many runs, one after the other. NULL: a sink that
 * records nothing. */
CAROM_API carom_sink carom_sink_memory(carom_memory *memory);

/* Numbers `stride` apart. NULL, 0 and 0 where there are none. */
typedef struct carom_column {
    const double *values;
    size_t count;
    size_t stride;
} carom_column;

/* One number per frame; there until the next run or the end of the memory. */
CAROM_API carom_column carom_memory_times(const carom_memory *memory); /* [s] */
CAROM_API carom_column carom_memory_signal(const carom_memory *memory, size_t signal);

/* In the order of time; count may be NULL. */
CAROM_API const carom_event *carom_memory_events(const carom_memory *memory, size_t *count);

#ifdef __cplusplus
}
#endif
#endif
