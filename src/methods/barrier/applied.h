/* Applied forces: springs, dampers, motors, loads. */
#ifndef CAROM_METHODS_BARRIER_APPLIED_H
#define CAROM_METHODS_BARRIER_APPLIED_H

#include "methods/barrier/barrier_work.h"

void applied_evaluate(barrier_work *w, island *isle);
void applied_add(barrier_work *w, island *isle);
void applied_add_forces(island *isle); /* to the gradient alone */
double applied_change(const barrier_work *w, const island *isle);

#endif
