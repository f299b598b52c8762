/* The list of events: any number, in any order; sorted by time, what happens at one instant as it came. */
#include "support/check.h"

#include <stdlib.h>

#include "model/event_list.h"

/* Few different values, so that many events are equal in all that they are sorted by. */
static int few(test_rng *rng)
{
    return (int)test_rng_uniform(rng, 0.0, 3.0);
}

static carom_event random_event(test_rng *rng, size_t order)
{
    return (carom_event){
        .t = few(rng), .kind = (carom_event_kind)few(rng), .body = { few(rng), few(rng) }, .speed = (double)order
    };
}

TEST(event_list, is_sorted_and_keeps_the_order_of_equal_ones)
{
    const size_t counts[] = { 0, 1, 2, 3, 17, 5000 };
    test_rng rng = test_rng_seed(5);
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; ++c) {
        event_list list = { 0 };
        double sum = 0.0;
        for (size_t i = 0; i < counts[c]; ++i) {
            CHECK(event_list_push(&list, random_event(&rng, i)));
        }
        CHECK_EQ(list.count, counts[c]);
        event_list_sort(&list);
        for (size_t i = 0; i < list.count; ++i) {
            const carom_event *e = &list.items[i];
            sum += e->speed;
            if (i > 0) {
                CHECK_LE(e[-1].t, e->t);
                CHECK(e[-1].t < e->t || e[-1].speed < e->speed);
            }
        }
        double n = (double)counts[c];
        CHECK_NEAR(sum, 0.5 * n * (n - 1.0), 0.0); /* nobody is lost */
        free(list.items);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(event_list, is_sorted_and_keeps_the_order_of_equal_ones),
    };
    return cmocka_run_group_tests_name("event_list", tests, NULL, NULL);
}
