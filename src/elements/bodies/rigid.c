/* The rigid body as a kind: no coordinates, so that all markers move with the frame and nobody asks for their twists. */
#include "elements/bodies/rigid.h"

static int no_coordinates(const void *body)
{
    (void)body;
    return 0;
}

static carom_status attach(const void *body, body_point *point, carom_arena *arena, carom_error *err)
{
    (void)body;
    (void)arena;
    (void)err;
    point->psi = NULL;
    return CAROM_OK;
}

static m3 inertia_w(const rigid_body *b, const body_frame *frame)
{
    return m3_rotate_tensor(frame->R_w, b->inertia_b);
}

static void mass(const void *body, const body_frame *frame, const double *q, double *M)
{
    (void)q;
    const rigid_body *b = body;
    const m3 J_w = inertia_w(b, frame);
    rigid_mass(M, b->mass, &J_w);
}

static void forces(const void *body, const body_frame *frame, const double *q, const double *q_dot, double *f,
                   body_energy *energy)
{
    (void)q;
    (void)q_dot;
    const m3 J_w = inertia_w(body, frame);
    v3_store(f + 3, v3_add(v3_load(f + 3), rigid_gyroscopic(&J_w, frame->rate.omega_w)));
    *energy = (body_energy){ 0 };
}

const carom_body_type carom_body_rigid = {
    .kind = { .name = "rigid", .doc = "A body that keeps its shape." },
    .coordinate_count = no_coordinates,
    .attach = attach,
    .mass = mass,
    .forces = forces,
};
