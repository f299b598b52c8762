/* A plate: a simple polygon in the xy plane, convex or not, as thick as told, centred on z = 0.
 *
 * With other polygons and rods in its plane it touches as the polygon: corners on sides. Against all else it is the
 * prism. Area and moments of the polygon are sums over its sides (Green's theorem), taken about its first corner so that
 * a polygon far from the origin loses no digits. */
#include "geometry/make/make.h"
#include "geometry/mesh.h"
#include "geometry/shapes/shapes.h"

#include <stdlib.h>

enum { MOST_POINTS = 2000 }; /* every side is tried against every other */

typedef struct p2 {
    double x, y;
} p2;

static int count_of(const carom_polygon_def *polygon)
{
    return (int)polygon->points.count;
}

static p2 point_of(const carom_polygon_def *polygon, int i)
{
    const carom_polygon_point *points = polygon->points.items;
    const double *at = points[i % count_of(polygon)].at.data;
    return (p2){ at[0], at[1] };
}

static p2 minus(p2 a, p2 b)
{
    return (p2){ a.x - b.x, a.y - b.y };
}

static double cross(p2 a, p2 b)
{
    return a.x * b.y - a.y * b.x;
}

static double dot(p2 a, p2 b)
{
    return a.x * b.x + a.y * b.y;
}

/* ---- checks -------------------------------------------------------------------------------------------------------- */

static carom_status check_points(const carom_polygon_def *polygon, carom_error *err)
{
    const double largest = 1e12;
    const carom_polygon_point *points = polygon->points.items;
    if (polygon->points.count < 3 || polygon->points.count > MOST_POINTS) {
        return carom_fail(err, CAROM_BAD_INPUT, "polygon: 'points' are %zu; 3 to %d are possible",
                          polygon->points.count, MOST_POINTS);
    }
    for (size_t i = 0; i < polygon->points.count; ++i) {
        const carom_reals *at = &points[i].at;
        if (at->count != 2 || !(fabs(at->data[0]) <= largest) || !(fabs(at->data[1]) <= largest)) {
            return carom_fail(err, CAROM_BAD_INPUT, "polygon: point %zu is no pair [x, y] of numbers below %g m",
                              i + 1, largest);
        }
    }
    return CAROM_OK;
}

static bool on_segment(p2 p, p2 a, p2 b)
{
    return dot(minus(p, a), minus(p, b)) <= 0.0;
}

static int sign(double x)
{
    return (x > 0.0) - (x < 0.0);
}

/* Whether the sides ab and cd have a point in common. */
static bool sides_meet(p2 a, p2 b, p2 c, p2 d)
{
    int side_c = sign(cross(minus(b, a), minus(c, a)));
    int side_d = sign(cross(minus(b, a), minus(d, a)));
    int side_a = sign(cross(minus(d, c), minus(a, c)));
    int side_b = sign(cross(minus(d, c), minus(b, c)));
    bool on = (side_c == 0 && on_segment(c, a, b)) || (side_d == 0 && on_segment(d, a, b)) ||
              (side_a == 0 && on_segment(a, c, d)) || (side_b == 0 && on_segment(b, c, d));
    return on || (side_c * side_d < 0 && side_a * side_b < 0);
}

/* Neighbouring sides share a corner and nothing else, all others share nothing. */
static bool clash(const carom_polygon_def *polygon, int i, int j)
{
    int n = count_of(polygon);
    p2 a = point_of(polygon, i), b = point_of(polygon, i + 1);
    p2 c = point_of(polygon, j), d = point_of(polygon, j + 1);
    if (j == i + 1 || (i == 0 && j == n - 1)) {
        p2 corner = j == i + 1 ? b : a;
        p2 before = j == i + 1 ? a : c;
        p2 after = j == i + 1 ? d : b;
        p2 in = minus(corner, before), out = minus(after, corner);
        return cross(in, out) == 0.0 && dot(in, out) < 0.0; /* turns back on itself */
    }
    return sides_meet(a, b, c, d);
}

static carom_status check_simple(const carom_polygon_def *polygon, carom_error *err)
{
    int n = count_of(polygon);
    for (int i = 0; i < n; ++i) {
        p2 side = minus(point_of(polygon, i + 1), point_of(polygon, i));
        if (!(dot(side, side) > 0.0)) {
            return carom_fail(err, CAROM_BAD_INPUT, "polygon: points %d and %d are the same; leave one out", i + 1,
                              (i + 1) % n + 1);
        }
    }
    for (int i = 0; i < n; ++i) {
        for (int j = i + 1; j < n; ++j) {
            if (clash(polygon, i, j)) {
                return carom_fail(err, CAROM_BAD_INPUT,
                                  "polygon: the sides after points %d and %d meet; its outline must not cross itself",
                                  i + 1, j + 1);
            }
        }
    }
    return CAROM_OK;
}

/* ---- mass ---------------------------------------------------------------------------------------------------------- */

