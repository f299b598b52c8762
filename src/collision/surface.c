#include "collision/surface.h"

#include <stdlib.h>
#include <string.h>

#include "collision/surface_round.h"
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
    s->faces = calloc(t + 1, sizeof *s->faces);
    s->lines = calloc(e + 1, sizeof *s->lines);
    s->line_ends = calloc(e + 1, sizeof *s->line_ends);
    s->inner_vertices = calloc(v + 1, sizeof *s->inner_vertices);
    s->inner_edges = calloc(e + 1, sizeof *s->inner_edges);
    s->inner_parts = calloc(t + 1, sizeof *s->inner_parts);
    return s->vertices && s->vertex_rounding && s->edges && s->edge_rounding && s->triangles && s->leaves &&
           s->faces && s->lines && s->line_ends && s->inner_vertices && s->inner_edges && s->inner_parts;
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
        s->lines[s->edge_count] = -1;
        s->edges[s->edge_count][0] = s->line_ends[s->edge_count][0] = first + edges[i][0];
        s->edges[s->edge_count][1] = s->line_ends[s->edge_count][1] = first + edges[i][1];
        ++s->edge_count;
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
static void own_vertex(surface_leaf *leaf, int vertex, int corner, bool *owned)
{
    if (!owned[vertex]) {
        owned[vertex] = true;
        leaf->vertex_at[leaf->vertex_count] = (uint8_t)corner;
        leaf->vertices[leaf->vertex_count++] = vertex;
    }
}

static void own_edge(surface_leaf *leaf, int edge, int corner, int next, bool *owned)
{
    if (edge >= 0 && !owned[edge]) {
        owned[edge] = true;
        leaf->edge_at[leaf->edge_count][0] = (uint8_t)corner;
        leaf->edge_at[leaf->edge_count][1] = (uint8_t)next;
        leaf->edges[leaf->edge_count++] = edge;
    }
}

/* The side of a triangle from corner k on, in the direction of its edge. */
static void own_side(surface *s, surface_leaf *leaf, int edge, int k, bool *owned)
{
    int next = (k + 1) % 3;
    bool along = edge >= 0 && s->edges[edge][0] == s->triangles[leaf->triangle][k];
    own_edge(leaf, edge, along ? k : next, along ? next : k, owned);
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
            own_vertex(leaf, s->triangles[t][k], k, vertices);
            own_side(s, leaf, side < 0 ? -1 : first_edge + side, k, edges);
        }
    }
}

static void own_the_rest(surface *s, bool *vertices, bool *edges)
{
    for (int e = 0; e < s->edge_count; ++e) {
        if (!edges[e]) {
            surface_leaf *leaf = &s->leaves[s->leaf_count++];
            leaf->triangle = NO_TRIANGLE;
            own_edge(leaf, e, 0, 1, edges);
            own_vertex(leaf, s->edges[e][0], 0, vertices);
            own_vertex(leaf, s->edges[e][1], 1, vertices);
        }
    }
    for (int v = 0; v < s->vertex_count; ++v) {
        if (!vertices[v]) {
            surface_leaf *leaf = &s->leaves[s->leaf_count++];
            leaf->triangle = NO_TRIANGLE;
            own_vertex(leaf, v, 0, vertices);
        }
    }
}

/* Corners and normal of a leaf, where the tree's descents find them. */
static void place_corners(surface *s, int leaf)
{
    surface_leaf *l = &s->leaves[leaf];
    int corner[3];
    int index = 0;
    int kind = surface_leaf_feature(s, leaf, &index);
    int count = surface_corners(s, kind, index, corner);
    l->rounding = surface_rounding(s, kind, index);
    for (int k = 0; k < SURFACE_LANES; ++k) {
        v3 r = s->vertices[corner[k < count ? k : count - 1]];
        l->corner[0][k] = r.x;
        l->corner[1][k] = r.y;
        l->corner[2][k] = r.z;
    }
    if (kind == SURFACE_TRIANGLE) {
        v3 first = s->vertices[corner[0]];
        v3 n = v3_cross(v3_sub(s->vertices[corner[1]], first), v3_sub(s->vertices[corner[2]], first));
        double size = v3_norm(n);
        l->normal = size > 0.0 ? v3_scale(1.0 / size, n) : v3_zero();
    }
}

