/* Gmsh files: what Gmsh 4.8 wrote (gmsh/, made from the .geo beside them) in both versions, as text and binary; either byte order;
 * what is refused, and how. */
#include "support/check.h"

#include <stdlib.h>

#include "elements/solids/solid_mesh.h"
#include "mesh_files/gmsh.h"

static void read_ours(volume_mesh *m, const char *name, double scale)
{
    char path[1024];
    carom_error err = { 0 };
    const char *root = getenv("CAROM_SOURCE_DIR");
    snprintf(path, sizeof path, "%s/tests/unit/mesh_files/gmsh/%s", root ? root : ".", name);
    CHECK_OK(gmsh_read(m, path, scale, &err), err);
}

static void check_same(const volume_mesh *a, const volume_mesh *b)
{
    CHECK_EQ(a->node_count, b->node_count);
    CHECK_EQ(a->cell_count, b->cell_count);
    CHECK_EQ(a->group_count, b->group_count);
    for (int i = 0; i < a->node_count; ++i) {
        CHECK_LE(v3_norm(v3_sub(a->nodes[i], b->nodes[i])), 1e-14);
    }
    for (int c = 0; c < a->cell_count; ++c) {
        CHECK_EQ(memcmp(&a->cells[c], &b->cells[c], sizeof a->cells[c]), 0);
    }
    for (int g = 0; g < a->group_count; ++g) {
        CHECK_TEXT(a->groups[g].name, b->groups[g].name);
        CHECK_EQ(a->groups[g].dimension, b->groups[g].dimension);
        CHECK_EQ(a->groups[g].cell_count, b->groups[g].cell_count);
        for (int k = 0; k < a->groups[g].cell_count; ++k) {
            CHECK_EQ(a->groups[g].cells[k], b->groups[g].cells[k]);
        }
    }
}

static const char *const variants[4] = { "22", "22_binary", "41", "41_binary" };

/* Versions, text and binary hold the same mesh. */
TEST(gmsh, all_variants_of_a_mesh_are_equal)
{
    static const char *const names[3] = { "block", "block10", "strip" };
    for (int n = 0; n < 3; ++n) {
        volume_mesh first;
        for (int v = 0; v < 4; ++v) {
            char name[64];
            volume_mesh m;
            snprintf(name, sizeof name, "%s_%s.msh", names[n], variants[v]);
            read_ours(&m, name, 1.0);
            if (v == 0) {
                first = m;
            } else {
                check_same(&m, &first);
                volume_mesh_free(&m);
            }
        }
        volume_mesh_free(&first);
    }
}

/* The block is whole: its elements are in order and fill 2 x 1 x 1. */
TEST(gmsh, a_block_of_either_order_is_filled)
{
    static const struct {
        const char *file, *type;
        int cells;
    } cases[2] = { { "block_41.msh", "tetrahedron4", 24 }, { "block10_22_binary.msh", "tetrahedron10", 24 } };
    for (int k = 0; k < 2; ++k) {
        carom_error err = { 0 };
        volume_mesh m;
        solid_mesh *mesh;
        solid_part part = { .group = "body",
                            .type = solid_type_find(cases[k].type),
                            .material = solid_material_default };
        part.material.young = part.material.density = 1.0;
        read_ours(&m, cases[k].file, 0.5);
        CHECK_OK(solid_mesh_create(&mesh, &m, &part, 1, &err), err);
        CHECK_EQ(solid_mesh_element_count(mesh), cases[k].cells);
        solid_totals t = solid_mesh_totals(mesh);
        CHECK_NEAR(t.mass, 2.0 / 8.0, 1e-13);
        CHECK_LE(v3_norm(v3_sub(t.centre, v3_make(0.5, 0.25, 0.25))), 1e-11);
        CHECK_NEAR(t.inertia.m[0], 0.25 / 12.0 * 0.5, 1e-11);
        solid_mesh_destroy(mesh);
        volume_mesh_free(&m);
    }
}

