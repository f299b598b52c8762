/* Ellipsoids along their common normal. Points and lines have one equation in one unknown (geometry/ellipsoid.h); two ellipsoids, and an
 * ellipsoid and a disc, Newton's method on the sphere of directions. With K the sum of
 * the second derivatives of both supports, the second derivative of s on the sphere is -(K + s): negative where s > 0, and in
 * overlaps shallower than the radii of curvature. Each step is made to raise s, so it ends at a largest value. */
#include "collision/oval.h"

#include <math.h>

#include "geometry/ellipsoid.h"

/* ---- one ellipsoid ------------------------------------------------------------------------------------------------ */

static v3 scaled(const oval *o, v3 n)
{
    v3 m = m3_tmulv(o->axes, n);
    return v3_make(o->half.x * m.x, o->half.y * m.y, o->half.z * m.z);
}

static v3 unscaled(const oval *o, v3 w)
{
    return m3_mulv(o->axes, v3_make(o->half.x * w.x, o->half.y * w.y, o->half.z * w.z));
}

double oval_reach(const oval *o, v3 n)
{
    return v3_dot(o->c, n) + v3_norm(scaled(o, n));
}

v3 oval_support(const oval *o, v3 n)
{
    v3 w = scaled(o, n);
    double length = v3_norm(w);
    return length > 0.0 ? v3_add(o->c, unscaled(o, v3_scale(1.0 / length, w))) : o->c;
}

v3 oval_bend(const oval *o, v3 n, v3 x)
{
    v3 w = scaled(o, n);
    double length = v3_norm(w);
    if (!(length > 0.0)) {
        return v3_zero();
    }
    v3 y = scaled(o, x);
    v3 unit = v3_scale(1.0 / length, w);
    return unscaled(o, v3_scale(1.0 / length, v3_axpy(y, -v3_dot(unit, y), unit)));
}

double oval_flattest(v3 half)
{
    double longest = fmax(half.x, fmax(half.y, half.z));
    double shortest = fmin(half.x, fmin(half.y, half.z));
    return shortest > 0.0 ? longest * longest / shortest : longest;
}

/* ---- two ---------------------------------------------------------------------------------------------------------- */

typedef struct oval_search {
    const oval *a, *b;
    v3 n;
    v3 x; /* [m] from the point of B to that of A */
    double s;
} oval_search;

static oval_search look_along(const oval_search *from, v3 n)
{
    oval_search at = *from;
    at.n = n;
    at.x = v3_sub(oval_support(at.a, v3_neg(n)), oval_support(at.b, n));
    at.s = v3_dot(n, at.x);
    return at;
}

/* Newton's step on the sphere; made shorter and turned uphill where the second derivative has the wrong sign. */
typedef struct oval_step {
    v3 d;        /* [rad] */
    double rise; /* [m] slope of s along it */
} oval_step;

/* [m] The larger eigenvalue is at most the trace: a shift that leaves both well above zero. */
static double shift_of(double m00, double m01, double m11)
{
    double mean = 0.5 * (m00 + m11);
    double spread = sqrt(0.25 * (m00 - m11) * (m00 - m11) + m01 * m01);
    double lowest = mean - spread;
    double least = 1e-9 * (fabs(mean) + spread);
    return lowest > least ? 0.0 : 1e-2 * (fabs(mean) + spread) - lowest;
}

static oval_step newton_step(const oval_search *at)
{
    v3 t[2] = { v3_across(at->n), v3_zero() };
    t[1] = v3_cross(at->n, t[0]);
    v3 Kt[2];
    for (int k = 0; k < 2; ++k) {
        Kt[k] = v3_add(oval_bend(at->a, v3_neg(at->n), t[k]), oval_bend(at->b, at->n, t[k]));
    }
    double g0 = v3_dot(t[0], at->x), g1 = v3_dot(t[1], at->x);
    double m00 = v3_dot(t[0], Kt[0]) + at->s;
    double m11 = v3_dot(t[1], Kt[1]) + at->s;
    double m01 = v3_dot(t[0], Kt[1]);
    double shift = shift_of(m00, m01, m11);
    m00 += shift;
    m11 += shift;
    double det = m00 * m11 - m01 * m01;
    double d0 = (m11 * g0 - m01 * g1) / det, d1 = (m00 * g1 - m01 * g0) / det;
    v3 d = v3_axpy(v3_scale(d0, t[0]), d1, t[1]);
    double length = v3_norm(d);
    double most = 0.7; /* [rad] */
    double part = length > most ? most / length : 1.0;
    return (oval_step){ v3_scale(part, d), part * (g0 * d0 + g1 * d1) };
}

