/* Dense output: the motion inside the last step, for recording between steps and for locating events.
 *
 * Quintic Hermite interpolation of positions, of the rotation vector from the start of the step and of deformation
 * coordinates, from poses, velocities and accelerations at both ends: error O(h^6) in positions, whatever integrator made the step. */
#ifndef CAROM_DYNAMICS_DENSE_H
#define CAROM_DYNAMICS_DENSE_H

#include "model/model.h"
#include "model/state.h"

typedef struct dense_end {
    double t;
    body_pose *pose;
    body_rate *rate;
    body_rate *acceleration;
    double *q; /* deform_count, as their rates and accelerations */
    double *q_dot;
    double *q_ddot;
    double *z; /* integral_count, as their rates */
    double *z_dot;
    ledger_sums sums;
    ledger_sums power;
} dense_end;

typedef struct dense_step {
    int body_count;
    int deform_count;
    int integral_count;
    bool smooth; /* made by an integrator: the motion within is known; else ends of steps are all there is */
    dense_end begin;
    dense_end end;
} dense_step;

dense_step *dense_create(carom_arena *arena, const carom_model *model);

/* Remember a state as the beginning or end of the step. */
void dense_take(dense_end *end, const carom_state *state, const carom_model *model);

/* The same for the point of an evaluation: positions, velocities, accelerations, rates of what is integrated along. */
void dense_take_point(dense_end *end, double t, motion at, motion_rates acceleration, const double *z_dot,
                      const carom_model *model);

/* The motion of one body at t inside the step. */
void dense_body_at(const dense_step *step, double t, int body, body_pose *pose, body_rate *rate);

/* The same with its acceleration. */
void dense_body_motion_at(const dense_step *step, double t, int body, body_pose *pose, body_rate *rate,
                          body_rate *acceleration);

/* The part of a step from t0 to t1 as a step of its own, of one body: the rest of `piece` is left as it is, its sums too. */
void dense_body_piece(const dense_step *step, double t0, double t1, int body, dense_step *piece);

/* The motion of all at t inside the step; sums may be NULL. */
void dense_at(const dense_step *step, double t, motion out, ledger_sums *sums);

#endif
