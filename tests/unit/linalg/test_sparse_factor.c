/* The multifrontal factor: its dense kernels, lattices with fronts of all sizes, stiff and soft springs side by side, what is singular,
 * and a heap that fails. */
#include "support/failing_heap.h"

#include <stdlib.h>

#include "linalg/front.h"
#include "linalg/sparse.h"

static const double PI = 3.14159265358979323846;

static double *numbers(size_t count, test_rng *rng)
{
    double *x = malloc((count + 1) * sizeof *x);
    CHECK(x != NULL);
    for (size_t k = 0; k < count; ++k) {
        x[k] = test_rng_uniform(rng, -1.0, 1.0);
    }
    return x;
}

static double *copied(const double *x, size_t count)
{
    double *y = malloc((count + 1) * sizeof *y);
    CHECK(y != NULL);
    memcpy(y, x, count * sizeof *y);
    return y;
}

/* ---- kernels ---- */

static void plain_update(const front_update *u)
{
    for (int j = 0; j < u->columns; ++j) {
        for (int i = j; i < u->rows; ++i) {
            double sum = 0.0;
            for (int p = 0; p < u->depth; ++p) {
                sum += u->source[i + p * u->source_step] * u->pivots[p] * u->source[j + p * u->source_step];
            }
            u->target[i + j * u->target_step] -= sum;
        }
    }
}

/* Any size, columns further apart than they are long; what lies above the diagonal and behind the target is not touched. */
TEST(front, products_agree_and_have_the_same_bits_on_every_processor)
{
    FOR_EACH_SEED(rng, 200) {
        int rows = 1 + (int)test_rng_uniform(&rng, 0.0, seed_ % 10 == 0 ? 200.0 : 40.0);
        int columns = 1 + (int)test_rng_uniform(&rng, 0.0, rows);
        int depth = 1 + (int)test_rng_uniform(&rng, 0.0, seed_ % 7 == 0 ? 600.0 : 50.0);
        columns = columns < rows ? columns : rows;
        ptrdiff_t step = rows + (int)test_rng_uniform(&rng, 0.0, 5.0);
        size_t all = (size_t)step * (size_t)columns;
        double *source = numbers((size_t)step * (size_t)depth, &rng);
        double *pivots = numbers((size_t)depth, &rng);
        double *target = numbers(all, &rng);
        double *plain = copied(target, all);
        double *wide = copied(target, all);
        double *room = malloc(front_room(rows) * sizeof *room);
        CHECK(room != NULL);
        front_update u = { target, step, rows, columns, source, step, pivots, depth, room };
        front_kernels_portable.update(&u);
        u.target = wide;
        (front_has_avx2() ? &front_kernels_avx2 : &front_kernels_portable)->update(&u);
        CHECK_EQ(memcmp(wide, target, all * sizeof *wide), 0);
        u.target = plain;
        plain_update(&u);
        for (size_t k = 0; k < all; ++k) {
            CHECK_NEAR(target[k], plain[k], 1e-13 * depth);
        }
        free(source);
        free(pivots);
        free(target);
        free(plain);
        free(wide);
        free(room);
    }
}

/* L D L' of a full matrix, columns of any number eliminated, gives the matrix back. */
TEST(front, panels_multiply_to_what_they_came_from)
{
    FOR_EACH_SEED(rng, 40) {
        int n = 1 + (int)test_rng_uniform(&rng, 0.0, 120.0);
        double *A = numbers((size_t)(n * n), &rng);
        for (int k = 0; k < n; ++k) {
            A[k + k * n] += seed_ % 2 ? n : -n; /* definite, of either sign */
        }
        double *L = copied(A, (size_t)(n * n));
        double *pivots = numbers((size_t)n, &rng);
        double *room = malloc(front_room(n) * sizeof *room);
        CHECK(room != NULL);
        const front_panel panel = { L, n, n, n, pivots, NULL, room };
        CHECK_EQ(front_eliminate(&front_kernels_portable, &panel), n);
        for (int j = 0; j < n; ++j) {
            for (int i = j; i < n; ++i) {
                double sum = 0.0;
                for (int p = 0; p <= j; ++p) {
                    sum += (i == p ? 1.0 : L[i + p * n]) * pivots[p] * (j == p ? 1.0 : L[j + p * n]);
                }
                CHECK_NEAR(sum, A[i + j * n], 1e-14 * n * n);
            }
        }
        free(A);
        free(L);
        free(pivots);
        free(room);
    }
}

