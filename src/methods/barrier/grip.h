/* Friction of impulses that send a pair apart (restitution.c). */
#ifndef CAROM_METHODS_BARRIER_GRIP_H
#define CAROM_METHODS_BARRIER_GRIP_H

#include "methods/barrier/barrier_work.h"
#include "nonsmooth/reduced.h"

enum { GRIP_ROWS = 3 };

/* A pair as one contact, at the middle of its pressure: slip along two tangents, and the twist about the normal as the slip that it makes at
 * the mean distance of the pressure from there. */
typedef struct grip {
    int body[2];
    v3 axis[GRIP_ROWS]; /* unit, the last one is the normal */
    v3 arm[2];          /* [m] from the centres of mass of A and of B */
    double radius;      /* [m] mean distance of the pressure from its middle */
    double mu;
} grip;

/* With the velocities of all bodies before anything is given back. */
grip grip_of(const barrier_work *w, const barrier_pair *p, const body_rate *rate);

/* [m/s] */
double grip_slip(const grip *g, int row, const body_rate *rate);

/* What a unit impulse [N s] along a row does to both bodies. */
pair_push grip_push(const grip *g, int row);

/* Friction of `count` grips for given normal impulses P [N s], by maximum dissipation: of each |J| <= mu P, against the slip that is left. Rows of grip k
 * begin at row contact_count + GRIP_ROWS k of the problem. J and u [m/s], of all rows, in and out. Returns the largest change of a slip. */
double grips_hold(const grip *g, int count, const reduced_problem *p, const double *P, double *J, double *u);

#endif
