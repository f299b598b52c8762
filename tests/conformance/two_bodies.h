/* Two bodies with a marker each, at random poses and velocities, for tests of joints and forces. */
#ifndef CAROM_TESTS_TWO_BODIES_H
#define CAROM_TESTS_TWO_BODIES_H

#include "support/random.h"

#include "elements/marker.h"

typedef struct test_body {
    v3 c_w; /* [m] centre of mass */
    quat q_wb;
    v3 v_w; /* of the centre of mass */
    v3 omega_w;
    v3 at_b; /* marker in body axes */
    quat q_bm;
} test_body;

typedef struct test_pair {
    test_body a;
    test_body b;
} test_pair;

static inline test_body random_body(test_rng *rng)
{
    v3 c = random_v3(rng, 1.0);
    quat q = so3_exp(random_v3(rng, 2.0));
    v3 v = random_v3(rng, 1.0);
    v3 omega = random_v3(rng, 2.0);
    v3 at = random_v3(rng, 0.5);
    return (test_body){ c, q, v, omega, at, so3_exp(random_v3(rng, 2.0)) };
}

static inline marker marker_of(const test_body *body)
{
    v3 r = q_rotate(body->q_wb, body->at_b);
    v3 turning = v3_cross(body->omega_w, r);
    return (marker){
        .r_w = r,
        .p_w = v3_add(body->c_w, r),
        .R_w = q_matrix(q_mul(body->q_wb, body->q_bm)),
        .v_w = v3_add(body->v_w, turning),
        .omega_w = body->omega_w,
        .c_w = v3_cross(body->omega_w, turning),
    };
}

/* The body displaced by s [centre of mass, rotation vector], velocities kept. */
static inline test_body displaced(test_body body, const double motion[6], double s)
{
    body.c_w = v3_axpy(body.c_w, s, v3_load(motion));
    body.q_wb = q_unit(q_mul(so3_exp(v3_scale(s, v3_load(motion + 3))), body.q_wb));
    return body;
}

static inline test_pair pair_displaced(test_pair pair, const double motion[12], double s)
{
    return (test_pair){ displaced(pair.a, motion, s), displaced(pair.b, motion + 6, s) };
}

/* [v_a, omega_a, v_b, omega_b] */
static inline void pair_velocity(double out[12], const test_pair *pair)
{
    v3_store(out, pair->a.v_w);
    v3_store(out + 3, pair->a.omega_w);
    v3_store(out + 6, pair->b.v_w);
    v3_store(out + 9, pair->b.omega_w);
}

static inline void pair_set_velocity(test_pair *pair, const double v[12])
{
    pair->a.v_w = v3_load(v);
    pair->a.omega_w = v3_load(v + 3);
    pair->b.v_w = v3_load(v + 6);
    pair->b.omega_w = v3_load(v + 9);
}

/* Where the pair is a time t later when neither body accelerates. */
static inline test_pair pair_coasting(test_pair pair, double t)
{
    double v[12];
    pair_velocity(v, &pair);
    return pair_displaced(pair, v, t);
}

static inline void random_motion(double *out, int count, test_rng *rng)
{
    for (int i = 0; i < count; ++i) {
        out[i] = test_rng_uniform(rng, -1.0, 1.0);
    }
}

static inline double dot_n(const double *a, const double *b, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

#endif
