/* Loops on threads that are kept for the whole process.
 *
 * A loop is cut into slices, the same whoever works on them. The calling thread takes the first slice and then whatever nobody has taken;
 * others help as soon as they run. It waits only for slices that somebody works on: threads that have not woken up yet, or that the system
 * gives no time to, hold up nothing, and a loop comes to its end where there are none at all: where the system gives no threads, and in a
 * process that was forked. Who waits looks for work for some microseconds and sleeps then.
 *
 * There is one loop at a time. A loop within a loop, or beside one, is done by who calls it. */
#define _GNU_SOURCE /* the processors that this process may use */
#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

enum { MOST_THREADS = 4096, SPINS = 4000 };

typedef struct loop {
    carom_range_task task;
    void *context;
    size_t count, slices;
} loop;

static pthread_mutex_t in_use = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static int started;            /* threads, by who has the loop in use */
static loop current;           /* written while nobody has a slice of it */
static atomic_uint left;       /* slices that nobody has taken: the last ones */
static atomic_uint unfinished; /* slices but the first, taken or not */
static atomic_int sleeping;    /* threads */
static atomic_int invited;     /* threads that may take slices */

int carom_processor_count(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        return CPU_COUNT(&set);
    }
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

/* Works on a slice that nobody has taken. False: there is none. */
static bool take_slice(void)
{
    unsigned n = atomic_load(&left);
    while (n > 0 && !atomic_compare_exchange_weak(&left, &n, n - 1)) {
    }
    if (n == 0) {
        return false;
    }
    size_t k = current.slices - n;
    current.task(current.context, current.count * k / current.slices, current.count * (k + 1) / current.slices);
    if (atomic_fetch_sub(&unfinished, 1) == 1) {
        pthread_mutex_lock(&lock);
        pthread_cond_signal(&done);
        pthread_mutex_unlock(&lock);
    }
    return true;
}

static bool is_work(int number)
{
    return atomic_load(&left) > 0 && number < atomic_load(&invited);
}

/* Until there is work. */
static void wait_for_work(int number)
{
    for (int k = 0; k < SPINS; ++k) {
        if (is_work(number)) {
            return;
        }
    }
    pthread_mutex_lock(&lock);
    atomic_fetch_add(&sleeping, 1);
    while (!is_work(number)) {
        pthread_cond_wait(&wake, &lock);
    }
    atomic_fetch_sub(&sleeping, 1);
    pthread_mutex_unlock(&lock);
}

static void *help(void *number)
{
    for (;;) {
        wait_for_work((int)(intptr_t)number);
        while (take_slice()) {
        }
    }
    return NULL;
}

/* A process that is forked has none of the threads. */
static void before_fork(void)
{
    pthread_mutex_lock(&lock);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&lock);
}

static void begin_child(void)
{
    started = 0;
    atomic_store(&sleeping, 0);
    atomic_store(&left, 0);
    pthread_mutex_init(&in_use, NULL);
    pthread_mutex_init(&lock, NULL);
    pthread_cond_init(&wake, NULL);
    pthread_cond_init(&done, NULL);
}

static void watch_forks(void)
{
    pthread_atfork(before_fork, after_fork, begin_child);
}

/* As many threads besides the calling one as the system gives. */
static void start(int wanted)
{
    static pthread_once_t watched = PTHREAD_ONCE_INIT;
    pthread_attr_t attributes;
    pthread_once(&watched, watch_forks);
    if (started >= wanted || pthread_attr_init(&attributes) != 0) {
        return;
    }
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread;
    while (started < wanted && pthread_create(&thread, &attributes, help, (void *)(intptr_t)started) == 0) {
        ++started;
    }
    pthread_attr_destroy(&attributes);
}

static void call_helpers(int wanted)
{
    start(wanted);
    atomic_store(&invited, wanted);
    atomic_store(&unfinished, (unsigned)(current.slices - 1));
    atomic_store(&left, (unsigned)(current.slices - 1)); /* from here on others take them */
    if (atomic_load(&sleeping) > 0) {
        pthread_mutex_lock(&lock);
        pthread_cond_broadcast(&wake);
        pthread_mutex_unlock(&lock);
    }
}

/* Until nobody works on a slice. */
static void wait_for_helpers(void)
{
    for (int k = 0; k < SPINS && atomic_load(&unfinished) > 0; ++k) {
    }
    if (atomic_load(&unfinished) > 0) {
        pthread_mutex_lock(&lock);
        while (atomic_load(&unfinished) > 0) {
            pthread_cond_wait(&done, &lock);
        }
        pthread_mutex_unlock(&lock);
    }
}

static void run(int threads, size_t count, size_t grain, size_t per_thread, carom_range_task task, void *context)
{
    if (threads <= 1 || count < grain || count == 0 || pthread_mutex_trylock(&in_use) != 0) {
        task(context, 0, count);
        return;
    }
    threads = threads < MOST_THREADS ? threads : MOST_THREADS;
    current = (loop){ task, context, count, (size_t)threads * per_thread };
    call_helpers(threads - 1);
    task(context, 0, count / current.slices);
    while (take_slice()) {
    }
    wait_for_helpers();
    pthread_mutex_unlock(&in_use);
}

void carom_parallel_uneven(int threads, size_t count, size_t grain, carom_range_task task, void *context)
{
    enum {
        PER_THREAD = 8
    }; /* what one thread may have left to do when the others are done is an eighth of its share */
    run(threads, count, grain, PER_THREAD, task, context);
}

void carom_parallel_for(int threads, size_t count, size_t grain, carom_range_task task, void *context)
{
    run(threads, count, grain, 1, task, context);
}
