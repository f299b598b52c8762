/* Estimates of studies: intervals that hold as often as they say, and Ishigami's function, whose indices are known. */
#include <math.h>
#include <stdlib.h>

#include "study/random.h"
#include "study/sobol.h"
#include "study/statistics.h"
#include "support/check.h"

#define PI 3.14159265358979323846

/* ---- Ishigami's function ------------------------------------------------------------------------------------------ */

static double ishigami(const double x[3])
{
    return sin(x[0]) + 7.0 * sin(x[1]) * sin(x[1]) + 0.1 * x[2] * x[2] * x[2] * x[2] * sin(x[0]);
}

/* Base point n: coordinates 0..2 of A, 3..5 of B; variable `from_b` (or none: -1, all: 3) is that of B. */
static double value_at(uint32_t n, int from_b)
{
    double x[3];
    for (int i = 0; i < 3; ++i) {
        int d = from_b == 3 || from_b == i ? 3 + i : i;
        double u = (sobol_scramble(sobol_point(n, d), 1, (uint64_t)d) + 0.5) * 0x1p-32;
        x[i] = PI * (2.0 * u - 1.0);
    }
    return ishigami(x);
}

TEST(statistics, indices_of_ishigami)
{
    enum { N = 4096 };
    static double a[N], b[N], ab[N];
    double v1 = 0.5 * pow(1.0 + 0.1 * pow(PI, 4) / 5.0, 2);
    double v2 = 49.0 / 8.0;
    double v13 = 0.01 * pow(PI, 8) * 8.0 / 225.0;
    double v = v1 + v2 + v13;
    const double first[3] = { v1 / v, v2 / v, 0.0 };
    const double total[3] = { (v1 + v13) / v, v2 / v, v13 / v };
    for (int i = 0; i < 3; ++i) {
        for (uint32_t n = 0; n < N; ++n) {
            a[n] = value_at(n, -1);
            b[n] = value_at(n, 3);
            ab[n] = value_at(n, i);
        }
        estimate s, t;
        const index_values values = { a, b, ab, N };
        CHECK(sobol_index(&values, 1, &s, &t));
        CHECK_NEAR(s.value, first[i], 0.02);
        CHECK_NEAR(t.value, total[i], 0.02);
        CHECK(s.low <= first[i] && first[i] <= s.high);
        CHECK(t.low <= total[i] && total[i] <= t.high);
    }
}

/* ---- quantiles ---------------------------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of 2000 samples at least 95 % of the intervals hold the true quantile, less three standard errors. */
TEST(statistics, quantile_intervals_hold)
{
    enum { TRIALS = 2000, N = 60 };
    static const double quantiles[] = { 0.5, 0.9 };
    for (size_t k = 0; k < 2; ++k) {
        int held = 0;
        for (uint64_t trial = 0; trial < TRIALS; ++trial) {
            double x[N];
            for (uint64_t i = 0; i < N; ++i) {
                x[i] = draw_uniform((draw){ 3, trial * N + i, k });
            }
            qsort(x, N, sizeof *x, ascending);
            estimate e = quantile_of(x, N, quantiles[k]);
            held += e.low <= quantiles[k] && quantiles[k] <= e.high;
        }
        CHECK_GE(held / (double)TRIALS, 0.95 - 3.0 * sqrt(0.95 * 0.05 / TRIALS));
        CHECK_LE(held / (double)TRIALS, 0.995); /* and are not endless */
    }
}

TEST(statistics, few_values_have_open_ends)
{
    const double x[] = { 1.0, 2.0, 3.0 };
    estimate e = quantile_of(x, 3, 0.5);
    CHECK_NEAR(e.value, 2.0, 0.0);
    CHECK(isinf(e.low) && isinf(e.high));
    CHECK(isnan(quantile_of(x, 0, 0.5).value));
}

TEST(statistics, groups_have_students_interval)
{
    const double means[] = { 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0 };
    estimate e = mean_of_groups(means, 8);
    CHECK_NEAR(e.value, 4.5, 1e-15);
    double t = (e.high - e.value) / sqrt(6.0 / 8.0); /* the distribution of 7 degrees of freedom in closed form */
    double angle = atan(t / sqrt(7.0));
    double c = cos(angle);
    double share = 0.5 + (angle + (c + 2.0 / 3.0 * pow(c, 3) + 8.0 / 15.0 * pow(c, 5)) * sin(angle)) / PI;
    CHECK_NEAR(share, 0.975, 1e-14);
    CHECK(isnan(mean_of_groups(means, 1).low));
}

TEST(statistics, ranks_share_ties)
{
    const double x[] = { 1.0, 2.0, 3.0, 4.0, 5.0 };
    const double cubes[] = { 1.0, 8.0, 27.0, 64.0, 125.0 };
    const double falls[] = { 5.0, 4.0, 3.0, 2.0, -100.0 };
    const double ties[] = { 1.0, 1.0, 2.0, 2.0, 3.0 };
    const double flat[] = { 1.0, 1.0, 1.0, 1.0, 1.0 };
    double r;
    CHECK(rank_correlation(x, cubes, 5, &r));
    CHECK_NEAR(r, 1.0, 1e-15);
    CHECK(rank_correlation(x, falls, 5, &r));
    CHECK_NEAR(r, -1.0, 1e-15);
    CHECK(rank_correlation(x, ties, 5, &r));
    CHECK_NEAR(r, 9.0 / sqrt(10.0 * 9.0), 1e-15); /* ranks 0.5 0.5 2.5 2.5 4 */
    CHECK(rank_correlation(x, flat, 5, &r));
    CHECK(isnan(r));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(statistics, indices_of_ishigami),       RUN_TEST(statistics, quantile_intervals_hold),
        RUN_TEST(statistics, few_values_have_open_ends), RUN_TEST(statistics, groups_have_students_interval),
        RUN_TEST(statistics, ranks_share_ties),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
