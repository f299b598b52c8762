/* Reading a mesh file: the file into memory, the format by its first bytes and its suffix, the result checked.
 *
 * Invariant: nothing is allocated on the word of a file; announced counts are compared with its size first. */
#include "mesh_files/mesh_read.h"

#include "mesh_files/mesh_file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "files/input_file.h"

/* ---- errors ------------------------------------------------------------------------------------------------------ */

enum { LONGEST_SENTENCE = 700 };

carom_status mesh_fail_file(const mesh_source *source, carom_status status, const char *fmt, ...)
{
    char sentence[LONGEST_SENTENCE];
    va_list args;
    va_start(args, fmt);
    vsnprintf(sentence, sizeof sentence, fmt, args);
    va_end(args);
    return carom_fail(source->err, status, "mesh file '%.250s': %s", source->name, sentence);
}

carom_status mesh_fail_line(const mesh_source *source, long line, const char *fmt, ...)
{
    char sentence[LONGEST_SENTENCE];
    va_list args;
    va_start(args, fmt);
    vsnprintf(sentence, sizeof sentence, fmt, args);
    va_end(args);
    return mesh_fail_file(source, CAROM_BAD_INPUT, "line %ld: %s", line, sentence);
}

carom_status mesh_fail_byte(const mesh_source *source, size_t offset, const char *fmt, ...)
{
    char sentence[LONGEST_SENTENCE];
    va_list args;
    va_start(args, fmt);
    vsnprintf(sentence, sizeof sentence, fmt, args);
    va_end(args);
    return mesh_fail_file(source, CAROM_BAD_INPUT, "byte %zu: %s", offset, sentence);
}

carom_status mesh_no_memory(const mesh_source *source)
{
    return mesh_fail_file(source, CAROM_NO_MEMORY, "out of memory, or more than 2^31 vertices or triangle corners");
}

/* ---- points -------------------------------------------------------------------------------------------------------- */

static const double FARTHEST = 1e12; /* [m] as for the sizes of shapes: moments of inertia cannot overflow */

const char *mesh_point(v3 *out, const mesh_source *source, v3 in_file)
{
    v3 r = v3_scale(source->scale, in_file);
    if (!v3_finite(r)) {
        return "is not finite";
    }
    if (fmax(fabs(r.x), fmax(fabs(r.y), fabs(r.z))) > FARTHEST) {
        return "is more than 1e12 m from the origin";
    }
    *out = v3_add(r, v3_zero());
    return NULL;
}

/* ---- which format -------------------------------------------------------------------------------------------------- */

typedef carom_status (*format_reader)(mesh_builder *b, const mesh_source *source);

static bool has_suffix(const char *name, const char *suffix)
{
    size_t n = strlen(name);
    size_t s = strlen(suffix);
    return n >= s && strcasecmp(name + n - s, suffix) == 0;
}

static bool first_word_is(const mesh_source *source, const char *keyword)
{
    mesh_text text = { .at = (const char *)source->data, .end = (const char *)source->data + source->size };
    return mesh_word_is(mesh_text_word(&text), keyword);
}

/* The content decides where it can; the suffix where it cannot (OBJ has no mark, and many binary STL files begin with
 * "solid" like text ones). */
static format_reader choose_format(const mesh_source *source)
{
    if (first_word_is(source, "ply")) {
        return mesh_read_ply;
    }
    if (has_suffix(source->name, ".obj")) {
        return mesh_read_obj;
    }
    if (mesh_is_binary_stl(source)) {
        return mesh_read_stl_binary;
    }
    if (first_word_is(source, "solid")) {
        return mesh_read_stl_ascii;
    }
    return has_suffix(source->name, ".stl") ? mesh_read_stl_binary : NULL;
}

/* A program of its own opens the file again: some formats consist of several. What is only in memory stays with the
 * native formats, which alone promise to survive any bytes. */
static carom_status read_unknown(mesh_builder *b, const mesh_source *source)
{
    return source->path
               ? mesh_read_other(b, source)
               : mesh_fail_file(
                     source, CAROM_BAD_INPUT,
                     "this is not STL, OBJ or PLY (a PLY file starts with 'ply', a text STL file with 'solid'; "
                     "binary STL and OBJ need the suffix .stl or .obj)");
}

