/* Fuzz target: any bytes as a Gmsh file. What is read must be whole: cells have nodes that exist, groups cells that exist. */
#include "base/assert.h"
#include "mesh_files/gmsh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_cells(const volume_mesh *m)
{
    for (int c = 0; c < m->cell_count; ++c) {
        for (int i = 0; i < cell_kind_nodes(m->cells[c].kind); ++i) {
            int node = m->cells[c].nodes[i];
            CAROM_ASSERT(node >= 0 && node < m->node_count);
        }
    }
}

static void check_groups(const volume_mesh *m)
{
    for (int g = 0; g < m->group_count; ++g) {
        const volume_group *group = &m->groups[g];
        for (int k = 0; k < group->cell_count; ++k) {
            CAROM_ASSERT(group->cells[k] >= 0 && group->cells[k] < m->cell_count);
            CAROM_ASSERT(cell_kind_dimension(m->cells[group->cells[k]].kind) == group->dimension);
            CAROM_ASSERT(k == 0 || group->cells[k] > group->cells[k - 1]);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    carom_error err = { 0 };
    volume_mesh m;
    if (gmsh_parse(&m, data, size, "a.msh", 1.0, &err) == CAROM_OK) {
        check_cells(&m);
        check_groups(&m);
        volume_mesh_free(&m);
    }
    return 0;
}
