/* Edges of a mesh by counting sort: sides grouped by their smaller vertex, sorted by the larger within a group, so the
 * whole is linear but for hubs with very many edges. */
#include "geometry/mesh_topology.h"

#include <stdlib.h>

#include "base/union_find.h"

bool mesh_triangle_repeats(const int corner[3])
{
    return corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0];
}

bool mesh_triangle_degenerate(const mesh *m, const int corner[3])
{
    const double rounding = 1e-14; /* of the squared longest edge: an area that is rounding only */
    v3 ab = v3_sub(m->vertices[corner[1]], m->vertices[corner[0]]);
    v3 ac = v3_sub(m->vertices[corner[2]], m->vertices[corner[0]]);
    double longest2 = fmax(v3_norm2(v3_sub(ac, ab)), fmax(v3_norm2(ab), v3_norm2(ac)));
    return mesh_triangle_repeats(corner) || v3_norm(v3_cross(ab, ac)) <= rounding * longest2;
}

/* ---- edges ------------------------------------------------------------------------------------------------------- */

typedef struct half_edge {
    int larger; /* vertex */
    int side;
} half_edge;

static int smaller_end(const mesh *m, int side, int *larger)
{
    int from = side_from(m, side);
    int to = side_to(m, side);
    *larger = from < to ? to : from;
    return from < to ? from : to;
}

/* start[v] .. start[v + 1]: the sides of which v is the smaller vertex. */
static void group_sides(const mesh *m, int *start, half_edge *halves)
{
    for (int pass = 0; pass < 2; ++pass) { /* count, then place */
        for (int side = 0; side < 3 * m->triangle_count; ++side) {
            if (mesh_triangle_repeats(m->triangles[side / 3])) {
                continue;
            }
            int larger;
            int v = smaller_end(m, side, &larger);
            if (pass == 0) {
                ++start[v + 2];
            } else {
                halves[start[v + 1]++] = (half_edge){ larger, side };
            }
        }
        for (int v = 0; pass == 0 && v < m->vertex_count; ++v) {
            start[v + 2] += start[v + 1];
        }
    }
}

static int compare_halves(const void *a, const void *b)
{
    const half_edge *x = a;
    const half_edge *y = b;
    return x->larger != y->larger ? (x->larger > y->larger) - (x->larger < y->larger)
                                  : (x->side > y->side) - (x->side < y->side);
}

/* Insertion for the few of nearly every vertex; a hub with thousands of edges must not cost their square. */
static void sort_halves(half_edge *halves, int count)
{
    enum { FEW = 24 };
    if (count > FEW) {
        qsort(halves, (size_t)count, sizeof *halves, compare_halves);
        return;
    }
    for (int i = 1; i < count; ++i) {
        half_edge h = halves[i];
        int j = i;
        for (; j > 0 && compare_halves(&halves[j - 1], &h) > 0; --j) {
            halves[j] = halves[j - 1];
        }
        halves[j] = h;
    }
}

/* Turns the halves of vertex v into edges. */
static void add_edges(mesh_edges *out, int v, const half_edge *halves, int begin, int end)
{
    for (int i = begin; i < end; ++i) {
        if (i == begin || halves[i].larger != halves[i - 1].larger) {
            out->ends[out->count][0] = v;
            out->ends[out->count][1] = halves[i].larger;
            out->start[out->count++] = i;
        }
        out->sides[i] = halves[i].side;
        out->edge_of[halves[i].side] = out->count - 1;
    }
}

static bool allocate_edges(mesh_edges *out, const mesh *m)
{
    size_t sides = 3 * (size_t)m->triangle_count;
    *out = (mesh_edges){
        .start = malloc((sides + 1) * sizeof *out->start),
        .sides = malloc((sides + 1) * sizeof *out->sides),
        .edge_of = malloc((sides + 1) * sizeof *out->edge_of),
        .ends = malloc((sides + 1) * sizeof *out->ends),
        .first_of = malloc(((size_t)m->vertex_count + 1) * sizeof *out->first_of),
    };
    return out->start && out->sides && out->edge_of && out->ends && out->first_of;
}

carom_status mesh_edges_create(mesh_edges *out, const mesh *m, carom_error *err)
{
    int *group = calloc((size_t)m->vertex_count + 2, sizeof *group);
    half_edge *halves = malloc((3 * (size_t)m->triangle_count + 1) * sizeof *halves);
    bool ok = allocate_edges(out, m) && group && halves;
    if (ok) {
        for (int side = 0; side < 3 * m->triangle_count; ++side) {
            out->edge_of[side] = -1;
        }
        group_sides(m, group, halves);
        for (int v = 0; v < m->vertex_count; ++v) {
            out->first_of[v] = out->count;
            sort_halves(halves + group[v], group[v + 1] - group[v]);
            add_edges(out, v, halves, group[v], group[v + 1]);
        }
        out->first_of[m->vertex_count] = out->count;
        out->start[out->count] = group[m->vertex_count];
    }
    free(group);
    free(halves);
    if (!ok) {
        mesh_edges_free(out);
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the edges of a mesh of %d triangles",
                          m->triangle_count);
    }
    return CAROM_OK;
}

void mesh_edges_free(mesh_edges *edges)
{
    free(edges->start);
    free(edges->sides);
    free(edges->edge_of);
    free(edges->ends);
    free(edges->first_of);
    *edges = (mesh_edges){ 0 };
}

int mesh_edges_find(const mesh_edges *edges, int a, int b)
{
    int v = a < b ? a : b;
    int larger = a < b ? b : a;
    int low = edges->first_of[v];
    int high = edges->first_of[v + 1];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (edges->ends[middle][1] < larger) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < edges->first_of[v + 1] && edges->ends[low][1] == larger ? low : -1;
}

int mesh_edges_twin(const mesh_edges *edges, int side)
{
    int e = edges->edge_of[side];
    if (e < 0 || mesh_edge_sides(edges, e) != 2) {
        return -1;
    }
    const int *sides = edges->sides + edges->start[e];
    return sides[0] == side ? sides[1] : sides[0];
}

/* ---- patches ----------------------------------------------------------------------------------------------------- */

int mesh_patches(const mesh *m, const mesh_edges *edges, int *patch)
{
    int *parent = malloc(((size_t)m->triangle_count + 1) * sizeof *parent);
    if (!parent) {
        return -1;
    }
    for (int t = 0; t < m->triangle_count; ++t) {
        parent[t] = t;
    }
    for (int e = 0; e < edges->count; ++e) {
        if (mesh_edge_sides(edges, e) == 2) {
            const int *sides = edges->sides + edges->start[e];
            set_unite(parent, sides[0] / 3, sides[1] / 3);
        }
    }
    int count = 0;
    for (int t = 0; t < m->triangle_count; ++t) {
        int root = set_root(parent, t);
        patch[t] = root == t ? count++ : patch[root];
    }
    free(parent);
    return count;
}
