/* Dry friction in joints. */
#ifndef CAROM_METHODS_BARRIER_JOINT_FRICTION_H
#define CAROM_METHODS_BARRIER_JOINT_FRICTION_H

#include "methods/barrier/barrier_work.h"

void joint_friction_create(barrier_work *w);

/* As friction_renew and friction_take_over, for the joints of an island. */
void joint_friction_renew(barrier_work *w, const island *isle, int lag, double tolerance, bool *settled);
void joint_friction_take_over(barrier_work *w, const island *isle);
double joint_friction_value(const barrier_work *w, const island *isle);
void joint_friction_add(barrier_work *w, island *isle);
void joint_friction_add_forces(const barrier_work *w, island *isle); /* the gradient alone */

/* Forces and power of friction in joints, where a state stands: those of the last solve at the end of a step, else as the evaluation has them. */
void joint_friction_apply(barrier_work *w, carom_scratch *s);

#endif
