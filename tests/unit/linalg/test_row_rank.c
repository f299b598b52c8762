/* The rank of a set of rows, and which of them are called redundant. */
#include "linalg/rank.h"
#include "systems.h"

static int rank_of(double *matrix, int rows, int columns, int *order)
{
    carom_error err = { 0 };
    int rank = -1;
    CHECK_OK(dense_row_rank(matrix, rows, columns, 1e-9, &rank, order, &err), err);
    return rank;
}

/* Products of rows x rank and rank x columns have rank `rank`, and its first rows are independent. */
TEST(row_rank, finds_the_rank_of_products)
{
    FOR_EACH_SEED(rng, 50) {
        int rows = 1 + test_rng_below(&rng, 90);
        int columns = 1 + test_rng_below(&rng, 90);
        int most = rows < columns ? rows : columns;
        int rank = test_rng_below(&rng, most + 1);
        double *a = test_alloc((size_t)(rows * rank) + 1, sizeof(double));
        double *b = test_alloc((size_t)(rank * columns) + 1, sizeof(double));
        double *m = test_alloc((size_t)(rows * columns), sizeof(double));
        random_block(a, rows * rank, &rng);
        random_block(b, rank * columns, &rng);
        for (int i = 0; i < rows; ++i) {
            double scale = pow(10.0, test_rng_uniform(&rng, -150.0, 150.0)); /* lengths do not matter */
            for (int j = 0; j < columns; ++j) {
                for (int k = 0; k < rank; ++k) {
                    m[i * columns + j] += scale * a[i * rank + k] * b[k * columns + j];
                }
            }
        }
        int order[90];
        CHECK_EQ(rank_of(m, rows, columns, order), rank);
        for (int i = 0; i < rows; ++i) {
            CHECK_EQ(order[i], i);
        }
        free(a);
        free(b);
        free(m);
    }
}

/* Rows along the axes, in any order and of either sign, have nothing in common. */
TEST(row_rank, of_rows_along_axes)
{
    enum { N = 40 };
    double m[N][N] = { 0 };
    int order[N];
    for (int i = 0; i < N; ++i) {
        m[i][(7 * i) % N == 0 && i > 0 ? i : (7 * i) % N] = i % 3 == 0 ? -1.0 : 2.0;
    }
    CHECK_EQ(rank_of(&m[0][0], N, N, order), N);
}

TEST(row_rank, names_the_later_rows)
{
    double m[7][4] = {
        { 0, 0, 0, 0 },          /* nothing              */
        { 1, 2, 0, 1 },          /* new                  */
        { -3e8, -6e8, 0, -3e8 }, /* row 1 again          */
        { 0, 1e-6, 0, 0 },       /* new, however short   */
        { 2, 0, 0, 2 },          /* 2 (row 1) - 4e6 row 3 */
        { 0, 0, 5, 0 },          /* new                  */
        { 1, 2, 3, 1 },          /* row 1 + 0.6 row 5    */
    };
    int order[7];
    CHECK_EQ(rank_of(&m[0][0], 7, 4, order), 3);
    const int expected[7] = { 1, 3, 5, 0, 2, 4, 6 };
    for (int i = 0; i < 7; ++i) {
        CHECK_EQ(order[i], expected[i]);
    }
}

/* Almost parallel rows: what counts is the angle against the tolerance. */
TEST(row_rank, respects_the_tolerance)
{
    for (int k = 6; k <= 12; ++k) {
        double m[2][3] = { { 1, 1, 1 }, { 1, 1, 1 + pow(10.0, -k) } };
        int order[2];
        CHECK_EQ(rank_of(&m[0][0], 2, 3, order), k < 9 ? 2 : 1);
    }
}

TEST(row_rank, more_rows_than_columns)
{
    test_rng rng = test_rng_seed(4);
    double m[300][5];
    int order[300];
    random_block(&m[0][0], 1500, &rng);
    CHECK_EQ(rank_of(&m[0][0], 300, 5, order), 5);
    for (int i = 0; i < 300; ++i) {
        CHECK_EQ(order[i], i);
    }
}

TEST(row_rank, empty_and_broken)
{
    int order[2];
    double m[4] = { nan(""), 1.0, 0.0, 1.0 };
    CHECK_EQ(rank_of(m, 0, 2, order), 0);
    carom_error err = { 0 };
    int rank;
    CHECK_EQ(dense_row_rank(m, 2, 2, 1e-9, &rank, order, &err), CAROM_NOT_CONVERGED);
    CHECK_CONTAINS(err.message, "row 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(row_rank, finds_the_rank_of_products), RUN_TEST(row_rank, of_rows_along_axes),
        RUN_TEST(row_rank, names_the_later_rows),       RUN_TEST(row_rank, respects_the_tolerance),
        RUN_TEST(row_rank, more_rows_than_columns),     RUN_TEST(row_rank, empty_and_broken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
