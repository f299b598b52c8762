/* Where two ellipsoids are nearest, along their common normal; discs and points are ellipsoids with half axes of zero. Internal to
 * collision.
 *
 * Along a unit vector n from B to A both are apart by s(n) = n . (p_A(-n) - p_B(n)), p(n) being the point that lies farthest along n.
 * Its largest value over all n is the distance while they are apart, and minus the least translation that parts them while they
 * overlap. With n across a line only, B is the line through its centre. */
#ifndef CAROM_COLLISION_OVAL_H
#define CAROM_COLLISION_OVAL_H

#include "math/mat3.h"

typedef struct oval {
    v3 c;    /* [m] */
    m3 axes; /* columns: unit vectors along the half axes */
    v3 half; /* [m] */
} oval;

typedef struct oval_meeting {
    double gap; /* [m] s(n) */
    v3 n;       /* unit, from B to A */
    v3 p[2];    /* [m] on A and on B */
} oval_meeting;

/* The point that lies farthest along n, which need not be a unit vector; and how far that is. */
v3 oval_support(const oval *o, v3 n);
double oval_reach(const oval *o, v3 n);

/* Second derivative of oval_reach at the unit vector n, applied to x: of the radii of curvature there. */
v3 oval_bend(const oval *o, v3 n, v3 x);

/* [m] the largest radius of curvature of an ellipsoid, or of a disc seen from the side. */
double oval_flattest(v3 half);

/* Places where s is larger than beside them, in no order, the largest among them. Returns how many, at least one. */
enum { OVAL_MOST = 12 };
int oval_meet_all(const oval *a, const oval *b, const v3 *along, oval_meeting out[OVAL_MOST]);

/* The one with the largest s. A must have no half axis of zero. `along`: unit direction of the line that B, a point, stands for; NULL: B is an oval itself. A half axis of zero is the last one. */
oval_meeting oval_meet(const oval *a, const oval *b, const v3 *along);

#endif
