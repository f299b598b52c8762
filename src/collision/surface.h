/* The surface of a body as vertices, edges and triangles that may meet those of other bodies, under a tree of boxes. All of it
 * is in the body's own axes. Built once, then read by any number of threads.
 *
 * A leaf of the tree is one triangle, or an edge or a vertex that belongs to none (wires, points, the skeletons of round
 * primitives). Each vertex and each edge is owned by exactly one leaf. So the pairs of features of two surfaces, found leaf
 * pair by leaf pair, come up exactly once each. */
#ifndef CAROM_COLLISION_SURFACE_H
#define CAROM_COLLISION_SURFACE_H

#include "geometry/feature_distance.h"
#include "geometry/mesh_topology.h"
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

enum { SURFACE_LANES = 4 };

typedef struct surface_leaf {
    double corner[3][SURFACE_LANES]; /* [m] x, y and z of its corners; the last one is repeated */
    v3 normal;                       /* unit vector across the triangle; zero: has none */
    double rounding;                 /* [m] of all of it */
    int triangle;                    /* or NO_TRIANGLE: a bare edge or a bare vertex */
    int vertex_count, edge_count;
    int vertices[3], edges[3]; /* owned */
    uint8_t vertex_at[3];      /* which corners they are */
    uint8_t edge_at[3][2];     /* from which corner to which, as the edge goes */
    bool round;                /* a solid cylinder: its corners are those of its box */
} surface_leaf;

/* Up to four boxes side by side, the children of one box. A box is named by its slot, 4 group + lane. Group 0 holds the box of
 * all, slot 0, alone. */
typedef struct surface_group {
    double center[3][SURFACE_LANES], half[3][SURFACE_LANES]; /* [m] boxes, without rounding */
    double radius[SURFACE_LANES];                            /* [m] of the balls around the boxes */
    double rounding[SURFACE_LANES];                          /* [m] largest inside */
    int child[SURFACE_LANES];                                /* a group, or ~leaf */
    int count;
} surface_group;

typedef struct surface_box {
    v3 center, half;
    double radius, rounding;
    int child;
} surface_box;

typedef struct surface {
    int vertex_count, edge_count, triangle_count, leaf_count, group_count;
    v3 *vertices; /* [m] */
    int (*edges)[2];
    int (*triangles)[3];
    double *vertex_rounding; /* [m] */
    double *edge_rounding;   /* [m] */
    surface_leaf *leaves;
    surface_group *groups;
    double radius; /* [m] of the ball around the origin that holds all, rounding included */

    /* Flat faces of several triangles and straight lines of several edges. Inside of them there is no corner and no edge of the solid:
     * nothing is nearest to another surface there that is not as near at the outline, or for the other's corners (surface_faces.c). */
    int *faces;           /* of triangles; -1: one that is a face by itself */
    int *lines;           /* of edges; -1: of no mesh, or inside of a face */
    int (*line_ends)[2];  /* of edges: vertices at the ends of their lines */
    bool *inner_vertices; /* inside of a face or of a line */
    bool *inner_edges;    /* between two triangles of a face */
    uint8_t *
        inner_parts; /* of triangles: bits of sides that are inner, from 1 on, and of corners inside of faces that no earlier one has, from 8 on */
    double bulge;    /* [m] corners of faces and lines are no farther from their planes and straight lines */

    /* Circular edges of a cylinder or a cone. Of a cone they are met by half-spaces; to all others they are the polygons of their
     * vertices. A cylinder is round: its one leaf is its solid, and its vertices and edges are those of its rims. */
    bool round;
    int rim_count;
    shape_rim rims[2];
    int rim_points[2];   /* vertices on each */
    int8_t *vertex_rims; /* on which of them a vertex lies, or -1; NULL: no rims */

    bool
        half_space; /* all below the plane through the origin across `normal`: no features, met by the vertices of others */
    v3 normal; /* unit, out of the solid side */
} surface;

carom_status surface_create(surface **out, const surface_part *parts, int count, carom_error *err);
carom_status surface_create_half_space(surface **out, v3 normal, carom_error *err);
void surface_destroy(surface *s);

/* The surface of a shape in its own axes: a ball, a line with its rounding, a half-space, a solid cylinder, or triangles. Of cones
 * these are inscribed: they lie inside by at most 0.12 % of the radius. Against half-spaces their rims are exact circles, and so
 * are they, since a plane touches them first at a rim or at the tip. */
carom_status surface_of_shape(surface **out, const carom_shape_type *type, const void *params, const mesh *m,
                              carom_error *err);

/* Finds the flat faces and straight lines of a part whose vertices, edges and triangles are those from `first_...` on. False when memory
 * runs out. */
bool surface_find_faces(surface *s, const surface_part *part, const mesh_edges *sides, int first_vertex,
                        int first_edge, int first_triangle);

/* ---- tree ------------------------------------------------------------------------------------------------------------- */

/* Builds the groups over the leaves; false when memory runs out. */
bool surface_build_tree(surface *s);

static inline surface_box surface_box_at(const surface *s, int slot)
{
    const surface_group *g = &s->groups[slot / SURFACE_LANES];
    int k = slot % SURFACE_LANES;
    return (surface_box){ .center = { g->center[0][k], g->center[1][k], g->center[2][k] },
                          .half = { g->half[0][k], g->half[1][k], g->half[2][k] },
                          .radius = g->radius[k],
                          .rounding = g->rounding[k],
                          .child = g->child[k] };
}

/* ---- pairs of features ---------------------------------------------------------------------------------------------- */

typedef enum feature_kind {
    SURFACE_PLANE,
    SURFACE_VERTEX,
    SURFACE_EDGE,
    SURFACE_TRIANGLE,
    SURFACE_RIM,
    SURFACE_ROUND,
    SURFACE_FEATURE_KINDS
} feature_kind;

/* A feature of surface A and one of surface B; kinds are also their numbers of vertices, up to triangles. The plane of a half-space
 * has none, and the index 0; rims and solids have none. */
typedef struct feature_pair {
    uint8_t kind[2]; /* feature_kind */
    int index[2];
} feature_pair;

enum { LEAF_PAIRS = 16 }; /* at most, of two leaves */

/* What a leaf is: its triangle, its bare edge or its bare vertex. Returns the kind. */
int surface_leaf_feature(const surface *s, int leaf, int *index);

/* A pair of features of two leaves, and which corners of these their vertices are. */
typedef struct leaf_pair {
    feature_pair pair;
    uint8_t corner[2][3];
} leaf_pair;

/* The pairs of features owned by two leaves. Two triangles: vertex-triangle both ways and edge-edge. A bare edge also meets the
 * vertices of the other leaf, which stand for edges parallel to it; two bare vertices meet each other if one of them is
 * round. Returns how many. */
int surface_leaf_pairs(const surface *a, int leaf_a, const surface *b, int leaf_b, leaf_pair out[LEAF_PAIRS]);

/* [m] radius around a feature; around the feature that a leaf is. */
double surface_rounding(const surface *s, int kind, int index);

/* Sum of the roundings of both features [m]. */
double feature_pair_rounding(const surface *a, const surface *b, const feature_pair *pair);

/* Names of the kinds, for messages. */
extern const char *const surface_kind_names[SURFACE_FEATURE_KINDS];

/* Vertices of a feature, as indices; returns how many. */
int surface_corners(const surface *s, int kind, int index, int out[3]);

/* The distance of two features whose vertices stand at x and y; roundings are not taken off. Not for planes. */
feature_distance feature_pair_distance(const feature_pair *pair, const v3 x[3], const v3 y[3]);

#endif
