/* Sobol' points. Direction numbers are the first of "new-joe-kuo-6" [JoeKuo2008]: facts published for everyone's use. */
#include "study/sobol.h"

#include "study/random.h"

enum { DEGREE_MOST = 7 };

/* A primitive polynomial (its degree and the coefficients between the first and the last) and the first direction numbers. */
typedef struct direction {
    uint8_t degree, coefficients;
    uint8_t first[DEGREE_MOST];
} direction;

/* clang-format off */
static const direction directions[SOBOL_DIMENSIONS - 1] = {
    { 1, 0, { 1 } },                        { 2, 1, { 1, 3 } },                     { 3, 1, { 1, 3, 1 } },
    { 3, 2, { 1, 1, 1 } },                  { 4, 1, { 1, 1, 3, 3 } },               { 4, 4, { 1, 3, 5, 13 } },
    { 5, 2, { 1, 1, 5, 5, 17 } },           { 5, 4, { 1, 1, 5, 5, 5 } },            { 5, 7, { 1, 1, 7, 11, 19 } },
    { 5, 11, { 1, 1, 5, 1, 1 } },           { 5, 13, { 1, 1, 1, 3, 11 } },          { 5, 14, { 1, 3, 5, 5, 31 } },
    { 6, 1, { 1, 3, 3, 9, 7, 49 } },        { 6, 13, { 1, 1, 1, 15, 21, 21 } },     { 6, 16, { 1, 3, 1, 13, 27, 49 } },
    { 6, 19, { 1, 1, 1, 15, 7, 5 } },       { 6, 22, { 1, 3, 1, 15, 13, 25 } },     { 6, 25, { 1, 1, 5, 5, 19, 61 } },
    { 7, 1, { 1, 3, 7, 11, 23, 15, 103 } }, { 7, 4, { 1, 3, 7, 13, 13, 15, 69 } },  { 7, 7, { 1, 1, 3, 13, 7, 35, 63 } },
    { 7, 8, { 1, 3, 5, 9, 1, 25, 53 } },    { 7, 14, { 1, 3, 1, 13, 9, 35, 107 } }, { 7, 19, { 1, 3, 1, 5, 27, 61, 31 } },
    { 7, 21, { 1, 1, 5, 11, 19, 41, 61 } }, { 7, 28, { 1, 3, 5, 3, 3, 13, 69 } },   { 7, 31, { 1, 1, 7, 13, 1, 19, 1 } },
    { 7, 32, { 1, 3, 7, 5, 13, 19, 59 } },  { 7, 37, { 1, 1, 3, 9, 25, 29, 41 } },  { 7, 41, { 1, 3, 5, 13, 23, 1, 55 } },
    { 7, 42, { 1, 3, 7, 3, 13, 59, 17 } },
};
/* clang-format on */

/* v[k] of a dimension, the most significant bit first. */
static void fill_directions(uint32_t v[SOBOL_BITS], int dimension)
{
    if (dimension == 0) {
        for (int k = 0; k < SOBOL_BITS; ++k) {
            v[k] = UINT32_C(1) << (SOBOL_BITS - 1 - k);
        }
        return;
    }
    const direction *d = &directions[dimension - 1];
    int s = d->degree;
    for (int k = 0; k < SOBOL_BITS; ++k) {
        if (k < s) {
            v[k] = (uint32_t)d->first[k] << (SOBOL_BITS - 1 - k);
            continue;
        }
        v[k] = v[k - s] ^ (v[k - s] >> s);
        for (int i = 1; i < s; ++i) {
            v[k] ^= (uint32_t)(d->coefficients >> (s - 1 - i) & 1) * v[k - i];
        }
    }
}

uint32_t sobol_point(uint32_t n, int dimension)
{
    uint32_t v[SOBOL_BITS];
    uint32_t gray = n ^ (n >> 1);
    uint32_t x = 0;
    fill_directions(v, dimension);
    for (int k = 0; k < SOBOL_BITS; ++k) {
        x ^= (gray >> k & 1) * v[k];
    }
    return x;
}

/* Each bit is flipped or not by a draw of its own for every value of the bits before it. */
uint32_t sobol_scramble(uint32_t x, uint64_t seed, uint64_t name)
{
    uint32_t out = 0;
    for (int k = 0; k < SOBOL_BITS; ++k) {
        uint64_t before = k > 0 ? (uint64_t)(x >> (SOBOL_BITS - k)) : 0;
        uint32_t flip = (uint32_t)(draw_bits((draw){ seed, (UINT64_C(1) << k) + before, name }) & 1);
        uint32_t bit = x >> (SOBOL_BITS - 1 - k) & 1;
        out |= (bit ^ flip) << (SOBOL_BITS - 1 - k);
    }
    return out;
}
