/* The arena: aligned, zeroed, separate pieces; failure is remembered; everything goes at once. */
#include "base/arena.h"
#include "support/check.h"

static bool all_zero(const unsigned char *p, size_t bytes)
{
    for (size_t i = 0; i < bytes; ++i) {
        if (p[i]) {
            return false;
        }
    }
    return true;
}

TEST(arena, pieces_are_zeroed_aligned_and_apart)
{
    enum { COUNT = 200 };
    carom_arena arena = { 0 };
    unsigned char *piece[COUNT];
    for (size_t i = 0; i < COUNT; ++i) {
        size_t bytes = 37 * i % 1000 + 1;
        piece[i] = carom_arena_alloc(&arena, bytes);
        CHECK(piece[i] != NULL);
        CHECK_EQ((uintptr_t)piece[i] % 64, 0);
        CHECK(all_zero(piece[i], bytes));
        memset(piece[i], (int)i, bytes);
    }
    for (size_t i = 0; i < COUNT; ++i) {
        size_t bytes = 37 * i % 1000 + 1;
        CHECK_EQ(piece[i][0], i);
        CHECK_EQ(piece[i][bytes - 1], i);
    }
    CHECK(!arena.failed);
    carom_arena_free(&arena);
}

TEST(arena, pieces_of_nothing_differ)
{
    carom_arena arena = { 0 };
    void *a = carom_arena_alloc(&arena, 0);
    void *b = carom_arena_alloc(&arena, 0);
    CHECK(a && b && a != b);
    carom_arena_free(&arena);
}

TEST(arena, serves_pieces_larger_than_a_chunk)
{
    carom_arena arena = { 0 };
    size_t count = 1 << 20;
    double *big = CAROM_ARENA_ARRAY(&arena, double, count);
    double *small = CAROM_ARENA_ARRAY(&arena, double, 1);
    CHECK(big && small);
    big[count - 1] = 1.0;
    CHECK_NEAR(small[0], 0.0, 0.0);
    carom_arena_free(&arena);
}

TEST(arena, copies_data_and_text)
{
    carom_arena arena = { 0 };
    char text[] = "slider";
    char *copy = carom_arena_text(&arena, text);
    text[0] = 'g';
    CHECK_TEXT(copy, "slider");
    CHECK(carom_arena_text(&arena, NULL) == NULL);
    CHECK_TEXT(carom_arena_printf(&arena, "%s %d", copy, 7), "slider 7");

    int numbers[] = { 3, 1, 4 };
    int *same = carom_arena_copy(&arena, numbers, sizeof numbers);
    CHECK(memcmp(same, numbers, sizeof numbers) == 0);
    carom_arena_free(&arena);
}

TEST(arena, remembers_an_impossible_request)
{
    carom_arena arena = { 0 };
    CHECK(carom_arena_array(&arena, SIZE_MAX / 4, 8) == NULL); /* the product overflows */
    CHECK(arena.failed);
    carom_arena_free(&arena);
    CHECK(!arena.failed);

    CHECK(carom_arena_alloc(&arena, SIZE_MAX) == NULL);
    CHECK(arena.failed);
    carom_arena_free(&arena);

    CHECK(carom_arena_alloc(&arena, SIZE_MAX - 128) == NULL); /* fits a size_t, but no machine */
    CHECK(arena.failed);
    carom_arena_free(&arena);
}

TEST(arena, may_be_used_again_after_free)
{
    carom_arena arena = { 0 };
    for (int round = 0; round < 3; ++round) {
        CHECK(CAROM_ARENA_ARRAY(&arena, int, 5000) != NULL);
        carom_arena_free(&arena);
        CHECK(arena.chunks == NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(arena, pieces_are_zeroed_aligned_and_apart), RUN_TEST(arena, pieces_of_nothing_differ),
        RUN_TEST(arena, serves_pieces_larger_than_a_chunk),   RUN_TEST(arena, copies_data_and_text),
        RUN_TEST(arena, remembers_an_impossible_request),     RUN_TEST(arena, may_be_used_again_after_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
