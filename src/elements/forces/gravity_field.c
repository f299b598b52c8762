/* Gravity field: attraction of the centre of mass by a point, force -mu m s / |s|^3 with s from the point to the centre
 * of mass, potential -mu m / |s|. No tangent: it is indefinite. */
#include "elements/forces/force.h"

/* Below this distance [m] the body sits in the singularity: attraction as at this distance, so that nothing is NaN. */
static const double SAME_POINT = 1e-9;

static void gravity_effect(carom_force_effect *out, const carom_force_frames *f, const void *params)
{
    const carom_gravity_field_def *def = params;
    v3 s = v3_sub(v3_sub(f->a.p_w, f->a.r_w), def->center);
    double r = fmax(v3_norm(s), SAME_POINT);
    double attraction = def->mu * f->mass / r;
    v3 force = v3_scale(-attraction / (r * r), s);
    *out = (carom_force_effect){
        .force_a = force,
        .torque_a = v3_cross(force, f->a.r_w), /* moves the force from the marker to the centre of mass */
        .potential = -attraction,
    };
}

static carom_status gravity_prepare(void *params, const carom_force_frames *f, struct carom_arena *arena,
                                    carom_error *err)
{
    (void)arena;
    const carom_gravity_field_def *def = params;
    v3 s = v3_sub(v3_sub(f->a.p_w, f->a.r_w), def->center);
    if (v3_norm(s) < SAME_POINT) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "a body's centre of mass lies in the centre (%g, %g, %g) of a gravity field at the start, "
                          "where the attraction is infinite; move either",
                          def->center.x, def->center.y, def->center.z);
    }
    return CAROM_OK;
}

static const carom_field gravity_fields[] = {
    { .name = "center",
      .kind = CAROM_FIELD_VECTOR,
      .offset = offsetof(carom_gravity_field_def, center),
      .dimension = CAROM_DIM_LENGTH,
      .doc = "World position of the attracting point; by default the origin." },
    { .name = "mu",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_gravity_field_def, mu),
      .dimension = { 3, 0, -2, 0 },
      .flags = CAROM_REQUIRED,
      .doc = "Gravitational parameter G * mass of the attracting point; 3.986004418e14 m^3/s^2 for the Earth." },
    { 0 },
};

static const carom_gravity_field_def gravity_defaults = { .mu = 0.0 };

const carom_force_type carom_force_gravity_field = {
    .kind = { .name = "gravity-field",
              .doc = "Attraction by a point with the inverse square of the distance, on one body or on all.",
              .fields = gravity_fields,
              .defaults = &gravity_defaults,
              .size = sizeof(carom_gravity_field_def) },
    .target = FORCE_ON_BODY,
    .gravitational = true,
    .input_account = ACCOUNT_LOADS,
    .dissipation_account = ACCOUNT_DAMPING,
    .effect = gravity_effect,
    .prepare = gravity_prepare,
};
