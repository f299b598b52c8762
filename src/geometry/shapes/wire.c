/* Straight pieces of wire. Without a radius they are lines, which meet edges of others and never their faces; a line has no
 * inertia about itself, so that one straight wire needs a radius to be a body. */
#include "geometry/mesh.h"
#include "geometry/shapes/shapes.h"

static given_geometry given_of(const void *params)
{
    const carom_wire_def *def = params;
    return (given_geometry){ "wire", def->file, def->scale, def->vertices, def->edges, "edges", 2 };
}

static carom_status wire_check(const void *params, carom_error *err)
{
    given_geometry g = given_of(params);
    double radius = ((const carom_wire_def *)params)->radius;
    carom_status status = carom_shape_check_given(&g, err);
    return status == CAROM_OK && radius != 0.0 ? carom_shape_check_size("wire", "radius", radius, err) : status;
}

static const char *wire_name(const void *params)
{
    const char *file = ((const carom_wire_def *)params)->file;
    return file ? file : "in the scene";
}

static bool wire_file(mesh_file *out, const void *params)
{
    given_geometry g = given_of(params);
    *out = (mesh_file){ g.file, carom_shape_given_scale(&g), MESH_WIRES };
    return g.file != NULL;
}

static carom_status wire_make(mesh **out, const void *params, carom_error *err)
{
    given_geometry g = given_of(params);
    return carom_shape_make_given(out, &g, err);
}

static double wire_density(const void *params)
{
    return ((const carom_wire_def *)params)->mass_per_length;
}

static double wire_radius(const void *params)
{
    return ((const carom_wire_def *)params)->radius;
}

/* Round pieces of length l: beyond those of the line, r^2 / 4 about each axis and another r^2 / 4 about their own. */
static void wire_mass(mass_properties *out, const void *params, const mesh *m)
{
    double square = wire_radius(params) * wire_radius(params);
    mesh_wire_mass(out, m);
    for (int e = 0; e < m->edge_count; ++e) {
        v3 along = v3_sub(m->vertices[m->edges[e][1]], m->vertices[m->edges[e][0]]);
        double length = v3_norm(along);
        const double u[3] = { along.x, along.y, along.z };
        for (int i = 0; length > 0.0 && i < 9; ++i) {
            out->inertia.m[i] += 0.25 * square * ((i % 4 == 0 ? length : 0.0) + u[i / 3] * u[i % 3] / length);
        }
    }
}

static void wire_bounds(carom_v3 *low, carom_v3 *high, const void *params, const mesh *m)
{
    double r = wire_radius(params);
    mesh_bounds(low, high, m);
    *low = v3_sub(*low, v3_make(r, r, r));
    *high = v3_add(*high, v3_make(r, r, r));
}

static carom_status wire_draw(mesh **out, const void *params, const mesh *m, carom_error *err)
{
    return carom_shape_draw_wires(out, m, wire_radius(params), err);
}

static const carom_field wire_fields[] = {
    { .name = "file",
      .kind = CAROM_FIELD_FILE,
      .offset = offsetof(carom_wire_def, file),
      .flags = CAROM_SHORTHAND,
      .doc = "OBJ file with lines ('l')." },
    GIVEN_FIELD_SCALE(carom_wire_def),
    GIVEN_FIELD_VERTICES(carom_wire_def),
    GIVEN_FIELD_CELLS(carom_wire_def, edges, carom_shape_edge_fields,
                      "With 'vertices': pairs of their numbers, counted from 0."),
    { .name = "mass_per_length",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_wire_def, mass_per_length),
      .dimension = { .mass = 1, .length = -1 },
      .flags = CAROM_NONNEGATIVE,
      .doc = "0: the body's 'mass' says what it weighs." },
    { .name = "radius",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_wire_def, radius),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_NONNEGATIVE,
      .doc = "Of a round wire. 0: a line, which touches edges only." },
    { 0 },
};

static const carom_wire_def wire_defaults;

const carom_shape_type carom_shape_wire = {
    .kind = { .name = "wire",
              .doc = "Straight pieces of wire, with a mass per length. For the method 'barrier'.",
              .fields = wire_fields,
              .defaults = &wire_defaults,
              .size = sizeof(carom_wire_def) },
    .thin = true,
    .check = wire_check,
    .mesh_name = wire_name,
    .from_file = wire_file,
    .make = wire_make,
    .own_density = wire_density,
    .mass = wire_mass,
    .bounds = wire_bounds,
    .draw = wire_draw,
    .rounding = wire_radius,
};
