/* Pictures when memory runs out: every single allocation fails once, and each time the answer is an error and no file, or the very same
 * file; nothing crashes and everything is given back. And what a caller may hand over. */
#include "support/failing_heap.h"

#include <carom/render.h>

#include "files/file.h"
#include "support/small_run.h"

static const char *const rigid = SMALL_SCENE(SMALL_FLOOR ", " SMALL_BALLS ", " SMALL_ARM, SMALL_HINGE);
static const char *const soft =
    "{\"carom\": 1, \"materials\": {\"rubber\": {\"young\": 2e5, \"poisson\": 0.3, \"density\": 1000}},"
    " \"time\": {\"end\": 0.01}, \"bodies\": [{\"name\": \"block\", \"material\": \"rubber\","
    " \"angular_velocity\": [3, 20, 5], \"flexible\": {\"mesh\": {\"block\": {\"size\": [0.3, 0.2, 0.1],"
    " \"divisions\": [2, 2, 1]}}, \"modes\": {\"count\": 3}}}], \"record\": {\"every\": 0.005},"
    " \"view\": {\"name\": \"near\", \"look_at\": \"block\", \"from\": [0.5, -0.5, 0.3], \"show\": [\"axes\", \"paths\", \"joints\"]}}";

static void fail_each(const carom_result *result, const char *path)
{
    carom_render_options options = { .path = path, .width = 40, .height = 24, .fps = 1.0, .threads = 1 };
    char *whole = NULL, *again = NULL;
    size_t size = 0, size_again = 0;
    carom_error err = { 0 };
    CHECK_OK(carom_render(result, &options, NULL, &err), err); /* the result has read what it keeps */
    CHECK_OK(file_read_whole(path, 1 << 24, &whole, &size, &err), err);
    long n = 0;
    for (bool failed = true; failed;) {
        unlink(path);
        err = (carom_error){ 0 };
        heap_begin(++n);
        carom_status status = carom_render(result, &options, NULL, &err);
        failed = heap_end();
        CHECK_EQ(heap.live, 0);
        CHECK_EQ(status, failed ? CAROM_NO_MEMORY : CAROM_OK);
        CHECK(status == CAROM_OK || err.message[0]);
        CHECK(file_exists(path) == (status == CAROM_OK));
    }
    CHECK_OK(file_read_whole(path, 1 << 24, &again, &size_again, &err), err);
    CHECK(n > 20 && size == size_again && memcmp(whole, again, size) == 0);
    free(again);
    free(whole);
    unlink(path);
}

static void fail_scene(const char *scene)
{
    carom_result *result = NULL;
    carom_error err = { 0 };
    small_run(scene, "render-run");
    CHECK_OK(carom_result_open("render-run", &result, &err), err);
    fail_each(result, "render-run/a.png");
    fail_each(result, "render-run/a.apng");
    carom_result_close(result);
    small_remove("render-run");
}

TEST(render_memory, every_allocation_may_fail)
{
    fail_scene(rigid);
}

TEST(render_memory, every_allocation_may_fail_for_bodies_that_deform)
{
    fail_scene(soft);
}

TEST(render_arguments, that_cannot_be_used_are_refused)
{
    carom_result *result = NULL;
    carom_error err = { 0 };
    small_run(rigid, "render-run");
    CHECK_OK(carom_result_open("render-run", &result, &err), err);
    const double nowhere = (double)NAN, early = 0.0, late = 1e9;
    const carom_render_options wrong[] = {
        { 0 },
        { .path = "" },
        { .path = "a.gif" },
        { .path = "a.png", .width = 8, .height = 8 },
        { .path = "a.png", .width = 100 },
        { .path = "a.png", .width = 20000, .height = 100 },
        { .path = "a.png", .fps = -1.0 },
        { .path = "a.png", .fps = (double)NAN },
        { .path = "a.png", .speed = -1.0 },
        { .path = "a.png", .speed = HUGE_VAL },
        { .path = "a.png", .threads = -1 },
        { .path = "a.png", .from = &nowhere },
        { .path = "a.png", .until = &nowhere },
        { .path = "a.png", .view = "no such view" },
        { .path = "a.apng", .from = &late, .until = &early },
        { .path = "a.apng", .speed = 1e-9 },
        { .path = "render-run/result.h5/a.png" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        err = (carom_error){ 0 };
        CHECK_EQ(carom_render(result, &wrong[i], NULL, &err), CAROM_BAD_INPUT);
        CHECK(err.message[0]);
        CHECK(!file_exists("a.png") && !file_exists("a.apng"));
    }
    CHECK_EQ(carom_render(NULL, &wrong[2], NULL, &err), CAROM_BAD_INPUT);
    CHECK_EQ(carom_render(result, NULL, NULL, NULL), CAROM_BAD_INPUT);
    carom_result_close(result);
    small_remove("render-run");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(render_memory, every_allocation_may_fail),
        RUN_TEST(render_memory, every_allocation_may_fail_for_bodies_that_deform),
        RUN_TEST(render_arguments, that_cannot_be_used_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
