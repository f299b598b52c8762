#include "result/modes_mesh.h"

#include <math.h>

static int32_t *make_cells(const carom_modes *m, carom_arena *arena)
{
    int32_t *cells = CAROM_ARENA_ARRAY(arena, int32_t, FLEXIBLE_CELL * (size_t)m->element_count + 1);
    for (int e = 0; cells && e < m->element_count; ++e) {
        int32_t *to = cells + FLEXIBLE_CELL * (size_t)e;
        while (solid_types()[to[0]] != m->elements[e].type) {
            ++to[0];
        }
        for (int i = 0; i < SOLID_NODES; ++i) {
            to[1 + i] = i < m->elements[e].type->node_count ? m->elements[e].nodes[i] : -1;
        }
    }
    return cells;
}

bool modes_mesh_make(flexible_mesh *out, const carom_modes *m, carom_arena *arena)
{
    flexible_body *body = CAROM_ARENA_ARRAY(arena, flexible_body, 1);
    double *nodes = CAROM_ARENA_ARRAY(arena, double, 3 * (size_t)m->node_count + 1);
    const int32_t *cells = make_cells(m, arena);
    if (arena->failed) {
        return false;
    }
    *body = (flexible_body){ .kind = "modes",
                             .material = *m->material,
                             .nodes = { 0, (size_t)m->node_count },
                             .cells = { 0, (size_t)m->element_count } };
    for (int i = 0; i < m->node_count; ++i) {
        v3_store(nodes + 3 * i, m->nodes[i]);
    }
    *out = (flexible_mesh){ body, nodes, cells, solid_types() };
    return true;
}

node_motion modes_motion(const carom_modes *m, int index)
{
    size_t first = 3 * (size_t)index * (size_t)m->node_count;
    return (node_motion){ m->shapes + first, m->turns + first };
}

double modes_reach(const carom_modes *m, int index)
{
    const double *u = modes_motion(m, index).u;
    double most = 0.0;
    for (int i = 0; i < m->node_count; ++i) {
        most = fmax(most, v3_norm(v3_load(u + 3 * i)));
    }
    return most;
}

double carom_modes_strain(const carom_modes *m, int index)
{
    carom_arena arena = { 0 };
    flexible_mesh mesh;
    stress_room room;
    double most = 0.0;
    if (!m || index < 0 || index >= m->count) {
        return (double)NAN;
    }
    node_stress *stress = CAROM_ARENA_ARRAY(&arena, node_stress, m->node_count + 1);
    bool ok = modes_mesh_make(&mesh, m, &arena) && stress_room_make(&room, &arena, (size_t)m->node_count);
    if (ok) {
        stress_at_nodes(&mesh, modes_motion(m, index), NULL, &room, stress);
    }
    for (int i = 0; ok && i < m->node_count; ++i) {
        most = fmax(most, fabs((double)stress[i].principal)); /* fmax leaves out what is no number */
    }
    double reach = modes_reach(m, index);
    carom_arena_free(&arena);
    return ok && reach > 0.0 ? most / reach : (double)NAN;
}
