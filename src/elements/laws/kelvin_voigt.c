/* Kelvin-Voigt: a spring and a damper side by side, k p + c p'. At first touch the force jumps from 0 to c v0, and
 * before parting it would pull, where it is cut off. What is usual against the jump is to let the damper grow with the
 * depth, as the IMPACT function of ADAMS does: c s(p/ramp), s(x) = x^2 (3 - 2 x) up to x = 1. */
#include "elements/laws/elastic.h"

typedef struct growth {
    double value;
    double slope; /* [1/m] */
} growth;

static growth damper_growth(double p, double ramp)
{
    if (p >= ramp) {
        return (growth){ 1.0, 0.0 };
    }
    double x = p / ramp;
    return (growth){ x * x * (3.0 - 2.0 * x), 6.0 * x * (1.0 - x) / ramp };
}

static law_force kelvin_voigt_force(contact_rate c, const law_context *context, const void *params)
{
    (void)context;
    const carom_kelvin_voigt_law_def *def = params;
    double p = -c.gap;
    if (p <= 0.0) {
        return (law_force){ 0 };
    }
    growth s = damper_growth(p, def->ramp);
    law_force damping = {
        .force = -def->c * s.value * c.gap_rate,
        .d_gap = def->c * s.slope * c.gap_rate,
        .d_gap_rate = -def->c * s.value,
    };
    return law_damped(law_elastic(p, def->k, 1.0), damping);
}

static carom_status kelvin_voigt_check(const void *params, double restitution, carom_error *err)
{
    (void)restitution;
    const carom_kelvin_voigt_law_def *def = params;
    carom_status status = law_check_stiffness(def->k, "kelvin-voigt", err);
    status = status == CAROM_OK ? law_check_nonnegative(def->c, "c", "kelvin-voigt", err) : status;
    return status == CAROM_OK ? law_check_nonnegative(def->ramp, "ramp", "kelvin-voigt", err) : status;
}

static const carom_field kelvin_voigt_fields[] = {
    { .name = "k",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_kelvin_voigt_law_def, k),
      .dimension = CAROM_DIM_STIFFNESS,
      .flags = CAROM_REQUIRED | CAROM_POSITIVE | CAROM_SHORTHAND,
      .doc = "Force per penetration; where forces are per area, per square metre of surface." },
    { .name = "c",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_kelvin_voigt_law_def, c),
      .dimension = CAROM_DIM_DAMPING,
      .flags = CAROM_NONNEGATIVE,
      .doc = "Force per rate of penetration; where forces are per area, per square metre of surface; 0 by default." },
    { .name = "ramp",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_kelvin_voigt_law_def, ramp),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_NONNEGATIVE,
      .doc = "Penetration over which the damper grows from nothing to c, so that the force does not jump at first "
             "touch; 0 by default: at once." },
    { 0 },
};

static const carom_kelvin_voigt_law_def kelvin_voigt_defaults = { .k = 0.0 };

const carom_normal_law carom_normal_law_kelvin_voigt = {
    .kind = { .name = "kelvin-voigt",
              .doc = "A spring and a damper side by side, k p + c p', without pulling.",
              .fields = kelvin_voigt_fields,
              .defaults = &kelvin_voigt_defaults,
              .size = sizeof(carom_kelvin_voigt_law_def) },
    .check = kelvin_voigt_check,
    .force = kelvin_voigt_force,
};
