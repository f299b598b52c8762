/* Exports, piece by piece: checksums and archives that other programs read, names that break nothing, normals that are
 * smooth where a surface is, files that are whole. What the formats say about a result is tested from outside, in
 * tests/cli/test_export_cli.py. */
#include "support/check.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>
#include <zlib.h>

#include "files/output_folder.h"
#include "export/gltf.h"
#include "export/npy.h"
#include "files/utf8.h"
#include "geometry/crease.h"
#include "math/vec3.h"

static const double DEGREE = 3.14159265358979323846 / 180.0; /* [rad] */

/* ---- files of a test ---------------------------------------------------------------------------------------------- */

typedef struct test_folder {
    char path[64];
    char file[128];
} test_folder;

static test_folder folder_make(const char *file)
{
    test_folder f;
    snprintf(f.path, sizeof f.path, "/tmp/carom-test-XXXXXX");
    CHECK(mkdtemp(f.path) != NULL);
    snprintf(f.file, sizeof f.file, "%s/%s", f.path, file);
    return f;
}

static void folder_remove(const test_folder *f)
{
    DIR *listing = opendir(f->path);
    for (struct dirent *entry; listing && (entry = readdir(listing));) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", f->path, entry->d_name);
        unlink(path);
    }
    closedir(listing);
    rmdir(f->path);
}

static int folder_count(const test_folder *f)
{
    int count = 0;
    DIR *listing = opendir(f->path);
    while (readdir(listing)) {
        ++count;
    }
    closedir(listing);
    return count - 2;
}

static unsigned char *read_all(const char *path, size_t *length)
{
    char *data = NULL;
    carom_error err = { 0 };
    CHECK_OK(file_read_whole(path, 1 << 24, &data, length, &err), err);
    return (unsigned char *)data;
}

static uint64_t little(const unsigned char *p, int bytes)
{
    uint64_t value = 0;
    for (int k = bytes; k-- > 0;) {
        value = value << 8 | p[k];
    }
    return value;
}

/* ---- texts ---------------------------------------------------------------------------------------------------------- */

static size_t encode(uint32_t code, char out[5])
{
    unsigned char *p = (unsigned char *)out;
    size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
    for (size_t k = length; k-- > 1;) {
        p[k] = (unsigned char)(0x80 | (code & 0x3f));
        code >>= 6;
    }
    p[0] = (unsigned char)(lead[length] | code);
    out[length] = '\0';
    return length;
}

TEST(utf8, reads_every_character)
{
    for (uint32_t code = 1; code <= 0x10ffff; ++code) {
        char text[5];
        uint32_t read = 0;
        size_t length = encode(code, text);
        bool surrogate = code >= 0xd800 && code <= 0xdfff;
        size_t taken = export_utf8_next(text, &read);
        if (read != (surrogate ? 0xfffd : code) || taken != (surrogate ? 1 : length)) {
            print_error("U+%X reads as U+%X of %zu bytes\n", (unsigned)code, (unsigned)read, taken);
            CHECK(false);
        }
    }
}

TEST(utf8, replaces_what_is_none)
{
    static const char *const bad[] = { "\x80",     "\xff",         "\xc0\xaf",         "\xe0\x80\xaf",    "\xc3",
                                       "\xe2\x82", "\xf0\x9f\x98", "\xf5\x80\x80\x80", "\xf4\x90\x80\x80" };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        uint32_t code = 0;
        CHECK_EQ(export_utf8_next(bad[i], &code), 1);
        CHECK_EQ(code, 0xfffd);
    }
}

/* Jansson reads what was written, as the text it was, whatever bytes are in it. */
TEST(json, texts_read_back)
{
    FOR_EACH_SEED(rng, 500) {
        char text[40] = "";
        size_t length = (size_t)test_rng_uniform(&rng, 0.0, 39.0);
        for (size_t i = 0; i < length; ++i) {
            text[i] = (char)(1.0 + test_rng_uniform(&rng, 0.0, 255.0));
        }
        carom_text valid = { 0 };
        export_utf8_add(&valid, text);
        json_t *written = json_pack("[s]", valid.data ? valid.data : "");
        CHECK(written != NULL);
        char *json = json_dumps(written, JSON_COMPACT);
        json_t *document = json_loads(json, 0, NULL);
        CHECK(document != NULL);
        CHECK(strpbrk(json, "\n\r\t") == NULL);
        const char *back = json_string_value(json_array_get(document, 0));
        for (const char *c = text; *c;) {
            uint32_t wanted;
            uint32_t read;
            c += export_utf8_next(c, &wanted);
            back += export_utf8_next(back, &read);
            CHECK_EQ(read, wanted);
        }
        CHECK_EQ(*back, 0);
        json_decref(document);
        json_decref(written);
        carom_text_free(&valid);
        free(json);
    }
}

