/* Sparse LU of 6x6 blocks against a dense solution, for random graphs and unsymmetric numbers. */
#include "linalg/block_lu.h"

#include <stdlib.h>
#include <string.h>

#include "support/check.h"

enum { MOST_NODES = 20, MOST_EDGES = 60, MOST = 6 * MOST_NODES };

typedef struct sample {
    int nodes, edge_count;
    int edges[MOST_EDGES][2];
    double dense[MOST * MOST];
} sample;

static void draw_pattern(sample *s, test_rng *r)
{
    s->nodes = 1 + (int)test_rng_uniform(r, 0.0, MOST_NODES - 0.01);
    s->edge_count = 0;
    int wanted = s->nodes > 1 ? (int)test_rng_uniform(r, 0.0, 2.5 * s->nodes) : 0;
    while (s->edge_count < wanted && s->edge_count < MOST_EDGES) {
        int a = (int)test_rng_uniform(r, 0.0, s->nodes);
        int b = (int)test_rng_uniform(r, 0.0, s->nodes);
        if (a != b) { /* the same edge may come twice */
            s->edges[s->edge_count][0] = a;
            s->edges[s->edge_count++][1] = b;
        }
    }
}

static void add_block(sample *s, test_rng *r, double *block, int row, int column, double diagonal)
{
    int n = 6 * s->nodes;
    for (int i = 0; i < 6; ++i) {
        for (int k = 0; k < 6; ++k) {
            double value = test_rng_uniform(r, -1.0, 1.0) + (i == k ? diagonal : 0.0);
            block[6 * i + k] += value;
            s->dense[(6 * row + i) * n + 6 * column + k] += value;
        }
    }
}

static void fill(sample *s, test_rng *r, block_lu *lu)
{
    memset(s->dense, 0, sizeof s->dense);
    block_lu_clear(lu);
    for (int i = 0; i < s->nodes; ++i) {
        add_block(s, r, block_lu_node(lu, i), i, i, 60.0);
    }
    for (int e = 0; e < s->edge_count; ++e) {
        for (int from = 0; from < 2; ++from) {
            add_block(s, r, block_lu_edge(lu, e, from), s->edges[e][from], s->edges[e][1 - from], 0.0);
        }
    }
}

static double worst_residual(const sample *s, const double *x, const double *b)
{
    int n = 6 * s->nodes;
    double worst = 0.0;
    for (int i = 0; i < n; ++i) {
        double sum = -b[i];
        for (int k = 0; k < n; ++k) {
            sum += s->dense[i * n + k] * x[k];
        }
        worst = fmax(worst, fabs(sum));
    }
    return worst;
}

TEST(block_lu, solves_what_was_written)
{
    static sample s;
    test_rng r = test_rng_seed(5);
    block_lu *lu = block_lu_create();
    for (int k = 0; k < 200; ++k) {
        double b[MOST];
        double x[MOST];
        draw_pattern(&s, &r);
        CHECK(block_lu_begin(lu, s.nodes, s.edge_count, (const int(*)[2])s.edges));
        fill(&s, &r, lu);
        for (int i = 0; i < 6 * s.nodes; ++i) {
            b[i] = x[i] = test_rng_uniform(&r, -1.0, 1.0);
        }
        CHECK(block_lu_factor(lu));
        block_lu_solve(lu, x);
        CHECK_LE(worst_residual(&s, x, b), 1e-12);
    }
    block_lu_destroy(lu);
}

TEST(block_lu, equal_patterns_are_analysed_once)
{
    const int chain[3][2] = { { 0, 1 }, { 2, 1 }, { 2, 3 } };
    const int other[3][2] = { { 0, 1 }, { 2, 1 }, { 0, 3 } };
    block_lu *lu = block_lu_create();
    CHECK(block_lu_begin(lu, 4, 3, chain));
    CHECK(block_lu_begin(lu, 4, 3, chain));
    CHECK_EQ(block_lu_analyses(lu), 1);
    CHECK(block_lu_begin(lu, 4, 3, other));
    CHECK_EQ(block_lu_analyses(lu), 2);
    block_lu_destroy(lu);
}

TEST(block_lu, a_singular_block_is_told)
{
    block_lu *lu = block_lu_create();
    CHECK(block_lu_begin(lu, 1, 0, NULL));
    block_lu_clear(lu);
    CHECK(!block_lu_factor(lu));
    block_lu_destroy(lu);
}

int main(void)
{
    const struct CMUnitTest tests[] = { RUN_TEST(block_lu, solves_what_was_written),
                                        RUN_TEST(block_lu, equal_patterns_are_analysed_once),
                                        RUN_TEST(block_lu, a_singular_block_is_told) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
