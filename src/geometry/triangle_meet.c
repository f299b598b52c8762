/* Whether two triangles meet, exactly.
 *
 * Nearly all pairs asked about are apart by more than rounding, which a separating axis proves in plain arithmetic: any
 * axis will do, so only the projections on it need error bounds. What is left is decided by signs of orientation
 * determinants: two triangles in different planes meet when an edge of one meets the other; two in one plane are
 * looked at in a coordinate plane in which they are not seen edge-on. */
#include "geometry/triangle.h"

#include <float.h>

/* ---- apart by more than rounding --------------------------------------------------------------------------------- */

static double size_1(v3 a)
{
    return fabs(a.x) + fabs(a.y) + fabs(a.z);
}

/* Corners of both triangles as seen from a corner of the first, and the largest of their coordinates. */
typedef struct seen_pair {
    v3 a[3], b[3];
    double size;
} seen_pair;

static seen_pair see(const v3 a[3], const v3 b[3])
{
    seen_pair s = { .size = 0.0 };
    for (int i = 0; i < 3; ++i) {
        s.a[i] = v3_sub(a[i], a[0]);
        s.b[i] = v3_sub(b[i], a[0]);
        s.size = fmax(s.size, fmax(size_1(s.a[i]), size_1(s.b[i])));
    }
    return s;
}

/* Without fmin and fmax, which cost a call for the sake of NaN. */
static double least(const double x[3])
{
    double first = x[0] < x[1] ? x[0] : x[1];
    return first < x[2] ? first : x[2];
}

static double most(const double x[3])
{
    double first = x[0] > x[1] ? x[0] : x[1];
    return first > x[2] ? first : x[2];
}

static bool separates(v3 axis, const seen_pair *s)
{
    double a[3], b[3];
    for (int i = 0; i < 3; ++i) {
        a[i] = v3_dot(axis, s->a[i]);
        b[i] = v3_dot(axis, s->b[i]);
    }
    double margin = 8.0 * DBL_EPSILON * size_1(axis) * s->size; /* difference, products, two sums on either side */
    return least(b) - most(a) > margin || least(a) - most(b) > margin;
}

static void find_edges(v3 edge[3], const v3 corner[3])
{
    for (int i = 0; i < 3; ++i) {
        edge[i] = v3_sub(corner[(i + 1) % 3], corner[i]);
    }
}

static bool certainly_apart(const v3 a[3], const v3 b[3])
{
    seen_pair s = see(a, b);
    v3 ea[3], eb[3];
    find_edges(ea, a);
    find_edges(eb, b);
    v3 na = v3_cross(ea[0], ea[1]);
    v3 nb = v3_cross(eb[0], eb[1]);
    if (separates(na, &s) || separates(nb, &s)) {
        return true;
    }
    for (int i = 0; i < 3; ++i) {
        if (separates(v3_cross(na, ea[i]), &s) || separates(v3_cross(nb, eb[i]), &s)) {
            return true;
        }
    }
    for (int k = 0; k < 9; ++k) {
        if (separates(v3_cross(ea[k / 3], eb[k % 3]), &s)) {
            return true;
        }
    }
    return false;
}

/* ---- in different planes ----------------------------------------------------------------------------------------- */

/* On which side of the plane of a the corners of b lie; all 0 when a has no area. */
static void find_sides(int side[3], const v3 a[3], const v3 b[3])
{
    for (int i = 0; i < 3; ++i) {
        side[i] = orientation_3d(a[0], a[1], a[2], b[i]);
    }
}

static bool one_side(const int side[3])
{
    return side[0] != 0 && side[0] == side[1] && side[1] == side[2];
}

static bool in_plane(const int side[3])
{
    return side[0] == 0 && side[1] == 0 && side[2] == 0;
}

/* The line through p and q, which is not in the plane of t, meets t when it passes its edges on one side. */
static bool line_meets(v3 p, v3 q, const v3 t[3])
{
    int turn[3];
    for (int i = 0; i < 3; ++i) {
        turn[i] = orientation_3d(p, q, t[i], t[(i + 1) % 3]);
    }
    bool left = turn[0] >= 0 && turn[1] >= 0 && turn[2] >= 0;
    bool right = turn[0] <= 0 && turn[1] <= 0 && turn[2] <= 0;
    return left || right;
}

/* Edges of a within the plane of b are left out: then their ends, as ends of the other edges of a, or the edges of b
 * that cross them tell. */
static bool edges_meet(const v3 a[3], const int side_of_b[3], const v3 b[3])
{
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3;
        bool crosses = side_of_b[i] * side_of_b[j] <= 0 && (side_of_b[i] != 0 || side_of_b[j] != 0);
        if (crosses && line_meets(a[i], a[j], b)) {
            return true;
        }
    }
    return false;
}

