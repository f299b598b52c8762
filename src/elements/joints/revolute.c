/* Revolute: B turns about z of A. Five rows: p_b = p_a, z_b parallel to z_a. Coordinate: the angle from x_a to x_b
 * about z_a, counted over whole turns. */
#include "elements/joints/bearing.h"
#include "elements/joints/rows.h"

static void revolute_residual(double *C, const carom_joint_frames *f, const void *params)
{
    (void)params;
    coincide_residual(C, f);
    parallel_z_residual(C + 3, f);
}

static void revolute_jacobian(carom_joint_rows *J, const carom_joint_frames *f, const void *params)
{
    (void)params;
    coincide_rows(J, 0, f);
    parallel_z_rows(J, 3, f);
}

static void revolute_jdot_v(double *gamma, const carom_joint_frames *f, const void *params)
{
    (void)params;
    coincide_jdot_v(gamma, f);
    parallel_z_jdot_v(gamma + 3, f);
}

static void revolute_coordinate(double *q, const carom_joint_frames *f, const void *params)
{
    (void)params;
    q[0] = turn_z(f, f->near[0]);
}

static void revolute_coordinate_jacobian(carom_joint_rows *J, const carom_joint_frames *f, const void *params)
{
    (void)params;
    turn_z_row(J, 0, f);
}

static void revolute_coordinate_jdot_v(double *gamma, const carom_joint_frames *f, const void *params)
{
    (void)params;
    gamma[0] = turn_z_jdot_v(f);
}

/* Slip: radius times the angle's rate. Pressed by the force across the axis. */
static void revolute_friction(joint_friction *out, const carom_joint_frames *f, const carom_joint_friction_def *def,
                              const void *params)
{
    carom_joint_rows J;
    revolute_jacobian(&J, f, params);
    *out = (joint_friction){ .dim = 1, .slip_jdot_v = { turn_z_jdot_v(f) } };
    turn_z_row(&out->slip, 0, f);
    bearing_scale_slip(out, 0, def->radius);
    bearing_sleeve(out, &J, 5, f, def->length);
}

const carom_joint_type carom_joint_revolute = {
    .kind = { .name = "revolute",
              .doc = "A hinge: B turns about the z axis of A and does not slide along it.",
              .fields = joint_no_fields },
    .equation_count = 5,
    .residual = revolute_residual,
    .jacobian = revolute_jacobian,
    .jdot_v = revolute_jdot_v,
    .flipped = z_flipped,
    .coordinate_count = 1,
    .coordinates = { { .name = "angle", .angle = true, .drivable = true } },
    .coordinate = revolute_coordinate,
    .coordinate_jacobian = revolute_coordinate_jacobian,
    .coordinate_jdot_v = revolute_coordinate_jdot_v,
    .friction = revolute_friction,
    .with_clearance = &carom_joint_revolute_play,
    .friction_turns = true,
};
