/* The mechanism in the scratch, with bodies at the iterate: where joints and forces are evaluated. What is asked for again where no body
 * has moved is there already. */
#ifndef CAROM_METHODS_BARRIER_MECHANISM_H
#define CAROM_METHODS_BARRIER_MECHANISM_H

#include "methods/barrier/barrier_work.h"

/* Prescribed motions have other clocks, or goals are others: what the scratch has is of the past. */
void mechanism_forget(barrier_work *w);

/* Poses, residuals, rows and coordinates of joints. */
void mechanism_position(barrier_work *w, const island *isle);

/* The same, and the velocities that lead to the iterate. */
void mechanism_move(barrier_work *w, const island *isle);

#endif
