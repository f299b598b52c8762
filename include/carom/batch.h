/* Many states of one model that go on together, on threads.
 *
 * What a batch computes does not depend on the number of threads: every state takes the steps that carom_advance would have
 * taken. A state that fails keeps what it had reached; the others go on.
 *
 * Threads: a batch is used by one thread at a time and makes its own while a call lasts. The model must outlive it. */
#ifndef CAROM_BATCH_H
#define CAROM_BATCH_H

#include <carom/observe.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_batch carom_batch;

/* `count` states, each a copy of `from`, or of the scene's start where that is NULL; 1 to 1e8. *out is NULL on failure. */
CAROM_API carom_status carom_batch_create(const carom_model *model, size_t count, const carom_state *from,
                                          carom_batch **out, carom_error *err);
CAROM_API void carom_batch_destroy(carom_batch *batch); /* NULL: nothing */

CAROM_API size_t carom_batch_count(const carom_batch *batch); /* NULL: 0 */

/* One of the states, to read, set or copy to; it is the batch's. NULL where there is no such state. */
CAROM_API carom_state *carom_batch_state(const carom_batch *batch, size_t index);

/* One signal of every state (carom_set_signal), in SI: `count` values, one per state, or one for all. At the first state that
 * refuses its value nothing more is set; err says which it was. */
CAROM_API carom_status carom_batch_set(carom_batch *batch, const char *signal, const double *values, size_t count,
                                       carom_error *err);

/* Every state that has not failed goes on until `until` [s], finite, on so many threads (0: one). Returns CAROM_OK when all
 * are there or have failed, or when wall_limit [s] of wall time has passed (0: no limit; not without a
 * step): *left (or NULL) then counts those on their way. Failures are no error of this call: see below. */
CAROM_API carom_status carom_batch_advance(carom_batch *batch, double until, double wall_limit, int threads,
                                           size_t *left, carom_error *err);

/* How many have failed; and why one has: NULL where it has not, or there is no such state. */
CAROM_API size_t carom_batch_failed(const carom_batch *batch);
CAROM_API const carom_error *carom_batch_error(const carom_batch *batch, size_t index);

/* Forgets the failure of a state, so that it goes on: after it was set or copied to. Nothing where there is none. */
CAROM_API void carom_batch_forgive(carom_batch *batch, size_t index);

/* The signals of an observer at every state, row by row: count x carom_observer_count numbers. */
CAROM_API carom_status carom_batch_observe(carom_batch *batch, const carom_observer *observer, int threads,
                                           double *out, carom_error *err);

#ifdef __cplusplus
}
#endif
#endif
