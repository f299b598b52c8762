/* Shapes at random for scenes of random solids. */
#ifndef CAROM_TESTS_SUPPORT_RANDOM_SHAPE_H
#define CAROM_TESTS_SUPPORT_RANDOM_SHAPE_H

#include <stdio.h>

#include "support/random.h"

/* One of 0 .. count - 1. */
static inline int test_rng_pick(test_rng *rng, int count)
{
    return (int)test_rng_uniform(rng, 0.0, count - 1e-9);
}

/* A sphere, box, capsule or cylinder within a ball of radius 0.1 m, as scenes write it. */
static inline void random_shape(test_rng *rng, char *out, size_t room)
{
    double a = test_rng_uniform(rng, 0.03, 0.05);
    double b = test_rng_uniform(rng, 0.02, 0.05);
    double c = test_rng_uniform(rng, 0.02, 0.05);
    switch (test_rng_pick(rng, 4)) {
    case 0:
        snprintf(out, room, "{\"sphere\": %.17g}", a);
        break;
    case 1:
        snprintf(out, room, "{\"box\": [%.17g, %.17g, %.17g]}", 2.0 * a, 2.0 * b, 2.0 * c);
        break;
    case 2:
        snprintf(out, room, "{\"capsule\": {\"radius\": %.17g, \"length\": %.17g}}", b, a);
        break;
    default:
        snprintf(out, room, "{\"cylinder\": {\"radius\": %.17g, \"length\": %.17g}}", b, 2.0 * a);
        break;
    }
}

#endif
