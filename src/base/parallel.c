/* OpenMP behind one function, the only place that knows of it. */
#include "base/parallel.h"

#include <omp.h>

int carom_processor_count(void)
{
    return omp_get_num_procs();
}

void carom_parallel_for(int threads, size_t count, size_t grain, carom_range_task task, void *context)
{
    if (threads <= 1 || count < grain) {
        task(context, 0, count);
        return;
    }
    size_t slices = (size_t)threads;
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (size_t k = 0; k < slices; ++k) {
        task(context, count * k / slices, count * (k + 1) / slices);
    }
}
