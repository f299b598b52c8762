#include "collision/surface.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/mesh_topology.h"

/* ---- vertices, edges, triangles --------------------------------------------------------------------------------------- */

static bool has_room(surface *s)
{
    size_t v = (size_t)s->vertex_count;
    size_t e = (size_t)s->edge_count;
    size_t t = (size_t)s->triangle_count;
    s->vertices = calloc(v + 1, sizeof *s->vertices);
    s->vertex_rounding = calloc(v + 1, sizeof *s->vertex_rounding);
    s->edges = calloc(e + 1, sizeof *s->edges);
    s->edge_rounding = calloc(e + 1, sizeof *s->edge_rounding);
    s->triangles = calloc(t + 1, sizeof *s->triangles);
    s->leaves = calloc(v + e + t + 1, sizeof *s->leaves);
    return s->vertices && s->vertex_rounding && s->edges && s->edge_rounding && s->triangles && s->leaves;
}

static void add_vertices(surface *s, const surface_part *part, const v3 *vertices, int count, double rounding)
{
    for (int i = 0; i < count; ++i) {
        v3 r = v3_add(part->pose_c.position, q_rotate(part->pose_c.orientation, vertices[i]));
        s->vertex_rounding[s->vertex_count] = rounding;
        s->vertices[s->vertex_count++] = r;
        s->radius = fmax(s->radius, v3_norm(r) + rounding);
    }
}

static void add_edges(surface *s, const int (*edges)[2], int count, int first, double rounding)
{
    for (int i = 0; i < count; ++i) {
        s->edge_rounding[s->edge_count] = rounding;
        s->edges[s->edge_count][0] = first + edges[i][0];
        s->edges[s->edge_count++][1] = first + edges[i][1];
    }
}

static void add_part(surface *s, const surface_part *part, const mesh_edges *sides)
{
    const mesh *m = part->mesh;
    int first = s->vertex_count;
    if (!m) {
        add_vertices(s, part, part->vertices, part->vertex_count, part->rounding);
        add_edges(s, part->edges, part->edge_count, first, part->rounding);
        return;
    }
    add_vertices(s, part, m->vertices, m->vertex_count, 0.0);
    add_edges(s, (const int(*)[2])sides->ends, sides->count, first, 0.0);
    for (int i = 0; i < m->triangle_count; ++i, ++s->triangle_count) {
        for (int k = 0; k < 3; ++k) {
            s->triangles[s->triangle_count][k] = first + m->triangles[i][k];
        }
    }
}

/* Each vertex and edge goes to the first leaf that has it; triangles come before edges, edges before vertices. */
static void own_vertex(surface_leaf *leaf, int vertex, bool *owned)
{
    if (!owned[vertex]) {
        owned[vertex] = true;
        leaf->vertices[leaf->vertex_count++] = vertex;
    }
}

static void own_edge(surface_leaf *leaf, int edge, bool *owned)
{
    if (edge >= 0 && !owned[edge]) {
        owned[edge] = true;
        leaf->edges[leaf->edge_count++] = edge;
    }
}

/* Leaves of the triangles of a part; `first_edge` is where those of its mesh begin. */
static void own_triangles(surface *s, int first_triangle, int first_edge, const mesh_edges *sides, bool *vertices,
                          bool *edges)
{
    for (int t = first_triangle; t < s->triangle_count; ++t) {
        surface_leaf *leaf = &s->leaves[s->leaf_count++];
        leaf->triangle = t;
        for (int k = 0; k < 3; ++k) {
            int side = sides->edge_of[3 * (t - first_triangle) + k];
            own_vertex(leaf, s->triangles[t][k], vertices);
            own_edge(leaf, side < 0 ? -1 : first_edge + side, edges);
        }
    }
}

static void own_the_rest(surface *s, bool *vertices, bool *edges)
{
    for (int e = 0; e < s->edge_count; ++e) {
        if (!edges[e]) {
            surface_leaf *leaf = &s->leaves[s->leaf_count++];
            leaf->triangle = NO_TRIANGLE;
            own_edge(leaf, e, edges);
            own_vertex(leaf, s->edges[e][0], vertices);
            own_vertex(leaf, s->edges[e][1], vertices);
        }
    }
    for (int v = 0; v < s->vertex_count; ++v) {
        if (!vertices[v]) {
            surface_leaf *leaf = &s->leaves[s->leaf_count++];
            leaf->triangle = NO_TRIANGLE;
            own_vertex(leaf, v, vertices);
        }
    }
}

