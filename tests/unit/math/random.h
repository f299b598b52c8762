/* Random vectors, matrices and rotations, and how far two of a kind are apart. */
#ifndef CAROM_TESTS_MATH_RANDOM_H
#define CAROM_TESTS_MATH_RANDOM_H

#include "math/quat.h"
#include "support/random.h"

static inline quat random_rotation(test_rng *rng)
{
    v3 axis = random_direction(rng);
    return q_axis_angle(axis, test_rng_uniform(rng, -6.28, 6.28));
}

static inline m3 random_m3(test_rng *rng, double size)
{
    m3 a;
    for (int i = 0; i < 9; ++i) {
        a.m[i] = test_rng_uniform(rng, -size, size);
    }
    return a;
}

/* The largest difference of entries. */
static inline double m3_apart(m3 a, m3 b)
{
    double apart = 0.0;
    for (int i = 0; i < 9; ++i) {
        apart = fmax(apart, fabs(a.m[i] - b.m[i]));
    }
    return apart;
}

static inline double v3_apart(v3 a, v3 b)
{
    return v3_norm(v3_sub(a, b));
}

/* As rotations: q and -q are the same. */
static inline double q_apart(quat a, quat b)
{
    return m3_apart(q_matrix(a), q_matrix(b));
}

#endif
