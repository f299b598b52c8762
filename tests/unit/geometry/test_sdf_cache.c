/* Distance fields as files: what is read is what was written; what is damaged is noticed and built anew. */
#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <carom/sdf.h>

#include "geometry/sdf.h"
#include "support/check.h"
#include "support/samples.h"

static const char *const FOLDER = "sdf-cache/in/here";

static sdf_options small_options(int kind)
{
    sdf_options o = sdf_options_default();
    o.kind = kind;
    o.resolution = 16;
    return o;
}

static sdf *cached(const mesh *m, const sdf_options *o)
{
    sdf *f = NULL;
    carom_error err = { 0 };
    CHECK_OK(sdf_build_cached(&f, m, o, FOLDER, 1, &err), err);
    return f;
}

/* The only file of the folder; counts them. */
static int find_file(char *path, size_t size)
{
    int count = 0;
    DIR *folder = opendir(FOLDER);
    for (struct dirent *entry = folder ? readdir(folder) : NULL; entry; entry = readdir(folder)) {
        if (entry->d_name[0] != '.') {
            snprintf(path, size, "%s/%s", FOLDER, entry->d_name);
            ++count;
        }
    }
    if (folder) {
        closedir(folder);
    }
    return count;
}

static void empty_folder(void)
{
    char path[4096];
    while (find_file(path, sizeof path) > 0) {
        CHECK_EQ(unlink(path), 0);
    }
}

static char *read_whole(const char *path, long *size)
{
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL);
    fseek(file, 0, SEEK_END);
    *size = ftell(file);
    rewind(file);
    char *bytes = malloc((size_t)*size);
    CHECK_EQ(fread(bytes, 1, (size_t)*size, file), *size);
    fclose(file);
    return bytes;
}

static void write_whole(const char *path, const char *bytes, long size)
{
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL);
    CHECK_EQ(fwrite(bytes, 1, (size_t)size, file), size);
    fclose(file);
}

TEST(sdf_cache, second_time_is_read_and_is_the_same)
{
    mesh *m = torus(1.0, 0.3, 20, 12);
    for (int kind = SDF_DENSE; kind <= SDF_OCTREE; ++kind) {
        char path[4096];
        sdf_options o = small_options(kind);
        empty_folder();
        sdf *first = cached(m, &o);
        CHECK_EQ(find_file(path, sizeof path), 1);
        sdf *second = cached(m, &o);
        CHECK(!sdf_about(first)->from_cache);
        CHECK(sdf_about(second)->from_cache);
        CHECK(sdf_hash(first) == sdf_hash(second));
        CHECK(sdf_about(first)->error_bound == sdf_about(second)->error_bound);
        CHECK(sdf_about(first)->build_seconds == sdf_about(second)->build_seconds);
        FOR_EACH_SEED(rng, 200) {
            v3 p = random_v3(&rng, 2.0);
            CHECK(sdf_distance(first, p) == sdf_distance(second, p));
        }
        sdf_destroy(first);
        sdf_destroy(second);
    }
    mesh_destroy(m);
}

TEST(sdf_cache, another_mesh_or_option_is_another_file)
{
    char path[4096];
    mesh *m = torus(1.0, 0.3, 20, 12);
    sdf_options o = small_options(SDF_BRICKS);
    empty_folder();
    sdf_destroy(cached(m, &o));
    o.resolution = 20;
    sdf_destroy(cached(m, &o));
    o.sign = SDF_SIGN_WINDING;
    sdf_destroy(cached(m, &o));
    m->vertices[0].x += 1e-15;
    sdf_destroy(cached(m, &o));
    CHECK_EQ(find_file(path, sizeof path), 4);
    mesh_destroy(m);
}

/* Any byte changed, any length cut. */
TEST(sdf_cache, damage_is_noticed_and_mended)
{
    char path[4096];
    long size;
    mesh *m = torus(1.0, 0.3, 12, 8);
    sdf_options o = small_options(SDF_BRICKS);
    empty_folder();
    sdf *good = cached(m, &o);
    CHECK_EQ(find_file(path, sizeof path), 1);
    char *bytes = read_whole(path, &size);
    FOR_EACH_SEED(rng, 40) {
        long at = (long)test_rng_uniform(&rng, 0, seed_ % 2 ? 300.0 : (double)size);
        carom_error err = { 0 };
        sdf *f = NULL;
        bytes[at] ^= 0x10;
        write_whole(path, bytes, seed_ % 4 == 0 ? at : size);
        bytes[at] ^= 0x10;
        CHECK_EQ(sdf_load(&f, path, &err), CAROM_BAD_INPUT);
        CHECK(f == NULL);
        CHECK_CONTAINS(err.message, path);
        f = cached(m, &o);
        CHECK(!sdf_about(f)->from_cache);
        CHECK(sdf_hash(f) == sdf_hash(good));
        sdf_destroy(f);
    }
    sdf *mended = cached(m, &o);
    CHECK(sdf_about(mended)->from_cache);
    sdf_destroy(mended);
    sdf_destroy(good);
    free(bytes);
    mesh_destroy(m);
}