TEST(names, plain_ones_stay)
{
    char out[16];
    CHECK(export_plain_name("rod.x-1_a", out, sizeof out));
    CHECK_TEXT(out, "rod.x-1_a");
    CHECK(!export_plain_name("../../etc", out, sizeof out));
    CHECK_TEXT(out, ".._.._etc");
    CHECK(!export_plain_name("a b\n\"<\xf0\x9f\x98\x80\xff", out, sizeof out));
    CHECK_TEXT(out, "a_b_____");
    CHECK(!export_plain_name("", out, sizeof out));
    CHECK_TEXT(out, "_");
    CHECK(!export_plain_name("abcdefghijklmnopqrstuvwxyz", out, sizeof out));
    CHECK_TEXT(out, "abcdefghijklmno");
}

TEST(numbers, read_back_exactly)
{
    FOR_EACH_SEED(rng, 5000) {
        char buffer[OUTPUT_NUMBER];
        double x = test_rng_uniform(&rng, -1.0, 1.0) * pow(10.0, test_rng_uniform(&rng, -300.0, 300.0));
        CHECK(strtod(output_number_text(x, 0, buffer), NULL) == x);
        CHECK_NEAR(strtod(output_number_text(x, 9, buffer), NULL), x, 5e-9 * fabs(x));
    }
    char buffer[OUTPUT_NUMBER];
    CHECK_TEXT(output_number_text(0.1, 0, buffer), "0.1");
    CHECK_TEXT(output_number_text(-5e-324, 0, buffer), "-4.94065645841247e-324");
    CHECK_TEXT(output_number_text(-HUGE_VAL, 0, buffer), "-inf");
}

/* ---- archives ------------------------------------------------------------------------------------------------------- */

enum { PARTS = 5 };
static const char *const part_names[PARTS] = { "a.npy", "signals/b.npy", "empty.npy", "c", "d" };
static const char *const part_texts[PARTS] = { "first", "second, longer", "", "third", "the last one" };

static void write_parts(const char *path, uint64_t narrow)
{
    zip_writer zip;
    carom_error err = { 0 };
    carom_export_report report = { 0 };
    CHECK_OK(zip_open(&zip, path, &err), err);
    zip.narrow = narrow;
    for (int k = 0; k < PARTS; ++k) {
        size_t half = strlen(part_texts[k]) / 2;
        zip_begin(&zip, part_names[k]);
        zip_write(&zip, part_texts[k], half);
        zip_write(&zip, part_texts[k] + half, strlen(part_texts[k]) - half);
        zip_end(&zip);
    }
    CHECK_OK(zip_close(&zip, CAROM_OK, &report, &err), err);
    CHECK_EQ(report.files, 1);
    struct stat info;
    CHECK(stat(path, &info) == 0 && (uint64_t)info.st_size == report.bytes);
}

