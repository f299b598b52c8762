/* Telling how far long work has come, from loops that run on several threads, and hearing that it should end.
 *
 * Work consists of stages of known shares; within a stage items are counted. Whichever thread finds that the last call
 * is long enough ago calls back, one at a time. What is computed never depends on it. Every function takes NULL for
 * "nobody watches". */
#ifndef CAROM_BASE_WATCH_H
#define CAROM_BASE_WATCH_H

#include <carom/base.h>
#include <stdatomic.h>

typedef struct carom_watch {
    carom_keep_building keep_going;
    void *context;
    const char *what;
    double before; /* part of the whole that earlier stages were */
    double share;  /* of this stage */
    size_t total;  /* items of this stage */
    atomic_size_t count;
    atomic_bool stopped;
    atomic_flag busy; /* a thread is calling back, or finding out whether it should */
    double last_call; /* [s] belongs to who holds busy */
    double interval;  /* [s] at least, between calls */
} carom_watch;

/* `what` must outlive the watch. */
void carom_watch_init(carom_watch *w, carom_keep_building keep_going, void *context, const char *what);

/* Begins the next stage, outside of parallel loops. */
void carom_watch_stage(carom_watch *w, double share, size_t total);

/* Items are done; false: give up. */
bool carom_watch_count(carom_watch *w, size_t items);

/* Whether to give up. */
bool carom_watch_stopped(carom_watch *w);

/* CAROM_INTERRUPTED when it was given up. */
carom_status carom_watch_status(carom_watch *w, carom_error *err);

/* For item i of a loop whose items are small: counts every sixteenth time. */
static inline bool carom_watch_pass(carom_watch *w, size_t i)
{
    enum { TOGETHER = 16 };
    return !w || i % TOGETHER != 0 || carom_watch_count(w, TOGETHER);
}

#endif
