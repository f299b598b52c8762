/* Point on plane: marker B's point stays in the xy plane of A; B turns freely. One row: z_a . d = 0. Coordinates: x = x_a . d and
 * y = y_a . d. */
#include "elements/joints/rows.h"

static void point_on_plane_residual(double *C, const carom_joint_frames *f, const void *params)
{
    (void)params;
    C[0] = along_value(f, Z_OF_A);
}

static void point_on_plane_jacobian(carom_joint_rows *J, const carom_joint_frames *f, const void *params)
{
    (void)params;
    along_row(J, 0, f, Z_OF_A);
}

static void point_on_plane_jdot_v(double *gamma, const carom_joint_frames *f, const void *params)
{
    (void)params;
    gamma[0] = along_jdot_v(f, Z_OF_A);
}

static void point_on_plane_coordinate(double *q, const carom_joint_frames *f, const void *params)
{
    (void)params;
    q[0] = along_value(f, X_OF_A);
    q[1] = along_value(f, Y_OF_A);
}

static void point_on_plane_coordinate_jacobian(carom_joint_rows *J, const carom_joint_frames *f, const void *params)
{
    (void)params;
    along_row(J, 0, f, X_OF_A);
    along_row(J, 1, f, Y_OF_A);
}

static void point_on_plane_coordinate_jdot_v(double *gamma, const carom_joint_frames *f, const void *params)
{
    (void)params;
    gamma[0] = along_jdot_v(f, X_OF_A);
    gamma[1] = along_jdot_v(f, Y_OF_A);
}

const carom_joint_type carom_joint_point_on_plane = {
    .kind = { .name = "point-on-plane",
              .doc = "The point of B stays in the xy plane of A, B turns freely.",
              .fields = joint_no_fields },
    .equation_count = 1,
    .residual = point_on_plane_residual,
    .jacobian = point_on_plane_jacobian,
    .jdot_v = point_on_plane_jdot_v,
    .coordinate_count = 2,
    .coordinates = { { .name = "x", .drivable = true }, { .name = "y", .drivable = true } },
    .coordinate = point_on_plane_coordinate,
    .coordinate_jacobian = point_on_plane_coordinate_jacobian,
    .coordinate_jdot_v = point_on_plane_coordinate_jdot_v,
};
