/* The page from inside: its parts are packed so that zlib and base64 bring them back, arrays are aligned, frames are
 * spread evenly, and every allocation may fail. What a whole page holds is tested from outside (tests/cli). */
#include "support/failing_heap.h"

#include <carom/modes.h>
#include <zlib.h>

#include "base/text.h"
#include "files/file.h"
#include "page/page.h"
#include "support/small_run.h"

static const char *const scene = SMALL_SCENE(SMALL_FLOOR ", " SMALL_BALLS ", " SMALL_ARM, SMALL_HINGE);

/* ---- packing ------------------------------------------------------------------------------------------------------ */

static int digit(char c)
{
    const char *digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* The bytes of base64, bit by bit. */
static size_t from_base64(const unsigned char *in, size_t size, unsigned char *out)
{
    size_t bits = 0;
    CHECK_EQ(size % 4, 0);
    memset(out, 0, size);
    for (size_t i = 0; i < size && in[i] != '='; ++i) {
        int value = digit((char)in[i]);
        CHECK(value >= 0);
        for (int b = 5; b >= 0; --b, ++bits) {
            out[bits / 8] |= (unsigned char)((value >> b & 1) << (7 - bits % 8));
        }
    }
    return bits / 8;
}

TEST(page, packed_bytes_come_back)
{
    FOR_EACH_SEED(rng, 60) {
        byte_buffer in = { 0 };
        byte_buffer out = { 0 };
        size_t size = seed_ < 10 ? (size_t)seed_ - 1 : (size_t)test_rng_uniform(&rng, 0.0, 5000.0);
        for (size_t i = 0; i < size; ++i) {
            unsigned char byte = (unsigned char)test_rng_uniform(&rng, 0.0, 256.0);
            byte_buffer_add(&in, &byte, 1);
        }
        CHECK(page_pack(&in, &out));
        unsigned char *packed = malloc(out.size + 1);
        unsigned char *back = malloc(size + 1);
        uLongf length = size + 1;
        size_t bytes = from_base64(out.data, out.size, packed);
        CHECK_EQ(uncompress(back, &length, packed, bytes), Z_OK);
        CHECK_EQ(length, size);
        CHECK(size == 0 || memcmp(back, in.data, size) == 0);
        free(packed);
        free(back);
        byte_buffer_free(&in);
        byte_buffer_free(&out);
    }
}

TEST(page, arrays_are_aligned_and_named)
{
    byte_buffer arrays = { 0 };
    const double values[] = { 1.5, -2.0, 3e5, 0.1, 7.0 };
    json_t *(*const kinds[])(byte_buffer *, const double *, size_t) = { page_f64, page_f32, page_u32, page_i32 };
    static const char *const names[] = { "f64", "f32", "u32", "i32" };
    for (size_t i = 0; i < 24; ++i) {
        size_t count = i % 6;
        json_t *ref = kinds[i % 4](&arrays, values + (i % 4 == 2 ? 2 : 0), i % 4 == 2 && count > 3 ? 3 : count);
        size_t at = (size_t)json_integer_value(json_object_get(ref, "at"));
        CHECK_EQ(at % 8, 0);
        CHECK_LE((double)at, (double)arrays.size);
        CHECK_TEXT(json_string_value(json_object_get(ref, "type")), names[i % 4]);
        if (i % 4 == 1 && count > 3) {
            float number;
            memcpy(&number, arrays.data + at + 3 * sizeof number, sizeof number);
            CHECK_NEAR((double)number, (double)0.1f, 0.0);
        }
        json_decref(ref);
    }
    byte_buffer_free(&arrays);
}

TEST(page, a_buffer_that_failed_stays_failed)
{
    byte_buffer b = { 0 };
    byte_buffer_add(&b, "abc", 3);
    CHECK(byte_buffer_extend(&b, SIZE_MAX - 1) == NULL);
    CHECK(b.failed);
    CHECK(byte_buffer_extend(&b, 1) == NULL);
    CHECK(!page_pack(&b, &(byte_buffer){ 0 }));
    byte_buffer_free(&b);
}

TEST(page, texts_are_always_valid)
{
    static const char *const texts[][2] = { { "plain", "plain" },
                                            { "\xc3\xa9", "\xc3\xa9" },
                                            { "a\xff\x62", "a?b" },
                                            { "\xf0\x9f\x92\xa5", "\xf0\x9f\x92\xa5" },
                                            { "", "" } };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        json_t *value = json_value_text(texts[i][0]);
        CHECK_TEXT(json_string_value(value), texts[i][1]);
        json_decref(value);
    }
    json_t *nothing = json_value_number((double)NAN);
    json_t *endless = json_value_number(HUGE_VAL);
    CHECK(json_is_null(nothing) && json_is_null(endless));
}

