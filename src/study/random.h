/* Random numbers without a state: each is a function of what it is for, so that neither order nor threads nor further draws
 * change it. Philox 4x32-10 [Salmon2011]. */
#ifndef CAROM_STUDY_RANDOM_H
#define CAROM_STUDY_RANDOM_H

#include <stdint.h>

/* One draw: `of` counts what is drawn (a run, a point), `name` tells apart what for (a hash), `seed` is the user's. */
typedef struct draw {
    uint64_t seed;
    uint64_t of;
    uint64_t name;
} draw;

/* 64 bits. */
uint64_t draw_bits(draw d);

/* Within (0, 1), both ends excluded. */
double draw_uniform(draw d);

/* A number from 0 to n - 1, n > 0. */
uint64_t draw_below(draw d, uint64_t n);

/* The hash of a name, mixed with a number that tells purposes apart. */
uint64_t draw_name(const char *name, uint64_t purpose);

/* The ten rounds themselves. */
void philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

#endif
