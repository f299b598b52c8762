/* The distance of a point from an ellipsoid. */
#ifndef CAROM_GEOMETRY_ELLIPSOID_H
#define CAROM_GEOMETRY_ELLIPSOID_H

#include "geometry/field.h"

/* Signed distance and gradient at p in the axes of the ellipsoid with these half axes [m], all > 0. */
field_sample ellipsoid_nearest(v3 radii, v3 p);

#endif
