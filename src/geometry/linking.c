/* Gauss' integral over two polygons: each pair of sides contributes the signed area of a quadrangle on the unit sphere, whose
 * corners are the directions between their ends; all together they cover the sphere as often as the curves are linked. The area of
 * a triangle on the sphere is its solid angle [VanOosterom1983]. */
#include "geometry/linking.h"

#include <math.h>

static const double FOUR_PI = 12.56637061435917295385;

/* Signed solid angle of the triangle seen from the origin. */
static double solid_angle(v3 a, v3 b, v3 c)
{
    double la = v3_norm(a);
    double lb = v3_norm(b);
    double lc = v3_norm(c);
    double volume = v3_dot(a, v3_cross(b, c));
    double flat = la * lb * lc + v3_dot(a, b) * lc + v3_dot(b, c) * la + v3_dot(c, a) * lb;
    return 2.0 * atan2(volume, flat);
}

/* Of the sides a0 a1 and b0 b1. */
static double seen(v3 a0, v3 a1, v3 b0, v3 b1)
{
    v3 corner[4] = { v3_sub(b0, a0), v3_sub(b0, a1), v3_sub(b1, a1), v3_sub(b1, a0) };
    return solid_angle(corner[0], corner[1], corner[2]) + solid_angle(corner[0], corner[2], corner[3]);
}

double linking_number(const v3 *a, int a_count, const v3 *b, int b_count)
{
    double total = 0.0;
    for (int i = 0; i < a_count; ++i) {
        for (int j = 0; j < b_count; ++j) {
            total += seen(a[i], a[(i + 1) % a_count], b[j], b[(j + 1) % b_count]);
        }
    }
    return total / FOUR_PI;
}
