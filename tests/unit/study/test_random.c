/* Philox against published vectors, Sobol' points against published ones and against what defines a net, scrambling against what it keeps. */
#include <math.h>
#include <string.h>

#include "study/random.h"
#include "study/sobol.h"
#include "support/check.h"

/* The vectors that come with the generator's publication (Random123, kat_vectors). */
TEST(random, philox_equals_published_vectors)
{
    static const struct {
        uint32_t counter[4], key[2], out[4];
    } known[] = {
        { { 0, 0, 0, 0 }, { 0, 0 }, { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 } },
        { { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff },
          { 0xffffffff, 0xffffffff },
          { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd } },
        { { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344 },
          { 0xa4093822, 0x299f31d0 },
          { 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 } },
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        uint32_t out[4];
        philox(known[i].counter, known[i].key, out);
        CHECK(memcmp(out, known[i].out, sizeof out) == 0);
    }
}

TEST(random, draws_differ_by_seed_run_and_name)
{
    uint64_t e = draw_name("e", 1);
    uint64_t f = draw_name("f", 1);
    double u = draw_uniform((draw){ 7, 3, e });
    CHECK(u > 0.0 && u < 1.0);
    CHECK(u == draw_uniform((draw){ 7, 3, e }));
    CHECK(u != draw_uniform((draw){ 8, 3, e }) && u != draw_uniform((draw){ 7, 4, e }) &&
          u != draw_uniform((draw){ 7, 3, f }));
    CHECK(draw_name("e", 2) != e);
}

/* The mean and the variance of 1e5 draws, within five standard errors; every tenth of the range is met as often. */
TEST(random, draws_are_even)
{
    enum { N = 100000 };
    double sum = 0.0, squares = 0.0;
    size_t tenths[10] = { 0 };
    size_t below[7] = { 0 };
    for (uint64_t i = 0; i < N; ++i) {
        double u = draw_uniform((draw){ 1, i, 5 });
        sum += u;
        squares += u * u;
        tenths[(int)(10.0 * u)]++;
        below[draw_below((draw){ 2, i, 5 }, 7)]++;
    }
    CHECK_NEAR(sum / N, 0.5, 5.0 * sqrt(1.0 / 12.0 / N));
    CHECK_NEAR(squares / N, 1.0 / 3.0, 5.0 * sqrt(4.0 / 45.0 / N));
    for (int k = 0; k < 10; ++k) {
        CHECK_NEAR((double)tenths[k], 0.1 * N, 5.0 * sqrt(0.09 * N));
    }
    for (int k = 0; k < 7; ++k) {
        CHECK_NEAR((double)below[k], N / 7.0, 5.0 * sqrt(6.0 / 49.0 * N));
    }
}

/* ---- Sobol' ------------------------------------------------------------------------------------------------------- */

/* The first points in three dimensions, in the order of the published generator. */
TEST(sobol, equals_published_points)
{
    static const double known[8][3] = {
        { 0, 0, 0 },
        { 0.5, 0.5, 0.5 },
        { 0.75, 0.25, 0.25 },
        { 0.25, 0.75, 0.75 },
        { 0.375, 0.375, 0.625 },
        { 0.875, 0.875, 0.125 },
        { 0.625, 0.125, 0.875 },
        { 0.125, 0.625, 0.375 },
    };
    for (uint32_t n = 0; n < 8; ++n) {
        for (int d = 0; d < 3; ++d) {
            CHECK_NEAR(sobol_point(n, d) * 0x1p-32, known[n][d], 0.0);
        }
    }
}

/* Of 2^m points each of 2^m equal cells of every coordinate holds one, scrambled or not. */
TEST(sobol, every_coordinate_is_stratified)
{
    enum { M = 10, N = 1 << M };
    for (int d = 0; d < SOBOL_DIMENSIONS; ++d) {
        for (int scrambled = 0; scrambled < 2; ++scrambled) {
            unsigned char met[N] = { 0 };
            for (uint32_t n = 0; n < N; ++n) {
                uint32_t x = sobol_point(n, d);
                met[(scrambled ? sobol_scramble(x, 3, (uint64_t)d) : x) >> (SOBOL_BITS - M)]++;
            }
            for (int k = 0; k < N; ++k) {
                CHECK_EQ(met[k], 1);
            }
        }
    }
}

/* A sum over all points in 32 dimensions, as scipy 1.10 (qmc.Sobol, unscrambled) gives it. */
TEST(sobol, all_dimensions_are_those_published)
{
    uint64_t hash = 0;
    for (uint32_t n = 0; n < 1024; ++n) {
        for (int d = 0; d < SOBOL_DIMENSIONS; ++d) {
            hash = hash * UINT64_C(6364136223846793005) + sobol_point(n, d) + 1;
        }
    }
    CHECK(hash == UINT64_C(0x85edbce800b58000));
}

/* Scrambling keeps how many leading bits two numbers have in common, and seeds differ. */
TEST(sobol, scrambling_is_nested)
{
    for (uint32_t i = 1; i < 200; ++i) {
        uint32_t x = (uint32_t)draw_bits((draw){ 1, i, 1 });
        uint32_t y = x ^ (UINT32_C(1) << (i % 32));
        uint32_t difference = sobol_scramble(x, 5, 9) ^ sobol_scramble(y, 5, 9);
        CHECK(difference >> (i % 32) == 1);
    }
    CHECK(sobol_scramble(0, 1, 1) != sobol_scramble(0, 2, 1) && sobol_scramble(0, 1, 1) != sobol_scramble(0, 1, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(random, philox_equals_published_vectors),
        RUN_TEST(random, draws_differ_by_seed_run_and_name),
        RUN_TEST(random, draws_are_even),
        RUN_TEST(sobol, equals_published_points),
        RUN_TEST(sobol, every_coordinate_is_stratified),
        RUN_TEST(sobol, all_dimensions_are_those_published),
        RUN_TEST(sobol, scrambling_is_nested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
