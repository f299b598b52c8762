/* What a convex shape is made of. Internal to collision. */
#ifndef CAROM_COLLISION_CONVEX_BUILD_H
#define CAROM_COLLISION_CONVEX_BUILD_H

#include "base/arena.h"
#include "collision/convex.h"
#include "collision/facets.h"

typedef enum convex_kind { CONVEX_BALL, CONVEX_HALF_SPACE, CONVEX_POLYHEDRON } convex_kind;

enum { CONVEX_FACES = 64, CONVEX_SIDES = 32 }; /* the most that manifolds are found for */

typedef struct convex_face {
    v3 normal;        /* outwards */
    int first, count; /* corners in `loops`, counter-clockwise */
} convex_face;

typedef struct convex_edge {
    int ends[2];
    int faces[2];
} convex_edge;

struct convex {
    carom_arena arena;
    convex_kind kind;
    v3 r;          /* [m] centre, or a point of the plane, in the axes of the collider */
    double radius; /* [m] of a ball */
    double reach;  /* [m] from r to the farthest corner */
    int corner_count, face_count, edge_count;
    v3 *corners;
    convex_face *faces;
    convex_edge *edges;
    int *loops;
};

/* *out: the ball, half-space or convex polyhedron that the facets are, or NULL where they are none of these. False: no memory. */
bool convex_create(const facets *f, convex **out);
void convex_destroy(convex *c);

#endif
