/* Minimal residuals against dense solutions: systems that differ from the identity in few directions, in any inner product. */
#include "linalg/gmres.h"

#include <stdlib.h>
#include <string.h>

#include "linalg/dense.h"
#include "support/check.h"

enum { MOST = 40 };

typedef struct system_case {
    int n;
    double A[MOST * MOST];
    int applied;
} system_case;

static void apply(void *context, const double *x, double *out)
{
    system_case *c = context;
    ++c->applied;
    for (int i = 0; i < c->n; ++i) {
        out[i] = 0.0;
        for (int k = 0; k < c->n; ++k) {
            out[i] += c->A[c->n * i + k] * x[k];
        }
    }
}

/* A is the sum of so many products of two vectors, not symmetric. */
static void draw(system_case *c, test_rng *r, int n, int rank)
{
    memset(c, 0, sizeof *c);
    c->n = n;
    for (int k = 0; k < rank; ++k) {
        double u[MOST], v[MOST];
        for (int i = 0; i < n; ++i) {
            u[i] = test_rng_uniform(r, -1.0, 1.0);
            v[i] = test_rng_uniform(r, -1.0, 1.0);
        }
        for (int i = 0; i < n * n; ++i) {
            c->A[i] += u[i / n] * v[i % n];
        }
    }
}

static double off(const system_case *c, const double *x, const double *b)
{
    static double A[MOST * MOST], scratch[4 * MOST * MOST + 64];
    double y[MOST], worst = 0.0, most = 0.0;
    memcpy(A, c->A, sizeof A);
    memcpy(y, b, (size_t)c->n * sizeof *y);
    for (int i = 0; i < c->n; ++i) {
        A[(c->n + 1) * i] += 1.0;
    }
    CHECK_EQ(dense_solve(A, y, c->n, 1e-14, scratch), c->n);
    for (int i = 0; i < c->n; ++i) {
        worst = fmax(worst, fabs(x[i] - y[i]));
        most = fmax(most, fabs(y[i]));
    }
    return worst / most;
}

TEST(gmres, solves_in_one_application_more_than_there_are_directions)
{
    test_rng r = test_rng_seed(5);
    static system_case c;
    for (int n = 0; n < 200; ++n) {
        int size = 1 + n % MOST;
        int rank = n % 7;
        double weights[MOST], x[MOST], b[MOST];
        double *scratch = calloc(gmres_scratch(size, size), sizeof *scratch);
        draw(&c, &r, size, rank < size ? rank : size);
        for (int i = 0; i < size; ++i) {
            weights[i] = exp(test_rng_uniform(&r, -3.0, 3.0));
            x[i] = b[i] = test_rng_uniform(&r, -1.0, 1.0);
        }
        gmres_system system = { .n = size, .weights = weights, .apply = apply, .context = &c };
        double left = gmres_solve(&system, x, 1e-12, size, scratch);
        CHECK_LE(left, 1e-12);
        CHECK_LE(c.applied, rank + 1);
        CHECK_LE(off(&c, x, b), 1e-7);
        free(scratch);
    }
}

TEST(gmres, tells_what_is_left)
{
    test_rng r = test_rng_seed(6);
    static system_case c;
    draw(&c, &r, MOST, MOST);
    double weights[MOST], x[MOST], b[MOST], residual = 0.0, size = 0.0;
    double *scratch = calloc(gmres_scratch(MOST, 5), sizeof *scratch);
    for (int i = 0; i < MOST; ++i) {
        weights[i] = 1.0 + i;
        x[i] = b[i] = test_rng_uniform(&r, -1.0, 1.0);
    }
    gmres_system system = { .n = MOST, .weights = weights, .apply = apply, .context = &c };
    double left = gmres_solve(&system, x, 1e-12, 5, scratch);
    double image[MOST];
    CHECK_EQ(c.applied, 5);
    apply(&c, x, image);
    for (int i = 0; i < MOST; ++i) {
        double z = b[i] - x[i] - image[i];
        residual += weights[i] * z * z;
        size += weights[i] * b[i] * b[i];
    }
    CHECK(left > 1e-6 && left < 1.0);
    CHECK_NEAR(left, sqrt(residual / size), 1e-9);
    memset(x, 0, sizeof x);
    CHECK(gmres_solve(&system, x, 1e-12, 5, scratch) == 0.0 && x[0] == 0.0);
    free(scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(gmres, solves_in_one_application_more_than_there_are_directions),
        RUN_TEST(gmres, tells_what_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
