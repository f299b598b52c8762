/* One solve: Newton's method on the incremental potential of an island. */
#ifndef CAROM_METHODS_BARRIER_NEWTON_H
#define CAROM_METHODS_BARRIER_NEWTON_H

#include "methods/barrier/barrier_work.h"

/* Lets bodies go on as they come where nothing is in the way and the potential falls: sliding, rolling and flying bodies are then
 * nearly where they belong. */
void newton_begin(barrier_work *w, island *isle);

/* Minimises the incremental potential of an island with the friction of the last lag. ISLAND_SOLVED also where the solve was
 * cut short, which is counted. */
island_outcome newton_solve(barrier_work *w, island *isle, int *iterations);

/* Who is in whose way. */
carom_status newton_blocked(const barrier_work *w, island *isle);

#endif
