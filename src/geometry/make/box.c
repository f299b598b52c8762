/* A box centred on the origin. */
#include "geometry/make/make.h"

static carom_status build(mesh **out, const void *params, carom_error *err)
{
    const carom_make_box *box = params;
    double x = 0.5 * box->size.x;
    double y = 0.5 * box->size.y;
    const double corners[4][2] = { { -x, -y }, { x, -y }, { x, y }, { -x, y } };
    make_prism prism = { .polygon = corners,
                         .count = 4,
                         .u = v3_make(1, 0, 0),
                         .v = v3_make(0, 1, 0),
                         .low = -0.5 * box->size.z,
                         .high = 0.5 * box->size.z };
    mesh *coarse = NULL;
    carom_status status = make_extrude(&coarse, &prism, err);
    return status ? status : make_spaced(out, coarse, box->spacing, err);
}

static const carom_field fields[] = {
    { .name = "size",
      .kind = CAROM_FIELD_VECTOR,
      .offset = offsetof(carom_make_box, size),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_POSITIVE | CAROM_SHORTHAND,
      .doc = "Edge lengths along x, y, z." },
    MAKE_LENGTH(carom_make_box, spacing, CAROM_NONNEGATIVE, "Longest edge; 0: 12 triangles."),
    { 0 },
};

static const carom_make_box defaults = { .size = { 1.0, 1.0, 1.0 } };

const mesh_make_type make_box = {
    .kind = { .name = "box",
              .doc = "A box centred on the origin.",
              .fields = fields,
              .defaults = &defaults,
              .size = sizeof(carom_make_box) },
    .build = build,
};
