/* Sparse systems of blocks against a dense solution, for random graphs with and without rows of joints. */
#include "linalg/block_system.h"

#include <stdlib.h>

#include "linalg/dense.h"
#include "support/check.h"

enum { MOST_NODES = 24, MOST_EDGES = 80, MOST = 6 * MOST_NODES };

typedef struct sample {
    int sizes[MOST_NODES];
    bool is_row[MOST_NODES];
    int edges[MOST_EDGES][2];
    block_pattern pattern;
    int first[MOST_NODES + 1];
    double dense[MOST * MOST];
} sample;

static bool has_edge(const sample *s, int a, int b)
{
    for (int e = 0; e < s->pattern.edge_count; ++e) {
        if ((s->edges[e][0] == a && s->edges[e][1] == b) || (s->edges[e][0] == b && s->edges[e][1] == a)) {
            return true;
        }
    }
    return false;
}

static void draw_pattern(sample *s, test_rng *r, bool with_rows)
{
    int n = 1 + (int)test_rng_uniform(r, 0.0, MOST_NODES - 1);
    s->pattern = (block_pattern){ .node_count = n, .sizes = s->sizes, .is_row = with_rows ? s->is_row : NULL };
    for (int i = 0; i < n; ++i) {
        s->is_row[i] = with_rows && i % 4 == 3;
        s->sizes[i] = test_rng_uniform(r, 0.0, 1.0) < 0.7 && !s->is_row[i] ? 6
                                                                           : 1 + (int)test_rng_uniform(r, 0.0, 5.99);
        s->first[i + 1] = s->first[i] + s->sizes[i];
    }
    int wanted = (int)test_rng_uniform(r, 0.0, 3.0 * n);
    for (int e = 0; e < wanted && s->pattern.edge_count < MOST_EDGES; ++e) {
        int a = (int)test_rng_uniform(r, 0.0, n), b = (int)test_rng_uniform(r, 0.0, n);
        if (a != b && !(s->is_row[a] && s->is_row[b]) && !has_edge(s, a, b)) {
            s->edges[s->pattern.edge_count][0] = a;
            s->edges[s->pattern.edge_count++][1] = b;
        }
    }
    s->pattern.edges = (const int(*)[2])s->edges;
}

/* Random blocks; the bodies' part is made positive definite by its diagonal. */
static void fill_numbers(sample *s, test_rng *r, block_system *b)
{
    int n = s->first[s->pattern.node_count];
    memset(s->dense, 0, sizeof s->dense);
    for (int e = 0; e < s->pattern.edge_count; ++e) {
        int i = s->edges[e][0], k = s->edges[e][1];
        double *block = block_system_edge(b, e);
        for (int row = 0; row < s->sizes[i]; ++row) {
            for (int column = 0; column < s->sizes[k]; ++column) {
                double value = test_rng_uniform(r, -1.0, 1.0);
                block[row * s->sizes[k] + column] = value;
                s->dense[(s->first[i] + row) * n + s->first[k] + column] = value;
                s->dense[(s->first[k] + column) * n + s->first[i] + row] = value;
            }
        }
    }
    for (int i = 0; i < s->pattern.node_count; ++i) {
        double *block = block_system_node(b, i);
        for (int row = 0; row < s->sizes[i]; ++row) {
            double sum = 0.0;
            for (int c = 0; c < n; ++c) {
                sum += fabs(s->dense[(s->first[i] + row) * n + c]);
            }
            double value = s->is_row[i] && s->pattern.is_row ? -1e-3 : sum + test_rng_uniform(r, 0.1, 1.0);
            block[row * s->sizes[i] + row] = value;
            s->dense[(s->first[i] + row) * n + s->first[i] + row] = value;
        }
    }
}

static void check_solution(const sample *s, test_rng *r, const block_system *b, double shift)
{
    static double A[MOST * MOST];
    double x[MOST], y[MOST], scratch[4 * MOST * MOST + 64];
    int n = s->first[s->pattern.node_count];
    memcpy(A, s->dense, sizeof A);
    for (int i = 0; i < s->pattern.node_count; ++i) {
        for (int k = s->first[i]; k < s->first[i + 1] && !(s->pattern.is_row && s->is_row[i]); ++k) {
            A[k * n + k] += shift;
        }
    }
    for (int i = 0; i < n; ++i) {
        x[i] = y[i] = test_rng_uniform(r, -1.0, 1.0);
    }
    CHECK_LE((double)dense_scratch(n), (double)(sizeof scratch / sizeof *scratch));
    CHECK_EQ(dense_solve(A, y, n, 1e-14, scratch), n);
    block_system_solve(b, x);
    for (int i = 0; i < n; ++i) {
        CHECK_NEAR(x[i], y[i], 1e-9 * (1.0 + fabs(y[i])));
    }
}

