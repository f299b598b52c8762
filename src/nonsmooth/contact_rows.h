/* Rows of a contact and their transposes: what sweeps do a hundred thousand times per step of a pile, so that it is inline. */
#ifndef CAROM_NONSMOOTH_CONTACT_ROWS_H
#define CAROM_NONSMOOTH_CONTACT_ROWS_H

#include "nonsmooth/contact_problem.h"
#include "nonsmooth/small.h"

/* Force and torque about the centre of mass of an impulse f at the contact, as body[0] feels it. */
static inline void contact_wrench(const cone_contact *c, int side, const double f[3], double out[BODY_COLUMNS])
{
    bool turns = c->couple > 0.0;
    cross3(c->arm[side], f, out + 3);
    for (int k = 0; k < 3; ++k) {
        out[k] = turns ? 0.0 : f[k];
        out[3 + k] = turns ? c->couple * f[k] : out[3 + k];
    }
}

/* [m/s] of a side at the place of contact. */
static inline void side_velocity(const cone_contact *c, int side, const double *v, double at[3])
{
    if (c->couple > 0.0) {
        for (int k = 0; k < 3; ++k) {
            at[k] = c->couple * v[3 + k];
        }
        return;
    }
    cross3(v + 3, c->arm[side], at);
    for (int k = 0; k < 3; ++k) {
        at[k] += v[k];
    }
}

/* [m/s] of body[0] against body[1] at the place of contact. */
static inline void relative_velocity(const cone_contact *c, const double *v, double at[3])
{
    at[0] = at[1] = at[2] = 0.0;
    for (int side = 0; side < 2; ++side) {
        if (c->body[side] >= 0) {
            double sign = side == 0 ? 1.0 : -1.0;
            double own[3];
            side_velocity(c, side, v + BODY_COLUMNS * c->body[side], own);
            for (int k = 0; k < 3; ++k) {
                at[k] += sign * own[k];
            }
        }
    }
}

/* H v of one contact. */
static inline void contact_rows_times(const cone_contact *c, const double *v, double u[CONE_ROWS])
{
    double at[3];
    relative_velocity(c, v, at);
    times3(c->frame, at, u);
}

/* u of one contact at v; the normal one alone, without impulses. */
static inline void contact_velocity(const contact_problem *p, const cone_contact *c, double u[CONE_ROWS])
{
    contact_rows_times(c, p->v, u);
    for (int k = 0; k < CONE_ROWS; ++k) {
        u[k] = u[k] + c->bias[k] + c->eps * c->r[k];
    }
}

static inline double contact_normal_velocity(const contact_problem *p, const cone_contact *c)
{
    double at[3];
    relative_velocity(c, p->v, at);
    return dot3(c->frame[0], at) + c->bias[0];
}

/* v += M^-1 H' d for a change d of the impulse of one contact. */
static inline void contact_push(const contact_problem *p, const cone_contact *c, const double d[CONE_ROWS])
{
    double f[3];
    for (int k = 0; k < 3; ++k) {
        f[k] = c->frame[0][k] * d[0] + c->frame[1][k] * d[1] + c->frame[2][k] * d[2];
    }
    for (int side = 0; side < 2; ++side) {
        if (c->body[side] >= 0) {
            const problem_body *b = &p->bodies[c->body[side]];
            double *v = p->v + BODY_COLUMNS * c->body[side];
            double sign = side == 0 ? 1.0 : -1.0;
            double push[BODY_COLUMNS];
            contact_wrench(c, side, f, push);
            for (int k = 0; k < 3; ++k) {
                v[k] += sign * b->inverse_mass * push[k];
                v[3 + k] += sign * dot3(b->inverse_inertia[k], push + 3);
            }
        }
    }
}

#endif
