/* The stiffness of barriers, of surfaces and of stops. */
#ifndef CAROM_METHODS_BARRIER_STIFFNESS_H
#define CAROM_METHODS_BARRIER_STIFFNESS_H

#include "methods/barrier/barrier_work.h"

/* [N/m or N m/rad] for the load of a step: inertia [kg or kg m^2] that the barrier moves, way [m or rad] that it would come nearer. */
double stiffness_for(double h, double inertia, double way, double range);

/* That of a barrier when a step begins, which a state may remember. One that pushes keeps what is known, unless its impact has
 * ended. */
double stiffness_kept(double loaded, bool touched, impact_phase impact, double known);

/* That of a barrier that pushes when a step of h begins: it grows slowly to what the load asks for. Rate [1/s]: ranges that things
 * may creep per second. */
double stiffness_grown(double kappa, double loaded, double h, double rate);

/* That of a barrier that is within range when a run begins, and pushes with `push` there if it is `kappa`: it carries its load, or
 * sends an inertia that nothing presses against it apart no faster than it may creep. */
double stiffness_carrying(double kappa, double push, double load, double inertia, double rate);

#endif
