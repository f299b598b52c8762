/* A surface without thickness: cards, shells, walls. Touched from both sides, by its triangles, edges and corners. */
#include "geometry/mesh.h"
#include "geometry/shapes/shapes.h"

static given_geometry given_of(const void *params)
{
    const carom_sheet_def *def = params;
    return (given_geometry){ "sheet", def->file, def->scale, def->vertices, def->triangles, "triangles", 3 };
}

static carom_status sheet_check(const void *params, carom_error *err)
{
    given_geometry g = given_of(params);
    return carom_shape_check_given(&g, err);
}

static const char *sheet_name(const void *params)
{
    const char *file = ((const carom_sheet_def *)params)->file;
    return file ? file : "in the scene";
}

static bool sheet_file(mesh_file *out, const void *params)
{
    given_geometry g = given_of(params);
    *out = (mesh_file){ g.file, carom_shape_given_scale(&g), MESH_SURFACE };
    return g.file != NULL;
}

static carom_status sheet_make(mesh **out, const void *params, carom_error *err)
{
    given_geometry g = given_of(params);
    return carom_shape_make_given(out, &g, err);
}

static double sheet_density(const void *params)
{
    return ((const carom_sheet_def *)params)->mass_per_area;
}

static void sheet_mass(mass_properties *out, const void *params, const mesh *m)
{
    (void)params;
    mesh_sheet_mass(out, m);
}

static const carom_field sheet_fields[] = {
    { .name = "file",
      .kind = CAROM_FIELD_FILE,
      .offset = offsetof(carom_sheet_def, file),
      .flags = CAROM_SHORTHAND,
      .doc = "STL, OBJ or PLY file of triangles; they need not close." },
    GIVEN_FIELD_SCALE(carom_sheet_def),
    GIVEN_FIELD_VERTICES(carom_sheet_def),
    GIVEN_FIELD_CELLS(carom_sheet_def, triangles, carom_shape_triangle_fields,
                      "With 'vertices': triples of their numbers, counted from 0."),
    { .name = "mass_per_area",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_sheet_def, mass_per_area),
      .dimension = { .mass = 1, .length = -2 },
      .flags = CAROM_NONNEGATIVE,
      .doc = "Density times thickness. 0: the body's 'mass' says what it weighs." },
    { 0 },
};

static const carom_sheet_def sheet_defaults;

const carom_shape_type carom_shape_sheet = {
    .kind = { .name = "sheet",
              .doc = "A surface of triangles without thickness, open or closed, with a mass per area. For the method "
                     "'barrier'.",
              .fields = sheet_fields,
              .defaults = &sheet_defaults,
              .size = sizeof(carom_sheet_def) },
    .thin = true,
    .check = sheet_check,
    .mesh_name = sheet_name,
    .from_file = sheet_file,
    .make = sheet_make,
    .own_density = sheet_density,
    .mass = sheet_mass,
    .bounds = carom_shape_mesh_bounds,
};