TEST(gmsh, a_strip_of_quadrilaterals_is_filled)
{
    carom_error err = { 0 };
    volume_mesh m;
    solid_mesh *mesh;
    solid_part part = { .group = "plate", .type = solid_type_find("quad4"), .material = solid_material_default };
    part.material.young = part.material.density = 1.0;
    read_ours(&m, "strip_41_binary.msh", 1.0);
    CHECK_OK(solid_mesh_create(&mesh, &m, &part, 1, &err), err);
    CHECK_EQ(solid_mesh_element_count(mesh), 4);
    CHECK_NEAR(solid_mesh_totals(mesh).mass, 2.0, 1e-12);
    CHECK_EQ(volume_mesh_find_group(&m, "foot")->cell_count, 2);
    solid_mesh_destroy(mesh);
    volume_mesh_free(&m);
}

/* The bottom is in two groups, which version 2.2 says by writing its cells twice. A group without a name has its number. */
TEST(gmsh, groups_are_there_and_cells_only_once)
{
    for (int v = 0; v < 4; ++v) {
        char name[64];
        volume_mesh m;
        snprintf(name, sizeof name, "block_%s.msh", variants[v]);
        read_ours(&m, name, 1.0);
        CHECK_EQ(m.node_count, 16);
        CHECK_EQ(m.cell_count, 1 + 16 + 24);
        CHECK_EQ(m.group_count, 4);
        const volume_group *bottom = volume_mesh_find_group(&m, "bottom");
        const volume_group *both = volume_mesh_find_group(&m, "bottom and top");
        const volume_group *corner = volume_mesh_find_group(&m, "3");
        CHECK(bottom && both && corner);
        CHECK_EQ(bottom->cell_count, 8);
        CHECK_EQ(both->cell_count, 16);
        CHECK_EQ(corner->dimension, 0);
        for (int k = 0; k < 8; ++k) {
            const volume_cell *cell = &m.cells[bottom->cells[k]];
            CHECK_EQ(bottom->cells[k], both->cells[k]);
            CHECK_EQ(cell->kind, CELL_TRIANGLE3);
            CHECK(m.nodes[cell->nodes[0]].z == 0.0);
        }
        volume_mesh_free(&m);
    }
}

/* ---- files made here ---- */

typedef struct bytes {
    unsigned char at[4096];
    size_t count;
    bool swapped;
} bytes;

static void put_text(bytes *b, const char *text)
{
    memcpy(b->at + b->count, text, strlen(text));
    b->count += strlen(text);
}

static void put(bytes *b, const void *value, size_t size)
{
    for (size_t k = 0; k < size; ++k) {
        b->at[b->count++] = ((const unsigned char *)value)[b->swapped ? size - 1 - k : k];
    }
}

static void put_int(bytes *b, int32_t value)
{
    put(b, &value, sizeof value);
}

static void put_size(bytes *b, uint64_t value)
{
    put(b, &value, sizeof value);
}

static void put_real(bytes *b, double value)
{
    put(b, &value, sizeof value);
}