/* ---- the whole -------------------------------------------------------------------------------------------------------- */

static bool own_all(surface *s, const surface_part *parts, int count, const mesh_edges *sides)
{
    bool *vertices = calloc((size_t)s->vertex_count + 1, sizeof *vertices);
    bool *edges = calloc((size_t)s->edge_count + 1, sizeof *edges);
    bool ok = vertices && edges && has_room(s);
    if (ok) {
        s->vertex_count = s->edge_count = s->triangle_count = 0;
        for (int i = 0; ok && i < count; ++i) {
            int first_vertex = s->vertex_count;
            int first_edge = s->edge_count;
            int first_triangle = s->triangle_count;
            add_part(s, &parts[i], &sides[i]);
            own_triangles(s, first_triangle, first_edge, &sides[i], vertices, edges);
            ok = surface_find_faces(s, &parts[i], &sides[i], first_vertex, first_edge, first_triangle);
        }
        own_the_rest(s, vertices, edges);
        for (int i = 0; i < s->leaf_count; ++i) {
            place_corners(s, i);
        }
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
    if (status == CAROM_OK && (!own_all(s, parts, count, sides) || (s->leaf_count > 0 && !surface_build_tree(s)))) {
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
        free(s->faces);
        free(s->lines);
        free(s->line_ends);
        free(s->inner_vertices);
        free(s->inner_edges);
        free(s->inner_parts);
        free(s->groups);
        free(s->vertex_rims);
        free(s);
    }
}

/* ---- shapes ----------------------------------------------------------------------------------------------------------- */

static carom_status surface_of_mesh(surface **out, const mesh *m, carom_error *err)
{
    surface_part part = { .mesh = m, .pose_c.orientation = q_identity() };
    return surface_create(out, &part, 1, err);
}

static carom_status surface_of_wires(surface **out, const mesh *m, double rounding, carom_error *err)
{
    surface_part part = { .vertex_count = m->vertex_count,
                          .vertices = m->vertices,
                          .edge_count = m->edge_count,
                          .edges = (const int(*)[2])m->edges,
                          .rounding = rounding,
                          .pose_c.orientation = q_identity() };
    return surface_create(out, &part, 1, err);
}

static bool lies_on(v3 r, const shape_rim *rim)
{
    static const double ROUNDING = 1e-12;
    v3 arm = v3_sub(r, rim->center);
    return fabs(v3_dot(arm, rim->axis)) <= ROUNDING * rim->radius &&
           fabs(v3_norm(arm) - rim->radius) <= ROUNDING * rim->radius;
}

/* The circles that some of the vertices lie on. */
static carom_status add_rims(surface *s, const shape_skeleton *skeleton, carom_error *err)
{
    s->vertex_rims = malloc((size_t)s->vertex_count + 1);
    if (!s->vertex_rims) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for a surface");
    }
    s->rim_count = skeleton->rim_count;
    for (int k = 0; k < s->rim_count; ++k) {
        s->rims[k] = skeleton->rims[k];
    }
    for (int i = 0; i < s->vertex_count; ++i) {
        s->vertex_rims[i] = -1;
        for (int k = 0; k < s->rim_count; ++k) {
            if (lies_on(s->vertices[i], &s->rims[k])) {
                s->vertex_rims[i] = (int8_t)k;
                ++s->rim_points[k];
            }
        }
    }
    return CAROM_OK;
}

/* ---- cylinders -------------------------------------------------------------------------------------------------------- */

enum { AROUND = 64 };

