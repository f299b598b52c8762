/* Unit quaternions (w, x, y, z) taking body axes to world axes, and the exponential map of SO(3).
 * World-side increments: q' = so3_exp(theta_w) q turns a body by the world vector theta_w. */
#ifndef CAROM_MATH_QUAT_H
#define CAROM_MATH_QUAT_H

#include "math/mat3.h"

typedef carom_quat quat;

/* By how much the length of a quaternion that somebody writes down may differ from 1: three digits, which are then made
 * exact. */
#define QUAT_LENGTH_TOLERANCE 1e-3

static inline quat q_identity(void)
{
    return (quat){ 1.0, 0.0, 0.0, 0.0 };
}

static inline quat q_mul(quat a, quat b)
{
    return (quat){ a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                   a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w };
}

static inline quat q_conj(quat q)
{
    return (quat){ q.w, -q.x, -q.y, -q.z };
}

static inline double q_norm(quat q)
{
    return sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
}

static inline quat q_unit(quat q)
{
    double s = 1.0 / q_norm(q);
    return (quat){ s * q.w, s * q.x, s * q.y, s * q.z };
}

static inline v3 q_rotate(quat q, v3 r)
{
    v3 u = { q.x, q.y, q.z };
    v3 t = v3_scale(2.0, v3_cross(u, r));
    return v3_add(v3_axpy(r, q.w, t), v3_cross(u, t));
}

/* R(q)^T r: a world vector seen in body axes. */
static inline v3 q_unrotate(quat q, v3 r)
{
    return q_rotate(q_conj(q), r);
}

static inline m3 q_matrix(quat q)
{
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (m3){ { 1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy), 2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx),
                   2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy) } };
}

/* The quaternion of a rotation matrix (Shepperd's branch on the largest component, so never ill-conditioned). */
quat q_from_matrix(m3 R);

/* Turn by `angle` about the unit vector `axis`. */
static inline quat q_axis_angle(v3 axis, double angle)
{
    double s = sin(0.5 * angle);
    return (quat){ cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z };
}

/* The frame whose z axis is the unit vector `axis`; x and y are some pair across it. */
quat q_frame_with_z(v3 axis);

/* exp: rotation vector to unit quaternion, accurate for any length including zero. */
quat so3_exp(v3 theta);

/* log: unit quaternion to the rotation vector of length <= pi. */
v3 so3_log(quat q);

/* The tangent operator of exp for world-side increments: if q(t) = so3_exp(theta(t)) q0 then
 * omega_w = so3_tangent(theta) theta_dot. */
m3 so3_tangent(v3 theta);

/* Its inverse: theta_dot = so3_tangent_inverse(theta) omega_w. */
m3 so3_tangent_inverse(v3 theta);

/* q' = 1/2 omega_w q: the rate of the quaternion of a body turning with omega_w. */
static inline quat q_rate(quat q, v3 omega_w)
{
    return q_mul((quat){ 0.0, 0.5 * omega_w.x, 0.5 * omega_w.y, 0.5 * omega_w.z }, q);
}

#endif
