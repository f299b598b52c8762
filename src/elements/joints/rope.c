/* Rope: the distance of two points, free but for its limits. No equations; coordinate length |p_b - p_a|. */
#include "elements/joints/rows.h"

static void rope_residual(double *C, const carom_joint_frames *f, const void *params)
{
    (void)C;
    (void)f;
    (void)params;
}

static void rope_jacobian(carom_joint_rows *J, const carom_joint_frames *f, const void *params)
{
    (void)J;
    (void)f;
    (void)params;
}

static void rope_coordinate(double *q, const carom_joint_frames *f, const void *params)
{
    (void)params;
    q[0] = separation_value(f);
}

static void rope_coordinate_jacobian(carom_joint_rows *J, const carom_joint_frames *f, const void *params)
{
    (void)params;
    separation_row(J, 0, f);
}

static void rope_coordinate_jdot_v(double *gamma, const carom_joint_frames *f, const void *params)
{
    (void)params;
    gamma[0] = separation_jdot_v(f);
}

const carom_joint_type carom_joint_rope = {
    .kind = { .name = "rope",
              .doc =
                  "Two points at a free distance: with `limits` that have a max a rope, which pulls only; with a min a strut, which "
                  "pushes only.",
              .fields = joint_no_fields },
    .equation_count = 0,
    .residual = rope_residual,
    .jacobian = rope_jacobian,
    .jdot_v = rope_residual,
    .coordinate_count = 1,
    .coordinates = { { .name = "length" } },
    .coordinate = rope_coordinate,
    .coordinate_jacobian = rope_coordinate_jacobian,
    .coordinate_jdot_v = rope_coordinate_jdot_v,
};
