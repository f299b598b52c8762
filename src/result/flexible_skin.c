#include "result/flexible_skin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "elements/solids/beam.h"
#include "result/result_stress.h"

enum {
    FACE_NODES = 6,   /* most nodes of a face: corners, then middles of its edges */
    ROUND_SIDES = 16, /* of a round bar */
};

/* ---- faces of elements -------------------------------------------------------------------------------------------- */

typedef struct face_table {
    const char *element;
    int face_count, corners, nodes;
    int faces[6][FACE_NODES];
} face_table;

/* Of solids faces, of plane elements edges. */
static const face_table face_tables[] = {
    { "hexahedron8", 6, 4, 4,
      { { 0, 3, 2, 1 }, { 4, 5, 6, 7 }, { 0, 1, 5, 4 }, { 1, 2, 6, 5 }, { 2, 3, 7, 6 }, { 3, 0, 4, 7 } } },
    { "tetrahedron4", 4, 3, 3, { { 0, 2, 1 }, { 0, 1, 3 }, { 1, 2, 3 }, { 2, 0, 3 } } },
    { "tetrahedron10", 4, 3, 6,
      { { 0, 2, 1, 6, 5, 4 }, { 0, 1, 3, 4, 8, 7 }, { 1, 2, 3, 5, 9, 8 }, { 2, 0, 3, 6, 7, 9 } } },
    { "quad4", 4, 2, 2, { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 0 } } },
    { "triangle6", 3, 2, 3, { { 0, 1, 3 }, { 1, 2, 4 }, { 2, 0, 5 } } },
};

static const face_table *faces_of(const solid_type *type)
{
    const size_t count = sizeof face_tables / sizeof face_tables[0];
    size_t i = 0;
    while (i < count && strcmp(face_tables[i].element, type->kind.name) != 0) {
        ++i;
    }
    return i < count ? &face_tables[i] : NULL;
}

typedef struct outer_face {
    int32_t key[4]; /* corners, ascending; -1: none */
    size_t cell;
    int face;
    bool shared;
} outer_face;

static void sort_corners(int32_t key[4], int count)
{
    for (int i = 1; i < count; ++i) {
        for (int k = i; k > 0 && key[k] < key[k - 1]; --k) {
            int32_t other = key[k];
            key[k] = key[k - 1];
            key[k - 1] = other;
        }
    }
}

static int compare_faces(const void *a, const void *b)
{
    const outer_face *f = a, *g = b;
    int order = memcmp(f->key, g->key, sizeof f->key);
    return order != 0 ? order : (f->cell > g->cell) - (f->cell < g->cell);
}

static int compare_places(const void *a, const void *b)
{
    const outer_face *f = a, *g = b;
    int order = (f->cell > g->cell) - (f->cell < g->cell);
    return order != 0 ? order : f->face - g->face;
}

/* Faces that one element alone has, in the order of the elements. */
static outer_face *outer_faces(const flexible_mesh *m, carom_arena *arena, size_t *count)
{
    size_t all = 0, kept = 0;
    outer_face *faces = CAROM_ARENA_ARRAY(arena, outer_face, 6 * m->body->cells.count + 1);
    for (size_t c = 0; faces && c < m->body->cells.count; ++c) {
        const int32_t *cell = m->cells + FLEXIBLE_CELL * c;
        const face_table *table = faces_of(m->types[cell[0]]);
        for (int f = 0; table && f < table->face_count; ++f) {
            outer_face *face = &faces[all++];
            *face = (outer_face){ { -1, -1, -1, -1 }, c, f, false };
            for (int i = 0; i < table->corners; ++i) {
                face->key[i] = cell[1 + table->faces[f][i]];
            }
            sort_corners(face->key, table->corners);
        }
    }
    if (faces) {
        qsort(faces, all, sizeof *faces, compare_faces);
    }
    for (size_t i = 0; faces && i + 1 < all; ++i) {
        bool same = memcmp(faces[i].key, faces[i + 1].key, sizeof faces[i].key) == 0;
        faces[i].shared = faces[i].shared || same;
        faces[i + 1].shared = same;
    }
    for (size_t i = 0; faces && i < all; ++i) {
        if (!faces[i].shared) {
            faces[kept++] = faces[i];
        }
    }
    if (faces) {
        qsort(faces, kept, sizeof *faces, compare_places);
    }
    *count = kept;
    return faces;
}

