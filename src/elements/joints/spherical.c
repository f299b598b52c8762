/* Spherical: the points of A and B coincide. Three rows: p_b = p_a.
 * Coordinate "swing": the angle 0..pi between z_a and z_b, for cone limits. With m = z_a x z_b and n = m/|m| its rate is
 * n . (omega_b - omega_a). At 0 and pi swing has a kink and no derivative: the row is zero there. */
#include "elements/joints/bearing.h"
#include "elements/joints/rows.h"

/* Below this |m| the direction of m is rounding. */
static const double STRAIGHT = 1e-9;

static void spherical_residual(double *C, const carom_joint_frames *f, const void *params)
{
    (void)params;
    coincide_residual(C, f);
}

static void spherical_jacobian(carom_joint_rows *J, const carom_joint_frames *f, const void *params)
{
    (void)params;
    coincide_rows(J, 0, f);
}

static void spherical_jdot_v(double *gamma, const carom_joint_frames *f, const void *params)
{
    (void)params;
    coincide_jdot_v(gamma, f);
}

static void spherical_coordinate(double *q, const carom_joint_frames *f, const void *params)
{
    (void)params;
    v3 z_a = marker_z(&f->a);
    v3 z_b = marker_z(&f->b);
    q[0] = atan2(v3_norm(v3_cross(z_a, z_b)), v3_dot(z_a, z_b));
}

static void spherical_coordinate_jacobian(carom_joint_rows *J, const carom_joint_frames *f, const void *params)
{
    (void)params;
    v3 m = v3_cross(marker_z(&f->a), marker_z(&f->b));
    double sine = v3_norm(m);
    spin_row(J, 0, sine < STRAIGHT ? v3_zero() : v3_scale(1.0 / sine, m));
}

/* n' . omega_rel with n' = (m' - n (n . m')) / |m| */
static void spherical_coordinate_jdot_v(double *gamma, const carom_joint_frames *f, const void *params)
{
    (void)params;
    v3 z_a = marker_z(&f->a);
    v3 z_b = marker_z(&f->b);
    v3 m = v3_cross(z_a, z_b);
    double sine = v3_norm(m);
    if (sine < STRAIGHT) {
        gamma[0] = 0.0;
        return;
    }
    v3 n = v3_scale(1.0 / sine, m);
    v3 omega_rel = v3_sub(f->b.omega_w, f->a.omega_w);
    v3 m_rate = v3_add(v3_cross(v3_cross(f->a.omega_w, z_a), z_b), v3_cross(z_a, v3_cross(f->b.omega_w, z_b)));
    gamma[0] = (v3_dot(m_rate, omega_rel) - v3_dot(n, m_rate) * v3_dot(n, omega_rel)) / sine;
}

/* Slip: radius times the relative angular velocity, along the world's axes. Pressed by the whole force. */
static void spherical_friction(joint_friction *out, const carom_joint_frames *f, const carom_joint_friction_def *def,
                               const void *params)
{
    v3 axes_w[3] = { v3_make(1, 0, 0), v3_make(0, 1, 0), v3_make(0, 0, 1) };
    carom_joint_rows J;
    spherical_jacobian(&J, f, params);
    *out = (joint_friction){ .dim = 3 };
    for (int k = 0; k < 3; ++k) {
        spin_row(&out->slip, k, v3_scale(def->radius, axes_w[k]));
    }
    bearing_press(out, &J, 3, axes_w, 3);
}

const carom_joint_type carom_joint_spherical = {
    .kind = { .name = "spherical",
              .doc = "A ball joint: the two points coincide, B turns freely.",
              .fields = joint_no_fields },
    .equation_count = 3,
    .residual = spherical_residual,
    .jacobian = spherical_jacobian,
    .jdot_v = spherical_jdot_v,
    .coordinate_count = 1,
    .coordinates = { { .name = "swing", .angle = true, .drivable = false } },
    .coordinate = spherical_coordinate,
    .coordinate_jacobian = spherical_coordinate_jacobian,
    .coordinate_jdot_v = spherical_coordinate_jdot_v,
    .friction = spherical_friction,
    .friction_turns = true,
};
