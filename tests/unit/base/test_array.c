/* Arrays that grow: items stay, room grows by halves, and what cannot be had changes nothing. */
#include "base/array.h"

#include "support/check.h"

typedef struct pair {
    int a, b;
} pair;

TEST(array, keeps_items_while_it_grows)
{
    pair *items = NULL;
    size_t capacity = 0;
    size_t growths = 0;
    for (size_t i = 0; i < 10000; ++i) {
        size_t before = capacity;
        CHECK(CAROM_ARRAY_RESERVE(items, capacity, i + 1));
        CHECK_GE((double)capacity, (double)(i + 1));
        growths += capacity != before;
        items[i] = (pair){ (int)i, -(int)i };
    }
    for (size_t i = 0; i < 10000; ++i) {
        CHECK_EQ(items[i].a, i);
        CHECK_EQ(items[i].b, -(int)i);
    }
    CHECK_LE((double)growths, 17.0); /* 16 (3/2)^k > 10000 */
    free(items);
}

TEST(array, takes_what_is_asked_for_at_once)
{
    double *items = NULL;
    size_t capacity = 0;
    CHECK(CAROM_ARRAY_RESERVE(items, capacity, 0)); /* an array without items is one */
    CHECK(items != NULL);
    CHECK(CAROM_ARRAY_RESERVE(items, capacity, 5000));
    CHECK_EQ(capacity, 5000);
    const double *same = items;
    CHECK(CAROM_ARRAY_RESERVE(items, capacity, 4000)); /* never smaller */
    CHECK_EQ(capacity, 5000);
    CHECK(items == same);
    free(items);
}

TEST(array, stays_as_it_was_when_there_is_no_room)
{
    pair *items = NULL;
    size_t capacity = 0;
    CHECK(CAROM_ARRAY_RESERVE(items, capacity, 3));
    items[2] = (pair){ 7, 8 };
    const pair *same = items;
    size_t before = capacity;
    CHECK(!CAROM_ARRAY_RESERVE(items, capacity, SIZE_MAX)); /* bytes would overflow */
    CHECK(!CAROM_ARRAY_RESERVE(items, capacity, SIZE_MAX / sizeof *items + 1));
    CHECK(!CAROM_ARRAY_RESIZE(items, SIZE_MAX / 2));
    CHECK(items == same);
    CHECK_EQ(capacity, before);
    CHECK_EQ(items[2].b, 8);
    free(items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(array, keeps_items_while_it_grows),
        RUN_TEST(array, takes_what_is_asked_for_at_once),
        RUN_TEST(array, stays_as_it_was_when_there_is_no_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
