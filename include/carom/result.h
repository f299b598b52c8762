/* Results: what a run has left in its folder.
 *
 * Threads: a result is used by one thread at a time, for reading too: columns, surfaces and contacts are read from the file
 * when they are first asked for. HDF5 keeps state of its own and is mostly built without locks: runs, and results as they are
 * opened, read and closed, take one thread of the process at a time. Summaries are the caller's, one thread at a time. */
#ifndef CAROM_RESULT_H
#define CAROM_RESULT_H

#include <carom/contact.h>
#include <carom/trust.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of a NULL result counts are 0, lists and texts NULL; likewise names, units and columns of a signal that is not there.
 * *out is NULL on failure; close takes NULL. */
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

/* The number of a signal, and its values (frame_count of them; values may be NULL). One that is not there is an error
 * that names the nearest. */
CAROM_API carom_status carom_result_find_signal(const carom_result *result, const char *name, size_t *signal,
                                                const double **values, carom_error *err);

/* How many signals the scene asked for; they come before all others. */
CAROM_API size_t carom_result_recorded_count(const carom_result *result);

/* What a run wrote about itself: "name", "method" and "view" (a list, as JSON in SI units) of the scene, the "command" that ran
 * it, "version" of the program. Empty where the file does not say, also for NULL. */
CAROM_API const char *carom_result_text(const carom_result *result, const char *key);

/* summary.json from the folder of the result, whole; NULL when there is none (the run has not ended). */
CAROM_API const char *carom_result_summary_text(const carom_result *result);

/* A number of summary.json by its place, e.g. "energy.worst_balance_error". False, and *value is NaN, when the run has
 * written no such number. value may be NULL. */
CAROM_API bool carom_result_number(const carom_result *result, const char *path, double *value);

/* summary.json for those who want many numbers of it. NULL when there is none. It lives as long as the result, and so do
 * its texts. A NULL summary or path holds nothing; value may be NULL. */
typedef struct carom_summary carom_summary;
CAROM_API const carom_summary *carom_result_summary(const carom_result *result);
CAROM_API bool carom_summary_number(const carom_summary *summary, const char *path, double *value);
CAROM_API const char *carom_summary_text(const carom_summary *summary, const char *path); /* NULL: no such text */

/* The names within an object such as "phases", in the order they were written. */
CAROM_API size_t carom_summary_size(const carom_summary *summary, const char *path);
CAROM_API const char *carom_summary_name(const carom_summary *summary, const char *path, size_t i); /* NULL: none */

/* What the run has found out about itself; see trust.h. *out is NULL when it has not ended or was written by a carom that did
 * not judge. Destroy it before the result is closed. */
CAROM_API carom_status carom_result_findings(const carom_result *result, carom_findings **out, carom_error *err);

/* Bodies are numbered as in the model: the ground is CAROM_GROUND (0) and counts, those of the scene follow in order. */
CAROM_API size_t carom_result_body_count(const carom_result *result);
CAROM_API const char *carom_result_body_name(const carom_result *result, carom_id body); /* NULL: none */

typedef struct carom_result_body {
    const char *name;
    const char *role; /* "free", "fixed", "kinematic" or "nodes" */
    double mass;      /* [kg] */
    double color[3];  /* red green blue, 0..1; negative: none given */
} carom_result_body;
CAROM_API carom_result_body carom_result_body_info(const carom_result *result,
                                                   carom_id body); /* none: that of the ground */

/* Where a body is and how it moves: the body frame, in world axes. The ground rests at the origin, at any frame. */
typedef struct carom_motion {
    carom_pose pose;
    carom_v3 velocity;         /* [m/s] of the frame's origin */
    carom_v3 angular_velocity; /* [rad/s] */
} carom_motion;
CAROM_API carom_status carom_result_motion(const carom_result *result, carom_id body, size_t frame, carom_motion *out,
                                           carom_error *err);

/* Nodes of a body that deforms; 0: it does not. */
CAROM_API size_t carom_result_node_count(const carom_result *result, carom_id body);

/* Which frames hold where its nodes are: 0, n, 2 n, ... for the number n that is returned; 0: it does not deform. In between nodes are
 * interpolated in the frame of the body, behind the last such frame they keep the displacements that they had there. */
CAROM_API size_t carom_result_nodes_every(const carom_result *result, carom_id body);

/* Where the nodes of a body are at a frame, in world axes [m], and how they move [m/s] (velocities may be NULL): node_count of each. The
 * deformation is kept in single precision, the motion of the body's frame in double. */
CAROM_API carom_status carom_result_nodes(const carom_result *result, carom_id body, size_t frame,
                                          carom_v3 *positions, carom_v3 *velocities, carom_error *err);

/* A shape of a body, as it is drawn. Shapes that are alike share a surface. */
typedef struct carom_result_shape {
    carom_id body;     /* CAROM_NONE: no such shape */
    const char *kind;  /* as scenes spell it */
    int surface;       /* -1: none, an infinite plane z = 0 in its own axes, solid below */
    carom_pose pose_b; /* in the body frame */
} carom_result_shape;
CAROM_API size_t carom_result_shape_count(const carom_result *result); /* 0 also for files that have none */
CAROM_API carom_result_shape carom_result_shape_info(const carom_result *result, size_t shape); /* none: kind "" */

