/* Watching long work: parts never decrease, calls come one at a time, and giving up is heard by every thread. */
#include "base/parallel.h"
#include "base/watch.h"
#include "support/check.h"

enum { ITEMS = 20000 };

typedef struct listener {
    int calls;
    int give_up_at; /* call, counted from 1; 0: never */
    double last_part;
    atomic_int inside;
    bool overlapped;
    bool decreased;
} listener;

static bool listen(void *context, const carom_building *now)
{
    listener *l = context;
    l->overlapped = l->overlapped || atomic_fetch_add(&l->inside, 1) != 0;
    l->decreased = l->decreased || now->part < l->last_part || !(now->part >= 0.0 && now->part <= 1.0);
    l->last_part = now->part;
    l->calls += 1;
    atomic_fetch_sub(&l->inside, 1);
    return l->calls != l->give_up_at;
}

typedef struct job {
    carom_watch *watch;
    atomic_size_t done;
} job;

static void work_range(void *context, size_t begin, size_t end)
{
    job *j = context;
    for (size_t i = begin; i < end && carom_watch_pass(j->watch, i); ++i) {
        atomic_fetch_add(&j->done, 1);
    }
}

static size_t work_two_stages(carom_watch *w, int threads)
{
    job j = { .watch = w };
    carom_watch_stage(w, 0.25, ITEMS);
    carom_parallel_for(threads, ITEMS, 2, work_range, &j);
    carom_watch_stage(w, 0.75, ITEMS);
    carom_parallel_for(threads, ITEMS, 2, work_range, &j);
    return atomic_load(&j.done);
}

TEST(watch, parts_grow_and_calls_do_not_overlap)
{
    const int thread_counts[] = { 1, 2, 7 };
    for (int k = 0; k < 3; ++k) {
        carom_error err = { 0 };
        listener l = { 0 };
        carom_watch w;
        carom_watch_init(&w, listen, &l, "a wall");
        w.interval = 0.0;
        CHECK_EQ(work_two_stages(&w, thread_counts[k]), 2 * ITEMS);
        CHECK(!l.overlapped && !l.decreased && !carom_watch_stopped(&w));
        CHECK_GE(l.last_part, 0.9);
        CHECK_OK(carom_watch_status(&w, &err), err);
    }
}

TEST(watch, says_little_when_told_to_wait)
{
    listener l = { 0 };
    carom_watch w;
    carom_watch_init(&w, listen, &l, "a wall");
    w.interval = 1e9;
    work_two_stages(&w, 2);
    CHECK_EQ(l.calls, 1); /* the first is never held back */
}

TEST(watch, giving_up_ends_the_work)
{
    const int thread_counts[] = { 1, 7 };
    for (int k = 0; k < 2; ++k) {
        carom_error err = { 0 };
        listener l = { .give_up_at = 3 };
        carom_watch w;
        carom_watch_init(&w, listen, &l, "a wall");
        w.interval = 0.0;
        CHECK_LE((double)work_two_stages(&w, thread_counts[k]), 2.0 * ITEMS - 1.0);
        CHECK_EQ(l.calls, 3); /* nobody is asked again */
        CHECK_EQ(carom_watch_status(&w, &err), CAROM_INTERRUPTED);
        CHECK_CONTAINS(err.message, "a wall");
    }
}

TEST(watch, nobody_watching_is_fine)
{
    carom_error err = { 0 };
    CHECK_EQ(work_two_stages(NULL, 2), 2 * ITEMS);
    CHECK(carom_watch_count(NULL, 5) && !carom_watch_stopped(NULL));
    CHECK_OK(carom_watch_status(NULL, &err), err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(watch, parts_grow_and_calls_do_not_overlap),
        RUN_TEST(watch, says_little_when_told_to_wait),
        RUN_TEST(watch, giving_up_ends_the_work),
        RUN_TEST(watch, nobody_watching_is_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
