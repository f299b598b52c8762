/* The surface of a body in nodal coordinates: its facets, their nodes, how stiff it is behind them. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "model/nodal.h"

/* Edges on the axis of an axisymmetric body are inside of it. */
static bool on_axis(const model_nodal *n, const solid_facet *f)
{
    const bool *held = nodal_held(n->nodes);
    return f->count == 2 && nodal_dimension(n->nodes) == 2 && held[2 * f->nodes[0]] && held[2 * f->nodes[1]];
}

static void drop_axis(model_nodal *n)
{
    int kept = 0;
    for (int f = 0; f < n->facet_count; ++f) {
        if (!on_axis(n, &n->facets[f])) {
            n->facets[kept++] = n->facets[f];
        }
    }
    n->facet_count = kept;
}

static void find_size(model_nodal *n)
{
    n->facet_size = HUGE_VAL;
    for (int f = 0; f < n->facet_count; ++f) {
        const solid_facet *facet = &n->facets[f];
        for (int i = 0; i < facet->count; ++i) {
            v3 a = solid_mesh_node(n->mesh, facet->nodes[i]);
            v3 b = solid_mesh_node(n->mesh, facet->nodes[(i + 1) % facet->count]);
            n->facet_size = facet->count > 1 ? fmin(n->facet_size, v3_norm(v3_sub(a, b))) : n->facet_size;
        }
    }
    for (int e = 0; nodal_dimension(n->nodes) == 1 && e < solid_mesh_element_count(n->mesh); ++e) {
        const solid_element bar = solid_mesh_element(n->mesh, e);
        n->facet_size = fmin(n->facet_size, v3_norm(v3_sub(bar.X[1], bar.X[0])));
    }
}

static void list_nodes(model_nodal *n)
{
    int nodes = nodal_node_count(n->nodes);
    memset(n->surface, 0, (size_t)nodes * sizeof *n->surface);
    for (int f = 0; f < n->facet_count; ++f) {
        for (int i = 0; i < n->facets[f].count; ++i) {
            n->surface[n->facets[f].nodes[i]] = 1;
        }
    }
    n->surface_count = 0;
    for (int i = 0; i < nodes; ++i) {
        if (n->surface[i]) {
            n->surface[n->surface_count++] = i;
        }
    }
}

/* [m^2] of a facet, and [m^3] of the element behind it: what it weighs over its density. */
static double facet_area(const model_nodal *n, const solid_facet *f, const solid_element *e)
{
    const double two_pi = 6.28318530717958647693;
    v3 x[FACET_NODES];
    for (int i = 0; i < f->count; ++i) {
        x[i] = solid_mesh_node(n->mesh, f->nodes[i]);
    }
    if (f->count == 1) {
        return e->material->section.area;
    }
    double length = v3_norm(v3_sub(x[1], x[0]));
    if (f->count == 2) {
        return length * (nodal_axisymmetric(n->nodes) ? two_pi * 0.5 * (x[0].x + x[1].x) : e->material->thickness);
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
static void find_penalties(model_nodal *n, double *area)
{
    int nodes = nodal_node_count(n->nodes);
    double *volume = area + nodes;
    double *count = volume + nodes;
    for (int f = 0; f < n->facet_count; ++f) {
        const solid_facet *facet = &n->facets[f];
        const solid_element e = solid_mesh_element(n->mesh, facet->element);
        double bulk = e.type->continuum ? e.material->young / (3.0 * (1.0 - 2.0 * e.material->poisson))
                                        : e.material->young;
        for (int i = 0; i < facet->count; ++i) {
            int node = facet->nodes[i];
            area[node] += facet_area(n, facet, &e) / facet->count;
            volume[node] += element_volume(&e);
            count[node] += 1.0;
            n->penalty[node] = bulk;
        }
    }
    for (int i = 0; i < nodes; ++i) {
        n->penalty[i] *= count[i] > 0.0 ? area[i] * area[i] * count[i] / volume[i] : 0.0;
    }
}

static carom_status make_penalties(model_nodal *n, carom_arena *arena, carom_error *err)
{
    size_t nodes = (size_t)nodal_node_count(n->nodes);
    double *room = calloc(3 * nodes + 1, sizeof *room);
    n->penalty = CAROM_ARENA_ARRAY(arena, double, nodes);
    if (room && !arena->failed) {
        find_penalties(n, room);
    }
    bool ok = room && !arena->failed;
    free(room);
    return ok ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory for the surface of a mesh");
}

carom_status nodal_find_surface(model_nodal *n, carom_arena *arena, carom_error *err)
{
    n->surface = CAROM_ARENA_ARRAY(arena, int, nodal_node_count(n->nodes) + 1);
    carom_status status = solid_surface_find(n->mesh, arena, &n->facets, &n->facet_count, err);
    if (status != CAROM_OK || arena->failed) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the surface of a mesh");
    }
    drop_axis(n);
    list_nodes(n);
    find_size(n);
    return make_penalties(n, arena, err);
}
