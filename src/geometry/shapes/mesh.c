/* A solid bounded by a triangle mesh from a file. The file is read by whoever compiles the model; here it only has a
 * name. */
#include "geometry/mesh.h"
#include "geometry/shapes/shapes.h"

static carom_status mesh_shape_check(const void *params, carom_error *err)
{
    const carom_mesh_def *def = params;
    if (!def->file || !def->file[0]) {
        return carom_fail(err, CAROM_BAD_INPUT, "mesh: file is missing; name an STL, OBJ or PLY file");
    }
    return carom_shape_check_size("mesh", "scale", def->scale, err);
}

static const char *mesh_shape_name(const void *params)
{
    return ((const carom_mesh_def *)params)->file;
}

static double mesh_shape_scale(const void *params)
{
    return ((const carom_mesh_def *)params)->scale;
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
      .flags = CAROM_REQUIRED | CAROM_SHORTHAND,
      .doc = "STL, OBJ or PLY file of a closed surface, triangles counter-clockwise seen from outside." },
    { .name = "scale",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_mesh_def, scale),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_POSITIVE,
      .doc = "Length of one unit of the file; a metre unless given." },
    { 0 },
};

static const carom_mesh_def mesh_shape_defaults = { .scale = 1.0 };

const carom_shape_type carom_shape_mesh = {
    .kind = { .name = "mesh",
              .doc = "A solid bounded by a triangle mesh from a file.",
              .fields = mesh_shape_fields,
              .defaults = &mesh_shape_defaults,
              .size = sizeof(carom_mesh_def) },
    .solid = true,
    .check = mesh_shape_check,
    .mesh_name = mesh_shape_name,
    .file_scale = mesh_shape_scale,
    .mass = carom_shape_mesh_mass,
    .bounds = carom_shape_mesh_bounds,
};
