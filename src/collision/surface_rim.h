/* The circular edge of a cylinder or a cone against the plane of a half-space. For the files of this folder. */
#ifndef CAROM_COLLISION_SURFACE_RIM_H
#define CAROM_COLLISION_SURFACE_RIM_H

#include "collision/surface_wide.h"

/* A rim in the axes of B, at the start. */
typedef struct placed_rim {
    v3 arm;  /* [m] of its centre, from the origin of its body */
    v3 axis; /* unit vector */
    double radius;
} placed_rim;

placed_rim surface_place_rim(const surface_pair *p, const feature_pair *pair);

/* Its point nearest to the plane, or one of them, at the start. */
v3 surface_lowest_of_rim(const surface_pair *p, const feature_pair *pair);

/* How a rim moves against a plane, or against another rim with a plane between them. The height of all of it stays above
 *     height + rate s - radius |level + s turn| - inward s^2 / 2. */
typedef struct rim_sight {
    double height, rate; /* of its centre */
    v3 level;            /* the normal of the plane, as seen in that of the rim */
    v3 turn;             /* how that changes to first order */
    double radius;
    double inward;
    v3 other_level,
        other_turn; /* of a second rim below, as seen in it: its radius times their size is taken off, too */
    double other_radius;
} rim_sight;

/* For how long that is above zero, `left` of the motion to come; infinite if it is longer than `wanted` for sure. */
double surface_rim_clear_for(const rim_sight *s, double left, double wanted);

#endif