/* Up to where s is largest: halved steps until it rises; the last ones, too small to tell, as they are. */
static oval_search climb(oval_search at)
{
    enum { TIMES = 200, HALVINGS = 50 };
    const double small = 1e-6; /* [rad] Newton's method doubles the digits from here */
    int last = 2;
    for (int k = 0; k < TIMES && last > 0; ++k) {
        oval_step step = newton_step(&at);
        if (!(v3_norm2(step.d) > 0.0)) {
            break;
        }
        if (v3_norm(step.d) <= small) {
            at = look_along(&at, v3_unit(v3_add(at.n, step.d)));
            --last;
            continue;
        }
        double part = 1.0;
        oval_search next = look_along(&at, v3_unit(v3_add(at.n, step.d)));
        for (int i = 0; i < HALVINGS && !(next.s >= at.s + 1e-4 * part * step.rise); ++i) {
            part *= 0.5;
            next = look_along(&at, v3_unit(v3_axpy(at.n, part, step.d)));
        }
        at = next;
    }
    return at;
}

/* ---- a point, a line ---------------------------------------------------------------------------------------------- */

static oval_meeting meeting_along(const oval *a, const oval *b, v3 n)
{
    v3 p_a = oval_support(a, v3_neg(n));
    v3 p_b = oval_support(b, n);
    return (oval_meeting){ .gap = v3_dot(n, v3_sub(p_a, p_b)), .n = n, .p = { p_a, p_b } };
}

/* The gradient of the distance points from the ellipsoid to the point, the normal the other way. A second place may be near, across the
 * thinnest direction. */
static int meet_point(const oval *a, const oval *b, bool every, oval_meeting out[])
{
    v3 from = m3_tmulv(a->axes, v3_sub(b->c, a->c));
    field_sample f = ellipsoid_nearest(a->half, from);
    out[0] = meeting_along(a, b, v3_neg(m3_mulv(a->axes, f.gradient)));
    out[0].gap = f.distance;
    if (!(every || f.distance < 0.0) || !ellipsoid_beyond(a->half, from, &f)) {
        return 1;
    }
    out[1] = meeting_along(a, b, v3_neg(m3_mulv(a->axes, f.gradient)));
    return 2;
}

/* Seen along the line the ellipsoid is an ellipse: directions x, y across the line are turned until their images under the half axes
 * are at right angles [one-sided Jacobi], which keeps short axes exact to rounding. */
static int meet_line(const oval *a, const oval *b, const v3 *along, bool every, oval_meeting out[])
{
    v3 x = v3_across(*along);
    v3 y = v3_cross(*along, x);
    for (int k = 0; k < 3; ++k) {
        v3 p = scaled(a, x), q = scaled(a, y);
        double angle = 0.5 * atan2(2.0 * v3_dot(p, q), v3_norm2(p) - v3_norm2(q));
        v3 turned = v3_axpy(v3_scale(cos(angle), x), sin(angle), y);
        y = v3_axpy(v3_scale(cos(angle), y), -sin(angle), x);
        x = turned;
    }
    v3 half = v3_make(v3_norm(scaled(a, x)), v3_norm(scaled(a, y)), 0.0);
    half.z = fmax(half.x, half.y); /* nothing is asked along the line */
    v3 apart = v3_sub(b->c, a->c);
    v3 from = v3_make(v3_dot(apart, x), v3_dot(apart, y), 0.0);
    field_sample f = ellipsoid_nearest(half, from);
    out[0] = meeting_along(a, b, v3_neg(v3_unit(v3_axpy(v3_scale(f.gradient.x, x), f.gradient.y, y))));
    out[0].gap = f.distance;
    if (!(every || f.distance < 0.0) || !ellipsoid_beyond(half, from, &f)) {
        return 1;
    }
    out[1] = meeting_along(a, b, v3_neg(v3_unit(v3_axpy(v3_scale(f.gradient.x, x), f.gradient.y, y))));
    return 2;
}

/* ---- a flat disc -------------------------------------------------------------------------------------------------- */

/* The disc is met on its flat side where what is lowest of the ellipsoid lies inside of its rim: s has a kink there. */
static bool meets_flat(const oval *a, const oval *b, v3 n)
{
    v3 w = m3_tmulv(b->axes, v3_sub(oval_support(a, v3_neg(n)), b->c));
    double x = w.x / b->half.x, y = w.y / b->half.y;
    return x * x + y * y <= 1.0;
}

/* ---- any ---------------------------------------------------------------------------------------------------------- */