/* The product with the part of the bodies, added to what is there. */
static void check_product(const sample *s, test_rng *r, const block_system *b)
{
    double x[MOST], y[MOST], out[MOST];
    int n = s->first[s->pattern.node_count];
    bool is_body[MOST];
    for (int i = 0; i < s->pattern.node_count; ++i) {
        for (int k = s->first[i]; k < s->first[i + 1]; ++k) {
            is_body[k] = !(s->pattern.is_row && s->is_row[i]);
        }
    }
    for (int i = 0; i < n; ++i) {
        x[i] = test_rng_uniform(r, -1.0, 1.0);
        y[i] = out[i] = test_rng_uniform(r, -1.0, 1.0);
    }
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < n; ++k) {
            y[i] += is_body[i] && is_body[k] ? s->dense[i * n + k] * x[k] : 0.0;
        }
    }
    block_system_multiply(b, x, out);
    for (int i = 0; i < n; ++i) {
        CHECK_NEAR(out[i], y[i], 1e-12 * (1.0 + fabs(y[i])));
    }
}

TEST(block_system, solves_what_a_dense_matrix_solves)
{
    carom_error err = { 0 };
    block_system *b = block_system_create();
    for (int n = 0; n < 300; ++n) {
        test_rng r = test_rng_seed((uint64_t)n + 1);
        static sample s;
        memset(&s, 0, sizeof s);
        draw_pattern(&s, &r, n % 2 == 1);
        CHECK_OK(block_system_begin(b, &s.pattern, &err), err);
        fill_numbers(&s, &r, b);
        double shift = n % 3 == 0 ? 0.5 : 0.0;
        CHECK(block_system_factor(b, shift));
        check_solution(&s, &r, b, shift);
        check_solution(&s, &r, b, shift);
        CHECK(block_system_factor(b, 0.0)); /* what was written is still there */
        check_solution(&s, &r, b, 0.0);
        check_product(&s, &r, b);
        long analyses = block_system_analyses(b);
        CHECK_OK(block_system_begin(b, &s.pattern, &err), err);
        CHECK_EQ(block_system_analyses(b), analyses);
        CHECK(block_system_node(b, 0)[0] == 0.0);
    }
    block_system_destroy(b);
}

TEST(block_system, says_when_it_is_not_positive)
{
    static const int sizes[2] = { 6, 6 }, edges[1][2] = { { 0, 1 } };
    block_pattern pattern = { .node_count = 2, .sizes = sizes, .edge_count = 1, .edges = edges };
    carom_error err = { 0 };
    block_system *b = block_system_create();
    CHECK_OK(block_system_begin(b, &pattern, &err), err);
    for (int k = 0; k < 6; ++k) {
        block_system_node(b, 0)[7 * k] = block_system_node(b, 1)[7 * k] = 1.0;
        block_system_edge(b, 0)[7 * k] = k == 3 ? 1.5 : 0.5;
    }
    CHECK(!block_system_factor(b, 0.0));
    CHECK(!block_system_factor(b, 0.4));
    CHECK(block_system_factor(b, 0.6));
    block_system_destroy(b);
}

TEST(block_system, redundant_rows_are_allowed)
{
    static const int sizes[3] = { 6, 3, 3 }, edges[2][2] = { { 1, 0 }, { 0, 2 } };
    static const bool is_row[3] = { false, true, true };
    block_pattern pattern = { .node_count = 3, .sizes = sizes, .is_row = is_row, .edge_count = 2, .edges = edges };
    carom_error err = { 0 };
    block_system *b = block_system_create();
    CHECK_OK(block_system_begin(b, &pattern, &err), err);
    for (int k = 0; k < 6; ++k) {
        block_system_node(b, 0)[7 * k] = 2.0;
    }
    for (int k = 0; k < 3; ++k) { /* the same three rows twice */
        block_system_node(b, 1)[4 * k] = block_system_node(b, 2)[4 * k] = -1e-12;
        block_system_edge(b, 0)[6 * k + k] = 1.0;
        block_system_edge(b, 1)[3 * k + k] = 1.0;
    }
    double x[12] = { 1, 2, 3, 4, 5, 6, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5 };
    CHECK(block_system_factor(b, 0.0));
    block_system_solve(b, x);
    for (int k = 0; k < 3; ++k) {
        CHECK_NEAR(x[k], 0.5, 1e-9); /* J x = g */
        CHECK_NEAR(x[3 + k], 0.5 * (4 + k), 1e-12);
        CHECK_NEAR(x[6 + k] + x[9 + k], k + 1 - 1.0, 1e-9); /* H x + J'y = f */
    }
    block_system_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(block_system, solves_what_a_dense_matrix_solves),
        RUN_TEST(block_system, says_when_it_is_not_positive),
        RUN_TEST(block_system, redundant_rows_are_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
