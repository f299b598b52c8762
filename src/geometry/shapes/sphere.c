/* A ball centred on its origin. */
#include "geometry/shapes/shapes.h"

static carom_status sphere_check(const void *params, carom_error *err)
{
    const carom_sphere_def *sphere = params;
    return carom_shape_check_size("sphere", "radius", sphere->radius, err);
}

static void sphere_mass(mass_properties *out, const void *params, const struct mesh *mesh)
{
    (void)mesh;
    double r = ((const carom_sphere_def *)params)->radius;
    double volume = 4.0 / 3.0 * PI * r * r * r;
    double moment = 0.4 * volume * r * r;
    *out = (mass_properties){ .mass = volume, .inertia = m3_diag(moment, moment, moment) };
}

static void sphere_bounds(carom_v3 *low, carom_v3 *high, const void *params, const struct mesh *mesh)
{
    (void)mesh;
    double r = ((const carom_sphere_def *)params)->radius;
    *low = v3_make(-r, -r, -r);
    *high = v3_make(r, r, r);
}

static const carom_field sphere_fields[] = {
    { .name = "radius",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_sphere_def, radius),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_REQUIRED | CAROM_POSITIVE | CAROM_SHORTHAND,
      .doc = "Radius." },
    { 0 },
};

static const carom_sphere_def sphere_defaults;

const carom_shape_type carom_shape_sphere = {
    .kind = { .name = "sphere",
              .doc = "A ball centred on its origin.",
              .fields = sphere_fields,
              .defaults = &sphere_defaults,
              .size = sizeof(carom_sphere_def) },
    .solid = true,
    .check = sphere_check,
    .mass = sphere_mass,
    .bounds = sphere_bounds,
};
