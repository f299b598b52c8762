/* Random saddle-point systems and their dense counterparts, for the tests of src/linalg. */
#ifndef CAROM_TESTS_LINALG_SYSTEMS_H
#define CAROM_TESTS_LINALG_SYSTEMS_H

#include "linalg/saddle.h"
#include "math/vec3.h"
#include "support/check.h"

#include <stdlib.h>

enum { MOST_BODIES = 64, MOST_BLOCKS = 128, MOST_PAIRS = 128, MOST_UNKNOWNS = 6 * MOST_BODIES + 6 * MOST_BLOCKS };

typedef struct test_system {
    saddle_block blocks[MOST_BLOCKS];
    int pairs[MOST_PAIRS][2];
    saddle_layout layout;
} test_system;

static inline int test_rng_below(test_rng *rng, int bound)
{
    return (int)test_rng_uniform(rng, 0.0, (double)bound);
}

static inline void *test_alloc(size_t count, size_t size)
{
    void *p = calloc(count, size);
    CHECK(p != NULL);
    return p;
}

static inline void add_block(test_system *t, int rows, int body_count, const int *bodies)
{
    saddle_block *b = &t->blocks[t->layout.block_count++];
    *b = (saddle_block){ .first_row = t->layout.row_count, .row_count = rows, .body_count = body_count };
    memcpy(b->bodies, bodies, (size_t)body_count * sizeof(int));
    t->layout.row_count += rows;
    t->layout.blocks = t->blocks;
}

static inline void add_joint(test_system *t, int rows, int a, int b)
{
    add_block(t, rows, b < 0 ? 1 : 2, (int[]){ a, b });
}

static inline void add_pair(test_system *t, int a, int b)
{
    int *pair = t->pairs[t->layout.pair_count++];
    pair[0] = a;
    pair[1] = b;
    t->layout.pairs = (const int(*)[2])t->pairs;
}

/* ---- numbers ---- */

static inline void random_block(double *m, int count, test_rng *rng)
{
    for (int i = 0; i < count; ++i) {
        m[i] = test_rng_uniform(rng, -1.0, 1.0);
    }
}

/* Positive definite: B B^T plus enough for the pairs at this body, which have entries below 0.1. */
static inline void random_definite(double *a, test_rng *rng, double shift)
{
    double b[36];
    random_block(b, 36, rng);
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) {
            a[6 * i + j] = i == j ? shift : 0.0;
            for (int k = 0; k < 6; ++k) {
                a[6 * i + j] += b[6 * i + k] * b[6 * j + k];
            }
        }
    }
}

static inline void fill_random(saddle *s, const saddle_layout *layout, test_rng *rng)
{
    int degree[MOST_BODIES] = { 0 };
    for (int p = 0; p < layout->pair_count; ++p) {
        degree[layout->pairs[p][0]]++;
        degree[layout->pairs[p][1]]++;
        random_block(saddle_pair(s, p), 36, rng);
        for (int i = 0; i < 36; ++i) {
            saddle_pair(s, p)[i] *= 0.1;
        }
    }
    for (int b = 0; b < layout->body_count; ++b) {
        random_definite(saddle_body(s, b), rng, 0.5 + 0.6 * degree[b]);
    }
    for (int k = 0; k < layout->block_count; ++k) {
        for (int i = 0; i < layout->blocks[k].body_count; ++i) {
            random_block(saddle_rows(s, k, i), 6 * layout->blocks[k].row_count, rng);
        }
    }
}

static inline void cross_matrix(double *m, int stride, const double r[3], double sign)
{
    for (int i = 0; i < 3; ++i) {
        m[i * stride + (i + 1) % 3] = -sign * r[(i + 2) % 3];
        m[i * stride + (i + 2) % 3] = sign * r[(i + 1) % 3];
    }
}

/* A revolute joint at `r` from the centre of the body: three rows hold the point, two hold axis z of the world. */
static inline void write_revolute(double *rows, const double r[3], double sign)
{
    memset(rows, 0, 30 * sizeof(double));
    cross_matrix(rows + 3, 6, r, -sign);
    for (int i = 0; i < 3; ++i) {
        rows[7 * i] = sign;
    }
    rows[18 + 3] = sign;
    rows[24 + 4] = sign;
}

/* ---- dense reference ---- */

/* [A J^T; J 0], row-major, n = 6 bodies + rows. The caller frees. */
static inline double *dense_matrix(saddle *s, const saddle_layout *layout)
{
    int bodies = 6 * layout->body_count;
    int n = bodies + layout->row_count;
    double *m = test_alloc((size_t)n * (size_t)n, sizeof(double));
    for (int b = 0; b < layout->body_count; ++b) {
        for (int i = 0; i < 36; ++i) {
            m[(6 * b + i / 6) * n + 6 * b + i % 6] = saddle_body(s, b)[i];
        }
    }
    for (int p = 0; p < layout->pair_count; ++p) {
        for (int i = 0; i < 36; ++i) {
            int row = 6 * layout->pairs[p][0] + i / 6;
            int column = 6 * layout->pairs[p][1] + i % 6;
            m[row * n + column] = m[column * n + row] = saddle_pair(s, p)[i];
        }
    }
    for (int k = 0; k < layout->block_count; ++k) {
        const saddle_block *block = &layout->blocks[k];
        for (int slot = 0; slot < block->body_count; ++slot) {
            for (int i = 0; i < 6 * block->row_count; ++i) {
                int row = bodies + block->first_row + i / 6;
                int column = 6 * block->bodies[slot] + i % 6;
                m[row * n + column] = m[column * n + row] = saddle_rows(s, k, slot)[i];
            }
        }
    }
    return m;
}

/* Gaussian elimination with partial pivoting; m and b are destroyed, b becomes the solution. */
static inline void dense_solve(double *m, double *b, int n)
{
    for (int j = 0; j < n; ++j) {
        int best = j;
        for (int i = j + 1; i < n; ++i) {
            best = fabs(m[i * n + j]) > fabs(m[best * n + j]) ? i : best;
        }
        CHECK(fabs(m[best * n + j]) > 1e-13);
        for (int k = 0; k < n; ++k) {
            double t = m[j * n + k];
            m[j * n + k] = m[best * n + k];
            m[best * n + k] = t;
        }
        double t = b[j];
        b[j] = b[best];
        b[best] = t;
        for (int i = j + 1; i < n; ++i) {
            double f = m[i * n + j] / m[j * n + j];
            b[i] -= f * b[j];
            for (int k = j; f != 0.0 && k < n; ++k) {
                m[i * n + k] -= f * m[j * n + k];
            }
        }
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k) {
            b[i] -= m[i * n + k] * b[k];
        }
        b[i] /= m[i * n + i];
    }
}

static inline double largest(const double *v, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; ++i) {
        most = max_or_nan(most, fabs(v[i]));
    }
    return most;
}

/* Largest difference relative to the largest entry of the reference. */
static inline double difference(const double *v, const double *reference, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; ++i) {
        most = max_or_nan(most, fabs(v[i] - reference[i]));
    }
    double size = largest(reference, n);
    return size > 0.0 ? most / size : most;
}

#endif
