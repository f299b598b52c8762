/* Marching tetrahedra on the body-centred cubic lattice.
 *
 * The lattice has a point at every corner and in every middle of the cubic cells; two middles of neighbouring cells and
 * an edge of the face between them make a tetrahedron, and these fill space with nearly regular shapes. In a
 * tetrahedron the surface is one triangle or two, with vertices on edges of the lattice that all tetrahedra around them
 * share: the result is closed and manifold whatever the function [Treece1999]. */
#include "geometry/make/isosurface.h"

#include <stdlib.h>

#include "geometry/mesh_build.h"

enum { BLOCK = 8 }; /* cells: blocks far from the surface are passed over */

typedef struct crossing { /* an edge of the lattice that meets the surface */
    uint64_t key;         /* smaller node << 32 | larger node; 0: free (no edge joins node 0 to itself) */
    int vertex;
} crossing;

typedef struct lattice {
    const isosurface *s;
    int n[3];            /* cells */
    size_t corner_count; /* nodes of the corners come first, then those of the middles */
    double *values;      /* NAN: not yet asked for */
    mesh_builder b;
    crossing *crossings;
    size_t slot_count, crossing_count;
    bool failed;
} lattice;

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

static uint32_t corner_node(const lattice *l, int i, int j, int k)
{
    return (uint32_t)(((size_t)k * (size_t)(l->n[1] + 1) + (size_t)j) * (size_t)(l->n[0] + 1) + (size_t)i);
}

static uint32_t middle_node(const lattice *l, int i, int j, int k)
{
    size_t cell = ((size_t)k * (size_t)l->n[1] + (size_t)j) * (size_t)l->n[0] + (size_t)i;
    return (uint32_t)(l->corner_count + cell);
}

static v3 node_position(const lattice *l, uint32_t node)
{
    bool middle = node >= l->corner_count;
    size_t index = middle ? node - l->corner_count : node;
    size_t nx = (size_t)(l->n[0] + !middle);
    size_t ny = (size_t)(l->n[1] + !middle);
    double half = middle ? 0.5 : 0.0;
    v3 steps = v3_make((double)(index % nx) + half, (double)(index / nx % ny) + half,
                       (double)(index / (nx * ny)) + half);
    return v3_axpy(l->s->low, l->s->cell, steps);
}

/* Never exactly 0, so that every node is inside or outside. */
static double node_value(lattice *l, uint32_t node)
{
    double *value = &l->values[node];
    if (isnan(*value)) {
        *value = l->s->value(node_position(l, node), NULL);
        *value = fabs(*value) < 1e-9 * l->s->cell ? 1e-9 * l->s->cell : *value;
    }
    return *value;
}

/* ---- vertices ---------------------------------------------------------------------------------------------------- */

static crossing *find_crossing(const lattice *l, uint64_t key)
{
    uint64_t hash = key * UINT64_C(0x9E3779B97F4A7C15);
    size_t mask = l->slot_count - 1;
    for (size_t slot = (size_t)(hash ^ hash >> 32) & mask;; slot = (slot + 1) & mask) {
        if (l->crossings[slot].key == key || l->crossings[slot].key == 0) {
            return &l->crossings[slot];
        }
    }
}

static bool grow_crossings(lattice *l)
{
    if (2 * l->crossing_count < l->slot_count) {
        return true;
    }
    lattice old = *l;
    l->slot_count = l->slot_count ? 4 * l->slot_count : 4096;
    l->crossings = calloc(l->slot_count, sizeof *l->crossings);
    if (!l->crossings) {
        l->crossings = old.crossings;
        l->slot_count = old.slot_count;
        return false;
    }
    for (size_t i = 0; i < old.slot_count; ++i) {
        if (old.crossings[i].key != 0) {
            *find_crossing(l, old.crossings[i].key) = old.crossings[i];
        }
    }
    free(old.crossings);
    return true;
}

