/* A cylinder along z with half balls on both ends, centred on its origin. A straight part of length zero is allowed:
 * the capsule is then a ball. */
#include "geometry/shapes/shapes.h"

#include <limits.h>

static carom_status capsule_check(const void *params, carom_error *err)
{
    const carom_capsule_def *capsule = params;
    carom_status status = carom_shape_check_size("capsule", "radius", capsule->radius, err);
    if (status != CAROM_OK || capsule->length == 0.0) {
        return status;
    }
    return carom_shape_check_size("capsule", "length", capsule->length, err);
}

/* Inertia of the half balls across the axis: those of a ball about its centre, moved out by half the straight part l.
 * Each half has its centroid 3/8 r beyond the end of the straight part, hence the mixed term 3/8 l r. */
static double caps_inertia_across(double caps_volume, double r, double l)
{
    return caps_volume * (0.4 * r * r + 0.25 * l * l + 0.375 * l * r);
}

static void capsule_mass(mass_properties *out, const void *params, const struct mesh *mesh)
{
    (void)mesh;
    const carom_capsule_def *capsule = params;
    double r = capsule->radius;
    double l = capsule->length;
    double middle = PI * r * r * l;
    double caps = 4.0 / 3.0 * PI * r * r * r;
    double across = middle * (3.0 * r * r + l * l) / 12.0 + caps_inertia_across(caps, r, l);
    double along = (0.5 * middle + 0.4 * caps) * r * r;
    *out = (mass_properties){ .mass = middle + caps, .inertia = m3_diag(across, across, along) };
}

static void capsule_bounds(carom_v3 *low, carom_v3 *high, const void *params, const struct mesh *mesh)
{
    (void)mesh;
    const carom_capsule_def *capsule = params;
    *high = v3_make(capsule->radius, capsule->radius, 0.5 * capsule->length + capsule->radius);
    *low = v3_neg(*high);
}

static double capsule_area(const void *params)
{
    const carom_capsule_def *capsule = params;
    return 2.0 * PI * capsule->radius * (2.0 * capsule->radius + capsule->length);
}

/* To the nearest point of the middle line, less the radius. */
static field_sample capsule_distance(const void *params, v3 p)
{
    const carom_capsule_def *capsule = params;
    double half = 0.5 * capsule->length;
    v3 from_line = v3_make(p.x, p.y, p.z - fmax(-half, fmin(half, p.z)));
    double length = v3_norm(from_line);
    v3 out = length > 0.0 ? v3_scale(1.0 / length, from_line) : v3_make(1.0, 0.0, 0.0);
    return (field_sample){ .distance = length - capsule->radius, .gradient = out };
}

static carom_status capsule_tessellate(struct mesh **out, const void *params, surface_grain grain, carom_error *err)
{
    const carom_capsule_def *capsule = params;
    double r = capsule->radius;
    double half = 0.5 * capsule->length;
    outline o = {
        .shape = "capsule",
        .start_z = -half - r,
        .radius = r,
        .piece_count = 3,
        .pieces = { { .end = { r, -half }, .arc = true, .center_z = -half },
                    { .end = { r, half } },
                    { .end = { 0.0, half + r }, .arc = true, .center_z = half } },
    };
    return carom_shape_revolve(out, &o, grain, err);
}

/* A ring of the straight part from halfway to one neighbour to halfway to the other; the ends have a cap in addition. */
static double ball_area(const carom_capsule_def *capsule, int i, int count)
{
    double r = capsule->radius;
    int caps = (i == 0) + (i == count - 1);
    double rings = count > 1 ? (1.0 - 0.5 * caps) / (count - 1) : 0.0;
    return 2.0 * PI * r * (caps * r + rings * capsule->length);
}

/* A row of balls along the straight part, both ends included. Half a radius apart unless told: the dent between two of
 * them is then 3 % of the radius deep. */
static int capsule_balls(shape_ball *out, int capacity, const void *params, double spacing)
{
    const carom_capsule_def *capsule = params;
    double step = spacing > 0.0 ? spacing : 0.5 * capsule->radius;
    double gaps = ceil(capsule->length / step);
    int count = gaps < (double)INT_MAX ? (int)gaps + 1 : INT_MAX;
    for (int i = 0; i < count && i < capacity; ++i) {
        double along = count > 1 ? (double)i / (count - 1) - 0.5 : 0.0;
        out[i] = (shape_ball){
            .center = v3_make(0.0, 0.0, along * capsule->length),
            .radius = capsule->radius,
            .area = ball_area(capsule, i, count),
        };
    }
    return count;
}

static void capsule_skeleton(shape_skeleton *out, const void *params)
{
    const carom_capsule_def *capsule = params;
    double half = 0.5 * capsule->length;
    *out = (shape_skeleton){ .point_count = half > 0.0 ? 2 : 1,
                             .points = { { 0.0, 0.0, -half }, { 0.0, 0.0, half } },
                             .rounding = capsule->radius };
}

static const carom_field capsule_fields[] = {
    { .name = "radius",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_capsule_def, radius),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_REQUIRED | CAROM_POSITIVE,
      .doc = "Radius of the straight part and of the caps." },
    { .name = "length",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_capsule_def, length),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_REQUIRED | CAROM_NONNEGATIVE,
      .doc = "Length of the straight part along z, without the caps." },
    { 0 },
};

static const carom_capsule_def capsule_defaults;

const carom_shape_type carom_shape_capsule = {
    .kind = { .name = "capsule",
              .doc = "A round cylinder along its z axis with half balls on both ends, centred on its origin.",
              .fields = capsule_fields,
              .defaults = &capsule_defaults,
              .size = sizeof(carom_capsule_def) },
    .solid = true,
    .check = capsule_check,
    .mass = capsule_mass,
    .bounds = capsule_bounds,
    .area = capsule_area,
    .distance = capsule_distance,
    .tessellate = capsule_tessellate,
    .balls = capsule_balls,
    .skeleton = capsule_skeleton,
};
