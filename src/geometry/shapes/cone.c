/* A round cone: base in the plane z = 0, tip at z = height.
 *
 * For contact by features its rim is a circle against flat faces. Against edges, corners and balls it is 64 straight
 * edges, and its side 64 flat faces, at most 0.12 % of the radius inside the cone. */
#include "geometry/shapes/shapes.h"

static carom_status cone_check(const void *params, carom_error *err)
{
    const carom_cone_def *cone = params;
    carom_status status = carom_shape_check_size("cone", "radius", cone->radius, err);
    return status ? status : carom_shape_check_size("cone", "height", cone->height, err);
}

static void cone_mass(mass_properties *out, const void *params, const struct mesh *mesh)
{
    (void)mesh;
    const carom_cone_def *cone = params;
    double r = cone->radius;
    double h = cone->height;
    double volume = PI / 3.0 * r * r * h;
    double across = volume * (0.15 * r * r + 0.0375 * h * h); /* about the centroid: 3/20 r^2 + 3/80 h^2 */
    double along = 0.3 * volume * r * r;
    *out = (mass_properties){
        .mass = volume,
        .center = v3_make(0.0, 0.0, 0.25 * h),
        .inertia = m3_diag(across, across, along),
    };
}

static void cone_bounds(carom_v3 *low, carom_v3 *high, const void *params, const struct mesh *mesh)
{
    (void)mesh;
    const carom_cone_def *cone = params;
    *low = v3_make(-cone->radius, -cone->radius, 0.0);
    *high = v3_make(cone->radius, cone->radius, cone->height);
}

/* In the half plane: distance to the slant, a segment from the rim (radius, 0) to the tip (0, height), positive outside.
 * The nearest point is inside the segment, or one of its ends; at the ends the gradient points away from them. */
static double slant_distance(const carom_cone_def *cone, plane_point q, plane_point *gradient)
{
    double length = sqrt(cone->radius * cone->radius + cone->height * cone->height);
    plane_point along = { -cone->radius / length, cone->height / length };
    plane_point normal = { along.z, -along.rho };
    double outside = (q.rho - cone->radius) * normal.rho + q.z * normal.z;
    double t = (q.rho - cone->radius) * along.rho + q.z * along.z;
    plane_point end = { t <= 0.0 ? cone->radius : 0.0, t <= 0.0 ? 0.0 : cone->height };
    plane_point from_end = { q.rho - end.rho, q.z - end.z };
    double distance = sqrt(from_end.rho * from_end.rho + from_end.z * from_end.z);
    *gradient = normal;
    if ((t > 0.0 && t < length) || distance == 0.0) {
        return outside;
    }
    double sign = outside < 0.0 ? -1.0 : 1.0;
    *gradient = (plane_point){ sign * from_end.rho / distance, sign * from_end.z / distance };
    return sign * distance;
}

static double cone_area(const void *params)
{
    const carom_cone_def *cone = params;
    double slant = sqrt(cone->radius * cone->radius + cone->height * cone->height);
    return PI * cone->radius * (cone->radius + slant);
}

/* Inside, the nearer of base and slant; below the base disc, the base; else the slant with its ends, of which the rim
 * is the base's too. */
static field_sample cone_distance(const void *params, v3 p)
{
    const carom_cone_def *cone = params;
    const plane_point down = { 0.0, -1.0 };
    v3 radial;
    plane_point gradient;
    plane_point q = carom_shape_half_plane(p, &radial);
    double slant = slant_distance(cone, q, &gradient);
    if (q.z <= 0.0) {
        if (q.rho <= cone->radius) {
            return carom_shape_round_sample(-q.z, down, radial);
        }
        double x = q.rho - cone->radius;
        double distance = sqrt(x * x + q.z * q.z);
        return carom_shape_round_sample(distance, (plane_point){ x / distance, q.z / distance }, radial);
    }
    if (slant < 0.0 && -q.z > slant) {
        return carom_shape_round_sample(-q.z, down, radial);
    }
    return carom_shape_round_sample(slant, gradient, radial);
}

static carom_status cone_tessellate(struct mesh **out, const void *params, surface_grain grain, carom_error *err)
{
    const carom_cone_def *cone = params;
    outline o = {
        .shape = "cone",
        .radius = cone->radius,
        .piece_count = 2,
        .pieces = { { .end = { cone->radius, 0.0 } }, { .end = { 0.0, cone->height } } },
    };
    return carom_shape_revolve(out, &o, grain, err);
}

static void cone_skeleton(shape_skeleton *out, const void *params)
{
    const carom_cone_def *cone = params;
    *out = (shape_skeleton){ .rim_count = 1, .rims = { { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, -1.0 }, cone->radius } } };
}

static const carom_field cone_fields[] = {
    { .name = "radius",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_cone_def, radius),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_REQUIRED | CAROM_POSITIVE,
      .doc = "Radius of the base." },
    { .name = "height",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_cone_def, height),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_REQUIRED | CAROM_POSITIVE,
      .doc = "Height of the tip above the base." },
    { 0 },
};

static const carom_cone_def cone_defaults;

const carom_shape_type carom_shape_cone = {
    .kind = { .name = "cone",
              .doc = "A round cone: base at z = 0, tip at z = height.",
              .fields = cone_fields,
              .defaults = &cone_defaults,
              .size = sizeof(carom_cone_def) },
    .solid = true,
    .check = cone_check,
    .mass = cone_mass,
    .bounds = cone_bounds,
    .area = cone_area,
    .distance = cone_distance,
    .tessellate = cone_tessellate,
    .skeleton = cone_skeleton,
};