/* ---- tree ------------------------------------------------------------------------------------------------------------- */

typedef struct tree_work {
    surface *s;
    v3 *low, *high; /* of leaves */
    int *order;     /* leaves */
} tree_work;

static v3 v3_least(v3 a, v3 b)
{
    return v3_make(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z));
}

static v3 v3_most(v3 a, v3 b)
{
    return v3_make(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z));
}

static void bound_leaves(tree_work *w)
{
    for (int i = 0; i < w->s->leaf_count; ++i) {
        int corner[3];
        int index = 0;
        int kind = surface_leaf_feature(w->s, i, &index);
        int count = surface_corners(w->s, kind, index, corner);
        w->order[i] = i;
        w->low[i] = w->high[i] = w->s->vertices[corner[0]];
        for (int k = 1; k < count; ++k) {
            w->low[i] = v3_least(w->low[i], w->s->vertices[corner[k]]);
            w->high[i] = v3_most(w->high[i], w->s->vertices[corner[k]]);
        }
    }
}

static double feature_rounding(const surface *s, int kind, int index)
{
    return kind == SURFACE_VERTEX ? s->vertex_rounding[index] : kind == SURFACE_EDGE ? s->edge_rounding[index] : 0.0;
}

static double leaf_rounding(const surface *s, int leaf)
{
    int index = 0;
    int kind = surface_leaf_feature(s, leaf, &index);
    return feature_rounding(s, kind, index);
}

static double middle_of(const tree_work *w, int leaf, int axis)
{
    return v3_get(w->low[leaf], axis) + v3_get(w->high[leaf], axis);
}

/* Puts the leaves of a run in such an order that the first half is not beyond the second along an axis (quickselect; equal
 * middles by index, so that the tree does not depend on how the selection went). */
static void split(tree_work *w, int first, int count, int axis)
{
    int low = first;
    int high = first + count - 1;
    int target = first + count / 2;
    while (low < high) {
        int pivot = w->order[low + (high - low) / 2];
        double at = middle_of(w, pivot, axis);
        int i = low;
        int k = high;
        while (i <= k) {
            while (middle_of(w, w->order[i], axis) < at ||
                   (middle_of(w, w->order[i], axis) == at && w->order[i] < pivot)) {
                ++i;
            }
            while (middle_of(w, w->order[k], axis) > at ||
                   (middle_of(w, w->order[k], axis) == at && w->order[k] > pivot)) {
                --k;
            }
            if (i <= k) {
                int swap = w->order[i];
                w->order[i++] = w->order[k];
                w->order[k--] = swap;
            }
        }
        low = target > k ? i : low;
        high = target < i ? k : high;
    }
}

static int build_node(tree_work *w, int first, int count)
{
    surface *s = w->s;
    int me = s->node_count++;
    surface_node *node = &s->nodes[me];
    v3 low = w->low[w->order[first]];
    v3 high = w->high[w->order[first]];
    for (int i = first; i < first + count; ++i) {
        low = v3_least(low, w->low[w->order[i]]);
        high = v3_most(high, w->high[w->order[i]]);
        node->rounding = fmax(node->rounding, leaf_rounding(s, w->order[i]));
    }
    node->center = v3_scale(0.5, v3_add(low, high));
    node->half = v3_scale(0.5, v3_sub(high, low));
    node->radius = v3_norm(node->half);
    node->leaf = count == 1 ? w->order[first] : -1;
    node->other = -1;
    if (count > 1) {
        v3 h = node->half;
        int axis = h.x >= h.y && h.x >= h.z ? 0 : h.y >= h.z ? 1 : 2;
        split(w, first, count, axis);
        build_node(w, first, count / 2);
        s->nodes[me].other = build_node(w, first + count / 2, count - count / 2);
    }
    return me;
}

static bool build_tree(surface *s)
{
    size_t count = (size_t)s->leaf_count;
    tree_work w = { .s = s,
                    .low = calloc(count, sizeof *w.low),
                    .high = calloc(count, sizeof *w.high),
                    .order = calloc(count, sizeof *w.order) };
    s->nodes = calloc(2 * count, sizeof *s->nodes);
    bool ok = w.low && w.high && w.order && s->nodes;
    if (ok) {
        bound_leaves(&w);
        build_node(&w, 0, s->leaf_count);
    }
    free(w.low);
    free(w.high);
    free(w.order);
    return ok;
}

