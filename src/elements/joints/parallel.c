/* Parallel: the z axes of A and B stay parallel; B goes anywhere and turns about z. Two rows: x_a . z_b = 0, y_a . z_b = 0.
 * Coordinate: the angle from x_a to x_b about z_a. */
#include "elements/joints/rows.h"

static void parallel_residual(double *C, const carom_joint_frames *f, const void *params)
{
    (void)params;
    parallel_z_residual(C, f);
}

static void parallel_jacobian(carom_joint_rows *J, const carom_joint_frames *f, const void *params)
{
    (void)params;
    parallel_z_rows(J, 0, f);
}

static void parallel_jdot_v(double *gamma, const carom_joint_frames *f, const void *params)
{
    (void)params;
    parallel_z_jdot_v(gamma, f);
}

static void parallel_coordinate(double *q, const carom_joint_frames *f, const void *params)
{
    (void)params;
    q[0] = turn_z(f, f->near[0]);
}

static void parallel_coordinate_jacobian(carom_joint_rows *J, const carom_joint_frames *f, const void *params)
{
    (void)params;
    turn_z_row(J, 0, f);
}

static void parallel_coordinate_jdot_v(double *gamma, const carom_joint_frames *f, const void *params)
{
    (void)params;
    gamma[0] = turn_z_jdot_v(f);
}

const carom_joint_type carom_joint_parallel = {
    .kind = { .name = "parallel",
              .doc = "The z axes of A and B stay parallel; B goes anywhere and turns about its own.",
              .fields = joint_no_fields },
    .equation_count = 2,
    .residual = parallel_residual,
    .jacobian = parallel_jacobian,
    .jdot_v = parallel_jdot_v,
    .flipped = z_flipped,
    .coordinate_count = 1,
    .coordinates = { { .name = "angle", .angle = true, .drivable = true } },
    .coordinate = parallel_coordinate,
    .coordinate_jacobian = parallel_coordinate_jacobian,
    .coordinate_jdot_v = parallel_coordinate_jdot_v,
};
