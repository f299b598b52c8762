/* Distances of points, edges, triangles and circles from a solid round cylinder, and between two cylinders.
 *
 * On its side a cylinder is its axis with a rounding: the closest point is then given on the axis, and the radius in `rounding`,
 * as of capsules. Discs are cylinders without length. */
#ifndef CAROM_GEOMETRY_CYLINDER_DISTANCE_H
#define CAROM_GEOMETRY_CYLINDER_DISTANCE_H

#include "geometry/feature_distance.h"

typedef struct cylinder {
    v3 center;   /* [m] */
    v3 axis;     /* unit vector */
    double half; /* [m] of the length; 0: a disc */
    double radius;
} cylinder;

/* The disc at its end against the axis (0) or along it (1). */
cylinder cylinder_end(const cylinder *c, int end);

/* The cylinder is the second feature. Where a feature is inside of it, the distance less the rounding is not positive. */
feature_distance vertex_cylinder_distance(v3 x, const cylinder *c);
feature_distance edge_cylinder_distance(const v3 e[2], const cylinder *c);
feature_distance triangle_disc_distance(const v3 t[3], const cylinder *disc);

/* The circle around a disc, which is the first feature. */
feature_distance rim_cylinder_distance(const cylinder *disc, const cylinder *c);
feature_distance cylinder_cylinder_distance(const cylinder *a, const cylinder *b);

/* The distance between the surfaces [m]. */
static inline double feature_gap(const feature_distance *d)
{
    return d->distance - d->rounding[0] - d->rounding[1];
}

#endif
