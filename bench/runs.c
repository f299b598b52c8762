/* Many short runs of one model in one process: pendulum and wall, each from its own moment of a long swing, on one thread and
 * on two, with nothing recorded and with signals in memory. Runs per second of wall time, processor time per run, and
 * whether every run ends in the bits that it ends in alone.
 *
 * On a busy machine wall times say little: "quiet" is the ratio that two free cores would show, twice the processor time per
 * run on one thread over that on two.
 * usage: runs SCENE METHOD [COUNT [SECONDS]] */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "measure.h"

enum { MOST_THREADS = 2, REPEATS = 9 };

typedef struct job {
    const carom_model *model;
    const carom_observer *observer; /* NULL: nothing is recorded */
    carom_state **starts;
    uint64_t *ends; /* hashes */
    size_t count;
    double seconds; /* of each run */
    atomic_size_t next;
} job;

static double clock_seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static carom_model *load(const char *scene, const char *method)
{
    char words[64];
    const char *overrides[] = { words };
    carom_error err = { 0 };
    carom_spec *spec = NULL;
    carom_model *model = NULL;
    snprintf(words, sizeof words, "contact.method=\"%s\"", method);
    stop_on(carom_scene_load(scene, overrides, 1, &spec, &err), &err);
    stop_on(carom_compile(spec, &model, &err), &err);
    carom_spec_destroy(spec);
    return model;
}

static const double SWING = 6.0; /* [s] several impacts */

/* States of one run, evenly over its time. */
static carom_state **gather_starts(const carom_model *model, size_t count)
{
    carom_state **starts = allocate(count, sizeof *starts);
    carom_error err = { 0 };
    carom_run *run = NULL;
    stop_on(carom_run_create(model, &(carom_run_def){ .duration = SWING }, &run, &err), &err);
    for (size_t i = 0; i < count; ++i) {
        stop_on(carom_run_advance(run, SWING * (double)i / (double)count, 0.0, &err), &err);
        starts[i] = carom_state_create(model);
        if (!starts[i]) {
            stop("out of memory");
        }
        stop_on(carom_state_copy(starts[i], carom_run_state(run)), &err);
    }
    carom_run_destroy(run);
    return starts;
}

static void run_one(job *j, size_t i, carom_memory *memory)
{
    carom_error err = { 0 };
    carom_run *run = NULL;
    carom_sink sink = carom_sink_memory(memory);
    const carom_run_def def = { .from = j->starts[i],
                                .duration = carom_state_time(j->starts[i]) + j->seconds,
                                .sink = memory ? &sink : NULL };
    stop_on(carom_run_create(j->model, &def, &run, &err), &err);
    stop_on(carom_run_advance(run, HUGE_VAL, 0.0, &err), &err);
    j->ends[i] = carom_state_hash(carom_run_state(run));
    carom_run_destroy(run);
}

static void *work(void *context)
{
    job *j = context;
    carom_error err = { 0 };
    carom_memory *memory = NULL;
    if (j->observer) {
        stop_on(carom_memory_create(j->observer, 0.005, &memory, &err), &err);
    }
    for (size_t i; (i = atomic_fetch_add(&j->next, 1)) < j->count;) {
        run_one(j, i, memory);
    }
    carom_memory_destroy(memory);
    return NULL;
}

typedef struct times {
    double wall, cpu; /* [s] */
} times;

static times run_all(job *j, int threads)
{
    pthread_t thread[MOST_THREADS];
    times t = { clock_seconds(CLOCK_MONOTONIC), clock_seconds(CLOCK_PROCESS_CPUTIME_ID) };
    j->next = 0;
    for (int i = 0; i < threads; ++i) {
        if (pthread_create(&thread[i], NULL, work, j) != 0) {
            stop("no thread");
        }
    }
    for (int i = 0; i < threads; ++i) {
        pthread_join(thread[i], NULL);
    }
    return (times){ clock_seconds(CLOCK_MONOTONIC) - t.wall, clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - t.cpu };
}

/* The quickest of several, one thread and two by turns: what disturbs only ever adds. */
static void quicker(times *best, times t)
{
    best->wall = fmin(best->wall, t.wall);
    best->cpu = fmin(best->cpu, t.cpu);
}

static void measure(job *j, const char *method, uint64_t *alone)
{
    times one = { HUGE_VAL, HUGE_VAL };
    times two = one;
    for (int k = 0; k < REPEATS; ++k) {
        quicker(&one, run_all(j, 1));
        memcpy(alone, j->ends, j->count * sizeof *alone);
        quicker(&two, run_all(j, 2));
        if (memcmp(alone, j->ends, j->count * sizeof *alone) != 0) {
            stop("runs end otherwise than alone");
        }
    }
    double n = (double)j->count;
    printf("%-10s %-8s %10.0f %10.0f %7.2f %12.1f %12.1f %7.2f\n", method, j->observer ? "memory" : "none",
           n / one.wall, n / two.wall, one.wall / two.wall, 1e6 * one.cpu / n, 1e6 * two.cpu / n,
           2.0 * one.cpu / two.cpu);
}

int main(int argc, char **argv)
{
    const char *const signals[] = { "hinge.angle", "hinge.force", "ball.velocity.x", "energy.residue" };
    if (argc < 3) {
        fprintf(stderr, "usage: runs SCENE METHOD [COUNT [SECONDS]]\n");
        return 2;
    }
    size_t count = argc > 3 ? strtoul(argv[3], NULL, 10) : 1000;
    carom_error err = { 0 };
    carom_observer *observer = NULL;
    carom_model *model = load(argv[1], argv[2]);
    uint64_t *alone = allocate(count, sizeof *alone);
    job j = { .model = model, .count = count, .seconds = argc > 4 ? strtod(argv[4], NULL) : 0.1 };
    j.starts = gather_starts(model, count);
    j.ends = allocate(count, sizeof *j.ends);
    stop_on(carom_observer_create(model, signals, 4, &observer, &err), &err);
    measure(&j, argv[2], alone);
    j.observer = observer;
    measure(&j, argv[2], alone);
    for (size_t i = 0; i < count; ++i) {
        carom_state_destroy(j.starts[i]);
    }
    free(j.starts);
    free(j.ends);
    free(alone);
    carom_observer_destroy(observer);
    carom_model_destroy(model);
    return 0;
}