TEST(front, the_first_pivot_below_its_floor_ends_it)
{
    enum { N = 40 };
    for (int bad = 0; bad < N; ++bad) {
        double A[N * N] = { 0.0 }, pivots[N], floors[N];
        double *room = malloc(front_room(N) * sizeof *room);
        CHECK(room != NULL);
        for (int k = 0; k < N; ++k) {
            A[k + k * N] = k >= bad ? 0.5 : 2.0;
            floors[k] = 1.0;
        }
        const front_panel panel = { A, N, N, N, pivots, floors, room };
        CHECK_EQ(front_eliminate(&front_kernels_portable, &panel), bad);
        free(room);
    }
}

/* ---- lattices ---- */

/* Masses on springs in a box of nx x ny x nz, three freedoms each, held all around; `mix` couples the freedoms of neighbours. */
typedef struct lattice {
    int count[3];
    double mix;
    int loose; /* node without springs; -1: none */
} lattice;

static int lattice_size(const lattice *l)
{
    return 3 * l->count[0] * l->count[1] * l->count[2];
}

static size_t put_node(const lattice *l, int x, int y, int z, sparse_entry *out)
{
    size_t used = 0;
    int node = (z * l->count[1] + y) * l->count[0] + x;
    const int before[3] = { x > 0 ? 1 : 0, y > 0 ? l->count[0] : 0, z > 0 ? l->count[0] * l->count[1] : 0 };
    double own = node == l->loose ? 0.0 : 6.0;
    for (int a = 0; a < 3; ++a) {
        out[used++] = (sparse_entry){ 3 * node + a, 3 * node + a, own };
        for (int b = 0; b < a; ++b) {
            out[used++] = (sparse_entry){ 3 * node + a, 3 * node + b, node == l->loose ? 0.0 : 2.0 * l->mix };
        }
        int other = node - before[a];
        bool apart = before[a] == 0 || node == l->loose || other == l->loose;
        for (int f = 0; f < 9 && !apart; ++f) {
            double value = f / 3 == f % 3 ? -1.0 : -l->mix / 3.0;
            out[used++] = (sparse_entry){ 3 * node + f / 3, 3 * other + f % 3, value };
        }
    }
    return used;
}

static sparse_matrix *make(const lattice *l)
{
    carom_error err = { 0 };
    sparse_matrix *A;
    size_t used = 0;
    sparse_entry *entries = malloc((size_t)lattice_size(l) * 12 * sizeof *entries);
    CHECK(entries != NULL);
    for (int z = 0; z < l->count[2]; ++z) {
        for (int y = 0; y < l->count[1]; ++y) {
            for (int x = 0; x < l->count[0]; ++x) {
                used += put_node(l, x, y, z, entries + used);
            }
        }
    }
    CHECK_OK(sparse_create(&A, lattice_size(l), entries, used, &err), err);
    free(entries);
    return A;
}

static void check_solves(const sparse_matrix *A, double tolerance, test_rng *rng)
{
    carom_error err = { 0 };
    sparse_factor *f;
    size_t n = (size_t)sparse_size(A);
    double *x = numbers(n, rng);
    double *b = malloc(n * sizeof *b);
    CHECK(b != NULL);
    sparse_times(A, x, b);
    CHECK_OK(sparse_factor_create(&f, A, &err), err);
    CHECK(sparse_factor_bytes(f) >= n * sizeof(double));
    sparse_solve(f, b, 1);
    for (size_t k = 0; k < n; ++k) {
        CHECK_NEAR(b[k], x[k], tolerance);
    }
    free(x);
    free(b);
    sparse_factor_destroy(f);
}

/* From lines, whose fronts are a node wide, to cubes with fronts of some hundred rows; the largest are put in order by nested
 * dissection. */
TEST(sparse_factor, lattices_of_all_forms_are_solved)
{
    static const int counts[][3] = { { 1, 1, 1 },   { 2, 1, 1 },    { 300, 1, 1 },  { 20, 20, 1 }, { 7, 5, 3 },
                                     { 60, 40, 1 }, { 12, 12, 12 }, { 16, 14, 13 }, { 1, 1, 2500 } };
    test_rng rng = test_rng_seed(7);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; ++k) {
        for (int mixed = 0; mixed < 2; ++mixed) {
            lattice l = { { counts[k][0], counts[k][1], counts[k][2] }, mixed ? 0.2 : 0.0, -1 };
            sparse_matrix *A = make(&l);
            check_solves(A, 1e-10, &rng);
            sparse_destroy(A);
        }
    }
}

