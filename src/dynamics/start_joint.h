/* One joint alone: linear conditions on the velocity of the body that it carries. */
#ifndef CAROM_DYNAMICS_START_JOINT_H
#define CAROM_DYNAMICS_START_JOINT_H

#include "model/model.h"
#include "model/state.h"

/* Conditions row . [v; omega] = value: those of the joint's equations, then of its coordinates. */
typedef struct start_rows {
    int count;
    double row[JOINT_ROWS + JOINT_COORDINATES][FRAME_COLUMNS];
    double value[JOINT_ROWS + JOINT_COORDINATES];
} start_rows;

/* The markers at a point of the motion. */
carom_joint_frames start_frames(const carom_model *model, const model_joint *joint, motion at, const double *near);

/* The rows of the body on one side, 0 or 1; values are zero. */
start_rows start_conditions(const model_joint *joint, const carom_joint_frames *frames, int side);

/* The smallest velocity [v; omega] that meets the conditions; a turn of 1 rad counts as a way of `length`. */
void start_solve(const start_rows *c, double length, double out[FRAME_COLUMNS]);

#endif
