/* A statue: a horse that lifts a foreleg. Smooth, concave, without handles, of exactly the size asked for; by default
 * 231 422 triangles and 115 713 vertices, the size of the statue in the literature on contact by distance fields.
 *
 * The shape is the zero level of a smooth union of tapered round rods, d = -k log sum exp(-d_i / k). It is cut out by
 * tetrahedra to fewer triangles than wanted, evened out, refined by longest edges to the exact number, and brought back
 * to the smooth surface. */
#include "geometry/make/isosurface.h"
#include "geometry/make/make.h"
#include "geometry/mesh_refine.h"

typedef struct rod {
    v3 a, b;
    double radius_a, radius_b;
} rod;

/* x forward, z up, about 1.15 high; y > 0 is the left side. */
static const rod rods[] = {
    /* trunk */
    { { -0.30, 0.00, 0.675 }, { -0.05, 0.00, 0.640 }, 0.125, 0.142 },
    { { -0.05, 0.00, 0.640 }, { 0.22, 0.00, 0.655 }, 0.142, 0.138 },
    { { 0.24, 0.00, 0.665 }, { 0.31, 0.00, 0.720 }, 0.130, 0.110 },
    { { -0.33, 0.045, 0.680 }, { -0.30, 0.050, 0.600 }, 0.100, 0.095 },
    { { -0.33, -0.045, 0.680 }, { -0.30, -0.050, 0.600 }, 0.100, 0.095 },
    /* neck, mane, head */
    { { 0.32, 0.00, 0.745 }, { 0.49, 0.00, 0.985 }, 0.098, 0.060 },
    { { 0.20, 0.00, 0.800 }, { 0.43, 0.00, 1.065 }, 0.030, 0.022 },
    { { 0.50, 0.00, 1.010 }, { 0.585, 0.00, 0.955 }, 0.066, 0.056 },
    { { 0.585, 0.00, 0.955 }, { 0.700, 0.00, 0.865 }, 0.048, 0.034 },
    { { 0.700, 0.00, 0.865 }, { 0.712, 0.00, 0.850 }, 0.038, 0.036 },
    { { 0.470, 0.034, 1.060 }, { 0.462, 0.050, 1.122 }, 0.024, 0.017 },
    { { 0.470, -0.034, 1.060 }, { 0.462, -0.050, 1.122 }, 0.024, 0.017 },
    /* right foreleg, standing */
    { { 0.235, -0.085, 0.610 }, { 0.250, -0.090, 0.360 }, 0.075, 0.040 },
    { { 0.250, -0.090, 0.360 }, { 0.250, -0.090, 0.120 }, 0.034, 0.026 },
    { { 0.250, -0.090, 0.120 }, { 0.268, -0.090, 0.050 }, 0.028, 0.034 },
    { { 0.268, -0.090, 0.050 }, { 0.276, -0.090, 0.034 }, 0.036, 0.038 },
    /* left foreleg, lifted */
    { { 0.245, 0.085, 0.610 }, { 0.405, 0.090, 0.490 }, 0.075, 0.042 },
    { { 0.405, 0.090, 0.490 }, { 0.395, 0.090, 0.290 }, 0.035, 0.027 },
    { { 0.395, 0.090, 0.290 }, { 0.345, 0.090, 0.235 }, 0.028, 0.032 },
    { { 0.345, 0.090, 0.235 }, { 0.325, 0.090, 0.225 }, 0.036, 0.036 },
    /* left hind leg */
    { { -0.345, 0.085, 0.600 }, { -0.330, 0.090, 0.420 }, 0.095, 0.058 },
    { { -0.330, 0.090, 0.420 }, { -0.420, 0.090, 0.290 }, 0.052, 0.036 },
    { { -0.420, 0.090, 0.290 }, { -0.400, 0.090, 0.120 }, 0.033, 0.028 },
    { { -0.400, 0.090, 0.120 }, { -0.375, 0.090, 0.050 }, 0.030, 0.036 },
    { { -0.375, 0.090, 0.050 }, { -0.367, 0.090, 0.036 }, 0.038, 0.040 },
    /* right hind leg, a step ahead */
    { { -0.325, -0.085, 0.600 }, { -0.270, -0.090, 0.420 }, 0.095, 0.058 },
    { { -0.270, -0.090, 0.420 }, { -0.330, -0.090, 0.290 }, 0.052, 0.036 },
    { { -0.330, -0.090, 0.290 }, { -0.285, -0.090, 0.120 }, 0.033, 0.028 },
    { { -0.285, -0.090, 0.120 }, { -0.258, -0.090, 0.050 }, 0.030, 0.036 },
    { { -0.258, -0.090, 0.050 }, { -0.250, -0.090, 0.036 }, 0.038, 0.040 },
    /* tail */
    { { -0.415, 0.00, 0.735 }, { -0.510, 0.00, 0.690 }, 0.030, 0.034 },
    { { -0.510, 0.00, 0.690 }, { -0.570, 0.00, 0.540 }, 0.036, 0.038 },
    { { -0.570, 0.00, 0.540 }, { -0.575, 0.00, 0.370 }, 0.038, 0.024 },
};
enum { ROD_COUNT = sizeof rods / sizeof rods[0] };

static const double BLEND = 0.016; /* [m] k: how far joints are rounded */