/* The vertex where the surface meets the lattice edge between an inner and an outer node. */
static int cross_edge(lattice *l, uint32_t a, uint32_t b)
{
    uint64_t key = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
    if (!grow_crossings(l)) {
        l->failed = true;
        return 0;
    }
    crossing *c = find_crossing(l, key);
    if (c->key == 0) {
        double fa = node_value(l, a);
        double fb = node_value(l, b);
        v3 ra = node_position(l, a);
        v3 r = v3_axpy(ra, fa / (fa - fb), v3_sub(node_position(l, b), ra));
        *c = (crossing){ key, (int)l->b.vertex_count };
        ++l->crossing_count;
        l->failed = !mesh_builder_append(&l->b, r);
    }
    return c->vertex;
}

/* ---- tetrahedra -------------------------------------------------------------------------------------------------- */

static double determinant(v3 a, v3 b, v3 c, v3 d)
{
    return v3_dot(v3_sub(b, a), v3_cross(v3_sub(c, a), v3_sub(d, a)));
}

static void add_triangle(lattice *l, int a, int b, int c, bool turned)
{
    l->failed = l->failed || !mesh_builder_triangle(&l->b, a, turned ? c : b, turned ? b : c);
}

/* One node alone on its side: the triangle across its three edges, seen counter-clockwise from the outside. */
static void cut_corner(lattice *l, const uint32_t node[4], bool inside)
{
    double det = determinant(node_position(l, node[0]), node_position(l, node[1]), node_position(l, node[2]),
                             node_position(l, node[3]));
    int v[3];
    for (int i = 0; i < 3 && !l->failed; ++i) {
        v[i] = cross_edge(l, node[0], node[i + 1]);
    }
    if (!l->failed) {
        add_triangle(l, v[0], v[1], v[2], (det > 0.0) != inside);
    }
}

/* Nodes 0 and 1 inside, 2 and 3 outside: a quadrangle. */
static void cut_middle(lattice *l, const uint32_t node[4])
{
    static const int edges[4][2] = { { 0, 2 }, { 0, 3 }, { 1, 3 }, { 1, 2 } };
    double det = determinant(node_position(l, node[0]), node_position(l, node[1]), node_position(l, node[2]),
                             node_position(l, node[3]));
    int v[4];
    for (int i = 0; i < 4 && !l->failed; ++i) {
        v[i] = cross_edge(l, node[edges[i][0]], node[edges[i][1]]);
    }
    if (!l->failed) {
        add_triangle(l, v[0], v[1], v[2], det < 0.0);
        add_triangle(l, v[0], v[2], v[3], det < 0.0);
    }
}

static void cut_tetrahedron(lattice *l, const uint32_t node[4])
{
    uint32_t sorted[4]; /* inner nodes first */
    int inside = 0;
    int outside = 4;
    for (int i = 0; i < 4; ++i) {
        bool in = node_value(l, node[i]) < 0.0;
        sorted[in ? inside++ : --outside] = node[i];
    }
    if (inside == 1) {
        cut_corner(l, sorted, true);
    } else if (inside == 2) {
        cut_middle(l, sorted);
    } else if (inside == 3) {
        const uint32_t turned[4] = { sorted[3], sorted[0], sorted[1], sorted[2] };
        cut_corner(l, turned, false);
    }
}

