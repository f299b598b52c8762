/* Revolute with clearance: a journal on B, loose in a bearing on A. What holds for certain are the rows of the planar
 * joint: z_a . d = 0, z_b parallel to z_a. Coordinates: the angle from x_a to x_b about z_a, and where the journal's
 * middle is in the bearing, x = x_a . d, y = y_a . d; sqrt(x^2 + y^2) is at most the play while nothing gives way. */
#include "elements/joints/rows.h"

static void play_residual(double *C, const carom_joint_frames *f, const void *params)
{
    (void)params;
    C[0] = along_value(f, Z_OF_A);
    parallel_z_residual(C + 1, f);
}

static void play_jacobian(carom_joint_rows *J, const carom_joint_frames *f, const void *params)
{
    (void)params;
    along_row(J, 0, f, Z_OF_A);
    parallel_z_rows(J, 1, f);
}

static void play_jdot_v(double *gamma, const carom_joint_frames *f, const void *params)
{
    (void)params;
    gamma[0] = along_jdot_v(f, Z_OF_A);
    parallel_z_jdot_v(gamma + 1, f);
}

static void play_coordinate(double *q, const carom_joint_frames *f, const void *params)
{
    (void)params;
    q[0] = turn_z(f, f->near[0]);
    q[1] = along_value(f, X_OF_A);
    q[2] = along_value(f, Y_OF_A);
}

static void play_coordinate_jacobian(carom_joint_rows *J, const carom_joint_frames *f, const void *params)
{
    (void)params;
    turn_z_row(J, 0, f);
    along_row(J, 1, f, X_OF_A);
    along_row(J, 2, f, Y_OF_A);
}

static void play_coordinate_jdot_v(double *gamma, const carom_joint_frames *f, const void *params)
{
    (void)params;
    gamma[0] = turn_z_jdot_v(f);
    gamma[1] = along_jdot_v(f, X_OF_A);
    gamma[2] = along_jdot_v(f, Y_OF_A);
}

const carom_joint_type carom_joint_revolute_play = {
    .kind = { .name = "revolute", .doc = "A hinge with clearance.", .fields = joint_no_fields },
    .equation_count = 3,
    .residual = play_residual,
    .jacobian = play_jacobian,
    .jdot_v = play_jdot_v,
    .flipped = z_flipped,
    .coordinate_count = 3,
    .coordinates = { { .name = "angle", .angle = true, .drivable = true },
                     { .name = "x", .drivable = false },
                     { .name = "y", .drivable = false } },
    .coordinate = play_coordinate,
    .coordinate_jacobian = play_coordinate_jacobian,
    .coordinate_jdot_v = play_coordinate_jdot_v,
    .has_play = true,
};
