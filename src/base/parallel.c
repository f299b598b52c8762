/* OpenMP behind one function, the only place that knows of it.
 *
 * OpenMP ends the program when the system gives no more threads. So as many as are wanted are started here first, and
 * ended again; a team is no larger than what was given then. Slices are the same whoever works on them. */
#include "base/parallel.h"

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>

enum { MOST_THREADS = 4096 };

int carom_processor_count(void)
{
    return omp_get_num_procs();
}

/* Lives until the gate opens, so that all are there at once. */
static void *wait_at(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* How many threads, up to `wanted` and with the calling one, the system gives. */
static int count_given(int wanted)
{
    pthread_t started[MOST_THREADS];
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    int count = 0;
    pthread_mutex_lock(&gate);
    while (count < wanted - 1 && pthread_create(&started[count], NULL, wait_at, &gate) == 0) {
        ++count;
    }
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < count; ++i) {
        pthread_join(started[i], NULL);
    }
    pthread_mutex_destroy(&gate);
    return count + 1;
}

/* OpenMP keeps its threads, for the whole process: what it has once had is asked for only once. */
static int team_size(int wanted)
{
    static atomic_int had = 1;
    wanted = wanted < MOST_THREADS ? wanted : MOST_THREADS;
    if (wanted <= atomic_load(&had)) {
        return wanted;
    }
    int given = count_given(wanted);
    if (given == wanted) {
        atomic_store(&had, wanted);
    }
    return given;
}

void carom_parallel_uneven(int threads, size_t count, size_t grain, carom_range_task task, void *context)
{
    enum {
        PER_THREAD = 8
    }; /* what one thread may have left to do when the others are done is an eighth of its share */
    int team = threads <= 1 || count < grain ? 1 : team_size(threads);
    if (team <= 1) {
        task(context, 0, count);
        return;
    }
    size_t slices = (size_t)threads * PER_THREAD;
#pragma omp parallel for num_threads(team) schedule(dynamic, 1)
    for (size_t k = 0; k < slices; ++k) {
        task(context, count * k / slices, count * (k + 1) / slices);
    }
}

void carom_parallel_for(int threads, size_t count, size_t grain, carom_range_task task, void *context)
{
    int team = threads <= 1 || count < grain ? 1 : team_size(threads);
    if (team <= 1) {
        task(context, 0, count);
        return;
    }
    size_t slices = (size_t)threads;
#pragma omp parallel for num_threads(team) schedule(static, 1)
    for (size_t k = 0; k < slices; ++k) {
        task(context, count * k / slices, count * (k + 1) / slices);
    }
}