/* A reader of its own: from the end to the directory to the files, as unzip goes. */
static void check_parts(const unsigned char *data, size_t length, bool wide)
{
    const unsigned char *end = data + length - 22;
    CHECK_EQ(little(end, 4), 0x06054b50);
    uint64_t at = little(end + 16, 4);
    uint64_t count = little(end + 10, 2);
    CHECK((at == UINT32_MAX) == wide);
    if (wide) {
        const unsigned char *locator = end - 20;
        CHECK_EQ(little(locator, 4), 0x07064b50);
        const unsigned char *end64 = data + little(locator + 8, 8);
        CHECK_EQ(little(end64, 4), 0x06064b50);
        CHECK_EQ(end64 + 12 + little(end64 + 4, 8) - data, locator - data);
        count = little(end64 + 32, 8);
        at = little(end64 + 48, 8);
        CHECK_EQ(at + little(end64 + 40, 8), end64 - data);
    }
    CHECK_EQ(count, PARTS);
    for (int k = 0; k < PARTS; ++k) {
        const unsigned char *entry = data + at;
        size_t name = strlen(part_names[k]);
        size_t size = strlen(part_texts[k]);
        CHECK_EQ(little(entry, 4), 0x02014b50);
        CHECK_EQ(little(entry + 28, 2), name);
        CHECK(memcmp(entry + 46, part_names[k], name) == 0);
        CHECK_EQ(little(entry + 16, 4), crc32(0, (const unsigned char *)part_texts[k], (unsigned)size));
        uint64_t extra = little(entry + 30, 2);
        const unsigned char *numbers = entry + 46 + name + 4;
        CHECK_EQ(little(extra ? numbers : entry + 20, extra ? 8 : 4), size);
        const unsigned char *local = data + little(extra ? numbers + 16 : entry + 42, extra ? 8 : 4);
        CHECK_EQ(little(local, 4), 0x04034b50);
        CHECK_EQ(little(local + 14, 4), crc32(0, (const unsigned char *)part_texts[k], (unsigned)size));
        CHECK_EQ(little(local + 30 + name + 4, 8), size);
        CHECK(memcmp(local + 30 + name + 20, part_texts[k], size) == 0);
        at += 46 + name + extra;
    }
}

TEST(zip, is_read_back_with_narrow_and_wide_sizes)
{
    static const uint64_t narrow[] = { UINT32_MAX, 60, 1 };
    for (int k = 0; k < 3; ++k) {
        test_folder f = folder_make("x.zip");
        size_t length = 0;
        write_parts(f.file, narrow[k]);
        unsigned char *data = read_all(f.file, &length);
        check_parts(data, length, k > 0);
        CHECK_EQ(folder_count(&f), 1);
        free(data);
        folder_remove(&f);
    }
}

