/* The point of an ellipsoid's surface nearest to y is x_i = e_i^2 y_i / (t + e_i^2), where t solves sum (e_i y_i / (t + e_i^2))^2 = 1.
 * Left of the root and behind the last pole, at -e^2 with e the shortest half axis, the sum is convex and falls: Newton's method from
 * the largest t at which one term alone is 1 goes up to the root and never passes it. The unknown is u = t + e^2, so that nothing is
 * lost near the pole. The distance is t |y / (t + e^2)|, no difference of large numbers. */
#include "geometry/ellipsoid.h"

#include <math.h>

/* Lengths in units of the shortest half axis. */
typedef struct nearest_problem {
    double e[3], beyond[3]; /* half axes; their squares less 1 */
    double y[3];            /* >= 0 */
} nearest_problem;

/* y_i / (t + e_i^2), for which the normal at the nearest point stands; 0 for coordinates that are. */
static double normal_part(const nearest_problem *p, int i, double u)
{
    return p->y[i] > 0.0 ? p->y[i] / (u + p->beyond[i]) : 0.0;
}

static double excess(const nearest_problem *p, double u, double *slope)
{
    double sum = -1.0;
    *slope = 0.0;
    for (int i = 0; i < 3; ++i) {
        double part = p->e[i] * normal_part(p, i, u);
        sum += part * part;
        *slope -= part != 0.0 ? 2.0 * part * part / (u + p->beyond[i]) : 0.0;
    }
    return sum;
}

/* u = t + 1; 0: the point lies in the middle of the thinnest direction, and so deep that the nearest point is beside its foot. */
static double solve_nearest(const nearest_problem *p)
{
    enum { TIMES = 100 };
    double u = 0.0;
    for (int i = 0; i < 3; ++i) {
        u = fmax(u, p->e[i] * p->y[i] - p->beyond[i]);
    }
    for (int k = 0; k < TIMES; ++k) {
        double slope;
        double f = excess(p, u, &slope);
        double next = f > 0.0 && slope < 0.0 ? u - f / slope : u;
        if (!(next > u)) {
            break;
        }
        u = next;
    }
    return u;
}

/* The nearest point has x_i = e_i^2 y_i / (e_i^2 - 1) along the longer axes, and along one of the shortest what is left. */
static field_sample nearest_of_deep(const nearest_problem *p, const double sign[3], double unit)
{
    double normal[3] = { 0.0 };
    double left = 1.0;
    int thin = p->beyond[0] == 0.0 ? 0 : p->beyond[1] == 0.0 ? 1 : 2;
    for (int i = 0; i < 3; ++i) {
        if (i != thin && p->beyond[i] > 0.0) {
            normal[i] = p->y[i] / p->beyond[i];
            left -= p->e[i] * p->e[i] * normal[i] * normal[i];
        }
    }
    normal[thin] = sqrt(fmax(0.0, left));
    v3 n = v3_make(sign[0] * normal[0], sign[1] * normal[1], sign[2] * normal[2]);
    double length = v3_norm(n);
    return (field_sample){ .distance = -unit * length, .gradient = v3_scale(1.0 / length, n) };
}

/* In units of the shortest half axis, mirrored to where all coordinates are positive. */
static nearest_problem mirrored(v3 radii, v3 p, double unit, double sign[3])
{
    nearest_problem q;
    for (int i = 0; i < 3; ++i) {
        double at = v3_get(p, i) / unit;
        sign[i] = at < 0.0 ? -1.0 : 1.0;
        q.e[i] = v3_get(radii, i) / unit;
        q.beyond[i] = (q.e[i] - 1.0) * (q.e[i] + 1.0);
        q.y[i] = fabs(at);
    }
    return q;
}

/* The surface is t |y / (t + e^2)| away, along the normal. */
static field_sample sample_at(const nearest_problem *q, const double sign[3], double unit, double u)
{
    v3 n = v3_make(sign[0] * normal_part(q, 0, u), sign[1] * normal_part(q, 1, u), sign[2] * normal_part(q, 2, u));
    double length = v3_norm(n);
    return (field_sample){ .distance = unit * (u - 1.0) * length, .gradient = v3_scale(1.0 / length, n) };
}

field_sample ellipsoid_nearest(v3 radii, v3 p)
{
    if (isnan(p.x + p.y + p.z)) {
        return (field_sample){ .distance = (double)NAN };
    }
    double unit = fmin(radii.x, fmin(radii.y, radii.z));
    double sign[3];
    nearest_problem q = mirrored(radii, p, unit, sign);
    double u = solve_nearest(&q);
    return u > 0.0 ? sample_at(&q, sign, unit, u) : nearest_of_deep(&q, sign, unit);
}

/* Left of the pole at -e^2 with e the shortest half axis, and right of that of the next one, the sum is convex and its larger root, if it has
 * any, is reached from the right, where the term of the shortest axis alone is 1. */
bool ellipsoid_beyond(v3 radii, v3 p, field_sample *out)
{
    enum { TIMES = 100 };
    double unit = fmin(radii.x, fmin(radii.y, radii.z));
    double sign[3];
    nearest_problem q = mirrored(radii, p, unit, sign);
    int thin = q.beyond[0] == 0.0 ? 0 : q.beyond[1] == 0.0 ? 1 : 2;
    double least = -fmin(q.beyond[(thin + 1) % 3], q.beyond[(thin + 2) % 3]);
    double u = -q.y[thin];
    for (int k = 0; k < TIMES && u < 0.0 && u > least; ++k) {
        double slope;
        double f = excess(&q, u, &slope);
        double next = f > 0.0 ? u - f / slope : u;
        if (!(slope > 0.0) || !(next > least)) {
            return false;
        }
        if (!(next < u)) {
            *out = sample_at(&q, sign, unit, u);
            return true;
        }
        u = next;
    }
    return false;
}