/* A file of another mesh under this name, an empty file, a folder: none is taken for the field. */
TEST(sdf_cache, foreign_files_are_not_taken)
{
    char path[4096];
    char other[4096];
    long size;
    mesh *m = torus(1.0, 0.3, 12, 8);
    mesh *n = torus(1.0, 0.4, 12, 8);
    sdf_options o = small_options(SDF_DENSE);
    empty_folder();
    sdf_destroy(cached(n, &o));
    CHECK_EQ(find_file(other, sizeof other), 1);
    char *bytes = read_whole(other, &size);
    empty_folder();
    sdf_destroy(cached(m, &o));
    CHECK_EQ(find_file(path, sizeof path), 1);
    write_whole(path, bytes, size);
    sdf *f = cached(m, &o);
    CHECK(!sdf_about(f)->from_cache);
    sdf_destroy(f);
    write_whole(path, bytes, 0);
    f = cached(m, &o);
    CHECK(!sdf_about(f)->from_cache);
    sdf_destroy(f);
    free(bytes);
    mesh_destroy(m);
    mesh_destroy(n);
}

TEST(sdf_cache, a_folder_that_cannot_be_written_is_no_error)
{
    carom_error err = { 0 };
    sdf *f = NULL;
    mesh *m = torus(1.0, 0.3, 12, 8);
    sdf_options o = small_options(SDF_BRICKS);
    write_whole("a-file", "x", 1);
    CHECK_OK(sdf_build_cached(&f, m, &o, "a-file/below", 1, &err), err);
    sdf_destroy(f);
    CHECK_OK(sdf_build_cached(&f, m, &o, NULL, 1, &err), err);
    sdf_destroy(f);
    CHECK_OK(sdf_build_cached(&f, m, &o, "", 1, &err), err);
    sdf_destroy(f);
    mesh_destroy(m);
}

/* Several processes build and read at once; each finds a whole file or none. */
TEST(sdf_cache, concurrent_runs_do_not_disturb_each_other)
{
    mesh *m = torus(1.0, 0.3, 12, 8);
    sdf_options o = small_options(SDF_DENSE);
    sdf *reference = cached(m, &o);
    uint64_t hash = sdf_hash(reference);
    sdf_destroy(reference);
    empty_folder();
    pid_t children[4];
    for (int i = 0; i < 4; ++i) {
        children[i] = fork();
        if (children[i] == 0) {
            bool same = true;
            for (int n = 0; n < 5; ++n) {
                sdf *f = NULL;
                same = sdf_build_cached(&f, m, &o, FOLDER, 1, NULL) == CAROM_OK && sdf_hash(f) == hash && same;
                sdf_destroy(f);
            }
            _exit(same ? 0 : 1);
        }
    }
    for (int i = 0; i < 4; ++i) {
        int status = 1;
        CHECK(waitpid(children[i], &status, 0) == children[i]);
        CHECK_EQ(status, 0);
    }
    char path[4096];
    CHECK_EQ(find_file(path, sizeof path), 1); /* and no leftovers */
    mesh_destroy(m);
}

TEST(sdf_cache, the_folder_comes_from_the_environment)
{
    char buffer[64];
    setenv("CAROM_CACHE", "mine", 1);
    CHECK_TEXT(sdf_cache_folder(buffer, sizeof buffer), "mine");
    setenv("CAROM_CACHE", "", 1);
    CHECK(sdf_cache_folder(buffer, sizeof buffer) == NULL);
    unsetenv("CAROM_CACHE");
    setenv("XDG_CACHE_HOME", "/x", 1);
    CHECK_TEXT(sdf_cache_folder(buffer, sizeof buffer), "/x/carom");
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", "/y", 1);
    CHECK_TEXT(sdf_cache_folder(buffer, sizeof buffer), "/y/.cache/carom");
    CHECK(sdf_cache_folder(buffer, 5) == NULL);
    unsetenv("HOME");
    CHECK(sdf_cache_folder(buffer, sizeof buffer) == NULL);
}

/* ---- the public face ------------------------------------------------------------------------------------------------ */

