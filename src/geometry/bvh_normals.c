/* Pseudonormals: of a face its normal, of an edge the sum over its faces, of a corner the sum over its faces weighted by
 * their angles there. The side of a point is the sign of its offset from the nearest point along the pseudonormal of
 * the feature hit [Baerentzen2005].
 *
 * A triangle without area has no normal of its own. It is what is left of its neighbour across the longest edge when a
 * vertex of the other side lies on that edge, so it takes the neighbour's. */
#include "geometry/bvh_tree.h"

#include <stdlib.h>

/* One triangle's edge in the list of its smaller vertex. */
typedef struct half_edge {
    int other; /* the larger vertex */
    int side;  /* 3 triangle + number of the edge */
} half_edge;

typedef struct half_edges {
    int *start; /* start[v] .. start[v + 1]: those with smaller vertex v */
    half_edge *list;
} half_edges;

static int smaller(const int corner[3], int k, int *larger)
{
    int from = corner[k];
    int to = corner[(k + 1) % 3];
    *larger = from < to ? to : from;
    return from < to ? from : to;
}

static void group_half_edges(const mesh *m, half_edges *h)
{
    int larger;
    for (int i = 0; i < 3 * m->triangle_count; ++i) {
        ++h->start[smaller(m->triangles[i / 3], i % 3, &larger) + 2];
    }
    for (int v = 0; v < m->vertex_count; ++v) {
        h->start[v + 2] += h->start[v + 1];
    }
    for (int i = 0; i < 3 * m->triangle_count; ++i) {
        int v = smaller(m->triangles[i / 3], i % 3, &larger);
        h->list[h->start[v + 1]++] = (half_edge){ larger, i };
    }
}

static int compare_half_edges(const void *a, const void *b)
{
    const half_edge *x = a;
    const half_edge *y = b;
    return x->other != y->other ? (x->other > y->other) - (x->other < y->other)
                                : (x->side > y->side) - (x->side < y->side);
}

static void sort_half_edges(half_edge *list, int count)
{
    enum { FEW = 24 }; /* nearly every vertex; a hub with thousands of edges must not cost their square */
    if (count > FEW) {
        qsort(list, (size_t)count, sizeof *list, compare_half_edges);
        return;
    }
    for (int i = 1; i < count; ++i) {
        half_edge e = list[i];
        int j = i;
        for (; j > 0 && list[j - 1].other > e.other; --j) { /* stable: sides stay ascending */
            list[j] = list[j - 1];
        }
        list[j] = e;
    }
}

/* Numbers the edges; returns how many there are. */
static int number_edges(bvh *t, half_edges *h)
{
    int edge = -1;
    for (int v = 0; v < t->mesh->vertex_count; ++v) {
        half_edge *list = h->list + h->start[v];
        int count = h->start[v + 1] - h->start[v];
        sort_half_edges(list, count);
        for (int i = 0; i < count; ++i) {
            edge += i == 0 || list[i].other != list[i - 1].other;
            t->edges[list[i].side / 3][list[i].side % 3] = edge;
        }
    }
    return edge + 1;
}

static carom_status find_edges(bvh *t, int *edge_count, carom_error *err)
{
    size_t side_count = 3 * (size_t)t->mesh->triangle_count;
    half_edges h = { .start = calloc((size_t)t->mesh->vertex_count + 2, sizeof *h.start),
                     .list = malloc(side_count * sizeof *h.list) };
    carom_status status = CAROM_OK;
    if (h.start && h.list) {
        group_half_edges(t->mesh, &h);
        *edge_count = number_edges(t, &h);
    } else {
        status = carom_fail(err, CAROM_NO_MEMORY, "out of memory for the edges of a mesh of %d triangles",
                            t->mesh->triangle_count);
    }
    free(h.start);
    free(h.list);
    return status;
}

/* ---- normals of faces -------------------------------------------------------------------------------------------- */

/* Of unit length, or 0 when the area is rounding only. */
static v3 own_normal(const bvh *t, int triangle)
{
    const double rounding = 1e-14; /* of the squared length */
    v3 ab = v3_scale(t->per_m, v3_sub(bvh_corner(t, triangle, 1), bvh_corner(t, triangle, 0)));
    v3 ac = v3_scale(t->per_m, v3_sub(bvh_corner(t, triangle, 2), bvh_corner(t, triangle, 0)));
    v3 n = v3_cross(ab, ac);
    double twice_area = v3_norm(n);
    bool has_area = twice_area > rounding * fmax(v3_norm2(ab), v3_norm2(ac));
    return has_area ? v3_scale(1.0 / twice_area, n) : v3_zero();
}

static bool is_zero(v3 a)
{
    return a.x == 0.0 && a.y == 0.0 && a.z == 0.0;
}

