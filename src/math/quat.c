/* SO(3): exponential, logarithm and tangent operators on unit quaternions and rotation vectors.
 * Closed forms with series near zero [Bruels2012, appendix; world-side version]. */
#include "math/quat.h"

/* Below this squared angle the closed forms lose digits to cancellation and the series below is exact to rounding. */
static const double SMALL_ANGLE2 = 1e-4;

quat q_from_matrix(m3 R)
{
    const double *m = R.m;
    double trace = m[0] + m[4] + m[8];
    quat q;
    if (trace >= m[0] && trace >= m[4] && trace >= m[8]) {
        q = (quat){ 1.0 + trace, m[7] - m[5], m[2] - m[6], m[3] - m[1] };
    } else if (m[0] >= m[4] && m[0] >= m[8]) {
        q = (quat){ m[7] - m[5], 1.0 + 2.0 * m[0] - trace, m[1] + m[3], m[2] + m[6] };
    } else if (m[4] >= m[8]) {
        q = (quat){ m[2] - m[6], m[1] + m[3], 1.0 + 2.0 * m[4] - trace, m[5] + m[7] };
    } else {
        q = (quat){ m[3] - m[1], m[2] + m[6], m[5] + m[7], 1.0 + 2.0 * m[8] - trace };
    }
    q = q_unit(q);
    return q.w < 0.0 ? (quat){ -q.w, -q.x, -q.y, -q.z } : q;
}

quat q_frame_with_z(v3 axis)
{
    v3 x = v3_across(axis);
    return q_from_matrix(m3_from_columns(x, v3_cross(axis, x), axis));
}

quat so3_exp(v3 theta)
{
    double half2 = 0.25 * v3_norm2(theta);
    double c, s; /* cos(|theta|/2) and sin(|theta|/2)/|theta| */
    if (half2 < SMALL_ANGLE2) {
        c = 1.0 - half2 / 2.0 * (1.0 - half2 / 12.0 * (1.0 - half2 / 30.0));
        s = 0.5 * (1.0 - half2 / 6.0 * (1.0 - half2 / 20.0 * (1.0 - half2 / 42.0)));
    } else {
        double half = sqrt(half2);
        c = cos(half);
        s = 0.5 * sin(half) / half;
    }
    return (quat){ c, s * theta.x, s * theta.y, s * theta.z };
}

v3 so3_log(quat q)
{
    if (q.w < 0.0) {
        q = (quat){ -q.w, -q.x, -q.y, -q.z };
    }
    v3 u = { q.x, q.y, q.z };
    double s2 = v3_norm2(u);
    double s = sqrt(s2);
    double angle = 2.0 * atan2(s, q.w);
    double factor = s2 < 1e-16 ? 2.0 / q.w : angle / s;
    return v3_scale(factor, u);
}

m3 so3_tangent(v3 theta)
{
    double a2 = v3_norm2(theta);
    double b, c; /* (1 - cos a)/a^2 and (a - sin a)/a^3 */
    if (a2 < SMALL_ANGLE2) {
        b = 0.5 * (1.0 - a2 / 12.0 * (1.0 - a2 / 30.0 * (1.0 - a2 / 56.0)));
        c = (1.0 - a2 / 20.0 * (1.0 - a2 / 42.0 * (1.0 - a2 / 72.0))) / 6.0;
    } else {
        double a = sqrt(a2);
        double half_sine = sin(0.5 * a);
        b = 2.0 * half_sine * half_sine / a2; /* 1 - cos a without cancellation */
        c = (a - sin(a)) / (a2 * a);
    }
    m3 S = m3_skew(theta);
    return m3_add(m3_identity(), m3_add(m3_scale(b, S), m3_scale(c, m3_mul(S, S))));
}

m3 so3_tangent_inverse(v3 theta)
{
    double a2 = v3_norm2(theta);
    double c; /* (1 - (a/2) cot(a/2))/a^2 */
    if (a2 < SMALL_ANGLE2) {
        c = (1.0 + a2 / 60.0 * (1.0 + a2 / 42.0)) / 12.0;
    } else {
        double half = 0.5 * sqrt(a2);
        c = (1.0 - half / tan(half)) / a2;
    }
    m3 S = m3_skew(theta);
    return m3_add(m3_identity(), m3_add(m3_scale(-0.5, S), m3_scale(c, m3_mul(S, S))));
}
