/* Loops on threads that are kept for the whole process.
 *
 * A loop is cut into slices, the same whoever works on them. Each thread has a share of them, always the same part of the loop: what one loop
 * has written lies in the cache of the thread that the next loop gives it to. A thread takes its own slices from the front, and when
 * they are used up, those of others from the back. The first slice is always done by the calling thread, which waits only for slices that somebody works on: threads that have not
 * woken up yet, or that the system gives no time to, hold up nothing, and a loop comes to its end where there are none at all: where the
 * system gives no threads, and in a process that was forked. Who waits looks for work for about a millisecond, giving way to whoever
 * wants the processor, and sleeps then: waking up takes tens of microseconds, about as long as a short loop.
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

enum {
    MOST_THREADS = 1024,
    LOOKS = 64,   /* for work, between two times of giving way: about 0.1 microseconds */
    ROUNDS = 4000 /* of looking, before a thread sleeps: about a millisecond on a processor that nobody else wants */
};

/* Slices of a thread that nobody has taken: from `front` (high half) to before `back` (low half). Alone in its line of the cache. */
typedef struct share {
    _Alignas(64) _Atomic uint64_t slices;
} share;

typedef struct loop {
    carom_range_task task;
    void *context;
    size_t count, slices;
} loop;

static pthread_mutex_t in_use = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static int started;                /* threads, by who has the loop in use */
static loop current;               /* written while nobody has a slice of it */
static share shares[MOST_THREADS]; /* by thread: the calling one is 0 */
static atomic_uint unfinished;     /* slices, taken or not */
static atomic_int sleeping;        /* threads */
static atomic_int invited;         /* threads that may take slices */

int carom_processor_count(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        return CPU_COUNT(&set);
    }
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

static uint64_t share_of(size_t front, size_t back)
{
    return (uint64_t)front << 32 | (uint64_t)back;
}

/* Takes a slice of a share, from its front or its back. False: all are taken. */
static bool take(share *from, bool front, size_t *slice)
{
    uint64_t now = atomic_load(&from->slices);
    uint64_t then;
    do {
        size_t first = (size_t)(now >> 32);
        size_t end = (size_t)(now & UINT32_MAX);
        if (first >= end) {
            return false;
        }
        *slice = front ? first : end - 1;
        then = front ? share_of(first + 1, end) : share_of(first, end - 1);
    } while (!atomic_compare_exchange_weak(&from->slices, &now, then));
    return true;
}

static bool take_any(int thread, size_t *slice)
{
    if (take(&shares[thread], true, slice)) {
        return true;
    }
    int count = atomic_load(&invited) + 1;
    for (int k = 1; k <= count; ++k) {
        if (take(&shares[(thread + k) % count], false, slice)) {
            return true;
        }
    }
    return false;
}

/* Works on slices that nobody has taken, until there are none. They are counted at the end: counts that change with every slice go
 * to and fro between the caches of all threads. */
static void work(int thread)
{
    unsigned count = 0;
    for (size_t k = 0; take_any(thread, &k); ++count) {
        current.task(current.context, current.count * k / current.slices, current.count * (k + 1) / current.slices);
    }
    if (count > 0 && atomic_fetch_sub(&unfinished, count) == count) {
        pthread_mutex_lock(&lock);
        pthread_cond_signal(&done);
        pthread_mutex_unlock(&lock);
    }
}

/* Whether there are slices that nobody has taken. */
static bool is_work(int thread)
{
    int count = atomic_load(&invited) + 1;
    bool any = false;
    for (int k = 0; thread < count && !any && k < count; ++k) {
        uint64_t slices = atomic_load(&shares[k].slices);
        any = slices >> 32 < (slices & UINT32_MAX);
    }
    return any;
}

static bool is_done(int thread)
{
    (void)thread;
    return atomic_load(&unfinished) == 0;
}

/* Looks for a while whether something has come true. */
static bool look_for(bool (*is_true)(int thread), int thread)
{
    for (int round = 0; round < ROUNDS; ++round) {
        for (int k = 0; k < LOOKS; ++k) {
            if (is_true(thread)) {
                return true;
            }
        }
        sched_yield();
    }
    return false;
}

static void wait_for_work(int thread)
{
    if (look_for(is_work, thread)) {
        return;
    }
    pthread_mutex_lock(&lock);
    atomic_fetch_add(&sleeping, 1);
    while (!is_work(thread)) {
        pthread_cond_wait(&wake, &lock);
    }
    atomic_fetch_sub(&sleeping, 1);
    pthread_mutex_unlock(&lock);
}

static void *help(void *number)
{
    int thread = (int)(intptr_t)number;
    for (;;) {
        wait_for_work(thread);
        work(thread);
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
    for (int t = 0; t < MOST_THREADS; ++t) {
        atomic_store(&shares[t].slices, 0);
    }
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
    while (started < wanted && pthread_create(&thread, &attributes, help, (void *)(intptr_t)(started + 1)) == 0) {
        ++started;
    }
    pthread_attr_destroy(&attributes);
}

/* Opens the loop to all threads. Counts before shares: whoever takes a slice finds all the rest of the loop written. */
static void open_loop(int threads)
{
    start(threads - 1);
    atomic_store(&invited, threads - 1);
    atomic_store(&unfinished, (unsigned)current.slices - 1);
    for (int t = 0; t < threads; ++t) {
        size_t each = current.slices / (size_t)threads;
        size_t first = t > 0 ? (size_t)t * each : 1; /* the first slice is that of the calling thread alone */
        atomic_store(&shares[t].slices, share_of(first, (size_t)(t + 1) * each));
    }
    if (atomic_load(&sleeping) > 0) {
        pthread_mutex_lock(&lock);
        pthread_cond_broadcast(&wake);
        pthread_mutex_unlock(&lock);
    }
}

/* Until nobody works on a slice. */
static void wait_for_helpers(void)
{
    if (look_for(is_done, 0)) {
        return;
    }
    pthread_mutex_lock(&lock);
    while (!is_done(0)) {
        pthread_cond_wait(&done, &lock);
    }
    pthread_mutex_unlock(&lock);
}

static void run(int threads, size_t count, size_t grain, size_t per_thread, carom_range_task task, void *context)
{
    if (threads <= 1 || count < grain || count == 0 || pthread_mutex_trylock(&in_use) != 0) {
        task(context, 0, count);
        return;
    }
    threads = threads < MOST_THREADS ? threads : MOST_THREADS;
    current = (loop){ task, context, count, (size_t)threads * per_thread };
    open_loop(threads);
    task(context, 0, count / current.slices);
    work(0);
    wait_for_helpers();
    pthread_mutex_unlock(&in_use);
}

void carom_parallel_uneven(int threads, size_t count, size_t grain, carom_range_task task, void *context)
{
    enum {
        PER_THREAD = 16
    }; /* what one thread may have left to do when the others are done is a sixteenth of its share */
    run(threads, count, grain, PER_THREAD, task, context);
}

void carom_parallel_for(int threads, size_t count, size_t grain, carom_range_task task, void *context)
{
    run(threads, count, grain, 1, task, context);
}
