/* A point of the motion of everything: where all bodies are and how fast they move. */
#ifndef CAROM_MODEL_MOTION_H
#define CAROM_MODEL_MOTION_H

#include <carom/model.h>

#include "base/arena.h"
#include "math/quat.h"

typedef struct body_pose {
    v3 x_w;    /* [m] centre of mass */
    quat q_wb; /* body axes to world axes */
} body_pose;

typedef struct body_rate {
    v3 v_w;     /* [m/s] of the centre of mass (accelerations: [m/s^2]) */
    v3 omega_w; /* [rad/s] */
} body_rate;

/* The velocity of the material point at r_w from the centre of mass; of an acceleration: its part that is linear in it. */
static inline v3 point_velocity(const body_rate *rate, v3 r_w)
{
    return v3_add(rate->v_w, v3_cross(rate->omega_w, r_w));
}

/* Pointers into a state, a scratch, or memory of their own; copying one copies none of the numbers. */
typedef struct motion {
    body_pose *pose; /* body_count */
    body_rate *rate; /* body_count */
} motion;

/* Room for a point of the motion of a model; all zero. Pointers are NULL when the arena has failed. */
motion motion_create(carom_arena *arena, const carom_model *model);

/* Copies the numbers. */
void motion_copy(const carom_model *model, motion to, motion from);

#endif
