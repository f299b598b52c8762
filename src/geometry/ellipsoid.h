/* The distance of a point from an ellipsoid. */
#ifndef CAROM_GEOMETRY_ELLIPSOID_H
#define CAROM_GEOMETRY_ELLIPSOID_H

#include "geometry/field.h"

/* Signed distance and gradient at p in the axes of the ellipsoid with these half axes [m], all > 0. */
field_sample ellipsoid_nearest(v3 radii, v3 p);

/* The one other place at most whose distance from p is less than that of all places beside it: across the thinnest direction, and so never
 * nearer. `distance` is that along its normal. False: there is none, or the shortest half axis is not the only one of its length. */
bool ellipsoid_beyond(v3 radii, v3 p, field_sample *out);

#endif