static carom_status check_content(const mesh_builder *b, const mesh_source *source)
{
    bool lacks[] = { [MESH_SURFACE] = b->triangle_count == 0,
                     [MESH_WIRES] = b->edge_count == 0,
                     [MESH_POINTS] = b->vertex_count == 0,
                     [MESH_WHOLE] = b->vertex_count == 0 };
    static const char *const what[] = { "triangles", "lines", "vertices", "vertices" };
    return lacks[source->content]
               ? mesh_fail_file(source, CAROM_BAD_INPUT, "the file has no %s", what[source->content])
               : CAROM_OK;
}

static carom_status build(mesh_builder *b, const mesh_source *source)
{
    if (!isfinite(source->scale) || source->scale <= 0.0) {
        return mesh_fail_file(source, CAROM_BAD_INPUT, "scale is %g; it must be greater than 0", source->scale);
    }
    if (source->size == 0) {
        return mesh_fail_file(source, CAROM_BAD_INPUT, "the file is empty");
    }
    format_reader read = choose_format(source);
    if (read != mesh_read_obj && (source->content == MESH_WIRES || source->content == MESH_POINTS)) {
        return mesh_fail_file(source, CAROM_BAD_INPUT, "this is not OBJ; wires and points are read from OBJ files");
    }
    carom_status status = read ? read(b, source) : read_unknown(b, source);
    return status == CAROM_OK ? check_content(b, source) : status;
}

static carom_status read_source(mesh **out, const mesh_source *source)
{
    mesh_builder builder = { 0 };
    *out = NULL;
    carom_status status = build(&builder, source);
    if (status == CAROM_OK) {
        *out = mesh_builder_finish(&builder);
        status = *out ? CAROM_OK : mesh_no_memory(source);
    }
    mesh_builder_free(&builder);
    return status;
}

carom_status mesh_parse(mesh **out, const void *data, size_t size, const char *name, double scale, carom_error *err)
{
    mesh_source source = { .name = name, .data = data, .size = size, .scale = scale, .err = err };
    return read_source(out, &source);
}

/* ---- the file into memory ------------------------------------------------------------------------------------------ */

/* Reads until the announced size or the end of the file, whichever comes first. */
static bool read_all(int fd, unsigned char *data, size_t size, size_t *got)
{
    *got = 0;
    while (*got < size) {
        ssize_t n = read(fd, data + *got, size - *got);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return n == 0;
        }
        *got += (size_t)n;
    }
    return true;
}

carom_status mesh_load(int fd, uint64_t size, mesh_source *source, unsigned char **data)
{
    *data = malloc((size_t)size + 1);
    if (!*data) {
        return mesh_fail_file(source, CAROM_NO_MEMORY, "no memory for its %llu bytes", (unsigned long long)size);
    }
    if (!read_all(fd, *data, (size_t)size, &source->size)) {
        return mesh_fail_file(source, CAROM_IO_FAILED, "cannot be read: %s", strerror(errno));
    }
    return CAROM_OK;
}

static carom_status read_file(mesh **out, mesh_source *source)
{
    carom_input input;
    *out = NULL;
    if (!carom_input_open(&input, source->path)) {
        return mesh_fail_file(source, CAROM_IO_FAILED, "%s", input.why);
    }
    unsigned char *data = NULL;
    source->fd = input.fd;
    carom_status status = mesh_load(input.fd, input.size, source, &data);
    if (status == CAROM_OK) {
        source->data = data;
        status = read_source(out, source);
    }
    close(input.fd);
    free(data);
    return status;
}

carom_status mesh_read_watched(mesh **out, const char *file, double scale, carom_watch *watch, carom_error *err)
{
    mesh_source source = { .name = file, .path = file, .scale = scale, .watch = watch, .err = err };
    return read_file(out, &source);
}

carom_status mesh_read_content(mesh **out, const mesh_file *file, carom_watch *watch, carom_error *err)
{
    v3 s = file->scale;
    bool even = s.x > 0.0 && s.x == s.y && s.x == s.z;
    mesh_source source = { .name = file->name,
                           .path = file->name,
                           .scale = even ? s.x : 1.0,
                           .content = file->content,
                           .watch = watch,
                           .err = err };
    carom_status status = read_file(out, &source);
    if (status == CAROM_OK && !even) {
        mesh_stretch(*out, s);
    }
    return status;
}

carom_status mesh_read(mesh **out, const char *file, double scale, carom_error *err)
{
    return mesh_read_watched(out, file, scale, NULL, err);
}
