/* Numbers are found again under their hashes, in the order in which they were added, and nothing else is. */
#include "base/index.h"

#include "support/check.h"

TEST(index, every_number_is_found_under_its_hash)
{
    enum { MANY = 5000, KINDS = 700 };
    carom_arena arena = { 0 };
    carom_index index;
    carom_index_prepare(&index, MANY, &arena);
    for (int i = 0; i < MANY; ++i) {
        carom_index_add(&index, (uint64_t)(i % KINDS) << 40, i); /* low bits all alike */
    }
    for (int kind = 0; kind < KINDS; ++kind) {
        size_t cursor = 0;
        for (int i = kind; i < MANY; i += KINDS) {
            CHECK_EQ(carom_index_next(&index, (uint64_t)kind << 40, &cursor), i);
        }
        CHECK_EQ(carom_index_next(&index, (uint64_t)kind << 40, &cursor), -1);
        CHECK_EQ(carom_index_next(&index, (uint64_t)kind << 40, &cursor), -1);
    }
    size_t cursor = 0;
    CHECK_EQ(carom_index_next(&index, 12345, &cursor), -1);
    carom_arena_free(&arena);
}

TEST(index, without_memory_it_is_empty)
{
    carom_index index = { 0 };
    size_t cursor = 0;
    carom_index_add(&index, 1, 1);
    CHECK_EQ(carom_index_next(&index, 1, &cursor), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(index, every_number_is_found_under_its_hash),
        RUN_TEST(index, without_memory_it_is_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
