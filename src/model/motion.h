/* A point of the motion of everything: where all bodies are, how they are deformed and how fast they move. */
#ifndef CAROM_MODEL_MOTION_H
#define CAROM_MODEL_MOTION_H

#include <carom/model.h>

#include "base/arena.h"
#include "elements/bodies/frame.h"

/* Pointers into a state, a scratch, or memory of their own; copying one copies none of the numbers. */
typedef struct motion {
    body_pose *pose; /* body_count */
    body_rate *rate; /* body_count */
    double *q;       /* deform_count: deformation coordinates, those of a body from its first_deform on */
    double *q_dot;   /* deform_count */
    double *z;       /* integral_count: what is integrated along; NULL: as it is */
} motion;

/* Velocities of everything, or accelerations. */
typedef struct motion_rates {
    const body_rate *rate; /* body_count */
    const double *q_dot;   /* deform_count */
} motion_rates;

static inline motion_rates rates_of(motion at)
{
    return (motion_rates){ at.rate, at.q_dot };
}

/* Room for a point of the motion of a model; all zero. Pointers are NULL when the arena has failed. */
motion motion_create(carom_arena *arena, const carom_model *model);

/* Copies the numbers. */
void motion_copy(const carom_model *model, motion to, motion from);

#endif
