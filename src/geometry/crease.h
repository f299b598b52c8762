/* A surface as it is lit: a vertex for each position and normal. */
#ifndef CAROM_GEOMETRY_CREASE_H
#define CAROM_GEOMETRY_CREASE_H

#include <carom/result.h>

#include "base/arena.h"

typedef struct crease_surface {
    size_t vertex_count;
    size_t triangle_count;
    float *positions; /* [m] */
    float *normals;   /* unit */
    uint32_t *triangles;
    uint32_t *source; /* vertex of the given surface that each one comes from */
    size_t edge_count;
    uint32_t *
        edges; /* two vertices each: where faces differ by more than the angle, or only one face or more than two meet */
} crease_surface;

/* Normals are smooth across edges whose faces differ by less than the angle with this cosine, sharp elsewhere. Triangles
 * without area are left out. Only sums, products, quotients and roots are taken: the same bits on every machine. False when
 * memory runs out. */
bool crease_split(const carom_surface *surface, double cosine, carom_arena *arena, crease_surface *out);

#endif
