/* A tree of boxes over the triangles of a mesh: closest points, side of the surface, winding numbers, triangles that
 * cut each other. Built once, then read by any number of threads. */
#ifndef CAROM_GEOMETRY_BVH_H
#define CAROM_GEOMETRY_BVH_H

#include "geometry/mesh.h"

typedef struct bvh bvh;

/* The mesh must outlive the tree and have at least one triangle; triangles without area count as what is left of them
 * (a segment, a point). */
carom_status bvh_create(bvh **out, const mesh *m, carom_error *err);

/* The same without winding numbers, which take a fifth of the time; they may be prepared later, before other threads
 * read the tree. */
carom_status bvh_create_plain(bvh **out, const mesh *m, carom_error *err);
carom_status bvh_prepare_winding(bvh *t, carom_error *err);
void bvh_destroy(bvh *t);

/* Where on a triangle: a corner 0..2, an edge 3..5 (01, 12, 20), or the face. */
enum { FEATURE_EDGE = 3, FEATURE_FACE = 6 };

typedef struct bvh_hit {
    int triangle; /* -1: nothing nearer than the limit */
    int feature;
    double dist2; /* [m^2] */
    v3 point;     /* nearest point of the surface */
} bvh_hit;

/* Nearest point of the surface, exact to rounding in double. `hint` is a triangle that is probably near, or -1: it
 * makes the search faster and never changes dist2. Only what is nearer than sqrt(limit2) is looked for. */
bvh_hit bvh_closest(const bvh *t, v3 p, int hint, double limit2);

/* +1 outside, -1 inside, by the angle-weighted pseudonormal of the feature hit [Baerentzen2005]: exact for
 * closed surfaces without self-intersections. */
double bvh_side(const bvh *t, v3 p, const bvh_hit *hit);

/* Generalised winding number [Jacobson2013] with far clusters by their moments [Barill2018]: about 1 inside, 0
 * outside, and in between near holes. */
double bvh_winding(const bvh *t, v3 p);

/* How many pairs of triangles cut each other and share no vertex, up to `most`; most + 1: there are more, and the search
 * has ended. At most `capacity` pairs are written, ascending: the first ones if all were counted. */
size_t bvh_self_intersections(const bvh *t, size_t most, int (*pairs)[2], size_t capacity);

/* Nearest point on one triangle; returns the squared distance. */
double triangle_closest(v3 p, v3 a, v3 b, v3 c, v3 *nearest, int *feature);

#endif