/* While apart, x = p_A - p_B makes n . D - H(n) - n . n / 2 largest, with D from centre to centre and H the sum of both supports about
 * their centres. Replacing each support h(n) by (h^2(n) / h + h) / 2 bounds that from below and touches it; its largest value is at
 * n = (Q_A / h_A + Q_B / h_B + 1)^-1 D. Repeated, it rises towards the answer from anywhere. In A's axes, in units of its half axes. */
static v3 first_guess(const oval *a, const oval *b)
{
    enum { TIMES = 12 };
    v3 apart = v3_sub(a->c, b->c);
    v3 half = a->half;
    v3 per = v3_make(1.0 / half.x, 1.0 / half.y, 1.0 / half.z);
    v3 D = m3_tmulv(a->axes, apart);
    D = v3_make(D.x * per.x, D.y * per.y, D.z * per.z);
    m3 T = m3_mul(m3_diag(per.x, per.y, per.z), m3_mul(m3_transpose(a->axes), b->axes)); /* B's axes in these */
    m3 Q = m3_mul(T, m3_mul(m3_diag(b->half.x * b->half.x, b->half.y * b->half.y, b->half.z * b->half.z),
                            m3_transpose(T)));
    v3 m = D; /* n = axes (m / half): then h_A = |m| */
    for (int k = 0; k < TIMES; ++k) {
        double h_a = v3_norm(m), h_b = sqrt(fmax(0.0, v3_dot(m, m3_mulv(Q, m))));
        m3 M = m3_add(m3_diag(1.0 / h_a + per.x * per.x, 1.0 / h_a + per.y * per.y, 1.0 / h_a + per.z * per.z),
                      m3_scale(h_b > 0.0 ? 1.0 / h_b : 0.0, Q));
        v3 next = m3_mulv(m3_inverse(M), D);
        if (!v3_finite(next) || !(v3_norm2(next) > 0.0)) {
            break;
        }
        m = next;
    }
    v3 n = m3_mulv(a->axes, v3_make(m.x * per.x, m.y * per.y, m.z * per.z));
    double length = v3_norm(n);
    return length > 0.0 && isfinite(length) ? v3_scale(1.0 / length, n) : v3_zero();
}

/* From where a search begins, on the side of A. */
static int start_from(const oval *a, const oval *b, v3 n, int count, oval_meeting out[])
{
    double length = v3_norm(n);
    if (!(length > 0.0)) {
        return count;
    }
    double side = v3_dot(n, v3_sub(a->c, b->c)) < 0.0 ? -1.0 : 1.0;
    oval_search start = { .a = a, .b = b };
    out[count] = meeting_along(a, b, climb(look_along(&start, v3_scale(side / length, n))).n);
    return count + 1;
}

static bool is_enough(bool every, int count, const oval_meeting out[])
{
    return !every && count > 0 && out[count - 1].gap >= 0.0;
}

static int meet_oval(const oval *a, const oval *b, bool every, oval_meeting out[])
{
    int count = 0;
    for (int k = 0; b->half.z == 0.0 && k < 2 && !is_enough(every, count, out); ++k) {
        v3 n = v3_scale(k == 0 ? 1.0 : -1.0, m3_column(b->axes, 2));
        if (meets_flat(a, b, n)) {
            out[count++] = meeting_along(a, b, n);
        }
    }
    if (!is_enough(every, count, out)) {
        count = start_from(a, b, first_guess(a, b), count, out);
    }
    if (!is_enough(every, count, out)) {
        count = start_from(a, b, v3_sub(a->c, b->c), count, out);
        for (int k = 0; k < 6; ++k) {
            count = start_from(a, b, m3_column(k < 3 ? a->axes : b->axes, k % 3), count, out);
        }
    }
    return count;
}

static int meet(const oval *a, const oval *b, const v3 *along, bool every, oval_meeting out[OVAL_MOST])
{
    bool point = v3_norm2(b->half) == 0.0;
    return along   ? meet_line(a, b, along, every, out)
           : point ? meet_point(a, b, every, out)
                   : meet_oval(a, b, every, out);
}

int oval_meet_all(const oval *a, const oval *b, const v3 *along, oval_meeting out[OVAL_MOST])
{
    return meet(a, b, along, true, out);
}

oval_meeting oval_meet(const oval *a, const oval *b, const v3 *along)
{
    oval_meeting all[OVAL_MOST];
    int count = meet(a, b, along, false, all);
    int best = 0;
    for (int k = 1; k < count; ++k) {
        best = all[k].gap > all[best].gap ? k : best;
    }
    return all[best];
}