/* ---- vertices and triangles --------------------------------------------------------------------------------------- */

/* A skin in the making: vertices by node of the body. */
typedef struct maker {
    flexible_skin *out;
    const flexible_mesh *mesh;
    int32_t *vertex_of[2]; /* of solids and plane bodies: vertex of a node, of the upper and the lower side; -1: none yet */
} maker;

static int32_t add_vertex(maker *m, int32_t node, v3 offset)
{
    flexible_skin *s = m->out;
    s->vertex_node[s->vertex_count] = node;
    s->offset[s->vertex_count] = offset;
    s->has_offsets = s->has_offsets || v3_norm(offset) > 0.0;
    return (int32_t)s->vertex_count++;
}

static int32_t vertex_of(maker *m, int32_t node, int side, v3 offset)
{
    int32_t *known = &m->vertex_of[side][node];
    *known = *known >= 0 ? *known : add_vertex(m, node, offset);
    return *known;
}

static void add_triangle(maker *m, int32_t a, int32_t b, int32_t c)
{
    flexible_skin *s = m->out;
    memcpy(s->triangles + 3 * s->triangle_count++, (int32_t[]){ a, b, c }, 3 * sizeof(int32_t));
}

/* A face by its vertices: corners, then middles of edges. */
static void add_face(maker *m, const face_table *t, const int32_t *v)
{
    if (t->nodes == 6) {
        add_triangle(m, v[0], v[3], v[5]);
        add_triangle(m, v[3], v[1], v[4]);
        add_triangle(m, v[5], v[4], v[2]);
        add_triangle(m, v[3], v[4], v[5]);
        return;
    }
    for (int k = 2; k < t->corners; ++k) {
        add_triangle(m, v[0], v[k - 1], v[k]);
    }
}

static void add_solid_face(maker *m, const outer_face *face)
{
    const int32_t *cell = m->mesh->cells + FLEXIBLE_CELL * face->cell;
    const face_table *t = faces_of(m->mesh->types[cell[0]]);
    int32_t v[FACE_NODES];
    for (int i = 0; i < t->nodes; ++i) {
        v[i] = vertex_of(m, cell[1 + t->faces[face->face][i]], 0, v3_zero());
    }
    add_face(m, t, v);
}

/* ---- plane bodies ------------------------------------------------------------------------------------------------- */

