/* A torus about the z axis, centred on its origin: a circle in the xy plane, thickened by a tube thinner than its radius. */
#include "geometry/mesh.h"
#include "geometry/shapes/shapes.h"

static carom_status torus_check(const void *params, carom_error *err)
{
    const carom_torus_def *torus = params;
    carom_status status = carom_shape_check_size("torus", "ring_radius", torus->ring_radius, err);
    status = status == CAROM_OK ? carom_shape_check_size("torus", "tube_radius", torus->tube_radius, err) : status;
    if (status == CAROM_OK && torus->tube_radius >= torus->ring_radius) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "torus: tube_radius is %g m and ring_radius %g m; the tube must be thinner than the ring",
                          torus->tube_radius, torus->ring_radius);
    }
    return status;
}

/* By Pappus: the tube's section, an area pi r^2 with moments pi r^4 / 4, turns about the axis. */
static void torus_mass(mass_properties *out, const void *params, const mesh *m)
{
    (void)m;
    const carom_torus_def *torus = params;
    double R2 = torus->ring_radius * torus->ring_radius;
    double r2 = torus->tube_radius * torus->tube_radius;
    double volume = 2.0 * PI * PI * torus->ring_radius * r2;
    double across = volume * (0.5 * R2 + 0.625 * r2);
    *out = (mass_properties){ .mass = volume, .inertia = m3_diag(across, across, volume * (R2 + 0.75 * r2)) };
}

static void torus_bounds(carom_v3 *low, carom_v3 *high, const void *params, const mesh *m)
{
    (void)m;
    const carom_torus_def *torus = params;
    double outer = torus->ring_radius + torus->tube_radius;
    *high = v3_make(outer, outer, torus->tube_radius);
    *low = v3_neg(*high);
}

static double torus_area(const void *params)
{
    const carom_torus_def *torus = params;
    return 4.0 * PI * PI * torus->ring_radius * torus->tube_radius;
}

/* To the nearest point of the circle, less the radius of the tube. */
static field_sample torus_distance(const void *params, v3 p)
{
    const carom_torus_def *torus = params;
    v3 radial;
    plane_point q = carom_shape_half_plane(p, &radial);
    double x = q.rho - torus->ring_radius;
    double length = sqrt(x * x + q.z * q.z);
    plane_point out = length > 0.0 ? (plane_point){ x / length, q.z / length } : (plane_point){ 1.0, 0.0 };
    return carom_shape_round_sample(length - torus->tube_radius, out, radial);
}

/* ---- surface ------------------------------------------------------------------------------------------------------- */

typedef struct torus_grid {
    int along, around; /* points on the ring, on the tube */
} torus_grid;

/* Points of a circle no further apart than a step; divisible by four. */
static double points_of(double radius, double step)
{
    return 4.0 * fmax(1.0, ceil(0.5 * PI * radius / step - 1e-9));
}

/* As dense around the tube as along the ring; where no spacing is given, at least half as many. */
static carom_status choose_grid(torus_grid *out, const carom_torus_def *torus, surface_grain grain, carom_error *err)
{
    enum { ALONG = 16, AROUND = 8 }; /* as coarse as may be */
    double outer = torus->ring_radius + torus->tube_radius;
    double coarse = 2.0 * PI * outer / (grain.around > 0 ? grain.around : ALONG);
    double step = grain.spacing > 0.0 ? fmin(grain.spacing, coarse) : coarse;
    double along = points_of(outer, step);
    double fewest = grain.spacing > 0.0 ? AROUND : 4.0 * ceil(0.125 * along);
    double around = fmax(points_of(torus->tube_radius, step), fewest);
    carom_status status = carom_shape_check_spacing("torus", grain.spacing, along * around, err);
    if (status == CAROM_OK) {
        *out = (torus_grid){ (int)along, (int)around };
    }
    return status;
}

static v3 grid_point(const carom_torus_def *torus, torus_grid g, int i, int k)
{
    double u = 2.0 * PI * i / g.along;
    double v = 2.0 * PI * k / g.around;
    double rho = torus->ring_radius + torus->tube_radius * cos(v);
    return v3_make(rho * cos(u), rho * sin(u), torus->tube_radius * sin(v));
}

static void put(mesh *m, int *count, int a, int b, int c)
{
    int *t = m->triangles[(*count)++];
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

static carom_status torus_tessellate(mesh **out, const void *params, surface_grain grain, carom_error *err)
{
    const carom_torus_def *torus = params;
    torus_grid g;
    carom_status status = choose_grid(&g, torus, grain, err);
    if (status != CAROM_OK) {
        return status;
    }
    *out = mesh_create(g.along * g.around, 2 * g.along * g.around);
    if (!*out) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the surface of a torus");
    }
    int count = 0;
    for (int i = 0; i < g.along; ++i) {
        int next = (i + 1) % g.along;
        for (int k = 0; k < g.around; ++k) {
            int up = (k + 1) % g.around;
            (*out)->vertices[i * g.around + k] = grid_point(torus, g, i, k);
            put(*out, &count, i * g.around + k, next * g.around + k, next * g.around + up);
            put(*out, &count, i * g.around + k, next * g.around + up, i * g.around + up);
        }
    }
    return CAROM_OK;
}

static void torus_skeleton(shape_skeleton *out, const void *params)
{
    const carom_torus_def *torus = params;
    *out = (shape_skeleton){ .hoop = torus->ring_radius, .rounding = torus->tube_radius };
}

static const carom_field torus_fields[] = {
    { .name = "ring_radius",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_torus_def, ring_radius),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_REQUIRED | CAROM_POSITIVE,
      .doc = "Radius of the circle in the middle of the tube." },
    { .name = "tube_radius",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_torus_def, tube_radius),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_REQUIRED | CAROM_POSITIVE,
      .doc = "Radius of the tube, smaller than that of the ring." },
    { 0 },
};

static const carom_torus_def torus_defaults;

const carom_shape_type carom_shape_torus = {
    .kind = { .name = "torus",
              .doc = "A ring with a round section, about its z axis, centred on its origin.",
              .fields = torus_fields,
              .defaults = &torus_defaults,
              .size = sizeof(carom_torus_def) },
    .solid = true,
    .check = torus_check,
    .mass = torus_mass,
    .bounds = torus_bounds,
    .area = torus_area,
    .distance = torus_distance,
    .tessellate = torus_tessellate,
    .skeleton = torus_skeleton,
};
