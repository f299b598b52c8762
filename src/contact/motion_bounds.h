/* Bounds on the motion of bodies, and on how soon two of them may meet (conservative advancement).
 *
 * A motion bound holds for one body over some time: its speed and spin, and how fast both change. An approach bound holds for
 * any two points of two bodies: relative speed and relative acceleration, the turning of both included. A gap that is open
 * now stays open for approach_time: speed t + acceleration t^2 / 2 <= gap. */
#ifndef CAROM_CONTACT_MOTION_BOUNDS_H
#define CAROM_CONTACT_MOTION_BOUNDS_H

#include "dynamics/dense.h"
#include "dynamics/work.h"

typedef struct motion_bound {
    double speed, spin;           /* [m/s] of the centre of mass, [rad/s] */
    double acceleration, spin_up; /* [m/s^2], [rad/s^2] */
} motion_bound;

typedef struct approach_bound {
    double speed;        /* [m/s] */
    double acceleration; /* [m/s^2] */
} approach_bound;

/* At an instant: the motion as it is. */
motion_bound motion_bound_now(const body_rate *rate, const body_rate *acceleration);

/* Over a step, from its dense output. The acceleration is a true bound of the interpolant; spin and spin_up are estimates
 * from both ends: how a body turns bends a little more than its ends say. */
motion_bound motion_bound_within(const dense_step *d, int body);

/* Of a kinematic body between t0 and t1: the largest of 17 samples, as no error control looks at prescribed motion. */
motion_bound motion_bound_prescribed(carom_scratch *w, double t0, double t1, int body);

/* Bernstein coefficients of the second derivative of x_a - x_b (b < 0: of x_a) within a step [m/s^2]: that of the quintic
 * of dense output is a cubic, which lies within their hull. */
void motion_bends(const dense_step *d, int a, int b, v3 c[4]);

/* The largest norm of that derivative within the step. */
double motion_largest_bend(const dense_step *d, int a, int b);

/* Adds the turning of one of the bodies at a lever [m] about its centre of mass. `passing` [m/s]: speed at which points pass
 * over the turning body, whose feature turns with it; 0 where distances are followed, which know no feature. */
void approach_add_turning(approach_bound *p, motion_bound b, double lever, double passing);

/* [m] by which a gap may close within dt, and [s] after which it may be closed. */
double approach_distance(approach_bound p, double dt);
double approach_time(approach_bound p, double gap);

#endif
