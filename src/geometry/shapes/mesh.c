/* A solid bounded by a triangle mesh from a file or from the scene. A file is read by whoever compiles the model; here it
 * only has a name. */
#include "geometry/mesh.h"
#include "geometry/shapes/shapes.h"

static given_geometry given_of(const void *params)
{
    const carom_mesh_def *def = params;
    return (given_geometry){ "mesh", def->file, def->scale, def->vertices, def->triangles, "triangles", 3 };
}

static carom_status mesh_shape_check(const void *params, carom_error *err)
{
    given_geometry g = given_of(params);
    return carom_shape_check_given(&g, err);
}

static const char *mesh_shape_name(const void *params)
{
    const char *file = ((const carom_mesh_def *)params)->file;
    return file ? file : "in the scene";
}

static bool mesh_shape_file(mesh_file *out, const void *params)
{
    given_geometry g = given_of(params);
    *out = (mesh_file){ g.file, carom_shape_given_scale(&g), MESH_SURFACE };
    return g.file != NULL;
}

static carom_status mesh_shape_make(mesh **out, const void *params, carom_error *err)
{
    given_geometry g = given_of(params);
    return carom_shape_make_given(out, &g, err);
}

void carom_shape_mesh_mass(mass_properties *out, const void *params, const mesh *m)
{
    (void)params;
    mesh_mass(out, m);
}

void carom_shape_mesh_bounds(carom_v3 *low, carom_v3 *high, const void *params, const mesh *m)
{
    (void)params;
    mesh_bounds(low, high, m);
}

static const carom_field mesh_shape_fields[] = {
    { .name = "file",
      .kind = CAROM_FIELD_FILE,
      .offset = offsetof(carom_mesh_def, file),
      .flags = CAROM_SHORTHAND,
      .doc = "STL, OBJ or PLY file of a closed surface, triangles counter-clockwise seen from outside." },
    GIVEN_FIELD_SCALE(carom_mesh_def),
    GIVEN_FIELD_VERTICES(carom_mesh_def),
    GIVEN_FIELD_CELLS(
        carom_mesh_def, triangles, carom_shape_triangle_fields,
        "With 'vertices': triples of their numbers, counted from 0, counter-clockwise seen from outside."),
    { 0 },
};

static const carom_mesh_def mesh_shape_defaults;

const carom_shape_type carom_shape_mesh = {
    .kind = { .name = "mesh",
              .doc = "A solid bounded by a triangle mesh, from a file or from the scene.",
              .fields = mesh_shape_fields,
              .defaults = &mesh_shape_defaults,
              .size = sizeof(carom_mesh_def) },
    .solid = true,
    .check = mesh_shape_check,
    .mesh_name = mesh_shape_name,
    .from_file = mesh_shape_file,
    .make = mesh_shape_make,
    .mass = carom_shape_mesh_mass,
    .bounds = carom_shape_mesh_bounds,
};
