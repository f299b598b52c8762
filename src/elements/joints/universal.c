/* Universal (Cardan, Hooke): a cross whose one arm is z of A and whose other arm is x of B. Four rows: p_b = p_a,
 * z_a . x_b = 0. The axes of B are those of A turned by angle_1 about z_a, then by angle_2 about x_b:
 *     angle_1 = atan2(x_b . y_a, x_b . x_a),   angle_2 = atan2(z_a . y_b, z_a . z_b). */
#include "elements/joints/rows.h"

static void universal_residual(double *C, const carom_joint_frames *f, const void *params)
{
    (void)params;
    coincide_residual(C, f);
    C[3] = v3_dot(marker_z(&f->a), marker_x(&f->b));
}

static void universal_jacobian(carom_joint_rows *J, const carom_joint_frames *f, const void *params)
{
    (void)params;
    coincide_rows(J, 0, f);
    perpendicular_row(J, 3, marker_z(&f->a), marker_x(&f->b));
}

static void universal_jdot_v(double *gamma, const carom_joint_frames *f, const void *params)
{
    (void)params;
    coincide_jdot_v(gamma, f);
    gamma[3] = perpendicular_jdot_v(f, marker_z(&f->a), marker_x(&f->b));
}

static void universal_coordinate(double *q, const carom_joint_frames *f, const void *params)
{
    (void)params;
    v3 z_a = marker_z(&f->a);
    q[0] = turn_z(f, f->near[0]);
    q[1] = turn_unwrap(atan2(v3_dot(z_a, marker_y(&f->b)), v3_dot(z_a, marker_z(&f->b))), f->near[1]);
}

/* For angle_2 the dial sits on B with axis x_b, and z_a is the hand. */
static void universal_coordinate_jacobian(carom_joint_rows *J, const carom_joint_frames *f, const void *params)
{
    (void)params;
    turn_z_row(J, 0, f);
    spin_row(J, 1, turn_direction(marker_x(&f->b), marker_z(&f->a)));
}

static void universal_coordinate_jdot_v(double *gamma, const carom_joint_frames *f, const void *params)
{
    (void)params;
    gamma[0] = turn_z_jdot_v(f);
    gamma[1] = turn_jdot_v(f, &(turn){ .axis_w = marker_x(&f->b),
                                       .axis_omega_w = f->b.omega_w,
                                       .hand_w = marker_z(&f->a),
                                       .hand_omega_w = f->a.omega_w });
}

const carom_joint_type carom_joint_universal = {
    .kind = { .name = "universal",
              .doc = "A Cardan joint: B turns about the z axis of A (angle_1) and about its own x axis (angle_2), "
                     "which stay perpendicular.",
              .fields = joint_no_fields },
    .equation_count = 4,
    .residual = universal_residual,
    .jacobian = universal_jacobian,
    .jdot_v = universal_jdot_v,
    .coordinate_count = 2,
    .coordinates = { { .name = "angle_1", .angle = true, .drivable = true },
                     { .name = "angle_2", .angle = true, .drivable = true } },
    .coordinate = universal_coordinate,
    .coordinate_jacobian = universal_coordinate_jacobian,
    .coordinate_jdot_v = universal_coordinate_jdot_v,
};
