/* Screw: B turns about z of A and advances by `pitch` per turn. Five rows: those of the cylindrical joint, and
 *     z_a . d - pitch angle / (2 pi) = 0
 * with the angle counted over whole turns from near[0]; angle and travel are zero together. */
#include "elements/joints/bearing.h"
#include "elements/joints/rows.h"

static const double TURN = 6.283185307179586477;

static double advance_per_radian(const void *params)
{
    return ((const carom_screw_def *)params)->pitch / TURN;
}

static void screw_residual(double *C, const carom_joint_frames *f, const void *params)
{
    C[0] = along_value(f, X_OF_A);
    C[1] = along_value(f, Y_OF_A);
    parallel_z_residual(C + 2, f);
    C[4] = along_value(f, Z_OF_A) - advance_per_radian(params) * turn_z(f, f->near[0]);
}

/* The turn adds its rate n . (omega_b - omega_a) to the angular parts of the travel's row. */
static void screw_jacobian(carom_joint_rows *J, const carom_joint_frames *f, const void *params)
{
    along_row(J, 0, f, X_OF_A);
    along_row(J, 1, f, Y_OF_A);
    parallel_z_rows(J, 2, f);
    along_row(J, 4, f, Z_OF_A);
    double advance = advance_per_radian(params);
    v3 n = turn_z_direction(f);
    v3_store(J->a[4] + 3, v3_axpy(v3_load(J->a[4] + 3), advance, n));
    v3_store(J->b[4] + 3, v3_axpy(v3_load(J->b[4] + 3), -advance, n));
}

static void screw_jdot_v(double *gamma, const carom_joint_frames *f, const void *params)
{
    gamma[0] = along_jdot_v(f, X_OF_A);
    gamma[1] = along_jdot_v(f, Y_OF_A);
    parallel_z_jdot_v(gamma + 2, f);
    gamma[4] = along_jdot_v(f, Z_OF_A) - advance_per_radian(params) * turn_z_jdot_v(f);
}

static void screw_coordinate(double *q, const carom_joint_frames *f, const void *params)
{
    (void)params;
    q[0] = turn_z(f, f->near[0]);
}

static void screw_coordinate_jacobian(carom_joint_rows *J, const carom_joint_frames *f, const void *params)
{
    (void)params;
    turn_z_row(J, 0, f);
}

static void screw_coordinate_jdot_v(double *gamma, const carom_joint_frames *f, const void *params)
{
    (void)params;
    gamma[0] = turn_z_jdot_v(f);
}

static carom_status screw_prepare(void *params, const carom_joint_frames *f, carom_error *err)
{
    (void)f;
    const carom_screw_def *def = params;
    if (!isfinite(def->pitch) || def->pitch == 0.0) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "a screw needs a pitch other than zero, found %g m per turn; a screw without advance is a "
                          "revolute joint",
                          def->pitch);
    }
    return CAROM_OK;
}

static const carom_field screw_fields[] = {
    { .name = "pitch",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_screw_def, pitch),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_REQUIRED | CAROM_SHORTHAND,
      .doc = "Advance of B along the z axis of A per turn; right-handed when positive, left-handed when negative." },
    { 0 },
};

static const carom_screw_def screw_defaults = { .pitch = 0.0 };

/* Friction on the thread, a slope of lead angle l wound around the radius r: tan l = h/r with h the advance per radian.
 * Slip along the helix is cos l (r angle') + sin l travel'. The coupling's multiplier sigma, an axial force with the
 * torque -h sigma, is the normal force N = |sigma| / cos l of the slope. So a load on the axis is held where
 * mu >= tan l. */
static void screw_friction(joint_friction *out, const carom_joint_frames *f, const carom_joint_friction_def *def,
                           const void *params)
{
    double h = advance_per_radian(params);
    double slope = hypot(def->radius, h);
    double cosine = def->radius / slope;
    double sine = h / slope;
    *out = (joint_friction){ .dim = 1, .load_count = 1, .loads = { { .dim = 1 } } };
    along_row(&out->slip, 0, f, Z_OF_A);
    out->slip_jdot_v[0] = along_jdot_v(f, Z_OF_A);
    bearing_scale_slip(out, 0, sine);
    v3 turning = v3_scale(def->radius * cosine, turn_z_direction(f));
    v3_store(out->slip.a[0] + 3, v3_sub(v3_load(out->slip.a[0] + 3), turning));
    v3_store(out->slip.b[0] + 3, v3_add(v3_load(out->slip.b[0] + 3), turning));
    out->slip_jdot_v[0] += def->radius * cosine * turn_z_jdot_v(f);
    out->loads[0].map[0][4] = 1.0 / cosine;
}

const carom_joint_type carom_joint_screw = {
    .kind = { .name = "screw",
              .doc = "A nut on a thread: B turns about the z axis of A and advances by the pitch per turn.",
              .fields = screw_fields,
              .defaults = &screw_defaults,
              .size = sizeof(carom_screw_def) },
    .equation_count = 5,
    .residual = screw_residual,
    .jacobian = screw_jacobian,
    .jdot_v = screw_jdot_v,
    .flipped = z_flipped,
    .coordinate_count = 1,
    .coordinates = { { .name = "angle", .angle = true, .drivable = true } },
    .coordinate = screw_coordinate,
    .coordinate_jacobian = screw_coordinate_jacobian,
    .coordinate_jdot_v = screw_coordinate_jdot_v,
    .prepare = screw_prepare,
    .friction = screw_friction,
    .friction_turns = true,
};
