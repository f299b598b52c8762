/* The point of a triangle nearest to a given one, by the seven regions of its plane [Ericson2005, 5.1.5].
 *
 * Which side of an edge the foot of the perpendicular lies on is taken from n . (ab x ap) and not from Ericson's equal
 * d1 d4 - d3 d2: with height h over length l the former loses l / h of its digits, the latter (l / h)^2. All
 * differences are relative to a corner, so a triangle far from the origin loses nothing. */
#ifndef CAROM_GEOMETRY_TRIANGLE_NEAREST_H
#define CAROM_GEOMETRY_TRIANGLE_NEAREST_H

#include "geometry/bvh.h"

typedef struct nearest_point {
    v3 offset; /* from the nearest point to p */
    v3 point;
    double dist2;
    int feature;
} nearest_point;

static inline nearest_point at_corner(v3 corner, v3 to_p, int k)
{
    return (nearest_point){ .offset = to_p, .point = corner, .dist2 = v3_norm2(to_p), .feature = k };
}

/* from + s edge, with the vector from `from` to p. */
static inline nearest_point on_edge(v3 from, v3 edge, double s, v3 to_p, int k)
{
    v3 offset = v3_axpy(to_p, -s, edge);
    return (nearest_point){
        .offset = offset, .point = v3_axpy(from, s, edge), .dist2 = v3_norm2(offset), .feature = FEATURE_EDGE + k
    };
}

static inline nearest_point on_face(v3 a, v3 ab, v3 ac, double s, double t, v3 ap)
{
    v3 offset = v3_axpy(v3_axpy(ap, -s, ab), -t, ac);
    return (nearest_point){ .offset = offset,
                            .point = v3_axpy(v3_axpy(a, s, ab), t, ac),
                            .dist2 = v3_norm2(offset),
                            .feature = FEATURE_FACE };
}

static inline nearest_point on_segment(const v3 corner[3], const v3 to_p[3], int k)
{
    int next = (k + 1) % 3;
    v3 edge = v3_sub(corner[next], corner[k]);
    double along = v3_dot(edge, to_p[k]);
    double length2 = v3_norm2(edge);
    if (!(along > 0.0)) {
        return at_corner(corner[k], to_p[k], k);
    }
    if (along >= length2) {
        return at_corner(corner[next], to_p[next], next);
    }
    return on_edge(corner[k], edge, along / length2, to_p[k], k);
}

/* A triangle so flat that the regions of its plane are noise: the best of its edges and of a point of its face. */
static inline nearest_point on_sliver(nearest_point best, const v3 corner[3], const v3 to_p[3])
{
    for (int k = 0; k < 3; ++k) {
        nearest_point other = on_segment(corner, to_p, k);
        best = other.dist2 < best.dist2 ? other : best;
    }
    return best;
}

static inline nearest_point triangle_nearest(v3 p, v3 a, v3 b, v3 c)
{
    v3 ab = v3_sub(b, a);
    v3 ac = v3_sub(c, a);
    v3 ap = v3_sub(p, a);
    double d1 = v3_dot(ab, ap);
    double d2 = v3_dot(ac, ap);
    if (d1 <= 0.0 && d2 <= 0.0) {
        return at_corner(a, ap, 0);
    }
    v3 bp = v3_sub(p, b);
    double d3 = v3_dot(ab, bp);
    double d4 = v3_dot(ac, bp);
    if (d3 >= 0.0 && d4 <= d3) {
        return at_corner(b, bp, 1);
    }
    v3 cp = v3_sub(p, c);
    double d5 = v3_dot(ab, cp);
    double d6 = v3_dot(ac, cp);
    if (d6 >= 0.0 && d5 <= d6) {
        return at_corner(c, cp, 2);
    }
    v3 n = v3_cross(ab, ac);
    v3 bc = v3_sub(c, b);
    double to_c = v3_dot(n, v3_cross(ab, ap)); /* weight of c times n^2, so negative beyond ab */
    double to_b = v3_dot(n, v3_cross(ap, ac));
    double to_a = v3_dot(n, v3_cross(bc, bp));
    nearest_point q = at_corner(a, ap, 0);
    if (to_a > 0.0 && to_b > 0.0 && to_c > 0.0) {
        double scale = 1.0 / (to_a + to_b + to_c);
        q = on_face(a, ab, ac, to_b * scale, to_c * scale, ap);
    }
    const double flat2 =
        1e-10; /* (height / length)^2: below, edges, wrong by half the height, may beat the regions */
    double ab2 = v3_norm2(ab);
    double ac2 = v3_norm2(ac);
    double longest2 = ab2 > ac2 ? ab2 : ac2;
    if (v3_norm2(n) <= flat2 * longest2 * longest2) {
        return on_sliver(q, (const v3[3]){ a, b, c }, (const v3[3]){ ap, bp, cp });
    }
    if (to_c <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
        return on_edge(a, ab, d1 / (d1 - d3), ap, 0);
    }
    if (to_a <= 0.0 && d4 >= d3 && d5 >= d6) {
        return on_edge(b, bc, (d4 - d3) / ((d4 - d3) + (d5 - d6)), bp, 1);
    }
    if (to_b <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
        return on_edge(c, v3_neg(ac), d6 / (d6 - d2), cp, 2);
    }
    return q;
}

#endif
