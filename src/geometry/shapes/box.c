/* A box with edges along its axes, centred on its origin. */
#include "geometry/shapes/shapes.h"

static carom_status box_check(const void *params, carom_error *err)
{
    static const char *const fields[] = { "size[0]", "size[1]", "size[2]" };
    const carom_box_def *box = params;
    for (int i = 0; i < 3; ++i) {
        carom_status status = carom_shape_check_size("box", fields[i], v3_get(box->size, i), err);
        if (status != CAROM_OK) {
            return status;
        }
    }
    return CAROM_OK;
}

static void box_mass(mass_properties *out, const void *params, const struct mesh *mesh)
{
    (void)mesh;
    const carom_box_def *box = params;
    double xx = box->size.x * box->size.x;
    double yy = box->size.y * box->size.y;
    double zz = box->size.z * box->size.z;
    double volume = box->size.x * box->size.y * box->size.z;
    *out = (mass_properties){
        .mass = volume,
        .inertia = m3_scale(volume / 12.0, m3_diag(yy + zz, xx + zz, xx + yy)),
    };
}

static void box_bounds(carom_v3 *low, carom_v3 *high, const void *params, const struct mesh *mesh)
{
    (void)mesh;
    const carom_box_def *box = params;
    *high = v3_scale(0.5, box->size);
    *low = v3_neg(*high);
}

static const carom_field box_fields[] = {
    { .name = "size",
      .kind = CAROM_FIELD_VECTOR,
      .offset = offsetof(carom_box_def, size),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_REQUIRED | CAROM_POSITIVE | CAROM_SHORTHAND,
      .doc = "Full edge lengths along x, y and z." },
    { 0 },
};

static const carom_box_def box_defaults;

const carom_shape_type carom_shape_box = {
    .kind = { .name = "box",
              .doc = "A box with edges along its axes, centred on its origin.",
              .fields = box_fields,
              .defaults = &box_defaults,
              .size = sizeof(carom_box_def) },
    .solid = true,
    .check = box_check,
    .mass = box_mass,
    .bounds = box_bounds,
};
