/* The stages of a step of Radau IIA: collocation at three points [Hairer1996, IV.5] for bodies under constraints.
 *
 *     u_i = h sum_j A_ij B(u_j) v_j + s_i,     v_i = v_0 + h sum_j A_ij a_j,
 *     M a_i = f(u_i, v_i, t_i) - J^T sigma_i,  M s_i = -J^T mu_i,   C(u_i) = 0,   J v_i + C_t = 0
 *
 * u is the displacement since the beginning of the step: of centres, the rotation vector, deformation coordinates. B turns
 * angular velocities into rates of rotation vectors. The shifts s are of the order of the local error and let every stage
 * satisfy its constraints on position and velocity level, so that a mechanism passes a singular position unless a stage
 * lies in it. The last stage is the end of the step.
 *
 * Newton's method goes through the stages one after the other with A replaced by T, lower triangular, of Crout's
 * decomposition A = T U [Houwen1997]: one real system M + h T_ii D + (h T_ii)^2 K with the rows J of each stage, at its own
 * point. On linear problems an iteration leaves at most 0.37 of the error of a vibration, 0.15 of a decay, and nothing of
 * constraints after three. */
#ifndef CAROM_DYNAMICS_RADAU_STAGES_H
#define CAROM_DYNAMICS_RADAU_STAGES_H

#include "dynamics/integrals.h"
#include "dynamics/integrator.h"
#include "dynamics/tangent.h"

enum { RADAU_STAGES = 3 };

typedef struct radau_stage {
    double *u;        /* column_count: displacement                   */
    double *u_dot;    /* column_count: its rate                       */
    double *v;        /* column_count: velocities                     */
    double *a;        /* column_count: accelerations                  */
    double *k;        /* column_count: velocities of which u is the integral: v, when Newton's method has converged */
    double *k_change; /* column_count: in this iteration */
    double *a_change;
    double *shift; /* column_count: s                              */
    double *sigma; /* row_count                                    */
    double *z;     /* integral_count: what is integrated along     */
    double *z_dot; /* integral_count                               */
    double *z_dot_change;
    motion at;
    ledger_sums power;
    tangent *newton;
} radau_stage;

typedef struct radau_work {
    carom_arena arena;
    radau_stage stages[RADAU_STAGES];
    double *v0; /* column_count: velocities at the beginning */
    double *a0; /* column_count: accelerations there */
    double *p;  /* column_count: change of velocities by that of earlier stages */
    double *u;  /* column_count: trial displacement of a stage, and velocities */
    double *v;
    double *residual; /* column_count */
} radau_work;

/* The scratch's workspace, made on first need. */
carom_status radau_get(carom_scratch *w, radau_work **out, carom_error *err);

/* Takes the beginning of a step from the state and predicts the stages from its accelerations and their derivatives. */
void radau_predict(const carom_scratch *w, const carom_state *s, radau_work *r, double h);

/* What Newton's method is to reach. */
typedef struct radau_goal {
    double t0, h;     /* [s] */
    double tolerance; /* of changes of velocity and position, relative to `speed` and to the model's length */
    speed_scale speed;
    int limit; /* of iterations */
} radau_goal;

/* CAROM_NOT_CONVERGED: a shorter step may do. */
carom_status radau_solve(carom_scratch *w, const carom_state *s, radau_work *r, const radau_goal *goal,
                         int *iterations, carom_error *err);

/* The estimated local error of velocities and positions, relative as above: of order h^4 [Hairer1996, IV.8]. */
double radau_error(carom_scratch *w, const carom_state *s, radau_work *r, const radau_goal *goal);

/* sums += integral of the powers over the step. */
void radau_add_sums(const radau_work *r, double h, ledger_sums *sums);

/* Derivatives of the accelerations at the end, for the next prediction, from the stages and the accelerations there: the first in
 * `jerk` of the state, the second in `history`, and likewise of coordinates. */
void radau_keep_derivatives(const carom_scratch *w, const radau_work *r, double h, carom_state *s);

#endif
