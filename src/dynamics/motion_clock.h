/* The own time of a prescribed motion, of a body or of a driver. It is that of the state, unless a contact method lets the motion
 * wait for what is in its way: then the motion goes on later, delayed. The delay is part of the state, as a record. */
#ifndef CAROM_DYNAMICS_MOTION_CLOCK_H
#define CAROM_DYNAMICS_MOTION_CLOCK_H

#include <stdbool.h>

struct carom_scratch;
struct carom_state;

typedef struct motion_clock {
    bool behind;  /* the own time is not that of the state; else nothing below counts */
    double own;   /* [s] own time */
    double at;    /* [s] at this time of the state */
    double pace;  /* own seconds per second, over the last step */
    double since; /* [s] when the motion was first held */
} motion_clock;

static inline double clock_time(const motion_clock *c, double t)
{
    return c->behind ? c->own + c->pace * (t - c->at) : t;
}

/* From derivatives by the own time to those by time: value, first, second. */
static inline void clock_scale(const motion_clock *c, double value[3])
{
    if (c->behind) {
        value[1] *= c->pace;
        value[2] *= c->pace * c->pace;
    }
}

/* The clocks of all motions as the state has them. */
void clocks_load(struct carom_scratch *w, const struct carom_state *s);

#endif