/* ---- in one plane ------------------------------------------------------------------------------------------------ */

/* Two triangles without area lie on lines, which may pass each other. */
static bool lines_pass(const v3 a[3], const v3 b[3])
{
    for (int k = 0; k < 9; ++k) {
        int i = k / 3;
        int j = k % 3;
        if (orientation_3d(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]) != 0) {
            return true;
        }
    }
    return false;
}

typedef struct plane_axes {
    int i, j;
} plane_axes;

static bool within(double x, double end, double other_end)
{
    return fmin(end, other_end) <= x && x <= fmax(end, other_end);
}

/* p, on the line through the ends, lies between them. */
static bool between(v3 p, v3 end, v3 other_end, plane_axes x)
{
    return within(v3_get(p, x.i), v3_get(end, x.i), v3_get(other_end, x.i)) &&
           within(v3_get(p, x.j), v3_get(end, x.j), v3_get(other_end, x.j));
}

static bool segments_meet(v3 p, v3 q, v3 u, v3 w, plane_axes x)
{
    int side_u = orientation_2d(p, q, u, x.i, x.j);
    int side_w = orientation_2d(p, q, w, x.i, x.j);
    int side_p = orientation_2d(u, w, p, x.i, x.j);
    int side_q = orientation_2d(u, w, q, x.i, x.j);
    if (side_u * side_w < 0 && side_p * side_q < 0) {
        return true;
    }
    return (side_u == 0 && between(u, p, q, x)) || (side_w == 0 && between(w, p, q, x)) ||
           (side_p == 0 && between(p, u, w, x)) || (side_q == 0 && between(q, u, w, x));
}

static bool inside(v3 p, const v3 t[3], plane_axes x)
{
    int turn[3];
    for (int k = 0; k < 3; ++k) {
        turn[k] = orientation_2d(t[k], t[(k + 1) % 3], p, x.i, x.j);
    }
    return turn[0] != 0 && turn[0] == turn[1] && turn[1] == turn[2];
}

static bool meet_in_plane(const v3 a[3], const v3 b[3], plane_axes x)
{
    for (int k = 0; k < 9; ++k) {
        int i = k / 3;
        int j = k % 3;
        if (segments_meet(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3], x)) {
            return true;
        }
    }
    return inside(a[0], b, x) || inside(b[0], a, x);
}

static bool seen_edge_on(const v3 point[6], plane_axes x)
{
    for (int i = 0; i < 6; ++i) {
        for (int j = i + 1; j < 6; ++j) {
            for (int k = j + 1; k < 6; ++k) {
                if (orientation_2d(point[i], point[j], point[k], x.i, x.j) != 0) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* Six points on one line: along it every coordinate ascends, descends or stays. */
static bool intervals_meet(const v3 a[3], const v3 b[3])
{
    for (int i = 0; i < 3; ++i) {
        double a_low = fmin(v3_get(a[0], i), fmin(v3_get(a[1], i), v3_get(a[2], i)));
        double a_high = fmax(v3_get(a[0], i), fmax(v3_get(a[1], i), v3_get(a[2], i)));
        double b_low = fmin(v3_get(b[0], i), fmin(v3_get(b[1], i), v3_get(b[2], i)));
        double b_high = fmax(v3_get(b[0], i), fmax(v3_get(b[1], i), v3_get(b[2], i)));
        if (a_low > b_high || b_low > a_high) {
            return false;
        }
    }
    return true;
}

static bool meet_flat(const v3 a[3], const v3 b[3])
{
    const v3 points[6] = { a[0], a[1], a[2], b[0], b[1], b[2] };
    for (int i = 0; i < 3; ++i) {
        plane_axes axes = { i, (i + 1) % 3 };
        if (!seen_edge_on(points, axes)) {
            return meet_in_plane(a, b, axes);
        }
    }
    return intervals_meet(a, b);
}

bool triangles_meet(const v3 a[3], const v3 b[3])
{
    if (certainly_apart(a, b)) {
        return false;
    }
    int a_of_b[3], b_of_a[3]; /* sides of the corners */
    find_sides(a_of_b, b, a);
    find_sides(b_of_a, a, b);
    if (one_side(a_of_b) || one_side(b_of_a)) {
        return false;
    }
    if (in_plane(a_of_b) && in_plane(b_of_a)) {
        return !lines_pass(a, b) && meet_flat(a, b);
    }
    return edges_meet(a, a_of_b, b) || edges_meet(b, b_of_a, a);
}
