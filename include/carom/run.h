/* Runs: from the start to the end of a scene, with frames, events, checkpoints and a summary in a folder.
 *
 * Threads: HDF5 keeps state of its own and is mostly built without locks: runs, and results as they are opened, read and
 * closed, take one thread of the process at a time. */
#ifndef CAROM_RUN_H
#define CAROM_RUN_H

#include <carom/contact.h>
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
    long events;                     /* of all kinds */
    long evaluations;                /* of the model */
    double detection;                /* [s] of wall time spent on finding contacts and their forces */
    double detection_processor;      /* [s] of processor time for it, if asked for */
    carom_search_counts searched;    /* by it; these two since the start or the resumption, not in summary.json */
    carom_assembly assembly;         /* what it took to make the start consistent */
    bool resumable;                  /* there is a checkpoint from which carom_resume goes on */
    long findings[CAROM_SEVERITIES]; /* that are told in summary.json, by how grave they are */
    char gravest[512];               /* the gravest of them in a sentence; empty: none */
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
} carom_run_options;

/* Runs the model from its start to the end, or resumes the run in options->folder from its checkpoint. What was
 * reached is saved whatever the status. */
CAROM_API carom_status carom_run(const carom_model *model, const carom_run_options *options, carom_error *err);
CAROM_API carom_status carom_resume(const carom_model *model, const carom_run_options *options, carom_error *err);

/* What such a run records at least: contact points and events come on top. While it lasts result.h5 is kept twice. */
typedef struct carom_run_amount {
    double frames;
    double bytes; /* in result.h5 */
} carom_run_amount;

/* Refuses, as a run would, more frames or bytes than are ever written (1e8, 100 GB); *amount (or NULL) is filled all the
 * same. duration in s, 0: the scene's. */
CAROM_API carom_status carom_run_check(const carom_model *model, double duration, carom_run_amount *amount,
                                       carom_error *err);

#ifdef __cplusplus
}
#endif
#endif
