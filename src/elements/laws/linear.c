/* Linear: k p. Elastic; an impact of mass m lasts pi sqrt(m/k) whatever its speed. */
#include "elements/laws/elastic.h"

static law_force linear_force(contact_rate c, const law_context *context, const void *params)
{
    (void)context;
    const carom_linear_law_def *def = params;
    return c.gap >= 0.0 ? (law_force){ 0 } : law_elastic(-c.gap, def->k, 1.0);
}

static carom_status linear_check(const void *params, double restitution, carom_error *err)
{
    (void)restitution;
    const carom_linear_law_def *def = params;
    return law_check_stiffness(def->k, "linear", err);
}

static const carom_field linear_fields[] = {
    { .name = "k",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_linear_law_def, k),
      .dimension = CAROM_DIM_STIFFNESS,
      .flags = CAROM_REQUIRED | CAROM_POSITIVE | CAROM_SHORTHAND,
      .doc = "Force per penetration; where forces are per area, per square metre of surface." },
    { 0 },
};

static const carom_linear_law_def linear_defaults = { .k = 0.0 };

const carom_normal_law carom_normal_law_linear = {
    .kind = { .name = "linear",
              .doc = "A linear spring, k p: elastic.",
              .fields = linear_fields,
              .defaults = &linear_defaults,
              .size = sizeof(carom_linear_law_def) },
    .check = linear_check,
    .force = linear_force,
};
