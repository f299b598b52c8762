/* Small dense systems: residuals, rank, the solution of least norm, independence of units, determinants, hostile numbers. */
#include "linalg/dense.h"

#include "support/check.h"

enum { MOST = 12 };

typedef struct square {
    int n;
    double A[MOST * MOST];
} square;

/* C C^T with an n x rank matrix C: symmetric, positive semidefinite, of that rank. */
static square random_of_rank(test_rng *rng, int n, int rank)
{
    double C[MOST][MOST];
    square s = { .n = n };
    for (int i = 0; i < n * rank; ++i) {
        C[i / rank][i % rank] = test_rng_uniform(rng, -1.0, 1.0);
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            for (int k = 0; k < rank; ++k) {
                s.A[i * n + j] += C[i][k] * C[j][k];
            }
        }
    }
    return s;
}

static square random_general(test_rng *rng, int n)
{
    square s = { .n = n };
    for (int i = 0; i < n * n; ++i) {
        s.A[i] = test_rng_uniform(rng, -1.0, 1.0) + (i % (n + 1) == 0 ? 1.5 : 0.0);
    }
    return s;
}

static void multiply(const square *s, const double *x, double *y)
{
    for (int i = 0; i < s->n; ++i) {
        y[i] = 0.0;
        for (int j = 0; j < s->n; ++j) {
            y[i] += s->A[i * s->n + j] * x[j];
        }
    }
}

static int solve(square s, double *b)
{
    double scratch[8 * MOST];
    assert_true(dense_scratch(s.n) <= sizeof scratch / sizeof scratch[0]);
    return dense_solve(s.A, b, s.n, 1e-10, scratch);
}

TEST(dense, regular)
{
    FOR_EACH_SEED(rng, 500) {
        int n = 1 + seed_ % MOST;
        square s = random_general(&rng, n);
        double x[MOST] = { 0 }, b[MOST] = { 0 };
        for (int i = 0; i < n; ++i) {
            x[i] = test_rng_uniform(&rng, -1.0, 1.0);
        }
        multiply(&s, x, b);
        int rank = solve(s, b);
        double y[MOST], Ax[MOST];
        multiply(&s, b, y);
        multiply(&s, x, Ax);
        CHECK_EQ(rank, n);
        for (int i = 0; i < n; ++i) { /* the residual is small whatever the condition */
            CHECK_NEAR(y[i], Ax[i], 1e-13 * n * fmax(1.0, fabs(b[i])));
        }
    }
}

/* b = A y is consistent: A x = b, and no solution is shorter. */
TEST(dense, least_norm)
{
    FOR_EACH_SEED(rng, 500) {
        int n = 2 + seed_ % (MOST - 1), rank = 1 + seed_ % (n - 1);
        square s = random_of_rank(&rng, n, rank);
        double y[MOST] = { 0 }, b[MOST] = { 0 }, x[MOST], Ax[MOST];
        for (int i = 0; i < n; ++i) {
            y[i] = test_rng_uniform(&rng, -1.0, 1.0);
        }
        multiply(&s, y, b);
        memcpy(x, b, sizeof x);
        CHECK_EQ(solve(s, x), rank);
        multiply(&s, x, Ax);
        double longer = 0.0, least = 0.0;
        for (int i = 0; i < n; ++i) {
            CHECK_NEAR(Ax[i], b[i], 1e-8);
            longer += y[i] * y[i];
            least += x[i] * x[i];
        }
        CHECK_LE(least, longer * (1.0 + 1e-9)); /* y solves it too */
        memcpy(b, x, sizeof b);
        multiply(&s, x, b);
        double z[MOST];
        memcpy(z, b, sizeof z);
        solve(s, z); /* of all solutions the same one again */
        for (int i = 0; i < n; ++i) {
            CHECK_NEAR(z[i], x[i], 1e-7);
        }
    }
}

