/* Lowest modes against closed forms: chains of masses, membranes with twin modes, several loose pieces; dense against Lanczos. */
#include "support/check.h"

#include <pthread.h>
#include <stdlib.h>

#include "linalg/eigen.h"

static const double PI = 3.14159265358979323846;

enum { MOST = 20000 };

typedef struct entries {
    sparse_entry items[MOST];
    size_t count;
} entries;

static void put(entries *e, int row, int column, double value)
{
    CHECK(e->count < MOST);
    e->items[e->count++] = (sparse_entry){ row, column, value };
}

static sparse_matrix *make(const entries *e, int n)
{
    carom_error err = { 0 };
    sparse_matrix *A;
    CHECK_OK(sparse_create(&A, n, e->items, e->count, &err), err);
    return A;
}

static sparse_matrix *masses(int n, double mass)
{
    static entries e;
    e.count = 0;
    for (int k = 0; k < n; ++k) {
        put(&e, k, k, mass);
    }
    return make(&e, n);
}

/* A membrane of nx x ny masses, held all around, or a free one. Without ny: a chain. */
static sparse_matrix *membrane(int nx, int ny, bool held)
{
    static entries e;
    e.count = 0;
    for (int j = 0; j < ny; ++j) {
        for (int i = 0; i < nx; ++i) {
            int at = j * nx + i;
            int springs = (i > 0) + (i < nx - 1) + (j > 0) + (j < ny - 1);
            put(&e, at, at, held ? (ny > 1 ? 4.0 : 2.0) : springs);
            if (i > 0) {
                put(&e, at, at - 1, -1.0);
            }
            if (j > 0) {
                put(&e, at - nx, at, -1.0);
            }
        }
    }
    return make(&e, nx * ny);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* 4 sin^2 of the chain, for both directions. */
static void exact_membrane(int nx, int ny, bool held, double *lambda)
{
    for (int j = 0; j < ny; ++j) {
        for (int i = 0; i < nx; ++i) {
            double a = held ? (i + 1) * PI / (2.0 * (nx + 1)) : i * PI / (2.0 * nx);
            double b = held ? (j + 1) * PI / (2.0 * (ny + 1)) : j * PI / (2.0 * ny);
            double second = ny > 1 ? 4.0 * sin(b) * sin(b) : 0.0;
            lambda[j * nx + i] = 4.0 * sin(a) * sin(a) + second;
        }
    }
    qsort(lambda, (size_t)(nx * ny), sizeof *lambda, ascending);
}

/* K x = lambda M x, X' M X = 1, the largest component positive. */
static void check_modes(const eigen_modes *modes, const sparse_matrix *K, const sparse_matrix *M)
{
    size_t n = (size_t)modes->size;
    double *Kx = calloc(2 * n, sizeof *Kx);
    double *Mx = Kx + n;
    CHECK(Kx != NULL);
    for (int k = 0; k < modes->count; ++k) {
        const double *x = modes->vectors + (size_t)k * n;
        sparse_times(K, x, Kx);
        sparse_times(M, x, Mx);
        double worst = 0.0;
        for (size_t r = 0; r < n; ++r) {
            worst = fmax(worst, fabs(Kx[r] - modes->lambda[k] * Mx[r]));
        }
        CHECK_LE(worst, 1e-10);
        for (int l = 0; l <= k; ++l) {
            double product = 0.0;
            for (size_t r = 0; r < n; ++r) {
                product += modes->vectors[(size_t)l * n + r] * Mx[r];
            }
            CHECK_NEAR(product, l == k ? 1.0 : 0.0, 1e-10);
        }
    }
    free(Kx);
}

/* In a gap behind the modes found lie as many as were found. */
static void check_none_is_missing(const eigen_modes *modes, const double *exact, const sparse_matrix *K,
                                  const sparse_matrix *M, double mass)
{
    carom_error err = { 0 };
    int count;
    double below = exact[modes->count - 1];
    double above = modes->count < modes->size ? exact[modes->count] : below + 1.0;
    if (above - below > 1e-6) {
        CHECK_OK(eigen_count(&count, K, M, 0.5 * (above + below) / mass, &err), err);
        CHECK_EQ(count, modes->count);
    }
}

static void check_membrane(int nx, int ny, bool held, eigen_options options, double mass)
{
    carom_error err = { 0 };
    eigen_modes modes;
    sparse_matrix *K = membrane(nx, ny, held);
    sparse_matrix *M = masses(nx * ny, mass);
    double *exact = calloc((size_t)(nx * ny), sizeof *exact);
    CHECK(exact != NULL);
    exact_membrane(nx, ny, held, exact);
    options.free = !held;
    CHECK_OK(eigen_lowest(&modes, K, M, &options, &err), err);
    CHECK_EQ(modes.count, options.count);
    for (int k = 0; k < modes.count; ++k) {
        CHECK_NEAR(modes.lambda[k] * mass, exact[k], 2e-12);
    }
    check_modes(&modes, K, M);
    check_none_is_missing(&modes, exact, K, M, mass);
    eigen_modes_free(&modes);
    free(exact);
    sparse_destroy(K);
    sparse_destroy(M);
}

TEST(eigen, chains_have_the_frequencies_of_the_books)
{
    for (int held = 0; held < 2; ++held) {
        check_membrane(1, 1, true, (eigen_options){ .count = 1 }, 1.0);
        check_membrane(60, 1, held, (eigen_options){ .count = 60 }, 0.5);
        check_membrane(299, 1, held, (eigen_options){ .count = 12 }, 2.0);
        check_membrane(1500, 1, held, (eigen_options){ .count = 12 }, 2.0);
    }
}

/* A square has every mode (i, j) twice: none of the twins is left out. */
TEST(eigen, twins_are_found)
{
    for (int held = 0; held < 2; ++held) {
        for (int count = 1; count <= 24; ++count) {
            check_membrane(25, 25, held, (eigen_options){ .count = count }, 1.0);
        }
        check_membrane(25, 25, held, (eigen_options){ .count = 24, .dense = true }, 1.0);
    }
}

/* Equal pieces without any spring between them: as many rigid motions, then each mode as many times. */
static void check_pieces(int pieces, int length, int count)
{
    static entries e;
    carom_error err = { 0 };
    eigen_modes modes;
    e.count = 0;
    for (int k = 0; k < pieces * length; ++k) {
        bool first = k % length == 0;
        bool last = k % length == length - 1;
        put(&e, k, k, first || last ? 1.0 : 2.0);
        if (!first) {
            put(&e, k, k - 1, -1.0);
        }
    }
    sparse_matrix *K = make(&e, pieces * length);
    sparse_matrix *M = masses(pieces * length, 1.0);
    CHECK_OK(eigen_lowest(&modes, K, M, &(eigen_options){ .count = count, .free = true }, &err), err);
    for (int k = 0; k < count; ++k) {
        double s = sin((k / pieces) * PI / (2.0 * length));
        CHECK_NEAR(modes.lambda[k], 4.0 * s * s, 1e-12);
    }
    check_modes(&modes, K, M);
    eigen_modes_free(&modes);
    sparse_destroy(K);
    sparse_destroy(M);
}

TEST(eigen, equal_pieces_have_each_mode_many_times)
{
    check_pieces(10, 60, 5);
    check_pieces(10, 60, 25);
    check_pieces(40, 40, 30);
    check_pieces(40, 40, 50);
    check_pieces(100, 15, 130); /* with one shift, rounding would count a hundred times more */
}

/* Springs to the ground, `equal` of them alike and all others far stiffer. */
TEST(eigen, twins_far_from_all_others_are_found)
{
    for (int equal = 1; equal <= 7; ++equal) {
        static entries e;
        carom_error err = { 0 };
        eigen_modes modes;
        const int n = 400;
        e.count = 0;
        for (int k = 0; k < n; ++k) {
            put(&e, k, k, k < equal ? 1.0 : 10.0 * (k - equal + 1) * (k - equal + 1));
        }
        sparse_matrix *K = make(&e, n);
        sparse_matrix *M = masses(n, 1.0);
        CHECK_OK(eigen_lowest(&modes, K, M, &(eigen_options){ .count = 9 }, &err), err);
        for (int k = 0; k < 9; ++k) {
            CHECK_NEAR(modes.lambda[k], k < equal ? 1.0 : 10.0 * (k - equal + 1) * (k - equal + 1), 1e-10);
        }
        eigen_modes_free(&modes);
        sparse_destroy(K);
        sparse_destroy(M);
    }
}

TEST(eigen, the_same_bits_come_every_time)
{
    carom_error err = { 0 };
    eigen_modes first;
    eigen_modes second;
    sparse_matrix *K = membrane(30, 25, false);
    sparse_matrix *other = membrane(40, 17, true);
    sparse_matrix *M = masses(750, 3.0);
    sparse_matrix *other_M = masses(680, 3.0);
    CHECK_OK(eigen_lowest(&first, K, M, &(eigen_options){ .count = 15, .free = true }, &err), err);
    CHECK_OK(eigen_lowest(&second, other, other_M, &(eigen_options){ .count = 9 }, &err), err);
    eigen_modes_free(&second);
    CHECK_OK(eigen_lowest(&second, K, M, &(eigen_options){ .count = 15, .free = true }, &err), err);
    CHECK_EQ(memcmp(first.lambda, second.lambda, 15 * sizeof(double)), 0);
    CHECK_EQ(memcmp(first.vectors, second.vectors, 15 * 750 * sizeof(double)), 0);
    for (int k = 0; k < 15; ++k) {
        double largest = 0.0;
        for (int r = 0; r < 750; ++r) {
            double x = first.vectors[750 * k + r];
            largest = fabs(x) > 1.00001 * fabs(largest) ? x : largest;
        }
        CHECK(largest > 0.0);
    }
    eigen_modes_free(&first);
    eigen_modes_free(&second);
    sparse_destroy(K);
    sparse_destroy(M);
    sparse_destroy(other);
    sparse_destroy(other_M);
}

typedef struct job {
    const sparse_matrix *K, *M;
    eigen_modes modes;
    carom_status status;
} job;

static void *find_modes(void *context)
{
    job *j = context;
    carom_error err = { 0 };
    j->status = eigen_lowest(&j->modes, j->K, j->M, &(eigen_options){ .count = 12, .free = true }, &err);
    return NULL;
}

/* Searches of several threads do not disturb each other. */
TEST(eigen, threads_find_the_same_bits)
{
    enum { THREADS = 4 };
    sparse_matrix *K = membrane(30, 20, false);
    sparse_matrix *M = masses(600, 1.0);
    pthread_t threads[THREADS];
    job jobs[THREADS];
    for (int k = 0; k < THREADS; ++k) {
        jobs[k] = (job){ .K = K, .M = M };
        CHECK_EQ(pthread_create(&threads[k], NULL, find_modes, &jobs[k]), 0);
    }
    for (int k = 0; k < THREADS; ++k) {
        pthread_join(threads[k], NULL);
        CHECK_EQ(jobs[k].status, CAROM_OK);
        CHECK_EQ(memcmp(jobs[k].modes.vectors, jobs[0].modes.vectors, (size_t)12 * 600 * sizeof(double)), 0);
    }
    for (int k = 0; k < THREADS; ++k) {
        eigen_modes_free(&jobs[k].modes);
    }
    sparse_destroy(K);
    sparse_destroy(M);
}

static void check_refused(const sparse_matrix *K, const sparse_matrix *M, eigen_options options,
                          carom_status expected, const char *sentence)
{
    carom_error err = { 0 };
    eigen_modes modes;
    CHECK_EQ(eigen_lowest(&modes, K, M, &options, &err), expected);
    CHECK_CONTAINS(err.message, sentence);
    eigen_modes_free(&modes);
}

TEST(eigen, what_cannot_be_is_refused)
{
    sparse_matrix *small = membrane(20, 1, false);
    sparse_matrix *large = membrane(500, 1, false);
    sparse_matrix *M = masses(500, 1.0);
    sparse_matrix *small_M = masses(20, 1.0);
    sparse_matrix *none = masses(20, 0.0);
    check_refused(large, M, (eigen_options){ .count = 3 }, CAROM_IMPOSSIBLE, "not positive definite");
    check_refused(small, small_M, (eigen_options){ .count = 3 }, CAROM_IMPOSSIBLE, "not positive definite");
    check_refused(small, M, (eigen_options){ .count = 3 }, CAROM_BAD_INPUT, "20 rows and mass 500");
    check_refused(small, small_M, (eigen_options){ .count = 21 }, CAROM_BAD_INPUT, "21 modes");
    check_refused(small, small_M, (eigen_options){ .count = 0 }, CAROM_BAD_INPUT, "0 modes");
    check_refused(small, none, (eigen_options){ .count = 3, .free = true }, CAROM_BAD_INPUT, "positive masses");
    sparse_destroy(small);
    sparse_destroy(large);
    sparse_destroy(M);
    sparse_destroy(small_M);
    sparse_destroy(none);
}

TEST(eigen, an_indefinite_mass_is_refused)
{
    const sparse_entry mass[3] = { { 0, 0, 1.0 }, { 1, 1, 1.0 }, { 1, 0, 2.0 } };
    carom_error err = { 0 };
    sparse_matrix *M;
    sparse_matrix *K = masses(2, 1.0);
    CHECK_OK(sparse_create(&M, 2, mass, 3, &err), err);
    check_refused(K, M, (eigen_options){ .count = 1 }, CAROM_BAD_INPUT, "mass matrix is not positive definite");
    sparse_destroy(K);
    sparse_destroy(M);
}

TEST(eigen, too_many_modes_of_many_freedoms_are_refused)
{
    sparse_matrix *K = membrane(80, 60, true);
    sparse_matrix *M = masses(4800, 1.0);
    check_refused(K, M, (eigen_options){ .count = 2000 }, CAROM_BAD_INPUT, "ask for at most 1200");
    sparse_destroy(K);
    sparse_destroy(M);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(eigen, chains_have_the_frequencies_of_the_books),
        RUN_TEST(eigen, twins_are_found),
        RUN_TEST(eigen, equal_pieces_have_each_mode_many_times),
        RUN_TEST(eigen, twins_far_from_all_others_are_found),
        RUN_TEST(eigen, the_same_bits_come_every_time),
        RUN_TEST(eigen, threads_find_the_same_bits),
        RUN_TEST(eigen, what_cannot_be_is_refused),
        RUN_TEST(eigen, an_indefinite_mass_is_refused),
        RUN_TEST(eigen, too_many_modes_of_many_freedoms_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