/* Area, first and second moments about the first corner. */
typedef struct moments {
    double area, x, y, xx, yy, xy;
} moments;

static moments moments_of(const carom_polygon_def *polygon)
{
    moments m = { 0 };
    p2 origin = point_of(polygon, 0);
    for (int i = 1; i + 1 < count_of(polygon); ++i) {
        p2 a = minus(point_of(polygon, i), origin);
        p2 b = minus(point_of(polygon, i + 1), origin);
        double w = 0.5 * cross(a, b);
        m.area += w;
        m.x += w * (a.x + b.x) / 3.0;
        m.y += w * (a.y + b.y) / 3.0;
        m.xx += w * (a.x * a.x + a.x * b.x + b.x * b.x) / 6.0;
        m.yy += w * (a.y * a.y + a.y * b.y + b.y * b.y) / 6.0;
        m.xy += w * (2.0 * a.x * a.y + a.x * b.y + b.x * a.y + 2.0 * b.x * b.y) / 12.0;
    }
    return m;
}

static carom_status polygon_check(const void *params, carom_error *err)
{
    const carom_polygon_def *polygon = params;
    carom_status status = carom_shape_check_size("polygon", "thickness", polygon->thickness, err);
    status = status == CAROM_OK ? check_points(polygon, err) : status;
    status = status == CAROM_OK ? check_simple(polygon, err) : status;
    if (status == CAROM_OK && !(moments_of(polygon).area > 0.0)) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "polygon: its area is %g m^2; list its points counter-clockwise seen from +z",
                          moments_of(polygon).area);
    }
    return status;
}

static void polygon_mass(mass_properties *out, const void *params, const mesh *m)
{
    (void)m;
    const carom_polygon_def *polygon = params;
    double t = polygon->thickness;
    moments s = moments_of(polygon);
    p2 origin = point_of(polygon, 0);
    double cx = s.x / s.area;
    double cy = s.y / s.area;
    double xx = t * (s.xx - s.area * cx * cx);
    double yy = t * (s.yy - s.area * cy * cy);
    double xy = t * (s.xy - s.area * cx * cy);
    double zz = s.area * t * t * t / 12.0;
    *out = (mass_properties){
        .mass = s.area * t,
        .center = v3_make(origin.x + cx, origin.y + cy, 0.0),
        .inertia = { { yy + zz, -xy, 0.0, -xy, xx + zz, 0.0, 0.0, 0.0, xx + yy } },
    };
}

static void polygon_bounds(carom_v3 *low, carom_v3 *high, const void *params, const mesh *m)
{
    (void)m;
    const carom_polygon_def *polygon = params;
    *high = v3_make(-HUGE_VAL, -HUGE_VAL, 0.5 * polygon->thickness);
    *low = v3_make(HUGE_VAL, HUGE_VAL, -0.5 * polygon->thickness);
    for (int i = 0; i < count_of(polygon); ++i) {
        p2 p = point_of(polygon, i);
        *low = v3_make(fmin(low->x, p.x), fmin(low->y, p.y), low->z);
        *high = v3_make(fmax(high->x, p.x), fmax(high->y, p.y), high->z);
    }
}

static double polygon_area(const void *params)
{
    const carom_polygon_def *polygon = params;
    double around = 0.0;
    for (int i = 0; i < count_of(polygon); ++i) {
        p2 side = minus(point_of(polygon, i + 1), point_of(polygon, i));
        around += sqrt(dot(side, side));
    }
    return 2.0 * moments_of(polygon).area + around * polygon->thickness;
}

/* ---- distance ------------------------------------------------------------------------------------------------------ */

/* From the outline in the plane, negative inside, and its gradient. */
typedef struct flat_sample {
    double distance;
    p2 gradient;
} flat_sample;

/* Whether a ray from p along x crosses the side. */
static bool crosses(p2 p, p2 a, p2 b)
{
    return (a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x);
}

static flat_sample flat_distance(const carom_polygon_def *polygon, p2 p)
{
    double nearest2 = HUGE_VAL;
    p2 from = { 0 };
    p2 out = { 1.0, 0.0 };
    bool inside = false;
    for (int i = 0; i < count_of(polygon); ++i) {
        p2 a = point_of(polygon, i);
        p2 side = minus(point_of(polygon, i + 1), a);
        double length2 = dot(side, side);
        double s = fmax(0.0, fmin(1.0, dot(minus(p, a), side) / length2));
        p2 away = { p.x - a.x - s * side.x, p.y - a.y - s * side.y };
        inside ^= crosses(p, a, point_of(polygon, i + 1));
        if (!(dot(away, away) >= nearest2)) {
            nearest2 = dot(away, away);
            from = away;
            out = (p2){ side.y / sqrt(length2), -side.x / sqrt(length2) };
        }
    }
    double distance = sqrt(nearest2);
    double side = inside ? -1.0 : 1.0;
    if (distance > 0.0) {
        out = (p2){ side * from.x / distance, side * from.y / distance };
    }
    return (flat_sample){ side * distance, out };
}

