/* Convex shapes with exact contact points: balls, half-spaces, and polyhedra with corners, faces and edges.
 *
 * Two shapes that are near each other touch in a manifold: one point where they are round or meet by edges, up to
 * eight where a face lies on a face. Every point has an exact gap, positive while they are apart, so that a time step can let it close
 * and no further. Points are told apart by the features that make them, which stay the same while bodies move a little. */
#ifndef CAROM_COLLISION_CONVEX_H
#define CAROM_COLLISION_CONVEX_H

#include <carom/base.h>

#include "collision/collider.h"

typedef struct convex convex;

/* NULL: the collider was made without facets, is none of these shapes, is not convex or has very many faces. */
const convex *collider_convex(const collider *c);

/* A convex shape where it is. Plain data but for the arrays, which grow and are reused. */
typedef struct placed_convex {
    const convex *shape;
    v3 x_w;      /* [m] of the ball's centre; some point of the plane; the middle of a polyhedron */
    v3 *corners; /* [m] of a polyhedron */
    v3 *normals; /* of its faces, outwards; of a half-space the only one */
    size_t corner_capacity, normal_capacity;
} placed_convex;

/* False when memory runs out. */
bool convex_place(placed_convex *out, const convex *shape, carom_pose pose_w);
void placed_convex_free(placed_convex *p);

typedef struct manifold_point {
    v3 p_w;           /* [m] in the middle between both surfaces */
    v3 normal_w;      /* unit, from B to A */
    double gap;       /* [m] */
    uint32_t feature; /* what makes the point, */
    uint32_t partner; /* and of the other side */
} manifold_point;

/* 8 corners of a clipped face are the most that two polyhedra without curved outlines need; faces with more corners have more. */
enum { MANIFOLD_MOST = 64 };

/* Points of two shapes whose gaps are below `margin` [m]. Returns how many; out has room for MANIFOLD_MOST. */
int manifold_find(const placed_convex *a, const placed_convex *b, double margin, manifold_point *out);

#endif
