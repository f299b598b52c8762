/* 3x3 matrices by value, row-major: m[3*row + column]. */
#ifndef CAROM_MATH_MAT3_H
#define CAROM_MATH_MAT3_H

#include "math/vec3.h"

typedef struct m3 {
    double m[9];
} m3;

static inline m3 m3_diag(double a, double b, double c)
{
    return (m3){ { a, 0, 0, 0, b, 0, 0, 0, c } };
}

static inline m3 m3_identity(void)
{
    return m3_diag(1.0, 1.0, 1.0);
}

static inline m3 m3_from_columns(v3 a, v3 b, v3 c)
{
    return (m3){ { a.x, b.x, c.x, a.y, b.y, c.y, a.z, b.z, c.z } };
}

static inline v3 m3_column(m3 a, int j)
{
    return (v3){ a.m[j], a.m[3 + j], a.m[6 + j] };
}

static inline v3 m3_row(m3 a, int i)
{
    return (v3){ a.m[3 * i], a.m[3 * i + 1], a.m[3 * i + 2] };
}

static inline v3 m3_mulv(m3 a, v3 v)
{
    return (v3){ a.m[0] * v.x + a.m[1] * v.y + a.m[2] * v.z, a.m[3] * v.x + a.m[4] * v.y + a.m[5] * v.z,
                 a.m[6] * v.x + a.m[7] * v.y + a.m[8] * v.z };
}

/* transpose(a) v */
static inline v3 m3_tmulv(m3 a, v3 v)
{
    return (v3){ a.m[0] * v.x + a.m[3] * v.y + a.m[6] * v.z, a.m[1] * v.x + a.m[4] * v.y + a.m[7] * v.z,
                 a.m[2] * v.x + a.m[5] * v.y + a.m[8] * v.z };
}

static inline m3 m3_transpose(m3 a)
{
    return (m3){ { a.m[0], a.m[3], a.m[6], a.m[1], a.m[4], a.m[7], a.m[2], a.m[5], a.m[8] } };
}

static inline m3 m3_mul(m3 a, m3 b)
{
    m3 c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            c.m[3 * i + j] = a.m[3 * i] * b.m[j] + a.m[3 * i + 1] * b.m[3 + j] + a.m[3 * i + 2] * b.m[6 + j];
        }
    }
    return c;
}

static inline m3 m3_add(m3 a, m3 b)
{
    for (int i = 0; i < 9; ++i) {
        a.m[i] += b.m[i];
    }
    return a;
}

static inline m3 m3_scale(double s, m3 a)
{
    for (int i = 0; i < 9; ++i) {
        a.m[i] *= s;
    }
    return a;
}

/* [a]x, so that m3_mulv(m3_skew(a), b) = a x b. */
static inline m3 m3_skew(v3 a)
{
    return (m3){ { 0, -a.z, a.y, a.z, 0, -a.x, -a.y, a.x, 0 } };
}

static inline m3 m3_outer(v3 a, v3 b)
{
    return (m3){ { a.x * b.x, a.x * b.y, a.x * b.z, a.y * b.x, a.y * b.y, a.y * b.z, a.z * b.x, a.z * b.y,
                   a.z * b.z } };
}

static inline double m3_trace(m3 a)
{
    return a.m[0] + a.m[4] + a.m[8];
}

static inline double m3_det(m3 a)
{
    return a.m[0] * (a.m[4] * a.m[8] - a.m[5] * a.m[7]) - a.m[1] * (a.m[3] * a.m[8] - a.m[5] * a.m[6]) +
           a.m[2] * (a.m[3] * a.m[7] - a.m[4] * a.m[6]);
}

/* The inverse by cofactors; the caller knows that a is regular. */
static inline m3 m3_inverse(m3 a)
{
    const double *m = a.m;
    double s = 1.0 / m3_det(a);
    return m3_scale(s, (m3){ { m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
                               m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
                               m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3] } });
}

/* R a transpose(R): a tensor given in body axes, seen in world axes. */
static inline m3 m3_rotate_tensor(m3 R, m3 a)
{
    return m3_mul(m3_mul(R, a), m3_transpose(R));
}

/* Eigenvalues (ascending) and unit eigenvectors (columns, right-handed) of a symmetric matrix, by Jacobi rotations. */
void m3_eigen_symmetric(m3 a, double values[3], m3 *vectors);

#endif
