/* parallel_for: every item exactly once, and the same bits for any number of threads. */
#include "base/parallel.h"
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(parallel, same_bits_for_1_2_and_7_threads),
        RUN_TEST(parallel, visits_every_item_once),
        RUN_TEST(parallel, stays_in_one_piece_below_the_grain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
