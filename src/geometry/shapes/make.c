/* A solid bounded by a procedural mesh: gears, bolts, rings and the like without a file. */
#include "geometry/make/make.h"
#include "geometry/shapes/shapes.h"

#include <threads.h>

static carom_status made_check(const void *params, carom_error *err)
{
    const carom_made_def *def = params;
    return def->what.kind ? CAROM_OK : carom_fail(err, CAROM_BAD_INPUT, "make: 'type' is missing");
}

static carom_status made_mesh(mesh **out, const void *params, carom_error *err)
{
    const carom_made_def *def = params;
    return mesh_make(out, def->what.kind, def->what.params, err);
}

static const char *made_name(const void *params)
{
    return ((const carom_made_def *)params)->what.kind;
}

/* Not const: the list of kinds comes from a function and is filled in before anyone sees the table. */
static carom_field made_fields[] = {
    { .name = "type",
      .kind = CAROM_FIELD_KIND,
      .offset = offsetof(carom_made_def, what),
      .flags = CAROM_REQUIRED,
      .doc = "What is made; its parameters stand beside it. 'carom mesh make' lists them." },
    { 0 },
};

static void fill_kinds(void)
{
    made_fields[0].kinds = carom_mesh_make_kinds();
}

void carom_shape_make_prepare(void)
{
    static once_flag once = ONCE_FLAG_INIT;
    call_once(&once, fill_kinds);
}

static const carom_made_def made_defaults;

const carom_shape_type carom_shape_make = {
    .kind = { .name = "make",
              .doc = "A solid bounded by a mesh that carom makes: a gear, a bolt, a chain link, ...",
              .fields = made_fields,
              .defaults = &made_defaults,
              .size = sizeof(carom_made_def) },
    .solid = true,
    .check = made_check,
    .make = made_mesh,
    .mesh_name = made_name,
    .mass = carom_shape_mesh_mass,
    .bounds = carom_shape_mesh_bounds,
};
