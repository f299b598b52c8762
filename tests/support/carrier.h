/* A body for tests of bodies that deform: a rigid body that carries three masses, each on a slide along its own axis of the
 * body, held by a spring and a damper. A mass is a ball with inertia and may sit on a thread, so that it turns as it slides.
 * carrier_world.h makes the same of four rigid bodies with prismatic or screw joints. */
#ifndef CAROM_TESTS_CARRIER_H
#define CAROM_TESTS_CARRIER_H

#include <string.h>

#include "elements/bodies/rigid.h"

enum { CARRIED = 3, CARRIER_COLUMNS = FRAME_COLUMNS + CARRIED };

typedef struct carried_mass {
    double mass;      /* [kg] */
    double inertia;   /* [kg m^2] about any axis through its centre */
    carom_v3 at;      /* [m] where the spring is relaxed, in the frame of the carrier */
    carom_v3 axis;    /* unit, in the axes of the carrier */
    double stiffness; /* [N/m] */
    double damping;   /* [N s/m] */
    double thread;    /* [rad/m] turn per travel; 0: slides without turning */
} carried_mass;

typedef struct carrier_def {
    double mass;      /* [kg] of the rigid part, whose centre is the origin of the frame */
    carom_v3 inertia; /* [kg m^2] of the rigid part about the axes of the body */
    carom_list masses;
} carrier_def;

#define CARRIER_REAL(type, member)                                                              \
    {                                                                                           \
        .name = #member, .kind = CAROM_FIELD_REAL, .offset = offsetof(type, member), .doc = "-" \
    }
#define CARRIER_VECTOR(type, member)                                                              \
    {                                                                                             \
        .name = #member, .kind = CAROM_FIELD_VECTOR, .offset = offsetof(type, member), .doc = "-" \
    }

static const carried_mass carried_default = { .mass = 1.0, .axis = { 1.0, 0.0, 0.0 } };
static const carom_field carried_fields[] = {
    CARRIER_REAL(carried_mass, mass),      CARRIER_REAL(carried_mass, inertia),
    CARRIER_VECTOR(carried_mass, at),      CARRIER_VECTOR(carried_mass, axis),
    CARRIER_REAL(carried_mass, stiffness), CARRIER_REAL(carried_mass, damping),
    CARRIER_REAL(carried_mass, thread),    { .name = NULL }
};
static const carom_field carrier_fields[] = { CARRIER_REAL(carrier_def, mass),
                                              CARRIER_VECTOR(carrier_def, inertia),
                                              { .name = "masses",
                                                .kind = CAROM_FIELD_LIST,
                                                .offset = offsetof(carrier_def, masses),
                                                .fields = carried_fields,
                                                .item_defaults = &carried_default,
                                                .size = sizeof(carried_mass),
                                                .doc = "-" },
                                              { .name = NULL } };

static const carried_mass *carried(const void *body, int k)
{
    return (const carried_mass *)((const carrier_def *)body)->masses.items + k;
}

/* A mass as it is now, world axes: lever arm from the origin and axis. */
typedef struct carried_now {
    v3 r_w, n_w;
} carried_now;

static carried_now carried_at(const void *body, const body_frame *frame, const double *q, int k)
{
    const carried_mass *c = carried(body, k);
    return (carried_now){ m3_mulv(frame->R_w, v3_axpy(c->at, q[k], c->axis)), m3_mulv(frame->R_w, c->axis) };
}

static int carrier_coordinate_count(const void *body)
{
    (void)body;
    return CARRIED;
}

/* A marker drawn at a mass is attached to it, any other to the rigid part. */
static carom_status carrier_attach(const void *body, body_point *point, carom_arena *arena, carom_error *err)
{
    for (int k = 0; k < CARRIED; ++k) {
        const carried_mass *c = carried(body, k);
        if (v3_norm(v3_sub(point->position, c->at)) > 1e-9) {
            continue;
        }
        double *psi = CAROM_ARENA_ARRAY(arena, double, FRAME_COLUMNS *CARRIED);
        if (!psi) {
            return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
        }
        for (int i = 0; i < 3; ++i) {
            psi[CARRIED * i + k] = v3_get(c->axis, i);
            psi[CARRIED * (3 + i) + k] = c->thread * v3_get(c->axis, i);
        }
        point->psi = psi;
    }
    return CAROM_OK;
}

static void carrier_add_block(double *M, int row, int column, const m3 *block)
{
    for (int i = 0; i < 9; ++i) {
        M[CARRIER_COLUMNS * (row + i / 3) + column + i % 3] += block->m[i];
    }
}

