#include "contact/advancement.h"

/* ---- two bodies ---------------------------------------------------------------------------------------------------- */

/* Adds the turning of one body. `passing` [m/s]: the speed at which points pass over its features, which turn with it. */
static void add_turning(approach_bound *p, const motion_bound *b, double lever, double passing)
{
    if (b->spin > 0.0 || b->spin_up > 0.0) { /* else the lever may be infinite */
        p->speed += b->spin * lever;
        p->acceleration += (b->spin_up + b->spin * b->spin) * lever + 2.0 * b->spin * passing;
    }
}

approach_bound approach_of(const motion_bound *a, const motion_bound *b, const approach_bound *together,
                           const double lever[2], bool features)
{
    approach_bound added = { a->speed + b->speed, a->acceleration + b->acceleration };
    approach_bound p = together ? *together : added;
    double passing = features ? p.speed + a->spin * lever[0] + b->spin * lever[1] : 0.0;
    add_turning(&p, a, lever[0], passing);
    add_turning(&p, b, lever[1], passing);
    return p;
}

approach_bound approach_of_one(const motion_bound *b, double lever)
{
    approach_bound p = { b->speed, b->acceleration };
    if (isfinite(lever)) {
        add_turning(&p, b, lever, 0.0);
    }
    return p;
}

void approach_levers(const near_search *near, int a, int b, double apart, double lever[2])
{
    double reach[2] = { near->reach[a], near->reach[b] };
    for (int side = 0; side < 2; ++side) {
        lever[side] = isfinite(reach[side]) ? reach[side] : apart + reach[!side];
    }
}

double approach_distance(approach_bound p, double dt)
{
    return dt * (p.speed + 0.5 * dt * p.acceleration);
}

double approach_time(approach_bound p, double gap)
{
    double rate = p.speed + sqrt(p.speed * p.speed + 2.0 * p.acceleration * gap);
    return rate > 0.0 ? 2.0 * gap / rate : HUGE_VAL;
}

/* ---- one gap ------------------------------------------------------------------------------------------------------- */

/* The root of gap + rate h - A h^2/2. */
double open_time(double gap, double rate, double A)
{
    double root = sqrt(rate * rate + 2.0 * A * gap);
    return rate >= 0.0 ? (A > 0.0 ? (rate + root) / A : HUGE_VAL) : 2.0 * gap / (root - rate);
}

/* |d + v h| + A h^2/2 - radius [m], which the distance from the wall is not below, and its rate [m/s]. */
static double beyond_ring(v3 d_w, v3 v_w, double A, double radius, double h, double *rate)
{
    v3 x_w = v3_axpy(d_w, h, v_w);
    double distance = v3_norm(x_w);
    *rate = (distance > 0.0 ? v3_dot(x_w, v_w) / distance : 0.0) + A * h;
    return distance + 0.5 * A * h * h - radius;
}

/* The gap itself has no bound of its second derivative: it bends without limit where the journal passes the middle. But a
 * chord is straight but for accelerations, and |d + v h| + A h^2/2 is convex in h: Newton's method comes down to its last
 * zero from beyond. */
double open_time_in_ring(v3 d_w, v3 v_w, double A, double radius)
{
    enum { MOST = 60 };
    double speed = v3_norm(v_w);
    double across = speed > 0.0 ? (radius + v3_norm(d_w)) / speed : HUGE_VAL;
    double h = fmin(across, A > 0.0 ? sqrt(2.0 * radius / A) : HUGE_VAL);
    for (int k = 0; k < MOST && isfinite(h); ++k) {
        double rate = 0.0;
        double beyond = beyond_ring(d_w, v_w, A, radius, h, &rate);
        if (!(rate > 0.0) || beyond >= rate * h) {
            return 0.0; /* it never gets inside: at the wall, or a little beyond */
        }
        h -= fmax(beyond / rate, 0.0);
        if (beyond <= 1e-9 * rate * h) {
            break;
        }
    }
    return h;
}
