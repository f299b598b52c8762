/* Block LDL^T of quasi-definite matrices against a dense solution: random graphs, sizes and numbers. */
#include "linalg/quasi.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

enum {
    MOST_NODES = 24,
    MOST_SIZE = 11,
    MOST = MOST_NODES * MOST_SIZE,
    MOST_TILES = MOST_NODES * (MOST_NODES + 1) / 2
};

typedef struct sample {
    carom_arena arena;
    pattern p;
    tile tiles[MOST_TILES];
    double numbers[MOST_TILES][MOST_SIZE * MOST_SIZE];
    double e[MOST];
    double dense[MOST * MOST]; /* with -E */
    bool is_row[MOST];
    int n;
} sample;

/* Bodies come first on the diagonal, rows mixed in; every third pair of nodes has a tile. Bodies are heavy enough to be definite. */
static void draw(sample *s, test_rng *r)
{
    int first[MOST_NODES + 1] = { 0 };
    bool is_row[MOST_NODES];
    int nodes = 2 + (int)test_rng_uniform(r, 0.0, MOST_NODES - 2.01);
    int diagonal = (int)test_rng_uniform(r, 0.0,
                                         nodes); /* so many have a diagonal block: they come first and do not meet */
    memset(s->dense, 0, sizeof s->dense);
    s->p = (pattern){ .tiles = s->tiles };
    for (int k = 0; k < nodes; ++k) {
        is_row[k] = k > 0 && k >= diagonal && test_rng_uniform(r, 0.0, 1.0) < 0.4;
        first[k + 1] = first[k] + 1 + (int)test_rng_uniform(r, 0.0, MOST_SIZE - 0.01);
    }
    s->n = first[nodes];
    for (int column = 0; column < nodes; ++column) {
        for (int row = 0; row <= column; ++row) {
            bool own = row == column;
            if (!own &&
                (column < diagonal || test_rng_uniform(r, 0.0, 1.0) < 0.6 || (is_row[row] && is_row[column]))) {
                continue;
            }
            int t = s->p.tile_count++;
            int rows = first[row + 1] - first[row];
            int columns = first[column + 1] - first[column];
            bool turned = !own && is_row[row] != is_row[column] && test_rng_uniform(r, 0.0, 1.0) < 0.5;
            s->tiles[t] = (tile){ .from = own && is_row[row] ? NULL : s->numbers[t],
                                  .row = first[row],
                                  .row_count = rows,
                                  .column = first[column],
                                  .column_count = columns,
                                  .row_step = turned ? 1 : columns,
                                  .column_step = turned ? rows : 1,
                                  .diagonal = own && row < diagonal };
            for (int i = 0; i < rows; ++i) {
                for (int j = 0; j < columns; ++j) {
                    double value = test_rng_uniform(r, -1.0, 1.0) + (own && i == j ? 150.0 : 0.0);
                    if (own && is_row[row]) {
                        s->e[first[row] + i] = 0.3;
                        value = i == j ? -0.3 : 0.0;
                    } else {
                        s->numbers[t][i * s->tiles[t].row_step + j * s->tiles[t].column_step] = value;
                    }
                    if (s->tiles[t].diagonal && i != j) {
                        s->numbers[t][i * columns + j] = (double)NAN; /* nobody looks at it */
                        continue;
                    }
                    if (own && j < i) {
                        continue; /* the upper triangle counts */
                    }
                    s->dense[(first[row] + i) * s->n + first[column] + j] = value;
                    s->dense[(first[column] + j) * s->n + first[row] + i] = value;
                }
            }
        }
    }
    s->p.unknown_count = s->n;
    for (int k = 0; k < nodes; ++k) {
        for (int i = first[k]; i < first[k + 1]; ++i) {
            s->is_row[i] = is_row[k];
        }
    }
}

static double worst_residual(const sample *s, const double *x, const double *b)
{
    double worst = 0.0;
    for (int i = 0; i < s->n; ++i) {
        double sum = -b[i];
        for (int j = 0; j < s->n; ++j) {
            sum += s->dense[i * s->n + j] * x[j];
        }
        worst = fmax(worst, fabs(sum));
    }
    return worst;
}

TEST(quasi, solves_random_systems)
{
    sample *s = calloc(1, sizeof *s);
    FOR_EACH_SEED(rng, 300) {
        quasi q;
        quasi_factor f;
        double b[MOST];
        double x[MOST];
        draw(s, &rng);
        CHECK(quasi_analyse(&q, &s->arena, &s->p));
        CHECK(quasi_allocate(&f, &s->arena, &q));
        quasi_factorise(&q, &s->p, s->e, NULL, &f);
        for (int i = 0; i < s->n; ++i) {
            b[i] = test_rng_uniform(&rng, -1.0, 1.0);
            CHECK(s->is_row[i] == (f.d[i] < 0.0)); /* signs of pivots are those of the blocks */
        }
        memcpy(x, b, sizeof x);
        quasi_solve(&q, &f, x);
        CHECK_LE(worst_residual(s, x, b), 1e-12);
        carom_arena_free(&s->arena);
    }
    free(s);
}

/* One body, and its six columns held twice: of twelve rows six are left out, and x is what g asks for. */
TEST(quasi, leaves_out_rows_that_depend_on_others)
{
    double A[36] = { 0 };
    double J[2][36] = { { 0 } };
    double drop[18];
    double v[18];
    for (int i = 0; i < 6; ++i) {
        A[7 * i] = 1.0 + i;
        for (int k = 0; k < 6; ++k) {
            J[0][6 * i + k] = i == k ? 2.0 : 0.1 * (i - k);
            J[1][6 * i + k] = 3.0 * J[0][6 * i + k];
        }
    }
    for (int i = 0; i < 18; ++i) {
        drop[i] = 1e-12;
        v[i] = i < 6 ? 0.7 : i < 12 ? 1.0 : 3.0; /* consistent */
    }
    tile tiles[] = { { A, 0, 6, 0, 6, 6, 1, false },
                     { J[0], 0, 6, 6, 6, 1, 6, false },
                     { NULL, 6, 6, 6, 6, 0, 0, false },
                     { J[1], 0, 6, 12, 6, 1, 6, false },
                     { NULL, 12, 6, 12, 6, 0, 0, false } };
    pattern p = { .tiles = tiles, .tile_count = 5, .unknown_count = 18 };
    carom_arena arena = { 0 };
    quasi q;
    quasi_factor f;
    CHECK(quasi_analyse(&q, &arena, &p) && quasi_allocate(&f, &arena, &q));
    quasi_factorise(&q, &p, NULL, drop, &f);
    quasi_solve(&q, &f, v);
    for (int i = 0; i < 6; ++i) {
        double g = 0.0;
        for (int k = 0; k < 6; ++k) {
            g += J[0][6 * i + k] * v[k];
        }
        CHECK_NEAR(g, 1.0, 1e-13);
        CHECK(f.inverse[6 + i] != 0.0 && f.inverse[12 + i] == 0.0);
        CHECK_NEAR(v[12 + i], 0.0, 0.0);
    }
    carom_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(quasi, solves_random_systems),
        RUN_TEST(quasi, leaves_out_rows_that_depend_on_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