/* The points of both rims, which begin on the x axis, and the polygons through them. */
static void list_rims(const shape_skeleton *skeleton, v3 *vertices, int (*edges)[2])
{
    static const double STEP = 2.0 * 3.14159265358979323846 / AROUND;
    for (int k = 0; k < 2 * AROUND; ++k) {
        const shape_rim *rim = &skeleton->rims[k / AROUND];
        v3 x = v3_across(rim->axis);
        v3 y = v3_cross(rim->axis, x);
        double angle = k % AROUND * STEP;
        v3 out = v3_axpy(v3_scale(cos(angle), x), sin(angle), y);
        vertices[k] = v3_axpy(rim->center, rim->radius, out);
        edges[k][0] = k;
        edges[k][1] = k / AROUND * AROUND + (k + 1) % AROUND;
    }
}

/* One leaf instead of those of the polygons. */
static void make_solid(surface *s, const shape_skeleton *skeleton)
{
    const shape_rim *rims = skeleton->rims;
    double r = rims[0].radius;
    v3 a = rims[1].axis;
    v3 half = { r * sqrt(fmax(0.0, 1.0 - a.x * a.x)), r * sqrt(fmax(0.0, 1.0 - a.y * a.y)),
                r * sqrt(fmax(0.0, 1.0 - a.z * a.z)) };
    surface_leaf leaf = { .triangle = NO_TRIANGLE, .round = true };
    for (int k = 0; k < SURFACE_LANES; ++k) {
        v3 corner = v3_axpy(rims[k / 2].center, k % 2 == 0 ? -1.0 : 1.0, half);
        leaf.corner[0][k] = corner.x;
        leaf.corner[1][k] = corner.y;
        leaf.corner[2][k] = corner.z;
    }
    s->round = true;
    s->leaf_count = 1;
    s->leaves[0] = leaf;
}

static carom_status surface_of_cylinder(surface **out, const shape_skeleton *skeleton, carom_error *err)
{
    v3 vertices[2 * AROUND];
    int edges[2 * AROUND][2];
    list_rims(skeleton, vertices, edges);
    surface_part part = { .vertex_count = 2 * AROUND,
                          .vertices = vertices,
                          .edge_count = 2 * AROUND,
                          .edges = (const int(*)[2])edges,
                          .pose_c.orientation = q_identity() };
    carom_status status = surface_create(out, &part, 1, err);
    status = status == CAROM_OK ? add_rims(*out, skeleton, err) : status;
    if (status == CAROM_OK) {
        make_solid(*out, skeleton);
        free((*out)->groups);
        (*out)->groups = NULL;
        status = surface_build_tree(*out) ? CAROM_OK
                                          : carom_fail(err, CAROM_NO_MEMORY, "out of memory for a surface");
    }
    if (status != CAROM_OK) {
        surface_destroy(*out);
        *out = NULL;
    }
    return status;
}

