/* Jets: a quantity with its first and second derivative by time along a motion with constant velocities (v_dot = omega_dot = 0): a
 * point r fixed to a body has x' = v + omega x r, x'' = omega x (omega x r). Products and roots follow Leibniz' rule. Internal to
 * collision. */
#ifndef CAROM_COLLISION_JET_H
#define CAROM_COLLISION_JET_H

#include <math.h>

#include "collision/gap.h"
#include "math/quat.h"

typedef struct jet {
    double v, d, dd;
} jet;

typedef struct jet3 {
    v3 v, d, dd;
} jet3;

static inline jet j_add(jet a, jet b)
{
    return (jet){ a.v + b.v, a.d + b.d, a.dd + b.dd };
}

static inline jet j_scale(double s, jet a)
{
    return (jet){ s * a.v, s * a.d, s * a.dd };
}

static inline jet j_mul(jet a, jet b)
{
    return (jet){ a.v * b.v, a.d * b.v + a.v * b.d, a.dd * b.v + 2.0 * a.d * b.d + a.v * b.dd };
}

/* 1 / a; a must not be zero. */
static inline jet j_inverse(jet a)
{
    double r = 1.0 / a.v;
    double d = -a.d * r * r;
    return (jet){ r, d, -(a.dd * r + 2.0 * a.d * d) * r };
}

/* a > 0 */
static inline jet j_sqrt(jet a)
{
    double root = sqrt(a.v);
    double d = 0.5 * a.d / root;
    return (jet){ root, d, (0.5 * a.dd - d * d) / root };
}

static inline jet3 j3_add(jet3 a, jet3 b)
{
    return (jet3){ v3_add(a.v, b.v), v3_add(a.d, b.d), v3_add(a.dd, b.dd) };
}

static inline jet3 j3_sub(jet3 a, jet3 b)
{
    return (jet3){ v3_sub(a.v, b.v), v3_sub(a.d, b.d), v3_sub(a.dd, b.dd) };
}

static inline jet3 j3_scale(double s, jet3 a)
{
    return (jet3){ v3_scale(s, a.v), v3_scale(s, a.d), v3_scale(s, a.dd) };
}

static inline jet3 j3_times(jet s, jet3 a)
{
    return (jet3){
        v3_scale(s.v, a.v),
        v3_axpy(v3_scale(s.d, a.v), s.v, a.d),
        v3_axpy(v3_axpy(v3_scale(s.dd, a.v), 2.0 * s.d, a.d), s.v, a.dd),
    };
}

/* a + s b */
static inline jet3 j3_axpy(jet3 a, jet s, jet3 b)
{
    return j3_add(a, j3_times(s, b));
}

static inline jet j3_dot(jet3 a, jet3 b)
{
    return (jet){ v3_dot(a.v, b.v), v3_dot(a.d, b.v) + v3_dot(a.v, b.d),
                  v3_dot(a.dd, b.v) + 2.0 * v3_dot(a.d, b.d) + v3_dot(a.v, b.dd) };
}

static inline jet3 j3_cross(jet3 a, jet3 b)
{
    return (jet3){
        v3_cross(a.v, b.v),
        v3_add(v3_cross(a.d, b.v), v3_cross(a.v, b.d)),
        v3_add(v3_axpy(v3_cross(a.dd, b.v), 2.0, v3_cross(a.d, b.d)), v3_cross(a.v, b.dd)),
    };
}

/* The unit vector along a and its length; along `otherwise`, at rest, where a has no direction. */
static inline jet3 j3_unit(jet3 a, jet *length, v3 otherwise)
{
    if (!(v3_norm2(a.v) > 0.0)) {
        *length = (jet){ 0 };
        return (jet3){ .v = otherwise };
    }
    *length = j_sqrt(j3_dot(a, a));
    return j3_times(j_inverse(*length), a);
}

static inline jet3 jet_turning(const gap_motion *m, v3 r_c)
{
    v3 r_w = q_rotate(m->pose_w.orientation, r_c);
    v3 r_dot_w = v3_cross(m->omega_w, r_w);
    return (jet3){ r_w, r_dot_w, v3_cross(m->omega_w, r_dot_w) };
}

static inline jet3 jet_moving(const gap_motion *m, v3 r_c)
{
    jet3 r = jet_turning(m, r_c);
    return (jet3){ v3_add(m->pose_w.position, r.v), v3_add(m->v_w, r.d), r.dd };
}

/* A feature of two generators: what a kind finds is their distance along u, which points from 1 to 0, and where. */
typedef struct gap_nearest {
    jet distance;
    jet3 u, p0, p1;
} gap_nearest;

/* An ellipsoid, generator 0, and another one, a disc, a point, a line or a plane (gap_oval.c). */
gap_nearest gap_nearest_of_oval(const gap_feature *f, const gap_motion m[2]);

#endif