/* Triangles, counter-clockwise seen from outside. */
typedef struct carom_surface {
    size_t vertex_count;
    size_t triangle_count;
    const double *vertices;   /* x y z of each [m] */
    const int32_t *triangles; /* three vertices each */
} carom_surface;
CAROM_API size_t carom_result_surface_count(const carom_result *result);
CAROM_API carom_status carom_result_surface(const carom_result *result, size_t surface, carom_surface *out,
                                            carom_error *err); /* there until the result is closed */

typedef struct carom_result_joint {
    const char *name;
    const char *type;
    carom_id body[2];       /* A and B; CAROM_NONE where has_markers is false */
    carom_pose marker_b[2]; /* in the body frames; the joint's axis is z */
    bool has_markers;       /* false: written by a carom that did not keep them */
} carom_result_joint;
CAROM_API size_t carom_result_joint_count(const carom_result *result);
CAROM_API carom_result_joint carom_result_joint_info(const carom_result *result, size_t joint); /* none: name "" */

/* What a joint exerts on body B at marker B, in world axes. */
CAROM_API carom_status carom_result_reaction(const carom_result *result, size_t joint, size_t frame, carom_v3 *force,
                                             carom_v3 *torque, carom_error *err);

/* A force element that has a place: it is drawn, and what it exerts is recorded. Fields (gravity, drag) are not among them. */
typedef struct carom_result_force {
    const char *name;
    const char *kind; /* "spring", "damper", "bushing", "motor", "load", or "user": of the program around carom */
    carom_id body[2]; /* A and B; B is CAROM_NONE where it acts on one body */
    carom_pose marker_b[2]; /* in the body frames; of one that drives a joint those of the joint, whose axis is z */
    int joint;              /* whose coordinate it drives; -1: none */
    bool turns;             /* of those: about the axis, else along it */
} carom_result_force;
CAROM_API size_t carom_result_force_count(const carom_result *result); /* 0 also for files that have none */
CAROM_API carom_result_force carom_result_force_info(const carom_result *result, size_t force); /* none: name "" */

/* What a force exerts on body A at marker A, or, where it drives a joint, on body B; in world axes [N], [N m]. */
CAROM_API carom_status carom_result_effort(const carom_result *result, size_t force, size_t frame, carom_v3 *effort,
                                           carom_v3 *torque, carom_error *err);

/* Events of the run, in the order of time: all, or the first million. */
CAROM_API size_t carom_result_event_count(const carom_result *result);
CAROM_API const carom_event *carom_result_events(const carom_result *result);

/* What an event of the result is called: an event of the scene by its name, others by their kind. "" for NULL. */
CAROM_API const char *carom_result_event_name(const carom_result *result, const carom_event *event);

/* Whether the run looked for contacts at all; if not, every frame has none. */
CAROM_API bool carom_result_has_contacts(const carom_result *result);
CAROM_API size_t carom_result_contact_count(const carom_result *result, size_t frame);

/* The contact points of a frame, carom_result_contact_count of them (*out is NULL where there are none), ascending by
 * bodies; there until the next call.
 * Going through frames in order is fast however many there are. */
CAROM_API carom_status carom_result_contacts(const carom_result *result, size_t frame,
                                             const carom_contact_point **out, carom_error *err);

/* Two bodies that have touched, with what their contact amounts to. A run that has ended knows it of all its steps; else
 * it is taken from the frames, each of which stands for the time halfway to its neighbours, and a touch between two
 * frames is not seen. */
typedef struct carom_result_pair {
    carom_id body[2];   /* A and B */
    double first_touch; /* [s] the first step or frame with a contact point */
    double last_touch;  /* [s] */
    double in_contact;  /* [s] */
    double peak_force;  /* [N] largest |sum of the forces of all points|, friction included */
    double peak_at;     /* [s] */
    double impulse; /* [N s] trapezoidal integral of |sum of (force . normal) normal| of all points, and impulses of
                           impacts: how hard the two have pushed each other apart altogether */
    double penetration; /* [m] deepest */
} carom_result_pair;

/* The largest peak force first, then by bodies, CAROM_PAIRS_MOST of them at most. No contacts: an empty list. */
enum { CAROM_PAIRS_MOST = 1000 };
CAROM_API carom_status carom_result_pairs(const carom_result *result, carom_result_pair **out, size_t *count,
                                          carom_error *err);
CAROM_API void carom_result_pairs_destroy(carom_result_pair *list); /* NULL: nothing */

/* Whether they are of all steps; else of the recorded frames only. */
CAROM_API bool carom_result_pairs_of_steps(const carom_result *result);

/* The extremes over all frames and pairs. */
typedef struct carom_contact_overview {
    size_t most_points;           /* contact points at once; 0: nothing ever touched in a frame */
    double most_points_at;        /* [s] */
    double penetration;           /* [m] deepest; 0: none */
    double penetration_at;        /* [s] */
    carom_id penetration_body[2]; /* CAROM_NONE: none */
    double force;                 /* [N] largest of one point */
    double force_at;              /* [s] */
    carom_id force_body[2];       /* CAROM_NONE: none */
} carom_contact_overview;
CAROM_API carom_status carom_result_contact_overview(const carom_result *result, carom_contact_overview *out,
                                                     carom_error *err);

/* Writes chosen signals (all when count is 0, and signals may be NULL) as CSV: first column time, names and units in the
 * header. */
CAROM_API carom_status carom_result_export_csv(const carom_result *result, const char *file,
                                               const char *const *signals, size_t count, carom_error *err);

#ifdef __cplusplus
}
#endif
#endif
