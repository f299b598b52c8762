/* The monotonic clock, so that a change of the system's date does no harm to a run. */
#include "base/clock.h"

#include <time.h>

static double seconds(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double carom_clock_wall(void)
{
    return seconds(CLOCK_MONOTONIC);
}

double carom_clock_cpu(void)
{
    return seconds(CLOCK_PROCESS_CPUTIME_ID);
}

double carom_clock_thread(void)
{
    return seconds(CLOCK_THREAD_CPUTIME_ID);
}
