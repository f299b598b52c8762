/* Distances between single features of two surfaces: vertices, edges, triangles; their derivatives by the motion of the two
 * bodies that carry them.
 *
 * Where the closest points may slide along their features the distance does not change to first order. So its gradient by
 * the twists (v_A, w_A, v_B, w_B) of both bodies is J' n in every region, with J the relative displacement of the two
 * closest points as points of their bodies, and n the unit vector between them. */
#ifndef CAROM_GEOMETRY_FEATURE_DISTANCE_H
#define CAROM_GEOMETRY_FEATURE_DISTANCE_H

#include "math/mat3.h"

typedef struct feature_distance {
    double distance;     /* [m] */
    v3 normal;           /* unit vector from the second feature to the first; zero where they meet */
    v3 point[2];         /* [m] closest points of the first and of the second */
    int slides;          /* 0..3: how many directions closest points may slide along */
    v3 slide[3];         /* [m] these directions, as long as their edges */
    int owner[3];        /* and whose they are: 0 the first feature's, 1 the second's */
    double curvature[3]; /* [m] of a circle: second derivative of the distance by its bending; 0: straight */
    double rounding[2];  /* [m] radius around the closest points, where they are those of a skeleton */
} feature_distance;

feature_distance vertex_vertex_distance(v3 a, v3 b);
feature_distance vertex_edge_distance(v3 a, const v3 b[2]);
feature_distance vertex_triangle_distance(v3 a, const v3 b[3]);
feature_distance edge_edge_distance(const v3 a[2], const v3 b[2]);

/* The same distance seen from the other side: first and second change places. */
feature_distance feature_distance_swap(feature_distance d);

/* Only the unit vector from the second feature to the first; zero where they meet. Digits are lost to the distance over the
 * size where the features are parallel only: faces and crossing edges say it themselves. */
v3 vertex_triangle_normal(v3 a, const v3 b[3]);
v3 edge_edge_normal(const v3 a[2], const v3 b[2]);

/* Only the distance [m]. */
double vertex_triangle_apart(v3 a, const v3 b[3]);
double edge_edge_apart(const v3 a[2], const v3 b[2]);

enum { TWIST_PAIR = 12 }; /* twists of two bodies */

/* d(distance)/d(v_A, w_A, v_B, w_B); arm[k] leads from the origin of body k to its closest point. */
void feature_distance_gradient(const feature_distance *d, const v3 arm[2], double out[TWIST_PAIR]);

/* Second derivatives along motions x -> exp([w]) (x - origin) + origin + v; symmetric, neither definite nor of full rank.
 * The distance must not be zero. */
void feature_distance_hessian(const feature_distance *d, const v3 arm[2], double out[TWIST_PAIR][TWIST_PAIR]);

/* How closest points slide and the normal turns, along the same motions, to first order. */
typedef struct feature_motion {
    double
        slide[3]
             [TWIST_PAIR]; /* besides moving with its body, the owner's closest point moves by slide[k] times this */
    double normal[3][TWIST_PAIR]; /* change of the normal */
} feature_motion;

/* The distance must not be zero. Nearly parallel edges let numbers grow without bound. */
void feature_distance_motion(const feature_distance *d, const v3 arm[2], feature_motion *out);

/* ---- nearly parallel edges ------------------------------------------------------------------------------------------ */

/* Where two edges become parallel their closest points jump. A factor m(c), c = |a x b|^2, takes an edge-edge term smoothly
 * to zero before that happens: m = z (2 - z) for z = c / threshold < 1, else 1 [Li2020]. */
typedef struct edge_mollifier {
    double value;  /* m */
    double first;  /* dm/dc */
    double second; /* d2m/dc2 */
    v3 turn;       /* dc / d(w_A), and minus dc / d(w_B); about the origin if there is a shift */
    v3 shift;      /* dc / d(v_A), and minus dc / d(v_B) */
    v3 edge[2];    /* a and b */
} edge_mollifier;

/* `reach` [m] is how near the terms act: edges count as parallel when they part by less than twice the reach over the
 * shorter one, and at most by 1.8 degrees. */
edge_mollifier edge_mollifier_of(const v3 a[2], const v3 b[2], double reach);

/* d2c / d(v_A, w_A, v_B, w_B)2, for turns as above. */
void edge_mollifier_hessian(const edge_mollifier *m, double out[TWIST_PAIR][TWIST_PAIR]);

#endif