TEST(zip, goes_to_files_only)
{
    zip_writer zip;
    carom_error err = { 0 };
    CHECK_EQ(zip_open(&zip, "/dev/null", &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "/dev/null");
    CHECK_EQ(zip_open(&zip, "/proc/nowhere/x.npz", &err), CAROM_BAD_INPUT);
}

TEST(npy, numbers_begin_at_multiples_of_64)
{
    test_folder f = folder_make("x.npz");
    zip_writer zip;
    carom_error err = { 0 };
    carom_export_report report = { 0 };
    size_t length = 0;
    CHECK_OK(zip_open(&zip, f.file, &err), err);
    npy_reals(&zip, "k", (double[]){ 1.5, -2.0, 3.0, 0.0, 1e300, 7.0 }, 2, 3);
    CHECK_OK(zip_close(&zip, CAROM_OK, &report, &err), err);
    unsigned char *data = read_all(f.file, &length);
    const unsigned char *npy = data + 30 + strlen("k.npy") + 20;
    CHECK(memcmp(npy, "\x93NUMPY\x01\x00", 8) == 0);
    size_t header = 10 + little(npy + 8, 2);
    CHECK_EQ(header % 64, 0);
    CHECK_EQ(npy[header - 1], '\n');
    char text[256] = "";
    memcpy(text, npy + 10, header - 10);
    CHECK_CONTAINS(text, "'shape': (2,3,)");
    CHECK_CONTAINS(text, "'fortran_order': False");
    double last;
    memcpy(&last, npy + header + 40, sizeof last);
    CHECK_NEAR(last, 7.0, 0.0);
    free(data);
    folder_remove(&f);
}

/* ---- files and folders ---------------------------------------------------------------------------------------------- */

TEST(output, is_whole_or_not_there)
{
    test_folder f = folder_make("x.txt");
    output_file out;
    carom_error err = { 0 };
    carom_export_report report = { 0 };
    CHECK_OK(output_open(&out, f.file, &err), err);
    output_text(&out, "half");
    CHECK_EQ(output_close(&out, CAROM_NO_MEMORY, &report, &err), CAROM_NO_MEMORY);
    CHECK_EQ(folder_count(&f), 0);
    CHECK_OK(output_open(&out, f.file, &err), err);
    output_printf(&out, "%d", 1234);
    CHECK(access(f.file, F_OK) != 0);
    CHECK_OK(output_close(&out, CAROM_OK, &report, &err), err);
    CHECK(access(f.file, F_OK) == 0);
    CHECK_EQ(report.bytes, 4);
    CHECK_EQ(report.files, 1);
    CHECK_EQ(output_open(&out, f.path, &err), CAROM_BAD_INPUT);
    folder_remove(&f);
}

TEST(output, says_that_the_disk_is_full)
{
    output_file out;
    carom_error err = { 0 };
    carom_export_report report = { 0 };
    CHECK_OK(output_open(&out, "/dev/full", &err), err);
    output_text(&out, "x");
    CHECK_EQ(output_close(&out, CAROM_OK, &report, &err), CAROM_IO_FAILED);
    CHECK_CONTAINS(err.message, "No space left");
    CHECK(access("/dev/full", F_OK) == 0);
}

TEST(patterns, fit_digits)
{
    CHECK(output_pattern_fits("frame-#.obj", "frame-000012.obj"));
    CHECK(output_pattern_fits("frame-#.obj", "frame-1234567890.obj"));
    CHECK(!output_pattern_fits("frame-#.obj", "frame-.obj"));
    CHECK(!output_pattern_fits("frame-#.obj", "frame-1.obj.bak"));
    CHECK(!output_pattern_fits("frame-#.obj", "my-frame-1.obj"));
    CHECK(!output_pattern_fits("frame-#.obj", "frame-1a.obj"));
    CHECK(output_pattern_fits("a.pvd", "a.pvd"));
    CHECK(!output_pattern_fits("a.pvd", "b.pvd"));
    CHECK(!output_pattern_fits("a.pvd", ""));
}

static void touch(const test_folder *f, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", f->path, name);
    FILE *file = fopen(path, "w");
    CHECK(file != NULL);
    fclose(file);
}

TEST(folders, of_others_are_refused)
{
    static const char *const patterns[] = { "frame-#.obj", "materials.mtl", NULL };
    test_folder f = folder_make("thesis.tex");
    carom_error err = { 0 };
    touch(&f, "frame-000000.obj");
    touch(&f, ".frame-000001.obj.new");
    touch(&f, "thesis.tex");
    CHECK_EQ(output_folder_prepare(f.path, patterns, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "thesis.tex");
    CHECK_EQ(folder_count(&f), 3);
    unlink(f.file);
    CHECK_OK(output_folder_prepare(f.path, patterns, &err), err);
    CHECK_EQ(folder_count(&f), 0);
    touch(&f, "file");
    char inside[128];
    snprintf(inside, sizeof inside, "%s/file/x", f.path);
    CHECK_EQ(output_folder_prepare(inside, patterns, &err), CAROM_BAD_INPUT);
    folder_remove(&f);
}

/* ---- normals -------------------------------------------------------------------------------------------------------- */

static const double box_vertices[] = { -1, -1, -1, 1, -1, -1, -1, 1, -1, 1, 1, -1,
                                       -1, -1, 1,  1, -1, 1,  -1, 1, 1,  1, 1, 1 };
static const int32_t box_triangles[] = { 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                         2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5 };

TEST(crease, a_box_keeps_its_edges)
{
    carom_arena arena = { 0 };
    carom_surface box = { 8, 12, box_vertices, box_triangles };
    crease_surface lit;
    CHECK(crease_split(&box, cos(35.0 * DEGREE), &arena, &lit));
    CHECK_EQ(lit.vertex_count, 24);
    CHECK_EQ(lit.triangle_count, 12);
    for (size_t i = 0; i < lit.vertex_count; ++i) {
        int across = 0;
        for (int k = 0; k < 3; ++k) {
            double n = (double)lit.normals[3 * i + k];
            across += fabs(n) == 1.0;
            CHECK(n == 0.0 || n == (double)lit.positions[3 * i + k]);
        }
        CHECK_EQ(across, 1);
    }
    CHECK(crease_split(&box, cos(91.0 * DEGREE), &arena, &lit));
    CHECK_EQ(lit.vertex_count, 8);
    carom_arena_free(&arena);
}

/* A ball of stacks and slices, each point once. */
typedef struct ball {
    double vertices[3 * 400];
    int32_t triangles[3 * 800];
    carom_surface surface;
} ball;

static void ball_add(ball *b, int i, int j, int k)
{
    int32_t *t = b->triangles + 3 * b->surface.triangle_count++;
    t[0] = i;
    t[1] = j;
    t[2] = k;
}

static void ball_make(ball *b, int stacks, int slices)
{
    b->surface = (carom_surface){ .vertices = b->vertices, .triangles = b->triangles };
    b->surface.vertex_count = (size_t)((stacks - 1) * slices + 2);
    for (int i = 1; i < stacks; ++i) {
        for (int j = 0; j < slices; ++j) {
            double polar = 180.0 * DEGREE * i / stacks;
            double around = 360.0 * DEGREE * j / slices;
            v3_store(b->vertices + 3 * ((i - 1) * slices + j),
                     v3_make(sin(polar) * cos(around), sin(polar) * sin(around), cos(polar)));
        }
    }
    int north = (stacks - 1) * slices;
    v3_store(b->vertices + 3 * north, v3_make(0, 0, 1));
    v3_store(b->vertices + 3 * (north + 1), v3_make(0, 0, -1));
    for (int j = 0; j < slices; ++j) {
        int next = (j + 1) % slices;
        ball_add(b, north, j, next);
        ball_add(b, north + 1, (stacks - 2) * slices + next, (stacks - 2) * slices + j);
        for (int i = 0; i + 2 < stacks; ++i) {
            int a = i * slices;
            ball_add(b, a + j, a + slices + j, a + slices + next);
            ball_add(b, a + j, a + slices + next, a + next);
        }
    }
}

TEST(crease, a_ball_is_smooth)
{
    carom_arena arena = { 0 };
    ball *b = calloc(1, sizeof *b);
    crease_surface lit;
    ball_make(b, 16, 24);
    CHECK(crease_split(&b->surface, cos(35.0 * DEGREE), &arena, &lit));
    CHECK_EQ(lit.vertex_count, b->surface.vertex_count);
    CHECK_EQ(lit.triangle_count, b->surface.triangle_count);
    for (size_t i = 0; i < 3 * lit.vertex_count; i += 3) {
        double cosine = 0.0;
        for (size_t k = 0; k < 3; ++k) {
            cosine += (double)lit.normals[i + k] * (double)lit.positions[i + k];
        }
        CHECK_GE(cosine, cos(3.0 * DEGREE));
    }
    free(b);
    carom_arena_free(&arena);
}

static v3 normal_of(const carom_surface *s, size_t t)
{
    v3 p[3];
    for (int k = 0; k < 3; ++k) {
        p[k] = v3_load(s->vertices + 3 * s->triangles[3 * t + k]);
    }
    return v3_unit(v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0])));
}

