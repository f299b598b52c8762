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

#include "elements/marker.h"

enum { JOINT_ROWS = 6, JOINT_COORDINATES = 3 };

typedef struct carom_joint_frames {
    marker a;
    marker b;
    double near[JOINT_COORDINATES]; /* last known coordinates: angles are unwrapped to the turn nearest to these */
} carom_joint_frames;

typedef struct carom_joint_rows {
    double a[JOINT_ROWS][6]; /* row k against [v_a; omega_a] */
    double b[JOINT_ROWS][6];
} carom_joint_rows;

typedef struct joint_coordinate {
    const char *name;
    bool angle;    /* radians and newton metres, else metres and newtons */
    bool drivable; /* may carry a prescribed motion */
} joint_coordinate;

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

    /* Not a joint between two bodies but a relation between coordinates of two other joints (gear): then only
     * `kind` is used, and params is a carom_gear_def. */
    bool couples_joints;
} carom_joint_type;

/* The table of a joint without parameters. */
extern const carom_field joint_no_fields[1];

/* The type with this name, or NULL. */
const carom_joint_type *carom_joint_type_find(const char *name);

#endif
