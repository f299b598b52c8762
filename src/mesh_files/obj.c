/* Wavefront OBJ: lines "v x y z" and "f a b c ..." with corners written i, i/t, i//n or i/t/n; negative indices count
 * from the latest vertex. Polygons become fans around their first corner. Where wires are asked for, "l a b c ..." are their pieces.
 * All other keywords are passed over. */
#include "mesh_files/mesh_file.h"

#include <limits.h>
#include <string.h>

typedef struct obj_reader {
    mesh_text text;
    mesh_builder *b;
    const mesh_source *source;
    int largest_index; /* 1-based, over all faces so far: a face may come before its vertices */
    long largest_index_line;
    const char *largest_index_in; /* "face", "line" */
} obj_reader;

/* The next word of a statement, which goes on in the next line after a backslash. */
static mesh_word next_word(obj_reader *o)
{
    mesh_word word = mesh_text_word_on_line(&o->text);
    while (word.length == 1 && word.at[0] == '\\') {
        mesh_text_skip_line(&o->text);
        word = mesh_text_word_on_line(&o->text);
    }
    return word;
}

static carom_status read_vertex(obj_reader *o)
{
    double coordinate[3];
    for (int i = 0; i < 3; ++i) {
        mesh_word word = next_word(o);
        if (!mesh_word_number(word, &coordinate[i])) {
            return mesh_fail_line(o->source, o->text.line, "found '%.*s' where coordinate %c of a vertex should be",
                                  MESH_WORD_SHOWN(word), 'x' + i);
        }
    }
    v3 r;
    const char *problem = mesh_point(&r, o->source, v3_load(coordinate));
    if (problem) {
        return mesh_fail_line(o->source, o->text.line, "vertex (%g, %g, %g) %s", coordinate[0], coordinate[1],
                              coordinate[2], problem);
    }
    return mesh_builder_append(o->b, r) ? CAROM_OK : mesh_no_memory(o->source);
}

/* What follows the vertex index of a corner: nothing, or slashes and the numbers of texture and normal. */
static bool is_corner_tail(mesh_word word, int used)
{
    for (int i = used; i < word.length; ++i) {
        char c = word.at[i];
        bool fits = i == used ? c == '/' : c == '/' || c == '-' || (c >= '0' && c <= '9');
        if (!fits) {
            return false;
        }
    }
    return true;
}

static carom_status read_corner(obj_reader *o, mesh_word word, const char *what, int *index)
{
    int32_t number;
    int used;
    if (!mesh_word_integer(word, &number, &used) || !is_corner_tail(word, used)) {
        return mesh_fail_line(o->source, o->text.line, "found '%.*s' where a corner of a %s should be",
                              MESH_WORD_SHOWN(word), what);
    }
    int64_t position = number < 0 ? (int64_t)o->b->vertex_count + number + 1 : number;
    if (position < 1) {
        return mesh_fail_line(o->source, o->text.line, "a %s refers to vertex %d; %zu vertices came before it", what,
                              (int)number, o->b->vertex_count);
    }
    if (position > o->largest_index) {
        o->largest_index = (int)position;
        o->largest_index_line = o->text.line;
        o->largest_index_in = what;
    }
    *index = (int)position - 1;
    return CAROM_OK;
}

static carom_status read_face(obj_reader *o)
{
    int first = 0;
    int previous = 0;
    long line = o->text.line;
    for (int count = 0;; ++count) {
        mesh_word word = next_word(o);
        if (word.length == 0 || word.at[0] == '#') {
            return count >= 3 ? CAROM_OK
                              : mesh_fail_line(o->source, line, "a face has %d corners; it needs at least 3", count);
        }
        int index = 0;
        carom_status status = read_corner(o, word, "face", &index);
        if (status != CAROM_OK) {
            return status;
        }
        if (count >= 2 && !mesh_builder_triangle(o->b, first, previous, index)) {
            return mesh_no_memory(o->source);
        }
        first = count == 0 ? index : first;
        previous = index;
    }
}

static carom_status read_line(obj_reader *o)
{
    int previous = 0;
    long line = o->text.line;
    for (int count = 0;; ++count) {
        mesh_word word = next_word(o);
        if (word.length == 0 || word.at[0] == '#') {
            return count >= 2 ? CAROM_OK
                              : mesh_fail_line(o->source, line, "a line has %d points; it needs at least 2", count);
        }
        int index = 0;
        carom_status status = read_corner(o, word, "line", &index);
        if (status != CAROM_OK) {
            return status;
        }
        if (count >= 1 && !mesh_builder_edge(o->b, previous, index)) {
            return mesh_no_memory(o->source);
        }
        previous = index;
    }
}

static bool wants_lines(const obj_reader *o)
{
    return o->source->content == MESH_WIRES || o->source->content == MESH_WHOLE;
}

static carom_status read_statement(obj_reader *o)
{
    mesh_word word = next_word(o);
    carom_status status = CAROM_OK;
    if (mesh_word_is(word, "v")) {
        status = read_vertex(o);
    } else if (mesh_word_is(word, "f")) {
        status = read_face(o);
    } else if (mesh_word_is(word, "l") && wants_lines(o)) {
        status = read_line(o);
    }
    mesh_text_skip_line(&o->text);
    return status;
}

carom_status mesh_read_obj(mesh_builder *b, const mesh_source *source)
{
    obj_reader o = {
        .text = { (const char *)source->data, (const char *)source->data + source->size, 1 },
        .b = b,
        .source = source,
    };
    while (o.text.at < o.text.end) {
        carom_status status = read_statement(&o);
        if (status != CAROM_OK) {
            return status;
        }
    }
    if ((size_t)o.largest_index > b->vertex_count) {
        return mesh_fail_line(source, o.largest_index_line, "a %s refers to vertex %d; the file has %zu vertices",
                              o.largest_index_in, o.largest_index, b->vertex_count);
    }
    bool ok = source->content == MESH_SURFACE ? mesh_builder_weld_all(b)
              : source->content == MESH_WIRES ? mesh_builder_keep_edges(b)
                                              : true;
    b->triangle_count = source->content == MESH_POINTS ? 0 : b->triangle_count;
    return ok ? CAROM_OK : mesh_no_memory(source);
}
