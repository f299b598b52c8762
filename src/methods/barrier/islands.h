/* Islands: bodies that may touch each other in a step or are joined, each solved alone. */
#ifndef CAROM_METHODS_BARRIER_ISLANDS_H
#define CAROM_METHODS_BARRIER_ISLANDS_H

#include "methods/barrier/barrier_work.h"

/* Solves all islands, more than once where bodies leave the rooms that pairs are known for. */
carom_status islands_solve(barrier_work *w, const carom_state *s, carom_error *err);
void islands_free(barrier_work *w);

#endif
