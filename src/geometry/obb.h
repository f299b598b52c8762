/* Oriented boxes: fitted tightly around points, tested by separating axes. */
#ifndef CAROM_GEOMETRY_OBB_H
#define CAROM_GEOMETRY_OBB_H

#include <carom/base.h>

#include "math/quat.h"

typedef struct obb {
    v3 center;       /* [m] */
    m3 axes;         /* columns: unit vectors along the edges */
    v3 half;         /* [m] half edges; infinite for a half-space */
    bool half_space; /* everything below the plane through the centre whose normal is the third axis */
} obb;

/* A box of nearly least volume that holds all points: every face of their convex hull is tried as a side of the box,
 * with the tightest rectangle around the rest. Flat or few points get flat boxes. */
carom_status obb_fit(obb *out, const v3 *points, size_t count, carom_error *err);

/* The half-space below the plane through the origin with this unit normal. */
obb obb_of_plane(v3 normal);

/* The box seen from the frame in which its own frame has this pose. */
obb obb_move(const obb *b, carom_pose pose);

/* A lower bound of the distance between two boxes: the widest gap along the fifteen axes; negative when none separates
 * them (how far they overlap along the best axis). Two half-spaces always meet: minus infinity. */
double obb_gap(const obb *a, const obb *b);

void obb_bounds(v3 *low, v3 *high, const obb *b); /* along the axes of the frame */

#endif