static double size_of(const flexible_mesh *mesh)
{
    v3 low = v3_load(mesh->nodes), high = low;
    for (size_t i = 1; i < mesh->body->nodes.count; ++i) {
        v3 p = v3_load(mesh->nodes + 3 * i);
        low = v3_make(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = v3_make(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    return v3_norm(v3_sub(high, low));
}

/* A section through a solid of revolution is a thin sheet. */
static v3 half_thickness(const flexible_mesh *mesh)
{
    bool sheet = mesh->body->material.plane == AXISYMMETRIC;
    return v3_make(0.0, 0.0, sheet ? 0.005 * size_of(mesh) : 0.5 * mesh->body->material.thickness);
}

static void add_plane_cell(maker *m, const int32_t *cell, const solid_type *type)
{
    v3 half = half_thickness(m->mesh);
    const face_table own = { .corners = type->node_count == 4 ? 4 : 3, .nodes = type->node_count };
    for (int side = 0; side < 2; ++side) {
        int32_t v[FACE_NODES];
        for (int i = 0; i < own.nodes; ++i) {
            v[i] = vertex_of(m, cell[1 + i], side, v3_scale(side == 0 ? 1.0 : -1.0, half));
        }
        const int32_t turned[FACE_NODES] = { v[0], v[2], v[1], v[5], v[4], v[3] };
        const int32_t back[FACE_NODES] = { v[0], v[3], v[2], v[1] };
        add_face(m, &own, side == 0 ? v : own.nodes == 6 ? turned : back);
    }
}

static void add_side(maker *m, int32_t from, int32_t to)
{
    v3 half = half_thickness(m->mesh), other = v3_scale(-1.0, half);
    int32_t a = vertex_of(m, from, 1, other), b = vertex_of(m, to, 1, other);
    int32_t c = vertex_of(m, to, 0, half), d = vertex_of(m, from, 0, half);
    add_triangle(m, a, b, c);
    add_triangle(m, a, c, d);
}

static void add_plane_edge(maker *m, const outer_face *face)
{
    const int32_t *cell = m->mesh->cells + FLEXIBLE_CELL * face->cell;
    const face_table *t = faces_of(m->mesh->types[cell[0]]);
    const int *edge = t->faces[face->face];
    int32_t from = cell[1 + edge[0]], to = cell[1 + edge[1]];
    int32_t between = t->nodes == 3 ? cell[1 + edge[2]] : to;
    add_side(m, from, between);
    if (between != to) {
        add_side(m, between, to);
    }
}

/* ---- bars and beams ----------------------------------------------------------------------------------------------- */

static m3 axes_of(const flexible_mesh *mesh, const solid_type *type, const v3 X[2])
{
    solid_material material = mesh->body->material;
    v3 along = v3_sub(X[1], X[0]);
    v3 up = material.section.up;
    bool usable = v3_norm(v3_cross(along, up)) > 1e-6 * v3_norm(along) * v3_norm(up);
    if (!type->beam && !usable) { /* a bar may have none */
        v3 a = v3_make(fabs(along.x), fabs(along.y), fabs(along.z));
        material.section.up = a.y <= a.x && a.y <= a.z ? v3_make(0, 1, 0)
                              : a.x <= a.z             ? v3_make(1, 0, 0)
                                                       : v3_make(0, 0, 1);
    }
    return beam_axes(type, X, &material);
}

/* Rings of vertices around both nodes; a rectangle has its corners. */
static void add_tube(maker *m, const int32_t *cell, const solid_type *type, const int *uses)
{
    const section_outline outline = section_outline_of(&m->mesh->body->material.section);
    const int sides = outline.round ? ROUND_SIDES : 4;
    const double pi = 3.14159265358979323846;
    const v3 X[2] = { v3_load(m->mesh->nodes + 3 * (size_t)cell[1]), v3_load(m->mesh->nodes + 3 * (size_t)cell[2]) };
    const m3 R = axes_of(m->mesh, type, X);
    int32_t ring[2][ROUND_SIDES];
    for (int end = 0; end < 2; ++end) {
        for (int k = 0; k < sides; ++k) {
            double angle = 2.0 * pi * (k + (outline.round ? 0.0 : 0.5)) / sides;
            double corner = outline.round ? 1.0 : sqrt(2.0); /* a corner of the square that is 2 wide */
            v3 at = v3_make(0.0, corner * outline.half_y * cos(angle), corner * outline.half_z * sin(angle));
            ring[end][k] = add_vertex(m, cell[1 + end], m3_mulv(R, at));
        }
    }
    for (int k = 0; k < sides; ++k) {
        int next = (k + 1) % sides;
        add_triangle(m, ring[0][k], ring[0][next], ring[1][next]);
        add_triangle(m, ring[0][k], ring[1][next], ring[1][k]);
    }
    for (int end = 0; end < 2; ++end) { /* closed where the line ends */
        for (int k = 2; k < sides && uses[cell[1 + end]] == 1; ++k) {
            add_triangle(m, ring[end][0], ring[end][end == 0 ? k : k - 1], ring[end][end == 0 ? k - 1 : k]);
        }
    }
}

/* ---- all ---------------------------------------------------------------------------------------------------------- */

static bool make_room(maker *m, size_t faces)
{
    flexible_skin *s = m->out;
    size_t tubes = 0, planes = 0, nodes = m->mesh->body->nodes.count;
    for (size_t c = 0; c < m->mesh->body->cells.count; ++c) {
        int dimension = m->mesh->types[m->mesh->cells[FLEXIBLE_CELL * c]]->dimension;
        tubes += dimension == 1;
        planes += dimension == 2;
    }
    size_t vertices = 2 * nodes + 2 * ROUND_SIDES * tubes;
    size_t triangles = 4 * faces + 8 * planes + 4 * ROUND_SIDES * tubes;
    s->vertex_node = CAROM_ARENA_ARRAY(&s->arena, int32_t, vertices + 1);
    s->offset = CAROM_ARENA_ARRAY(&s->arena, v3, vertices + 1);
    s->triangles = CAROM_ARENA_ARRAY(&s->arena, int32_t, 3 * triangles + 1);
    s->nodes = CAROM_ARENA_ARRAY(&s->arena, int32_t, nodes + 1);
    for (int k = 0; k < 2; ++k) {
        m->vertex_of[k] = CAROM_ARENA_ARRAY(&s->arena, int32_t, nodes + 1);
        for (size_t i = 0; m->vertex_of[k] && i < nodes; ++i) {
            m->vertex_of[k][i] = -1;
        }
    }
    return !s->arena.failed;
}

static void add_cells(maker *m, const int *uses)
{
    for (size_t c = 0; c < m->mesh->body->cells.count; ++c) {
        const int32_t *cell = m->mesh->cells + FLEXIBLE_CELL * c;
        const solid_type *type = m->mesh->types[cell[0]];
        if (type->dimension == 1) {
            add_tube(m, cell, type, uses);
        } else if (type->dimension == 2) {
            add_plane_cell(m, cell, type);
        }
    }
}

static void add_faces(maker *m, const outer_face *faces, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        const solid_type *type = m->mesh->types[m->mesh->cells[FLEXIBLE_CELL * faces[i].cell]];
        if (type->dimension == 3) {
            add_solid_face(m, &faces[i]);
        } else {
            add_plane_edge(m, &faces[i]);
        }
    }
}

static int *count_uses(const flexible_mesh *mesh, carom_arena *arena)
{
    int *uses = CAROM_ARENA_ARRAY(arena, int, mesh->body->nodes.count + 1);
    for (size_t c = 0; uses && c < mesh->body->cells.count; ++c) {
        const int32_t *cell = mesh->cells + FLEXIBLE_CELL * c;
        for (int i = 0; i < mesh->types[cell[0]]->node_count; ++i) {
            uses[cell[1 + i]] += 1;
        }
    }
    return uses;
}

/* ---- coarser ------------------------------------------------------------------------------------------------------ */

typedef struct cell_place {
    double cell[3];
    int32_t node;
} cell_place;

static int compare_cells(const void *a, const void *b)
{
    const cell_place *p = a, *q = b;
    for (int k = 0; k < 3; ++k) {
        if (p->cell[k] != q->cell[k]) {
            return p->cell[k] < q->cell[k] ? -1 : 1;
        }
    }
    return (p->node > q->node) - (p->node < q->node);
}

/* Nodes that are drawn share cells of a grid with others: all become the first of them. Returns how many are left. */
static size_t cluster(const flexible_skin *s, const flexible_mesh *mesh, double size, cell_place *places,
                      int32_t *become)
{
    size_t left = 0;
    for (size_t i = 0; i < s->node_count; ++i) {
        places[i].node = s->nodes[i];
        for (size_t k = 0; k < 3; ++k) {
            places[i].cell[k] = floor(mesh->nodes[3 * (size_t)s->nodes[i] + k] / size) + 0.0; /* no -0 */
        }
    }
    qsort(places, s->node_count, sizeof *places, compare_cells);
    for (size_t i = 0; i < s->node_count; ++i) {
        bool same = i > 0 && memcmp(places[i].cell, places[i - 1].cell, sizeof places[i].cell) == 0;
        become[places[i].node] = same ? become[places[i - 1].node] : places[i].node;
        left += !same;
    }
    return left;
}

static bool same_vertex(const flexible_skin *s, int32_t a, int32_t b)
{
    return s->vertex_node[a] == s->vertex_node[b] && v3_norm(v3_sub(s->offset[a], s->offset[b])) == 0.0;
}

static void drop_flat(flexible_skin *s)
{
    size_t kept = 0;
    for (size_t t = 0; t < s->triangle_count; ++t) {
        const int32_t *v = s->triangles + 3 * t;
        if (!same_vertex(s, v[0], v[1]) && !same_vertex(s, v[1], v[2]) && !same_vertex(s, v[2], v[0])) {
            memmove(s->triangles + 3 * kept++, v, 3 * sizeof *v);
        }
    }
    s->triangle_count = kept;
}

/* Nodes of triangles, ascending. */
static bool list_nodes(flexible_skin *s, size_t nodes)
{
    bool *used = CAROM_ARENA_ARRAY(&s->arena, bool, nodes + 1);
    s->node_count = 0;
    for (size_t i = 0; used && i < 3 * s->triangle_count; ++i) {
        used[s->vertex_node[s->triangles[i]]] = true;
    }
    for (size_t i = 0; used && i < nodes; ++i) {
        if (used[i]) {
            s->nodes[s->node_count++] = (int32_t)i;
        }
    }
    return used != NULL;
}

static bool coarsen(flexible_skin *s, const flexible_mesh *mesh, size_t most)
{
    size_t nodes = mesh->body->nodes.count;
    cell_place *places = CAROM_ARENA_ARRAY(&s->arena, cell_place, s->node_count + 1);
    int32_t *become = CAROM_ARENA_ARRAY(&s->arena, int32_t, nodes + 1);
    if (!places || !become) {
        return false;
    }
    double longest = size_of(mesh);
    double size = longest / (double)most; /* of nodes in a row; sheets end far above */
    while (cluster(s, mesh, size, places, become) > most && size < 2.0 * longest) {
        size *= 1.1;
    }
    for (size_t v = 0; v < s->vertex_count; ++v) {
        s->vertex_node[v] = become[s->vertex_node[v]];
    }
    drop_flat(s);
    return list_nodes(s, nodes);
}

/* Vertices that no triangle has go; nodes are numbered by what is drawn. */
static bool renumber(flexible_skin *s, size_t nodes)
{
    int32_t *row = CAROM_ARENA_ARRAY(&s->arena, int32_t, nodes + 1);
    int32_t *moved = CAROM_ARENA_ARRAY(&s->arena, int32_t, s->vertex_count + 1);
    if (!row || !moved) {
        return false;
    }
    for (size_t i = 0; i < s->node_count; ++i) {
        row[s->nodes[i]] = (int32_t)i;
    }
    for (size_t i = 0; i < 3 * s->triangle_count; ++i) {
        moved[s->triangles[i]] = 1;
    }
    size_t kept = 0;
    for (size_t v = 0; v < s->vertex_count; ++v) {
        if (moved[v]) {
            s->vertex_node[kept] = row[s->vertex_node[v]];
            s->offset[kept] = s->offset[v];
            moved[v] = (int32_t)kept++;
        }
    }
    s->vertex_count = kept;
    for (size_t i = 0; i < 3 * s->triangle_count; ++i) {
        s->triangles[i] = moved[s->triangles[i]];
    }
    return true;
}

bool flexible_skin_make(flexible_skin *out, const flexible_mesh *mesh, size_t most)
{
    *out = (flexible_skin){ 0 };
    maker m = { .out = out, .mesh = mesh };
    size_t face_count = 0;
    const outer_face *faces = outer_faces(mesh, &out->arena, &face_count);
    const int *uses = count_uses(mesh, &out->arena);
    if (!faces || !uses || !make_room(&m, face_count)) {
        return false;
    }
    add_cells(&m, uses);
    add_faces(&m, faces, face_count);
    bool ok = list_nodes(out, mesh->body->nodes.count);
    out->all_nodes = out->node_count;
    if (ok && most > 0 && out->node_count > most) {
        ok = coarsen(out, mesh, most);
    }
    return ok && renumber(out, mesh->body->nodes.count);
}

void flexible_skin_free(flexible_skin *skin)
{
    carom_arena_free(&skin->arena);
}
