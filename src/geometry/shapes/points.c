/* A cloud of points held together. Without a radius they meet faces of others and nothing else. */
#include "geometry/mesh.h"
#include "geometry/shapes/shapes.h"

static given_geometry given_of(const void *params)
{
    const carom_points_def *def = params;
    return (given_geometry){ "points", def->file, def->scale, def->vertices, { 0 }, NULL, 2 };
}

static carom_status points_check(const void *params, carom_error *err)
{
    given_geometry g = given_of(params);
    double radius = ((const carom_points_def *)params)->radius;
    carom_status status = carom_shape_check_given(&g, err);
    return status == CAROM_OK && radius != 0.0 ? carom_shape_check_size("points", "radius", radius, err) : status;
}

static const char *points_name(const void *params)
{
    const char *file = ((const carom_points_def *)params)->file;
    return file ? file : "in the scene";
}

static bool points_file(mesh_file *out, const void *params)
{
    given_geometry g = given_of(params);
    *out = (mesh_file){ g.file, carom_shape_given_scale(&g), MESH_POINTS };
    return g.file != NULL;
}

static carom_status points_make(mesh **out, const void *params, carom_error *err)
{
    given_geometry g = given_of(params);
    return carom_shape_make_given(out, &g, err);
}

static double points_density(const void *params)
{
    return ((const carom_points_def *)params)->mass_per_point;
}

static double points_radius(const void *params)
{
    return ((const carom_points_def *)params)->radius;
}

static void points_mass(mass_properties *out, const void *params, const mesh *m)
{
    double ball = 0.4 * points_radius(params) * points_radius(params); /* 2/5 r^2 for each */
    mesh_points_mass(out, m);
    for (int i = 0; i < 3; ++i) {
        out->inertia.m[4 * i] += ball * m->vertex_count;
    }
}

static void points_bounds(carom_v3 *low, carom_v3 *high, const void *params, const mesh *m)
{
    double r = points_radius(params);
    mesh_bounds(low, high, m);
    *low = v3_sub(*low, v3_make(r, r, r));
    *high = v3_add(*high, v3_make(r, r, r));
}

static carom_status points_draw(mesh **out, const void *params, const mesh *m, carom_error *err)
{
    return carom_shape_draw_points(out, m, points_radius(params), err);
}

static const carom_field points_fields[] = {
    { .name = "file",
      .kind = CAROM_FIELD_FILE,
      .offset = offsetof(carom_points_def, file),
      .flags = CAROM_SHORTHAND,
      .doc = "OBJ file: all its vertices." },
    GIVEN_FIELD_SCALE(carom_points_def),
    GIVEN_FIELD_VERTICES(carom_points_def),
    { .name = "mass_per_point",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_points_def, mass_per_point),
      .dimension = CAROM_DIM_MASS,
      .flags = CAROM_NONNEGATIVE,
      .doc = "Of each point. 0: the body's 'mass' says what it weighs." },
    { .name = "radius",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_points_def, radius),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_NONNEGATIVE,
      .doc = "Of balls around the points. 0: points, which touch faces only." },
    { 0 },
};

static const carom_points_def points_defaults;

const carom_shape_type carom_shape_points = {
    .kind = { .name = "points",
              .doc = "Points held together, each with its mass. For the method 'barrier'.",
              .fields = points_fields,
              .defaults = &points_defaults,
              .size = sizeof(carom_points_def) },
    .thin = true,
    .check = points_check,
    .mesh_name = points_name,
    .from_file = points_file,
    .make = points_make,
    .own_density = points_density,
    .mass = points_mass,
    .bounds = points_bounds,
    .draw = points_draw,
    .rounding = points_radius,
};