static void carrier_put_column(double *M, int row, int column, v3 v)
{
    for (int i = 0; i < 3; ++i) {
        M[CARRIER_COLUMNS * (row + i) + column] = v3_get(v, i);
        M[CARRIER_COLUMNS * column + row + i] = v3_get(v, i);
    }
}

/* Velocities of a mass: v + omega x r + n q', omega + thread n q'. */
static void carrier_mass(const void *body, const body_frame *frame, const double *q, double *M)
{
    const carrier_def *def = body;
    const m3 diagonal = { { def->inertia.x, 0, 0, 0, def->inertia.y, 0, 0, 0, def->inertia.z } };
    const m3 J_w = m3_rotate_tensor(frame->R_w, diagonal);
    memset(M, 0, sizeof(double) * CARRIER_COLUMNS * CARRIER_COLUMNS);
    carrier_add_block(M, 0, 0, &(m3){ { def->mass, 0, 0, 0, def->mass, 0, 0, 0, def->mass } });
    carrier_add_block(M, 3, 3, &J_w);
    for (int k = 0; k < CARRIED; ++k) {
        const carried_mass *c = carried(body, k);
        const carried_now now = carried_at(body, frame, q, k);
        const v3 r = now.r_w;
        const double m = c->mass;
        const double r2 = v3_norm2(r);
        const double s = m * r2 + c->inertia;
        const m3 across = { { 0, m * r.z, -m * r.y, -m * r.z, 0, m * r.x, m * r.y, -m * r.x, 0 } }; /* -m [r x] */
        const m3 back = { { 0, -m * r.z, m * r.y, m * r.z, 0, -m * r.x, -m * r.y, m * r.x, 0 } };
        const m3 about = { { s - m * r.x * r.x, -m * r.x * r.y, -m * r.x * r.z, -m * r.x * r.y, s - m * r.y * r.y,
                             -m * r.y * r.z, -m * r.x * r.z, -m * r.y * r.z, s - m * r.z * r.z } };
        carrier_add_block(M, 0, 0, &(m3){ { m, 0, 0, 0, m, 0, 0, 0, m } });
        carrier_add_block(M, 0, 3, &across);
        carrier_add_block(M, 3, 0, &back);
        carrier_add_block(M, 3, 3, &about);
        carrier_put_column(M, 0, FRAME_COLUMNS + k, v3_scale(m, now.n_w));
        v3 spin = v3_add(v3_scale(m, v3_cross(r, now.n_w)), v3_scale(c->inertia * c->thread, now.n_w));
        carrier_put_column(M, 3, FRAME_COLUMNS + k, spin);
        M[(CARRIER_COLUMNS + 1) * (FRAME_COLUMNS + k)] = m + c->inertia * c->thread * c->thread;
    }
}

static void carrier_add(double *f, v3 force, v3 torque)
{
    v3_store(f, v3_add(v3_load(f), force));
    v3_store(f + 3, v3_add(v3_load(f + 3), torque));
}

static void carrier_forces(const void *body, const body_frame *frame, const double *q, const double *q_dot, double *f,
                           body_energy *energy)
{
    const carrier_def *def = body;
    const m3 diagonal = { { def->inertia.x, 0, 0, 0, def->inertia.y, 0, 0, 0, def->inertia.z } };
    const m3 J_w = m3_rotate_tensor(frame->R_w, diagonal);
    const v3 omega = frame->rate.omega_w;
    *energy = (body_energy){ 0 };
    carrier_add(f, v3_zero(), rigid_gyroscopic(&J_w, omega));
    for (int k = 0; k < CARRIED; ++k) {
        const carried_mass *c = carried(body, k);
        const carried_now now = carried_at(body, frame, q, k);
        v3 coriolis = v3_scale(q_dot[k], v3_cross(omega, now.n_w));
        v3 a = v3_axpy(v3_cross(omega, v3_cross(omega, now.r_w)), 2.0,
                       coriolis); /* when all accelerations are zero */
        v3 force = v3_scale(-c->mass, a);
        v3 torque = v3_scale(-c->inertia * c->thread, coriolis);
        carrier_add(f, force, v3_add(torque, v3_cross(now.r_w, force)));
        f[FRAME_COLUMNS + k] += v3_dot(now.n_w, force) - c->stiffness * q[k] - c->damping * q_dot[k];
        energy->elastic += 0.5 * c->stiffness * q[k] * q[k];
        energy->dissipation += c->damping * q_dot[k] * q_dot[k];
    }
}

