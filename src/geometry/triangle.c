/* The nearest point of a triangle, for those who ask now and then. */
#include "geometry/triangle_nearest.h"

double triangle_closest(v3 p, v3 a, v3 b, v3 c, v3 *point, int *feature)
{
    nearest_point q = triangle_nearest(p, a, b, c);
    *point = q.point;
    *feature = q.feature;
    return q.dist2;
}