static int longest_edge(const bvh *t, int triangle)
{
    int longest = 0;
    double longest2 = -1.0;
    for (int k = 0; k < 3; ++k) {
        double length2 = v3_norm2(v3_sub(bvh_corner(t, triangle, (k + 1) % 3), bvh_corner(t, triangle, k)));
        if (length2 > longest2) {
            longest = k;
            longest2 = length2;
        }
    }
    return longest;
}

static bool has_repeated_corner(const int corner[3])
{
    return corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0];
}

/* Hands the normals of neighbours on to triangles without area; returns how many got one. The sum over the longest
 * edge holds the neighbour's alone, because the triangle itself has added nothing to it. */
static int borrow_normals(bvh *t)
{
    int borrowed = 0;
    for (int i = 0; i < t->mesh->triangle_count; ++i) {
        if (!is_zero(t->face_normals[i]) || has_repeated_corner(t->mesh->triangles[i])) {
            continue;
        }
        v3 sum = t->edge_normals[t->edges[i][longest_edge(t, i)]];
        double size = v3_norm(sum);
        if (size > 0.1) { /* not two faces back to back */
            t->face_normals[i] = v3_scale(1.0 / size, sum);
            for (int k = 0; k < 3; ++k) {
                v3 *edge = &t->edge_normals[t->edges[i][k]];
                *edge = v3_add(*edge, t->face_normals[i]);
            }
            ++borrowed;
        }
    }
    return borrowed;
}

static void find_face_and_edge_normals(bvh *t)
{
    for (int i = 0; i < t->mesh->triangle_count; ++i) {
        v3 n = own_normal(t, i);
        t->face_normals[i] = n;
        for (int k = 0; k < 3; ++k) {
            v3 *edge = &t->edge_normals[t->edges[i][k]];
            *edge = v3_add(*edge, n);
        }
    }
    for (int round = 0; round < 8 && borrow_normals(t) > 0; ++round) { /* slivers next to slivers */
    }
}

/* ---- normals of corners ------------------------------------------------------------------------------------------ */

/* Angles of a triangle at its corners: two arc tangents, for the third angle is what the others leave of half a turn. All
 * three cross products of edges have the length of twice the area. */
static void corner_angles(double angle[3], const v3 edge[3])
{
    const double half_turn = 3.14159265358979323846;
    double twice_area = v3_norm(v3_cross(edge[0], edge[1]));
    angle[0] = atan2(twice_area, -v3_dot(edge[0], edge[2]));
    angle[1] = atan2(twice_area, -v3_dot(edge[1], edge[0]));
    angle[2] = fmax(0.0, half_turn - angle[0] - angle[1]);
}

static void find_vertex_normals(bvh *t)
{
    for (int i = 0; i < t->mesh->triangle_count; ++i) {
        const int *corner = t->mesh->triangles[i];
        v3 n = t->face_normals[i];
        if (is_zero(n)) {
            continue;
        }
        v3 edge[3];
        for (int k = 0; k < 3; ++k) {
            edge[k] = v3_scale(t->per_m, v3_sub(bvh_corner(t, i, (k + 1) % 3), bvh_corner(t, i, k)));
        }
        double angle[3];
        corner_angles(angle, edge);
        for (int k = 0; k < 3; ++k) {
            v3 *vertex = &t->vertex_normals[corner[k]];
            *vertex = v3_axpy(*vertex, angle[k], n);
        }
    }
}

carom_status bvh_find_normals(bvh *t, carom_error *err)
{
    const mesh *m = t->mesh;
    t->edges = carom_arena_array(&t->arena, (size_t)m->triangle_count, sizeof *t->edges);
    t->face_normals = CAROM_ARENA_ARRAY(&t->arena, v3, m->triangle_count);
    t->vertex_normals = CAROM_ARENA_ARRAY(&t->arena, v3, m->vertex_count);
    int edge_count = 0;
    if (!t->arena.failed) {
        carom_status status = find_edges(t, &edge_count, err);
        if (status != CAROM_OK) {
            return status;
        }
        t->edge_normals = CAROM_ARENA_ARRAY(&t->arena, v3, edge_count);
    }
    if (t->arena.failed) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the normals of a mesh of %d triangles",
                          m->triangle_count);
    }
    find_face_and_edge_normals(t);
    find_vertex_normals(t);
    return CAROM_OK;
}

double bvh_side(const bvh *t, v3 p, const bvh_hit *hit)
{
    const v3 *n = hit->feature >= FEATURE_FACE ? &t->face_normals[hit->triangle]
                  : hit->feature >= FEATURE_EDGE
                      ? &t->edge_normals[t->edges[hit->triangle][hit->feature - FEATURE_EDGE]]
                      : &t->vertex_normals[t->mesh->triangles[hit->triangle][hit->feature]];
    return v3_dot(v3_sub(p, hit->point), *n) < 0.0 ? -1.0 : 1.0;
}
