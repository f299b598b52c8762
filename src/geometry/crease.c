/* Corners of triangles are joined across the smooth edges between them; each set of joined corners becomes one vertex,
 * whose normal is the sum of its faces' normals weighted by their angles there [Thuermer1998]. So a box keeps its edges, a ball has none, and a cylinder has two. */
#include "geometry/crease.h"

#include <limits.h>
#include <stdlib.h>

#include "base/union_find.h"
#include "math/vec3.h"

typedef struct half_edge {
    int32_t low, high; /* its vertices */
    uint32_t at_low;   /* corners of the triangle at these */
    uint32_t at_high;
} half_edge;

typedef struct crease_work {
    const carom_surface *surface;
    v3 *normal;  /* of each triangle; zero: it has none */
    int *parent; /* of each corner, 3 t + k: sets of joined ones */
    half_edge *edges;
    size_t edge_count;
    size_t sharp_count; /* of edges, once they have been joined */
} crease_work;

static int32_t corner_vertex(const carom_surface *surface, size_t corner)
{
    return surface->triangles[corner];
}

static v3 vertex_at(const carom_surface *surface, int32_t vertex)
{
    return v3_load(surface->vertices + 3 * (size_t)vertex);
}

/* Within what single precision can hold. */
static bool is_drawable(v3 r)
{
    return fabs(r.x) < 1e38 && fabs(r.y) < 1e38 && fabs(r.z) < 1e38;
}

static v3 face_normal(const carom_surface *surface, size_t t)
{
    v3 a = vertex_at(surface, corner_vertex(surface, 3 * t));
    v3 b = vertex_at(surface, corner_vertex(surface, 3 * t + 1));
    v3 c = vertex_at(surface, corner_vertex(surface, 3 * t + 2));
    v3 n = v3_cross(v3_sub(b, a), v3_sub(c, a));
    double length = v3_norm(n);
    bool drawable = is_drawable(a) && is_drawable(b) && is_drawable(c);
    return drawable && length > 1e-300 && isfinite(length) ? v3_scale(1.0 / length, n) : v3_zero();
}

/* ---- joining corners ----------------------------------------------------------------------------------------------- */

static int compare_edges(const void *one, const void *two)
{
    const half_edge *a = one;
    const half_edge *b = two;
    if (a->low != b->low) {
        return a->low < b->low ? -1 : 1;
    }
    if (a->high != b->high) {
        return a->high < b->high ? -1 : 1;
    }
    return a->at_low < b->at_low ? -1 : a->at_low > b->at_low;
}

static void list_edges(crease_work *w)
{
    for (size_t t = 0; t < w->surface->triangle_count; ++t) {
        for (size_t k = 0; k < 3 && v3_norm2(w->normal[t]) > 0.0; ++k) {
            uint32_t from = (uint32_t)(3 * t + k);
            uint32_t to = (uint32_t)(3 * t + (k + 1) % 3);
            int32_t a = corner_vertex(w->surface, from);
            int32_t b = corner_vertex(w->surface, to);
            w->edges[w->edge_count++] = a < b ? (half_edge){ a, b, from, to } : (half_edge){ b, a, to, from };
        }
    }
    qsort(w->edges, w->edge_count, sizeof *w->edges, compare_edges);
}

static bool same_edge(const half_edge *a, const half_edge *b)
{
    return a->low == b->low && a->high == b->high;
}

/* Where more than two triangles meet in an edge no pair belongs together: it stays sharp. */
static void join_smooth_edges(crease_work *w, double least)
{
    for (size_t begin = 0, end; begin < w->edge_count; begin = end) {
        for (end = begin + 1; end < w->edge_count && same_edge(&w->edges[begin], &w->edges[end]);) {
            ++end;
        }
        const half_edge *a = &w->edges[begin];
        const half_edge *b = a + 1;
        if (end - begin == 2 && v3_dot(w->normal[a->at_low / 3], w->normal[b->at_low / 3]) > least) {
            set_unite(w->parent, (int)a->at_low, (int)b->at_low);
            set_unite(w->parent, (int)a->at_high, (int)b->at_high);
        } else {
            w->edges[w->sharp_count++] = *a; /* behind what is still to be read, or in its place */
        }
    }
}

/* ---- vertices ------------------------------------------------------------------------------------------------------ */

/* The angle whose tangent is y/x, y >= 0, to 1e-5 rad: enough for a weight [AbramowitzStegun1964] 4.4.49. */
static double rough_angle(double y, double x)
{
    const double half_turn = 3.14159265358979323846;
    double large = fmax(y, fabs(x));
    double t = large > 0.0 ? fmin(y, fabs(x)) / large : 0.0, t2 = t * t;
    double angle = t * (0.9998660 + t2 * (-0.3302995 + t2 * (0.1801410 + t2 * (-0.0851330 + t2 * 0.0208351))));
    angle = y > fabs(x) ? 0.5 * half_turn - angle : angle;
    return x < 0.0 ? half_turn - angle : angle;
}

