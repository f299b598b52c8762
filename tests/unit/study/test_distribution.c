/* Quantiles and intervals against another implementation (scipy 1.10), against closed forms and against their own definitions. */
#include <math.h>

#include "study/distribution.h"
#include "support/check.h"

#define LIST(...)                                                            \
    {                                                                        \
        sizeof((double[]){ __VA_ARGS__ }) / sizeof(double), (const double[]) \
        {                                                                    \
            __VA_ARGS__                                                      \
        }                                                                    \
    }

TEST(distribution, normal_quantiles)
{
    CHECK_NEAR(normal_quantile(0.5), 0.0, 1e-16);
    CHECK_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-14);
    CHECK_NEAR(normal_quantile(1e-10), -6.361340902404056, 1e-13);
    CHECK_NEAR(normal_quantile(0.999999), 4.753424308817087, 1e-10); /* 1 - p is known to 1e-16 only */
    CHECK_NEAR(normal_quantile(1e-300), -37.0470962993612, 1e-12);
    for (int k = 1; k < 2000; ++k) { /* its definition */
        double p = k / 2000.0;
        CHECK_NEAR(0.5 * erfc(-normal_quantile(p) / sqrt(2.0)), p, 1e-15);
    }
}

/* ppf of truncnorm, with mean 3 and deviation 2 put around it. */
TEST(distribution, truncated_normal_also_far_out)
{
    static const struct {
        double u, a, b, x;
    } known[] = { { 0.3, -1, 2, -0.2424038178892272 },
                  { 0.7, 3, 4, 3.33458152130379 },
                  { 0.5, 6, 7, 6.111358215508885 },
                  { 0.9, -8, -5, -5.020276020918337 } };
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        const double within[] = { 3.0 + 2.0 * known[i].a, 3.0 + 2.0 * known[i].b };
        const vary_def v = { .path = "x", .normal = LIST(3.0, 2.0), .within = { 2, within } };
        CHECK_NEAR(vary_quantile(&v, known[i].u), 3.0 + 2.0 * known[i].x, 1e-12 * 16.0);
    }
}

TEST(distribution, the_others)
{
    const vary_def triangular = { .path = "x", .triangular = LIST(1.0, 2.0, 5.0) };
    const vary_def lognormal = { .path = "x", .lognormal = LIST(2.0, 0.5) };
    const vary_def uniform = { .path = "x", .uniform = LIST(-1.0, 3.0), .within = LIST(0.0, 9.0) };
    const vary_def levels = { .path = "x", .levels = LIST(5.0, 7.0, 9.0) };
    CHECK_NEAR(vary_quantile(&triangular, 0.3), 2.1017246507621126, 1e-14);
    CHECK_NEAR(vary_quantile(&lognormal, 0.3), 1.5387138793285178, 1e-14);
    CHECK_NEAR(vary_quantile(&uniform, 0.25), 0.75, 1e-15);
    CHECK_NEAR(vary_quantile(&levels, 0.2), 5.0, 0.0);
    CHECK_NEAR(vary_quantile(&levels, 0.5), 7.0, 0.0);
    CHECK_NEAR(vary_quantile(&levels, 1.0 - 1e-16), 9.0, 0.0);
}

/* Ascending, and within bounds, for shares up to the last ones that can be drawn. */
TEST(distribution, stays_within_and_ascends)
{
    const vary_def all[] = { { .path = "x", .normal = LIST(0.0, 1.0), .within = LIST(-0.5, 8.0) },
                             { .path = "x", .normal = LIST(0.0, 1e-3), .within = LIST(0.01, 0.02) },
                             { .path = "x", .lognormal = LIST(1.0, 1.0), .within = LIST(-1.0, 3.0) },
                             { .path = "x", .triangular = LIST(0.0, 0.0, 1.0), .within = LIST(0.25, 0.5) } };
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        double last = all[i].within.data[0];
        for (int k = 0; k <= 1000; ++k) {
            double x = vary_quantile(&all[i], k == 0 ? 0x1p-54 : k == 1000 ? 1.0 - 0x1p-53 : k / 1000.0);
            CHECK_GE(x, last);
            CHECK_LE(x, all[i].within.data[1]);
            last = x;
        }
    }
}

TEST(distribution, refuses_what_is_none)
{
    const vary_def bad[] = { { .path = "x" },
                             { .path = "x", .uniform = LIST(1.0, 1.0) },
                             { .path = "x", .uniform = LIST(0.0, 1.0), .normal = LIST(0.0, 1.0) },
                             { .path = "x", .normal = LIST(0.0, 0.0) },
                             { .path = "x", .lognormal = LIST(-1.0, 1.0) },
                             { .path = "x", .triangular = LIST(0.0, 2.0, 1.0) },
                             { .path = "x", .levels = LIST(1.0), .within = LIST(0.0, 1.0) },
                             { .path = "x", .uniform = LIST(0.0, 1.0), .within = LIST(2.0, 3.0) },
                             { .path = "x", .normal = LIST(0.0, 1.0), .within = LIST(1.0, -1.0) } };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        carom_error err = { 0 };
        CHECK_EQ(vary_check(&bad[i], &err), CAROM_BAD_INPUT);
        CHECK_CONTAINS(err.message, "'x'");
    }
}

/* ---- intervals ----------------------------------------------------------------------------------------------------- */

/* Probability of at most k hits of n. */
static double at_most(int k, int n, double p)
{
    double sum = 0.0;
    for (int i = 0; i <= k; ++i) {
        sum += exp(lgamma(n + 1.0) - lgamma(i + 1.0) - lgamma(n - i + 1.0) + i * log(p) + (n - i) * log1p(-p));
    }
    return sum;
}

TEST(interval, clopper_pearson)
{
    double low, high;
    clopper_pearson(8, 10, 0.95, &low, &high);
    CHECK_NEAR(low, 0.4439045376923585, 1e-12);
    CHECK_NEAR(high, 0.9747892736731666, 1e-12);
    clopper_pearson(231, 252, 0.95, &low, &high);
    CHECK_NEAR(low, 0.875436799872717, 1e-12);
    CHECK_NEAR(high, 0.9476756080269919, 1e-12);
    clopper_pearson(0, 10, 0.95, &low, &high);
    CHECK_NEAR(low, 0.0, 0.0);
    CHECK_NEAR(high, 1.0 - pow(0.025, 0.1), 1e-12);
    clopper_pearson(30, 30, 0.95, &low, &high);
    CHECK_NEAR(low, pow(0.025, 1.0 / 30.0), 1e-12);
    CHECK_NEAR(high, 1.0, 0.0);
    for (int n = 1; n < 60; n += 7) { /* its definition */
        for (int k = 1; k < n; ++k) {
            clopper_pearson((size_t)k, (size_t)n, 0.95, &low, &high);
            CHECK_NEAR(1.0 - at_most(k - 1, n, low), 0.025, 1e-11);
            CHECK_NEAR(at_most(k, n, high), 0.025, 1e-11);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(distribution, normal_quantiles),     RUN_TEST(distribution, truncated_normal_also_far_out),
        RUN_TEST(distribution, the_others),           RUN_TEST(distribution, stays_within_and_ascends),
        RUN_TEST(distribution, refuses_what_is_none), RUN_TEST(interval, clopper_pearson),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
