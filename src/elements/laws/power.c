/* Power: k p^n + chi p^m p', the law (36) of the paper on compliant contact. With m >= 1 the damping force grows from
 * zero with the depth. With m = 0 it is there at once and the force jumps at first touch; between 0 and 1 it would
 * start with an infinite slope, which no implicit method survives: refused. */
#include "elements/laws/elastic.h"

static law_force power_force(contact_rate c, const law_context *context, const void *params)
{
    (void)context;
    const carom_power_law_def *def = params;
    double p = -c.gap;
    if (p <= 0.0) {
        return (law_force){ 0 };
    }
    double resistance = def->chi * law_power(p, def->m);
    law_force damping = {
        .force = -resistance * c.gap_rate,
        .d_gap = def->m > 0.0 ? def->m * (resistance / p) * c.gap_rate : 0.0,
        .d_gap_rate = -resistance,
    };
    return law_damped(law_elastic(p, def->k, def->n), damping);
}

static carom_status power_check(const void *params, double restitution, carom_error *err)
{
    (void)restitution;
    const carom_power_law_def *def = params;
    carom_status status = law_check_stiffness(def->k, "power", err);
    status = status == CAROM_OK ? law_check_exponent(def->n, "n", "power", err) : status;
    status = status == CAROM_OK ? law_check_nonnegative(def->chi, "chi", "power", err) : status;
    if (status != CAROM_OK || def->m == 0.0) {
        return status;
    }
    return law_check_exponent(def->m, "m (unless 0)", "power", err);
}

static const carom_field power_fields[] = {
    { .name = "k",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_power_law_def, k),
      .flags = CAROM_REQUIRED | CAROM_POSITIVE,
      .doc = "Force per penetration to the power n, in SI units (N/m^n) whatever the units of the scene." },
    { .name = "n",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_power_law_def, n),
      .flags = CAROM_POSITIVE,
      .doc = "Exponent of the elastic force, from 1 to 10; 1 by default." },
    { .name = "chi",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_power_law_def, chi),
      .flags = CAROM_NONNEGATIVE,
      .doc = "Damping force per rate and penetration to the power m, in SI units (N s/m^(m+1)); 0 by default." },
    { .name = "m",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_power_law_def, m),
      .flags = CAROM_NONNEGATIVE,
      .doc = "Exponent of the damping force, from 1 to 10, or 0 for a force that jumps at first touch; 1 by "
             "default." },
    { 0 },
};

static const carom_power_law_def power_defaults = { .n = 1.0, .m = 1.0 };

const carom_normal_law carom_normal_law_power = {
    .kind = { .name = "power",
              .doc = "Powers of the penetration with damping, k p^n + chi p^m p'.",
              .fields = power_fields,
              .defaults = &power_defaults,
              .size = sizeof(carom_power_law_def) },
    .check = power_check,
    .force = power_force,
};
