/* Exports when memory runs out: every single allocation fails once, for each format, and each time the answer is an
 * error and no file, or the very same file; nothing crashes and everything is given back. */
#include "support/failing_heap.h"

#include <carom/export.h>
#include <jansson.h>

#include "files/file.h"
#include "support/small_run.h"

static const char *const scene = SMALL_SCENE(SMALL_FLOOR ", " SMALL_BALLS ", " SMALL_ARM, SMALL_HINGE);

/* The file of each export that appears last. */
static const struct {
    const char *format;
    const char *path;
    const char *file;
} exports[] = {
    { "csv", "export-run/a.csv", "export-run/a.csv" }, { "vtk", "export-run/vtk", "export-run/vtk/vtk.pvd" },
    { "glb", "export-run/a.glb", "export-run/a.glb" }, { "obj", "export-run/obj", "export-run/obj/frame-000000.obj" },
    { "npz", "export-run/a.npz", "export-run/a.npz" }, { "events", "export-run/e.csv", "export-run/e.csv" },
};
enum { EXPORTS = sizeof exports / sizeof exports[0] };

/* Few frames: each is alike, as far as memory goes. */
static carom_status write_once(const carom_result *result, int k, carom_export_report *report, carom_error *err)
{
    carom_export_options options = { .format = exports[k].format, .path = exports[k].path };
    options.every = carom_result_frame_count(result) / 2;
    return carom_result_export(result, &options, report, err);
}

static void fail_each(const carom_result *result, int k)
{
    char *whole = NULL;
    size_t size = 0;
    carom_export_report report;
    carom_error err = { 0 };
    CHECK_OK(write_once(result, k, &report, &err), err); /* the result has read what it keeps */
    CHECK_OK(file_read_whole(exports[k].file, 1 << 24, &whole, &size, &err), err);
    long n = 0;
    for (bool failed = true; failed;) {
        unlink(exports[k].file);
        err = (carom_error){ 0 };
        heap_begin(++n);
        carom_status status = write_once(result, k, &report, &err);
        failed = heap_end();
        if (heap.live != 0 || status != (failed ? CAROM_NO_MEMORY : CAROM_OK)) {
            print_error("%s, allocation %ld: %s: %s; %ld blocks lost\n", exports[k].format, n,
                        carom_status_name(status), err.message, heap.live);
        }
        CHECK_EQ(heap.live, 0);
        CHECK_EQ(status, failed ? CAROM_NO_MEMORY : CAROM_OK);
        CHECK(status == CAROM_OK || err.message[0]);
        CHECK(file_exists(exports[k].file) == (status == CAROM_OK));
    }
    char *again = NULL;
    size_t size_again = 0;
    CHECK_OK(file_read_whole(exports[k].file, 1 << 24, &again, &size_again, &err), err);
    CHECK(size == size_again && memcmp(whole, again, size) == 0);
    free(again);
    free(whole);
}

TEST(export_memory, every_allocation_may_fail)
{
    carom_result *result = NULL;
    carom_error err = { 0 };
    small_run(scene, "export-run");
    CHECK_OK(carom_result_open("export-run", &result, &err), err);
    for (int k = 0; k < EXPORTS; ++k) {
        fail_each(result, k);
    }
    carom_result_close(result);
    CHECK_EQ(system("rm -rf export-run/vtk export-run/obj export-run/a.* export-run/e.csv"), 0);
    small_remove("export-run");
}

/* A soft block that spins. */
TEST(export_memory, every_allocation_may_fail_for_bodies_that_deform)
{
    carom_result *result = NULL;
    carom_error err = { 0 };
    small_run("{\"carom\": 1, \"materials\": {\"rubber\": {\"young\": 2e5, \"poisson\": 0.3, \"density\": 1000}},"
              " \"time\": {\"end\": 0.01}, \"bodies\": [{\"name\": \"block\", \"material\": \"rubber\","
              " \"angular_velocity\": [3, 20, 5], \"flexible\": {\"mesh\": {\"block\": {\"size\": [0.3, 0.2, 0.1],"
              " \"divisions\": [2, 2, 1]}}, \"modes\": {\"count\": 3}}}], \"record\": {\"every\": 0.005}}",
              "export-run");
    CHECK_OK(carom_result_open("export-run", &result, &err), err);
    CHECK_TEXT(exports[1].format, "vtk");
    CHECK_TEXT(exports[2].format, "glb");
    fail_each(result, 1);
    fail_each(result, 2);
    carom_result_close(result);
    CHECK_EQ(system("rm -rf export-run/vtk export-run/a.glb"), 0);
    small_remove("export-run");
}

TEST(export_formats, are_listed_and_found)
{
    size_t count = 0;
    for (const carom_export_format *format; (format = carom_export_format_at(count)); ++count) {
        CHECK(carom_export_format_find(format->name) == format);
        CHECK(format->extension[0] == '.' && format->doc[0]);
    }
    CHECK_EQ(count, EXPORTS);
    CHECK(!carom_export_format_find("nothing") && !carom_export_format_find(NULL));
}

TEST(export_formats, wrong_ones_are_named)
{
    carom_result *result = NULL;
    carom_error err = { 0 };
    small_run(scene, "export-run");
    CHECK_OK(carom_result_open("export-run", &result, &err), err);
    carom_export_options options = { .format = "gbl", .path = "export-run/x" };
    CHECK_EQ(carom_result_export(result, &options, NULL, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "did you mean 'glb'?");
    options = (carom_export_options){ .format = NULL, .path = "export-run/x" };
    CHECK_EQ(carom_result_export(result, &options, NULL, &err), CAROM_BAD_INPUT);
    options = (carom_export_options){ .format = "glb" };
    CHECK_EQ(carom_result_export(result, &options, NULL, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "file");
    options = (carom_export_options){ .format = "glb", .path = "export-run/x", .from = 1e9 };
    CHECK_EQ(carom_result_export(result, &options, NULL, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "no frame");
    carom_result_close(result);
    small_remove("export-run");
}

int main(void)
{
    json_set_alloc_funcs(__wrap_malloc, __wrap_free); /* else Jansson never fails */
    const struct CMUnitTest tests[] = {
        RUN_TEST(export_memory, every_allocation_may_fail),
        RUN_TEST(export_memory, every_allocation_may_fail_for_bodies_that_deform),
        RUN_TEST(export_formats, are_listed_and_found),
        RUN_TEST(export_formats, wrong_ones_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
