/* Screw motion: a body that turns and moves with a constant twist for one unit of time.
 *
 * A point at x has the velocity v + w x (x - c), where c is the body's origin at the start: the same field at all times.
 * Its speed is therefore constant, and so is the size of its acceleration w x velocity. A body on a pin turns about the pin
 * exactly, without the drift |w|^2 r / 2 of a straight origin. */
#ifndef CAROM_MATH_SCREW_H
#define CAROM_MATH_SCREW_H

#include "math/quat.h"

typedef struct twist {
    v3 v; /* [m] displacement per unit of time of the origin, at the start */
    v3 w; /* [rad] turn per unit of time, world axes */
} twist;

static inline twist twist_zero(void)
{
    return (twist){ v3_zero(), v3_zero() };
}

/* Velocity of the point at r from where the origin was at the start. */
static inline v3 twist_velocity(const twist *d, v3 r)
{
    return v3_add(d->v, v3_cross(d->w, r));
}

/* How far the origin has come at t: t v + B w x v + C w x (w x v). */
v3 screw_displacement(const twist *d, double t);

/* The twist that turns by w and displaces the origin by `displacement` in one unit of time. */
twist screw_through(v3 w, v3 displacement);

#endif
