/* Motor: a force or torque along a joint coordinate q,
 *     torque:    Q = target
 *     speed:     Q = gain (target - q')
 *     position:  Q = gain (target - q) + damping (target' - q')
 *     pid:       Q = gain (target - q) + damping (target' - q') + I,  I' = integral (target - q) + (cut Q - Q) / anti_windup
 * cut off at +-limit when the limit is not 0. Where it is cut off, I follows what the motor exerts [Astrom1995, 3.5], so that it does not
 * wind up. A motor is a machine with a supply: all its work counts as input,
 * also where it brakes. */
#include "elements/forces/force.h"

#include <assert.h>

static double demand(const carom_force_frames *f, const carom_motor_def *def)
{
    double target = f->values[0];
    switch (def->mode) {
    case CAROM_MOTOR_SPEED:
        return def->gain * (target - f->coordinate_rate);
    case CAROM_MOTOR_POSITION:
    case CAROM_MOTOR_PID:
        return def->gain * (target - f->coordinate) + def->damping * (f->value_rates[0] - f->coordinate_rate) +
               f->integral;
    case CAROM_MOTOR_TORQUE:
        break;
    }
    return target;
}

static bool saturated(double force, const carom_motor_def *def)
{
    return def->limit > 0.0 && fabs(force) > def->limit;
}

/* [s] */
static double tracking_time(const carom_motor_def *def)
{
    return def->anti_windup > 0.0 ? def->anti_windup : def->gain / def->integral;
}

static double integral_rate(const carom_force_frames *f, const carom_motor_def *def, double excess)
{
    bool integrates = def->mode == CAROM_MOTOR_PID && def->integral > 0.0;
    return integrates ? def->integral * (f->values[0] - f->coordinate) - excess / tracking_time(def) : 0.0;
}

static void motor_effect(carom_force_effect *out, const carom_force_frames *f, const void *params)
{
    const carom_motor_def *def = params;
    const double wanted = demand(f, def);
    const double force = saturated(wanted, def) ? copysign(def->limit, wanted) : wanted;
    *out = (carom_force_effect){ .generalised = force,
                                 .input = force * f->coordinate_rate,
                                 .integral_rate = integral_rate(f, def, wanted - force) };
}

/* What a thousandth of a radian or metre of error asks for. */
static double motor_integral_size(const void *params)
{
    const carom_motor_def *def = params;
    return def->mode == CAROM_MOTOR_PID && def->integral > 0.0 ? 1e-3 * def->gain : 0.0;
}

static void motor_tangent(carom_force_tangent *out, const carom_force_frames *f, const void *params)
{
    const carom_motor_def *def = params;
    out->coordinate_stiffness = 0.0;
    out->coordinate_damping = 0.0;
    if (saturated(demand(f, def), def)) {
        return;
    }
    if (def->mode == CAROM_MOTOR_SPEED) {
        out->coordinate_damping = def->gain;
    } else if (def->mode == CAROM_MOTOR_POSITION || def->mode == CAROM_MOTOR_PID) {
        out->coordinate_stiffness = def->gain;
        out->coordinate_damping = def->damping;
    }
}

static_assert(sizeof(carom_motor_mode) == sizeof(int), "field tables read and write an int");
static const char *const motor_modes[] = { "torque", "speed", "position", "pid", NULL };

static carom_status motor_prepare(void *params, const carom_force_frames *f, struct carom_arena *arena,
                                  carom_error *err)
{
    (void)f;
    (void)arena;
    const carom_motor_def *def = params;
    if (def->mode != CAROM_MOTOR_TORQUE && !(def->gain > 0.0)) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "a motor in %s mode needs a gain above zero, found %g; it would not push",
                          motor_modes[def->mode], def->gain);
    }
    if (def->mode != CAROM_MOTOR_PID && (def->integral > 0.0 || def->anti_windup > 0.0)) {
        return carom_fail(err, CAROM_BAD_INPUT, "a motor in %s mode has no %s; take \"mode\": \"pid\"",
                          motor_modes[def->mode], def->integral > 0.0 ? "integral" : "anti_windup");
    }
    return CAROM_OK;
}

/* Coordinates are lengths or angles, so these numbers have no dimension of their own: SI. */
static const carom_field motor_fields[] = {
    { .name = "mode",
      .kind = CAROM_FIELD_ENUM,
      .offset = offsetof(carom_motor_def, mode),
      .names = motor_modes,
      .doc =
          "What the target is: the torque or force (default), the speed, or the position of the coordinate, which \"pid\" "
          "reaches also against a load." },
    { .name = "target",
      .kind = CAROM_FIELD_VALUE,
      .offset = offsetof(carom_motor_def, target),
      .flags = CAROM_REQUIRED,
      .doc = "Torque or force [N*m or N], speed [rad/s or m/s] or position [rad or m], as the mode says." },
    { .name = "gain",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_motor_def, gain),
      .flags = CAROM_NONNEGATIVE,
      .doc = "Torque or force per error of speed (speed mode) or of position (position and pid modes)." },
    { .name = "damping",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_motor_def, damping),
      .flags = CAROM_NONNEGATIVE,
      .doc = "Position and pid modes: torque or force per error of speed; 0 by default." },
    { .name = "limit",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_motor_def, limit),
      .flags = CAROM_NONNEGATIVE,
      .doc = "Largest torque or force [N*m or N] in either direction; 0 (the default) for none." },
    { .name = "integral",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_motor_def, integral),
      .flags = CAROM_NONNEGATIVE,
      .doc =
          "Pid mode: torque or force per second and error of position; 0 by default. What has come together is the signal "
          "`NAME.integral`." },
    { .name = "anti_windup",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_motor_def, anti_windup),
      .dimension = { .time = 1 },
      .flags = CAROM_NONNEGATIVE,
      .doc =
          "Pid mode with a limit: time in which the integral gives way while the limit acts; gain / integral unless "
          "given." },
    { 0 },
};

static const carom_motor_def motor_defaults = {
    .mode = CAROM_MOTOR_TORQUE,
    .target = { .kind = CAROM_NUMBER, .scale = 1.0, .units = { 1.0, 1.0, 1.0, 1.0, 0.0 } },
};

static const char *motor_symbol(const void *params)
{
    (void)params;
    return "motor";
}

const carom_force_type carom_force_motor = {
    .kind = { .name = "motor",
              .doc = "Drives a joint coordinate by torque, to a speed, or to a position.",
              .fields = motor_fields,
              .defaults = &motor_defaults,
              .size = sizeof(carom_motor_def) },
    .target = FORCE_ON_JOINT,
    .symbol = motor_symbol,
    .input_account = ACCOUNT_MOTORS,
    .dissipation_account = ACCOUNT_DAMPING,
    .integral_name = "integral",
    .integral_size = motor_integral_size,
    .effect = motor_effect,
    .tangent = motor_tangent,
    .prepare = motor_prepare,
};
