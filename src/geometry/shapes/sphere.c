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

static double sphere_area(const void *params)
{
    double r = ((const carom_sphere_def *)params)->radius;
    return 4.0 * PI * r * r;
}

static field_sample sphere_distance(const void *params, v3 p)
{
    double r = ((const carom_sphere_def *)params)->radius;
    double from_center = v3_norm(p);
    v3 out = from_center > 0.0 ? v3_scale(1.0 / from_center, p) : v3_make(0.0, 0.0, 1.0);
    return (field_sample){ .distance = from_center - r, .gradient = out };
}

static carom_status sphere_tessellate(struct mesh **out, const void *params, surface_grain grain, carom_error *err)
{
    double r = ((const carom_sphere_def *)params)->radius;
    outline o = {
        .shape = "sphere",
        .start_z = -r,
        .radius = r,
        .piece_count = 2, /* so that the equator is a ring */
        .pieces = { { .end = { r, 0.0 }, .arc = true }, { .end = { 0.0, r }, .arc = true } },
    };
    return carom_shape_revolve(out, &o, grain, err);
}

static int sphere_balls(shape_ball *out, int capacity, const void *params, double spacing)
{
    (void)spacing;
    if (capacity > 0) {
        out[0] = (shape_ball){ .radius = ((const carom_sphere_def *)params)->radius, .area = sphere_area(params) };
    }
    return 1;
}

static void sphere_skeleton(shape_skeleton *out, const void *params)
{
    *out = (shape_skeleton){ .point_count = 1, .rounding = ((const carom_sphere_def *)params)->radius };
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
    .area = sphere_area,
    .distance = sphere_distance,
    .tessellate = sphere_tessellate,
    .balls = sphere_balls,
    .skeleton = sphere_skeleton,
};
