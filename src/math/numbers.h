/* Sums over arrays of numbers. */
#ifndef CAROM_MATH_NUMBERS_H
#define CAROM_MATH_NUMBERS_H

#include <stddef.h>

/* Term by term in their order. */
static inline double numbers_dot(const double *a, const double *b, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* Four sums side by side, for long arrays: one alone waits for each addition. */
static inline double numbers_dot_wide(const double *a, const double *b, size_t count)
{
    enum { LANES = 4 };
    double sum[LANES] = { 0.0 };
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        for (size_t k = 0; k < LANES; ++k) {
            sum[k] += a[i + k] * b[i + k];
        }
    }
    for (; i < count; ++i) {
        sum[0] += a[i] * b[i];
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

#endif
