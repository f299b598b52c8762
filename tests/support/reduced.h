/* Reduced problems from dense matrices: a mechanism is its mass matrix M, its joints' constraint rows G, rows R (normals
 * of the contacts first, then slips) and load maps L (what of the multipliers presses bearing surfaces together).
 *
 *     M v' = G^T lambda + R^T f,   G v' = 0,   u = R v,   loads = L lambda                                          */
#ifndef CAROM_TESTS_REDUCED_H
#define CAROM_TESTS_REDUCED_H

#include "linalg/dense.h"
#include "nonsmooth/reduced.h"
#include "support/check.h"

enum { TEST_N = 24, TEST_M = 24, TEST_ROWS = 24, TEST_LOADS = 24, TEST_ELEMENTS = 8, TEST_GROUPS = 16 };

typedef struct test_mechanism {
    int n, m, rows, contacts, loads, elements, groups;
    double M[TEST_N][TEST_N];
    double G[TEST_M][TEST_N];
    double R[TEST_ROWS][TEST_N];
    double L[TEST_LOADS][TEST_M];
    friction_element element[TEST_ELEMENTS];
    load_group group[TEST_GROUPS];
} test_mechanism;

/* The reduced problem with its matrices, and how velocities and multipliers answer a unit force along every row. */
typedef struct test_reduced {
    reduced_problem p;
    double D[TEST_ROWS * TEST_ROWS];
    double B[TEST_LOADS * TEST_ROWS];
    double answer[TEST_ROWS][TEST_N];     /* v' per unit force along a row */
    double multiplier[TEST_ROWS][TEST_M]; /* lambda likewise */
} test_reduced;

enum { TEST_SIZE = TEST_N + TEST_M };

/* v' (s->n numbers) and lambda (s->m) below each other, for `count` generalised forces, the columns of x (its first s->n
 * rows), from the whole saddle-point system. */
static inline void test_saddle(const test_mechanism *s, double *x, int count)
{
    double A[TEST_SIZE * TEST_SIZE], scratch[4 * TEST_SIZE];
    int size = s->n + s->m;
    assert_true(dense_scratch(size) <= sizeof scratch / sizeof scratch[0]);
    memset(A, 0, sizeof A);
    for (int i = 0; i < s->n; ++i) {
        for (int j = 0; j < s->n; ++j) {
            A[i * size + j] = s->M[i][j];
        }
        for (int k = 0; k < s->m; ++k) {
            A[i * size + s->n + k] = -s->G[k][i];
            A[(s->n + k) * size + i] = -s->G[k][i];
        }
    }
    memset(x + s->n * count, 0, (size_t)(s->m * count) * sizeof *x);
    dense_solve_many(A, x, size, count, 1e-13, scratch);
}

static inline double test_dot(const double *a, const double *b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* Answers of velocities and multipliers to unit forces along all rows. */
static inline void test_answers(const test_mechanism *s, test_reduced *r)
{
    double x[TEST_SIZE * TEST_ROWS];
    for (int l = 0; l < s->rows; ++l) {
        for (int i = 0; i < s->n; ++i) {
            x[i * s->rows + l] = s->R[l][i];
        }
    }
    test_saddle(s, x, s->rows);
    for (int l = 0; l < s->rows; ++l) {
        for (int i = 0; i < s->n; ++i) {
            r->answer[l][i] = x[i * s->rows + l];
        }
        for (int k = 0; k < s->m; ++k) {
            r->multiplier[l][k] = x[(s->n + k) * s->rows + l];
        }
    }
}

static inline void test_reduce(const test_mechanism *s, test_reduced *r)
{
    memset(r, 0, sizeof *r);
    test_answers(s, r);
    for (int l = 0; l < s->rows; ++l) {
        for (int k = 0; k < s->rows; ++k) {
            r->D[k * s->rows + l] = test_dot(s->R[k], r->answer[l], s->n);
        }
        for (int i = 0; i < s->loads; ++i) {
            r->B[i * s->rows + l] = test_dot(s->L[i], r->multiplier[l], s->m);
        }
    }
    for (int k = 0; k < s->rows; ++k) { /* symmetric to the last bit */
        for (int l = 0; l < k; ++l) {
            double mean = 0.5 * (r->D[k * s->rows + l] + r->D[l * s->rows + k]);
            r->D[k * s->rows + l] = r->D[l * s->rows + k] = mean;
        }
    }
    r->p = (reduced_problem){ .row_count = s->rows,
                              .contact_count = s->contacts,
                              .element_count = s->elements,
                              .load_count = s->loads,
                              .group_count = s->groups,
                              .D = r->D,
                              .B = r->B,
                              .elements = s->element,
                              .groups = s->group };
}

/* u = R v. */
static inline void test_rows(const test_mechanism *s, const double *v, double *u)
{
    for (int k = 0; k < s->rows; ++k) {
        u[k] = test_dot(s->R[k], v, s->n);
    }
}

/* v += what impulses along the rows do. */
static inline void test_apply(const test_mechanism *s, const test_reduced *r, const double *impulse, double *v)
{
    for (int l = 0; l < s->rows; ++l) {
        for (int i = 0; i < s->n; ++i) {
            v[i] += r->answer[l][i] * impulse[l];
        }
    }
}

/* Takes from v what the joints do not allow, at least kinetic energy: M dv = G^T lambda, G (v + dv) = 0. */
static inline void test_project(const test_mechanism *s, double *v)
{
    double x[TEST_SIZE];
    for (int i = 0; i < s->n; ++i) {
        x[i] = test_dot(s->M[i], v, s->n);
    }
    test_saddle(s, x, 1);
    memcpy(v, x, (size_t)s->n * sizeof *v);
}

static inline double test_kinetic(const test_mechanism *s, const double *v)
{
    double twice = 0.0;
    for (int i = 0; i < s->n; ++i) {
        twice += v[i] * test_dot(s->M[i], v, s->n);
    }
    return 0.5 * twice;
}

/* Largest |G v|. */
static inline double test_violation(const test_mechanism *s, const double *v)
{
    double worst = 0.0;
    for (int k = 0; k < s->m; ++k) {
        worst = fmax(worst, fabs(test_dot(s->G[k], v, s->n)));
    }
    return worst;
}

#endif
