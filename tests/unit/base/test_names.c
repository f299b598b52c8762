/* The table of names: finds what was added, nothing else, and refuses doubles. */
#include "base/names.h"
#include "support/check.h"

enum { COUNT = 5000 };

TEST(names, finds_each_of_many)
{
    carom_arena arena = { 0 };
    carom_names names;
    carom_names_prepare(&names, COUNT, &arena);
    for (int i = 0; i < COUNT; ++i) {
        CHECK(carom_names_add(&names, carom_arena_printf(&arena, "body%d", i), i));
    }
    CHECK_EQ(names.count, COUNT);
    for (int i = 0; i < COUNT; ++i) {
        char name[32];
        snprintf(name, sizeof name, "body%d", i);
        CHECK_EQ(carom_names_find(&names, name), i);
        snprintf(name, sizeof name, "Body%d", i);
        CHECK_EQ(carom_names_find(&names, name), -1);
    }
    carom_arena_free(&arena);
}

TEST(names, keeps_the_first_of_two)
{
    carom_arena arena = { 0 };
    carom_names names;
    carom_names_prepare(&names, 2, &arena);
    CHECK(carom_names_add(&names, "rod", 3));
    CHECK(!carom_names_add(&names, "rod", 4));
    CHECK_EQ(carom_names_find(&names, "rod"), 3);
    CHECK_EQ(names.count, 1);
    carom_arena_free(&arena);
}

TEST(names, holds_nothing_at_first)
{
    carom_arena arena = { 0 };
    carom_names names;
    carom_names_prepare(&names, 0, &arena);
    CHECK_EQ(carom_names_find(&names, ""), -1);
    CHECK(carom_names_add(&names, "", 0)); /* the empty name is a name */
    CHECK_EQ(carom_names_find(&names, ""), 0);
    carom_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(names, finds_each_of_many),
        RUN_TEST(names, keeps_the_first_of_two),
        RUN_TEST(names, holds_nothing_at_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
