/* Single triangles: nearest points, solid angles, and whether two of them meet. Triangles without area count as what is
 * left of them: a segment or a point. */
#ifndef CAROM_GEOMETRY_TRIANGLE_H
#define CAROM_GEOMETRY_TRIANGLE_H

#include "math/vec3.h"

/* Whether two closed triangles have a point in common, decided exactly for the given coordinates. Products of three
 * coordinates must neither overflow nor underflow. */
bool triangles_meet(const v3 a[3], const v3 b[3]);

/* The sign of det [a - d, b - d, c - d], exactly: positive when a, b, c turn clockwise seen from d. */
int orientation_3d(v3 a, v3 b, v3 c, v3 d);

/* The sign of the area a, b, c in the plane of the coordinates i and j, exactly. */
int orientation_2d(v3 a, v3 b, v3 c, int i, int j);

#endif
