/* From a shape to the features it is detected by: balls where the shape is made of them, else the vertices, edges or
 * triangles of its surface, sampled as finely as asked. Areas: a third of every triangle to each of its vertices, or to
 * each of its edges; the shares of a primitive are scaled to add up to its own area, not that of its chords. */
#include "collision/collider_features.h"

#include <stdlib.h>

#include "collision/key_sort.h"
#include "geometry/mesh_refine.h"

static const double POINTS_ALONG = 8.0;       /* per longest edge, unless told */
static const double MOST_POINTS_ALONG = 64.0; /* of a thin mesh */
static const double SMALLEST_SPACING = 1e-6;  /* of the longest edge of a mesh */
enum { MOST_BALLS = 10000000 };

/* Features by their own index, before they are put in the order of the tree. */
typedef struct raw_features {
    int count;
    int corner_count; /* per feature: 0, 2, 3 */
    feature_ball *balls;
    double *areas;
    v3 *corners;
} raw_features;

static void raw_free(raw_features *raw)
{
    free(raw->balls);
    free(raw->areas);
    free(raw->corners);
    *raw = (raw_features){ 0 };
}

static bool raw_allocate(raw_features *raw, int count, int corner_count)
{
    size_t n = (size_t)count + 1; /* + 1: calloc(0) may be NULL */
    *raw = (raw_features){
        .count = count,
        .corner_count = corner_count,
        .balls = calloc(n, sizeof *raw->balls),
        .areas = calloc(n, sizeof *raw->areas),
        .corners = corner_count > 0 ? calloc(n * (size_t)corner_count, sizeof *raw->corners) : NULL,
    };
    if (!raw->balls || !raw->areas || (corner_count > 0 && !raw->corners)) {
        raw_free(raw);
        return false;
    }
    return true;
}

static carom_status no_memory(int count, carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "out of memory for %d features of a surface", count);
}

/* ---- vertices ------------------------------------------------------------------------------------------------------ */

static double triangle_area(const mesh *m, int t)
{
    v3 a = m->vertices[m->triangles[t][0]];
    v3 ab = v3_sub(m->vertices[m->triangles[t][1]], a);
    v3 ac = v3_sub(m->vertices[m->triangles[t][2]], a);
    return 0.5 * v3_norm(v3_cross(ab, ac));
}

static bool take_points(raw_features *raw, const mesh *m)
{
    if (!raw_allocate(raw, m->vertex_count, 0)) {
        return false;
    }
    for (int i = 0; i < m->vertex_count; ++i) {
        raw->balls[i].center = m->vertices[i];
    }
    for (int t = 0; t < m->triangle_count; ++t) {
        double third = triangle_area(m, t) / 3.0;
        for (int k = 0; k < 3; ++k) {
            raw->areas[m->triangles[t][k]] += third;
        }
    }
    return true;
}

/* ---- edges, ascending by their vertices ---------------------------------------------------------------------------- */

static void list_half_edges(const mesh *m, keyed *edges)
{
    for (int t = 0; t < m->triangle_count; ++t) {
        for (int k = 0; k < 3; ++k) {
            uint64_t a = (uint64_t)m->triangles[t][k];
            uint64_t b = (uint64_t)m->triangles[t][(k + 1) % 3];
            edges[3 * t + k] = (keyed){ .key = a < b ? a << 32 | b : b << 32 | a, .value = t };
        }
    }
}

static int count_edges(const keyed *edges, size_t count)
{
    int different = 0;
    for (size_t i = 0; i < count; ++i) {
        different += i == 0 || edges[i].key != edges[i - 1].key;
    }
    return different;
}

static feature_ball ball_of_segment(v3 a, v3 b)
{
    return (feature_ball){ .center = v3_scale(0.5, v3_add(a, b)), .radius = 0.5 * v3_norm(v3_sub(b, a)) };
}

static void fill_edges(raw_features *raw, const mesh *m, const keyed *edges, size_t count)
{
    int at = -1;
    for (size_t i = 0; i < count; ++i) {
        if (i == 0 || edges[i].key != edges[i - 1].key) {
            ++at;
            v3 a = m->vertices[edges[i].key >> 32];
            v3 b = m->vertices[edges[i].key & UINT32_MAX];
            raw->corners[2 * at] = a;
            raw->corners[2 * at + 1] = b;
            raw->balls[at] = ball_of_segment(a, b);
        }
        raw->areas[at] += triangle_area(m, (int)edges[i].value) / 3.0;
    }
}

static bool take_edges(raw_features *raw, const mesh *m)
{
    size_t count = 3 * (size_t)m->triangle_count;
    keyed *edges = malloc(2 * count * sizeof *edges);
    bool ok = edges != NULL;
    if (ok) {
        list_half_edges(m, edges);
        key_sort(edges, edges + count, count);
        ok = raw_allocate(raw, count_edges(edges, count), 2);
    }
    if (ok) {
        fill_edges(raw, m, edges, count);
    }
    free(edges);
    return ok;
}

