/* Cylindrical: B slides along z of A and turns about it. Four rows: x_a . d = 0, y_a . d = 0, z_b parallel to z_a.
 * Coordinates: travel z_a . d and the angle from x_a to x_b about z_a. */
#include "elements/joints/bearing.h"
#include "elements/joints/rows.h"

static void cylindrical_residual(double *C, const carom_joint_frames *f, const void *params)
{
    (void)params;
    C[0] = along_value(f, X_OF_A);
    C[1] = along_value(f, Y_OF_A);
    parallel_z_residual(C + 2, f);
}

static void cylindrical_jacobian(carom_joint_rows *J, const carom_joint_frames *f, const void *params)
{
    (void)params;
    along_row(J, 0, f, X_OF_A);
    along_row(J, 1, f, Y_OF_A);
    parallel_z_rows(J, 2, f);
}

static void cylindrical_jdot_v(double *gamma, const carom_joint_frames *f, const void *params)
{
    (void)params;
    gamma[0] = along_jdot_v(f, X_OF_A);
    gamma[1] = along_jdot_v(f, Y_OF_A);
    parallel_z_jdot_v(gamma + 2, f);
}

static void cylindrical_coordinate(double *q, const carom_joint_frames *f, const void *params)
{
    (void)params;
    q[0] = along_value(f, Z_OF_A);
    q[1] = turn_z(f, f->near[1]);
}

static void cylindrical_coordinate_jacobian(carom_joint_rows *J, const carom_joint_frames *f, const void *params)
{
    (void)params;
    along_row(J, 0, f, Z_OF_A);
    turn_z_row(J, 1, f);
}

static void cylindrical_coordinate_jdot_v(double *gamma, const carom_joint_frames *f, const void *params)
{
    (void)params;
    gamma[0] = along_jdot_v(f, Z_OF_A);
    gamma[1] = turn_z_jdot_v(f);
}

/* Slip: radius times the angle's rate around the shaft, the travel's rate along it. Pressed by the force and moment
 * across the axis. */
static void cylindrical_friction(joint_friction *out, const carom_joint_frames *f,
                                 const carom_joint_friction_def *def, const void *params)
{
    carom_joint_rows J;
    cylindrical_jacobian(&J, f, params);
    *out = (joint_friction){ .dim = 2, .slip_jdot_v = { turn_z_jdot_v(f), along_jdot_v(f, Z_OF_A) } };
    turn_z_row(&out->slip, 0, f);
    bearing_scale_slip(out, 0, def->radius);
    along_row(&out->slip, 1, f, Z_OF_A);
    bearing_sleeve(out, &J, 4, f, def->length);
}

const carom_joint_type carom_joint_cylindrical = {
    .kind = { .name = "cylindrical",
              .doc = "A shaft in a sleeve: B slides along the z axis of A and turns about it, independently.",
              .fields = joint_no_fields },
    .equation_count = 4,
    .residual = cylindrical_residual,
    .jacobian = cylindrical_jacobian,
    .jdot_v = cylindrical_jdot_v,
    .flipped = z_flipped,
    .coordinate_count = 2,
    .coordinates = { { .name = "travel", .drivable = true }, { .name = "angle", .angle = true, .drivable = true } },
    .coordinate = cylindrical_coordinate,
    .coordinate_jacobian = cylindrical_coordinate_jacobian,
    .coordinate_jdot_v = cylindrical_coordinate_jdot_v,
    .friction = cylindrical_friction,
    .friction_turns = true,
};
