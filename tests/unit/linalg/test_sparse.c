/* Sparse symmetric matrices: products, factors, many right-hand sides, inertia, and what is refused. */
#include "support/check.h"

#include <stdlib.h>

#include "linalg/sparse.h"

enum { MOST = 4000 };

typedef struct entries {
    sparse_entry items[MOST];
    size_t count;
} entries;

static void put(entries *e, int row, int column, double value)
{
    CHECK(e->count < MOST);
    e->items[e->count++] = (sparse_entry){ row, column, value };
}

/* A random matrix, diagonally dominant: n rows with about three entries beside the diagonal each, on either side. */
static sparse_matrix *random_matrix(int n, test_rng *rng)
{
    static entries e;
    carom_error err = { 0 };
    sparse_matrix *A;
    e.count = 0;
    for (int r = 0; r < n; ++r) {
        put(&e, r, r, 8.0 + test_rng_uniform(rng, 0.0, 1.0));
        for (int k = 0; k < 3; ++k) {
            int c = (int)test_rng_uniform(rng, 0.0, n);
            if (c != r) {
                put(&e, r, c, test_rng_uniform(rng, -1.0, 1.0)); /* some more than once */
            }
        }
    }
    for (int r = 0; r < n; ++r) {
        put(&e, r, r, 20.0);
    }
    CHECK_OK(sparse_create(&A, n, e.items, e.count, &err), err);
    return A;
}

TEST(sparse, products_agree_with_dense_ones)
{
    FOR_EACH_SEED(rng, 10) {
        int n = 5 + 7 * seed_;
        sparse_matrix *A = random_matrix(n, &rng);
        double *dense = calloc((size_t)(n * n), sizeof *dense);
        double *x = calloc((size_t)(3 * n), sizeof *x);
        double *y = x + n;
        double *diagonal = x + 2 * n;
        CHECK(dense && x);
        CHECK_EQ(sparse_size(A), n);
        sparse_dense(A, dense);
        sparse_diagonal(A, diagonal);
        for (int k = 0; k < n; ++k) {
            x[k] = test_rng_uniform(&rng, -1.0, 1.0);
        }
        sparse_times(A, x, y);
        for (int r = 0; r < n; ++r) {
            double sum = 0.0;
            for (int c = 0; c < n; ++c) {
                CHECK(dense[r * n + c] == dense[c * n + r]);
                sum += dense[r * n + c] * x[c];
            }
            CHECK_NEAR(y[r], sum, 1e-13);
            CHECK(diagonal[r] == dense[r * n + r]);
        }
        free(dense);
        free(x);
        sparse_destroy(A);
    }
}

/* Any number of right-hand sides: each is solved as if it were alone, to the last bit. */
TEST(sparse, many_right_hand_sides_are_solved)
{
    FOR_EACH_SEED(rng, 10) {
        enum { SIDES = 19 };
        int n = 10 + 20 * seed_;
        carom_error err = { 0 };
        sparse_matrix *A = random_matrix(n, &rng);
        sparse_factor *f;
        double *B = calloc((size_t)(n * SIDES), sizeof *B);
        double *X = calloc((size_t)(n * SIDES), sizeof *X);
        double *one = calloc((size_t)n, sizeof *one);
        CHECK(B && X && one);
        CHECK_OK(sparse_factor_create(&f, A, &err), err);
        for (int k = 0; k < n * SIDES; ++k) {
            B[k] = X[k] = test_rng_uniform(&rng, -1.0, 1.0);
        }
        sparse_solve(f, X, SIDES);
        for (int s = 0; s < SIDES; ++s) {
            sparse_times(A, X + s * n, one);
            for (int k = 0; k < n; ++k) {
                CHECK_NEAR(one[k], B[s * n + k], 1e-13);
            }
            memcpy(one, B + s * n, (size_t)n * sizeof *one);
            sparse_solve(f, one, 1);
            CHECK_EQ(memcmp(one, X + s * n, (size_t)n * sizeof *one), 0);
        }
        free(B);
        free(X);
        free(one);
        sparse_factor_destroy(f);
        sparse_destroy(A);
    }
}

/* A chain of n masses on springs; held at one end, or at none. */
static sparse_matrix *chain(int n, bool held)
{
    static entries e;
    carom_error err = { 0 };
    sparse_matrix *A;
    e.count = 0;
    for (int k = 0; k < n; ++k) {
        put(&e, k, k, (k == 0 && !held) || k == n - 1 ? 1.0 : 2.0);
        if (k > 0) {
            put(&e, k - 1, k, -1.0);
        }
    }
    CHECK_OK(sparse_create(&A, n, e.items, e.count, &err), err);
    return A;
}

static sparse_matrix *identity(int n)
{
    static entries e;
    carom_error err = { 0 };
    sparse_matrix *A;
    e.count = 0;
    for (int k = 0; k < n; ++k) {
        put(&e, k, k, 1.0);
    }
    CHECK_OK(sparse_create(&A, n, e.items, e.count, &err), err);
    return A;
}