/* ---- triangles ------------------------------------------------------------------------------------------------------ */

/* The smallest ball: on the longest edge when the angle across it is not acute, else through the corners. */
static feature_ball ball_of_triangle(v3 a, v3 b, v3 c)
{
    const v3 p[3] = { a, b, c };
    for (int k = 0; k < 3; ++k) {
        v3 u = v3_sub(p[(k + 1) % 3], p[k]);
        v3 v = v3_sub(p[(k + 2) % 3], p[k]);
        if (v3_dot(u, v) <= 0.0) {
            return ball_of_segment(p[(k + 1) % 3], p[(k + 2) % 3]);
        }
    }
    v3 ab = v3_sub(b, a);
    v3 ac = v3_sub(c, a);
    v3 n = v3_cross(ab, ac);
    v3 to_center = v3_scale(0.5 / v3_norm2(n),
                            v3_add(v3_scale(v3_norm2(ac), v3_cross(n, ab)), v3_scale(v3_norm2(ab), v3_cross(ac, n))));
    if (!v3_finite(to_center)) { /* no area: a needle whose angles all look acute */
        return (feature_ball){ .center = a, .radius = fmax(v3_norm(ab), v3_norm(ac)) };
    }
    return (feature_ball){ .center = v3_add(a, to_center), .radius = v3_norm(to_center) * (1.0 + 1e-12) };
}

static bool take_faces(raw_features *raw, const mesh *m)
{
    if (!raw_allocate(raw, m->triangle_count, 3)) {
        return false;
    }
    for (int t = 0; t < m->triangle_count; ++t) {
        v3 *corner = raw->corners + 3 * (size_t)t;
        for (int k = 0; k < 3; ++k) {
            corner[k] = m->vertices[m->triangles[t][k]];
        }
        raw->balls[t] = ball_of_triangle(corner[0], corner[1], corner[2]);
        raw->areas[t] = triangle_area(m, t);
    }
    return true;
}

/* ---- surfaces ------------------------------------------------------------------------------------------------------- */

static carom_status take_surface(raw_features *raw, const mesh *m, int kind, carom_error *err)
{
    bool ok = kind == FEATURES_EDGES   ? take_edges(raw, m)
              : kind == FEATURES_FACES ? take_faces(raw, m)
                                       : take_points(raw, m);
    return ok ? CAROM_OK : no_memory(m->vertex_count, err);
}

static void scale_areas(raw_features *raw, double total)
{
    double sum = 0.0;
    for (int i = 0; i < raw->count; ++i) {
        sum += raw->areas[i];
    }
    for (int i = 0; i < raw->count && sum > 0.0; ++i) {
        raw->areas[i] *= total / sum;
    }
}

static double longest_extent(const carom_shape_type *type, const void *params, const mesh *m)
{
    v3 low, high;
    type->bounds(&low, &high, params, m);
    return fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
}

static carom_status take_primitive(raw_features *raw, const carom_shape_type *type, const void *params,
                                   const collider_options *options, carom_error *err)
{
    mesh *surface = NULL;
    double spacing = options->spacing > 0.0 ? options->spacing : longest_extent(type, params, NULL) / POINTS_ALONG;
    carom_status status = type->tessellate(&surface, params, (surface_grain){ .spacing = spacing }, err);
    if (status == CAROM_OK) {
        status = take_surface(raw, surface, options->features, err);
    }
    if (status == CAROM_OK) {
        scale_areas(raw, type->area(params));
    }
    mesh_destroy(surface);
    return status;
}

/* Points of a coarse mesh: as many along its longest edge as other shapes have, and one in the middle of its thickness,
 * where two parts of equal width meet; but no more than makes sense for a sheet. */
static double mesh_spacing(const carom_shape_type *type, const void *params, const mesh *m)
{
    v3 low, high;
    type->bounds(&low, &high, params, m);
    v3 size = v3_sub(high, low);
    double longest = fmax(size.x, fmax(size.y, size.z));
    double shortest = fmin(size.x, fmin(size.y, size.z));
    return fmax(longest / MOST_POINTS_ALONG, fmin(longest / POINTS_ALONG, 0.5 * shortest));
}

static double longest_edge(const mesh *m)
{
    double longest2 = 0.0;
    for (int t = 0; t < m->triangle_count; ++t) {
        for (int k = 0; k < 3; ++k) {
            v3 edge = v3_sub(m->vertices[m->triangles[t][(k + 1) % 3]], m->vertices[m->triangles[t][k]]);
            longest2 = fmax(longest2, v3_norm2(edge));
        }
    }
    return sqrt(longest2);
}

