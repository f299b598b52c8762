/* parallel_for: every item exactly once, and the same bits for any number of threads. */
#include "base/parallel.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/check.h"

enum { COUNT = 10007, GRAIN = 16 };

typedef struct work {
    double value[COUNT];
    int visits[COUNT];
} work;

/* Something whose last bits would show a different order of operations. */
static void work_range(void *context, size_t begin, size_t end)
{
    work *w = context;
    for (size_t i = begin; i < end; ++i) {
        double sum = 0.0;
        for (int k = 1; k <= 20; ++k) {
            sum += sin((double)i * k) / k;
        }
        w->value[i] = sum;
        w->visits[i] += 1;
    }
}

static double sum_in_order(const work *w)
{
    double sum = 0.0;
    for (size_t i = 0; i < COUNT; ++i) {
        sum += w->value[i];
    }
    return sum;
}

TEST(parallel, same_bits_for_1_2_and_7_threads)
{
    static work one, many;
    one = (work){ 0 };
    carom_parallel_for(1, COUNT, GRAIN, work_range, &one);
    for (int threads = 2; threads <= 7; threads += 5) {
        many = (work){ 0 };
        carom_parallel_uneven(threads, COUNT, GRAIN, work_range, &many);
        CHECK(memcmp(one.value, many.value, sizeof one.value) == 0);
        many = (work){ 0 };
        carom_parallel_for(threads, COUNT, GRAIN, work_range, &many);
        CHECK(memcmp(one.value, many.value, sizeof one.value) == 0);
        double a = sum_in_order(&one);
        double b = sum_in_order(&many);
        CHECK(memcmp(&a, &b, sizeof a) == 0);
    }
}

TEST(parallel, visits_every_item_once)
{
    static work w;
    const size_t counts[] = { 0, 1, 2, 6, 7, 8, 100, COUNT };
    const int thread_counts[] = { 0, 1, 2, 7, 64 };
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; ++c) {
        for (size_t t = 0; t < sizeof thread_counts / sizeof thread_counts[0]; ++t) {
            w = (work){ 0 };
            carom_parallel_for(thread_counts[t], counts[c], 1, work_range, &w);
            carom_parallel_uneven(thread_counts[t], counts[c], 1, work_range, &w);
            for (size_t i = 0; i < COUNT; ++i) {
                CHECK_EQ(w.visits[i], i < counts[c] ? 2 : 0);
            }
        }
    }
}

static void count_calls(void *context, size_t begin, size_t end)
{
    (void)begin;
    (void)end;
    *(int *)context += 1;
}

TEST(parallel, stays_in_one_piece_below_the_grain)
{
    int calls = 0;
    carom_parallel_for(7, 99, 100, count_calls, &calls);
    CHECK_EQ(calls, 1);
}

/* A loop within a loop, and one beside it, are done by who calls them. */
static void loop_again(void *context, size_t begin, size_t end)
{
    static work inner[8];
    (void)context;
    for (size_t i = begin; i < end; ++i) {
        inner[i] = (work){ 0 };
        carom_parallel_uneven(7, 100, 1, work_range, &inner[i]);
        for (int k = 0; k < 100; ++k) {
            CHECK_EQ(inner[i].visits[k], 1);
        }
    }
}

TEST(parallel, loops_within_loops)
{
    for (int n = 0; n < 50; ++n) {
        carom_parallel_for(4, 8, 1, loop_again, NULL);
    }
}

static void *loop_beside(void *context)
{
    work *w = context;
    for (int n = 0; n < 200; ++n) {
        carom_parallel_uneven(3, 100, 1, work_range, w);
    }
    return NULL;
}

TEST(parallel, loops_of_several_threads)
{
    static work beside[3];
    pthread_t threads[3];
    for (int k = 0; k < 3; ++k) {
        beside[k] = (work){ 0 };
        CHECK_EQ(pthread_create(&threads[k], NULL, loop_beside, &beside[k]), 0);
    }
    for (int k = 0; k < 3; ++k) {
        pthread_join(threads[k], NULL);
        for (int i = 0; i < COUNT; ++i) {
            CHECK_EQ(beside[k].visits[i], i < 100 ? 200 : 0);
        }
    }
}

/* The first slice is that of the calling thread, which may ask its caller something. */
static void note_thread(void *context, size_t begin, size_t end)
{
    if (begin == 0 && end > 0) {
        *(pthread_t *)context = pthread_self();
    }
}

TEST(parallel, first_slice_is_that_of_the_caller)
{
    for (int n = 0; n < 2000; ++n) {
        pthread_t first;
        memset(&first, 0, sizeof first);
        carom_parallel_for(2 + n % 7, 30, 1, note_thread, &first);
        CHECK(pthread_equal(first, pthread_self()));
        memset(&first, 0, sizeof first);
        carom_parallel_uneven(2 + n % 7, 1000, 1, note_thread, &first);
        CHECK(pthread_equal(first, pthread_self()));
    }
}

/* A process that was forked has none of the threads, and goes on. */
TEST(parallel, goes_on_after_a_fork)
{
    static work w;
    carom_parallel_for(4, 100, 1, work_range, &w);
    pid_t child = fork();
    if (child == 0) {
        w = (work){ 0 };
        bool all = true;
        for (int n = 0; n < 20; ++n) {
            carom_parallel_uneven(4, 100, 1, work_range, &w);
        }
        for (int i = 0; i < 100; ++i) {
            all = all && w.visits[i] == 20;
        }
        _exit(all ? 0 : 1);
    }
    int status = -1;
    CHECK(child > 0);
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(parallel, same_bits_for_1_2_and_7_threads),
        RUN_TEST(parallel, visits_every_item_once),
        RUN_TEST(parallel, stays_in_one_piece_below_the_grain),
        RUN_TEST(parallel, loops_within_loops),
        RUN_TEST(parallel, loops_of_several_threads),
        RUN_TEST(parallel, first_slice_is_that_of_the_caller),
        RUN_TEST(parallel, goes_on_after_a_fork),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