/* Distance to a tapered round rod, nearly: exact where it does not taper. */
static double rod_distance(const rod *r, v3 p, v3 *gradient)
{
    v3 ab = v3_sub(r->b, r->a);
    v3 ap = v3_sub(p, r->a);
    double length2 = v3_norm2(ab);
    double t = v3_dot(ap, ab) / length2;
    bool between = t > 0.0 && t < 1.0;
    t = fmin(1.0, fmax(0.0, t));
    v3 off = v3_axpy(ap, -t, ab);
    double norm = v3_norm(off);
    double taper = r->radius_b - r->radius_a;
    *gradient = norm > 0.0 ? v3_scale(1.0 / norm, off) : v3_zero();
    if (between) {
        *gradient = v3_axpy(*gradient, -taper / length2, ab);
    }
    return norm - (r->radius_a + t * taper);
}

static double horse(v3 p, v3 *gradient)
{
    double d[ROD_COUNT];
    v3 g[ROD_COUNT];
    double nearest = HUGE_VAL;
    for (int i = 0; i < ROD_COUNT; ++i) {
        d[i] = rod_distance(&rods[i], p, &g[i]);
        nearest = fmin(nearest, d[i]);
    }
    double sum = 0.0;
    v3 weighted = v3_zero();
    for (int i = 0; i < ROD_COUNT; ++i) {
        double x = (nearest - d[i]) / BLEND;
        if (x > -36.0) { /* less adds nothing to 1 in double precision */
            double weight = exp(x);
            sum += weight;
            weighted = v3_axpy(weighted, weight, g[i]);
        }
    }
    if (gradient) {
        *gradient = v3_scale(1.0 / sum, weighted);
    }
    return nearest - BLEND * log(sum);
}

/* ---- size -------------------------------------------------------------------------------------------------------- */

enum { FEWEST = 25000 }; /* triangles: in wider cells than this takes, ears and feet are lost */

/* Cells so that tetrahedra give 0.8 of the triangles wanted; never finer than what refinement does as well. */
static double cell_for(int triangles)
{
    const double triangles_in_unit_cells = 22.7; /* [m^2] triangles times cell^2, measured; the horse has 1.6 m^2 */
    return fmax(0.006, fmin(0.03, sqrt(triangles_in_unit_cells / (0.8 * triangles))));
}

static carom_status too_few(int triangles, carom_error *err)
{
    return carom_fail(err, CAROM_BAD_INPUT, "statue: %d triangles are too few for its legs and ears; take %d or more",
                      triangles, FEWEST);
}

static carom_status extract(mesh **out, const isosurface *s, int triangles, carom_error *err)
{
    isosurface_extract(out, s);
    if (!*out || !isosurface_relax(*out, s, 6, 0.6)) {
        mesh_destroy(*out);
        *out = NULL;
        return make_no_memory(err);
    }
    if ((*out)->triangle_count > triangles || (*out)->triangle_count != 2 * (*out)->vertex_count - 4) {
        mesh_destroy(*out);
        *out = NULL;
        return too_few(triangles, err);
    }
    return CAROM_OK;
}

/* Stands on z = 0 with the height asked for. */
static void set_height(mesh *m, double height)
{
    v3 low, high;
    mesh_bounds(&low, &high, m);
    double scale = height / (high.z - low.z);
    for (int i = 0; i < m->vertex_count; ++i) {
        v3 r = m->vertices[i];
        m->vertices[i] = v3_make(scale * r.x, scale * r.y, scale * (r.z - low.z));
    }
}

static carom_status build(mesh **out, const void *params, carom_error *err)
{
    const carom_make_statue *statue = params;
    if (statue->triangles < FEWEST) {
        return too_few(statue->triangles, err);
    }
    if (statue->triangles % 2 != 0 || statue->triangles > MAKE_MOST_TRIANGLES) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "statue: triangles is %d; a closed surface has an even number, and at most %d are possible",
                          statue->triangles, MAKE_MOST_TRIANGLES);
    }
    isosurface s = { .value = horse, .steepness = 1.5, .cell = cell_for(statue->triangles) };
    s.low = v3_make(-0.75, -0.35, -0.12);
    s.high = v3_make(0.87, 0.35, 1.26);
    mesh *coarse = NULL;
    carom_status status = extract(&coarse, &s, statue->triangles, err);
    if (status != CAROM_OK) {
        return status;
    }
    int kept = coarse->vertex_count;
    status = mesh_refine(out, coarse, statue->triangles, err);
    mesh_destroy(coarse);
    if (status != CAROM_OK) {
        return status;
    }
    isosurface_project(*out, kept, &s);
    if (!isosurface_relax(*out, &s, 2, 0.5)) {
        mesh_destroy(*out);
        *out = NULL;
        return make_no_memory(err);
    }
    set_height(*out, statue->height);
    return CAROM_OK;
}

static const carom_field fields[] = {
    MAKE_LENGTH(carom_make_statue, height, CAROM_POSITIVE, "Height from the hooves to the ears."),
    MAKE_COUNT(carom_make_statue, triangles, CAROM_POSITIVE, "Exactly so many triangles; even, 25000 or more."),
    { 0 },
};

static const carom_make_statue defaults = { .height = 1.0, .triangles = 231422 };

const mesh_make_type make_statue = {
    .kind = { .name = "statue",
              .doc = "A horse lifting a foreleg, looking along x, standing on z = 0: smooth, concave, no handles.",
              .fields = fields,
              .defaults = &defaults,
              .size = sizeof(carom_make_statue) },
    .build = build,
};