static carom_status tessellated(surface **out, const carom_shape_type *type, const void *params, carom_error *err)
{
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
    if (shape_is_half_space(type)) {
        return surface_create_half_space(out, type->distance(params, v3_zero()).gradient, err);
    }
    if (type->rounding) {
        return surface_of_wires(out, m, type->rounding(params), err);
    }
    if (type->skeleton) {
        type->skeleton(&skeleton, params);
    }
    if (skeleton.barrel) {
        return surface_of_cylinder(out, &skeleton, err);
    }
    if (v3_norm2(skeleton.half) > 0.0) {
        return tessellated(out, type, params, err);
    }
    if (skeleton.point_count == 0) {
        carom_status status = m ? surface_of_mesh(out, m, err) : tessellated(out, type, params, err);
        if (status == CAROM_OK && skeleton.rim_count > 0) {
            status = add_rims(*out, &skeleton, err);
        }
        return status;
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

const char *const surface_kind_names[SURFACE_FEATURE_KINDS] = { "the plane", "vertex", "edge",
                                                                "triangle",  "rim",    "the solid" };

int surface_corners(const surface *s, int kind, int index, int out[3])
{
    switch (kind) {
    case SURFACE_VERTEX:
        out[0] = index;
        return 1;
    case SURFACE_EDGE:
        memcpy(out, s->edges[index], 2 * sizeof *out);
        return 2;
    case SURFACE_TRIANGLE:
        memcpy(out, s->triangles[index], 3 * sizeof *out);
        return 3;
    default:
        return 0;
    }
}

int surface_leaf_feature(const surface *s, int leaf, int *index)
{
    const surface_leaf *l = &s->leaves[leaf];
    if (l->round) {
        *index = 0;
        return SURFACE_ROUND;
    }
    if (l->triangle != NO_TRIANGLE) {
        *index = l->triangle;
        return SURFACE_TRIANGLE;
    }
    *index = l->edge_count > 0 ? l->edges[0] : l->vertices[0];
    return l->edge_count > 0 ? SURFACE_EDGE : SURFACE_VERTEX;
}

/* A feature of a leaf: all of it, an owned vertex, an owned edge. */
typedef struct leaf_part {
    int kind, index;
    uint8_t corner[3];
} leaf_part;

static leaf_part all_of(const surface *s, int leaf)
{
    leaf_part f = { .corner = { 0, 1, 2 } };
    f.kind = surface_leaf_feature(s, leaf, &f.index);
    return f;
}

static leaf_part vertex_of(const surface_leaf *l, int k)
{
    return (leaf_part){ SURFACE_VERTEX, l->vertices[k], { l->vertex_at[k] } };
}

static leaf_part edge_of(const surface_leaf *l, int k)
{
    return (leaf_part){ SURFACE_EDGE, l->edges[k], { l->edge_at[k][0], l->edge_at[k][1] } };
}

static leaf_pair pair_of(leaf_part a, leaf_part b)
{
    return (leaf_pair){ { { (uint8_t)a.kind, (uint8_t)b.kind }, { a.index, b.index } },
                        { { a.corner[0], a.corner[1], a.corner[2] }, { b.corner[0], b.corner[1], b.corner[2] } } };
}

/* Vertices meet the triangle or the bare edge of the other leaf, edges meet edges. */
int surface_leaf_pairs(const surface *a, int leaf_a, const surface *b, int leaf_b, leaf_pair out[LEAF_PAIRS])
{
    const surface_leaf *x = &a->leaves[leaf_a];
    const surface_leaf *y = &b->leaves[leaf_b];
    if (x->round || y->round) {
        return surface_round_pairs(a, leaf_a, b, leaf_b, out);
    }
    leaf_part all[2] = { all_of(a, leaf_a), all_of(b, leaf_b) };
    int count = 0;
    for (int i = 0; all[1].kind != SURFACE_VERTEX && i < x->vertex_count; ++i) {
        out[count++] = pair_of(vertex_of(x, i), all[1]);
    }
    for (int k = 0; all[0].kind != SURFACE_VERTEX && k < y->vertex_count; ++k) {
        out[count++] = pair_of(all[0], vertex_of(y, k));
    }
    for (int i = 0; i < x->edge_count; ++i) {
        for (int k = 0; k < y->edge_count; ++k) {
            out[count++] = pair_of(edge_of(x, i), edge_of(y, k));
        }
    }
    if (all[0].kind == SURFACE_VERTEX && all[1].kind == SURFACE_VERTEX && x->rounding + y->rounding > 0.0) {
        out[count++] = pair_of(all[0], all[1]);
    }
    return count;
}

double surface_rounding(const surface *s, int kind, int index)
{
    return kind == SURFACE_VERTEX ? s->vertex_rounding[index] : kind == SURFACE_EDGE ? s->edge_rounding[index] : 0.0;
}

double feature_pair_rounding(const surface *a, const surface *b, const feature_pair *pair)
{
    return surface_rounding(a, pair->kind[0], pair->index[0]) + surface_rounding(b, pair->kind[1], pair->index[1]);
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
