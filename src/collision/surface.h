/* The surface of a body as vertices, edges and triangles that may meet those of other bodies, under a tree of boxes. All of it
 * is in the body's own axes. Built once, then read by any number of threads.
 *
 * A leaf of the tree is one triangle, or an edge or a vertex that belongs to none (wires, points, the skeletons of round
 * primitives). Each vertex and each edge is owned by exactly one leaf. So the pairs of features of two surfaces, found leaf
 * pair by leaf pair, come up exactly once each. */
#ifndef CAROM_COLLISION_SURFACE_H
#define CAROM_COLLISION_SURFACE_H

#include "geometry/feature_distance.h"
#include "geometry/mesh.h"
#include "geometry/shape.h"

/* What one shape adds to the surface of its body: a mesh, or points and lines, which may be round. */
typedef struct surface_part {
    const mesh *mesh; /* or NULL, and the vertices and edges below */
    int vertex_count;
    const v3 *vertices; /* [m] in the shape's axes */
    int edge_count;
    const int (*edges)[2];
    double rounding;   /* [m] radius around vertices and edges. One vertex: a ball; one edge: a capsule */
    carom_pose pose_c; /* of the shape's axes, in the body's */
} surface_part;

enum { NO_TRIANGLE = -1 };

typedef struct surface_leaf {
    int triangle; /* or NO_TRIANGLE: a bare edge or a bare vertex */
    int vertex_count, edge_count;
    int vertices[3], edges[3]; /* owned */
} surface_leaf;

typedef struct surface_node {
    v3 center, half; /* [m] box, without rounding */
    double radius;   /* [m] of the ball around the box */
    double rounding; /* [m] largest inside */
    int leaf;        /* or -1 */
    int other;       /* second child; the first is the next node */
} surface_node;

typedef struct surface {
    int vertex_count, edge_count, triangle_count, leaf_count, node_count;
    v3 *vertices; /* [m] */
    int (*edges)[2];
    int (*triangles)[3];
    double *vertex_rounding; /* [m] */
    double *edge_rounding;   /* [m] */
    surface_leaf *leaves;
    surface_node *nodes; /* depth first; the root is node 0 */
    double radius;       /* [m] of the ball around the origin that holds all, rounding included */

    bool
        half_space; /* all below the plane through the origin across `normal`: no features, met by the vertices of others */
    v3 normal; /* unit, out of the solid side */
} surface;

carom_status surface_create(surface **out, const surface_part *parts, int count, carom_error *err);
carom_status surface_create_half_space(surface **out, v3 normal, carom_error *err);
void surface_destroy(surface *s);

/* The surface of a shape in its own axes: a ball, a line with its rounding, a half-space, or triangles; those of round edges are
 * inscribed, so that they lie inside by at most 0.12 % of the radius. */
carom_status surface_of_shape(surface **out, const carom_shape_type *type, const void *params, const mesh *m,
                              carom_error *err);

/* ---- pairs of features ---------------------------------------------------------------------------------------------- */

typedef enum feature_kind { SURFACE_PLANE, SURFACE_VERTEX, SURFACE_EDGE, SURFACE_TRIANGLE } feature_kind;

/* A feature of surface A and one of surface B; kinds are also their numbers of vertices. The plane of a half-space has none,
 * and the index 0. */
typedef struct feature_pair {
    uint8_t kind[2]; /* feature_kind */
    int index[2];
} feature_pair;

enum { LEAF_PAIRS = 16 }; /* at most, of two leaves */

/* What a leaf is: its triangle, its bare edge or its bare vertex. Returns the kind. */
int surface_leaf_feature(const surface *s, int leaf, int *index);

/* Which of two nodes a descent opens next: true the first, the larger one that has children. */
static inline bool surface_opens_first(const surface_node *a, const surface_node *b)
{
    return b->leaf >= 0 || (a->leaf < 0 && a->radius > b->radius);
}

/* The pairs of features owned by two leaves. Two triangles: vertex-triangle both ways and edge-edge. A bare edge also meets the
 * vertices of the other leaf, which stand for edges parallel to it; two bare vertices meet each other if one of them is
 * round. Returns how many. */
int surface_leaf_pairs(const surface *a, int leaf_a, const surface *b, int leaf_b, feature_pair out[LEAF_PAIRS]);

/* Sum of the roundings of both features [m]. */
double feature_pair_rounding(const surface *a, const surface *b, const feature_pair *pair);

/* Vertices of a feature, as indices; returns how many. */
int surface_corners(const surface *s, int kind, int index, int out[3]);

/* The distance of two features whose vertices stand at x and y; roundings are not taken off. Not for planes. */
feature_distance feature_pair_distance(const feature_pair *pair, const v3 x[3], const v3 y[3]);

#endif
