/* The motion of all free bodies as one vector of numbers: what integrators of first-order systems work on.
 *
 * Per free body x, q (four numbers), v, omega; then the deformation coordinates of all bodies and their rates; then what is integrated along with the
 * motion; then the ledger's sums, so that work and dissipation are known to the same
 * order as the motion. */
#ifndef CAROM_DYNAMICS_UNKNOWNS_H
#define CAROM_DYNAMICS_UNKNOWNS_H

#include "dynamics/work.h"

enum {
    UNKNOWNS_PER_POSE = sizeof(body_pose) / sizeof(double),
    UNKNOWNS_PER_BODY = UNKNOWNS_PER_POSE + FRAME_COLUMNS,
};

/* A point of the motion with its accelerations: of a state, or of the last evaluation. */
typedef struct motion_point {
    const body_pose *pose;
    const body_rate *rate;
    const body_rate *acceleration;
    const double *q_dot;
    const double *q_ddot;
    const double *z_dot;
    const ledger_sums *power;
} motion_point;

/* Where the deformation coordinates, their rates, what is integrated along and the sums begin; the last is the number of unknowns of the motion. */
static inline int unknowns_first_q(const carom_model *model)
{
    return UNKNOWNS_PER_BODY * model->free_count;
}

static inline int unknowns_first_q_dot(const carom_model *model)
{
    return unknowns_first_q(model) + model->deform_count;
}

static inline int unknowns_first_z(const carom_model *model)
{
    return unknowns_first_q_dot(model) + model->deform_count;
}

static inline int unknowns_first_sum(const carom_model *model)
{
    return unknowns_first_z(model) + model->integral_count;
}

/* How large a change of an unknown of the motion is: lengths by that of the model, speeds by the fastest, what is integrated along by its
 * value z or its own size. */
void unknowns_scales(const carom_model *model, double linear_speed, double angular_speed, const double *z,
                     double *scale);

motion_point unknowns_of_state(const carom_state *s);
motion_point unknowns_of_work(const carom_scratch *w);

void unknowns_pack(const carom_model *model, const carom_state *s, double *y);

/* Poses (quaternions normalised) and rates of free bodies; the others stay as they are. */
void unknowns_unpack(const carom_model *model, const double *y, motion out);

/* The derivative of the vector at a point. */
void unknowns_derivative(const carom_model *model, motion_point p, double *y_dot);

#endif
