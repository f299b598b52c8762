/* Slip at the points where friction acts, and how friction resists it: shared by the files of friction. */
#ifndef CAROM_METHODS_BARRIER_FRICTION_SLIP_H
#define CAROM_METHODS_BARRIER_FRICTION_SLIP_H

#include <math.h>

#include "methods/barrier/barrier_work.h"
#include "methods/barrier/workspace.h"

/* Slip along both tangents, and the arms in world axes. The width is for steps of h: slip is measured from the reference of the
 * velocities, over the time that belongs to it. */
typedef struct slip {
    v3 by;       /* [m] by which A has moved against B there */
    double u[2]; /* [m] */
    double size;
    v3 arm[2];
} slip;

static inline slip slip_of(const barrier_work *w, const barrier_pair *p, const lagged_friction *f)
{
    slip s;
    v3 moved[2];
    for (int side = 0; side < 2; ++side) {
        const moving_body *b = &w->bodies[p->body[side]];
        bool stays = body_stays(b);
        s.arm[side] = stays ? f->began[side] : m3_mulv(b->R, f->arm_b[side]);
        moved[side] = stays ? v3_zero() : v3_add(v3_sub(b->at.x_w, b->x_ref), v3_sub(s.arm[side], f->began[side]));
    }
    s.by = v3_sub(moved[0], moved[1]);
    s.u[0] = v3_dot(f->tangent[0], s.by);
    s.u[1] = v3_dot(f->tangent[1], s.by);
    s.size = sqrt(s.u[0] * s.u[0] + s.u[1] * s.u[1]);
    return s;
}

/* [s] over which slip is measured: that of the velocities of free bodies. */
static inline double time_of(const barrier_work *w, const barrier_pair *p)
{
    return w->bodies[p->body[w->bodies[p->body[0]].free ? 0 : 1]].h_rate;
}

/* [m] below which slip is smoothed. */
static inline double width_of(const barrier_work *w, const barrier_pair *p)
{
    return (1.0 + p->softness) * stick_speed_of(w, p->range) * time_of(w, p);
}

/* The part of a gap from the surface of a body to where friction acts. */
static inline double gap_part(const barrier_work *w, const barrier_pair *p)
{
    return w->bodies[p->body[0]].free && w->bodies[p->body[1]].free ? 0.5 : 0.0;
}

/* [m] from the closest point of a skeleton along the normal to where friction acts. */
static inline double depth_of(const barrier_work *w, const barrier_pair *p, const barrier_contact *c, int side)
{
    return c->rounding[side] + gap_part(w, p) * (c->gap + p->separation);
}

/* [m] to where friction acts, from a centre of mass. */
static inline v3 friction_arm(const barrier_work *w, const barrier_pair *p, const barrier_contact *c, int side)
{
    return v3_axpy(c->arm[side], (side == 0 ? -1.0 : 1.0) * depth_of(w, p, c, side), c->normal);
}

/* Of friction's potential: its gradient by the slip of A, and its second derivative: along the slip f0'', across it f0'/|u|; f0'/|u| both
 * ways is an upper bound. */
typedef struct slip_stiffness {
    v3 force; /* [N] */
    m3 K;     /* [N/m] */
} slip_stiffness;

/* Normal force, tangent plane and points of a contact of the iterate, as lagged friction has them. */
void friction_lag(const barrier_work *w, const barrier_pair *p, const barrier_contact *c, lagged_friction *f);

slip_stiffness friction_stiffness(const lagged_friction *f, const slip *s, double width, bool upper_bound);

#endif