/* ---- memory ------------------------------------------------------------------------------------------------------- */

/* One page of two results, read and written within, so that all must be given back. */
static carom_status try_once(byte_buffer *out, carom_error *err)
{
    carom_result *results[2] = { NULL, NULL };
    carom_status status = carom_result_open("page-run", &results[0], err);
    status = status == CAROM_OK ? carom_result_open("page-run/result.h5", &results[1], err) : status;
    if (status == CAROM_OK) {
        status = page_data((const carom_result *const *)results, 2, NULL, out, err);
    }
    carom_result_close(results[0]);
    carom_result_close(results[1]);
    return status;
}

/* The answer is an error, or the very same page: some texts are tried twice. */
static bool fail_at(long n, const byte_buffer *whole)
{
    byte_buffer data = { 0 };
    carom_error err = { 0 };
    heap_begin(n);
    carom_status status = try_once(&data, &err);
    bool same = data.size == whole->size && memcmp(data.data, whole->data, data.size) == 0;
    byte_buffer_free(&data);
    bool failed = heap_end();
    if (status == CAROM_OK && !same) {
        print_error("allocation %ld was missing, and so is something in the page\n", n);
    }
    CHECK(status == CAROM_OK ? same : failed && err.message[0]);
    if (heap.live != 0) {
        print_error("allocation %ld: %ld blocks lost\n", n, heap.live);
    }
    CHECK_EQ(heap.live, 0);
    return failed;
}

/* A page of a scene, run before. */
static void fail_many(const char *text, double least)
{
    byte_buffer whole = { 0 };
    carom_error err = { 0 };
    small_run(text, "page-run");
    unlink("page-run/summary.json"); /* optional: without memory for it, it counts as missing */
    json_set_alloc_funcs(__wrap_malloc, __wrap_free);
    CHECK_OK(try_once(&whole, &err), err);
    long n = 1;
    while (fail_at(n, &whole)) {
        n += 1 + n / 60; /* all of the first, then some of the many alike */
    }
    printf("  %ld allocations, %zu bytes\n", n - 1, whole.size);
    CHECK_GE((double)n, least);
    byte_buffer_free(&whole);
    small_remove("page-run");
}

TEST(page, every_allocation_may_fail)
{
    fail_many(scene, 1000.0);
}

/* A soft block of shapes and a strip of nodes. */
TEST(page, every_allocation_may_fail_for_bodies_that_deform)
{
    fail_many(
        "{\"carom\": 1, \"materials\": {\"rubber\": {\"young\": 2e5, \"poisson\": 0.3, \"density\": 1000}},"
        " \"time\": {\"end\": 0.01}, \"contact\": {\"method\": \"constraint\"}, \"bodies\": [{\"name\": \"block\","
        " \"material\": \"rubber\", \"angular_velocity\": [3, 20, 5], \"flexible\": {\"mesh\": {\"block\": {\"size\":"
        " [0.3, 0.2, 0.1], \"divisions\": [2, 2, 1]}}, \"modes\": {\"count\": 3}}}, {\"name\": \"strip\", \"material\":"
        " \"rubber\", \"position\": [1, 0, 0], \"flexible\": {\"as\": \"nodes\", \"thickness\": 0.01, \"mesh\": {\"strip\":"
        " {\"length\": 0.1, \"height\": 0.1, \"divisions\": [2, 2]}}}}], \"record\": {\"every\": 0.005}}",
        500.0);
}

