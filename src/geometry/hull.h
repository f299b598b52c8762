/* Convex hulls by Qhull, the only file that knows it. */
#ifndef CAROM_GEOMETRY_HULL_H
#define CAROM_GEOMETRY_HULL_H

#include "geometry/mesh.h"

/* The hull of at least four points that do not lie in a plane, triangles counter-clockwise from outside; CAROM_BAD_INPUT
 * for points that do. */
carom_status hull_create(mesh **out, const v3 *points, size_t count, carom_error *err);

#endif
