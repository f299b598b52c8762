/* Smooth friction, (38) of the paper on compliant contact: the coefficient rises from 0 at rest to mu_s at v_s and falls
 * to mu_d at v_d, by cubics that meet with equal slopes. Its first piece, -mu_s + 2 mu_s (3 - 2 x) x^2 with
 * x = (v + v_s)/(2 v_s), is the odd cubic mu_s (3 w - w^3)/2 with w = v/v_s: at v = 0 there is no friction, and a
 * contact under load creeps at less than v_s. */
#include "elements/laws/friction.h"

static friction_curve curve_at(const carom_smooth_friction_def *def, double v)
{
    if (v <= def->v_s) {
        double w = v / def->v_s;
        double steepest = 1.5 * def->mu_s / def->v_s;
        return (friction_curve){ .per_speed = steepest * (1.0 - w * w / 3.0), .slope = steepest * (1.0 - w * w) };
    }
    if (v < def->v_d) {
        double width = def->v_d - def->v_s;
        double x = (v - def->v_s) / width;
        double drop = def->mu_d - def->mu_s;
        double mu = def->mu_s + drop * (3.0 - 2.0 * x) * x * x;
        return (friction_curve){ .per_speed = mu / v, .slope = drop * 6.0 * x * (1.0 - x) / width };
    }
    return (friction_curve){ .per_speed = def->mu_d / v };
}

static friction_force smooth_force(const friction_input *in, const void *params)
{
    return friction_along(in, curve_at(params, v3_norm(in->slip)));
}

static double smooth_coefficient(const void *params)
{
    return ((const carom_smooth_friction_def *)params)->mu_d;
}

static double smooth_static_coefficient(const void *params)
{
    return ((const carom_smooth_friction_def *)params)->mu_s;
}

static friction_speeds smooth_speeds(const void *params)
{
    const carom_smooth_friction_def *def = params;
    bool any = def->mu_s > 0.0 || def->mu_d > 0.0;
    return any ? (friction_speeds){ .stick = def->v_s, .slide = def->v_d } : (friction_speeds){ 0 };
}

static carom_status smooth_check(const void *params, carom_error *err)
{
    const carom_smooth_friction_def *def = params;
    carom_status status = friction_check(def->mu_s, false, "mu_s", "smooth", err);
    status = status == CAROM_OK ? friction_check(def->mu_d, false, "mu_d", "smooth", err) : status;
    status = status == CAROM_OK ? friction_check(def->v_s, true, "v_s", "smooth", err) : status;
    status = status == CAROM_OK ? friction_check(def->v_d, true, "v_d", "smooth", err) : status;
    if (status == CAROM_OK && !(def->v_d > def->v_s)) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "v_d of the friction law 'smooth' is %g m/s and v_s %g m/s; v_d must be the larger one",
                          def->v_d, def->v_s);
    }
    return status;
}

static const carom_field smooth_fields[] = {
    { .name = "mu_s",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_smooth_friction_def, mu_s),
      .flags = CAROM_NONNEGATIVE,
      .doc = "Coefficient of friction at its peak, before sliding; 0.3 by default." },
    { .name = "mu_d",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_smooth_friction_def, mu_d),
      .flags = CAROM_NONNEGATIVE,
      .doc = "Coefficient of friction of sliding; 0.2 by default." },
    { .name = "v_s",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_smooth_friction_def, v_s),
      .dimension = CAROM_DIM_VELOCITY,
      .flags = CAROM_POSITIVE,
      .doc = "Slip speed of the peak; contacts that should hold creep at less than this; 5 mm/s by default." },
    { .name = "v_d",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_smooth_friction_def, v_d),
      .dimension = CAROM_DIM_VELOCITY,
      .flags = CAROM_POSITIVE,
      .doc = "Slip speed from which on the contact slides, larger than v_s; 10 mm/s by default." },
    { 0 },
};

static const carom_smooth_friction_def smooth_defaults = { .mu_s = 0.3, .mu_d = 0.2, .v_s = 5e-3, .v_d = 1e-2 };

const carom_friction_law carom_friction_law_smooth = {
    .kind = { .name = "smooth",
              .doc = "A coefficient that rises smoothly from 0 at rest to mu_s at v_s and falls to mu_d at v_d.",
              .fields = smooth_fields,
              .defaults = &smooth_defaults,
              .size = sizeof(carom_smooth_friction_def) },
    .check = smooth_check,
    .force = smooth_force,
    .speeds = smooth_speeds,
    .coefficient = smooth_coefficient,
    .static_coefficient = smooth_static_coefficient,
};
