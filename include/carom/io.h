/* Scenes in, results out. */
#ifndef CAROM_IO_H
#define CAROM_IO_H

#include <carom/step.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Reads a scene file (JSON with comments, includes, variables, patterns). Each override is "path=value", e.g.
 * "bodies.rod.mass=2" or "variables.L=0.5"; value is JSON, or text where it is not. */
CAROM_API carom_status carom_scene_load(const char *file, const char *const *overrides, size_t override_count,
                                        carom_spec **out, carom_error *err);

/* The same from memory; `name` stands for the file in messages, includes are sought relative to `folder`. */
CAROM_API carom_status carom_scene_parse(const char *text, size_t length, const char *name, const char *folder,
                                         const char *const *overrides, size_t override_count, carom_spec **out,
                                         carom_error *err);

/* JSON Schema of the scene format, and its reference as Markdown; free with carom_text_destroy. */
CAROM_API char *carom_scene_schema(void);
CAROM_API char *carom_scene_reference(void);
CAROM_API void carom_text_destroy(char *text);

/* One error as a person reads it: file:line: path: message. Returns buffer. */
CAROM_API const char *carom_error_text(const carom_error *err, char *buffer, size_t size);

/* ---- runs --------------------------------------------------------------------------------------------------- */

typedef struct carom_progress {
    double t, end; /* [s] simulated */
    double dt;     /* [s] last step */
    double wall;   /* [s] since the start */
    long steps;
    int contacts;
} carom_progress;

/* How a run went, in numbers also found in summary.json. Errors are taken where steps end, free of interpolation. */
typedef struct carom_run_report {
    double t;    /* [s] reached */
    double wall; /* [s] */
    long steps;
    long rejected;             /* attempts thrown away by error control or Newton's method */
    double energy_error_max;   /* [J] worst |energy.residue| */
    double kinetic_max;        /* [J] largest kinetic energy, to compare it with */
    double position_error_max; /* [m or rad] worst constraint residual */
    double velocity_error_max;
    double penetration_max;  /* [m] deepest of all steps */
    long contacts_max;       /* touching points at once */
    long evaluations;        /* of the model */
    double detection;        /* [s] of wall time spent on finding contacts and their forces */
    carom_assembly assembly; /* what it took to make the start consistent */
} carom_run_report;

typedef struct carom_run_options {
    const char *folder;      /* receives result.h5, summary.json, signals.csv, checkpoint */
    double duration;         /* [s]; 0: the scene's */
    int threads;             /* 0: one */
    double checkpoint_every; /* [s] of wall time; 0: 30 */
    const char *scene_text;  /* stored with the results, so that they explain themselves */
    const char *command;     /* likewise */
    bool (*keep_going)(void *context, const carom_progress *progress); /* or NULL; false ends the run cleanly */
    void *context;
    carom_run_report *report; /* or NULL; filled whatever the status */
} carom_run_options;

/* Runs the model from its start to the end, or resumes the run in options->folder from its checkpoint. What was
 * reached is saved whatever the status. */
CAROM_API carom_status carom_run(const carom_model *model, const carom_run_options *options, carom_error *err);
CAROM_API carom_status carom_resume(const carom_model *model, const carom_run_options *options, carom_error *err);

/* ---- results ------------------------------------------------------------------------------------------------ */

typedef struct carom_result carom_result;
CAROM_API carom_status carom_result_open(const char *folder_or_file, carom_result **out, carom_error *err);
CAROM_API void carom_result_close(carom_result *result);
CAROM_API size_t carom_result_frame_count(const carom_result *result);
CAROM_API size_t carom_result_signal_count(const carom_result *result);
CAROM_API const char *carom_result_signal_name(const carom_result *result, size_t signal);
CAROM_API const char *carom_result_signal_unit(const carom_result *result, size_t signal);
CAROM_API const double *carom_result_time(const carom_result *result);                  /* frame_count numbers */
CAROM_API const double *carom_result_signal(const carom_result *result, size_t signal); /* likewise */
CAROM_API const char *carom_result_scene(const carom_result *result);                   /* the scene's text */

/* Names of bodies, as contact points number them; the ground is -1. */
CAROM_API size_t carom_result_body_count(const carom_result *result);
CAROM_API const char *carom_result_body_name(const carom_result *result, int body); /* "ground" for -1 */

/* One place where two bodies touch, in world axes. */
typedef struct carom_contact_point {
    int body[2];       /* A and B */
    double gap;        /* [m] negative: penetration */
    carom_v3 position; /* [m] */
    carom_v3 normal;   /* from B to A */
    carom_v3 force;    /* [N] on A, friction included */
    carom_v3 slip;     /* [m/s] of A relative to B, across the normal */
} carom_contact_point;

/* Whether the run looked for contacts at all; if not, every frame has none. */
CAROM_API bool carom_result_has_contacts(const carom_result *result);
CAROM_API size_t carom_result_contact_count(const carom_result *result, size_t frame);

/* The contact points of a frame, carom_result_contact_count of them, ascending by bodies; there until the next call.
 * Going through frames in order is fast however many there are. */
CAROM_API carom_status carom_result_contacts(const carom_result *result, size_t frame,
                                             const carom_contact_point **out, carom_error *err);

/* Writes chosen signals (all when count is 0) as CSV: first column time, names and units in the header. */
CAROM_API carom_status carom_result_export_csv(const carom_result *result, const char *file,
                                               const char *const *signals, size_t count, carom_error *err);

#ifdef __cplusplus
}
#endif
#endif
