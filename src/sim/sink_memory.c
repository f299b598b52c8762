/* The sink of a memory: times, signals of an observer and events as arrays. */
#include <stdlib.h>

#include "base/arguments.h"
#include "base/array.h"
#include "dynamics/observer.h"
#include "sim/frame.h"
#include "sim/run.h"

struct carom_memory {
    const carom_observer *observer;
    double every; /* [s] */
    double *times;
    size_t count, time_capacity;
    double *values; /* one row of signals per frame */
    size_t value_capacity;
    carom_event *events;
    size_t event_count, event_capacity;
};

/* ---- what a run calls ---------------------------------------------------------------------------------------------- */

/* Forgets an earlier run; the room for it stays. */
static carom_status memory_begin(void *self, carom_run *r, carom_error *err)
{
    carom_memory *m = self;
    const double room = 0.0;
    m->count = m->event_count = 0;
    return observer_check("carom_sink_memory", m->observer, r->model, &room, err);
}

static carom_status memory_frame(void *self, const carom_frame *frame, carom_error *err)
{
    carom_memory *m = self;
    size_t width = carom_observer_count(m->observer);
    if (!CAROM_ARRAY_RESERVE(m->times, m->time_capacity, m->count + 1) ||
        !CAROM_ARRAY_RESERVE(m->values, m->value_capacity, (m->count + 1) * width + 1)) {
        return carom_fail(err, CAROM_NO_MEMORY, "no memory for %zu frames", m->count + 1);
    }
    m->times[m->count] = frame->all.t;
    observer_read(m->observer, frame->scratch, &frame->all.ledger, m->values + m->count * width);
    m->count++;
    return CAROM_OK;
}

static carom_status memory_event(void *self, const carom_event *event, carom_error *err)
{
    carom_memory *m = self;
    if (!CAROM_ARRAY_RESERVE(m->events, m->event_capacity, m->event_count + 1)) {
        return carom_fail(err, CAROM_NO_MEMORY, "no memory for %zu events", m->event_count + 1);
    }
    m->events[m->event_count++] = *event;
    return CAROM_OK;
}

carom_sink carom_sink_memory(carom_memory *m)
{
    return m ? (carom_sink){ .self = m,
                             .every = m->every,
                             .begin = memory_begin,
                             .frame = memory_frame,
                             .event = memory_event }
             : (carom_sink){ 0 };
}

/* ---- life, and reading --------------------------------------------------------------------------------------------- */

carom_status carom_memory_create(const carom_observer *observer, double every, carom_memory **out, carom_error *err)
{
    const char *function = "carom_memory_create";
    const argument needed[] = { { "observer", observer }, { "out", out } };
    if (out) {
        *out = NULL;
    }
    carom_status status = arguments_given(function, needed, 2, err);
    status = status == CAROM_OK ? argument_nonnegative(function, "every", every, "s", err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    carom_memory *m = calloc(1, sizeof *m);
    if (!m) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    *m = (carom_memory){ .observer = observer, .every = every };
    *out = m;
    return CAROM_OK;
}

void carom_memory_destroy(carom_memory *m)
{
    if (m) {
        free(m->times);
        free(m->values);
        free(m->events);
        free(m);
    }
}

carom_column carom_memory_times(const carom_memory *m)
{
    return m && m->count > 0 ? (carom_column){ m->times, m->count, 1 } : (carom_column){ 0 };
}

carom_column carom_memory_signal(const carom_memory *m, size_t signal)
{
    size_t width = m ? carom_observer_count(m->observer) : 0;
    return signal < width && m->count > 0 ? (carom_column){ m->values + signal, m->count, width }
                                          : (carom_column){ 0 };
}

const carom_event *carom_memory_events(const carom_memory *m, size_t *count)
{
    if (count) {
        *count = m ? m->event_count : 0;
    }
    return m && m->event_count > 0 ? m->events : NULL;
}