/* What of any x lies along them has all of A x. */
TEST(dense, row_vectors)
{
    FOR_EACH_SEED(rng, 300) {
        int n = 2 + seed_ % (MOST - 1);
        int rank = 1 + seed_ % (n - 1);
        square s = random_of_rank(&rng, n, rank);
        square factored = s;
        double b[MOST] = { 0.0 };
        double scratch[8 * MOST];
        double row[MOST][MOST];
        double x[MOST], along[MOST] = { 0.0 }, whole[MOST], part[MOST];
        assert_int_equal(dense_solve_many(factored.A, b, n, 1, 1e-10, scratch), rank);
        for (int i = 0; i < n; ++i) {
            x[i] = test_rng_uniform(&rng, -1.0, 1.0);
        }
        for (int k = 0; k < rank; ++k) {
            dense_row_vector(factored.A, n, rank, k, scratch, row[k]);
            double along_k = 0.0;
            for (int l = 0; l <= k; ++l) {
                double dot = 0.0;
                for (int i = 0; i < n; ++i) {
                    dot += row[k][i] * row[l][i];
                }
                CHECK_NEAR(dot, k == l ? 1.0 : 0.0, 1e-14 * n);
            }
            for (int i = 0; i < n; ++i) {
                along_k += row[k][i] * x[i];
            }
            for (int i = 0; i < n; ++i) {
                along[i] += along_k * row[k][i];
            }
        }
        multiply(&s, x, whole);
        multiply(&s, along, part);
        for (int i = 0; i < n; ++i) {
            CHECK_NEAR(part[i], whole[i], 1e-12 * n);
        }
    }
}

/* The rank does not depend on the unit of any row, nor does a solution that is the only one. */
TEST(dense, units)
{
    FOR_EACH_SEED(rng, 200) {
        int n = 2 + seed_ % (MOST - 1), rank = 1 + seed_ % n;
        square s = random_of_rank(&rng, n, rank), t = s;
        double unit[MOST], y[MOST] = { 0 }, b[MOST] = { 0 }, c[MOST] = { 0 };
        for (int i = 0; i < n; ++i) {
            unit[i] = pow(2.0, floor(test_rng_uniform(&rng, -40.0, 40.0)));
            y[i] = test_rng_uniform(&rng, -1.0, 1.0);
        }
        multiply(&s, y, b);
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j) {
                t.A[i * n + j] *= unit[i] * unit[j];
            }
            c[i] = b[i] * unit[i];
        }
        CHECK_EQ(solve(s, b), solve(t, c));
        for (int i = 0; rank == n && i < n; ++i) {
            CHECK_NEAR(c[i] * unit[i], b[i], 1e-7 * fmax(1.0, fabs(b[i])));
        }
    }
}

TEST(dense, many_right_hand_sides)
{
    FOR_EACH_SEED(rng, 100) {
        int n = 1 + seed_ % MOST, count = 1 + seed_ % 4, rank = 1 + seed_ % n;
        square s = random_of_rank(&rng, n, rank), copy = s;
        double B[MOST * 4], scratch[8 * MOST];
        for (int i = 0; i < n * count; ++i) {
            B[i] = test_rng_uniform(&rng, -1.0, 1.0);
        }
        double X[MOST * 4];
        memcpy(X, B, sizeof X);
        dense_solve_many(copy.A, X, n, count, 1e-10, scratch);
        for (int c = 0; c < count; ++c) {
            double b[MOST] = { 0 };
            for (int i = 0; i < n; ++i) {
                b[i] = B[i * count + c];
            }
            solve(s, b);
            for (int i = 0; i < n; ++i) {
                CHECK_NEAR(X[i * count + c], b[i], 1e-12 * fmax(1.0, fabs(b[i])));
            }
        }
    }
}