/* ---- the whole -------------------------------------------------------------------------------------------------------- */

static bool own_all(surface *s, const surface_part *parts, int count, const mesh_edges *sides)
{
    bool *vertices = calloc((size_t)s->vertex_count + 1, sizeof *vertices);
    bool *edges = calloc((size_t)s->edge_count + 1, sizeof *edges);
    bool ok = vertices && edges && has_room(s);
    if (ok) {
        s->vertex_count = s->edge_count = s->triangle_count = 0;
        for (int i = 0; i < count; ++i) {
            int first_triangle = s->triangle_count;
            int first_edge = s->edge_count;
            add_part(s, &parts[i], &sides[i]);
            own_triangles(s, first_triangle, first_edge, &sides[i], vertices, edges);
        }
        own_the_rest(s, vertices, edges);
    }
    free(vertices);
    free(edges);
    return ok;
}

static carom_status find_sides(mesh_edges *sides, const surface_part *parts, int count, surface *s, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i < count; ++i) {
        const surface_part *part = &parts[i];
        status = part->mesh ? mesh_edges_create(&sides[i], part->mesh, err) : CAROM_OK;
        s->vertex_count += part->mesh ? part->mesh->vertex_count : part->vertex_count;
        s->edge_count += part->mesh ? sides[i].count : part->edge_count;
        s->triangle_count += part->mesh ? part->mesh->triangle_count : 0;
    }
    return status;
}

carom_status surface_create(surface **out, const surface_part *parts, int count, carom_error *err)
{
    surface *s = calloc(1, sizeof *s);
    mesh_edges *sides = calloc((size_t)count + 1, sizeof *sides);
    *out = NULL;
    carom_status status = s && sides ? find_sides(sides, parts, count, s, err)
                                     : carom_fail(err, CAROM_NO_MEMORY, "out of memory for a surface");
    if (status == CAROM_OK && (!own_all(s, parts, count, sides) || (s->leaf_count > 0 && !build_tree(s)))) {
        status = carom_fail(err, CAROM_NO_MEMORY, "out of memory for a surface of %d triangles", s->triangle_count);
    }
    for (int i = 0; sides && i < count; ++i) {
        mesh_edges_free(&sides[i]);
    }
    free(sides);
    if (status != CAROM_OK) {
        surface_destroy(s);
        return status;
    }
    *out = s;
    return CAROM_OK;
}

carom_status surface_create_half_space(surface **out, v3 normal, carom_error *err)
{
    surface *s = *out = calloc(1, sizeof *s);
    if (!s) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for a plane");
    }
    s->half_space = true;
    s->normal = normal;
    return CAROM_OK;
}

void surface_destroy(surface *s)
{
    if (s) {
        free(s->vertices);
        free(s->vertex_rounding);
        free(s->edges);
        free(s->edge_rounding);
        free(s->triangles);
        free(s->leaves);
        free(s->nodes);
        free(s);
    }
}

/* ---- shapes ----------------------------------------------------------------------------------------------------------- */

static carom_status surface_of_mesh(surface **out, const mesh *m, carom_error *err)
{
    surface_part part = { .mesh = m, .pose_c.orientation = q_identity() };
    return surface_create(out, &part, 1, err);
}

static carom_status tessellated(surface **out, const carom_shape_type *type, const void *params, carom_error *err)
{
    enum { AROUND = 64 };
    mesh *m = NULL;
    carom_status status = type->tessellate(&m, params, (surface_grain){ .around = AROUND }, err);
    if (status == CAROM_OK) {
        status = surface_of_mesh(out, m, err);
    }
    mesh_destroy(m);
    return status;
}

