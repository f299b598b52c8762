/* A surface whose vertices move: triangles that close it, or the axis of a round bar or beam with flat ends. Who knows the body writes the
 * vertices; the tree of facets keeps its shape and follows by its boxes. */
#ifndef CAROM_COLLISION_SOFT_H
#define CAROM_COLLISION_SOFT_H

#include "collision/broad_phase.h"
#include "math/vec3.h"

typedef struct soft_facet {
    int count; /* 3; of an axis 2 */
    int vertices[3];
    bool end[2]; /* of an axis: a flat face here */
} soft_facet;

typedef struct soft_surface soft_surface;

/* `at`: where the vertices are when the tree is made; radius 0: triangles. NULL when memory runs out. */
soft_surface *soft_create(const v3 *at, int vertex_count, const soft_facet *facets, int facet_count, double radius);
void soft_destroy(soft_surface *s);

/* To be written, then soft_refit: vertices, and of an axis the unit vectors along it. */
v3 *soft_vertices(soft_surface *s);
v3 *soft_axes(soft_surface *s);
void soft_refit(soft_surface *s);

/* Around all of it. */
aabb soft_bounds(const soft_surface *s);

/* Where the surface is nearest to a point. */
typedef struct soft_hit {
    int count; /* of vertices that carry the place */
    int vertices[3];
    double weight[3];
    double gap;  /* [m] negative inside */
    v3 normal_w; /* its gradient, outwards */
} soft_hit;

/* False: nothing is nearer than `limit`, and the point is not inside. The gap changes at the rate normal . (velocity of the point - that of
 * the place, carried along), which is exact. */
bool soft_nearest(const soft_surface *s, v3 p, double limit, soft_hit *out);

/* The point of the flat section of an axis at a vertex that is farthest against `outward`: of a round body what touches a plane below it. */
v3 soft_rim(const soft_surface *s, int vertex, v3 outward);

#endif
