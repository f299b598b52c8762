/* Oriented boxes. Fitting: every face of the convex hull as a side of the box, with the least rectangle around the
 * shadow of the hull on it (one side of which lies along a side of the shadow) [Freeman1975]. Separating axes:
 * the three normals of each box and the nine cross products of edges [Gottschalk1996]. */
#include "geometry/obb.h"

#include <stdlib.h>

#include "geometry/hull.h"

/* ---- least rectangle around points of a plane -------------------------------------------------------------------- */

typedef struct flat_point {
    double u, v;
} flat_point;

typedef struct rectangle {
    double area;     /* [m^2] */
    flat_point side; /* unit vector along one side */
} rectangle;

static int compare_flat(const void *a, const void *b)
{
    const flat_point *p = a;
    const flat_point *q = b;
    if (p->u != q->u) {
        return p->u < q->u ? -1 : 1;
    }
    return (p->v > q->v) - (p->v < q->v);
}

static double left_turn(flat_point a, flat_point b, flat_point c)
{
    return (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
}

/* Monotone chain: sorts the points and writes their hull, counter-clockwise, to `hull` (room for 2 count). */
static int flat_hull(flat_point *points, int count, flat_point *hull)
{
    qsort(points, (size_t)count, sizeof *points, compare_flat);
    int size = 0;
    for (int pass = 0; pass < 2; ++pass) { /* lower chain, then upper chain */
        int floor = size + 1;
        for (int k = 0; k < count; ++k) {
            flat_point p = points[pass == 0 ? k : count - 1 - k];
            while (size > floor && left_turn(hull[size - 2], hull[size - 1], p) <= 0.0) {
                --size;
            }
            hull[size++] = p;
        }
        --size; /* the last point of a chain is the first of the next */
    }
    return size > 0 ? size : 1;
}

static double along(flat_point p, flat_point direction)
{
    return p.u * direction.u + p.v * direction.v;
}

/* The rectangle with a side along this direction. Walking the summits along with the side (rotating calipers) would save
 * little, shadows having few corners, and lose its way where two corners of the hull cast nearly the same shadow. */
static double rectangle_area(const flat_point *hull, int size, flat_point side)
{
    flat_point across = { -side.v, side.u };
    double low[2] = { HUGE_VAL, HUGE_VAL };
    double high[2] = { -HUGE_VAL, -HUGE_VAL };
    for (int i = 0; i < size; ++i) {
        double s = along(hull[i], side);
        double t = along(hull[i], across);
        low[0] = s < low[0] ? s : low[0];
        high[0] = s > high[0] ? s : high[0];
        low[1] = t < low[1] ? t : low[1];
        high[1] = t > high[1] ? t : high[1];
    }
    return (high[0] - low[0]) * (high[1] - low[1]);
}

static double side_length(const flat_point *hull, int size, int i, flat_point *side)
{
    flat_point a = hull[i];
    flat_point b = hull[(i + 1) % size];
    double length = sqrt((b.u - a.u) * (b.u - a.u) + (b.v - a.v) * (b.v - a.v));
    *side = length > 0.0 ? (flat_point){ (b.u - a.u) / length, (b.v - a.v) / length } : (flat_point){ 1.0, 0.0 };
    return length;
}

/* Sides that are rounding only have no direction worth trying. */
static rectangle least_rectangle(const flat_point *hull, int size)
{
    const double rounding = 1e-9; /* of the outline */
    const double better = 1.0 - 1e-9;
    rectangle least = { .area = HUGE_VAL, .side = { 1.0, 0.0 } };
    flat_point side;
    double outline = 0.0;
    for (int i = 0; i < size; ++i) {
        outline += side_length(hull, size, i, &side);
    }
    for (int i = 0; i < size; ++i) {
        if (side_length(hull, size, i, &side) > rounding * outline) {
            double area = rectangle_area(hull, size, side);
            if (area < better * least.area) {
                least = (rectangle){ area, side };
            }
        }
    }
    return least;
}

/* ---- boxes around points ----------------------------------------------------------------------------------------- */

typedef struct fit_work {
    const v3 *points; /* corners of the hull */
    int count;
    flat_point *shadow; /* count, then 2 count of the hull of the shadow */
} fit_work;

static bool fit_work_init(fit_work *w, const v3 *points, int count)
{
    *w = (fit_work){ .points = points, .count = count, .shadow = malloc((size_t)count * 3 * sizeof *w->shadow) };
    return w->shadow != NULL;
}

/* The box around all points along these axes. */
static obb box_along(m3 axes, const v3 *points, size_t count)
{
    double low[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL };
    double high[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
    for (size_t i = 0; i < count; ++i) {
        double at[3];
        v3_store(at,
                 m3_tmulv(axes, v3_sub(points[i], points[0]))); /* from a point: small boxes far away keep digits */
        for (int k = 0; k < 3; ++k) {
            low[k] = fmin(low[k], at[k]);
            high[k] = fmax(high[k], at[k]);
        }
    }
    v3 middle = v3_make(0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.5 * (low[2] + high[2]));
    return (obb){
        .center = v3_add(points[0], m3_mulv(axes, middle)),
        .axes = axes,
        .half = v3_make(0.5 * (high[0] - low[0]), 0.5 * (high[1] - low[1]), 0.5 * (high[2] - low[2])),
    };
}

/* The axes of the least box with a side across the unit normal; returns its volume (its area when flat is set). */
static double fit_across(fit_work *w, v3 normal, bool flat, m3 *axes)
{
    v3 u = v3_across(normal);
    v3 v = v3_cross(normal, u);
    double low = HUGE_VAL;
    double high = -HUGE_VAL;
    for (int i = 0; i < w->count; ++i) {
        v3 r = v3_sub(w->points[i], w->points[0]);
        w->shadow[i] = (flat_point){ v3_dot(u, r), v3_dot(v, r) };
        low = fmin(low, v3_dot(normal, r));
        high = fmax(high, v3_dot(normal, r));
    }
    flat_point *hull = w->shadow + w->count;
    rectangle least = least_rectangle(hull, flat_hull(w->shadow, w->count, hull));
    v3 side = v3_unit(v3_add(v3_scale(least.side.u, u), v3_scale(least.side.v, v)));
    *axes = m3_from_columns(side, v3_cross(normal, side), normal);
    return flat ? least.area : least.area * (high - low);
}

static double area_of(const mesh *m, int t, v3 *normal)
{
    const int *corner = m->triangles[t];
    v3 ab = v3_sub(m->vertices[corner[1]], m->vertices[corner[0]]);
    v3 ac = v3_sub(m->vertices[corner[2]], m->vertices[corner[0]]);
    v3 n = v3_cross(ab, ac);
    double twice = v3_norm(n);
    *normal = twice > 0.0 ? v3_scale(1.0 / twice, n) : v3_zero();
    return 0.5 * twice;
}

static double total_area(const mesh *m)
{
    double sum = 0.0;
    v3 normal;
    for (int t = 0; t < m->triangle_count; ++t) {
        sum += area_of(m, t, &normal);
    }
    return sum;
}

/* Faces too small to have a trustworthy normal are left out, but never all: the largest is above the mean. */
static bool best_axes(m3 *best, const mesh *hull)
{
    const double smallest = 1e-9;     /* of the surface of the hull */
    const double better = 1.0 - 1e-9; /* equal boxes: the first face decides, not the rounding */
    fit_work w;
    if (!fit_work_init(&w, hull->vertices, hull->vertex_count)) {
        return false;
    }
    double threshold = smallest * total_area(hull);
    double least = HUGE_VAL;
    for (int t = 0; t < hull->triangle_count; ++t) {
        v3 normal;
        m3 axes;
        if (area_of(hull, t, &normal) < threshold) {
            continue;
        }
        double volume = fit_across(&w, normal, false, &axes);
        if (volume < better * least) {
            least = volume;
            *best = axes;
        }
    }
    free(w.shadow);
    return true;
}

/* ---- thinning ---------------------------------------------------------------------------------------------------- */

enum { MANY_CORNERS = 700, DIRECTIONS = 300 };

/* Evenly spread over the sphere (Fibonacci's spiral). */
static v3 spread_direction(int i)
{
    const double golden_angle = 2.39996322972865332;
    double z = 1.0 - (2.0 * i + 1.0) / DIRECTIONS;
    double r = sqrt(1.0 - z * z);
    return v3_make(r * cos(golden_angle * i), r * sin(golden_angle * i), z);
}

static v3 farthest(const mesh *hull, v3 direction)
{
    int best = 0;
    for (int i = 1; i < hull->vertex_count; ++i) {
        if (v3_dot(hull->vertices[i], direction) > v3_dot(hull->vertices[best], direction)) {
            best = i;
        }
    }
    return hull->vertices[best];
}

/* A finely faceted round hull has as many corners as faces, and every pair would be looked at: its outermost corners in
 * some hundred directions stand for it. Only the axes come from them; the box is still around all points. */
static carom_status thin_hull(mesh **hull, carom_error *err)
{
    if ((*hull)->vertex_count <= MANY_CORNERS) {
        return CAROM_OK;
    }
    v3 corners[DIRECTIONS];
    for (int i = 0; i < DIRECTIONS; ++i) {
        corners[i] = farthest(*hull, spread_direction(i));
    }
    mesh *thin = NULL;
    carom_status status = hull_create(&thin, corners, DIRECTIONS, err);
    if (status != CAROM_OK) {
        return status == CAROM_BAD_INPUT ? CAROM_OK : status; /* all in a plane: so thin that it stays as it is */
    }
    mesh_destroy(*hull);
    *hull = thin;
    return CAROM_OK;
}

/* ---- flat, straight and single points ---------------------------------------------------------------------------- */

static size_t farthest_from_line(const v3 *points, size_t count, v3 direction, double *distance)
{
    size_t best = 0;
    *distance = 0.0;
    for (size_t i = 0; i < count; ++i) {
        v3 r = v3_sub(points[i], points[0]);
        double away = v3_norm(v3_sub(r, v3_scale(v3_dot(direction, r), direction)));
        if (away > *distance) {
            *distance = away;
            best = i;
        }
    }
    return best;
}

static bool fit_flat(obb *out, const v3 *points, size_t count)
{
    const double rounding = 1e-12; /* of the length: no direction across it can be told from such an offset */
    double length, width;
    v3 direction = v3_sub(points[farthest_from_line(points, count, v3_zero(), &length)], points[0]);
    if (length == 0.0) {
        *out = box_along(m3_identity(), points, count);
        return true;
    }
    direction = v3_unit(direction);
    size_t aside = farthest_from_line(points, count, direction, &width);
    v3 normal = v3_across(direction);
    m3 axes = m3_from_columns(direction, v3_cross(normal, direction), normal);
    if (width > rounding * length) {
        fit_work w;
        if (!fit_work_init(&w, points, (int)count)) {
            return false;
        }
        normal = v3_unit(v3_cross(direction, v3_sub(points[aside], points[0])));
        fit_across(&w, normal, true, &axes);
        free(w.shadow);
    }
    *out = box_along(axes, points, count);
    return true;
}

static carom_status no_memory(size_t count, carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the box around %zu points", count);
}

carom_status obb_fit(obb *out, const v3 *points, size_t count, carom_error *err)
{
    if (count == 0 || count > INT32_MAX / 4) {
        return carom_fail(err, CAROM_BAD_INPUT, "a box around %zu points: it takes at least one, at most %d", count,
                          INT32_MAX / 4);
    }
    for (size_t i = 0; i < count; ++i) {
        if (!v3_finite(points[i])) {
            return carom_fail(err, CAROM_BAD_INPUT, "a box around points: point %zu is not finite", i);
        }
    }
    mesh *hull = NULL;
    carom_status status = count < 4 ? CAROM_BAD_INPUT : hull_create(&hull, points, count, err);
    if (status == CAROM_BAD_INPUT) { /* no hull: flat */
        return fit_flat(out, points, count) ? CAROM_OK : no_memory(count, err);
    }
    m3 axes = m3_identity();
    status = status == CAROM_OK ? thin_hull(&hull, err) : status;
    if (status == CAROM_OK && !best_axes(&axes, hull)) {
        status = no_memory(count, err);
    }
    mesh_destroy(hull);
    if (status == CAROM_OK) {
        *out = box_along(axes, points, count);
    }
    return status;
}

/* ---- use --------------------------------------------------------------------------------------------------------- */

obb obb_of_plane(v3 normal)
{
    v3 u = v3_across(normal);
    return (obb){
        .axes = m3_from_columns(u, v3_cross(normal, u), normal),
        .half = v3_make(HUGE_VAL, HUGE_VAL, HUGE_VAL),
        .half_space = true,
    };
}

obb obb_move(const obb *b, carom_pose pose)
{
    return (obb){
        .center = v3_add(pose.position, q_rotate(pose.orientation, b->center)),
        .axes = m3_mul(q_matrix(pose.orientation), b->axes),
        .half = b->half,
        .half_space = b->half_space,
    };
}

/* Half the shadow of a box on a direction. */
static double half_shadow(const obb *b, v3 direction)
{
    v3 d = m3_tmulv(b->axes, direction);
    return fabs(d.x) * b->half.x + fabs(d.y) * b->half.y + fabs(d.z) * b->half.z;
}

static double gap_above(const obb *half_space, const obb *b)
{
    v3 normal = m3_column(half_space->axes, 2);
    return v3_dot(normal, v3_sub(b->center, half_space->center)) - half_shadow(b, normal);
}

static double gap_along(const obb *a, const obb *b, v3 direction)
{
    return fabs(v3_dot(direction, v3_sub(b->center, a->center))) - half_shadow(a, direction) -
           half_shadow(b, direction);
}

double obb_gap(const obb *a, const obb *b)
{
    const double parallel2 = 1e-12; /* squared sine below which two edges make no axis of their own */
    if (a->half_space || b->half_space) {
        return a->half_space && b->half_space ? -HUGE_VAL : a->half_space ? gap_above(a, b) : gap_above(b, a);
    }
    double gap = -HUGE_VAL;
    for (int i = 0; i < 3; ++i) {
        gap = fmax(gap, gap_along(a, b, m3_column(a->axes, i)));
        gap = fmax(gap, gap_along(a, b, m3_column(b->axes, i)));
    }
    for (int i = 0; i < 9; ++i) {
        v3 across = v3_cross(m3_column(a->axes, i / 3), m3_column(b->axes, i % 3));
        double length2 = v3_norm2(across);
        if (length2 > parallel2) {
            gap = fmax(gap, gap_along(a, b, v3_scale(1.0 / sqrt(length2), across)));
        }
    }
    return gap;
}

/* A half-space ends in one direction only, and only where its plane lies across an axis. */
static void half_space_bounds(v3 *low, v3 *high, const obb *b)
{
    double normal[3], center[3], from[3], to[3];
    v3_store(normal, m3_column(b->axes, 2));
    v3_store(center, b->center);
    for (int i = 0; i < 3; ++i) {
        from[i] = normal[i] == -1.0 ? center[i] : -HUGE_VAL;
        to[i] = normal[i] == 1.0 ? center[i] : HUGE_VAL;
    }
    *low = v3_load(from);
    *high = v3_load(to);
}

void obb_bounds(v3 *low, v3 *high, const obb *b)
{
    if (b->half_space) {
        half_space_bounds(low, high, b);
        return;
    }
    v3 half = v3_make(half_shadow(b, v3_make(1, 0, 0)), half_shadow(b, v3_make(0, 1, 0)),
                      half_shadow(b, v3_make(0, 0, 1)));
    *low = v3_sub(b->center, half);
    *high = v3_add(b->center, half);
}
