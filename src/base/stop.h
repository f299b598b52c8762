/* Hearing from deep inside of long work that its caller wants it to end.
 *
 * Loops that may last ask carom_stop_asked; once the answer is yes it stays so until carom_stop_reset. Who asks then leaves
 * its loop in any way that leaves memory sound: what it hands out is thrown away by those above, who look at
 * carom_stop_seen before they use it. Not for parallel loops (watch.h). Every function takes NULL for "nobody asks". */
#ifndef CAROM_BASE_STOP_H
#define CAROM_BASE_STOP_H

#include <carom/base.h>

typedef struct carom_stop {
    bool (*keep_going)(void *context); /* NULL: nobody asks */
    void *context;
    double last_call; /* [s] of wall time */
    bool seen;
} carom_stop;

/* Whether to give up; calls back fifty times a second at most. */
bool carom_stop_asked(carom_stop *s);

static inline bool carom_stop_seen(const carom_stop *s)
{
    return s && s->seen;
}

static inline void carom_stop_reset(carom_stop *s)
{
    s->seen = false;
}

#endif
