/* Two surfaces beside each other: which of their features are near, and how far a motion of both is free of collisions.
 *
 * All is computed in the axes and about the origin of body B at the start. So digits are lost to the size of the two bodies and
 * to their distance only, wherever in the world they are. */
#ifndef CAROM_COLLISION_SURFACE_PAIR_H
#define CAROM_COLLISION_SURFACE_PAIR_H

#include "collision/surface.h"
#include "math/screw.h"

/* A body: where its surface is and the twist with which it moves for one unit of time. */
typedef struct surface_place {
    const surface *surface;
    v3 x_w;    /* [m] origin of the surface's axes */
    m3 R_w;    /* its axes */
    twist d_w; /* at the origin */
} surface_place;

typedef struct surface_pair {
    const surface *a, *b;
    m3 R;            /* axes of A in those of B */
    v3 c;            /* [m] origin of A */
    twist d[2];      /* of A at c and of B at 0 */
    double turn[2];  /* [rad] |w| */
    v3 axis[2];      /* unit vectors along w; zero without turn */
    double rounding; /* [m] error of computed positions: the margin that is taken off every certified gap */
} surface_pair;

surface_pair surface_pair_of(const surface_place *a, const surface_place *b);

/* The same for questions about where both stand: without their twists. */
surface_pair surface_pair_still(const surface_place *a, const surface_place *b);

/* [m] the vertex of the surface of one side (0: A, 1: B) at the start, in the axes of B: the same numbers that surface_pair_meets decides
 * by. */
v3 surface_pair_vertex(const surface_pair *p, int side, int vertex);

/* The distance of two features where both stand at the start, roundings not taken off; all in the axes of B. */
feature_distance surface_pair_distance(const surface_pair *p, const feature_pair *pair);

/* A round feature bends away from its tangent: its distance has minus the square of w . bend [m] more among its second derivatives,
 * w the turn of A less that of B, than a vertex at its closest point. In the axes of B; zero of all features but rims. */
v3 surface_pair_bend(const surface_pair *p, const feature_pair *pair);

/* A factor of what acts between two features, in the axes of B: it takes edges that become parallel smoothly out, whose closest
 * points jump, and hands over between a rim that lies flat on the plane of a half-space, whose lowest point jumps, and its
 * vertices. `reach` [m] is how near the features act. Queries leave nothing out. */
edge_mollifier surface_pair_mollifier(const surface_pair *p, const feature_pair *pair, double reach);

/* Second derivatives of the factor of a pair of which one surface at least is round, by (v_A, w_A, v_B, w_B) about the origin of B. They are
 * exact up to the squares of sines below which the factor acts. False, and nothing is written: the factor is one of edges, see
 * edge_mollifier_hessian. */
bool surface_pair_mollifier_hessian(const surface_pair *p, const feature_pair *pair, double reach,
                                    double out[TWIST_PAIR][TWIST_PAIR]);

/* ---- near features ---------------------------------------------------------------------------------------------------- */

typedef struct near_feature {
    feature_pair pair;
    double distance; /* [m] roundings taken off */
} near_feature;

typedef struct near_list {
    near_feature *items;
    size_t count, capacity;
} near_list;

/* Appends all pairs nearer than `range` [m] where both stand at the start; ascending in no order but the same for the same
 * surfaces and places. False when memory runs out. */
bool surface_pair_near(const surface_pair *p, double range, near_list *out);

/* Whether any pair is nearer than `range` [m]: the first that is found ends the search. */
bool surface_pair_within(const surface_pair *p, double range);

/* [m] No feature of one is nearer to any of the other where both stand at the start, by the boxes around all of each, roundings taken
 * off. Negative: boxes overlap, which says nothing. */
double surface_pair_apart(const surface_pair *p);

/* Whether the two cut or touch each other where they stand, decided exactly for the computed corners of triangles and lines;
 * *witness is a pair of features that do. */
bool surface_pair_meets(const surface_pair *p, feature_pair *witness);

/* ---- motion ----------------------------------------------------------------------------------------------------------- */

/* How near two features may come. Their gap g is their distance less roundings and `separation`. */
typedef struct sweep_limits {
    double separation; /* [m] least distance of the surfaces, >= 0 */
    double
        range; /* [m] gaps below this are contacts, of which a motion keeps one half; others land beyond 0.3 of it */
} sweep_limits;

typedef struct sweep_counts {
    long nodes, leaves, queries, evaluations;
    long cut_short; /* queries that ended for want of progress, or after 500 evaluations: before they had to */
} sweep_counts;

/* The part of the motion, at most `until` <= 1, during which the pair keeps its gap positive: it ends where half of the gap
 * at the start is left (0.3 of the range for pairs beyond it). 0 where the gap at the start is not positive. The answer of
 * one pair does not depend on `until` if it is smaller. */
double surface_pair_query(const surface_pair *p, const feature_pair *pair, const sweep_limits *limits, double until,
                          sweep_counts *counts);

/* The same for all pairs of features of the two surfaces: the least. */
double surface_pair_sweep(const surface_pair *p, const sweep_limits *limits, double until, sweep_counts *counts);

/* ---- half-spaces, for the files of this folder -------------------------------------------------------------------------- */

/* The plane of a pair of which one surface is a half-space: met by the vertices of the other. */
typedef struct surface_plane {
    int side; /* whose: 0 of A, 1 of B */
    const surface *other;
    v3 normal, origin; /* at the start */
    v3 reach;          /* of boxes of the other along the normal, per half length */
} surface_plane;

surface_plane surface_pair_plane(const surface_pair *p);
feature_pair surface_plane_pair(const surface_plane *plane, int kind, int index);

/* [m] the lowest that anything in a box can be above the plane at the start, roundings taken off. */
double surface_plane_height(const surface_pair *p, const surface_plane *plane, const surface_box *box);

#endif
