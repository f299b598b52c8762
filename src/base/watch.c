/* Counting by atomic addition; the clock is read by one thread at a time, the others go on. */
#include "base/watch.h"

#include <math.h>

#include "base/clock.h"

void carom_watch_init(carom_watch *w, carom_keep_building keep_going, void *context, const char *what)
{
    w->keep_going = keep_going;
    w->context = context;
    w->what = what;
    w->before = w->share = 0.0;
    w->total = 0;
    w->last_call = -HUGE_VAL;
    w->interval = 0.05;
    atomic_init(&w->count, 0);
    atomic_init(&w->stopped, false);
    atomic_flag_clear(&w->busy);
}

static double part_of(carom_watch *w)
{
    size_t count = atomic_load_explicit(&w->count, memory_order_relaxed);
    double within = w->total > 0 ? fmin((double)count / (double)w->total, 1.0) : 0.0;
    return fmin(w->before + w->share * within, 1.0);
}

static void call_if_due(carom_watch *w)
{
    if (atomic_flag_test_and_set_explicit(&w->busy, memory_order_acquire)) {
        return;
    }
    double now = carom_clock_wall();
    if (now - w->last_call >= w->interval && !atomic_load(&w->stopped)) {
        carom_building building = { .what = w->what, .part = part_of(w) };
        w->last_call = now;
        if (!w->keep_going(w->context, &building)) {
            atomic_store(&w->stopped, true);
        }
    }
    atomic_flag_clear_explicit(&w->busy, memory_order_release);
}

void carom_watch_stage(carom_watch *w, double share, size_t total)
{
    if (w) {
        w->before += w->share;
        w->share = share;
        w->total = total;
        atomic_store(&w->count, 0);
        call_if_due(w);
    }
}

bool carom_watch_count(carom_watch *w, size_t items)
{
    if (!w) {
        return true;
    }
    atomic_fetch_add_explicit(&w->count, items, memory_order_relaxed);
    call_if_due(w);
    return !atomic_load_explicit(&w->stopped, memory_order_relaxed);
}

bool carom_watch_stopped(carom_watch *w)
{
    return w && atomic_load(&w->stopped);
}

carom_status carom_watch_status(carom_watch *w, carom_error *err)
{
    return carom_watch_stopped(w) ? carom_fail(err, CAROM_INTERRUPTED, "building %.500s was interrupted", w->what)
                                  : CAROM_OK;
}
