/* Exact signs of determinants of coordinate differences: in double with an error bound first, and where that leaves the
 * sign open in expansions, sums of doubles that do not overlap and hence hold every bit [Shewchuk1997]. */
#include "geometry/triangle.h"

#include <float.h>

/* Errors of the plain evaluation relative to the sum of absolute values of its terms, a little above Shewchuk's
 * (7 + 56 u) u and (3 + 16 u) u. */
static const double BOUND_3D = 8.0 * (0.5 * DBL_EPSILON);
static const double BOUND_2D = 4.0 * (0.5 * DBL_EPSILON);

enum { MOST_PARTS = 192 }; /* of a 3 x 3 determinant of differences: 3 products of 2 and 16 parts, two for each */

/* The sum of its parts, which ascend in absolute value and do not overlap; no part is zero. */
typedef struct expansion {
    int count;
    double part[MOST_PARTS];
} expansion;

/* a + b = sum + error, exactly. */
static double two_sum(double a, double b, double *error)
{
    double sum = a + b;
    double b_seen = sum - a;
    double a_seen = sum - b_seen;
    *error = (a - a_seen) + (b - b_seen);
    return sum;
}

/* e += b */
static void grow(expansion *e, double b)
{
    double carry = b;
    int count = 0;
    for (int i = 0; i < e->count; ++i) {
        double error;
        carry = two_sum(carry, e->part[i], &error);
        if (error != 0.0) {
            e->part[count++] = error;
        }
    }
    if (carry != 0.0) {
        e->part[count++] = carry;
    }
    e->count = count;
}

static expansion difference(double a, double b)
{
    expansion e = { .count = 0 };
    double error;
    double sum = two_sum(a, -b, &error);
    grow(&e, error);
    grow(&e, sum);
    return e;
}

/* sum += sign e f; a product of two doubles and its rounding error are both doubles. */
static void add_product(expansion *sum, double sign, const expansion *e, const expansion *f)
{
    for (int i = 0; i < e->count; ++i) {
        for (int j = 0; j < f->count; ++j) {
            double product = e->part[i] * f->part[j];
            grow(sum, sign * fma(e->part[i], f->part[j], -product));
            grow(sum, sign * product);
        }
    }
}

static int sign_of(double x)
{
    return (x > 0.0) - (x < 0.0);
}

/* The largest part outweighs all others. */
static int expansion_sign(const expansion *e)
{
    return e->count > 0 ? sign_of(e->part[e->count - 1]) : 0;
}

static int exact_sign_3d(v3 a, v3 b, v3 c, v3 d)
{
    const v3 row[3] = { a, b, c };
    expansion x[3], y[3], z[3];
    for (int i = 0; i < 3; ++i) {
        x[i] = difference(row[i].x, d.x);
        y[i] = difference(row[i].y, d.y);
        z[i] = difference(row[i].z, d.z);
    }
    expansion det = { .count = 0 };
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3;
        int k = (i + 2) % 3;
        expansion minor = { .count = 0 };
        add_product(&minor, 1.0, &x[j], &y[k]);
        add_product(&minor, -1.0, &x[k], &y[j]);
        add_product(&det, 1.0, &z[i], &minor);
    }
    return expansion_sign(&det);
}

int orientation_3d(v3 a, v3 b, v3 c, v3 d)
{
    v3 p = v3_sub(a, d);
    v3 q = v3_sub(b, d);
    v3 r = v3_sub(c, d);
    double det = p.z * (q.x * r.y - r.x * q.y) + q.z * (r.x * p.y - p.x * r.y) + r.z * (p.x * q.y - q.x * p.y);
    double size = fabs(p.z) * (fabs(q.x * r.y) + fabs(r.x * q.y)) + fabs(q.z) * (fabs(r.x * p.y) + fabs(p.x * r.y)) +
                  fabs(r.z) * (fabs(p.x * q.y) + fabs(q.x * p.y));
    return fabs(det) > BOUND_3D * size || size == 0.0 ? sign_of(det) : exact_sign_3d(a, b, c, d);
}

static int exact_sign_2d(const double a[2], const double b[2], const double c[2])
{
    expansion px = difference(a[0], c[0]);
    expansion py = difference(a[1], c[1]);
    expansion qx = difference(b[0], c[0]);
    expansion qy = difference(b[1], c[1]);
    expansion det = { .count = 0 };
    add_product(&det, 1.0, &px, &qy);
    add_product(&det, -1.0, &qx, &py);
    return expansion_sign(&det);
}

int orientation_2d(v3 a, v3 b, v3 c, int i, int j)
{
    const double u[2] = { v3_get(a, i), v3_get(a, j) };
    const double v[2] = { v3_get(b, i), v3_get(b, j) };
    const double w[2] = { v3_get(c, i), v3_get(c, j) };
    double left = (u[0] - w[0]) * (v[1] - w[1]);
    double right = (v[0] - w[0]) * (u[1] - w[1]);
    double size = fabs(left) + fabs(right);
    return fabs(left - right) > BOUND_2D * size || size == 0.0 ? sign_of(left - right) : exact_sign_2d(u, v, w);
}
