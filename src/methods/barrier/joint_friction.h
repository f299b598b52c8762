/* Dry friction in joints. */
#ifndef CAROM_METHODS_BARRIER_JOINT_FRICTION_H
#define CAROM_METHODS_BARRIER_JOINT_FRICTION_H

#include "methods/barrier/barrier_work.h"

void joint_friction_create(barrier_work *w);

/* As friction_lag, for the joints of an island. */
void joint_friction_lag(barrier_work *w, const island *isle, int lag, double tolerance, bool *settled);
double joint_friction_value(const barrier_work *w, const island *isle);
void joint_friction_add(barrier_work *w, island *isle);

/* Forces and power of friction in joints, of an evaluation outside of steps. */
void joint_friction_apply(barrier_work *w, carom_scratch *s);

#endif