/* Every entry is there: one front. Only the diagonal: as many as there are rows. Only the diagonal and one row. */
TEST(sparse_factor, full_diagonal_and_arrow_matrices_are_solved)
{
    enum { N = 260 };
    test_rng rng = test_rng_seed(11);
    for (int form = 0; form < 3; ++form) {
        carom_error err = { 0 };
        sparse_matrix *A;
        size_t used = 0;
        sparse_entry *entries = malloc((size_t)N * N * sizeof *entries);
        CHECK(entries != NULL);
        for (int r = 0; r < N; ++r) {
            entries[used++] = (sparse_entry){ r, r, 2.0 * N };
            for (int c = 0; c < r; ++c) {
                if (form == 0 || (form == 1 && c == 0)) {
                    entries[used++] = (sparse_entry){ r, c, test_rng_uniform(&rng, -1.0, 1.0) };
                }
            }
        }
        CHECK_OK(sparse_create(&A, N, entries, used, &err), err);
        check_solves(A, 1e-13, &rng);
        free(entries);
        sparse_destroy(A);
    }
}

/* Springs from 1 to 1e12 in a row: what comes out balances the load within rounding of the largest force in each row. */
TEST(sparse_factor, stiff_and_soft_springs_side_by_side_balance)
{
    enum { N = 2000 };
    carom_error err = { 0 };
    test_rng rng = test_rng_seed(3);
    sparse_entry *entries = malloc((size_t)3 * N * sizeof *entries);
    double *spring = numbers(N + 1, &rng);
    double *b = numbers(N, &rng);
    double *x = copied(b, N);
    CHECK(entries != NULL);
    size_t used = 0;
    for (int k = 0; k < N; ++k) {
        spring[k] = pow(10.0, 6.0 + 6.0 * spring[k]);
    }
    spring[N] = 1.0;
    for (int k = 0; k < N; ++k) {
        entries[used++] = (sparse_entry){ k, k, spring[k] + spring[k + 1] };
        if (k > 0) {
            entries[used++] = (sparse_entry){ k, k - 1, -spring[k] };
        }
    }
    sparse_matrix *A;
    sparse_factor *f;
    CHECK_OK(sparse_create(&A, N, entries, used, &err), err);
    CHECK_OK(sparse_factor_create(&f, A, &err), err);
    sparse_solve(f, x, 1);
    for (int k = 0; k < N; ++k) {
        double left = k > 0 ? spring[k] * x[k - 1] : 0.0;
        double right = k < N - 1 ? spring[k + 1] * x[k + 1] : 0.0;
        double own = (spring[k] + spring[k + 1]) * x[k];
        double scale = fabs(own) + fabs(left) + fabs(right) + fabs(b[k]);
        CHECK_LE(fabs(own - left - right - b[k]), 1e-13 * scale);
    }
    free(entries);
    free(spring);
    free(b);
    free(x);
    sparse_factor_destroy(f);
    sparse_destroy(A);
}

/* A node that no spring holds is told by one of its rows. */
TEST(sparse_factor, a_loose_node_is_named)
{
    for (int loose = 0; loose < 6 * 6 * 6; loose += 17) {
        carom_error err = { 0 };
        sparse_factor *f;
        lattice l = { { 6, 6, 6 }, 0.2, loose };
        sparse_matrix *A = make(&l);
        CHECK_EQ(sparse_factor_create(&f, A, &err), CAROM_IMPOSSIBLE);
        CHECK(f == NULL);
        bool named = false;
        for (int a = 0; a < 3; ++a) {
            char row[32];
            snprintf(row, sizeof row, "row %d of 648", 3 * loose + a);
            named = named || strstr(err.message, row);
        }
        CHECK(named);
        sparse_destroy(A);
    }
}

/* A lattice so large that METIS puts it in order: what the program draws next does not change, and the order is the same whatever was
 * drawn before. */