static double corner_angle(const carom_surface *surface, size_t corner)
{
    size_t t = corner / 3;
    v3 at = vertex_at(surface, corner_vertex(surface, corner));
    v3 ab = v3_sub(vertex_at(surface, corner_vertex(surface, 3 * t + (corner + 1) % 3)), at);
    v3 ac = v3_sub(vertex_at(surface, corner_vertex(surface, 3 * t + (corner + 2) % 3)), at);
    return rough_angle(v3_norm(v3_cross(ab, ac)), v3_dot(ab, ac));
}

static void put_floats(float *out, v3 r)
{
    out[0] = (float)r.x;
    out[1] = (float)r.y;
    out[2] = (float)r.z;
}

/* Roots come before the corners they lead, so each vertex is begun by its root; `vertex` of a root is its number. */
static void number_vertices(const crease_work *w, uint32_t *vertex, v3 *sum, crease_surface *out)
{
    for (size_t corner = 0; corner < 3 * w->surface->triangle_count; ++corner) {
        v3 normal = w->normal[corner / 3];
        if (v3_norm2(normal) == 0.0) {
            continue;
        }
        size_t root = (size_t)set_root(w->parent, (int)corner);
        if (root == corner) {
            vertex[root] = (uint32_t)out->vertex_count++;
            out->source[vertex[root]] = (uint32_t)corner_vertex(w->surface, corner);
            put_floats(out->positions + 3 * (size_t)vertex[root],
                       vertex_at(w->surface, corner_vertex(w->surface, corner)));
        }
        vertex[corner] = vertex[root];
        sum[vertex[root]] = v3_axpy(sum[vertex[root]], corner_angle(w->surface, corner), normal);
        out->triangles[3 * out->triangle_count + corner % 3] = vertex[corner];
        out->triangle_count += corner % 3 == 2;
    }
}

/* Faces that fold back on each other may sum up to nothing: then any of them serves. */
static void put_normals(const crease_work *w, const uint32_t *vertex, const v3 *sum, crease_surface *out)
{
    for (size_t corner = 0; corner < 3 * w->surface->triangle_count; ++corner) {
        v3 normal = w->normal[corner / 3];
        if (v3_norm2(normal) > 0.0) {
            v3 total = sum[vertex[corner]];
            put_floats(out->normals + 3 * (size_t)vertex[corner],
                       v3_norm(total) > 1e-9 ? v3_unit(total) : w->normal[set_root(w->parent, (int)corner) / 3]);
        }
    }
}

static void put_edges(const crease_work *w, const uint32_t *vertex, crease_surface *out)
{
    for (size_t i = 0; i < w->sharp_count; ++i) {
        out->edges[2 * i] = vertex[w->edges[i].at_low];
        out->edges[2 * i + 1] = vertex[w->edges[i].at_high];
    }
    out->edge_count = w->sharp_count;
}

bool crease_split(const carom_surface *surface, double cosine, carom_arena *arena, crease_surface *out)
{
    size_t corners = 3 * surface->triangle_count;
    carom_arena scratch = { 0 };
    crease_work w = { .surface = surface };
    w.normal = CAROM_ARENA_ARRAY(&scratch, v3, surface->triangle_count + 1);
    w.parent = CAROM_ARENA_ARRAY(&scratch, int, corners + 1);
    w.edges = CAROM_ARENA_ARRAY(&scratch, half_edge, corners + 1);
    uint32_t *vertex = CAROM_ARENA_ARRAY(&scratch, uint32_t, corners + 1);
    v3 *sum = CAROM_ARENA_ARRAY(&scratch, v3, corners + 1);
    *out = (crease_surface){ 0 };
    out->positions = CAROM_ARENA_ARRAY(arena, float, 3 * corners + 1);
    out->normals = CAROM_ARENA_ARRAY(arena, float, 3 * corners + 1);
    out->triangles = CAROM_ARENA_ARRAY(arena, uint32_t, corners + 1);
    out->source = CAROM_ARENA_ARRAY(arena, uint32_t, corners + 1);
    out->edges = CAROM_ARENA_ARRAY(arena, uint32_t, 2 * corners + 1);
    bool ok = !scratch.failed && !arena->failed && corners < INT_MAX;
    if (ok) {
        for (size_t t = 0; t < surface->triangle_count; ++t) {
            w.normal[t] = face_normal(surface, t);
        }
        for (size_t i = 0; i < corners; ++i) {
            w.parent[i] = (int)i;
        }
        list_edges(&w);
        join_smooth_edges(&w, cosine);
        number_vertices(&w, vertex, sum, out);
        put_normals(&w, vertex, sum, out);
        put_edges(&w, vertex, out);
    }
    carom_arena_free(&scratch);
    return ok;
}
