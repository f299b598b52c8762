/* The surface of a body of finite elements: its facets, their nodes, how stiff it is behind them. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "model/surface.h"

/* What the surface is found from. */
typedef struct finder {
    model_surface *s;
    const solid_mesh *mesh;
    const bool *held;
} finder;

/* Edges on the axis of an axisymmetric body are inside of it. */
static bool on_axis(const finder *from, const solid_facet *f)
{
    return from->held && f->count == 2 && from->held[2 * f->nodes[0]] && from->held[2 * f->nodes[1]];
}

static void drop_axis(const finder *from)
{
    model_surface *s = from->s;
    int kept = 0;
    for (int f = 0; f < s->facet_count; ++f) {
        if (!on_axis(from, &s->facets[f])) {
            s->facets[kept++] = s->facets[f];
        }
    }
    s->facet_count = kept;
}

static void find_size(const finder *from)
{
    model_surface *s = from->s;
    s->facet_size = HUGE_VAL;
    for (int f = 0; f < s->facet_count; ++f) {
        const solid_facet *facet = &s->facets[f];
        for (int i = 0; i < facet->count; ++i) {
            v3 a = solid_mesh_node(from->mesh, facet->nodes[i]);
            v3 b = solid_mesh_node(from->mesh, facet->nodes[(i + 1) % facet->count]);
            s->facet_size = facet->count > 1 ? fmin(s->facet_size, v3_norm(v3_sub(a, b))) : s->facet_size;
        }
    }
    for (int e = 0; s->dimension == 1 && e < solid_mesh_element_count(from->mesh); ++e) {
        const solid_element bar = solid_mesh_element(from->mesh, e);
        s->facet_size = fmin(s->facet_size, v3_norm(v3_sub(bar.X[1], bar.X[0])));
    }
}

static void list_nodes(const finder *from)
{
    model_surface *s = from->s;
    int nodes = solid_mesh_node_count(from->mesh);
    memset(s->nodes, 0, (size_t)nodes * sizeof *s->nodes);
    for (int f = 0; f < s->facet_count; ++f) {
        for (int i = 0; i < s->facets[f].count; ++i) {
            s->nodes[s->facets[f].nodes[i]] = 1;
        }
    }
    s->node_count = 0;
    for (int i = 0; i < nodes; ++i) {
        if (s->nodes[i]) {
            s->nodes[s->node_count++] = i;
        }
    }
}

/* [m^2] of a facet, and [m^3] of the element behind it: what it weighs over its density. */
static double facet_area(const finder *from, const solid_facet *f, const solid_element *e)
{
    const double two_pi = 6.28318530717958647693;
    v3 x[FACET_NODES];
    for (int i = 0; i < f->count; ++i) {
        x[i] = solid_mesh_node(from->mesh, f->nodes[i]);
    }
    if (f->count == 1) {
        return e->material->section.area;
    }
    double length = v3_norm(v3_sub(x[1], x[0]));
    if (f->count == 2) {
        return length *
               (e->material->plane == AXISYMMETRIC ? two_pi * 0.5 * (x[0].x + x[1].x) : e->material->thickness);
    }
    return 0.5 * v3_norm(v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0])));
}

static double element_volume(const solid_element *e)
{
    double m[SOLID_FREEDOMS];
    double mass = 0.0;
    int own = solid_node_freedoms(e->type->freedoms);
    e->type->lumped_mass(e->type, e->X, e->material, m);
    for (int i = 0; i < e->type->node_count; ++i) {
        mass += m[own * i];
    }
    return mass / e->material->density;
}

/* The usual stiffness of penalty methods: K A^2 / V with the bulk modulus K; of rods E A / h. */
static void find_penalties(const finder *from, double *area)
{
    model_surface *s = from->s;
    int nodes = solid_mesh_node_count(from->mesh);
    double *volume = area + nodes;
    double *count = volume + nodes;
    for (int f = 0; f < s->facet_count; ++f) {
        const solid_facet *facet = &s->facets[f];
        const solid_element e = solid_mesh_element(from->mesh, facet->element);
        double bulk = e.type->continuum ? e.material->young / (3.0 * (1.0 - 2.0 * e.material->poisson))
                                        : e.material->young;
        for (int i = 0; i < facet->count; ++i) {
            int node = facet->nodes[i];
            area[node] += facet_area(from, facet, &e) / facet->count;
            volume[node] += element_volume(&e);
            count[node] += 1.0;
            s->penalty[node] = bulk;
        }
    }
    for (int i = 0; i < nodes; ++i) {
        s->penalty[i] *= count[i] > 0.0 ? area[i] * area[i] * count[i] / volume[i] : 0.0;
    }
}

static carom_status make_penalties(const finder *from, carom_arena *arena, carom_error *err)
{
    size_t nodes = (size_t)solid_mesh_node_count(from->mesh);
    double *room = calloc(3 * nodes + 1, sizeof *room);
    from->s->penalty = CAROM_ARENA_ARRAY(arena, double, nodes);
    if (room && !arena->failed) {
        find_penalties(from, room);
    }
    bool ok = room && !arena->failed;
    free(room);
    return ok ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory for the surface of a mesh");
}

carom_status surface_find(model_surface *s, const solid_mesh *mesh, const bool *held, carom_arena *arena,
                          carom_error *err)
{
    const finder from = { s, mesh, held };
    s->nodes = CAROM_ARENA_ARRAY(arena, int, solid_mesh_node_count(mesh) + 1);
    carom_status status = solid_surface_find(mesh, arena, &s->facets, &s->facet_count, err);
    if (status != CAROM_OK || arena->failed) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the surface of a mesh");
    }
    drop_axis(&from);
    list_nodes(&from);
    find_size(&from);
    status = make_penalties(&from, arena, err);
    status = status == CAROM_OK ? surface_find_edges(s, mesh, arena, err) : status;
    return status == CAROM_OK ? surface_find_corners(s, mesh, arena, err) : status;
}

void surface_leave_zone(model_surface *s, const carom_body_type *type, const void *params, carom_arena *arena)
{
    int kept = 0;
    s->watched = CAROM_ARENA_ARRAY(arena, int, s->node_count + 1);
    for (int f = 0; f < s->facet_count; ++f) {
        bool all = true;
        for (int i = 0; i < s->facets[f].count; ++i) {
            all = all && type->touches(params, s->facets[f].nodes[i]);
        }
        if (all) {
            s->facets[kept++] = s->facets[f];
        }
    }
    s->facet_count = kept;
    kept = 0;
    for (int e = 0; e < s->edge_count; ++e) {
        const surface_edge edge = s->edges[e];
        if (type->touches(params, edge.nodes[0]) && type->touches(params, edge.nodes[1])) {
            s->edges[kept++] = edge;
        }
    }
    s->edge_count = kept;
    kept = 0;
    for (int c = 0; c < s->corner_count; ++c) {
        const surface_corner corner = s->corners[c];
        if (type->touches(params, corner.node)) {
            s->corners[kept++] = corner;
        }
    }
    s->corner_count = kept;
    kept = 0;
    for (int i = 0; s->watched && i < s->node_count; ++i) {
        bool touches = type->touches(params, s->nodes[i]);
        *(touches ? &s->nodes[kept++] : &s->watched[s->watched_count++]) = s->nodes[i];
    }
    s->node_count = kept;
}
