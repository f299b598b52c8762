/* What the benchmark programs share: processor time of the thread, and stopping when something fails. */
#ifndef CAROM_BENCH_MEASURE_H
#define CAROM_BENCH_MEASURE_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <carom/base.h>

static inline double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline void stop(const char *why)
{
    fprintf(stderr, "benchmark: %s\n", why);
    exit(2);
}

static inline void stop_on(carom_status status, const carom_error *err)
{
    if (status != CAROM_OK) {
        stop(err->message);
    }
}

static inline void *allocate(size_t count, size_t size)
{
    void *data = calloc(count, size);
    if (!data) {
        stop("out of memory");
    }
    return data;
}

#endif
