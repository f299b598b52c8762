/* Grids of cells: counts, grading, orientation, and what is refused. */
#include "support/check.h"

#include <stdlib.h>

#include "geometry/volume_mesh.h"

/* Length, area or volume of the corners of a cell, with its sign. */
static double measure(const volume_mesh *m, const volume_cell *cell)
{
    const int *n = cell->nodes;
    v3 a = v3_sub(m->nodes[n[1]], m->nodes[n[0]]);
    switch (cell->kind) {
    case CELL_LINE2:
        return a.x;
    case CELL_QUAD4: {
        v3 b = v3_sub(m->nodes[n[3]], m->nodes[n[0]]);
        return v3_cross(a, b).z;
    }
    case CELL_TRIANGLE6: {
        v3 b = v3_sub(m->nodes[n[2]], m->nodes[n[0]]);
        return 0.5 * v3_cross(a, b).z;
    }
    case CELL_HEXAHEDRON8: {
        v3 b = v3_sub(m->nodes[n[3]], m->nodes[n[0]]);
        v3 c = v3_sub(m->nodes[n[4]], m->nodes[n[0]]);
        return v3_dot(v3_cross(a, b), c);
    }
    default: {
        v3 b = v3_sub(m->nodes[n[2]], m->nodes[n[0]]);
        v3 c = v3_sub(m->nodes[n[3]], m->nodes[n[0]]);
        return v3_dot(v3_cross(a, b), c) / 6.0;
    }
    }
}

TEST(volume_mesh, grids_fill_their_box_once)
{
    const volume_axis axes[3] = { { 1.0, 2.0, 3, 4.0 }, { -1.0, 1.5, 2, 0.3 }, { 0.0, 0.5, 2, 1.0 } };
    static const struct {
        cell_kind kind;
        int nodes, cells;
    } expected[] = {
        { CELL_LINE2, 4, 3 },         { CELL_QUAD4, 12, 6 },         { CELL_TRIANGLE6, 35, 12 },
        { CELL_HEXAHEDRON8, 36, 12 }, { CELL_TETRAHEDRON4, 36, 72 }, { CELL_TETRAHEDRON10, 175, 72 },
    };
    for (size_t k = 0; k < sizeof expected / sizeof expected[0]; ++k) {
        carom_error err = { 0 };
        volume_mesh m;
        double sum = 0.0;
        double whole = 1.0;
        CHECK_OK(volume_mesh_grid(&m, expected[k].kind, axes, &err), err);
        CHECK_EQ(m.node_count, expected[k].nodes);
        CHECK_EQ(m.cell_count, expected[k].cells);
        for (int c = 0; c < m.cell_count; ++c) {
            double own = measure(&m, &m.cells[c]);
            CHECK(own > 0.0);
            sum += own;
        }
        for (int a = 0; a < cell_kind_dimension(expected[k].kind); ++a) {
            whole *= axes[a].length;
        }
        CHECK_NEAR(sum, whole, 1e-13);
        volume_mesh_free(&m);
    }
}

TEST(volume_mesh, cells_grow_by_a_constant_factor)
{
    carom_error err = { 0 };
    volume_mesh m;
    CHECK_OK(volume_mesh_grid(&m, CELL_LINE2, &(volume_axis){ 0.0, 3.5, 3, 4.0 }, &err), err);
    const double expected[4] = { 0.0, 0.5, 1.5, 3.5 };
    for (int i = 0; i < 4; ++i) {
        CHECK_NEAR(m.nodes[i].x, expected[i], 1e-14);
    }
    volume_mesh_free(&m);
}

/* Middle nodes lie in the middle of their edges, also in graded grids. */
TEST(volume_mesh, middle_nodes_lie_in_the_middle)
{
    static const int edges[6][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 0, 3 }, { 1, 3 }, { 2, 3 } };
    const volume_axis axes[3] = { { 0.0, 1.0, 3, 5.0 }, { 0.0, 1.0, 2, 0.2 }, { 0.0, 1.0, 2, 3.0 } };
    carom_error err = { 0 };
    volume_mesh m;
    CHECK_OK(volume_mesh_grid(&m, CELL_TETRAHEDRON10, axes, &err), err);
    for (int c = 0; c < m.cell_count; ++c) {
        const int *n = m.cells[c].nodes;
        for (int e = 0; e < 6; ++e) {
            v3 middle = v3_scale(0.5, v3_add(m.nodes[n[edges[e][0]]], m.nodes[n[edges[e][1]]]));
            CHECK_LE(v3_norm(v3_sub(m.nodes[n[4 + e]], middle)), 1e-15);
        }
    }
    volume_mesh_free(&m);
}

static void check_refused(cell_kind kind, volume_axis first, const char *sentence)
{
    const volume_axis axes[3] = { first, { 0.0, 1.0, 1, 1.0 }, { 0.0, 1.0, 1, 1.0 } };
    carom_error err = { 0 };
    volume_mesh m;
    CHECK_EQ(volume_mesh_grid(&m, kind, axes, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, sentence);
    CHECK(m.nodes == NULL && m.cells == NULL);
}

TEST(volume_mesh, what_makes_no_grid_is_refused)
{
    check_refused(CELL_QUAD4, (volume_axis){ 0.0, 0.0, 1, 1.0 }, "along x");
    check_refused(CELL_QUAD4, (volume_axis){ 0.0, 1.0, 0, 1.0 }, "0 cells along x");
    check_refused(CELL_QUAD4, (volume_axis){ 0.0, 1.0, 1, 0.0 }, "grading");
    check_refused(CELL_TRIANGLE3, (volume_axis){ 0.0, 1.0, 1, 1.0 }, "triangle3");
    const volume_axis many[3] = { { 0.0, 1.0, 100000, 1.0 }, { 0.0, 1.0, 100000, 1.0 }, { 0.0, 1.0, 100000, 1.0 } };
    carom_error err = { 0 };
    volume_mesh m;
    CHECK_EQ(volume_mesh_grid(&m, CELL_HEXAHEDRON8, many, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "fewer cells");
}

TEST(volume_mesh, kinds_have_names_and_nodes)
{
    for (int k = 0; k < CELL_KINDS; ++k) {
        CHECK(cell_kind_name((cell_kind)k) != NULL);
        CHECK(cell_kind_nodes((cell_kind)k) >= 1 && cell_kind_nodes((cell_kind)k) <= CELL_NODES);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(volume_mesh, grids_fill_their_box_once),      RUN_TEST(volume_mesh, cells_grow_by_a_constant_factor),
        RUN_TEST(volume_mesh, middle_nodes_lie_in_the_middle), RUN_TEST(volume_mesh, what_makes_no_grid_is_refused),
        RUN_TEST(volume_mesh, kinds_have_names_and_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