/* Whether triangles s and t share an edge at the vertex and are nearly of one plane. */
static bool smooth_neighbours(const carom_surface *surface, size_t s, size_t t, int32_t vertex, double angle)
{
    int shared = 0;
    bool both = false;
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            bool same = surface->triangles[3 * s + i] == surface->triangles[3 * t + k];
            shared += same;
            both = both || (same && surface->triangles[3 * s + i] == vertex);
        }
    }
    return both && shared == 2 && v3_dot(normal_of(surface, s), normal_of(surface, t)) > cos(angle);
}

/* By brute force: triangles at a vertex, flooded over smooth edges. */
static void flood(const carom_surface *surface, int32_t vertex, size_t from, double angle, bool *reached)
{
    reached[from] = true;
    for (bool grew = true; grew;) {
        grew = false;
        for (size_t s = 0; s < surface->triangle_count; ++s) {
            for (size_t t = 0; t < surface->triangle_count && reached[s]; ++t) {
                if (!reached[t] && smooth_neighbours(surface, s, t, vertex, angle)) {
                    grew = reached[t] = true;
                }
            }
        }
    }
}

TEST(crease, joins_what_a_flood_over_smooth_edges_reaches)
{
    ball *b = calloc(1, sizeof *b);
    bool *reached = calloc(800, sizeof *reached);
    FOR_EACH_SEED(rng, 25) {
        carom_arena arena = { 0 };
        crease_surface lit;
        ball_make(b, 4, 6);
        for (size_t i = 0; i < 3 * b->surface.vertex_count; ++i) {
            b->vertices[i] *= test_rng_uniform(&rng, 0.7, 1.3);
        }
        double angle = test_rng_uniform(&rng, 10.0, 90.0) * DEGREE;
        CHECK(crease_split(&b->surface, cos(angle), &arena, &lit));
        CHECK_EQ(lit.triangle_count, b->surface.triangle_count);
        for (size_t corner = 0; corner < 3 * lit.triangle_count; ++corner) {
            int32_t vertex = b->triangles[corner];
            memset(reached, 0, 800 * sizeof *reached);
            flood(&b->surface, vertex, corner / 3, angle, reached);
            for (size_t other = 0; other < 3 * lit.triangle_count; ++other) {
                bool joined = lit.triangles[corner] == lit.triangles[other];
                CHECK(joined == (b->triangles[other] == vertex && reached[other / 3]));
            }
        }
        carom_arena_free(&arena);
    }
    free(reached);
    free(b);
}