static void write_obj(const char *path, const mesh *m)
{
    FILE *file = fopen(path, "w");
    CHECK(file != NULL);
    for (int i = 0; i < m->vertex_count; ++i) {
        fprintf(file, "v %.17g %.17g %.17g\n", m->vertices[i].x, m->vertices[i].y, m->vertices[i].z);
    }
    for (int t = 0; t < m->triangle_count; ++t) {
        fprintf(file, "f %d %d %d\n", m->triangles[t][0] + 1, m->triangles[t][1] + 1, m->triangles[t][2] + 1);
    }
    fclose(file);
}

TEST(sdf_public, opens_meshes_and_saved_fields)
{
    mesh *m = torus(1000.0, 300.0, 30, 20);
    write_obj("ring.obj", m);
    mesh_destroy(m);
    carom_sdf_options o = carom_sdf_options_default();
    o.scale = 1e-3;
    o.resolution = 32;
    o.cache = "";
    carom_error err = { 0 };
    carom_sdf *f = NULL;
    carom_sdf *g = NULL;
    CHECK_OK(carom_sdf_open("ring.obj", &o, &f, &err), err);
    CHECK_OK(carom_sdf_save(f, "ring.sdf", &err), err);
    CHECK_OK(carom_sdf_open("ring.sdf", NULL, &g, &err), err);
    carom_v3 gradient;
    CHECK_NEAR(carom_sdf_sample(f, (carom_v3){ 1.35, 0, 0 }, &gradient), 0.05, 0.01);
    CHECK_NEAR(gradient.x, 1.0, 0.05);
    CHECK(carom_sdf_sample(g, (carom_v3){ 1.35, 0, 0 }, NULL) == carom_sdf_sample(f, (carom_v3){ 1.35, 0, 0 }, NULL));
    CHECK_TEXT(carom_sdf_about(g).kind, "bricks");
    CHECK_TEXT(carom_sdf_about(g).sign, "pseudonormal");

    carom_sdf_slice slice = carom_sdf_slice_of_box(f, 2, 0.0, 41);
    double *values = calloc((size_t)slice.columns * (size_t)slice.rows, sizeof *values);
    CHECK_OK(carom_sdf_slice_values(f, &slice, values, &err), err);
    CHECK_EQ(slice.rows, 41);
    carom_v3 corner = { slice.low[0], slice.high[1], 0.0 };
    CHECK(values[40 * 41] == carom_sdf_sample(f, corner, NULL));
    slice.axis = 3;
    CHECK_EQ(carom_sdf_slice_values(f, &slice, values, &err), CAROM_BAD_INPUT);
    free(values);
    carom_sdf_destroy(f);
    carom_sdf_destroy(g);
}

TEST(sdf_public, wrong_words_are_named)
{
    carom_error err = { 0 };
    carom_sdf *f = NULL;
    carom_sdf_options o = carom_sdf_options_default();
    o.kind = "cubes";
    CHECK_EQ(carom_sdf_open("ring.obj", &o, &f, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "cubes");
    o = carom_sdf_options_default();
    o.sign = "plus";
    CHECK_EQ(carom_sdf_open("ring.obj", &o, &f, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "winding");
    o = carom_sdf_options_default();
    o.scale = 0.0;
    CHECK_EQ(carom_sdf_open("ring.obj", &o, &f, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "scale");
    CHECK(carom_sdf_open("nowhere.stl", NULL, &f, &err) != CAROM_OK);
    CHECK_CONTAINS(err.message, "nowhere.stl");
    CHECK(f == NULL);
}

/* Files are named relative to a folder of their own, wherever the program is started from. */
static int enter_folder(void **state)
{
    static char folder[] = "/tmp/carom-sdf-cache-XXXXXX";
    *state = folder;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : 1;
}

static int leave_folder(void **state)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf '%s'", (const char *)*state);
    return chdir("/") == 0 ? system(command) : 1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(sdf_cache, second_time_is_read_and_is_the_same),
        RUN_TEST(sdf_cache, another_mesh_or_option_is_another_file),
        RUN_TEST(sdf_cache, damage_is_noticed_and_mended),
        RUN_TEST(sdf_cache, foreign_files_are_not_taken),
        RUN_TEST(sdf_cache, a_folder_that_cannot_be_written_is_no_error),
        RUN_TEST(sdf_cache, concurrent_runs_do_not_disturb_each_other),
        RUN_TEST(sdf_cache, the_folder_comes_from_the_environment),
        RUN_TEST(sdf_public, opens_meshes_and_saved_fields),
        RUN_TEST(sdf_public, wrong_words_are_named),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
