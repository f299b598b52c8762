/* Reference solutions in long double: small systems of ordinary differential equations by the classical Runge-Kutta
 * method with steps so short that only rounding of the engine is left to see, and Jacobi's elliptic functions. */
#ifndef CAROM_TESTS_REFERENCE_H
#define CAROM_TESTS_REFERENCE_H

#include <math.h>
#include <string.h>

enum { REFERENCE_SIZE = 16 };

typedef void (*reference_rate)(long double *rate, const long double *y, const void *context);

typedef struct reference_motion {
    reference_rate rate;
    const void *context;
    int size;
    long double step; /* [s] at most */
    long double t;
    long double y[REFERENCE_SIZE];
} reference_motion;

static inline void reference_step(reference_motion *m, long double h)
{
    static const long double node[4] = { 0.0L, 0.5L, 0.5L, 1.0L };
    static const long double weight[4] = { 1.0L / 6, 1.0L / 3, 1.0L / 3, 1.0L / 6 };
    long double k[REFERENCE_SIZE] = { 0 };
    long double sum[REFERENCE_SIZE] = { 0 };
    for (int s = 0; s < 4; ++s) {
        long double y[REFERENCE_SIZE];
        for (int i = 0; i < m->size; ++i) {
            y[i] = m->y[i] + node[s] * h * k[i];
        }
        m->rate(k, y, m->context);
        for (int i = 0; i < m->size; ++i) {
            sum[i] += weight[s] * k[i];
        }
    }
    for (int i = 0; i < m->size; ++i) {
        m->y[i] += h * sum[i];
    }
    m->t += h;
}

static inline void reference_advance(reference_motion *m, long double t)
{
    long double span = t - m->t;
    int count = (int)ceill(span / m->step);
    for (int i = 0; i < count; ++i) {
        reference_step(m, span / count);
    }
    m->t = t;
}

/* Complete elliptic integral K(k) by the arithmetic-geometric mean. */
static inline long double elliptic_K(long double k)
{
    long double a = 1.0L;
    long double b = sqrtl(1.0L - k * k);
    while (fabsl(a - b) > 1e-19L * a) {
        long double mean = 0.5L * (a + b);
        b = sqrtl(a * b);
        a = mean;
    }
    return acosl(-1.0L) / (2.0L * a);
}

/* Jacobi's sn(u, k) by descending Landen transformations [Abramowitz, Stegun 16.4]. */
static inline long double elliptic_sn(long double u, long double k)
{
    enum { LEVELS = 12 };
    long double a[LEVELS];
    long double c[LEVELS];
    long double b = sqrtl(1.0L - k * k);
    int n = 0;
    a[0] = 1.0L;
    c[0] = k;
    while (n + 1 < LEVELS && fabsl(c[n]) > 1e-20L) {
        a[n + 1] = 0.5L * (a[n] + b);
        c[n + 1] = 0.5L * (a[n] - b);
        b = sqrtl(a[n] * b);
        ++n;
    }
    long double phi = ldexpl(a[n] * u, n);
    for (; n > 0; --n) {
        phi = 0.5L * (phi + asinl(c[n] / a[n] * sinl(phi)));
    }
    return sinl(phi);
}

#endif
