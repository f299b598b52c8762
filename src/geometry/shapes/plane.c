/* The half space below a plane through the origin: no volume of its own, only a surface to touch. */
#include "geometry/shapes/shapes.h"

static carom_status plane_check(const void *params, carom_error *err)
{
    const double rounded = 1e-6; /* a direction typed in with six digits */
    const carom_plane_def *plane = params;
    double length = v3_norm(plane->normal);
    if (!(fabs(length - 1.0) <= rounded)) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "plane: normal [%g, %g, %g] has length %g; it must be a unit vector such as [0, 0, 1]",
                          plane->normal.x, plane->normal.y, plane->normal.z, length);
    }
    return CAROM_OK;
}

static void plane_mass(mass_properties *out, const void *params, const struct mesh *mesh)
{
    (void)params;
    (void)mesh;
    *out = (mass_properties){ 0 };
}

static void plane_bounds(carom_v3 *low, carom_v3 *high, const void *params, const struct mesh *mesh)
{
    (void)params;
    (void)mesh;
    *low = v3_make(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL);
    *high = v3_make(HUGE_VAL, HUGE_VAL, HUGE_VAL);
}

static field_sample plane_distance(const void *params, v3 p)
{
    v3 normal = v3_unit(((const carom_plane_def *)params)->normal); /* typed in with six digits, perhaps */
    return (field_sample){ .distance = v3_dot(normal, p), .gradient = normal };
}

static const carom_field plane_fields[] = {
    { .name = "normal",
      .kind = CAROM_FIELD_DIRECTION,
      .offset = offsetof(carom_plane_def, normal),
      .flags = CAROM_SHORTHAND,
      .doc = "Unit vector pointing out of the solid side." },
    { 0 },
};

static const carom_plane_def plane_defaults = { .normal = { 0.0, 0.0, 1.0 } };

const carom_shape_type carom_shape_plane = {
    .kind = { .name = "plane",
              .doc = "An infinite plane through its origin, solid on the side against its normal. Has no mass.",
              .fields = plane_fields,
              .defaults = &plane_defaults,
              .size = sizeof(carom_plane_def) },
    .solid = false,
    .check = plane_check,
    .mass = plane_mass,
    .bounds = plane_bounds,
    .distance = plane_distance,
};