/* In the half plane of distance from the outline and from the middle the prism is a rectangle. */
static field_sample polygon_distance(const void *params, v3 p)
{
    const carom_polygon_def *polygon = params;
    flat_sample flat = flat_distance(polygon, (p2){ p.x, p.y });
    double beyond = fabs(p.z) - 0.5 * polygon->thickness;
    double up = p.z < 0.0 ? -1.0 : 1.0;
    if (flat.distance > 0.0 && beyond > 0.0) {
        double distance = sqrt(flat.distance * flat.distance + beyond * beyond);
        double share = flat.distance / distance;
        return (field_sample){ .distance = distance,
                               .gradient = v3_make(share * flat.gradient.x, share * flat.gradient.y,
                                                   up * beyond / distance) };
    }
    return flat.distance >= beyond || isnan(flat.distance)
               ? (field_sample){ .distance = flat.distance,
                                 .gradient = v3_make(flat.gradient.x, flat.gradient.y, 0.0) }
               : (field_sample){ .distance = beyond, .gradient = v3_make(0.0, 0.0, up) };
}

/* ---- surface ------------------------------------------------------------------------------------------------------- */

static carom_status polygon_tessellate(mesh **out, const void *params, surface_grain grain, carom_error *err)
{
    const carom_polygon_def *polygon = params;
    int n = count_of(polygon);
    *out = NULL;
    double points = grain.spacing > 0.0 ? 2.0 * polygon_area(params) / (grain.spacing * grain.spacing) : 0.0;
    carom_status status = carom_shape_check_spacing("polygon", grain.spacing, points, err);
    if (status != CAROM_OK) {
        return status;
    }
    double(*flat)[2] = malloc((size_t)n * sizeof *flat);
    if (!flat) {
        return make_no_memory(err);
    }
    for (int i = 0; i < n; ++i) {
        p2 p = point_of(polygon, i);
        flat[i][0] = p.x;
        flat[i][1] = p.y;
    }
    make_prism prism = { .polygon = (const double(*)[2])flat,
                         .count = n,
                         .u = { 1.0, 0.0, 0.0 },
                         .v = { 0.0, 1.0, 0.0 },
                         .low = -0.5 * polygon->thickness,
                         .high = 0.5 * polygon->thickness };
    mesh *coarse = NULL;
    status = make_extrude(&coarse, &prism, err);
    free(flat);
    return status == CAROM_OK ? make_spaced(out, coarse, grain.spacing, err) : status;
}

static int polygon_outline(v3 *out, int capacity, const void *params)
{
    const carom_polygon_def *polygon = params;
    int n = count_of(polygon);
    for (int i = 0; i < n && i < capacity; ++i) {
        p2 p = point_of(polygon, i);
        out[i] = v3_make(p.x, p.y, 0.0);
    }
    return n;
}

static void polygon_skeleton(shape_skeleton *out, const void *params)
{
    *out = (shape_skeleton){ .planar = true,
                             .planar_normal = { 0.0, 0.0, 1.0 },
                             .planar_half = 0.5 * ((const carom_polygon_def *)params)->thickness };
}

static const carom_field point_fields[] = {
    { .name = "at",
      .kind = CAROM_FIELD_REALS,
      .offset = offsetof(carom_polygon_point, at),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_REQUIRED | CAROM_SHORTHAND,
      .doc = "Coordinates x and y of a corner.",
      .min_count = 2,
      .max_count = 2 },
    { 0 },
};

static const carom_polygon_point point_defaults;

static const carom_field polygon_fields[] = {
    { .name = "points",
      .kind = CAROM_FIELD_LIST,
      .offset = offsetof(carom_polygon_def, points),
      .flags = CAROM_REQUIRED,
      .doc = "Corners [x, y], counter-clockwise seen from +z; the outline must not cross itself.",
      .fields = point_fields,
      .item_defaults = &point_defaults,
      .size = sizeof(carom_polygon_point),
      .min_count = 3,
      .max_count = MOST_POINTS },
    { .name = "thickness",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_polygon_def, thickness),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_REQUIRED | CAROM_POSITIVE,
      .doc = "Thickness along z, half of it to each side of the xy plane." },
    { 0 },
};

static const carom_polygon_def polygon_defaults;

const carom_shape_type carom_shape_polygon = {
    .kind = { .name = "polygon",
              .doc =
                  "A plate in its xy plane bounded by straight sides. With rods and other polygons in that plane it "
                  "touches by corners and sides.",
              .fields = polygon_fields,
              .defaults = &polygon_defaults,
              .size = sizeof(carom_polygon_def) },
    .solid = true,
    .check = polygon_check,
    .mass = polygon_mass,
    .bounds = polygon_bounds,
    .area = polygon_area,
    .distance = polygon_distance,
    .tessellate = polygon_tessellate,
    .skeleton = polygon_skeleton,
    .outline = polygon_outline,
};
