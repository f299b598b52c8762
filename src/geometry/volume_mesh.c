/* Meshes of cells: kinds, growth, groups. */
#include "geometry/volume_mesh.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static const struct {
    const char *name;
    int dimension, node_count;
} kinds[CELL_KINDS] = {
    [CELL_POINT] = { "point", 0, 1 },
    [CELL_LINE2] = { "line2", 1, 2 },
    [CELL_LINE3] = { "line3", 1, 3 },
    [CELL_TRIANGLE3] = { "triangle3", 2, 3 },
    [CELL_TRIANGLE6] = { "triangle6", 2, .node_count = 6 },
    [CELL_QUAD4] = { "quad4", 2, 4 },
    [CELL_TETRAHEDRON4] = { "tetrahedron4", 3, 4 },
    [CELL_TETRAHEDRON10] = { "tetrahedron10", 3, 10 },
    [CELL_HEXAHEDRON8] = { "hexahedron8", 3, 8 },
};

const char *cell_kind_name(cell_kind kind)
{
    return kinds[kind].name;
}

int cell_kind_nodes(cell_kind kind)
{
    return kinds[kind].node_count;
}

int cell_kind_dimension(cell_kind kind)
{
    return kinds[kind].dimension;
}

void volume_mesh_free(volume_mesh *mesh)
{
    for (int g = 0; g < mesh->group_count; ++g) {
        free(mesh->groups[g].name);
        free(mesh->groups[g].cells);
    }
    free(mesh->groups);
    free(mesh->cells);
    free(mesh->nodes);
    *mesh = (volume_mesh){ 0 };
}

bool volume_mesh_add_node(volume_mesh *mesh, v3 node)
{
    if (mesh->node_count == INT_MAX ||
        !CAROM_ARRAY_RESERVE(mesh->nodes, mesh->node_capacity, (size_t)mesh->node_count + 1)) {
        return false;
    }
    mesh->nodes[mesh->node_count++] = node;
    return true;
}

bool volume_mesh_add_cell(volume_mesh *mesh, cell_kind kind, const int *nodes)
{
    if (mesh->cell_count == INT_MAX ||
        !CAROM_ARRAY_RESERVE(mesh->cells, mesh->cell_capacity, (size_t)mesh->cell_count + 1)) {
        return false;
    }
    volume_cell *cell = &mesh->cells[mesh->cell_count++];
    *cell = (volume_cell){ .kind = kind };
    memcpy(cell->nodes, nodes, (size_t)cell_kind_nodes(kind) * sizeof *nodes);
    return true;
}

/* ---- groups ---- */

int volume_mesh_group(volume_mesh *mesh, const char *name, int dimension)
{
    for (int g = 0; g < mesh->group_count; ++g) {
        if (mesh->groups[g].dimension == dimension && strcmp(mesh->groups[g].name, name) == 0) {
            return g;
        }
    }
    size_t bytes = strlen(name) + 1;
    char *own = malloc(bytes);
    if (!own || !CAROM_ARRAY_RESERVE(mesh->groups, mesh->group_capacity, (size_t)mesh->group_count + 1)) {
        free(own);
        return -1;
    }
    memcpy(own, name, bytes);
    mesh->groups[mesh->group_count] = (volume_group){ .name = own, .dimension = dimension };
    return mesh->group_count++;
}

bool volume_mesh_add_to_group(volume_mesh *mesh, int group, int cell)
{
    volume_group *g = &mesh->groups[group];
    if (g->cell_count > 0 && g->cells[g->cell_count - 1] == cell) {
        return true;
    }
    if (!CAROM_ARRAY_RESERVE(g->cells, g->cell_capacity, (size_t)g->cell_count + 1)) {
        return false;
    }
    g->cells[g->cell_count++] = cell;
    return true;
}

const volume_group *volume_mesh_find_group(const volume_mesh *mesh, const char *name)
{
    const volume_group *found = NULL;
    for (int g = 0; g < mesh->group_count; ++g) {
        const volume_group *group = &mesh->groups[g];
        if (strcmp(group->name, name) == 0 && (!found || group->dimension > found->dimension)) {
            found = group;
        }
    }
    return found;
}
