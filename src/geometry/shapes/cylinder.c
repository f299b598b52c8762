/* A round cylinder along z, centred on its origin.
 *
 * For contact by features its side is the axis rounded by the radius and exact; its rims are circles against flat faces,
 * and 64 straight edges against edges, corners and balls, at most 0.12 % of the radius inside the circle. */
#include "geometry/shapes/shapes.h"

static carom_status cylinder_check(const void *params, carom_error *err)
{
    const carom_cylinder_def *cylinder = params;
    carom_status status = carom_shape_check_size("cylinder", "radius", cylinder->radius, err);
    return status ? status : carom_shape_check_size("cylinder", "length", cylinder->length, err);
}

static void cylinder_mass(mass_properties *out, const void *params, const struct mesh *mesh)
{
    (void)mesh;
    const carom_cylinder_def *cylinder = params;
    double r = cylinder->radius;
    double l = cylinder->length;
    double volume = PI * r * r * l;
    double across = volume * (3.0 * r * r + l * l) / 12.0;
    double along = 0.5 * volume * r * r;
    *out = (mass_properties){ .mass = volume, .inertia = m3_diag(across, across, along) };
}

static void cylinder_bounds(carom_v3 *low, carom_v3 *high, const void *params, const struct mesh *mesh)
{
    (void)mesh;
    const carom_cylinder_def *cylinder = params;
    *high = v3_make(cylinder->radius, cylinder->radius, 0.5 * cylinder->length);
    *low = v3_neg(*high);
}

static double cylinder_area(const void *params)
{
    const carom_cylinder_def *cylinder = params;
    return 2.0 * PI * cylinder->radius * (cylinder->radius + cylinder->length);
}

/* In the half plane the cylinder is a rectangle: beyond rim and caps the nearest point is on the rim. */
static field_sample cylinder_distance(const void *params, v3 p)
{
    const carom_cylinder_def *cylinder = params;
    v3 radial;
    plane_point q = carom_shape_half_plane(p, &radial);
    double side = q.rho - cylinder->radius;
    double cap = fabs(q.z) - 0.5 * cylinder->length;
    double up = q.z < 0.0 ? -1.0 : 1.0;
    if (side > 0.0 && cap > 0.0) {
        double distance = sqrt(side * side + cap * cap);
        return carom_shape_round_sample(distance, (plane_point){ side / distance, up * cap / distance }, radial);
    }
    return side >= cap || isnan(side) ? carom_shape_round_sample(side, (plane_point){ 1.0, 0.0 }, radial)
                                      : carom_shape_round_sample(cap, (plane_point){ 0.0, up }, radial);
}

static carom_status cylinder_tessellate(struct mesh **out, const void *params, surface_grain grain, carom_error *err)
{
    const carom_cylinder_def *cylinder = params;
    double r = cylinder->radius;
    double half = 0.5 * cylinder->length;
    outline o = {
        .shape = "cylinder",
        .start_z = -half,
        .radius = r,
        .piece_count = 3,
        .pieces = { { .end = { r, -half } }, { .end = { r, half } }, { .end = { 0.0, half } } },
    };
    return carom_shape_revolve(out, &o, grain, err);
}

static void cylinder_skeleton(shape_skeleton *out, const void *params)
{
    const carom_cylinder_def *cylinder = params;
    double half = 0.5 * cylinder->length;
    *out = (shape_skeleton){ .rim_count = 2,
                             .barrel = true,
                             .rims = { { { 0.0, 0.0, -half }, { 0.0, 0.0, -1.0 }, cylinder->radius },
                                       { { 0.0, 0.0, half }, { 0.0, 0.0, 1.0 }, cylinder->radius } } };
}

static const carom_field cylinder_fields[] = {
    { .name = "radius",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_cylinder_def, radius),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_REQUIRED | CAROM_POSITIVE,
      .doc = "Radius." },
    { .name = "length",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_cylinder_def, length),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_REQUIRED | CAROM_POSITIVE,
      .doc = "Full length along z." },
    { 0 },
};

static const carom_cylinder_def cylinder_defaults;

const carom_shape_type carom_shape_cylinder = {
    .kind = { .name = "cylinder",
              .doc = "A round cylinder along its z axis, centred on its origin.",
              .fields = cylinder_fields,
              .defaults = &cylinder_defaults,
              .size = sizeof(carom_cylinder_def) },
    .solid = true,
    .check = cylinder_check,
    .mass = cylinder_mass,
    .bounds = cylinder_bounds,
    .area = cylinder_area,
    .distance = cylinder_distance,
    .tessellate = cylinder_tessellate,
    .skeleton = cylinder_skeleton,
};