TEST(dense, odd_ones)
{
    square zero = { .n = 3 };
    double b[MOST] = { 1.0, 2.0, 3.0 };
    CHECK_EQ(solve(zero, b), 0);
    CHECK_NEAR(fabs(b[0]) + fabs(b[1]) + fabs(b[2]), 0.0, 0.0);
    square one = { .n = 1 };
    b[0] = 1.0;
    CHECK_EQ(solve(one, b), 0);
    CHECK_NEAR(b[0], 0.0, 0.0);
    square immovable = { .n = 2, .A = { 4.0, 0.0, 0.0, 0.0 } };
    double c[MOST] = { 8.0, 0.0 };
    CHECK_EQ(solve(immovable, c), 1);
    CHECK_NEAR(c[0], 2.0, 1e-15);
    CHECK_NEAR(c[1], 0.0, 0.0);
    square twisted = { .n = 2, .A = { 0.0, 2.0, 4.0, 0.0 } }; /* nothing on the diagonal */
    double d[MOST] = { 2.0, 4.0 };
    CHECK_EQ(solve(twisted, d), 2);
    CHECK_NEAR(d[0], 1.0, 1e-15);
    CHECK_NEAR(d[1], 1.0, 1e-15);
    square broken = { .n = 2, .A = { 1.0, (double)NAN, 0.0, 1.0 } };
    double e[MOST] = { 1.0, 1.0 };
    CHECK_EQ(solve(broken, e), 0);
    CHECK(isnan(e[0]) && isnan(e[1]));
}

/* A = C C' with C of `rank` columns, in units that differ by row: the solution of least norm is that of reflections, and the rows handed out
 * are orthonormal and span those of A. */
TEST(dense, semidefinite_of_low_rank)
{
    FOR_EACH_SEED(rng, 400) {
        int n = 1 + seed_ % MOST;
        int rank = 1 + seed_ / 7 % n;
        double C[MOST][MOST];
        double y[MOST] = { 0 }, b[MOST] = { 0 }, expected[MOST], x[MOST], Ax[MOST];
        square s = { .n = n };
        for (int i = 0; i < n; ++i) {
            double unit = pow(2.0, floor(test_rng_uniform(&rng, -3.0, 3.0)));
            y[i] = test_rng_uniform(&rng, -1.0, 1.0);
            for (int k = 0; k < rank; ++k) {
                C[i][k] = unit * test_rng_uniform(&rng, -1.0, 1.0);
            }
        }
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j) {
                s.A[i * n + j] = 0.0;
                for (int k = 0; k < rank; ++k) {
                    s.A[i * n + j] += C[i][k] * C[j][k];
                }
            }
        }
        multiply(&s, y, b);
        memcpy(expected, b, sizeof expected);
        memcpy(x, b, sizeof x);
        square factored = s;
        double rows[MOST * MOST];
        double scratch[2 * MOST];
        CHECK_EQ(dense_solve_semidefinite(factored.A, x, n, 1e-10, rows, scratch), rank);
        CHECK_EQ(solve(s, expected), rank);
        multiply(&s, x, Ax);
        for (int i = 0; i < n; ++i) {
            CHECK_NEAR(Ax[i], b[i], 1e-9);
            CHECK_NEAR(x[i], expected[i], 1e-6);
        }
        for (int k = 0; k < rank; ++k) {
            for (int l = 0; l <= k; ++l) {
                double sum = 0.0;
                for (int i = 0; i < n; ++i) {
                    sum += rows[k * n + i] * rows[l * n + i];
                }
                CHECK_NEAR(sum, k == l ? 1.0 : 0.0, 1e-13);
            }
        }
        for (int i = 0; i < n; ++i) { /* a row of A is the sum of its parts along them */
            for (int j = 0; j < n; ++j) {
                double sum = 0.0;
                for (int k = 0; k < rank; ++k) {
                    double along = 0.0;
                    for (int l = 0; l < n; ++l) {
                        along += s.A[i * n + l] * rows[k * n + l];
                    }
                    sum += along * rows[k * n + j];
                }
                CHECK_NEAR(sum, s.A[i * n + j], 1e-10 * (1.0 + fabs(s.A[i * n + j])));
            }
        }
    }
}

/* Leibniz: the sum over row 0 of entries times their cofactors. */
static double determinant(square s)
{
    double sum = s.n == 0 ? 1.0 : 0.0;
    for (int skipped = 0; skipped < s.n; ++skipped) {
        square minor = { .n = s.n - 1 };
        for (int i = 1; i < s.n; ++i) {
            for (int j = 0, at = 0; j < s.n; ++j) {
                if (j != skipped) {
                    minor.A[(i - 1) * minor.n + at++] = s.A[i * s.n + j];
                }
            }
        }
        sum += (skipped % 2 ? -1.0 : 1.0) * s.A[skipped] * determinant(minor);
    }
    return sum;
}

