/* Dense kernels of any size: factors by panels have the bits of one column after the other, and multiply to what they came from. */
#include "linalg/wide.h"

#include <math.h>
#include <string.h>

#include "support/check.h"

enum { MOST = 45 };

/* Symmetric, in columns; definite where `heavy`. */
static void draw(double *a, int n, bool heavy, test_rng *rng)
{
    for (int j = 0; j < n; ++j) {
        for (int i = j; i < n; ++i) {
            a[j * n + i] = test_rng_uniform(rng, -1.0, 1.0) + (i == j && heavy ? n : 0.0);
            a[i * n + j] = a[j * n + i];
        }
    }
}

/* L D L^T, column by column. */
static int plain_ldl(double *a, double *d_inv, int n, double floor)
{
    int good = n;
    double least[MOST];
    for (int j = 0; j < n; ++j) {
        least[j] = floor * a[j * n + j];
    }
    for (int j = 0; j < n; ++j) {
        double d = a[j * n + j];
        good = good < n || (d > least[j] && isfinite(d)) ? good : j;
        d_inv[j] = 1.0 / d;
        for (int k = j + 1; k < n; ++k) {
            for (int i = k; i < n; ++i) {
                a[k * n + i] -= a[j * n + i] * (a[j * n + k] * d_inv[j]);
            }
        }
        for (int i = j + 1; i < n; ++i) {
            a[j * n + i] *= d_inv[j];
        }
    }
    return good;
}

TEST(wide, panels_have_the_bits_of_single_columns)
{
    FOR_EACH_SEED(rng, 3) {
        for (int n = 1; n <= MOST; ++n) {
            double a[MOST * MOST], b[MOST * MOST], d[MOST], e[MOST];
            draw(a, n, test_rng_uniform(&rng, 0.0, 3.0) > 1.0, &rng);
            memcpy(b, a, sizeof a);
            CHECK_EQ(wide_ldl(a, d, n, 1e-14), plain_ldl(b, e, n, 1e-14));
            CHECK_EQ(memcmp(d, e, (size_t)n * sizeof *d), 0);
            CHECK_EQ(memcmp(a, b, (size_t)(n * n) * sizeof *a), 0);
        }
    }
}

TEST(wide, factors_multiply_to_what_they_came_from)
{
    FOR_EACH_SEED(rng, 3) {
        for (int n = 1; n <= MOST; ++n) {
            double a[MOST * MOST], l[MOST * MOST], d_inv[MOST];
            draw(a, n, true, &rng);
            memcpy(l, a, sizeof a);
            CHECK_EQ(wide_ldl(l, d_inv, n, 1e-14), n);
            for (int j = 0; j < n; ++j) {
                for (int i = j; i < n; ++i) {
                    double sum = 0.0;
                    for (int k = 0; k <= j; ++k) {
                        sum += (k == i ? 1.0 : l[k * n + i]) * (k == j ? 1.0 : l[k * n + j]) / d_inv[k];
                    }
                    CHECK_NEAR(sum, a[j * n + i], 1e-12 * n);
                }
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(wide, panels_have_the_bits_of_single_columns),
        RUN_TEST(wide, factors_multiply_to_what_they_came_from),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
