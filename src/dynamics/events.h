/* Event location: the earliest sign change of any of several functions over a time interval, usually the dense output
 * of one step. */
#ifndef CAROM_DYNAMICS_EVENTS_H
#define CAROM_DYNAMICS_EVENTS_H

#include <stdbool.h>

/* Values of all functions at t into g. */
typedef void (*event_functions)(void *context, double t, double *g);

enum { EVENT_FUNCTIONS_ON_STACK = 64 };

typedef struct event_search {
    event_functions functions;
    void *context;
    int count;         /* of functions, at most EVENT_FUNCTIONS_ON_STACK */
    double t0, t1;     /* the interval */
    int samples;       /* sub-intervals looked at: two sign changes inside one cancel */
    double tolerance;  /* [s] width of the final bracket; 0: to the last bit */
    bool falling_only; /* only changes from positive to zero or negative (gaps closing) */
} event_search;

typedef struct event_found {
    int index;     /* which function */
    double before; /* largest time known before the event */
    double t;      /* smallest time known at or after it; t - before <= tolerance */
} event_found;

/* True when there is an event; a function that is zero at t0 counts only when it leaves and comes back. */
bool events_first(const event_search *search, event_found *out);

#endif
