/* Bounds on the motion of one body over some time: its speed and spin, and how fast both change. */
#ifndef CAROM_CONTACT_MOTION_BOUNDS_H
#define CAROM_CONTACT_MOTION_BOUNDS_H

#include "dynamics/dense.h"
#include "dynamics/work.h"

typedef struct motion_bound {
    double speed, spin;           /* [m/s] of the centre of mass, [rad/s] */
    double acceleration, spin_up; /* [m/s^2], [rad/s^2] */
} motion_bound;

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

/* [m/s^2] by which the height of any point of a body, at most `lever` [m] from its centre of mass, over a plane fixed to
 * `base` is accelerated towards that plane at most within a step. `base` does not turn; n_w: the plane's normal, towards
 * the points; spin: a bound of the body's [rad/s]. Neither is kinematic. */
double motion_onto_plane(const dense_step *d, int body, int base, double lever, double spin, v3 n_w);

#endif