static carom_status take_mesh(raw_features *raw, const carom_shape_type *type, const void *params, const mesh *m,
                              const collider_options *options, carom_error *err)
{
    double extent = longest_extent(type, params, m);
    double spacing = options->spacing > 0.0 ? options->spacing : mesh_spacing(type, params, m);
    bool as_it_is = options->spacing == 0.0 && (options->features != FEATURES_POINTS || longest_edge(m) <= spacing);
    if (as_it_is) {
        return take_surface(raw, m, options->features, err);
    }
    if (spacing < SMALLEST_SPACING * extent) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "mesh: a spacing of points of %g m on a part of %g m; use %.1g m or more", spacing, extent,
                          SMALLEST_SPACING * extent);
    }
    mesh *fine = NULL;
    carom_status status = mesh_refine_edges(&fine, m, spacing, err);
    if (status == CAROM_OK) {
        status = take_surface(raw, fine, options->features, err);
    }
    mesh_destroy(fine);
    return status;
}

/* ---- balls ---------------------------------------------------------------------------------------------------------- */

static carom_status take_balls(raw_features *raw, const carom_shape_type *type, const void *params, double spacing,
                               carom_error *err)
{
    int count = type->balls(NULL, 0, params, spacing);
    if (count > MOST_BALLS) {
        return carom_fail(err, CAROM_BAD_INPUT, "%s: a spacing of %g m makes more than %d balls; use a larger one",
                          type->kind.name, spacing, MOST_BALLS);
    }
    shape_ball *balls = malloc((size_t)count * sizeof *balls);
    bool ok = balls && raw_allocate(raw, count, 0);
    if (ok) {
        type->balls(balls, count, params, spacing);
        for (int i = 0; i < count; ++i) {
            raw->balls[i] = (feature_ball){ balls[i].center, balls[i].radius };
            raw->areas[i] = balls[i].area;
        }
    }
    free(balls);
    return ok ? CAROM_OK : no_memory(count, err);
}

/* ---- in the order of the tree --------------------------------------------------------------------------------------- */

static bool allocate_features(surface_features *f, const raw_features *raw)
{
    size_t n = (size_t)f->count + 1;
    bool has_radii = f->balls || raw->corner_count > 0;
    f->centers = malloc(n * sizeof *f->centers);
    f->areas = malloc(n * sizeof *f->areas);
    f->places = malloc(n * sizeof *f->places);
    f->radii = has_radii ? malloc(n * sizeof *f->radii) : NULL;
    f->corners = raw->corner_count > 0 ? malloc(n * (size_t)raw->corner_count * sizeof *f->corners) : NULL;
    return f->centers && f->areas && f->places && (f->radii || !has_radii) && (f->corners || raw->corner_count == 0);
}

static void arrange_features(surface_features *f, const raw_features *raw)
{
    for (int place = 0; place < f->count; ++place) {
        int i = f->tree.order[place];
        f->places[i] = place;
        f->centers[place] = raw->balls[i].center;
        f->areas[place] = raw->areas[i];
        if (f->radii) {
            f->radii[place] = raw->balls[i].radius;
        }
        for (int k = 0; k < raw->corner_count; ++k) {
            f->corners[raw->corner_count * (size_t)place + (size_t)k] =
                raw->corners[raw->corner_count * (size_t)i + (size_t)k];
        }
    }
}

static carom_status take_features(raw_features *raw, surface_features *f, const carom_shape_type *type,
                                  const void *params, const mesh *m, const collider_options *options,
                                  carom_error *err)
{
    if (type->balls && type->balls(NULL, 0, params, options->spacing) > 0) {
        f->balls = true;
        f->kind = FEATURES_POINTS;
        return take_balls(raw, type, params, options->spacing, err);
    }
    return type->tessellate ? take_primitive(raw, type, params, options, err)
                            : take_mesh(raw, type, params, m, options, err);
}

carom_status surface_features_create(surface_features *out, const carom_shape_type *type, const void *params,
                                     const mesh *m, const collider_options *options, carom_error *err)
{
    raw_features raw = { 0 };
    *out = (surface_features){ .kind = options->features };
    if (shape_is_half_space(type)) {
        return CAROM_OK;
    }
    carom_status status = take_features(&raw, out, type, params, m, options, err);
    if (status == CAROM_OK) {
        out->count = raw.count;
        if (feature_tree_build(&out->tree, raw.balls, raw.count) && allocate_features(out, &raw)) {
            arrange_features(out, &raw);
        } else {
            status = no_memory(raw.count, err);
        }
    }
    raw_free(&raw);
    if (status != CAROM_OK) {
        surface_features_free(out);
    }
    return status;
}

void surface_features_free(surface_features *f)
{
    feature_tree_free(&f->tree);
    free(f->centers);
    free(f->radii);
    free(f->areas);
    free(f->corners);
    free(f->places);
    *f = (surface_features){ 0 };
}
