/* A round cylinder along z, centred on its origin. */
#include "geometry/shapes/shapes.h"

static carom_status cylinder_check(const void *params, carom_error *err)
{
    const carom_cylinder_def *cylinder = params;
    carom_status status = carom_shape_check_size("cylinder", "radius", cylinder->radius, err);
    return status ? status : carom_shape_check_size("cylinder", "length", cylinder->length, err);
}

static void cylinder_mass(mass_properties *out, const void *params, const struct mesh *mesh)
{
    (void)mesh;
    const carom_cylinder_def *cylinder = params;
    double r = cylinder->radius;
    double l = cylinder->length;
    double volume = PI * r * r * l;
    double across = volume * (3.0 * r * r + l * l) / 12.0;
    double along = 0.5 * volume * r * r;
    *out = (mass_properties){ .mass = volume, .inertia = m3_diag(across, across, along) };
}

static void cylinder_bounds(carom_v3 *low, carom_v3 *high, const void *params, const struct mesh *mesh)
{
    (void)mesh;
    const carom_cylinder_def *cylinder = params;
    *high = v3_make(cylinder->radius, cylinder->radius, 0.5 * cylinder->length);
    *low = v3_neg(*high);
}

static const carom_field cylinder_fields[] = {
    { .name = "radius",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_cylinder_def, radius),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_REQUIRED | CAROM_POSITIVE,
      .doc = "Radius." },
    { .name = "length",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_cylinder_def, length),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_REQUIRED | CAROM_POSITIVE,
      .doc = "Full length along z." },
    { 0 },
};

static const carom_cylinder_def cylinder_defaults;

const carom_shape_type carom_shape_cylinder = {
    .kind = { .name = "cylinder",
              .doc = "A round cylinder along its z axis, centred on its origin.",
              .fields = cylinder_fields,
              .defaults = &cylinder_defaults,
              .size = sizeof(carom_cylinder_def) },
    .solid = true,
    .check = cylinder_check,
    .mass = cylinder_mass,
    .bounds = cylinder_bounds,
};
