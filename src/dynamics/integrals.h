/* Numbers that are integrated along with the motion: states of the scene, and what force elements remember.
 *
 * Their rates depend on positions, velocities, inputs and each other. Implicit integrators solve for them by Newton's method with
 * the derivative by each other, found by differences; what they and the motion do to each other is followed by iterating both. */
#ifndef CAROM_DYNAMICS_INTEGRALS_H
#define CAROM_DYNAMICS_INTEGRALS_H

#include "dynamics/work.h"

/* Rates at the evaluation point, into w->z_dot: part of work_forces. */
void integrals_evaluate(carom_scratch *w);

/* J, the derivative of the rates by the integrals, at the evaluation point, where work_forces has been: into w->integrals. */
void integrals_linearise(carom_scratch *w);

/* Solves (1 - c J) x = x with x in w->integrals. Where the matrix is singular x becomes no number: a shorter step may do. */
void integrals_solve(carom_scratch *w, double c);

/* The largest change relative to the value, or to the size of the integral where that is larger. */
double integrals_size(const carom_model *model, const double *z, const double *change);

/* The end of a step from the state s by implicit Euler, with the motion at its end in w: integrals and rates there into w. For methods whose
 * steps are no integrator's and whose forces have seen the integrals of where the step began. */
void integrals_step(carom_scratch *w, const carom_state *s);

#endif
