/* A cylinder along z with half balls on both ends, centred on its origin. A straight part of length zero is allowed:
 * the capsule is then a ball. */
#include "geometry/shapes/shapes.h"

static carom_status capsule_check(const void *params, carom_error *err)
{
    const carom_capsule_def *capsule = params;
    carom_status status = carom_shape_check_size("capsule", "radius", capsule->radius, err);
    if (status != CAROM_OK || capsule->length == 0.0) {
        return status;
    }
    return carom_shape_check_size("capsule", "length", capsule->length, err);
}

/* Inertia of the half balls across the axis: those of a ball about its centre, moved out by half the straight part l.
 * Each half has its centroid 3/8 r beyond the end of the straight part, hence the mixed term 3/8 l r. */
static double caps_inertia_across(double caps_volume, double r, double l)
{
    return caps_volume * (0.4 * r * r + 0.25 * l * l + 0.375 * l * r);
}

static void capsule_mass(mass_properties *out, const void *params, const struct mesh *mesh)
{
    (void)mesh;
    const carom_capsule_def *capsule = params;
    double r = capsule->radius;
    double l = capsule->length;
    double middle = PI * r * r * l;
    double caps = 4.0 / 3.0 * PI * r * r * r;
    double across = middle * (3.0 * r * r + l * l) / 12.0 + caps_inertia_across(caps, r, l);
    double along = (0.5 * middle + 0.4 * caps) * r * r;
    *out = (mass_properties){ .mass = middle + caps, .inertia = m3_diag(across, across, along) };
}

static void capsule_bounds(carom_v3 *low, carom_v3 *high, const void *params, const struct mesh *mesh)
{
    (void)mesh;
    const carom_capsule_def *capsule = params;
    *high = v3_make(capsule->radius, capsule->radius, 0.5 * capsule->length + capsule->radius);
    *low = v3_neg(*high);
}

static const carom_field capsule_fields[] = {
    { .name = "radius",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_capsule_def, radius),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_REQUIRED | CAROM_POSITIVE,
      .doc = "Radius of the straight part and of the caps." },
    { .name = "length",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_capsule_def, length),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_REQUIRED | CAROM_NONNEGATIVE,
      .doc = "Length of the straight part along z, without the caps." },
    { 0 },
};

static const carom_capsule_def capsule_defaults;

const carom_shape_type carom_shape_capsule = {
    .kind = { .name = "capsule",
              .doc = "A round cylinder along its z axis with half balls on both ends, centred on its origin.",
              .fields = capsule_fields,
              .defaults = &capsule_defaults,
              .size = sizeof(carom_capsule_def) },
    .solid = true,
    .check = capsule_check,
    .mass = capsule_mass,
    .bounds = capsule_bounds,
};
