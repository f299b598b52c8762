/* Planar: B stays in the xy plane of A. Three rows: z_a . d = 0, z_b parallel to z_a. Coordinates: x = x_a . d,
 * y = y_a . d and the angle from x_a to x_b about z_a. */
#include "elements/joints/rows.h"

static void planar_residual(double *C, const carom_joint_frames *f, const void *params)
{
    (void)params;
    C[0] = along_value(f, Z_OF_A);
    parallel_z_residual(C + 1, f);
}

static void planar_jacobian(carom_joint_rows *J, const carom_joint_frames *f, const void *params)
{
    (void)params;
    along_row(J, 0, f, Z_OF_A);
    parallel_z_rows(J, 1, f);
}

static void planar_jdot_v(double *gamma, const carom_joint_frames *f, const void *params)
{
    (void)params;
    gamma[0] = along_jdot_v(f, Z_OF_A);
    parallel_z_jdot_v(gamma + 1, f);
}

static void planar_coordinate(double *q, const carom_joint_frames *f, const void *params)
{
    (void)params;
    q[0] = along_value(f, X_OF_A);
    q[1] = along_value(f, Y_OF_A);
    q[2] = turn_z(f, f->near[2]);
}

static void planar_coordinate_jacobian(carom_joint_rows *J, const carom_joint_frames *f, const void *params)
{
    (void)params;
    along_row(J, 0, f, X_OF_A);
    along_row(J, 1, f, Y_OF_A);
    turn_z_row(J, 2, f);
}

static void planar_coordinate_jdot_v(double *gamma, const carom_joint_frames *f, const void *params)
{
    (void)params;
    gamma[0] = along_jdot_v(f, X_OF_A);
    gamma[1] = along_jdot_v(f, Y_OF_A);
    gamma[2] = turn_z_jdot_v(f);
}

const carom_joint_type carom_joint_planar = {
    .kind = { .name = "planar",
              .doc = "B slides in the xy plane of A and turns about the plane's normal.",
              .fields = joint_no_fields },
    .equation_count = 3,
    .residual = planar_residual,
    .jacobian = planar_jacobian,
    .jdot_v = planar_jdot_v,
    .flipped = z_flipped,
    .coordinate_count = 3,
    .coordinates = { { .name = "x", .drivable = true },
                     { .name = "y", .drivable = true },
                     { .name = "angle", .angle = true, .drivable = true } },
    .coordinate = planar_coordinate,
    .coordinate_jacobian = planar_coordinate_jacobian,
    .coordinate_jdot_v = planar_coordinate_jdot_v,
};
