/* Asking the caller, no more often than anybody notices. */
#include "base/stop.h"

#include "base/clock.h"

static const double INTERVAL = 0.02; /* [s] */

bool carom_stop_asked(carom_stop *s)
{
    if (!s || !s->keep_going || s->seen) {
        return s && s->seen;
    }
    double now = carom_clock_wall();
    if (now - s->last_call >= INTERVAL) {
        s->last_call = now;
        s->seen = !s->keep_going(s->context);
    }
    return s->seen;
}
