/* Coulomb friction made smooth: mu(v) = mu v / sqrt(v^2 + v_e^2). It never quite holds: under a load T < mu N a contact
 * creeps at v = v_e T / sqrt((mu N)^2 - T^2). */
#include "elements/laws/friction.h"

static friction_force coulomb_force(const friction_input *in, const void *params)
{
    const carom_coulomb_friction_def *def = params;
    double rounded = hypot(v3_norm(in->slip), def->v_e);
    double per_speed = def->mu / rounded;
    double share = def->v_e / rounded;
    return friction_along(in, (friction_curve){ .per_speed = per_speed, .slope = per_speed * share * share });
}

static double coulomb_coefficient(const void *params)
{
    return ((const carom_coulomb_friction_def *)params)->mu;
}

/* Up to v_e: contacts that carry less than 71 % of what friction can; 89 % at twice that. */
static friction_speeds coulomb_speeds(const void *params)
{
    const carom_coulomb_friction_def *def = params;
    return def->mu > 0.0 ? (friction_speeds){ .stick = def->v_e, .slide = 2.0 * def->v_e } : (friction_speeds){ 0 };
}

static carom_status coulomb_check(const void *params, carom_error *err)
{
    const carom_coulomb_friction_def *def = params;
    carom_status status = friction_check(def->mu, false, "mu", "coulomb", err);
    return status == CAROM_OK ? friction_check(def->v_e, true, "v_e", "coulomb", err) : status;
}

static const carom_field coulomb_fields[] = {
    { .name = "mu",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_coulomb_friction_def, mu),
      .flags = CAROM_NONNEGATIVE | CAROM_SHORTHAND,
      .doc = "Coefficient of friction; 0.3 by default." },
    { .name = "v_e",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_coulomb_friction_def, v_e),
      .dimension = CAROM_DIM_VELOCITY,
      .flags = CAROM_POSITIVE,
      .doc = "Slip speed at which friction has reached 71 % of its value; contacts that should hold creep at less "
             "than this; 1 mm/s by default." },
    { 0 },
};

static const carom_coulomb_friction_def coulomb_defaults = { .mu = 0.3, .v_e = 1e-3 };

const carom_friction_law carom_friction_law_coulomb = {
    .kind = { .name = "coulomb",
              .doc = "Coulomb friction, made smooth around zero slip: N mu v / sqrt(v^2 + v_e^2).",
              .fields = coulomb_fields,
              .defaults = &coulomb_defaults,
              .size = sizeof(carom_coulomb_friction_def) },
    .check = coulomb_check,
    .force = coulomb_force,
    .speeds = coulomb_speeds,
    .coefficient = coulomb_coefficient,
};
