/* Prismatic with clearance: a slider on B, loose in a guide on A that runs along z and has walls across x. What holds
 * for certain: y_a . d = 0, y_b parallel to y_a, so that B moves in the plane across y. Coordinates: travel z_a . d, and
 * where the slider is in the guide: x = x_a . d and the tilt from z_a to z_b about y_a. */
#include "elements/joints/rows.h"

static void play_residual(double *C, const carom_joint_frames *f, const void *params)
{
    (void)params;
    v3 y_b = marker_y(&f->b);
    C[0] = along_value(f, Y_OF_A);
    C[1] = v3_dot(marker_x(&f->a), y_b);
    C[2] = v3_dot(marker_z(&f->a), y_b);
}

static void play_jacobian(carom_joint_rows *J, const carom_joint_frames *f, const void *params)
{
    (void)params;
    v3 y_b = marker_y(&f->b);
    along_row(J, 0, f, Y_OF_A);
    perpendicular_row(J, 1, marker_x(&f->a), y_b);
    perpendicular_row(J, 2, marker_z(&f->a), y_b);
}

static void play_jdot_v(double *gamma, const carom_joint_frames *f, const void *params)
{
    (void)params;
    v3 y_b = marker_y(&f->b);
    gamma[0] = along_jdot_v(f, Y_OF_A);
    gamma[1] = perpendicular_jdot_v(f, marker_x(&f->a), y_b);
    gamma[2] = perpendicular_jdot_v(f, marker_z(&f->a), y_b);
}

/* The dial sits on A with axis y_a, zero at z_a; the hand is z_b. */
static void play_coordinate(double *q, const carom_joint_frames *f, const void *params)
{
    (void)params;
    v3 z_b = marker_z(&f->b);
    q[0] = along_value(f, Z_OF_A);
    q[1] = along_value(f, X_OF_A);
    q[2] = turn_unwrap(atan2(v3_dot(z_b, marker_x(&f->a)), v3_dot(z_b, marker_z(&f->a))), f->near[2]);
}

static void play_coordinate_jacobian(carom_joint_rows *J, const carom_joint_frames *f, const void *params)
{
    (void)params;
    along_row(J, 0, f, Z_OF_A);
    along_row(J, 1, f, X_OF_A);
    spin_row(J, 2, turn_direction(marker_y(&f->a), marker_z(&f->b)));
}

static void play_coordinate_jdot_v(double *gamma, const carom_joint_frames *f, const void *params)
{
    (void)params;
    gamma[0] = along_jdot_v(f, Z_OF_A);
    gamma[1] = along_jdot_v(f, X_OF_A);
    gamma[2] = turn_jdot_v(f, &(turn){ .axis_w = marker_y(&f->a),
                                       .axis_omega_w = f->a.omega_w,
                                       .hand_w = marker_z(&f->b),
                                       .hand_omega_w = f->b.omega_w });
}

const carom_joint_type carom_joint_prismatic_play = {
    .kind = { .name = "prismatic", .doc = "A slider with clearance.", .fields = joint_no_fields },
    .equation_count = 3,
    .residual = play_residual,
    .jacobian = play_jacobian,
    .jdot_v = play_jdot_v,
    .flipped = axes_flipped,
    .coordinate_count = 3,
    .coordinates = { { .name = "travel", .drivable = true },
                     { .name = "x", .drivable = false },
                     { .name = "tilt", .angle = true, .drivable = false } },
    .coordinate = play_coordinate,
    .coordinate_jacobian = play_coordinate_jacobian,
    .coordinate_jdot_v = play_coordinate_jdot_v,
    .has_play = true,
};