carom_status surface_of_shape(surface **out, const carom_shape_type *type, const void *params, const mesh *m,
                              carom_error *err)
{
    static const int line[1][2] = { { 0, 1 } };
    shape_skeleton skeleton = { 0 };
    if (!type->solid) {
        return surface_create_half_space(out, type->distance(params, v3_zero()).gradient, err);
    }
    if (type->skeleton) {
        type->skeleton(&skeleton, params);
    }
    if (skeleton.point_count == 0) {
        return m ? surface_of_mesh(out, m, err) : tessellated(out, type, params, err);
    }
    surface_part part = { .vertex_count = skeleton.point_count,
                          .vertices = skeleton.points,
                          .edge_count = skeleton.point_count - 1,
                          .edges = line,
                          .rounding = skeleton.rounding,
                          .pose_c.orientation = q_identity() };
    return surface_create(out, &part, 1, err);
}

/* ---- pairs of features ------------------------------------------------------------------------------------------------ */

int surface_corners(const surface *s, int kind, int index, int out[3])
{
    if (kind == SURFACE_VERTEX) {
        out[0] = index;
    } else if (kind != SURFACE_PLANE) {
        memcpy(out, kind == SURFACE_TRIANGLE ? s->triangles[index] : s->edges[index], (size_t)kind * sizeof *out);
    }
    return kind;
}

static feature_pair pair_of(int kind_a, int a, int kind_b, int b)
{
    return (feature_pair){ { (uint8_t)kind_a, (uint8_t)kind_b }, { a, b } };
}

int surface_leaf_feature(const surface *s, int leaf, int *index)
{
    const surface_leaf *l = &s->leaves[leaf];
    if (l->triangle != NO_TRIANGLE) {
        *index = l->triangle;
        return SURFACE_TRIANGLE;
    }
    *index = l->edge_count > 0 ? l->edges[0] : l->vertices[0];
    return l->edge_count > 0 ? SURFACE_EDGE : SURFACE_VERTEX;
}

/* Vertices meet the triangle or the bare edge of the other leaf, edges meet edges. */
int surface_leaf_pairs(const surface *a, int leaf_a, const surface *b, int leaf_b, feature_pair out[LEAF_PAIRS])
{
    const surface_leaf *x = &a->leaves[leaf_a];
    const surface_leaf *y = &b->leaves[leaf_b];
    int index[2];
    int kind[2] = { surface_leaf_feature(a, leaf_a, &index[0]), surface_leaf_feature(b, leaf_b, &index[1]) };
    int count = 0;
    for (int i = 0; kind[1] != SURFACE_VERTEX && i < x->vertex_count; ++i) {
        out[count++] = pair_of(SURFACE_VERTEX, x->vertices[i], kind[1], index[1]);
    }
    for (int k = 0; kind[0] != SURFACE_VERTEX && k < y->vertex_count; ++k) {
        out[count++] = pair_of(kind[0], index[0], SURFACE_VERTEX, y->vertices[k]);
    }
    for (int i = 0; i < x->edge_count; ++i) {
        for (int k = 0; k < y->edge_count; ++k) {
            out[count++] = pair_of(SURFACE_EDGE, x->edges[i], SURFACE_EDGE, y->edges[k]);
        }
    }
    if (kind[0] == SURFACE_VERTEX && kind[1] == SURFACE_VERTEX) {
        feature_pair both = pair_of(SURFACE_VERTEX, index[0], SURFACE_VERTEX, index[1]);
        out[count] = both;
        count += feature_pair_rounding(a, b, &both) > 0.0;
    }
    return count;
}

double feature_pair_rounding(const surface *a, const surface *b, const feature_pair *pair)
{
    return feature_rounding(a, pair->kind[0], pair->index[0]) + feature_rounding(b, pair->kind[1], pair->index[1]);
}

feature_distance feature_pair_distance(const feature_pair *pair, const v3 x[3], const v3 y[3])
{
    switch (4 * pair->kind[0] + pair->kind[1]) {
    case 4 * SURFACE_VERTEX + SURFACE_TRIANGLE:
        return vertex_triangle_distance(x[0], y);
    case 4 * SURFACE_TRIANGLE + SURFACE_VERTEX:
        return feature_distance_swap(vertex_triangle_distance(y[0], x));
    case 4 * SURFACE_EDGE + SURFACE_EDGE:
        return edge_edge_distance(x, y);
    case 4 * SURFACE_VERTEX + SURFACE_EDGE:
        return vertex_edge_distance(x[0], y);
    case 4 * SURFACE_EDGE + SURFACE_VERTEX:
        return feature_distance_swap(vertex_edge_distance(y[0], x));
    default:
        return vertex_vertex_distance(x[0], y[0]);
    }
}
