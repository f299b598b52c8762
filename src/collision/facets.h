/* A collider seen as corners, edges and faces, some of them rounded. Built once, then read by any number of threads.
 * Internal to collision.
 *
 * A ball is one corner, rounded, and so is an ellipsoid, with its half axes; a capsule or rod two corners and an edge without faces, a half-space one face without end. All
 * else is a polyhedron: triangles in one plane are one face, edges between them are none; edges and corners that nothing
 * can touch from outside (reflex ones) are left out.
 *
 * The side of a cylinder, its barrel, is its axis as a rounded edge. Both ends of the axis are corners of their own
 * kind: seen at right angles to the axis they are where the barrel ends. */
#ifndef CAROM_COLLISION_FACETS_H
#define CAROM_COLLISION_FACETS_H

#include "collision/feature_tree.h"
#include "geometry/mesh.h"
#include "geometry/shape.h"

/* Spokes are the unit vectors along all edges that leave the corner: a plane with normal n touches it there alone when
 * none of them goes below (spoke . n >= 0); seen from direction u it is nearest when spoke . u <= 0. */
typedef struct facet_vertex {
    v3 r;          /* [m] */
    double radius; /* [m] rounding */
    v3 half;       /* [m] half axes of an ellipsoid about r, along the axes of the collider; zero: none */
    bool barrel;   /* end of a barrel */
    int first, count;
} facet_vertex;

/* Wings are the unit vectors from the edge into the faces beside it, across the edge; for them the same holds. */
typedef struct facet_edge {
    v3 r;          /* [m] where it starts */
    v3 d;          /* unit */
    double length; /* [m] */
    double radius; /* [m] rounding */
    int ends[2];   /* corners; -1: of a line or barrel */
    int first, count;
} facet_edge;

/* The outline runs counter-clockwise about the normal, around holes the other way. */
typedef struct facet_face {
    v3 r;             /* [m] some point of its plane; the middle of a disc */
    v3 normal;        /* unit, outwards */
    int first, count; /* sides of the outline; none: unbounded, or a disc */
    double disc;      /* [m] radius of a round face; 0: none */
} facet_face;

typedef struct facet_corner {
    v3 r;         /* [m] */
    v3 spokes[2]; /* unit, to the next corner and to the one before */
    int spoke_count;
    bool convex; /* reflex and straight corners touch nothing */
} facet_corner;

typedef struct facet_side {
    v3 r;          /* [m] where it starts */
    v3 d;          /* unit */
    v3 normal;     /* unit, in the plane, outwards */
    double length; /* [m] */
} facet_side;

/* A planar shape's outline: side k goes from corner k to the next. Two corners: one line that is met from both sides. */
typedef struct facet_outline {
    int count; /* corners; 0: not planar */
    int side_count;
    bool line;
    facet_corner *corners;
    facet_side *sides;
    v3 normal;   /* of the plane */
    double half; /* [m] thickness to each side */
    feature_tree corner_tree, side_tree;
    feature_ball *corner_balls, *side_balls;
} facet_outline;

static inline bool facet_is_oval(const facet_vertex *v)
{
    return v->half.x > 0.0;
}

/* [m] How far a corner reaches with what is around it. */
static inline double facet_vertex_reach(const facet_vertex *v)
{
    return v->radius + fmax(v->half.x, fmax(v->half.y, v->half.z));
}

enum { FACET_VERTICES, FACET_EDGES, FACET_FACES, FACET_KINDS };

typedef struct facets {
    double size; /* [m] longest edge of the box around it; infinite for planes */
    facet_vertex *vertices;
    facet_edge *edges;
    facet_face *faces;
    int counts[FACET_KINDS];
    v3 *spokes;
    v3 *wings;
    v3 (*sides)[2]; /* [m] of outlines */
    int *face_of;   /* of the triangles of a mesh; -1: without area. NULL: lines, half-spaces */
    shape_rim rims[2];
    int rim_count;
    double hoop, tube; /* [m] radii of a torus about z, whose polyhedron the features are; 0: none */
    int *rim_of;       /* of vertices: the circle of which it stands for a piece; -1: none. NULL without rims */
    bool *is_foot;     /* of vertices on rims: one of a few points on which the circle stands when it is level */
    facet_outline outline;
    feature_tree trees[FACET_KINDS];  /* over the balls below; unbounded faces are in none */
    feature_ball *balls[FACET_KINDS]; /* hold the features with their rounding */
} facets;

carom_status facets_create(facets **out, const carom_shape_type *type, const void *params, const mesh *m,
                           carom_error *err);
void facets_destroy(facets *f);

/* How far [m] a point of the face's plane is inside its outline; infinite when unbounded. */
double facet_face_inside(const facets *f, int face, v3 p);

/* Smallest of -spoke . u and of -wing . u: >= 0 where the direction u out of the feature sees nothing nearer than it. */
double facet_vertex_cone(const facets *f, int vertex, v3 u);
double facet_edge_cone(const facets *f, int edge, v3 u);

#endif
