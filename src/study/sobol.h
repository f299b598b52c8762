/* Sobol' points, plain or scrambled [JoeKuo2008] [Owen1995]. */
#ifndef CAROM_STUDY_SOBOL_H
#define CAROM_STUDY_SOBOL_H

#include <stdint.h>

enum { SOBOL_DIMENSIONS = 32, SOBOL_BITS = 32 };

/* Coordinate `dimension` of point `n` < 2^32 as a fraction of 2^32, in the order of the Gray code that the published generator has. */
uint32_t sobol_point(uint32_t n, int dimension);

/* The same bits permuted at random, nested by their leading ones, as seed and name say: digits of Owen. */
uint32_t sobol_scramble(uint32_t x, uint64_t seed, uint64_t name);

#endif
