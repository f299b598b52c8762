/* Conservative advancement: how long a gap that is open surely stays open, from bounds on the motion of two bodies.
 *
 * An approach bound holds for any two points of two bodies: relative speed and relative acceleration, the turning of both
 * included. Then speed t + acceleration t^2 / 2 <= gap keeps a gap open. What is known of a gap itself, its rate or the
 * flight of a journal in its bearing, allows longer times. */
#ifndef CAROM_CONTACT_ADVANCEMENT_H
#define CAROM_CONTACT_ADVANCEMENT_H

#include "contact/motion_bounds.h"
#include "model/near.h"

typedef struct approach_bound {
    double speed;        /* [m/s] */
    double acceleration; /* [m/s^2] */
} approach_bound;

/* Of two bodies whose surfaces are within `lever` [m] of their centres of mass. `together`: how both translate relative to
 * each other; NULL: not known, their own bounds add up. With `features` the second bound is one of a gap along features that
 * turn with their bodies while points pass over them; without, one of distances. */
approach_bound approach_of(const motion_bound *a, const motion_bound *b, const approach_bound *together,
                           const double lever[2], bool features);

/* The bound of one body alone at a lever, which is left out where infinite. */
approach_bound approach_of_one(const motion_bound *b, double lever);

/* Levers of two colliders: as far as each reaches. A half-space is met no farther away than `apart` [m], the distance of the
 * centres of mass, and what the other reaches. */
void approach_levers(const near_search *near, int a, int b, double apart, double lever[2]);

/* [m] by which a gap may close within dt, and [s] for which one surely stays open. */
double approach_distance(approach_bound p, double dt);
double approach_time(approach_bound p, double gap);

/* [s] for which a gap with this rate [m/s] stays open while its second derivative is not below -A [m/s^2]. */
double open_time(double gap, double rate, double A);

/* [s] for which the middle of a journal, at d_w [m] across the axis of its bearing and moving at v_w [m/s] relative to it,
 * stays within the radius [m] of its play while no relative acceleration exceeds A [m/s^2]; 0: it is at the wall. */
double open_time_in_ring(v3 d_w, v3 v_w, double A, double radius);

#endif
