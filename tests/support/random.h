/* Random vectors for tests. */
#ifndef CAROM_TESTS_RANDOM_H
#define CAROM_TESTS_RANDOM_H

#include "math/vec3.h"
#include "support/check.h"

static inline v3 random_v3(test_rng *rng, double size)
{
    double x = test_rng_uniform(rng, -size, size);
    double y = test_rng_uniform(rng, -size, size);
    double z = test_rng_uniform(rng, -size, size);
    return v3_make(x, y, z);
}

/* Evenly spread over the sphere: what falls outside it, or too near its centre to be normalised well, is drawn again. */
static inline v3 random_direction(test_rng *rng)
{
    for (;;) {
        v3 v = random_v3(rng, 1.0);
        double norm2 = v3_norm2(v);
        if (norm2 > 0.01 && norm2 < 1.0) {
            return v3_unit(v);
        }
    }
}

#endif