/* The four tetrahedra between the middles of a cell and of its next one along an axis. */
static void cut_face(lattice *l, const int cell[3], int axis)
{
    int next[3] = { cell[0], cell[1], cell[2] };
    if (++next[axis] == l->n[axis]) {
        return;
    }
    uint32_t ring[4];
    for (int k = 0; k < 4; ++k) {
        int at[3] = { next[0], next[1], next[2] };
        at[(axis + 1) % 3] += k == 1 || k == 2;
        at[(axis + 2) % 3] += k >= 2;
        ring[k] = corner_node(l, at[0], at[1], at[2]);
    }
    for (int k = 0; k < 4 && !l->failed; ++k) {
        const uint32_t node[4] = { middle_node(l, cell[0], cell[1], cell[2]),
                                   middle_node(l, next[0], next[1], next[2]), ring[k], ring[(k + 1) % 4] };
        cut_tetrahedron(l, node);
    }
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

static bool block_is_far(const lattice *l, const int first[3])
{
    v3 middle = v3_make(first[0] + 0.5 * BLOCK, first[1] + 0.5 * BLOCK, first[2] + 0.5 * BLOCK);
    double reach = (0.5 * BLOCK * sqrt(3.0) + 2.0) * l->s->cell; /* tetrahedra reach one cell out */
    return fabs(l->s->value(v3_axpy(l->s->low, l->s->cell, middle), NULL)) > l->s->steepness * reach;
}

static void cut_block(lattice *l, const int first[3])
{
    int cell[3];
    for (cell[2] = first[2]; cell[2] < first[2] + BLOCK && cell[2] < l->n[2]; ++cell[2]) {
        for (cell[1] = first[1]; cell[1] < first[1] + BLOCK && cell[1] < l->n[1]; ++cell[1]) {
            for (cell[0] = first[0]; cell[0] < first[0] + BLOCK && cell[0] < l->n[0]; ++cell[0]) {
                for (int axis = 0; axis < 3 && !l->failed; ++axis) {
                    cut_face(l, cell, axis);
                }
            }
        }
    }
}

static void cut_blocks(lattice *l)
{
    int first[3];
    for (first[2] = 0; first[2] < l->n[2]; first[2] += BLOCK) {
        for (first[1] = 0; first[1] < l->n[1]; first[1] += BLOCK) {
            for (first[0] = 0; first[0] < l->n[0] && !l->failed; first[0] += BLOCK) {
                if (!block_is_far(l, first)) {
                    cut_block(l, first);
                }
            }
        }
    }
}

void isosurface_extract(mesh **out, const isosurface *s)
{
    lattice l = { .s = s };
    v3 size = v3_sub(s->high, s->low);
    for (int i = 0; i < 3; ++i) {
        l.n[i] = (int)ceil(v3_get(size, i) / s->cell) + 1;
    }
    l.corner_count = (size_t)(l.n[0] + 1) * (size_t)(l.n[1] + 1) * (size_t)(l.n[2] + 1);
    size_t count = l.corner_count + (size_t)l.n[0] * (size_t)l.n[1] * (size_t)l.n[2];
    l.values = malloc(count * sizeof *l.values);
    l.failed = !l.values;
    for (size_t i = 0; i < count && !l.failed; ++i) {
        l.values[i] = (double)NAN;
    }
    cut_blocks(&l);
    *out = l.failed ? NULL : mesh_builder_finish(&l.b);
    mesh_builder_free(&l.b);
    free(l.crossings);
    free(l.values);
}

/* ---- afterwards -------------------------------------------------------------------------------------------------- */

static v3 to_surface(const isosurface *s, v3 p)
{
    for (int i = 0; i < 3; ++i) {
        v3 gradient;
        double value = s->value(p, &gradient);
        double norm2 = v3_norm2(gradient);
        if (norm2 < 1e-6) {
            break;
        }
        p = v3_axpy(p, -value / norm2, gradient);
    }
    return p;
}

void isosurface_project(mesh *m, int first, const isosurface *s)
{
    for (int i = first; i < m->vertex_count; ++i) {
        m->vertices[i] = to_surface(s, m->vertices[i]);
    }
}

bool isosurface_relax(mesh *m, const isosurface *s, int rounds, double part)
{
    size_t count = (size_t)m->vertex_count;
    v3 *sum = malloc((count + 1) * sizeof *sum);
    int *neighbours = malloc((count + 1) * sizeof *neighbours);
    bool ok = sum && neighbours;
    for (int round = 0; ok && round < rounds; ++round) {
        for (size_t i = 0; i < count; ++i) {
            sum[i] = v3_zero();
            neighbours[i] = 0;
        }
        for (int i = 0; i < 3 * m->triangle_count; ++i) { /* closed: each neighbour comes once this way */
            int from = m->triangles[i / 3][i % 3];
            sum[from] = v3_add(sum[from], m->vertices[m->triangles[i / 3][(i % 3 + 1) % 3]]);
            ++neighbours[from];
        }
        for (size_t i = 0; i < count; ++i) {
            v3 middle = v3_scale(1.0 / neighbours[i], sum[i]);
            m->vertices[i] = to_surface(s, v3_axpy(m->vertices[i], part, v3_sub(middle, m->vertices[i])));
        }
    }
    free(sum);
    free(neighbours);
    return ok;
}
