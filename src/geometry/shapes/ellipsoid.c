/* A solid ellipsoid centred on its origin, half axes along x, y and z. */
#include "geometry/ellipsoid.h"
#include "geometry/mesh.h"
#include "geometry/shapes/shapes.h"

static carom_status ellipsoid_check(const void *params, carom_error *err)
{
    static const char *const fields[] = { "radii[0]", "radii[1]", "radii[2]" };
    const carom_ellipsoid_def *e = params;
    for (int i = 0; i < 3; ++i) {
        carom_status status = carom_shape_check_size("ellipsoid", fields[i], v3_get(e->radii, i), err);
        if (status != CAROM_OK) {
            return status;
        }
    }
    return CAROM_OK;
}

static void ellipsoid_mass(mass_properties *out, const void *params, const mesh *m)
{
    (void)m;
    v3 e = ((const carom_ellipsoid_def *)params)->radii;
    double volume = 4.0 / 3.0 * PI * e.x * e.y * e.z;
    v3 e2 = v3_make(e.x * e.x, e.y * e.y, e.z * e.z);
    *out = (mass_properties){
        .mass = volume,
        .inertia = m3_scale(0.2 * volume, m3_diag(e2.y + e2.z, e2.x + e2.z, e2.x + e2.y)),
    };
}

static void ellipsoid_bounds(carom_v3 *low, carom_v3 *high, const void *params, const mesh *m)
{
    (void)m;
    *high = ((const carom_ellipsoid_def *)params)->radii;
    *low = v3_neg(*high);
}

/* ---- area ---------------------------------------------------------------------------------------------------------- */

/* Carlson's symmetric integrals R_F and R_D of x, y, z by duplication [Carlson1995]. */
typedef struct carlson {
    double f, d;
} carlson;

static carlson carlson_integrals(double x, double y, double z)
{
    enum {
        TIMES = 40
    }; /* each halves the differences twice: to rounding from any ratio of doubles that are sizes squared */
    double sum = 0.0;
    double weight = 1.0;
    for (int k = 0; k < TIMES; ++k) {
        double root = sqrt(x) * sqrt(y) + sqrt(y) * sqrt(z) + sqrt(z) * sqrt(x);
        sum += weight / (sqrt(z) * (z + root));
        weight *= 0.25;
        x = 0.25 * (x + root);
        y = 0.25 * (y + root);
        z = 0.25 * (z + root);
    }
    return (carlson){ 1.0 / sqrt(z), 3.0 * sum + weight / (z * sqrt(z)) };
}

/* 4 pi a b c R_G(1/a^2, 1/b^2, 1/c^2) with 2 R_G = z R_F - (x - z)(y - z) R_D / 3 + sqrt(x y / z); z between x and y, so that all
 * terms are positive. Lengths are divided by the middle half axis. */
static double ellipsoid_area(const void *params)
{
    v3 e = ((const carom_ellipsoid_def *)params)->radii;
    double longest = fmax(e.x, fmax(e.y, e.z));
    double shortest = fmin(e.x, fmin(e.y, e.z));
    double middle = fmax(fmin(e.x, e.y), fmin(fmax(e.x, e.y), e.z));
    double x = middle / longest, y = middle / shortest;
    x *= x;
    y *= y;
    carlson r = carlson_integrals(x, y, 1.0);
    double twice = r.f - (x - 1.0) * (y - 1.0) * r.d / 3.0 + sqrt(x * y);
    return 2.0 * PI * longest * shortest * twice;
}

/* ---- distance ------------------------------------------------------------------------------------------------------ */

static field_sample ellipsoid_distance(const void *params, v3 p)
{
    return ellipsoid_nearest(((const carom_ellipsoid_def *)params)->radii, p);
}

/* ---- surface ------------------------------------------------------------------------------------------------------- */

static double longest_of(const carom_ellipsoid_def *e)
{
    return fmax(e->radii.x, fmax(e->radii.y, e->radii.z));
}

/* A ball as large as the longest half axis, pressed together. */
static carom_status ellipsoid_tessellate(mesh **out, const void *params, surface_grain grain, carom_error *err)
{
    const carom_ellipsoid_def *e = params;
    double r = longest_of(e);
    outline o = {
        .shape = "ellipsoid",
        .start_z = -r,
        .radius = r,
        .piece_count = 2, /* so that the equator is a ring */
        .pieces = { { .end = { r, 0.0 }, .arc = true }, { .end = { 0.0, r }, .arc = true } },
    };
    carom_status status = carom_shape_revolve(out, &o, grain, err);
    if (status == CAROM_OK) {
        mesh_stretch(*out, v3_scale(1.0 / r, e->radii));
    }
    return status;
}

/* One, where all half axes are equal. */
static int ellipsoid_balls(shape_ball *out, int capacity, const void *params, double spacing)
{
    (void)spacing;
    v3 e = ((const carom_ellipsoid_def *)params)->radii;
    int count = e.x == e.y && e.y == e.z ? 1 : 0;
    if (count > 0 && capacity > 0) {
        out[0] = (shape_ball){ .radius = e.x, .area = ellipsoid_area(params) };
    }
    return count;
}

static void ellipsoid_skeleton(shape_skeleton *out, const void *params)
{
    *out = (shape_skeleton){ .point_count = 1, .half = ((const carom_ellipsoid_def *)params)->radii };
}

static const carom_field ellipsoid_fields[] = {
    { .name = "radii",
      .kind = CAROM_FIELD_VECTOR,
      .offset = offsetof(carom_ellipsoid_def, radii),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_REQUIRED | CAROM_POSITIVE | CAROM_SHORTHAND,
      .doc = "Half axes along x, y and z." },
    { 0 },
};

static const carom_ellipsoid_def ellipsoid_defaults;

const carom_shape_type carom_shape_ellipsoid = {
    .kind = { .name = "ellipsoid",
              .doc = "An ellipsoid with its axes along x, y and z, centred on its origin.",
              .fields = ellipsoid_fields,
              .defaults = &ellipsoid_defaults,
              .size = sizeof(carom_ellipsoid_def) },
    .solid = true,
    .check = ellipsoid_check,
    .mass = ellipsoid_mass,
    .bounds = ellipsoid_bounds,
    .area = ellipsoid_area,
    .distance = ellipsoid_distance,
    .tessellate = ellipsoid_tessellate,
    .balls = ellipsoid_balls,
    .skeleton = ellipsoid_skeleton,
};
