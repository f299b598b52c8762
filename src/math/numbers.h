/* Sums over arrays of numbers, term by term in their order. */
#ifndef CAROM_MATH_NUMBERS_H
#define CAROM_MATH_NUMBERS_H

#include <stddef.h>

static inline double numbers_dot(const double *a, const double *b, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

#endif
