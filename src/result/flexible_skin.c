#include "result/flexible_skin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "elements/solids/beam.h"
#include "elements/solids/solid_surface.h"
#include "result/result_stress.h"

enum { ROUND_SIDES = 16 }; /* of a round bar */

/* ---- vertices and triangles --------------------------------------------------------------------------------------- */

/* A skin in the making: vertices by node of the body. */
typedef struct maker {
    flexible_skin *out;
    const flexible_mesh *mesh;
    int32_t *vertex_of
        [2]; /* of a node: its vertex, of plane bodies those above and below, of bars the first of its ring; -1: none yet */
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

static void add_solid_facet(maker *m, const solid_facet *facet)
{
    int32_t v[3];
    for (int i = 0; i < 3; ++i) {
        v[i] = vertex_of(m, facet->nodes[i], 0, v3_zero());
    }
    add_triangle(m, v[0], v[1], v[2]);
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

/* Triangles of a plane element, whose nodes go around it or have those on its edges behind them. */
static int plane_pieces(const solid_type *type, int out[4][3])
{
    static const int quad[2][3] = { { 0, 1, 2 }, { 0, 2, 3 } };
    static const int triangle[4][3] = { { 0, 3, 5 }, { 3, 1, 4 }, { 5, 4, 2 }, { 3, 4, 5 } };
    bool is_quad = type->node_count == 4;
    memcpy(out, is_quad ? quad : triangle, is_quad ? sizeof quad : sizeof triangle);
    return is_quad ? 2 : 4;
}

static void add_plane_cell(maker *m, const int32_t *cell, const solid_type *type)
{
    v3 half = half_thickness(m->mesh);
    int pieces[4][3];
    int count = plane_pieces(type, pieces);
    for (int p = 0; p < 2 * count; ++p) {
        int side = p % 2;
        int32_t v[3];
        for (int i = 0; i < 3; ++i) {
            v[i] = vertex_of(m, cell[1 + pieces[p / 2][i]], side, v3_scale(side == 0 ? 1.0 : -1.0, half));
        }
        add_triangle(m, v[0], v[side == 0 ? 1 : 2], v[side == 0 ? 2 : 1]);
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

/* Where the k-th vertex of a cross section is: on a circle, or a corner of a rectangle. */
static v3 rim(const section_outline *s, int k)
{
    const double pi = 3.14159265358979323846;
    double angle = s->round ? 2.0 * pi * k / ROUND_SIDES : 0.5 * pi * (k + 0.5);
    double corner = s->round ? 1.0 : sqrt(2.0); /* of the square that is 2 wide */
    return v3_make(0.0, corner * s->half_y * cos(angle), corner * s->half_z * sin(angle));
}

/* The ring of vertices around a node: the one that an element beside it has, where both go straight on. */
static int32_t ring_of(maker *m, int32_t node, const section_outline *s, const m3 *R)
{
    int32_t *known = &m->vertex_of[0][node];
    const int sides = s->round ? ROUND_SIDES : 4;
    v3 first = m3_mulv(*R, rim(s, 0)), second = m3_mulv(*R, rim(s, 1));
    if (*known >= 0) {
        const v3 *there = m->out->offset + *known;
        double off = fmax(v3_norm(v3_sub(there[0], first)), v3_norm(v3_sub(there[1], second)));
        if (off <= 1e-6 * v3_norm(first)) {
            return *known;
        }
    }
    *known = (int32_t)m->out->vertex_count;
    for (int k = 0; k < sides; ++k) {
        add_vertex(m, node, m3_mulv(*R, rim(s, k)));
    }
    return *known;
}

static void add_tube(maker *m, const int32_t *cell, const solid_type *type, const int *uses)
{
    const section_outline outline = section_outline_of(&m->mesh->body->material.section);
    const int sides = outline.round ? ROUND_SIDES : 4;
    const v3 X[2] = { v3_load(m->mesh->nodes + 3 * (size_t)cell[1]), v3_load(m->mesh->nodes + 3 * (size_t)cell[2]) };
    const m3 R = axes_of(m->mesh, type, X);
    const int32_t ring[2] = { ring_of(m, cell[1], &outline, &R), ring_of(m, cell[2], &outline, &R) };
    for (int k = 0; k < sides; ++k) {
        int next = (k + 1) % sides;
        add_triangle(m, ring[0] + k, ring[0] + next, ring[1] + next);
        add_triangle(m, ring[0] + k, ring[1] + next, ring[1] + k);
    }
    for (int end = 0; end < 2; ++end) { /* closed where the line ends */
        for (int k = 2; k < sides && uses[cell[1 + end]] == 1; ++k) {
            add_triangle(m, ring[end], ring[end] + (end == 0 ? k : k - 1), ring[end] + (end == 0 ? k - 1 : k));
        }
    }
}

/* ---- all ---------------------------------------------------------------------------------------------------------- */

static bool make_room(maker *m, size_t facets)
{
    flexible_skin *s = m->out;
    size_t tubes = 0, planes = 0, nodes = m->mesh->body->nodes.count;
    for (size_t c = 0; c < m->mesh->body->cells.count; ++c) {
        int dimension = m->mesh->types[m->mesh->cells[FLEXIBLE_CELL * c]]->dimension;
        tubes += dimension == 1;
        planes += dimension == 2;
    }
    size_t vertices = 2 * nodes + 2 * ROUND_SIDES * tubes;
    size_t triangles = 2 * facets + 8 * planes + 4 * ROUND_SIDES * tubes;
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

static void add_facets(maker *m, const solid_facet *facets, int count)
{
    for (int i = 0; i < count; ++i) {
        if (facets[i].count == 3) {
            add_solid_facet(m, &facets[i]);
        } else if (facets[i].count == 2) {
            add_side(m, facets[i].nodes[0], facets[i].nodes[1]);
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

static solid_element element_of(const void *mesh, int cell)
{
    return result_flexible_element(mesh, (size_t)cell);
}

bool flexible_skin_make(flexible_skin *out, const flexible_mesh *mesh, size_t most)
{
    *out = (flexible_skin){ 0 };
    maker m = { .out = out, .mesh = mesh };
    const solid_elements elements = { mesh, (int)mesh->body->cells.count, element_of };
    solid_facet *facets = NULL;
    int facet_count = 0;
    carom_status found = solid_surface_of(&elements, &out->arena, &facets, &facet_count, NULL);
    const int *uses = count_uses(mesh, &out->arena);
    if (found != CAROM_OK || !uses || !make_room(&m, (size_t)facet_count)) {
        return false;
    }
    add_cells(&m, uses);
    add_facets(&m, facets, facet_count);
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
