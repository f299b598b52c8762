/* Gap functions: how far two surfaces are apart at one pair of features, with time derivatives.
 *
 * Every contact between rigid surfaces comes down to a few generators (points, lines, planes, circles) fixed to two
 * bodies, rounded by a radius: the gap is a smooth function of their motion. It is evaluated with jets (value, first and
 * second derivative by time), so that its rate and the part of its second derivative that is left when all
 * accelerations vanish come without a formula of their own.
 *
 * Frames: generators are given in the frame at the centre of mass of their body (suffix _c). A is the body of the first
 * collider of a pair, B that of the second; the normal points from B to A, a gap > 0 is apart. */
#ifndef CAROM_COLLISION_GAP_H
#define CAROM_COLLISION_GAP_H

#include <carom/contact.h>

#include "collision/collider.h"

typedef enum gap_kind {
    GAP_POINT_POINT,  /* |c0 - c1| - radius                                                         */
    GAP_POINT_LINE,   /* distance of c0 from the line (c1, d1), minus radius                         */
    GAP_POINT_PLANE,  /* d1 . (c0 - c1) - radius; d1: outward normal                                 */
    GAP_LINE_LINE,    /* distance of the lines (c0, d0), (c1, d1) along their common normal, - radius */
    GAP_CIRCLE_PLANE, /* lowest point of the circle (centre c0, axis d0, radius `ring`) over a plane  */
    GAP_POINT_IN_RING, /* radius - distance of c0 from the line (c1, d1): a journal in its bearing; the contact point is
                          `ring` (the journal's radius) away from c0 towards the wall                  */
    GAP_OVAL_OVAL,  /* of the ellipsoids c0, c1, or of one and a disc or point, along their common normal, - radius */
    GAP_OVAL_LINE,  /* of the ellipsoid c0 from the line (c1, d1), - radius                          */
    GAP_OVAL_PLANE, /* lowest point of the ellipsoid c0 over the plane (c1, d1)                       */
} gap_kind;

static inline bool gap_is_oval(gap_kind kind)
{
    return kind >= GAP_OVAL_OVAL;
}

/* One pair of features. Plain data; equal features of a pair give equal keys whatever the poses. */
typedef struct gap_feature {
    gap_kind kind;
    carom_contact_mode mode;
    bool swapped;        /* generator 0 sits on B */
    uint32_t feature[2]; /* numbers of the features on A and on B: with their kinds, stable under motion */
    v3 c_c[2];           /* [m] points of generators 0 and 1, each in the frame of its body */
    v3 d_c[2];           /* unit directions: of a line, a plane's normal, a circle's axis   */
    double side;   /* +1 or -1 for line-line and for planar shapes without inside (rods): from which side they meet */
    double radius; /* [m] */
    double radius_0; /* [m] the share of generator 0 in `radius` (of balls and capsules): says where between both they
                        touch */
    double ring;     /* [m] */
    v3 half[2];      /* [m] half axes of ellipsoids; a disc has one 0, a point all three */
    quat axes_c[2];  /* of them, in the frame of the body */
} gap_feature;

/* A body's frame at its centre of mass, and how it moves. */
typedef struct gap_motion {
    carom_pose pose_w;
    v3 v_w;     /* [m/s] of the centre of mass */
    v3 omega_w; /* [rad/s] */
} gap_motion;

typedef struct gap_value {
    double gap;      /* [m]     */
    double rate;     /* [m/s]   */
    double jdot_v;   /* [m/s^2] second derivative of the gap when v_dot and omega_dot of both bodies are zero */
    v3 normal_w;     /* from B to A: rate = normal . (velocity of A's material point at point_w - B's) */
    v3 normal_dot_w; /* [1/s]  */
    v3 point_w;      /* [m] where they touch, or will: on the line between both surfaces */
    v3 point_dot_w;  /* [m/s] how fast that place moves (it is no material point) */
} gap_value;

/* [m] The largest radius of curvature of the ellipsoids of a feature on each body of it: a body that turns with omega lets the gap bend
 * by up to omega^2 times this more than its points are accelerated. */
void gap_curvature(const gap_feature *f, double out[2]);

void gap_measure(const gap_feature *f, const gap_motion *a, const gap_motion *b, gap_value *out);

/* ---- features of two colliders ----------------------------------------------------------------------------------- */

typedef struct gap_list {
    gap_feature *items;
    size_t count, capacity;
} gap_list;
void gap_list_free(gap_list *list);

/* Two colliders, each fixed to its body at pose_c (collider axes in the frame at the centre of mass). */
typedef struct gap_pair {
    const collider *a, *b;
    carom_pose pose_c[2];
} gap_pair;

/* All pairs of features that can be the place of first touch (see gap_bounds) and whose gap is below `margin` at the
 * poses of the two bodies; ascending by features. None is left out: while poses are apart the smallest gap of the list
 * is the distance of the surfaces (where that is below the margin). Down to -1e-3 of the size of the smaller shape
 * penetration counts as touching. Features of mode CAROM_MODE_NONE (corner and corner, corner and edge of sharp shapes)
 * only say how near these are, and only while they are apart: others touch first. False when memory runs out. */
bool gap_find(gap_list *out, const gap_pair *pair, const carom_pose pose_w[2], double margin);

/* Where three or more surfaces meet in a notch, what has sunk in by a bit lies beyond the ends of all of them, and gap_find sees nothing. This follows sharp features
 * that touched before, edge and edge or corner and face: f has their kind and numbers, and gets the rest. False: they do not touch any more, have another
 * kind, or their place of contact is more than `beyond` times their depth beyond their ends. */
bool gap_follow(gap_feature *f, const gap_pair *pair, const carom_pose pose_w[2], double beyond);

/* How far [m] the place of contact is inside the bounds of both features: inside a face, between the ends of an edge,
 * in the cone of normals of an edge or a corner (that angle times a typical length). Negative: the features are no
 * longer what touches. Infinite where there are no bounds (a ball over a half-space). 1e-9 of the size of the smaller
 * shape is added for rounding, so that a corner flush with an edge is inside: what touches is in the list of gap_find
 * while this is not negative, and not in it any more when it is. */
double gap_bounds(const gap_feature *f, const gap_pair *pair, const carom_pose pose_w[2]);

/* A plane fixed to the body of one collider (0: A, 1: B), which is all behind it, its normal towards the other one. Features
 * of the other that something holds on the plane may be left out of what follows. */
typedef struct gap_plane {
    int on;
    v3 normal_w;                    /* unit */
    double clearance;               /* [m] by which both have to be apart */
    const gap_feature *const *held; /* held_count: that stay closed whatever their motion says */
    size_t held_count;
} gap_plane;

/* How long [s], at most `until`, both surfaces surely stay apart by the clearance, each on its side of the plane, when no
 * height over the plane is accelerated towards it by more than `acceleration` [m/s^2]. 0: they are not apart, or this plane
 * does not say so. Needs no list of features; with a clearance of twice gap_rounding nothing is in such a list that
 * touches, loose bounds included. */
double gap_apart_for(const gap_pair *pair, const gap_motion motion[2], const gap_plane *plane, double acceleration,
                     double until);

/* [m] what gap_bounds allows for rounding: a place of contact is truly inside where gap_bounds is at least this. */
double gap_rounding(const gap_pair *pair);

#endif
