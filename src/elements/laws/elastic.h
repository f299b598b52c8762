/* Powers of the penetration, what most normal laws are made of. */
#ifndef CAROM_ELEMENTS_LAWS_ELASTIC_H
#define CAROM_ELEMENTS_LAWS_ELASTIC_H

#include "elements/laws/law.h"

/* Larger exponents leave nothing but overflow. */
static const double LARGEST_EXPONENT = 10.0;

/* p^n for p > 0; the usual exponents without the cost of pow. */
static inline double law_power(double p, double n)
{
    return n == 1.0 ? p : n == 1.5 ? p * sqrt(p) : n == 0.0 ? 1.0 : n == 2.0 ? p * p : pow(p, n);
}

/* k p^n for p > 0. */
static inline law_force law_elastic(double p, double k, double n)
{
    double force = k * law_power(p, n);
    return (law_force){
        .force = force,
        .d_gap = -n * (force / p),
        .elastic = force,
        .potential = force * p / (n + 1.0),
    };
}

/* With the damping force and its derivatives added; cut off where the sum would pull. */
static inline law_force law_damped(law_force elastic, law_force damping)
{
    law_force sum = elastic;
    sum.force += damping.force;
    sum.d_gap += damping.d_gap;
    sum.d_gap_rate += damping.d_gap_rate;
    if (sum.force <= 0.0) {
        sum.force = sum.d_gap = sum.d_gap_rate = 0.0;
    }
    return sum;
}

/* A stiffness is given. */
static inline carom_status law_check_stiffness(double k, const char *law, carom_error *err)
{
    return isfinite(k) && k > 0.0 ? CAROM_OK
                                  : carom_fail(err, CAROM_BAD_INPUT,
                                               "the stiffness k of the law '%s' is %g; give a positive one", law, k);
}

/* Below 1 the stiffness would be infinite at first touch. */
static inline carom_status law_check_exponent(double n, const char *name, const char *law, carom_error *err)
{
    return n >= 1.0 && n <= LARGEST_EXPONENT
               ? CAROM_OK
               : carom_fail(err, CAROM_BAD_INPUT,
                            "the exponent %s of the law '%s' is %g; it must lie between 1 and %g", name, law, n,
                            LARGEST_EXPONENT);
}

static inline carom_status law_check_nonnegative(double x, const char *name, const char *law, carom_error *err)
{
    return isfinite(x) && x >= 0.0
               ? CAROM_OK
               : carom_fail(err, CAROM_BAD_INPUT, "%s of the law '%s' is %g; it must not be negative", name, law, x);
}

#endif