/* A page of modes, written to a file that appears whole or not at all. */
TEST(page, every_allocation_may_fail_for_modes)
{
    static const char text[] =
        "{\"carom\": 1, \"materials\": {\"rubber\": {\"young\": 2e5, \"poisson\": 0.3, \"density\": 1000}}, \"bodies\": "
        "[{\"name\": \"block\", \"material\": \"rubber\", \"flexible\": {\"mesh\": {\"block\": {\"size\": [0.3, 0.2, 0.1], "
        "\"divisions\": [2, 2, 1]}}, \"modes\": {\"count\": 3}}}]}";
    carom_error err = { 0 };
    carom_modes *modes = NULL;
    carom_spec *spec = NULL;
    CHECK_OK(carom_scene_parse(text, strlen(text), "test", ".", NULL, 0, &spec, &err), err);
    CHECK_OK(carom_modes_find(spec, "block", NULL, &modes, &err), err);
    carom_spec_destroy(spec);
    json_set_alloc_funcs(__wrap_malloc, __wrap_free);
    char *whole = NULL;
    size_t size = 0;
    CHECK_OK(carom_modes_page(modes, "block", "modes.html", &err), err);
    CHECK_OK(file_read_whole("modes.html", 1 << 24, &whole, &size, &err), err);
    long n = 1;
    for (bool failed = true; failed; n += 1 + n / 60) {
        unlink("modes.html");
        heap_begin(n);
        carom_status status = carom_modes_page(modes, "block", "modes.html", &err);
        failed = heap_end();
        CHECK_EQ(heap.live, 0);
        CHECK_EQ(access("modes.html", F_OK), status == CAROM_OK ? 0 : -1);
        if (status == CAROM_OK) { /* some texts are tried twice */
            char *page = NULL;
            size_t length = 0;
            CHECK_OK(file_read_whole("modes.html", 1 << 24, &page, &length, &err), err);
            if (length != size || memcmp(page, whole, size) != 0) {
                print_error("allocation %ld was missing, and so is something in the page\n", n);
            }
            CHECK(length == size && memcmp(page, whole, size) == 0);
            free(page);
        }
    }
    free(whole);
    printf("  %ld allocations\n", n);
    CHECK_GE((double)n, 100.0);
    unlink("modes.html");
    carom_modes_destroy(modes);
}

static carom_status write_once(const carom_page_options *options, carom_error *err)
{
    carom_result *r = NULL;
    carom_status status = carom_result_open("page-run", &r, err);
    if (status == CAROM_OK) {
        status = carom_page_write((const carom_result *const *)&r, 1, options, "page-run/page.html", err);
    }
    carom_result_close(r);
    return status;
}

TEST(page, files_appear_whole_or_not_at_all)
{
    carom_error err = { 0 };
    small_run(scene, "page-run");
    char *text = NULL;
    size_t size = 0;
    CHECK_OK(write_once(&(carom_page_options){ .title = "t" }, &err), err);
    CHECK_OK(file_read_whole("page-run/page.html", 1 << 30, &text, &size, &err), err);
    CHECK(strstr(text, "<script id=\"carom-data\"") && !strstr(text, "@CAROM_DATA@"));
    free(text);
    for (long n = 1; n <= 40; ++n) {
        heap_begin(n * n);
        write_once(NULL, &err);
        heap_end();
        CHECK_EQ(heap.live, 0);
    }
    CHECK_EQ(carom_page_write(NULL, 0, NULL, "page-run/page.html", &err), CAROM_BAD_INPUT);
    small_remove("page-run");
    CHECK(!file_exists("page-run")); /* nothing hidden stays behind */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(page, packed_bytes_come_back),
        RUN_TEST(page, arrays_are_aligned_and_named),
        RUN_TEST(page, a_buffer_that_failed_stays_failed),
        RUN_TEST(page, texts_are_always_valid),
        RUN_TEST(page, every_allocation_may_fail),
        RUN_TEST(page, every_allocation_may_fail_for_bodies_that_deform),
        RUN_TEST(page, every_allocation_may_fail_for_modes),
        RUN_TEST(page, files_appear_whole_or_not_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
