/* The rigid body: six columns, M = diag(m, m, m, J_w). Its arithmetic is here, unrolled, for those who keep the inertia in
 * world axes at hand; the table in rigid.c serves everyone else. */
#ifndef CAROM_ELEMENTS_BODIES_RIGID_H
#define CAROM_ELEMENTS_BODIES_RIGID_H

#include <string.h>

#include "elements/bodies/body.h"

typedef struct rigid_body {
    double mass;  /* [kg] */
    m3 inertia_b; /* [kg m^2] about the centre of mass, body axes */
} rigid_body;

extern const carom_body_type carom_body_rigid;

/* M, 6x6 row-major. */
static inline void rigid_mass(double *M, double mass, const m3 *J_w)
{
    memset(M, 0, 36 * sizeof *M);
    M[0] = M[7] = M[14] = mass;
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) {
            M[6 * (3 + r) + 3 + c] = J_w->m[3 * r + c];
        }
    }
}

/* -omega x J omega: what the rotation of the inertia tensor asks for. */
static inline v3 rigid_gyroscopic(const m3 *J_w, v3 omega_w)
{
    return v3_cross(m3_mulv(*J_w, omega_w), omega_w);
}

static inline double rigid_mass_product(double mass, const m3 *J_w, const body_rate *a, const body_rate *b)
{
    return mass * v3_dot(a->v_w, b->v_w) + v3_dot(a->omega_w, m3_mulv(*J_w, b->omega_w));
}

static inline double rigid_kinetic(double mass, const m3 *J_w, const body_rate *rate)
{
    return 0.5 * mass * v3_norm2(rate->v_w) + 0.5 * v3_dot(rate->omega_w, m3_mulv(*J_w, rate->omega_w));
}

#endif
