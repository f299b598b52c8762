/* Point on line: marker B's point stays on the z axis of A; B turns freely. Two rows: x_a . d = 0, y_a . d = 0.
 * Coordinate: travel z_a . d. */
#include "elements/joints/bearing.h"
#include "elements/joints/rows.h"

static void point_on_line_residual(double *C, const carom_joint_frames *f, const void *params)
{
    (void)params;
    C[0] = along_value(f, X_OF_A);
    C[1] = along_value(f, Y_OF_A);
}

static void point_on_line_jacobian(carom_joint_rows *J, const carom_joint_frames *f, const void *params)
{
    (void)params;
    along_row(J, 0, f, X_OF_A);
    along_row(J, 1, f, Y_OF_A);
}

static void point_on_line_jdot_v(double *gamma, const carom_joint_frames *f, const void *params)
{
    (void)params;
    gamma[0] = along_jdot_v(f, X_OF_A);
    gamma[1] = along_jdot_v(f, Y_OF_A);
}

static void point_on_line_coordinate(double *q, const carom_joint_frames *f, const void *params)
{
    (void)params;
    q[0] = along_value(f, Z_OF_A);
}

static void point_on_line_coordinate_jacobian(carom_joint_rows *J, const carom_joint_frames *f, const void *params)
{
    (void)params;
    along_row(J, 0, f, Z_OF_A);
}

static void point_on_line_coordinate_jdot_v(double *gamma, const carom_joint_frames *f, const void *params)
{
    (void)params;
    gamma[0] = along_jdot_v(f, Z_OF_A);
}

/* Slip: the travel's rate. Pressed by the force across the wire. */
static void point_on_line_friction(joint_friction *out, const carom_joint_frames *f,
                                   const carom_joint_friction_def *def, const void *params)
{
    (void)def;
    carom_joint_rows J;
    point_on_line_jacobian(&J, f, params);
    *out = (joint_friction){ .dim = 1, .slip_jdot_v = { along_jdot_v(f, Z_OF_A) } };
    along_row(&out->slip, 0, f, Z_OF_A);
    bearing_press(out, &J, 2, (v3[]){ marker_x(&f->a), marker_y(&f->a) }, 2);
}

const carom_joint_type carom_joint_point_on_line = {
    .kind = { .name = "point-on-line",
              .doc = "A bead on a wire: the point of B stays on the z axis of A, B turns freely.",
              .fields = joint_no_fields },
    .equation_count = 2,
    .residual = point_on_line_residual,
    .jacobian = point_on_line_jacobian,
    .jdot_v = point_on_line_jdot_v,
    .coordinate_count = 1,
    .coordinates = { { .name = "travel", .drivable = true } },
    .coordinate = point_on_line_coordinate,
    .coordinate_jacobian = point_on_line_coordinate_jacobian,
    .coordinate_jdot_v = point_on_line_coordinate_jdot_v,
    .friction = point_on_line_friction,
};
