/* Meshes of finite elements: numbering, totals, stresses, parts and what is refused. */
#include "support/check.h"

#include <stdlib.h>

#include "elements/solids/solid_mesh.h"
#include "linalg/sparse.h"

static const double PI = 3.14159265358979323846;

static solid_material material(void)
{
    solid_material m = solid_material_default;
    m.young = 7.0e10;
    m.poisson = 0.3;
    m.density = 2700.0;
    m.thickness = 0.03;
    m.section = (solid_section){ 3e-4, 2e-8, 5e-8, 4e-8, 0.85, 0.8, { 0.0, 1.0, 0.0 } };
    return m;
}

static void check_totals(const solid_mesh *mesh, double mass, v3 centre, v3 inertia)
{
    solid_totals t = solid_mesh_totals(mesh);
    const double expected[3] = { inertia.x, inertia.y, inertia.z };
    CHECK_NEAR(t.mass / mass, 1.0, 1e-12);
    CHECK_LE(v3_norm(v3_sub(t.centre, centre)), 1e-13);
    for (int k = 0; k < 9; ++k) {
        CHECK_NEAR(t.inertia.m[k], k % 4 == 0 ? expected[k / 4] : 0.0, 1e-12 * inertia.z);
    }
}

static const volume_axis box[3] = { { 0.1, 0.4, 3, 2.0 }, { -0.1, 0.3, 2, 0.5 }, { 0.2, 0.2, 2, 3.0 } };

/* Graded blocks of any cells have the mass and inertia of the block. */
TEST(solid_mesh, totals_are_those_of_a_block)
{
    static const cell_kind kinds[3] = { CELL_HEXAHEDRON8, CELL_TETRAHEDRON4, CELL_TETRAHEDRON10 };
    for (int k = 0; k < 3; ++k) {
        carom_error err = { 0 };
        volume_mesh cells;
        solid_mesh *mesh;
        solid_part part = { .type = solid_type_find(cell_kind_name(kinds[k])), .material = material() };
        CHECK_OK(volume_mesh_grid(&cells, kinds[k], box, &err), err);
        CHECK_OK(solid_mesh_create(&mesh, &cells, &part, 1, &err), err);
        double mass = 2700.0 * 0.4 * 0.3 * 0.2;
        check_totals(mesh, mass, v3_make(0.3, 0.05, 0.3),
                     v3_scale(mass / 12.0, v3_make(0.09 + 0.04, 0.16 + 0.04, 0.16 + 0.09)));
        CHECK_EQ(solid_mesh_element_count(mesh), 12 * (kinds[k] == CELL_HEXAHEDRON8 ? 1 : 6));
        double *m = calloc((size_t)solid_mesh_freedom_count(mesh), sizeof *m);
        double sum = 0.0;
        CHECK(m != NULL);
        solid_mesh_lumped_mass(mesh, m);
        for (int i = 0; i < solid_mesh_freedom_count(mesh); ++i) {
            CHECK(m[i] > 0.0);
            sum += m[i];
        }
        CHECK_NEAR(sum / (3.0 * mass), 1.0, 1e-12);
        free(m);
        solid_mesh_destroy(mesh);
        volume_mesh_free(&cells);
    }
}

TEST(solid_mesh, totals_are_those_of_plates_rods_and_beams)
{
    carom_error err = { 0 };
    volume_mesh cells;
    solid_mesh *mesh;
    static const cell_kind kinds[2] = { CELL_QUAD4, CELL_TRIANGLE6 };
    for (int k = 0; k < 2; ++k) {
        solid_part part = { .type = solid_type_find(cell_kind_name(kinds[k])), .material = material() };
        CHECK_OK(volume_mesh_grid(&cells, kinds[k], box, &err), err);
        CHECK_OK(solid_mesh_create(&mesh, &cells, &part, 1, &err), err);
        double mass = 2700.0 * 0.4 * 0.3 * 0.03;
        check_totals(mesh, mass, v3_make(0.3, 0.05, 0.0),
                     v3_scale(mass / 12.0, v3_make(0.09 + 0.0009, 0.16 + 0.0009, 0.16 + 0.09)));
        solid_mesh_destroy(mesh);
        part.material.plane = AXISYMMETRIC; /* a tube with the radii 0.1 and 0.5 */
        CHECK_OK(solid_mesh_create(&mesh, &cells, &part, 1, &err), err);
        mass = 2700.0 * PI * (0.25 - 0.01) * 0.3;
        double across = mass * (0.25 * (0.25 + 0.01) + 0.09 / 12.0);
        check_totals(mesh, mass, v3_make(0.0, 0.05, 0.0), v3_make(across, mass * 0.5 * (0.25 + 0.01), across));
        solid_mesh_destroy(mesh);
        volume_mesh_free(&cells);
    }
    solid_part beam = { .type = solid_type_find("timoshenko-beam"), .material = material() };
    CHECK_OK(volume_mesh_grid(&cells, CELL_LINE2, box, &err), err);
    CHECK_OK(solid_mesh_create(&mesh, &cells, &beam, 1, &err), err);
    double mass = 2700.0 * 3e-4 * 0.4;
    double across = mass * 0.16 / 12.0;
    check_totals(mesh, mass, v3_make(0.3, 0.0, 0.0),
                 v3_make(2700.0 * 0.4 * 7e-8, across + 2700.0 * 0.4 * 2e-8, across + 2700.0 * 0.4 * 5e-8));
    solid_mesh_destroy(mesh);
    volume_mesh_free(&cells);
}

