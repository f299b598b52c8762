/* A round cone: base in the plane z = 0, tip at z = height. */
#include "geometry/shapes/shapes.h"

static carom_status cone_check(const void *params, carom_error *err)
{
    const carom_cone_def *cone = params;
    carom_status status = carom_shape_check_size("cone", "radius", cone->radius, err);
    return status ? status : carom_shape_check_size("cone", "height", cone->height, err);
}

static void cone_mass(mass_properties *out, const void *params, const struct mesh *mesh)
{
    (void)mesh;
    const carom_cone_def *cone = params;
    double r = cone->radius;
    double h = cone->height;
    double volume = PI / 3.0 * r * r * h;
    double across = volume * (0.15 * r * r + 0.0375 * h * h); /* about the centroid: 3/20 r^2 + 3/80 h^2 */
    double along = 0.3 * volume * r * r;
    *out = (mass_properties){
        .mass = volume,
        .center = v3_make(0.0, 0.0, 0.25 * h),
        .inertia = m3_diag(across, across, along),
    };
}

static void cone_bounds(carom_v3 *low, carom_v3 *high, const void *params, const struct mesh *mesh)
{
    (void)mesh;
    const carom_cone_def *cone = params;
    *low = v3_make(-cone->radius, -cone->radius, 0.0);
    *high = v3_make(cone->radius, cone->radius, cone->height);
}

static const carom_field cone_fields[] = {
    { .name = "radius",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_cone_def, radius),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_REQUIRED | CAROM_POSITIVE,
      .doc = "Radius of the base." },
    { .name = "height",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_cone_def, height),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_REQUIRED | CAROM_POSITIVE,
      .doc = "Height of the tip above the base." },
    { 0 },
};

static const carom_cone_def cone_defaults;

const carom_shape_type carom_shape_cone = {
    .kind = { .name = "cone",
              .doc = "A round cone: base at z = 0, tip at z = height.",
              .fields = cone_fields,
              .defaults = &cone_defaults,
              .size = sizeof(carom_cone_def) },
    .solid = true,
    .check = cone_check,
    .mass = cone_mass,
    .bounds = cone_bounds,
};
