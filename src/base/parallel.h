/* Loops over independent items. Item i writes only what belongs to i, so the result is the same for any number of
 * threads; sums are taken afterwards, in index order. */
#ifndef CAROM_BASE_PARALLEL_H
#define CAROM_BASE_PARALLEL_H

#include <stddef.h>

typedef void (*carom_range_task)(void *context, size_t begin, size_t end);

/* Calls task on slices of [0, count) from `threads` threads; in the calling thread alone when count < grain. The first slice is always
 * that of the calling thread. */
void carom_parallel_for(int threads, size_t count, size_t grain, carom_range_task task, void *context);

/* The same for items of uneven cost: several slices per thread, each taken by whoever is free. */
void carom_parallel_uneven(int threads, size_t count, size_t grain, carom_range_task task, void *context);

/* How many threads are worth starting here. */
int carom_processor_count(void);

#endif