TEST(crease, leaves_out_what_has_no_area)
{
    carom_arena arena = { 0 };
    static const int32_t triangles[] = { 0, 0, 1, 0, 1, 2, 3, 3, 3, 0, 1, 4, 0, 1, 5 };
    double vertices[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 2, 2, 0, 0, (double)NAN, 0, 1e39, 0 };
    carom_surface odd = { 6, 5, vertices, triangles };
    crease_surface lit;
    CHECK(crease_split(&odd, cos(35.0 * DEGREE), &arena, &lit));
    CHECK_EQ(lit.triangle_count, 1);
    CHECK_EQ(lit.vertex_count, 3);
    CHECK_NEAR((double)lit.normals[2], 1.0, 0.0);
    carom_surface none = { 0 };
    CHECK(crease_split(&none, cos(35.0 * DEGREE), &arena, &lit));
    CHECK_EQ(lit.vertex_count, 0);
    carom_arena_free(&arena);
}

/* ---- glTF ----------------------------------------------------------------------------------------------------------- */

static size_t member(json_t *object, const char *name)
{
    return (size_t)json_integer_value(json_object_get(object, name));
}

/* The JSON of a .glb, and where its numbers begin; chunks and padding as the format asks. */
static json_t *read_glb(const unsigned char *data, size_t length, const unsigned char **numbers)
{
    CHECK_EQ(little(data, 4), 0x46546C67);
    CHECK_EQ(little(data + 4, 4), 2);
    CHECK_EQ(little(data + 8, 4), length);
    size_t json_length = little(data + 12, 4);
    CHECK_EQ(json_length % 4, 0);
    CHECK_EQ(little(data + 16, 4), 0x4E4F534A);
    json_t *json = json_loadb((const char *)data + 20, json_length, 0, NULL);
    CHECK(json != NULL);
    *numbers = data + 20 + json_length + 8;
    if (20 + json_length < length) {
        CHECK_EQ(little(*numbers - 4, 4), 0x004E4942);
        CHECK_EQ(20 + json_length + 8 + little(*numbers - 8, 4), length);
    }
    return json;
}

TEST(gltf, accessors_say_what_lies_in_the_buffer)
{
    test_folder f = folder_make("x.glb");
    FOR_EACH_SEED(rng, 50) {
        gltf_document d = { 0 };
        carom_export_report report = { 0 };
        carom_error err = { 0 };
        float values[60];
        uint32_t indices[30];
        for (int i = 0; i < 60; ++i) {
            values[i] = (float)(test_rng_uniform(&rng, -1.0, 1.0) * pow(10.0, test_rng_uniform(&rng, -30.0, 30.0)));
            indices[i / 2] = (uint32_t)test_rng_uniform(&rng, 0.0, 4e9);
        }
        size_t count = 1 + (size_t)test_rng_uniform(&rng, 0.0, 19.0);
        CHECK_EQ(gltf_floats(&d, values, count, GLTF_VEC3, GLTF_OF_VERTICES, true), 0);
        CHECK_EQ(gltf_indices(&d, indices, count), 1);
        CHECK_EQ(gltf_floats(&d, values, count, GLTF_SCALAR, GLTF_OF_ANIMATION, true), 2);
        CHECK_OK(gltf_write(&d, f.file, &report, &err), err);
        size_t length = 0;
        const unsigned char *numbers = NULL;
        unsigned char *data = read_all(f.file, &length);
        json_t *json = read_glb(data, length, &numbers);
        json_t *points = json_array_get(json_object_get(json, "accessors"), 0);
        json_t *view = json_array_get(json_object_get(json, "bufferViews"), 1);
        CHECK_EQ(member(points, "count"), count);
        CHECK_EQ(member(view, "byteOffset"), 12 * count);
        CHECK_EQ(member(view, "byteLength"), 4 * count);
        CHECK_EQ(little(numbers + 12 * count, 4), indices[0]);
        for (size_t k = 0; k < 3; ++k) {
            double low = HUGE_VAL;
            double high = -HUGE_VAL;
            for (size_t i = 0; i < count; ++i) {
                low = fmin(low, (double)values[3 * i + k]);
                high = fmax(high, (double)values[3 * i + k]);
            }
            CHECK(json_number_value(json_array_get(json_object_get(points, "min"), k)) == low);
            CHECK(json_number_value(json_array_get(json_object_get(points, "max"), k)) == high);
        }
        json_decref(json);
        free(data);
        gltf_free(&d);
    }
    folder_remove(&f);
}