/* One tetrahedron. */
static bytes tetrahedron(int version, bool swapped)
{
    static const double X[4][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    bytes b = { .swapped = swapped };
    put_text(&b, version == 2 ? "$MeshFormat\n2.2 1 8\n" : "$MeshFormat\n4.1 1 8\n");
    put_int(&b, 1);
    put_text(&b, version == 2 ? "\n$EndMeshFormat\n$Nodes\n4\n" : "\n$EndMeshFormat\n$Nodes\n");
    for (int k = 0; version == 4 && k < 4; ++k) {
        put_size(&b, k == 0 ? 1 : 4);
    }
    if (version == 4) {
        put_int(&b, 3);
        put_int(&b, 1);
        put_int(&b, 0);
        put_size(&b, 4);
        for (int i = 0; i < 4; ++i) {
            put_size(&b, (uint64_t)(10 * i + 10));
        }
    }
    for (int i = 0; i < 4; ++i) {
        if (version == 2) {
            put_int(&b, 10 * i + 10);
        }
        for (int a = 0; a < 3; ++a) {
            put_real(&b, X[i][a]);
        }
    }
    put_text(&b, version == 2 ? "\n$EndNodes\n$Elements\n1\n" : "\n$EndNodes\n$Elements\n");
    if (version == 2) {
        const int32_t element[] = { 4, 1, 2, 1, 5, 1, 10, 20, 30, 40 };
        for (size_t k = 0; k < sizeof element / sizeof element[0]; ++k) {
            put_int(&b, element[k]);
        }
    } else {
        for (int k = 0; k < 4; ++k) {
            put_size(&b, 1);
        }
        put_int(&b, 3);
        put_int(&b, 1);
        put_int(&b, 4);
        const uint64_t element[] = { 1, 1, 10, 20, 30, 40 };
        for (size_t k = 0; k < sizeof element / sizeof element[0]; ++k) {
            put_size(&b, element[k]);
        }
    }
    put_text(&b, "\n$EndElements\n");
    return b;
}

TEST(gmsh, bytes_of_either_order_are_read)
{
    for (int version = 2; version <= 4; version += 2) {
        for (int swapped = 0; swapped < 2; ++swapped) {
            bytes b = tetrahedron(version, swapped);
            carom_error err = { 0 };
            volume_mesh m;
            CHECK_OK(gmsh_parse(&m, b.at, b.count, "t.msh", 1.0, &err), err);
            CHECK_EQ(m.node_count, 4);
            CHECK_EQ(m.cell_count, 1);
            CHECK_EQ(m.cells[0].nodes[3], 3);
            CHECK(m.nodes[3].z == 1.0);
            CHECK_EQ(m.group_count, version == 2);
            volume_mesh_free(&m);
        }
    }
}

/* A file that ends too early is refused wherever it ends, unless only the end of its last section is missing. */
TEST(gmsh, files_that_end_too_early_are_refused)
{
    for (int version = 2; version <= 4; version += 2) {
        bytes b = tetrahedron(version, false);
        for (size_t size = 0; size < b.count - 1; ++size) {
            carom_error err = { 0 };
            volume_mesh m;
            unsigned char *exact = malloc(size + 1); /* so that a sanitizer sees what is read beyond */
            CHECK(exact != NULL);
            exact = realloc(exact, size > 0 ? size : 1);
            memcpy(exact, b.at, size);
            CHECK_EQ(gmsh_parse(&m, exact, size, "t.msh", 1.0, &err), CAROM_BAD_INPUT);
            CHECK_CONTAINS(err.message, "t.msh");
            CHECK(m.nodes == NULL && m.cells == NULL && m.groups == NULL);
            free(exact);
        }
    }
}

#define HEAD2 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define HEAD4 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define NODES2 "$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n"
#define NODES4 "$Nodes\n1 3 1 3\n2 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n$EndNodes\n"

static void check_refused(const char *text, const char *sentence)
{
    carom_error err = { 0 };
    volume_mesh m;
    CHECK_EQ(gmsh_parse(&m, text, strlen(text), "bad.msh", 1.0, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "bad.msh");
    CHECK_CONTAINS(err.message, sentence);
    CHECK(m.nodes == NULL && m.cells == NULL && m.groups == NULL);
}

static void check_read(const char *text, int cells, int groups)
{
    carom_error err = { 0 };
    volume_mesh m;
    CHECK_OK(gmsh_parse(&m, text, strlen(text), "good.msh", 1.0, &err), err);
    CHECK_EQ(m.cell_count, cells);
    CHECK_EQ(m.group_count, groups);
    volume_mesh_free(&m);
}

TEST(gmsh, what_is_no_mesh_is_refused_with_its_place)
{
    check_refused("", "empty");
    check_refused("solid a", "begins with '$MeshFormat'");
    check_refused("$Nodes\n", "'$MeshFormat' should be");
    check_refused("$MeshFormat\n3.0 0 8\n$EndMeshFormat\n", "line 2: this is version 3");
    check_refused("$MeshFormat\n3.0 0 8\n$EndMeshFormat\n", "msh41");
    check_refused("$MeshFormat\n2.2 2 8\n$EndMeshFormat\n", "type of the file is 2");
    check_refused("$MeshFormat\n2.2 0 4\n$EndMeshFormat\n", "numbers have 4 bytes");
    check_refused("$MeshFormat\n2.2 0 8\n$EndNodes\n", "found '$EndNodes'");
    check_refused(HEAD2 HEAD2, "'$Nodes' should be");
    check_refused(HEAD2 "rubbish", "line 4: found 'rubbish'");
    check_refused(HEAD2 NODES2, "no elements: mesh it");
    check_refused(HEAD2 "$Comments\nhello\n", "'$Comments' does not end");
    check_refused(HEAD4 "$PartitionedEntities\n", "partitions");
}

TEST(gmsh, bad_nodes_are_refused)
{
    check_refused(HEAD2 "$Nodes\n-1\n", "found -1 where the number of nodes");
    check_refused(HEAD2 "$Nodes\n2000000000\n1 0 0 0\n", "the file ends");
    check_refused(HEAD2 "$Nodes\n99999999999\n", "found '99999999999'");
    check_refused(HEAD2 "$Nodes\n1\n1 0 nan 0\n$EndNodes\n", "line 6: found 'nan'");
    check_refused(HEAD2 "$Nodes\n1\n1 0 1e300 0\n$EndNodes\n", "1e12 m");
    check_refused(HEAD2 "$Nodes\n1\n0 0 0 0\n$EndNodes\n", "number 0");
    check_refused(HEAD2 "$Nodes\n1\n1 0 0 0\n2 0 0 0\n$EndNodes\n", "its count and its content differ");
    check_refused(HEAD2 "$Nodes\n2\n1 0 0 0\n1 0 0 1\n$EndNodes\n$Elements\n1\n1 15 0 1\n$EndElements\n",
                  "two nodes have the number 1");
    check_refused(HEAD4 "$Nodes\n1 4 1 3\n2 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n$EndNodes\n",
                  "announces 4 nodes and has 3");
    check_refused(HEAD4 "$Nodes\n1 1 1 1\n4 1 0 1\n", "dimension 4");
}

TEST(gmsh, bad_elements_are_refused)
{
    check_refused(HEAD2 NODES2 "$Elements\n1\n1 6 0 1 2 3 1 2 3\n", "line 12: an element has the type 6 (prism");
    check_refused(HEAD2 NODES2 "$Elements\n1\n1 99 0 1 2 3 1 2 3\n", "of another kind");
    check_refused(HEAD2 NODES2 "$Elements\n1\n1 2 -1 1 2 3\n", "-1 tags");
    check_refused(HEAD2 NODES2 "$Elements\n1\n1 2 0 1 2 4\n$EndElements\n", "the node 4, which the file has not");
    check_refused(HEAD4 NODES4 "$Elements\n1 1 1 1\n3 1 2 1\n1 1 2 3\n",
                  "dimension 3 has elements of the kind 'triangle3'");
    check_refused(HEAD4 NODES4 "$Elements\n1 2 1 1\n2 1 2 1\n1 1 2 3\n$EndElements\n",
                  "announces 2 elements and has 1");
    check_refused(HEAD4 "$Entities\n0 0 1 0\n1 0 0 0 0 0 0 65\n", "65 physical groups");
}

TEST(gmsh, bad_names_are_refused)
{
    check_refused(HEAD2 "$PhysicalNames\n1\n2 1 left\n$EndPhysicalNames\n", "quotation marks");
    check_refused(HEAD2 "$PhysicalNames\n1\n2 1 \"left\n\"$EndPhysicalNames\n", "quotation marks");
    check_refused(HEAD2 "$PhysicalNames\n1\n2 1 \"\"\n$EndPhysicalNames\n", "empty");
}

TEST(gmsh, a_scale_is_positive)
{
    carom_error err = { 0 };
    volume_mesh m;
    CHECK_EQ(gmsh_parse(&m, HEAD2, strlen(HEAD2), "a.msh", 0.0, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "scale");
}

TEST(gmsh, other_sections_windows_lines_and_parameters_are_passed_over)
{
    check_read(HEAD2 "$Comments\n$Nodes are to come\n$EndComments\n" NODES2
                     "$Elements\n1\n1 2 2 7 1 1 2 3\n$EndElements\n"
                     "$NodeData\n1\n$EndNodeData\n",
               1, 1);
    check_read("$MeshFormat\r\n2.2 0 8\r\n$EndMeshFormat\r\n" NODES2
               "$Elements\r\n1\r\n1 2 0 1 2 3\r\n$EndElements\r\n",
               1, 0);
    check_read(HEAD4 "$Nodes\n1 3 1 3\n2 1 1 3\n1\n2\n3\n0 0 0 0.1 0.2\n1 0 0 0.1 0.2\n0 1 0 0.1 0.2\n$EndNodes\n"
                     "$Elements\n1 1 1 1\n2 1 2 1\n1 1 2 3\n$EndElements\n",
               1, 0);
    check_read(HEAD2 "$PhysicalNames\n1\n2 1 \"left side\"\n$EndPhysicalNames\n" NODES2
                     "$Elements\n2\n1 2 1 1 1 2 3\n2 2 1 2 2 3 1\n$EndElements\n",
               2, 2);
}

TEST(gmsh, a_file_that_is_not_there_is_named)
{
    carom_error err = { 0 };
    volume_mesh m;
    CHECK_EQ(gmsh_read(&m, "nowhere.msh", 1.0, &err), CAROM_IO_FAILED);
    CHECK_CONTAINS(err.message, "nowhere.msh");
}

/* A second block that claims to be longer than all that is left, by nearly all there can be: refused where it stands. */
TEST(gmsh, a_block_that_is_too_long_is_refused)
{
    bytes b = { 0 };
    carom_error err = { 0 };
    volume_mesh m;
    put_text(&b, "$MeshFormat\n2.2 1 8\n");
    put_int(&b, 1);
    put_text(&b, "\n$EndMeshFormat\n$Nodes\n1\n");
    put_int(&b, 1);
    for (int k = 0; k < 3; ++k) {
        put_real(&b, 0.0);
    }
    put_text(&b, "\n$EndNodes\n$Elements\n3\n");
    const int32_t first[] = { 15, 1, 0, 1, 1 }; /* a block of one point: kind, number, tags; its number and node */
    const int32_t second[] = { 15, 2147483647 - 1, 0 }; /* one of many */
    for (size_t k = 0; k < sizeof first / sizeof *first; ++k) {
        put_int(&b, first[k]);
    }
    for (size_t k = 0; k < sizeof second / sizeof *second; ++k) {
        put_int(&b, second[k]);
    }
    CHECK_EQ(gmsh_parse(&m, b.at, b.count, "a.msh", 1.0, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "a block has 2147483646 elements, and 2 are left");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(gmsh, all_variants_of_a_mesh_are_equal),
        RUN_TEST(gmsh, a_block_of_either_order_is_filled),
        RUN_TEST(gmsh, a_strip_of_quadrilaterals_is_filled),
        RUN_TEST(gmsh, groups_are_there_and_cells_only_once),
        RUN_TEST(gmsh, bytes_of_either_order_are_read),
        RUN_TEST(gmsh, files_that_end_too_early_are_refused),
        RUN_TEST(gmsh, what_is_no_mesh_is_refused_with_its_place),
        RUN_TEST(gmsh, bad_nodes_are_refused),
        RUN_TEST(gmsh, bad_elements_are_refused),
        RUN_TEST(gmsh, bad_names_are_refused),
        RUN_TEST(gmsh, a_scale_is_positive),
        RUN_TEST(gmsh, other_sections_windows_lines_and_parameters_are_passed_over),
        RUN_TEST(gmsh, a_file_that_is_not_there_is_named),
        RUN_TEST(gmsh, a_block_that_is_too_long_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