/* A block under tension, held as its faces of symmetry are. */
TEST(solid_mesh, a_block_under_tension_has_one_stress)
{
    carom_error err = { 0 };
    volume_mesh cells;
    solid_mesh *mesh;
    sparse_matrix *K;
    sparse_factor *factor;
    solid_part part = { .type = solid_type_find("hexahedron8"), .material = material() };
    CHECK_OK(volume_mesh_grid(&cells, CELL_HEXAHEDRON8, box, &err), err);
    CHECK_OK(solid_mesh_create(&mesh, &cells, &part, 1, &err), err);
    int n = solid_mesh_freedom_count(mesh);
    bool *held = calloc((size_t)n, sizeof *held);
    double *u = calloc((size_t)n, sizeof *u);
    double *f = calloc((size_t)n, sizeof *f);
    CHECK(held && u && f);
    CHECK_EQ(n, 3 * solid_mesh_node_count(mesh));
    const double stretch = 1e-4;
    for (int i = 0; i < solid_mesh_node_count(mesh); ++i) {
        v3 x = solid_mesh_node(mesh, i);
        int along = solid_mesh_freedom(mesh, i, MOVE_X);
        bool end = x.x > 0.5 - 1e-9;
        held[along] = x.x < 0.1 + 1e-9 || end;
        u[along] = end ? 0.4 * stretch : 0.0;
        held[solid_mesh_freedom(mesh, i, MOVE_Y)] = x.y < -0.1 + 1e-9;
        held[solid_mesh_freedom(mesh, i, MOVE_Z)] = x.z < 0.2 + 1e-9;
    }
    sparse_matrix *all;
    CHECK_OK(solid_mesh_stiffness(mesh, NULL, &all, &err), err);
    sparse_times(all, u, f);
    CHECK_OK(solid_mesh_stiffness(mesh, held, &K, &err), err);
    CHECK_OK(sparse_factor_create(&factor, K, &err), err);
    int rows = 0;
    for (int k = 0; k < n; ++k) {
        f[rows] = -f[k];
        rows += !held[k];
    }
    CHECK_EQ(rows, sparse_size(K));
    sparse_solve(factor, f, 1);
    for (int k = 0, r = 0; k < n; ++k) {
        u[k] = held[k] ? u[k] : f[r++];
    }
    for (int e = 0; e < solid_mesh_element_count(mesh); ++e) {
        double strain[SOLID_STRAINS];
        double stress[SOLID_STRAINS];
        solid_mesh_strain(mesh, e, u, (const double[3]){ 0.3, -0.8, 0.1 }, strain, stress);
        for (int a = 0; a < SOLID_STRAINS; ++a) {
            CHECK_NEAR(stress[a], a == STRAIN_XX ? 7.0e10 * stretch : 0.0, 1e-4);
        }
        CHECK_NEAR(strain[STRAIN_YY], -0.3 * stretch, 1e-15);
    }
    free(held);
    free(u);
    free(f);
    sparse_factor_destroy(factor);
    sparse_destroy(K);
    sparse_destroy(all);
    solid_mesh_destroy(mesh);
    volume_mesh_free(&cells);
}

