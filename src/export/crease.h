/* A surface as it is lit: a vertex for each position and normal. */
#ifndef CAROM_EXPORT_CREASE_H
#define CAROM_EXPORT_CREASE_H

#include <carom/result.h>

#include "base/arena.h"

typedef struct crease_surface {
    size_t vertex_count;
    size_t triangle_count;
    float *positions; /* [m] */
    float *normals;   /* unit */
    uint32_t *triangles;
} crease_surface;

/* Normals are smooth across edges whose faces differ by less than `angle` [rad], sharp elsewhere. Triangles without
 * area are left out. False when memory runs out. */
bool crease_split(const carom_surface *surface, double angle, carom_arena *arena, crease_surface *out);

#endif
