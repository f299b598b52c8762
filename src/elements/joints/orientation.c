/* Orientation: B keeps its axes in A and goes anywhere. Three rows: equal axes. Coordinates: x = x_a . d, y = y_a . d and
 * z = z_a . d. */
#include "elements/joints/rows.h"

static const axis_of_a axes[3] = { X_OF_A, Y_OF_A, Z_OF_A };

static void orientation_residual(double *C, const carom_joint_frames *f, const void *params)
{
    (void)params;
    same_axes_residual(C, f);
}

static void orientation_jacobian(carom_joint_rows *J, const carom_joint_frames *f, const void *params)
{
    (void)params;
    same_axes_rows(J, 0, f);
}

static void orientation_jdot_v(double *gamma, const carom_joint_frames *f, const void *params)
{
    (void)params;
    same_axes_jdot_v(gamma, f);
}

static void orientation_coordinate(double *q, const carom_joint_frames *f, const void *params)
{
    (void)params;
    for (int k = 0; k < 3; ++k) {
        q[k] = along_value(f, axes[k]);
    }
}

static void orientation_coordinate_jacobian(carom_joint_rows *J, const carom_joint_frames *f, const void *params)
{
    (void)params;
    for (int k = 0; k < 3; ++k) {
        along_row(J, k, f, axes[k]);
    }
}

static void orientation_coordinate_jdot_v(double *gamma, const carom_joint_frames *f, const void *params)
{
    (void)params;
    for (int k = 0; k < 3; ++k) {
        gamma[k] = along_jdot_v(f, axes[k]);
    }
}

const carom_joint_type carom_joint_orientation = {
    .kind = { .name = "orientation", .doc = "B keeps its axes in A and goes anywhere.", .fields = joint_no_fields },
    .equation_count = 3,
    .residual = orientation_residual,
    .jacobian = orientation_jacobian,
    .jdot_v = orientation_jdot_v,
    .flipped = axes_flipped,
    .coordinate_count = 3,
    .coordinates = { { .name = "x", .drivable = true },
                     { .name = "y", .drivable = true },
                     { .name = "z", .drivable = true } },
    .coordinate = orientation_coordinate,
    .coordinate_jacobian = orientation_coordinate_jacobian,
    .coordinate_jdot_v = orientation_coordinate_jdot_v,
};