static void carrier_tangent(const void *body, const double *q, double stiffness, double damping, double *A)
{
    (void)q;
    for (int k = 0; k < CARRIED; ++k) {
        const carried_mass *c = carried(body, k);
        A[(CARRIER_COLUMNS + 1) * (FRAME_COLUMNS + k)] += stiffness * c->stiffness + damping * c->damping;
    }
}

/* Displacement (from 0) or rotation (from 3) of a point by coordinates or by their rates, world axes. */
static v3 carrier_shift(const body_frame *frame, const body_point *point, int from, const double *x)
{
    double sum[3] = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < 3 * CARRIED; ++i) {
        sum[i / CARRIED] += point->psi[CARRIED * from + i] * x[i % CARRIED];
    }
    return m3_mulv(frame->R_w, v3_load(sum));
}

/* The point that moves with the frame and is where the marker is now. */
static body_point carrier_point_now(const body_frame *frame, const body_point *point, const double *q)
{
    body_point now = *point;
    v3 moved = m3_mulv(m3_transpose(frame->R_w), carrier_shift(frame, point, 0, q));
    v3 turned = m3_mulv(m3_transpose(frame->R_w), carrier_shift(frame, point, 3, q));
    now.position = v3_add(point->position, moved);
    now.orientation = q_mul(so3_exp(turned), point->orientation);
    return now;
}

static void carrier_point(const void *body, const body_frame *frame, const double *q, const double *q_dot,
                          const body_point *point, point_motion *out)
{
    (void)body;
    const body_point now = carrier_point_now(frame, point, q);
    const v3 slide = carrier_shift(frame, point, 0, q_dot);
    const v3 turn = carrier_shift(frame, point, 3, q_dot);
    const v3 omega = frame->rate.omega_w;
    out->marker = marker_on(&frame->pose, &frame->R_w, &frame->rate, &now);
    out->marker.v_w = v3_add(out->marker.v_w, slide);
    out->marker.c_w = v3_axpy(out->marker.c_w, 2.0, v3_cross(omega, slide));
    out->marker.omega_w = v3_add(omega, turn);
    out->alpha_w = v3_cross(omega, turn);
}

static void carrier_twist(const void *body, const body_frame *frame, const double *q, const body_point *point,
                          int coordinate, double out[FRAME_COLUMNS])
{
    (void)body;
    const body_point now = carrier_point_now(frame, point, q);
    double unit[CARRIED] = { 0.0 };
    unit[coordinate] = 1.0;
    v3 turn = carrier_shift(frame, point, 3, unit);
    v3 at_origin = v3_sub(carrier_shift(frame, point, 0, unit), v3_cross(turn, m3_mulv(frame->R_w, now.position)));
    v3_store(out, at_origin);
    v3_store(out + 3, turn);
}

static double carrier_displacement(const void *body, int coordinate)
{
    (void)body;
    (void)coordinate;
    return 1.0;
}

static const carom_body_type carrier_type = {
    .kind = { .name = "carrier",
              .doc = "A rigid body with three masses on springs.",
              .fields = carrier_fields,
              .size = sizeof(carrier_def) },
    .coordinate_count = carrier_coordinate_count,
    .attach = carrier_attach,
    .mass = carrier_mass,
    .forces = carrier_forces,
    .tangent = carrier_tangent,
    .point = carrier_point,
    .twist = carrier_twist,
    .displacement = carrier_displacement,
};

/* Masses, inertias and axes without symmetry; the second mass sits on a thread. */
static const carried_mass carrier_masses[CARRIED] = {
    { .mass = 0.3,
      .inertia = 2e-3,
      .at = { 0.2, 0.05, -0.1 },
      .axis = { 0.6, 0.0, 0.8 },
      .stiffness = 40.0,
      .damping = 0.2 },
    { .mass = 0.5,
      .inertia = 4e-3,
      .at = { -0.15, 0.1, 0.12 },
      .axis = { 0.0, 1.0, 0.0 },
      .stiffness = 70.0,
      .damping = 0.1,
      .thread = 5.0 },
    { .mass = 0.2,
      .inertia = 1e-3,
      .at = { 0.0, -0.2, 0.1 },
      .axis = { 0.8, -0.6, 0.0 },
      .stiffness = 25.0,
      .damping = 0.3 },
};
static const carrier_def carrier_sample = { .mass = 1.5,
                                            .inertia = { 0.03, 0.04, 0.05 },
                                            .masses = { CARRIED, carrier_masses } };

#endif
