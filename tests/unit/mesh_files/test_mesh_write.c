/* Writing and reading back: the same mesh, bit for bit where the format allows; nothing half-written stays. */
#include "mesh_files/mesh_read.h"
#include "mesh_files/mesh_write.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/samples.h"

static mesh *sample(test_rng *rng)
{
    mesh *m = torus(1.0, 0.3, 11, 7);
    for (int i = 0; i < m->vertex_count; ++i) {
        m->vertices[i] = v3_add(m->vertices[i], random_v3(rng, 1e-3));
    }
    return m;
}

/* Reading renumbers vertices in the order of triangles or of the file: corners are compared by place. */
static double largest_difference(const mesh *a, const mesh *b)
{
    double worst = 0.0;
    CHECK_EQ(a->triangle_count, b->triangle_count);
    CHECK_EQ(a->vertex_count, b->vertex_count);
    for (int i = 0; i < 3 * a->triangle_count; ++i) {
        v3 p = a->vertices[a->triangles[i / 3][i % 3]];
        v3 q = b->vertices[b->triangles[i / 3][i % 3]];
        worst = fmax(worst, v3_norm(v3_sub(p, q)));
    }
    return worst;
}

static double round_trip(const mesh *m, const char *file, carom_mesh_encoding encoding)
{
    carom_error err = { 0 };
    mesh *back = NULL;
    CHECK_OK(mesh_write(m, file, encoding, &err), err);
    CHECK_OK(mesh_read(&back, file, 1.0, &err), err);
    double difference = largest_difference(m, back);
    mesh_destroy(back);
    return difference;
}

TEST(write, every_bit_comes_back)
{
    FOR_EACH_SEED(rng, 5) {
        mesh *m = sample(&rng);
        CHECK_NEAR(round_trip(m, "a.ply", CAROM_MESH_BINARY), 0.0, 0.0);
        CHECK_NEAR(round_trip(m, "a.ply", CAROM_MESH_TEXT), 0.0, 0.0);
        CHECK_NEAR(round_trip(m, "a.OBJ", CAROM_MESH_BINARY), 0.0, 0.0);
        CHECK_NEAR(round_trip(m, "a.stl", CAROM_MESH_TEXT), 0.0, 0.0);
        CHECK_LE(round_trip(m, "a.stl", CAROM_MESH_BINARY), 3.0 * 1.3 * 0x1p-24); /* single precision */
        mesh_destroy(m);
    }
}

TEST(write, extreme_numbers_come_back)
{
    mesh *m = box_mesh(v3_make(-1e-9, 1e11, -0.0), v3_make(1.0 / 3.0, 2e11, 4.9e-310));
    CHECK_NEAR(round_trip(m, "b.ply", CAROM_MESH_BINARY), 0.0, 0.0);
    CHECK_NEAR(round_trip(m, "b.ply", CAROM_MESH_TEXT), 0.0, 0.0);
    CHECK_NEAR(round_trip(m, "b.obj", CAROM_MESH_TEXT), 0.0, 0.0);
    mesh_destroy(m);
}

TEST(write, refuses_what_it_cannot_do)
{
    carom_error err = { 0 };
    mesh *m = box_mesh(v3_zero(), v3_make(1, 1, 1));
    CHECK_EQ(mesh_write(m, "a.step", CAROM_MESH_BINARY, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, ".stl, .obj or .ply");
    CHECK_EQ(mesh_write(m, "no/such/folder/a.stl", CAROM_MESH_BINARY, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "no/such/folder/a.stl");
    CHECK_EQ(mesh_write(m, ".stl", CAROM_MESH_BINARY, &err), CAROM_BAD_INPUT);
    mesh *far = box_mesh(v3_make(1e9, 0, 0), v3_make(1e9 + 1, 1, 1));
    CHECK_EQ(mesh_write(far, "far.stl", CAROM_MESH_BINARY, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "PLY");
    CHECK(access("far.stl", F_OK) != 0);
    mesh_destroy(far);
    mesh_destroy(m);
}

static int files_here(void)
{
    int count = 0;
    DIR *folder = opendir(".");
    CHECK(folder != NULL);
    while (readdir(folder)) {
        ++count;
    }
    closedir(folder);
    return count;
}

/* A write that fails leaves the old file as it was and nothing beside it. */
TEST(write, a_failed_write_changes_nothing)
{
    carom_error err = { 0 };
    mesh *m = box_mesh(v3_zero(), v3_make(1, 1, 1));
    mkdir("target.stl", 0777); /* a folder in its place: rename must fail */
    int before = files_here();
    CHECK(mesh_write(m, "target.stl", CAROM_MESH_BINARY, &err) != CAROM_OK);
    CHECK_EQ(files_here(), before);
    rmdir("target.stl");
    if (access("/dev/full", W_OK) == 0) {
        symlink("/dev/full", "full.stl");
        CHECK_EQ(mesh_write(m, "full.stl", CAROM_MESH_BINARY, &err), CAROM_IO_FAILED);
        unlink("full.stl");
    }
    mesh_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(write, every_bit_comes_back),
        RUN_TEST(write, extreme_numbers_come_back),
        RUN_TEST(write, refuses_what_it_cannot_do),
        RUN_TEST(write, a_failed_write_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
