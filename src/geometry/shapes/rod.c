/* A straight rod of no thickness along z, centred on its origin.
 *
 * Contact by features (method "impact") sees the line: its two tips and its side. In the company of other rods and of
 * polygons it moves in its own xz plane, where a tip meets a side [papers/3]. Mass is that of a slender rod, m l^2 / 12
 * across. A body cannot do without inertia about any axis, and a line cannot be drawn: for these, and for methods that
 * need a solid with an inside, the rod is the thin cylinder of `radius` around the line. */
#include "geometry/shapes/shapes.h"

#define THICKNESS 0.01 /* radius over length, unless given: seen in a picture, and inertias still well scaled */

static double radius_of(const carom_rod_def *rod)
{
    return rod->radius > 0.0 ? rod->radius : THICKNESS * rod->length;
}

static carom_cylinder_def cylinder_of(const void *params)
{
    const carom_rod_def *rod = params;
    return (carom_cylinder_def){ radius_of(rod), rod->length };
}

static carom_status rod_check(const void *params, carom_error *err)
{
    const carom_rod_def *rod = params;
    carom_status status = carom_shape_check_size("rod", "length", rod->length, err);
    if (status != CAROM_OK || rod->radius == 0.0) {
        return status;
    }
    return carom_shape_check_size("rod", "radius", rod->radius, err);
}

static void rod_mass(mass_properties *out, const void *params, const struct mesh *mesh)
{
    (void)mesh;
    const carom_rod_def *rod = params;
    double r = radius_of(rod);
    double volume = PI * r * r * rod->length;
    double across = volume * rod->length * rod->length / 12.0;
    *out = (mass_properties){ .mass = volume, .inertia = m3_diag(across, across, 0.5 * volume * r * r) };
}

static void rod_bounds(carom_v3 *low, carom_v3 *high, const void *params, const struct mesh *mesh)
{
    carom_cylinder_def cylinder = cylinder_of(params);
    carom_shape_cylinder.bounds(low, high, &cylinder, mesh);
}

static double rod_area(const void *params)
{
    carom_cylinder_def cylinder = cylinder_of(params);
    return carom_shape_cylinder.area(&cylinder);
}

static field_sample rod_distance(const void *params, v3 p)
{
    carom_cylinder_def cylinder = cylinder_of(params);
    return carom_shape_cylinder.distance(&cylinder, p);
}

static carom_status rod_tessellate(struct mesh **out, const void *params, surface_grain grain, carom_error *err)
{
    carom_cylinder_def cylinder = cylinder_of(params);
    double r = cylinder.radius;
    double half = 0.5 * cylinder.length;
    outline o = {
        .shape = "rod",
        .start_z = -half,
        .radius = r,
        .piece_count = 3,
        .pieces = { { .end = { r, -half } }, { .end = { r, half } }, { .end = { 0.0, half } } },
    };
    return carom_shape_revolve(out, &o, grain, err);
}

static int rod_outline(v3 *out, int capacity, const void *params)
{
    double half = 0.5 * ((const carom_rod_def *)params)->length;
    for (int i = 0; i < 2 && i < capacity; ++i) {
        out[i] = v3_make(0.0, 0.0, i == 0 ? -half : half);
    }
    return 2;
}

static void rod_skeleton(shape_skeleton *out, const void *params)
{
    *out = (shape_skeleton){
        .point_count = 2, .planar = true, .planar_normal = { 0.0, 1.0, 0.0 }, .planar_half = radius_of(params)
    };
    rod_outline(out->points, 2, params);
}

static const carom_field rod_fields[] = {
    { .name = "length",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_rod_def, length),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_REQUIRED | CAROM_POSITIVE | CAROM_SHORTHAND,
      .doc = "Length along z." },
    { .name = "radius",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_rod_def, radius),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_NONNEGATIVE,
      .doc =
          "Radius for the mass by density, the inertia about its own axis, pictures, and methods that need a solid; "
          "0 takes a hundredth of the length. Contact of the method 'impact' sees the line alone." },
    { 0 },
};

static const carom_rod_def rod_defaults;

const carom_shape_type carom_shape_rod = {
    .kind = { .name = "rod",
              .doc =
                  "A straight slender rod along its z axis, centred on its origin. With other rods and polygons it "
                  "touches in its xz plane: tips on sides.",
              .fields = rod_fields,
              .defaults = &rod_defaults,
              .size = sizeof(carom_rod_def) },
    .solid = true,
    .check = rod_check,
    .mass = rod_mass,
    .bounds = rod_bounds,
    .area = rod_area,
    .distance = rod_distance,
    .tessellate = rod_tessellate,
    .skeleton = rod_skeleton,
    .outline = rod_outline,
};
