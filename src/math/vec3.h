/* Vectors in R^3, by value. */
#ifndef CAROM_MATH_VEC3_H
#define CAROM_MATH_VEC3_H

#include <math.h>

#include <carom/math.h>

typedef carom_v3 v3;

static inline v3 v3_make(double x, double y, double z)
{
    return (v3){ x, y, z };
}

static inline v3 v3_zero(void)
{
    return (v3){ 0.0, 0.0, 0.0 };
}

static inline v3 v3_add(v3 a, v3 b)
{
    return (v3){ a.x + b.x, a.y + b.y, a.z + b.z };
}

static inline v3 v3_sub(v3 a, v3 b)
{
    return (v3){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static inline v3 v3_neg(v3 a)
{
    return (v3){ -a.x, -a.y, -a.z };
}

static inline v3 v3_scale(double s, v3 a)
{
    return (v3){ s * a.x, s * a.y, s * a.z };
}

/* a + s b */
static inline v3 v3_axpy(v3 a, double s, v3 b)
{
    return (v3){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

static inline double v3_dot(v3 a, v3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline v3 v3_cross(v3 a, v3 b)
{
    return (v3){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static inline double v3_norm2(v3 a)
{
    return v3_dot(a, a);
}

static inline double v3_norm(v3 a)
{
    return sqrt(v3_dot(a, a));
}

/* The unit vector along a; a must not be zero. */
static inline v3 v3_unit(v3 a)
{
    return v3_scale(1.0 / v3_norm(a), a);
}

static inline double v3_get(v3 a, int i)
{
    return i == 0 ? a.x : i == 1 ? a.y : a.z;
}

static inline void v3_store(double out[3], v3 a)
{
    out[0] = a.x;
    out[1] = a.y;
    out[2] = a.z;
}

static inline v3 v3_load(const double in[3])
{
    return (v3){ in[0], in[1], in[2] };
}

static inline bool v3_finite(v3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

/* The larger of two numbers; NaN when either is (fmax would drop it). */
static inline double max_or_nan(double a, double b)
{
    return a >= b || isnan(a) ? a : b;
}

/* Some unit vector across the unit vector n, chosen by its smallest component so that it varies little. */
static inline v3 v3_across(v3 n)
{
    double ax = fabs(n.x);
    double ay = fabs(n.y);
    double az = fabs(n.z);
    v3 e = ax <= ay && ax <= az ? v3_make(1, 0, 0) : ay <= az ? v3_make(0, 1, 0) : v3_make(0, 0, 1);
    return v3_unit(v3_sub(e, v3_scale(v3_dot(e, n), n)));
}

#endif