TEST(dense, elimination_solves_and_tells_the_determinant)
{
    enum { LARGEST = 6 };
    FOR_EACH_SEED(rng, 500) {
        int n = seed_ % (LARGEST + 1);
        square s = { .n = n };
        square copy;
        double b[MOST] = { 0 }, x[MOST] = { 0 }, Ax[MOST] = { 0 }, det = (double)NAN;
        for (int i = 0; i < n * n; ++i) { /* every third entry vanishes: pivots are not on the diagonal */
            s.A[i] = test_rng_uniform(&rng, 0.0, 3.0) < 1.0 ? 0.0 : test_rng_uniform(&rng, -1.0, 1.0);
        }
        for (int i = 0; i < n; ++i) {
            x[i] = b[i] = test_rng_uniform(&rng, -1.0, 1.0);
        }
        copy = s;
        bool regular = dense_eliminate(copy.A, x, n, 1e-8, &det);
        if (!regular) {
            CHECK_NEAR(determinant(s), 0.0, 1e-6);
            CHECK_NEAR(det, 0.0, 0.0);
            continue;
        }
        CHECK_NEAR(det, determinant(s), 1e-13);
        multiply(&s, x, Ax);
        for (int i = 0; i < n; ++i) {
            CHECK_NEAR(Ax[i], b[i], 1e-13 * n * fmax(1.0, fabs(x[i]) * 1e3));
        }
    }
}

/* Many small pivots: their product is no number that a double has, but each is far from zero. */
TEST(dense, elimination_of_a_determinant_that_underflows)
{
    enum { MANY = 60 };
    static double A[MANY * MANY];
    double b[MANY], det = 1.0;
    memset(A, 0, sizeof A);
    for (int i = 0; i < MANY; ++i) {
        A[i * MANY + i] = 1e-9;
        b[i] = i * 1e-9;
    }
    CHECK(dense_eliminate(A, b, MANY, 0.0, &det));
    CHECK_NEAR(det, 0.0, 0.0);
    for (int i = 0; i < MANY; ++i) {
        CHECK_NEAR(b[i], i, 1e-14 * i);
    }
}

TEST(dense, elimination_refuses)
{
    double b[MOST] = { 1.0, 2.0 }, det = 1.0;
    double zero[4] = { 0 };
    CHECK(!dense_eliminate(zero, b, 2, 0.0, &det));
    CHECK_NEAR(det, 0.0, 0.0);
    double dependent[4] = { 1.0, 2.0, 2.0, 4.0 };
    CHECK(!dense_eliminate(dependent, b, 2, 1e-14, NULL));
    double small[4] = { 1.0, 0.0, 0.0, 1e-15 };
    CHECK(!dense_eliminate(small, b, 2, 1e-14, NULL));
    double broken[4] = { (double)NAN, 1.0, 1.0, 1.0 };
    det = 1.0;
    CHECK(!dense_eliminate(broken, b, 2, 0.0, &det));
    CHECK_NEAR(det, 0.0, 0.0);
    CHECK(dense_eliminate(NULL, NULL, 0, 0.0, &det));
    CHECK_NEAR(det, 1.0, 0.0);
}

/* Rows and columns that depend on each other may come first: which come first says nothing. */
TEST(dense, rank_in_any_order)
{
    FOR_EACH_SEED(rng, 200) {
        int n = 3 + seed_ % (MOST - 3);
        int twins = 1 + seed_ % (n - 1); /* the first ones are all the same, but for their size */
        square s = random_of_rank(&rng, n, n);
        for (int i = 1; i <= twins; ++i) {
            for (int k = 0; k < n; ++k) {
                s.A[i * n + k] = 2.0 * s.A[k];
            }
        }
        for (int i = 0; i < n; ++i) {
            for (int k = 1; k <= twins; ++k) {
                s.A[i * n + k] = 2.0 * s.A[i * n];
            }
        }
        double x[MOST], b[MOST], again[MOST];
        for (int i = 0; i < n; ++i) {
            x[i] = test_rng_uniform(&rng, -1.0, 1.0);
        }
        multiply(&s, x, b);
        memcpy(x, b, sizeof x);
        CHECK_EQ(solve(s, x), n - twins);
        multiply(&s, x, again);
        for (int i = 0; i < n; ++i) { /* consistent: every equation holds */
            CHECK_NEAR(again[i], b[i], 1e-9);
        }
    }
}

