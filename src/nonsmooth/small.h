/* Products of three numbers, and sums over rows in order, for contact problems; src/nonsmooth sees base and linalg only. */
#ifndef CAROM_NONSMOOTH_SMALL_H
#define CAROM_NONSMOOTH_SMALL_H

#include <math.h>
#include <stdbool.h>

static inline double dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void cross3(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* out = A x */
static inline void times3(const double A[3][3], const double x[3], double out[3])
{
    for (int k = 0; k < 3; ++k) {
        out[k] = dot3(A[k], x);
    }
}

/* out = A B; neither of them. */
static inline void product3(const double A[3][3], const double B[3][3], double out[3][3])
{
    for (int k = 0; k < 3; ++k) {
        for (int l = 0; l < 3; ++l) {
            out[k][l] = A[k][0] * B[0][l] + A[k][1] * B[1][l] + A[k][2] * B[2][l];
        }
    }
}

/* out = A^-1 by cofactors. */
static inline void inverse3(const double A[3][3], double out[3][3])
{
    double c[3][3];
    cross3(A[1], A[2], c[0]);
    cross3(A[2], A[0], c[1]);
    cross3(A[0], A[1], c[2]);
    double d = 1.0 / dot3(A[0], c[0]);
    for (int k = 0; k < 3; ++k) {
        for (int l = 0; l < 3; ++l) {
            out[k][l] = d * c[l][k];
        }
    }
}

static inline double dot(const double *a, const double *b, int n)
{
    double sum = 0.0;
    for (int k = 0; k < n; ++k) {
        sum += a[k] * b[k];
    }
    return sum;
}

static inline double norm(const double *a, int n)
{
    return n == 1 ? fabs(a[0]) : sqrt(dot(a, a, n));
}

static inline double largest(const double *a, int n)
{
    double most = 0.0;
    for (int k = 0; k < n; ++k) {
        most = fmax(most, fabs(a[k]));
    }
    return most;
}

#endif
