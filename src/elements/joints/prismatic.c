/* Prismatic: B slides along z of A. Five rows: x_a . d = 0, y_a . d = 0, equal axes. Coordinate: travel z_a . d. */
#include "elements/joints/bearing.h"
#include "elements/joints/rows.h"

static void prismatic_residual(double *C, const carom_joint_frames *f, const void *params)
{
    (void)params;
    C[0] = along_value(f, X_OF_A);
    C[1] = along_value(f, Y_OF_A);
    same_axes_residual(C + 2, f);
}

static void prismatic_jacobian(carom_joint_rows *J, const carom_joint_frames *f, const void *params)
{
    (void)params;
    along_row(J, 0, f, X_OF_A);
    along_row(J, 1, f, Y_OF_A);
    same_axes_rows(J, 2, f);
}

static void prismatic_jdot_v(double *gamma, const carom_joint_frames *f, const void *params)
{
    (void)params;
    gamma[0] = along_jdot_v(f, X_OF_A);
    gamma[1] = along_jdot_v(f, Y_OF_A);
    same_axes_jdot_v(gamma + 2, f);
}

static void prismatic_coordinate(double *q, const carom_joint_frames *f, const void *params)
{
    (void)params;
    q[0] = along_value(f, Z_OF_A);
}

static void prismatic_coordinate_jacobian(carom_joint_rows *J, const carom_joint_frames *f, const void *params)
{
    (void)params;
    along_row(J, 0, f, Z_OF_A);
}

static void prismatic_coordinate_jdot_v(double *gamma, const carom_joint_frames *f, const void *params)
{
    (void)params;
    gamma[0] = along_jdot_v(f, Z_OF_A);
}

/* Slip: the travel's rate. Pressed by the force and moment across the axis. */
static void prismatic_friction(joint_friction *out, const carom_joint_frames *f, const carom_joint_friction_def *def,
                               const void *params)
{
    carom_joint_rows J;
    prismatic_jacobian(&J, f, params);
    *out = (joint_friction){ .dim = 1, .slip_jdot_v = { along_jdot_v(f, Z_OF_A) } };
    along_row(&out->slip, 0, f, Z_OF_A);
    bearing_sleeve(out, &J, 5, f, def->length);
}

const carom_joint_type carom_joint_prismatic = {
    .kind = { .name = "prismatic",
              .doc = "A slider: B moves along the z axis of A without turning.",
              .fields = joint_no_fields },
    .equation_count = 5,
    .residual = prismatic_residual,
    .jacobian = prismatic_jacobian,
    .jdot_v = prismatic_jdot_v,
    .flipped = axes_flipped,
    .coordinate_count = 1,
    .coordinates = { { .name = "travel", .drivable = true } },
    .coordinate = prismatic_coordinate,
    .coordinate_jacobian = prismatic_coordinate_jacobian,
    .coordinate_jdot_v = prismatic_coordinate_jdot_v,
    .friction = prismatic_friction,
    .with_clearance = &carom_joint_prismatic_play,
};
