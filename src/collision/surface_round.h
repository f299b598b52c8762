/* A cylinder as a solid: the one leaf of its surface. For the files of this folder.
 *
 * What acts between a cylinder and vertices, edges and triangles of another surface:
 *   vertex - solid               its distance has one closest point, wherever it is
 *   edge - solid                 the same, unless the edge is parallel to the axis, or lies flat on a cap
 *   edge - rim                   stands for the edge that is parallel to the axis
 *   triangle - rim               the lowest point of each rim: a cylinder on its side lies on two. Not where it stands
 *   vertex of a rim - triangle   where it stands
 *   edge of a rim - edge         where it stands across the edge
 * Vertices and edges of a rim are those of a polygon of 64. With normals n of the contact and a of the cap they act below a
 * sine |n x a| at which the polygon is as good as the circle, and the others above it, with a smooth hand-over.
 *
 * Between two cylinders: solid - solid unless they are parallel or a cap lies flat, rim - solid unless its cap lies flat, vertex of
 * a rim - solid where cap lies on cap, edge of a rim - solid where a cap lies on a side.
 *
 * For collisions edge - solid, vertex - solid and triangle - rim are asked, or solid - solid: a convex solid meets a triangle first
 * at its boundary, or on its face with the point that is lowest along the face's normal, which is on a rim. */
#ifndef CAROM_COLLISION_SURFACE_ROUND_H
#define CAROM_COLLISION_SURFACE_ROUND_H

#include "collision/surface_query.h"
#include "geometry/cylinder_distance.h"

/* The solid of a round surface in its own axes, and the disc of one of its rims. */
cylinder surface_solid(const surface *s);
cylinder surface_disc(const surface *s, int rim);

/* Whether a rim or a solid takes part, against another thing than a plane. */
static inline bool surface_pair_is_round(const feature_pair *pair)
{
    return pair->kind[0] != SURFACE_PLANE && pair->kind[1] != SURFACE_PLANE &&
           (pair->kind[0] >= SURFACE_RIM || pair->kind[1] >= SURFACE_RIM);
}

/* Whether collisions are asked for with this pair; else others see them. */
bool surface_pair_is_asked(const surface_pair *p, const feature_pair *pair);

/* The pairs of features of two leaves, one of them round, that are asked. Returns how many. */
int surface_round_pairs(const surface *a, int leaf_a, const surface *b, int leaf_b, leaf_pair out[LEAF_PAIRS]);

/* All pairs of two such leaves that may act within `range` [m], with their distances; `add` returns false to stop. */
typedef struct round_near {
    const surface_pair *p;
    double range;
    void *context;
    void (*add)(void *context, const feature_pair *pair, double distance);
} round_near;

void surface_round_near(const round_near *s, int leaf_a, int leaf_b);

/* Of a pair with a rim or a solid, where both stand at the start. */
feature_distance surface_round_distance(const surface_pair *p, const feature_pair *pair);

/* The factor of a pair of which one surface at least is round, as surface_pair_mollifier. */
edge_mollifier surface_round_mollifier(const surface_pair *p, const feature_pair *pair, double reach);

/* Its second derivatives by (v_A, w_A, v_B, w_B), as surface_pair_mollifier_hessian. */
void surface_round_mollifier_hessian(const surface_pair *p, const feature_pair *pair, double reach,
                                     double out[TWIST_PAIR][TWIST_PAIR]);

/* A sine^2 below which the polygon of a rim is as good as the circle, within `reach`. */
double surface_flat_sine2(double radius, int points, double reach);

/* [m] by how much the plane between the closest points of a solid and a leaf of the other surface parts both, in long double. */
long double surface_round_parted(const surface_pair *p, const feature_pair *pair);

/* ---- motion ----------------------------------------------------------------------------------------------------------- */

/* A corner of a feature, or a disc. Features are the convex hulls of theirs. */
typedef struct moving_disc {
    moving_point c;
    v3 axis; /* unit vector */
    double radius;
    v3 w;        /* [rad] its turn, without that about its own axis, */
    double spin; /* [rad] which is this */
} moving_disc;

typedef struct round_sight {
    v3 normal;
    int count[2];
    moving_disc at[2][LEAF_CORNERS];
    double t;
} round_sight;

/* The certified gap at t. */
double surface_round_look(round_sight *s, const surface_query *q, double t);

/* For how long it stays above `low`, as surface_rim_clear_for. */
double surface_round_clear_for(const round_sight *s, const surface_query *q, double low, double left, double wanted);

#endif