TEST(sparse_factor, random_numbers_of_the_program_go_on)
{
    lattice l = { { 14, 13, 12 }, 0.2, -1 };
    const int n = lattice_size(&l);
    sparse_matrix *A = make(&l);
    double *x[2];
    for (int round = 0; round < 2; ++round) {
        carom_error err = { 0 };
        sparse_factor *factor;
        int expected[3];
        srand(5u + 7u * (unsigned)round);
        for (int k = 0; k < 3; ++k) {
            expected[k] = rand();
        }
        srand(5u + 7u * (unsigned)round);
        CHECK_EQ(rand(), expected[0]);
        CHECK_OK(sparse_factor_create(&factor, A, &err), err);
        CHECK_EQ(rand(), expected[1]);
        CHECK_EQ(rand(), expected[2]);
        x[round] = calloc((size_t)n, sizeof(double));
        x[round][n / 2] = 1.0;
        sparse_solve(factor, x[round], 1);
        sparse_factor_destroy(factor);
    }
    CHECK(memcmp(x[0], x[1], (size_t)n * sizeof(double)) == 0);
    free(x[0]);
    free(x[1]);
    sparse_destroy(A);
}

/* Without mixing, the lattice has every eigenvalue three times: 2 (cos terms taken off 6). Counted below limits that lie in gaps. */
TEST(sparse_factor, eigenvalues_of_a_lattice_are_counted)
{
    enum { NX = 9, NY = 8, NZ = 7 };
    lattice l = { { NX, NY, NZ }, 0.0, -1 };
    sparse_matrix *A = make(&l);
    for (double limit = 0.45; limit < 12.0; limit += 0.77) {
        carom_error err = { 0 };
        int expected = 0;
        int found;
        double nearest = 1.0;
        for (int k = 0; k < NX * NY * NZ; ++k) {
            double lambda = 6.0 - 2.0 * cos((k % NX + 1) * PI / (NX + 1)) -
                            2.0 * cos((k / NX % NY + 1) * PI / (NY + 1)) -
                            2.0 * cos((k / NX / NY + 1) * PI / (NZ + 1));
            expected += lambda < limit ? 3 : 0;
            nearest = fmin(nearest, fabs(lambda - limit));
        }
        sparse_entry *ones = malloc((size_t)lattice_size(&l) * sizeof *ones);
        CHECK(ones != NULL);
        for (int k = 0; k < lattice_size(&l); ++k) {
            ones[k] = (sparse_entry){ k, k, 1.0 };
        }
        sparse_matrix *one;
        sparse_matrix *moved;
        CHECK_OK(sparse_create(&one, lattice_size(&l), ones, (size_t)lattice_size(&l), &err), err);
        CHECK_OK(sparse_sum(&moved, A, -limit, one, &err), err);
        if (nearest > 1e-6) {
            CHECK_OK(sparse_negative_count(moved, &found, &err), err);
            CHECK_EQ(found, expected);
        }
        free(ones);
        sparse_destroy(one);
        sparse_destroy(moved);
    }
    sparse_destroy(A);
}

TEST(sparse_factor, a_heap_that_fails_is_told_and_nothing_is_lost)
{
    lattice l = { { 5, 5, 5 }, 0.2, -1 };
    sparse_matrix *A = make(&l);
    bool reached = true;
    long n = 1;
    for (; reached; ++n) {
        carom_error err = { 0 };
        sparse_factor *f = NULL;
        heap_begin(n);
        carom_status status = sparse_factor_create(&f, A, &err);
        sparse_factor_destroy(f);
        reached = heap_end();
        CHECK_EQ(heap.live, 0);
        CHECK_EQ(status, reached ? CAROM_NO_MEMORY : CAROM_OK);
    }
    CHECK(n > 20);
    sparse_destroy(A);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(front, products_agree_and_have_the_same_bits_on_every_processor),
        RUN_TEST(front, panels_multiply_to_what_they_came_from),
        RUN_TEST(front, the_first_pivot_below_its_floor_ends_it),
        RUN_TEST(sparse_factor, lattices_of_all_forms_are_solved),
        RUN_TEST(sparse_factor, full_diagonal_and_arrow_matrices_are_solved),
        RUN_TEST(sparse_factor, stiff_and_soft_springs_side_by_side_balance),
        RUN_TEST(sparse_factor, a_loose_node_is_named),
        RUN_TEST(sparse_factor, random_numbers_of_the_program_go_on),
        RUN_TEST(sparse_factor, eigenvalues_of_a_lattice_are_counted),
        RUN_TEST(sparse_factor, a_heap_that_fails_is_told_and_nothing_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
