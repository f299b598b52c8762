/* Fixed: B keeps its place and its axes in A. Six rows: p_b = p_a, equal axes. */
#include "elements/joints/rows.h"

static void fixed_residual(double *C, const carom_joint_frames *f, const void *params)
{
    (void)params;
    coincide_residual(C, f);
    same_axes_residual(C + 3, f);
}

static void fixed_jacobian(carom_joint_rows *J, const carom_joint_frames *f, const void *params)
{
    (void)params;
    coincide_rows(J, 0, f);
    same_axes_rows(J, 3, f);
}

static void fixed_jdot_v(double *gamma, const carom_joint_frames *f, const void *params)
{
    (void)params;
    coincide_jdot_v(gamma, f);
    same_axes_jdot_v(gamma + 3, f);
}

const carom_joint_type carom_joint_fixed = {
    .kind = { .name = "fixed",
              .doc = "Holds two bodies together rigidly: no motion of B relative to A.",
              .fields = joint_no_fields },
    .equation_count = 6,
    .residual = fixed_residual,
    .jacobian = fixed_jacobian,
    .jdot_v = fixed_jdot_v,
    .flipped = axes_flipped,
};
