/* Random saddle-point systems and their dense counterparts, for the tests of src/linalg. */
#ifndef CAROM_TESTS_LINALG_SYSTEMS_H
#define CAROM_TESTS_LINALG_SYSTEMS_H

#include "linalg/saddle.h"
#include "math/vec3.h"
#include "support/check.h"

#include <stdlib.h>

enum { MOST_BODIES = 64, MOST_BLOCKS = 128, MOST_PAIRS = 128, MOST_WIDTH = 24 };
enum { MOST_UNKNOWNS = MOST_WIDTH * MOST_BODIES + 6 * MOST_BLOCKS };

typedef struct test_system {
    saddle_block blocks[MOST_BLOCKS];
    int pairs[MOST_PAIRS][2];
    int widths[MOST_BODIES];    /* of a system whose bodies are not all rigid */
    int diagonals[MOST_BODIES]; /* of a system whose wide bodies have columns with a diagonal block */
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

/* Bodies of one to MOST_WIDTH columns, many of them rigid; each has at least as many as rows that lean on it alone. */
static inline void random_widths(test_system *t, test_rng *rng, int least)
{
    for (int b = 0; b < t->layout.body_count; ++b) {
        bool rigid = test_rng_below(rng, 3) == 0;
        t->widths[b] = rigid ? 6 : least + test_rng_below(rng, MOST_WIDTH + 1 - least);
    }
    t->layout.widths = t->widths;
}

/* The last columns of wide bodies, mostly all behind a frame of six, have a diagonal block. */
static inline void random_diagonals(test_system *t, test_rng *rng)
{
    for (int b = 0; b < t->layout.body_count; ++b) {
        int most = t->widths[b] - 1;
        bool frame = t->widths[b] > 6 && test_rng_below(rng, 3) > 0;
        t->diagonals[b] = frame ? t->widths[b] - 6 : test_rng_below(rng, most + 1);
    }
    t->layout.diagonals = t->diagonals;
}

static inline int width_of(const saddle_layout *layout, int body)
{
    return layout->widths ? layout->widths[body] : 6;
}

static inline int column_of(const saddle_layout *layout, int body)
{
    int column = 0;
    for (int b = 0; b < body; ++b) {
        column += width_of(layout, b);
    }
    return column;
}

static inline int column_count(const saddle_layout *layout)
{
    return column_of(layout, layout->body_count);
}

/* ---- numbers ---- */

static inline void random_block(double *m, int count, test_rng *rng)
{
    for (int i = 0; i < count; ++i) {
        m[i] = test_rng_uniform(rng, -1.0, 1.0);
    }
}

/* Positive definite: B B^T plus enough for the pairs at this body, which have entries below 0.1. */
static inline void random_definite(double *a, int n, test_rng *rng, double shift)
{
    double b[MOST_WIDTH * MOST_WIDTH];
    random_block(b, n * n, rng);
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            a[n * i + j] = i == j ? shift : 0.0;
            for (int k = 0; k < n; ++k) {
                a[n * i + j] += b[n * i + k] * b[n * j + k];
            }
        }
    }
}

/* Zero beside the diagonal of the last `diagonal` columns; what is left is made definite by its diagonal. */
static inline void clear_beside_diagonal(double *a, int n, int diagonal, double more)
{
    for (int i = 0; i < n; ++i) {
        double sum = 0.0;
        for (int k = 0; k < n; ++k) {
            bool clear = i != k && i >= n - diagonal && k >= n - diagonal;
            a[n * i + k] = clear ? 0.0 : a[n * i + k];
            sum += i != k ? fabs(a[n * i + k]) : 0.0;
        }
        a[(n + 1) * i] = sum + more;
    }
}

static inline void fill_random(saddle *s, const saddle_layout *layout, test_rng *rng)
{
    int degree[MOST_BODIES] = { 0 };
    for (int p = 0; p < layout->pair_count; ++p) {
        degree[layout->pairs[p][0]]++;
        degree[layout->pairs[p][1]]++;
        int size = width_of(layout, layout->pairs[p][0]) * width_of(layout, layout->pairs[p][1]);
        random_block(saddle_pair(s, p), size, rng);
        for (int i = 0; i < size; ++i) {
            saddle_pair(s, p)[i] *= 0.1;
        }
    }
    for (int b = 0; b < layout->body_count; ++b) {
        int n = width_of(layout, b);
        double reach = 0.1 * (n > 6 || layout->widths ? MOST_WIDTH : 6); /* of the entries of a pair in a row */
        random_definite(saddle_body(s, b), n, rng, 0.5 + reach * degree[b]);
        if (layout->diagonals) {
            clear_beside_diagonal(saddle_body(s, b), n, layout->diagonals[b], 0.5 + reach * degree[b]);
        }
    }
    for (int k = 0; k < layout->block_count; ++k) {
        for (int i = 0; i < layout->blocks[k].body_count; ++i) {
            int width = width_of(layout, layout->blocks[k].bodies[i]);
            random_block(saddle_rows(s, k, i), width * layout->blocks[k].row_count, rng);
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

/* A part of the matrix and its mirror image: `from` has `rows` rows of `columns`. */
static inline void put_part(double *m, int n, int row, int column, const double *from, int rows, int columns)
{
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < columns; ++j) {
            m[(row + i) * n + column + j] = m[(column + j) * n + row + i] = from[columns * i + j];
        }
    }
}

/* [A J^T; J 0], row-major, n = columns of the bodies + rows. The caller frees. */
static inline double *dense_matrix(saddle *s, const saddle_layout *layout)
{
    int columns = column_count(layout);
    int n = columns + layout->row_count;
    double *m = test_alloc((size_t)n * (size_t)n, sizeof(double));
    for (int b = 0; b < layout->body_count; ++b) {
        int at = column_of(layout, b);
        put_part(m, n, at, at, saddle_body(s, b), width_of(layout, b), width_of(layout, b));
    }
    for (int p = 0; p < layout->pair_count; ++p) {
        const int *pair = layout->pairs[p];
        put_part(m, n, column_of(layout, pair[0]), column_of(layout, pair[1]), saddle_pair(s, p),
                 width_of(layout, pair[0]), width_of(layout, pair[1]));
    }
    for (int k = 0; k < layout->block_count; ++k) {
        const saddle_block *block = &layout->blocks[k];
        for (int slot = 0; slot < block->body_count; ++slot) {
            int body = block->bodies[slot];
            put_part(m, n, columns + block->first_row, column_of(layout, body), saddle_rows(s, k, slot),
                     block->row_count, width_of(layout, body));
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
