/* Surfaces filled by Gmsh: volumes, what is kept, surfaces that are none, and programs that answer badly in its place. */
#include "support/check.h"
#include "support/scratch_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include "geometry/shape.h"
#include "mesh_files/mesh_write.h"
#include "mesh_files/tetrahedra.h"

static const double PI = 3.14159265358979323846;

static int begin(void **state)
{
    int failed = make_scratch_folder(state);
    setenv("CAROM_CACHE", scratch_folder, 1);
    return failed;
}

static mesh *surface_of(const char *kind, const void *params, double spacing)
{
    carom_error err = { 0 };
    mesh *m;
    CHECK_OK(carom_shape_type_find(kind)->tessellate(&m, params, (surface_grain){ .spacing = spacing }, &err), err);
    return m;
}

static double volume_of(const volume_mesh *m)
{
    double sum = 0.0;
    for (int c = 0; c < m->cell_count; ++c) {
        const int *n = m->cells[c].nodes;
        v3 a = m->nodes[n[0]];
        sum += v3_dot(v3_sub(m->nodes[n[1]], a), v3_cross(v3_sub(m->nodes[n[2]], a), v3_sub(m->nodes[n[3]], a))) /
               6.0;
    }
    return sum;
}

/* Filled with tetrahedra of both orders; within `tolerance` of the volume, which is what the triangles leave out of round shapes: about half
 * the square of size over radius. */
static void check_filled(const char *kind, const void *params, double size, double volume, double tolerance)
{
    mesh *m = surface_of(kind, params, size);
    for (int order = 1; order <= 2; ++order) {
        carom_error err = { 0 };
        volume_mesh cells;
        CHECK_OK(tetrahedra_fill(&cells, m, &(tetrahedra_options){ .name = kind, .size = size, .order = order },
                                 &err),
                 err);
        CHECK_NEAR(volume_of(&cells) / volume, 1.0, tolerance);
        for (int c = 0; c < cells.cell_count; ++c) {
            CHECK_EQ(cells.cells[c].kind, order == 2 ? CELL_TETRAHEDRON10 : CELL_TETRAHEDRON4);
        }
        for (int c = 0; order == 2 && c < cells.cell_count; ++c) { /* the fifth node lies between the first two */
            const int *n = cells.cells[c].nodes;
            v3 middle = v3_scale(0.5, v3_add(cells.nodes[n[0]], cells.nodes[n[1]]));
            CHECK_NEAR(v3_norm(v3_sub(cells.nodes[n[4]], middle)), 0.0, 1e-12);
        }
        volume_mesh_free(&cells);
    }
    mesh_destroy(m);
}

TEST(tetrahedra, shapes_are_filled_to_their_volume)
{
    const carom_box_def box = { .size = { 0.1, 0.05, 0.04 } };
    const carom_sphere_def sphere = { .radius = 2.0 };
    const carom_cylinder_def cylinder = { .radius = 1e-6, .length = 4e-6 };
    const carom_capsule_def capsule = { .radius = 300.0, .length = 500.0 };
    const carom_cone_def cone = { .radius = 0.5, .height = 1.0 };
    check_filled("box", &box, 0.02, 0.1 * 0.05 * 0.04, 1e-9);
    check_filled("sphere", &sphere, 0.6, 4.0 / 3.0 * PI * 8.0, 0.05);
    check_filled("cylinder", &cylinder, 4e-7, PI * 4e-18, 0.08);
    check_filled("capsule", &capsule, 120.0, PI * 9e4 * 500.0 + 4.0 / 3.0 * PI * 2.7e7, 0.08);
    check_filled("cone", &cone, 0.15, PI * 0.25 / 3.0, 0.05);
}

/* A program with these words in place of Gmsh. */
static void pretend(const char *script)
{
    static int number;
    char path[128];
    snprintf(path, sizeof path, "%s/gmsh-%d", scratch_folder, number++);
    FILE *file = fopen(path, "w");
    CHECK(file != NULL);
    fprintf(file, "#!/bin/sh\n%s\n", script);
    CHECK_EQ(fclose(file), 0);
    CHECK_EQ(chmod(path, 0700), 0);
    setenv("CAROM_GMSH", path, 1);
}

static carom_status fill_box(double size, double seconds, volume_mesh *cells, carom_error *err)
{
    const carom_box_def box = { .size = { 1.0, 1.0, 1.0 } };
    mesh *m = surface_of("box", &box, 0.5);
    tetrahedra_options options = { .name = "the box", .size = size, .order = 1, .seconds = seconds };
    carom_status status = tetrahedra_fill(cells, m, &options, err);
    mesh_destroy(m);
    return status;
}

static void check_answer(const char *script, carom_status expected, const char *sentence)
{
    carom_error err = { 0 };
    volume_mesh cells;
    pretend(script);
    CHECK_EQ(fill_box(0.77, 1.0, &cells, &err), expected);
    CHECK_CONTAINS(err.message, "filling the box with tetrahedra");
    CHECK_CONTAINS(err.message, sentence);
    CHECK_EQ(cells.cell_count, 0);
    unsetenv("CAROM_GMSH");
}