/* ---- Cholesky ---- */

/* Positive definite, with numbers in the upper half that nobody may read. */
static square random_definite(test_rng *rng, int n)
{
    square s = random_of_rank(rng, n, n);
    for (int i = 0; i < n; ++i) {
        s.A[i * n + i] += 0.1;
    }
    return s;
}

static void spoil_upper_half(square *s)
{
    for (int i = 0; i < s->n; ++i) {
        for (int k = i + 1; k < s->n; ++k) {
            s->A[i * s->n + k] = (double)NAN;
        }
    }
}

TEST(dense, cholesky_solves_what_the_lower_half_says)
{
    FOR_EACH_SEED(rng, 500) {
        int n = 1 + seed_ % MOST;
        square s = random_definite(&rng, n);
        square f = s;
        double x[MOST], b[MOST];
        for (int i = 0; i < n; ++i) {
            x[i] = test_rng_uniform(&rng, -1.0, 1.0);
        }
        multiply(&s, x, b);
        spoil_upper_half(&f);
        CHECK_EQ(dense_cholesky(f.A, n, NULL), n);
        for (int i = 0; i < n; ++i) { /* A = L L^T */
            for (int k = 0; k <= i; ++k) {
                double sum = 0.0;
                for (int l = 0; l <= k; ++l) {
                    sum += f.A[i * n + l] * f.A[k * n + l];
                }
                CHECK_NEAR(sum, s.A[i * n + k], 1e-14 * n);
            }
        }
        dense_cholesky_forward(f.A, b, n);
        dense_cholesky_backward(f.A, b, n);
        for (int i = 0; i < n; ++i) {
            CHECK_NEAR(b[i], x[i], 1e-11);
        }
    }
}

TEST(dense, cholesky_names_the_first_row_that_is_not_definite)
{
    FOR_EACH_SEED(rng, 100) {
        int n = 2 + seed_ % (MOST - 1);
        int bad = seed_ % n;
        square s = random_definite(&rng, n);
        s.A[bad * n + bad] = -1.0;
        CHECK_EQ(dense_cholesky(s.A, n, NULL), bad);
    }
    double broken[4] = { 1.0, 0.0, (double)NAN, 1.0 };
    CHECK_EQ(dense_cholesky(broken, 2, NULL), 1);
}

/* A pivot that has vanished counts as the least one: what is left of a redundant row is bounded by that. */
TEST(dense, cholesky_goes_on_beyond_redundant_rows)
{
    double A[4] = { 4.0, 0.0, 2.0, 1.0 }; /* rows (2, 1): rank one */
    double least[2] = { 0.0, 1e-4 };
    double b[2] = { 2.0, 1.0 };
    CHECK_EQ(dense_cholesky(A, 2, least), 2);
    CHECK_NEAR(A[0], 2.0, 0.0);
    CHECK_NEAR(A[2], 1.0, 0.0);
    CHECK_NEAR(A[3], 1e-2, 1e-17);
    dense_cholesky_forward(A, b, 2);
    dense_cholesky_backward(A, b, 2);
    CHECK_NEAR(b[0], 0.5, 1e-15);
    CHECK_NEAR(b[1], 0.0, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(dense, regular),
        RUN_TEST(dense, least_norm),
        RUN_TEST(dense, row_vectors),
        RUN_TEST(dense, semidefinite_of_low_rank),
        RUN_TEST(dense, units),
        RUN_TEST(dense, many_right_hand_sides),
        RUN_TEST(dense, odd_ones),
        RUN_TEST(dense, elimination_solves_and_tells_the_determinant),
        RUN_TEST(dense, elimination_of_a_determinant_that_underflows),
        RUN_TEST(dense, elimination_refuses),
        RUN_TEST(dense, rank_in_any_order),
        RUN_TEST(dense, cholesky_solves_what_the_lower_half_says),
        RUN_TEST(dense, cholesky_names_the_first_row_that_is_not_definite),
        RUN_TEST(dense, cholesky_goes_on_beyond_redundant_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
