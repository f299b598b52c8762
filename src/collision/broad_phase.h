/* Broad phase: which boxes overlap, by sweep and prune along the axis of widest spread; infinite boxes (planes) meet
 * everybody. */
#ifndef CAROM_COLLISION_BROAD_PHASE_H
#define CAROM_COLLISION_BROAD_PHASE_H

#include "math/vec3.h"

#include <carom/base.h>

typedef struct aabb {
    v3 low, high;
} aabb;

typedef struct box_pair {
    int a, b; /* a < b */
} box_pair;

typedef struct broad_phase broad_phase;

broad_phase *broad_phase_create(void); /* NULL when memory runs out */
void broad_phase_destroy(broad_phase *bp);

/* Pairs of overlapping boxes, ascending by (a, b), valid until the next call; false when memory runs out. `skip` says
 * which pairs are of no interest (same body, both fixed, ignored); NULL: none. The order of earlier calls is reused, so
 * that slow motion costs little, and never changes what is found. */
bool broad_phase_find(broad_phase *bp, const aabb *boxes, int count, bool (*skip)(const void *context, int a, int b),
                      const void *context, const box_pair **pairs, size_t *pair_count);

#endif