/* Nodes and all else that is written as text: doubles come back exactly, and lists without members are left out. */
TEST(gltf, numbers_of_nodes_read_back_exactly)
{
    test_folder f = folder_make("x.glb");
    FOR_EACH_SEED(rng, 50) {
        gltf_document d = { 0 };
        carom_export_report report = { 0 };
        carom_error err = { 0 };
        double values[4];
        for (int k = 0; k < 4; ++k) {
            values[k] = test_rng_uniform(&rng, -1.0, 1.0) * pow(10.0, test_rng_uniform(&rng, -300.0, 300.0));
        }
        CHECK_EQ(gltf_add(&d, &d.nodes, json_object()), 0);
        CHECK_EQ(gltf_add(&d, &d.nodes, json_pack("{s:o}", "rotation", gltf_numbers(values, 4))), 1);
        CHECK_OK(gltf_write(&d, f.file, &report, &err), err);
        size_t length = 0;
        const unsigned char *numbers = NULL;
        unsigned char *data = read_all(f.file, &length);
        json_t *json = read_glb(data, length, &numbers);
        json_t *rotation = json_object_get(json_array_get(json_object_get(json, "nodes"), 1), "rotation");
        for (size_t k = 0; k < 4; ++k) {
            CHECK(json_number_value(json_array_get(rotation, k)) == values[k]);
        }
        CHECK(json_object_get(json, "meshes") == NULL && json_object_get(json, "buffers") == NULL);
        json_decref(json);
        free(data);
        gltf_free(&d);
    }
    folder_remove(&f);
}

TEST(gltf, refuses_what_32_bits_cannot_count)
{
    test_folder f = folder_make("x.glb");
    gltf_document d = { 0 };
    carom_export_report report = { 0 };
    carom_error err = { 0 };
    float one[4] = { 1.0F, 2.0F, 3.0F, 4.0F };
    gltf_floats(&d, one, 1, GLTF_VEC4, GLTF_OF_ANIMATION, false);
    d.length = (size_t)UINT32_MAX - 16; /* as if so much were there */
    gltf_floats(&d, one, 1, GLTF_VEC4, GLTF_OF_ANIMATION, false);
    CHECK(d.too_large);
    CHECK_EQ(gltf_write(&d, f.file, &report, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "--every");
    CHECK_EQ(folder_count(&f), 0);
    gltf_free(&d);
    folder_remove(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(utf8, reads_every_character),
        RUN_TEST(utf8, replaces_what_is_none),
        RUN_TEST(json, texts_read_back),
        RUN_TEST(names, plain_ones_stay),
        RUN_TEST(numbers, read_back_exactly),
        RUN_TEST(zip, is_read_back_with_narrow_and_wide_sizes),
        RUN_TEST(zip, goes_to_files_only),
        RUN_TEST(npy, numbers_begin_at_multiples_of_64),
        RUN_TEST(output, is_whole_or_not_there),
        RUN_TEST(output, says_that_the_disk_is_full),
        RUN_TEST(patterns, fit_digits),
        RUN_TEST(folders, of_others_are_refused),
        RUN_TEST(crease, a_box_keeps_its_edges),
        RUN_TEST(crease, a_ball_is_smooth),
        RUN_TEST(crease, joins_what_a_flood_over_smooth_edges_reaches),
        RUN_TEST(crease, leaves_out_what_has_no_area),
        RUN_TEST(gltf, accessors_say_what_lies_in_the_buffer),
        RUN_TEST(gltf, numbers_of_nodes_read_back_exactly),
        RUN_TEST(gltf, refuses_what_32_bits_cannot_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