/* Two lines, one a bar and one a beam: nodes have the freedoms of what meets there. */
static volume_mesh two_lines(void)
{
    volume_mesh cells = { 0 };
    const int first[2] = { 0, 1 };
    const int second[2] = { 1, 2 };
    for (int i = 0; i < 4; ++i) {
        CHECK(volume_mesh_add_node(&cells, v3_make(i, 0.0, 0.0)));
    }
    CHECK(volume_mesh_add_cell(&cells, CELL_LINE2, first));
    CHECK(volume_mesh_add_cell(&cells, CELL_LINE2, second));
    int group = volume_mesh_group(&cells, "cable", 1);
    CHECK_EQ(group, 0);
    CHECK_EQ(volume_mesh_group(&cells, "cable", 1), 0);
    CHECK_EQ(volume_mesh_group(&cells, "cable", 2), 1);
    CHECK(volume_mesh_add_to_group(&cells, group, 0));
    CHECK(volume_mesh_add_to_group(&cells, group, 0));
    CHECK_EQ(cells.groups[group].cell_count, 1);
    cells.groups[1].name[0] = 't'; /* "table": an area, without cells */
    return cells;
}

TEST(solid_mesh, nodes_have_the_freedoms_of_their_elements)
{
    carom_error err = { 0 };
    volume_mesh cells = two_lines();
    solid_mesh *mesh;
    sparse_matrix *M;
    volume_mesh_group(&cells, "mast", 1);
    CHECK(volume_mesh_add_to_group(&cells, 2, 1));
    CHECK(volume_mesh_find_group(&cells, "cable") == &cells.groups[0]);
    CHECK(volume_mesh_find_group(&cells, "none") == NULL);
    /* The beam first, so that the bar must not take from what it gave. */
    const solid_part parts[2] = { { "mast", solid_type_find("euler-beam"), material() },
                                  { NULL, solid_type_find("bar"), material() } };
    CHECK_OK(solid_mesh_create(&mesh, &cells, parts, 2, &err), err);
    CHECK_EQ(solid_mesh_freedom_count(mesh), 3 + 6 + 6);
    CHECK_EQ(solid_mesh_freedom(mesh, 0, TURN_X), -1);
    CHECK_EQ(solid_mesh_freedom(mesh, 1, MOVE_X), 3);
    CHECK_EQ(solid_mesh_freedom(mesh, 2, TURN_Z), 14);
    CHECK_EQ(solid_mesh_freedom(mesh, 3, MOVE_X), -1);
    CHECK_OK(solid_mesh_mass(mesh, NULL, true, &M, &err), err);
    CHECK_EQ(sparse_size(M), 15);
    sparse_destroy(M);
    solid_mesh_destroy(mesh);
    volume_mesh_free(&cells);
}

static void check_refused(const volume_mesh *cells, const solid_part *parts, int count, const char *sentence)
{
    carom_error err = { 0 };
    solid_mesh *mesh;
    CHECK_EQ(solid_mesh_create(&mesh, cells, parts, count, &err), CAROM_BAD_INPUT);
    CHECK(mesh == NULL);
    CHECK_CONTAINS(err.message, sentence);
}

TEST(solid_mesh, what_makes_no_mesh_is_refused)
{
    volume_mesh cells = two_lines();
    solid_part part = { "cable", solid_type_find("bar"), material() };
    const solid_part twice[2] = { part, part };
    check_refused(&cells, twice, 2, "already");
    part.group = "rope";
    check_refused(&cells, &part, 1, "no group 'rope'");
    part.group = NULL;
    part.type = solid_type_find("quad4");
    check_refused(&cells, &part, 1, "no cells for elements of the kind 'quad4'");
    part.group = "cable";
    check_refused(&cells, &part, 1, "is a 'line2'");
    part.type = solid_type_find("bar");
    part.material.young = 0.0;
    check_refused(&cells, &part, 1, "young");
    part.material.young = 1.0;
    cells.nodes[1] = cells.nodes[0];
    check_refused(&cells, &part, 1, "cell 0: ");
    cells.cells[0].nodes[1] = 4;
    check_refused(&cells, &part, 1, "node 4 of 4");
    volume_mesh_free(&cells);
    solid_mesh_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(solid_mesh, totals_are_those_of_a_block),
        RUN_TEST(solid_mesh, totals_are_those_of_plates_rods_and_beams),
        RUN_TEST(solid_mesh, a_block_under_tension_has_one_stress),
        RUN_TEST(solid_mesh, nodes_have_the_freedoms_of_their_elements),
        RUN_TEST(solid_mesh, what_makes_no_mesh_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
