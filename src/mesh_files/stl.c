/* STL, binary and text: triangles as bare corners, here welded into an indexed mesh. Normals in the file are ignored,
 * as the order of corners says the same and is less often wrong.
 *
 * Binary: 80 bytes of anything, uint32 count, then 50 bytes per triangle: normal, three corners as little-endian
 * float32, two bytes of anything. */
#include "mesh_files/mesh_file.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER_BYTES = 84, TRIANGLE_BYTES = 50, NORMAL_BYTES = 12, CORNER_BYTES = 12 };

static uint32_t little_u32(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static double little_f32(const unsigned char *p)
{
    uint32_t bits = little_u32(p);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static uint64_t announced_bytes(const mesh_source *source)
{
    return HEADER_BYTES + (uint64_t)TRIANGLE_BYTES * little_u32(source->data + HEADER_BYTES - 4);
}

bool mesh_is_binary_stl(const mesh_source *source)
{
    return source->size >= HEADER_BYTES && announced_bytes(source) == source->size;
}

/* Files list neighbours one after the other, so most corners are also corners of the triangle before: the same bytes,
 * found without decoding them or looking into the hash table, which is larger than a cache. */
static bool find_in_previous(const mesh_builder *b, const unsigned char *corner, const unsigned char *triangle,
                             int *index)
{
    if (b->triangle_count == 0) {
        return false;
    }
    const unsigned char *previous = triangle - TRIANGLE_BYTES + NORMAL_BYTES;
    for (int k = 0; k < 3; ++k) {
        if (memcmp(corner, previous + CORNER_BYTES * k, CORNER_BYTES) == 0) {
            *index = b->triangles[b->triangle_count - 1][k];
            return true;
        }
    }
    return false;
}

static carom_status read_corner(mesh_builder *b, const mesh_source *source, size_t at, int *index)
{
    const unsigned char *p = source->data + at;
    v3 in_file = { little_f32(p), little_f32(p + 4), little_f32(p + 8) };
    v3 r;
    const char *problem = mesh_point(&r, source, in_file);
    if (problem) {
        return mesh_fail_byte(source, at, "corner (%g, %g, %g) of triangle %zu %s", in_file.x, in_file.y, in_file.z,
                              b->triangle_count + 1, problem);
    }
    return mesh_builder_weld(b, r, index) ? CAROM_OK : mesh_no_memory(source);
}

static carom_status read_triangle(mesh_builder *b, const mesh_source *source, size_t offset)
{
    int index[3];
    for (int k = 0; k < 3; ++k) {
        size_t at = offset + NORMAL_BYTES + CORNER_BYTES * (size_t)k;
        if (find_in_previous(b, source->data + at, source->data + offset, &index[k])) {
            continue;
        }
        carom_status status = read_corner(b, source, at, &index[k]);
        if (status != CAROM_OK) {
            return status;
        }
    }
    return mesh_builder_triangle(b, index[0], index[1], index[2]) ? CAROM_OK : mesh_no_memory(source);
}

/* Triangles whose corners are on their way from memory: first their slots of the table, half way their vertices. */
enum { AHEAD = 16 };

static void look_ahead(const mesh_builder *b, const mesh_source *source, size_t count, size_t expected[AHEAD][3])
{
    size_t far = b->triangle_count + AHEAD;
    size_t near = b->triangle_count + AHEAD / 2;
    for (int k = 0; k < 3 && far < count; ++k) {
        const unsigned char *p = source->data + HEADER_BYTES + TRIANGLE_BYTES * far + NORMAL_BYTES +
                                 CORNER_BYTES * (size_t)k;
        v3 r = v3_scale(source->scale, v3_make(little_f32(p), little_f32(p + 4), little_f32(p + 8)));
        mesh_builder_fetch(b, expected[near % AHEAD][k]);
        expected[far % AHEAD][k] = mesh_builder_expect(b, r);
    }
}

carom_status mesh_read_stl_binary(mesh_builder *b, const mesh_source *source)
{
    if (source->size < HEADER_BYTES) {
        return mesh_fail_byte(source, source->size,
                              "the file ends within the %d bytes every binary STL file begins with", HEADER_BYTES);
    }
    uint64_t bytes = announced_bytes(source);
    uint32_t count = little_u32(source->data + HEADER_BYTES - 4);
    if (bytes > source->size) {
        return mesh_fail_byte(
            source, source->size,
            "the file ends here, but the %lu triangles it announces take %llu bytes (cut off, or not "
            "an STL file)",
            (unsigned long)count, (unsigned long long)bytes);
    }
    if (!mesh_builder_reserve(b, count / 2 + 3, count)) { /* a closed surface has half as many vertices */
        return mesh_no_memory(source);
    }
    carom_status status = CAROM_OK;
    size_t expected[AHEAD][3] = { 0 };
    for (size_t t = 0; t < count && status == CAROM_OK; ++t) {
        look_ahead(b, source, count, expected);
        status = read_triangle(b, source, HEADER_BYTES + TRIANGLE_BYTES * t);
    }
    return status;
}

/* ---- text ---------------------------------------------------------------------------------------------------------- */

static carom_status expect(mesh_text *text, const mesh_source *source, const char *keyword)
{
    mesh_word word = mesh_text_word(text);
    if (mesh_word_is(word, keyword)) {
        return CAROM_OK;
    }
    if (word.length == 0) {
        return mesh_fail_line(source, text->line, "the file ends where '%s' should be", keyword);
    }
    return mesh_fail_line(source, text->line, "found '%.*s' where '%s' should be", MESH_WORD_SHOWN(word), keyword);
}

static carom_status read_vertex(mesh_text *text, mesh_builder *b, const mesh_source *source, int *index)
{
    carom_status status = expect(text, source, "vertex");
    double coordinate[3];
    for (int i = 0; i < 3 && status == CAROM_OK; ++i) {
        mesh_word word = mesh_text_word(text);
        if (!mesh_word_number(word, &coordinate[i])) {
            status = mesh_fail_line(source, text->line, "found '%.*s' where a coordinate should be",
                                    MESH_WORD_SHOWN(word));
        }
    }
    if (status != CAROM_OK) {
        return status;
    }
    v3 r;
    const char *problem = mesh_point(&r, source, v3_load(coordinate));
    if (problem) {
        return mesh_fail_line(source, text->line, "vertex (%g, %g, %g) %s", coordinate[0], coordinate[1],
                              coordinate[2], problem);
    }
    return mesh_builder_weld(b, r, index) ? CAROM_OK : mesh_no_memory(source);
}

/* After the word "facet". The normal may be anything, even nan, as some programs write for slivers. */
static carom_status read_facet(mesh_text *text, mesh_builder *b, const mesh_source *source)
{
    carom_status status = expect(text, source, "normal");
    for (int i = 0; i < 3; ++i) {
        mesh_text_word(text);
    }
    status = status ? status : expect(text, source, "outer");
    status = status ? status : expect(text, source, "loop");
    int corner[3] = { 0 };
    for (int k = 0; k < 3 && status == CAROM_OK; ++k) {
        status = read_vertex(text, b, source, &corner[k]);
    }
    status = status ? status : expect(text, source, "endloop");
    status = status ? status : expect(text, source, "endfacet");
    if (status == CAROM_OK && !mesh_builder_triangle(b, corner[0], corner[1], corner[2])) {
        return mesh_no_memory(source);
    }
    return status;
}

carom_status mesh_read_stl_ascii(mesh_builder *b, const mesh_source *source)
{
    mesh_text text = { (const char *)source->data, (const char *)source->data + source->size, 1 };
    bool inside = false; /* between solid and endsolid */
    for (;;) {
        mesh_word word = mesh_text_word(&text);
        if (word.length == 0) {
            return inside ? mesh_fail_line(source, text.line, "the file ends without 'endsolid' (cut off?)")
                          : CAROM_OK;
        }
        if (mesh_word_is(word, inside ? "endsolid" : "solid")) {
            inside = !inside;
            mesh_text_skip_line(&text); /* a name, which may hold any words */
        } else if (inside && mesh_word_is(word, "facet")) {
            carom_status status = read_facet(&text, b, source);
            if (status != CAROM_OK) {
                return status;
            }
        } else {
            return mesh_fail_line(source, text.line, "found '%.*s' where '%s' should be", MESH_WORD_SHOWN(word),
                                  inside ? "facet' or 'endsolid" : "solid");
        }
    }
}