TEST(sparse, what_is_not_positive_definite_is_refused)
{
    carom_error err = { 0 };
    sparse_factor *f;
    sparse_matrix *loose = chain(500, false);
    CHECK_EQ(sparse_factor_create(&f, loose, &err), CAROM_IMPOSSIBLE);
    CHECK(f == NULL);
    CHECK_CONTAINS(err.message, "not positive definite");
    CHECK_CONTAINS(err.message, "held nowhere");
    sparse_destroy(loose);
    const sparse_entry indefinite[3] = { { 0, 0, 1.0 }, { 1, 1, 1.0 }, { 1, 0, 2.0 } };
    const sparse_entry empty_row[1] = { { 0, 0, 1.0 } };
    sparse_matrix *A;
    CHECK_OK(sparse_create(&A, 2, indefinite, 3, &err), err);
    CHECK_EQ(sparse_factor_create(&f, A, &err), CAROM_IMPOSSIBLE);
    sparse_destroy(A);
    CHECK_OK(sparse_create(&A, 2, empty_row, 1, &err), err);
    CHECK_EQ(sparse_factor_create(&f, A, &err), CAROM_IMPOSSIBLE);
    CHECK_CONTAINS(err.message, "row 1 of 2");
    sparse_destroy(A);
    sparse_factor_destroy(NULL);
    sparse_destroy(NULL);
}

/* Rounding leaves a little of a pivot that should vanish, of either sign. */
TEST(sparse, a_loose_chain_of_any_springs_is_refused)
{
    FOR_EACH_SEED(rng, 30) {
        static entries e;
        const int n = 40;
        carom_error err = { 0 };
        sparse_matrix *A;
        sparse_factor *f;
        e.count = 0;
        for (int k = 1; k < n; ++k) {
            double stiffness = test_rng_uniform(&rng, 0.1, 10.0);
            put(&e, k, k, stiffness);
            put(&e, k - 1, k - 1, stiffness);
            put(&e, k, k - 1, -stiffness);
        }
        CHECK_OK(sparse_create(&A, n, e.items, e.count, &err), err);
        CHECK_EQ(sparse_factor_create(&f, A, &err), CAROM_IMPOSSIBLE);
        sparse_destroy(A);
    }
}

TEST(sparse, entries_outside_and_no_numbers_are_refused)
{
    carom_error err = { 0 };
    sparse_matrix *A;
    const sparse_entry outside[2] = { { 0, 0, 1.0 }, { 0, 3, 1.0 } };
    const sparse_entry none[1] = { { 1, 2, (double)NAN } };
    CHECK_EQ(sparse_create(&A, 3, outside, 2, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "column 3");
    CHECK(A == NULL);
    CHECK_EQ(sparse_create(&A, 3, none, 1, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "row 1, column 2");
}

/* Eigenvalues of the held chain: 4 sin^2((2 k + 1) pi / (2 (2 n + 1))). */
TEST(sparse, negative_eigenvalues_are_counted)
{
    const int n = 200;
    carom_error err = { 0 };
    sparse_matrix *K = chain(n, true);
    sparse_matrix *M = identity(n);
    for (int k = 0; k < n - 1; k += 13) {
        double s = sin((2.0 * k + 2.0) * 3.14159265358979323846 / (2.0 * (2.0 * n + 1.0))); /* between k and k + 1 */
        sparse_matrix *moved;
        int count;
        CHECK_OK(sparse_sum(&moved, K, -4.0 * s * s, M, &err), err);
        CHECK_OK(sparse_negative_count(moved, &count, &err), err);
        CHECK_EQ(count, k + 1);
        sparse_destroy(moved);
    }
    sparse_destroy(K);
    sparse_destroy(M);
}

TEST(sparse, a_singular_matrix_has_no_inertia)
{
    const sparse_entry zero[2] = { { 0, 0, 0.0 }, { 1, 1, 1.0 } };
    carom_error err = { 0 };
    sparse_matrix *A;
    int count;
    CHECK_OK(sparse_create(&A, 2, zero, 2, &err), err);
    CHECK_EQ(sparse_negative_count(A, &count, &err), CAROM_NOT_CONVERGED);
    sparse_destroy(A);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(sparse, products_agree_with_dense_ones),
        RUN_TEST(sparse, many_right_hand_sides_are_solved),
        RUN_TEST(sparse, what_is_not_positive_definite_is_refused),
        RUN_TEST(sparse, a_loose_chain_of_any_springs_is_refused),
        RUN_TEST(sparse, entries_outside_and_no_numbers_are_refused),
        RUN_TEST(sparse, negative_eigenvalues_are_counted),
        RUN_TEST(sparse, a_singular_matrix_has_no_inertia),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
