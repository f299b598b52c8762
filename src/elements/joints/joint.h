/* What a joint type supplies. It sees two markers and its own parameters, never the model, so that the same joint
 * serves multipliers, impulses and barriers.
 *
 * Rows: constraint C(q) = 0 with C_dot = sum over both bodies of a[k].[v_a; omega_a] + b[k].[v_b; omega_b], where v is
 * the velocity of the centre of mass and omega the angular velocity, both in world axes.
 * jdot_v: C_ddot = J [v_dot; omega_dot] + jdot_v.
 * Every entry of the first equation_count (coordinate_count) rows is written; the rows behind are left untouched.
 *
 * Axes are held together by dot products, the cheapest exact rows. They also vanish for assemblies put together the
 * wrong way round (axes antiparallel), which can only be reached by a jump: assembly asks `flipped` and refuses those.
 *
 * Coordinates: the free motions of the joint that have a number (angle of a revolute, travel of a prismatic), with the
 * same three functions. Motion of B relative to A counts positive. */
#ifndef CAROM_ELEMENTS_JOINTS_JOINT_H
#define CAROM_ELEMENTS_JOINTS_JOINT_H

#include <carom/elements.h>

#include "elements/bodies/frame.h"
#include "elements/marker.h"

enum { JOINT_ROWS = 6, JOINT_COORDINATES = 3, JOINT_SLIP = 3, JOINT_LOADS = 4 };

typedef struct carom_joint_frames {
    marker a;
    marker b;
    double near[JOINT_COORDINATES]; /* last known coordinates: angles are unwrapped to the turn nearest to these */
} carom_joint_frames;

typedef struct carom_joint_rows {
    double a[JOINT_ROWS][FRAME_COLUMNS]; /* row k against [v_a; omega_a] */
    double b[JOINT_ROWS][FRAME_COLUMNS];
} carom_joint_rows;

typedef struct joint_coordinate {
    const char *name;
    bool angle;    /* radians and newton metres, else metres and newtons */
    bool drivable; /* may carry a prescribed motion */
} joint_coordinate;

/* |map * multipliers of the joint's equations|: a force that presses bearing surfaces together [N]. */
typedef struct joint_load {
    int dim; /* rows of the map */
    double map[3][JOINT_ROWS];
} joint_load;

/* Dry friction in a joint. The friction force f [N] along the slip rows, |f| <= mu N, acts against the slip with the
 * power f . slip; N is the sum of the norms of all loads. */
typedef struct joint_friction {
    int dim;                        /* slip rows; 0: none */
    carom_joint_rows slip;          /* rows 0..dim-1: slip velocity [m/s] of B against A at the bearing's surface */
    double slip_jdot_v[JOINT_SLIP]; /* [m/s^2] */
    int load_count;
    joint_load loads[JOINT_LOADS];
} joint_friction;

typedef struct carom_joint_type {
    carom_kind kind; /* first: name, doc, fields, defaults, size */
    int equation_count;
    void (*residual)(double *C, const carom_joint_frames *frames, const void *params);
    void (*jacobian)(carom_joint_rows *J, const carom_joint_frames *frames, const void *params);
    void (*jdot_v)(double *gamma, const carom_joint_frames *frames, const void *params);

    /* Optional: whether the frames are nearer to a solution of the residual that is not meant, with the axes of B turned
     * over. Asked after assembly; motion cannot lead there. */
    bool (*flipped)(const carom_joint_frames *frames);

    int coordinate_count;
    joint_coordinate coordinates[JOINT_COORDINATES];
    void (*coordinate)(double *q, const carom_joint_frames *frames, const void *params);
    void (*coordinate_jacobian)(carom_joint_rows *J, const carom_joint_frames *frames, const void *params);
    void (*coordinate_jdot_v)(double *gamma, const carom_joint_frames *frames, const void *params);

    /* Optional: completes params from the frames at the start (a length taken from the drawing); refuses bad ones. */
    carom_status (*prepare)(void *params, const carom_joint_frames *frames, carom_error *err);

    /* Optional: where it rubs and what presses there; NULL: the joint has no friction. */
    void (*friction)(joint_friction *out, const carom_joint_frames *frames, const carom_joint_friction_def *def,
                     const void *params);
    bool friction_turns; /* the bearing's surfaces slip when B turns: friction needs a radius */

    /* Optional: the joint that stays when its surfaces have play; its first coordinate is that of this joint, those
     * behind say where B is within the play. NULL: cannot have clearance. */
    const struct carom_joint_type *with_clearance;
    bool has_play; /* this is such a type: not listed, made by a joint's `clearance` */

    /* Not a joint between two bodies but a relation between coordinates of two other joints (gear): then only
     * `kind` is used, and params is a carom_gear_def. */
    bool couples_joints;
} carom_joint_type;

/* Joints with play. */
extern const carom_joint_type carom_joint_revolute_play;
extern const carom_joint_type carom_joint_prismatic_play;

/* The table of a joint without parameters. */
extern const carom_field joint_no_fields[1];

/* The type with this name, or NULL. */
const carom_joint_type *carom_joint_type_find(const char *name);

/* Whether a joint is a distance between bounds, which then are those of *limit: a rope with this limit. */
bool joint_is_bounded_distance(const carom_joint_def *def, carom_joint_limit_def *limit);

#endif