/* The answer's name stands behind -o, the eighth word. */
TEST(tetrahedra, bad_answers_are_refused)
{
    check_answer("exit 3", CAROM_BAD_INPUT, "exit code 3");
    check_answer("echo 'Error : self\tintersecting' ; exit 1", CAROM_BAD_INPUT, "Error : self intersecting");
    check_answer("sleep 20", CAROM_BAD_INPUT, "within 1 s");
    check_answer("kill -SEGV $$", CAROM_BAD_INPUT, "signal 11");
    check_answer("head -c 5000 /dev/urandom > \"$8\"", CAROM_BAD_INPUT, "filled.msh");
    check_answer(": > \"$8\"", CAROM_BAD_INPUT, "filled.msh");
    check_answer("cp \"${9%fill.geo}surface.msh\" \"$8\"", CAROM_BAD_INPUT, "other cells than tetrahedra");
    check_answer(
        "printf '$MeshFormat\\n2.2 0 8\\n$EndMeshFormat\\n$Nodes\\n4\\n1 0 0 0\\n2 1 0 0\\n3 0 1 0\\n4 0 0 1\\n"
        "$EndNodes\\n$Elements\\n1\\n1 4 2 1 1 1 2 3 4\\n$EndElements\\n' > \"$8\"",
        CAROM_BAD_INPUT, "do not have the volume");
}

TEST(tetrahedra, a_missing_program_is_named)
{
    carom_error err = { 0 };
    volume_mesh cells;
    setenv("CAROM_GMSH", "/there/is/no/gmsh", 1);
    CHECK_EQ(fill_box(0.78, 0.0, &cells, &err), CAROM_UNSUPPORTED);
    CHECK_CONTAINS(err.message, "apt install gmsh");
    unsetenv("CAROM_GMSH");
}

/* Without Gmsh, what was filled before is there; a kept file that is damaged is filled again. */
TEST(tetrahedra, fillings_are_kept)
{
    carom_error err = { 0 };
    volume_mesh first;
    volume_mesh second;
    CHECK_OK(fill_box(0.6, 0.0, &first, &err), err);
    setenv("CAROM_GMSH", "/there/is/no/gmsh", 1);
    CHECK_OK(fill_box(0.6, 0.0, &second, &err), err);
    CHECK_EQ(first.node_count, second.node_count);
    CHECK_EQ(memcmp(first.nodes, second.nodes, (size_t)first.node_count * sizeof *first.nodes), 0);
    volume_mesh_free(&second);
    char words[160];
    snprintf(words, sizeof words, "for f in %s/filled-*.msh; do echo no > $f; done", scratch_folder);
    CHECK_EQ(system(words), 0);
    CHECK_EQ(fill_box(0.6, 0.0, &second, &err), CAROM_UNSUPPORTED);
    unsetenv("CAROM_GMSH");
    CHECK_OK(fill_box(0.6, 0.0, &second, &err), err);
    CHECK_EQ(memcmp(first.nodes, second.nodes, (size_t)first.node_count * sizeof *first.nodes), 0);
    volume_mesh_free(&first);
    volume_mesh_free(&second);
}

static void check_surface(mesh *m, const char *sentence)
{
    carom_error err = { 0 };
    volume_mesh cells;
    CHECK_EQ(tetrahedra_fill(&cells, m, &(tetrahedra_options){ .name = "it", .size = 0.5, .order = 2 }, &err),
             CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, sentence);
    mesh_destroy(m);
}

/* Two boxes as one surface: `shift` apart along x. */
static mesh *twice(double shift)
{
    const carom_box_def box = { .size = { 1.0, 1.0, 1.0 } };
    mesh *one = surface_of("box", &box, 0.5);
    mesh *two = mesh_create(2 * one->vertex_count, 2 * one->triangle_count);
    CHECK(two != NULL);
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < one->vertex_count; ++i) {
            two->vertices[k * one->vertex_count + i] = v3_add(one->vertices[i],
                                                              v3_make(k * shift, 0.1 * k, 0.03 * k));
        }
        for (int t = 0; t < one->triangle_count; ++t) {
            for (int i = 0; i < 3; ++i) {
                two->triangles[k * one->triangle_count + t][i] = one->triangles[t][i] + k * one->vertex_count;
            }
        }
    }
    mesh_destroy(one);
    return two;
}

TEST(tetrahedra, surfaces_that_cannot_be_filled_are_refused)
{
    const carom_box_def box = { .size = { 1.0, 1.0, 1.0 } };
    mesh *open = surface_of("box", &box, 0.5);
    open->triangle_count -= 1;
    check_surface(open, "3 open");
    mesh *inside_out = surface_of("box", &box, 0.5);
    for (int t = 0; t < inside_out->triangle_count; ++t) {
        int keep = inside_out->triangles[t][0];
        inside_out->triangles[t][0] = inside_out->triangles[t][1];
        inside_out->triangles[t][1] = keep;
    }
    check_surface(inside_out, "its volume is -1");
    check_surface(twice(0.4), "filling it with tetrahedra");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(tetrahedra, shapes_are_filled_to_their_volume),
        RUN_TEST(tetrahedra, bad_answers_are_refused),
        RUN_TEST(tetrahedra, a_missing_program_is_named),
        RUN_TEST(tetrahedra, fillings_are_kept),
        RUN_TEST(tetrahedra, surfaces_that_cannot_be_filled_are_refused),
    };
    return cmocka_run_group_tests(tests, begin, remove_scratch_folder);
}
