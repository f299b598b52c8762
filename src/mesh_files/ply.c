/* PLY, text and binary of either byte order: elements in any order, properties in any order and of any type. Wanted
 * are x, y, z of "vertex" and the list "vertex_indices" (or "vertex_index") of "face", a polygon, or of "tristrips", strips
 * of triangles separated by -1 as scanners write them; all else is passed over.
 *
 * One reader serves text and binary: values come as doubles (which hold every 32-bit integer exactly) from
 * read_value. Before an element is read its announced count is compared with the bytes left. */
#include "mesh_files/mesh_file.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

typedef enum ply_type {
    PLY_INT8,
    PLY_UINT8,
    PLY_INT16,
    PLY_UINT16,
    PLY_INT32,
    PLY_UINT32,
    PLY_FLOAT32,
    PLY_FLOAT64,
    PLY_NO_TYPE
} ply_type;

static const struct {
    const char *name, *old_name;
    size_t bytes;
} types[] = {
    [PLY_INT8] = { "int8", "char", 1 },        [PLY_UINT8] = { "uint8", "uchar", 1 },
    [PLY_INT16] = { "int16", "short", 2 },     [PLY_UINT16] = { "uint16", "ushort", 2 },
    [PLY_INT32] = { "int32", "int", 4 },       [PLY_UINT32] = { "uint32", "uint", 4 },
    [PLY_FLOAT32] = { "float32", "float", 4 }, [PLY_FLOAT64] = { "float64", "double", 8 },
};

/* What a property is for. */
typedef enum ply_role { PLY_X, PLY_Y, PLY_Z, PLY_CORNERS, PLY_STRIPS, PLY_OTHER } ply_role;

typedef struct ply_property {
    ply_type type;
    ply_type count_type; /* of a list; PLY_NO_TYPE for a single value */
    ply_role role;
} ply_property;

enum { MOST_PROPERTIES = 64, MOST_ELEMENTS = 16 };

typedef enum ply_element_kind { PLY_VERTEX, PLY_FACE, PLY_STRIP, PLY_ANYTHING } ply_element_kind;

typedef struct ply_element {
    char name[32]; /* for messages */
    ply_element_kind kind;
    uint64_t count;
    int property_count;
    ply_property properties[MOST_PROPERTIES];
} ply_element;

typedef enum ply_encoding { PLY_TEXT, PLY_LITTLE, PLY_BIG } ply_encoding;

typedef struct ply_reader {
    const mesh_source *source;
    mesh_builder *b;
    mesh_text text; /* the whole file; `at` also serves binary data */
    ply_encoding encoding;
    int element_count;
    ply_element elements[MOST_ELEMENTS];
} ply_reader;

/* ---- the header ---------------------------------------------------------------------------------------------------- */

static carom_status fail_word(ply_reader *p, mesh_word word, const char *wanted)
{
    return mesh_fail_line(p->source, p->text.line, "found '%.*s' where %s should be", MESH_WORD_SHOWN(word), wanted);
}

static carom_status read_format(ply_reader *p)
{
    mesh_word word = mesh_text_word_on_line(&p->text);
    if (mesh_word_is(word, "ascii")) {
        p->encoding = PLY_TEXT;
    } else if (mesh_word_is(word, "binary_little_endian")) {
        p->encoding = PLY_LITTLE;
    } else if (mesh_word_is(word, "binary_big_endian")) {
        p->encoding = PLY_BIG;
    } else {
        return fail_word(p, word, "'ascii', 'binary_little_endian' or 'binary_big_endian'");
    }
    return CAROM_OK;
}

static ply_element_kind element_kind(mesh_word name)
{
    bool strip = mesh_word_is(name, "tristrips") || mesh_word_is(name, "tristrip");
    return mesh_word_is(name, "vertex") ? PLY_VERTEX
           : mesh_word_is(name, "face") ? PLY_FACE
           : strip                      ? PLY_STRIP
                                        : PLY_ANYTHING;
}

static carom_status read_element_line(ply_reader *p)
{
    if (p->element_count == MOST_ELEMENTS) {
        return mesh_fail_line(p->source, p->text.line, "more than %d elements", MOST_ELEMENTS);
    }
    ply_element *element = &p->elements[p->element_count++];
    mesh_word name = mesh_text_word_on_line(&p->text);
    mesh_word count = mesh_text_word_on_line(&p->text);
    double number;
    if (!mesh_word_number(count, &number) || number != floor(number) || number < 0.0 || number > 1e15) {
        return fail_word(p, count, "the number of elements");
    }
    size_t length = (size_t)name.length < sizeof element->name ? (size_t)name.length : sizeof element->name - 1;
    memcpy(element->name, name.at, length);
    element->kind = element_kind(name);
    element->count = (uint64_t)number;
    return CAROM_OK;
}

static ply_type type_named(mesh_word word)
{
    for (int t = 0; t < PLY_NO_TYPE; ++t) {
        if (mesh_word_is(word, types[t].name) || mesh_word_is(word, types[t].old_name)) {
            return (ply_type)t;
        }
    }
    return PLY_NO_TYPE;
}

static ply_role property_role(ply_element_kind kind, mesh_word name, bool list)
{
    static const char *const coordinates[] = { "x", "y", "z" };
    for (int i = 0; i < 3 && kind == PLY_VERTEX && !list; ++i) {
        if (mesh_word_is(name, coordinates[i])) {
            return (ply_role)(PLY_X + i);
        }
    }
    bool corners = mesh_word_is(name, "vertex_indices") || mesh_word_is(name, "vertex_index");
    bool wanted = list && corners;
    return wanted && kind == PLY_FACE ? PLY_CORNERS : wanted && kind == PLY_STRIP ? PLY_STRIPS : PLY_OTHER;
}

static carom_status read_type(ply_reader *p, mesh_word word, ply_type *type)
{
    *type = type_named(word);
    return *type == PLY_NO_TYPE ? fail_word(p, word, "a type such as 'float' or 'uchar'") : CAROM_OK;
}

static carom_status read_property_line(ply_reader *p)
{
    ply_element *element = p->element_count > 0 ? &p->elements[p->element_count - 1] : NULL;
    if (!element || element->property_count == MOST_PROPERTIES) {
        return mesh_fail_line(p->source, p->text.line,
                              element ? "more than %d properties in one element"
                                      : "a property before the first of at most %d elements",
                              element ? MOST_PROPERTIES : MOST_ELEMENTS);
    }
    ply_property *property = &element->properties[element->property_count++];
    mesh_word word = mesh_text_word_on_line(&p->text);
    bool list = mesh_word_is(word, "list");
    property->count_type = PLY_NO_TYPE;
    carom_status status = CAROM_OK;
    if (list) {
        status = read_type(p, mesh_text_word_on_line(&p->text), &property->count_type);
        word = mesh_text_word_on_line(&p->text);
    }
    status = status ? status : read_type(p, word, &property->type);
    property->role = property_role(element->kind, mesh_text_word_on_line(&p->text), list);
    return status;
}

static carom_status read_header_line(ply_reader *p, mesh_word keyword)
{
    if (mesh_word_is(keyword, "format")) {
        return read_format(p);
    }
    if (mesh_word_is(keyword, "element")) {
        return read_element_line(p);
    }
    if (mesh_word_is(keyword, "property")) {
        return read_property_line(p);
    }
    bool passed_over = keyword.length == 0 || mesh_word_is(keyword, "comment") || mesh_word_is(keyword, "obj_info");
    return passed_over ? CAROM_OK : fail_word(p, keyword, "'element', 'property' or 'end_header'");
}

static carom_status read_header(ply_reader *p)
{
    mesh_text_word(&p->text); /* "ply": the reason we are here */
    mesh_text_skip_line(&p->text);
    while (p->text.at < p->text.end) {
        mesh_word keyword = mesh_text_word_on_line(&p->text);
        if (mesh_word_is(keyword, "end_header")) {
            mesh_text_skip_line(&p->text);
            return CAROM_OK;
        }
        carom_status status = read_header_line(p, keyword);
        if (status != CAROM_OK) {
            return status;
        }
        mesh_text_skip_line(&p->text);
    }
    return mesh_fail_line(p->source, p->text.line, "the file ends without 'end_header'");
}

/* Whether vertices have all coordinates and faces or strips have corners. */
static carom_status check_header(const ply_reader *p)
{
    unsigned found = 0; /* a bit per role */
    for (int e = 0; e < p->element_count; ++e) {
        for (int k = 0; k < p->elements[e].property_count; ++k) {
            found |= 1u << p->elements[e].properties[k].role;
        }
    }
    const unsigned coordinates = 1u << PLY_X | 1u << PLY_Y | 1u << PLY_Z;
    if ((found & coordinates) != coordinates) {
        return mesh_fail_file(p->source, CAROM_BAD_INPUT,
                              "the header has no element 'vertex' with properties x, y, z");
    }
    if (!(found & (1u << PLY_CORNERS | 1u << PLY_STRIPS))) {
        return mesh_fail_file(p->source, CAROM_BAD_INPUT,
                              "the header has no element 'face' or 'tristrips' with a list 'vertex_indices' (a point "
                              "cloud?)");
    }
    return CAROM_OK;
}

/* ---- values -------------------------------------------------------------------------------------------------------- */

static uint64_t load_bytes(const unsigned char *at, size_t count, ply_encoding encoding)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < count; ++i) {
        bits = bits << 8 | at[encoding == PLY_BIG ? i : count - 1 - i];
    }
    return bits;
}

static double decode(uint64_t bits, ply_type type)
{
    float single;
    double real;
    uint32_t low = (uint32_t)bits;
    switch (type) {
    case PLY_INT8:
        return (int8_t)bits;
    case PLY_INT16:
        return (int16_t)bits;
    case PLY_INT32:
        return (int32_t)bits;
    case PLY_FLOAT32:
        memcpy(&single, &low, sizeof single);
        return (double)single;
    case PLY_FLOAT64:
        memcpy(&real, &bits, sizeof real);
        return real;
    default:
        return (double)bits;
    }
}

static size_t bytes_left(const ply_reader *p)
{
    return (size_t)(p->text.end - p->text.at);
}

static size_t offset_now(const ply_reader *p)
{
    return p->source->size - bytes_left(p);
}

static carom_status fail_here(const ply_reader *p, const char *sentence)
{
    return p->encoding == PLY_TEXT ? mesh_fail_line(p->source, p->text.line, "%s", sentence)
                                   : mesh_fail_byte(p->source, offset_now(p), "%s", sentence);
}

static carom_status read_value(ply_reader *p, ply_type type, double *value)
{
    if (p->encoding == PLY_TEXT) {
        mesh_word word = mesh_text_word(&p->text);
        if (word.length == 0) {
            return fail_here(p, "the file ends where a number should be");
        }
        return mesh_word_number(word, value) ? CAROM_OK : fail_word(p, word, "a finite number");
    }
    size_t bytes = types[type].bytes;
    if (bytes_left(p) < bytes) {
        return fail_here(p, "the file ends within an element");
    }
    *value = decode(load_bytes((const unsigned char *)p->text.at, bytes, p->encoding), type);
    p->text.at += bytes;
    return CAROM_OK;
}

/* The length of a list, not longer than what is left of the file. */
static carom_status read_list_length(ply_reader *p, const ply_property *property, size_t *length)
{
    double number;
    *length = 0;
    carom_status status = read_value(p, property->count_type, &number);
    if (status != CAROM_OK) {
        return status;
    }
    size_t item_bytes = p->encoding == PLY_TEXT ? 1 : types[property->type].bytes;
    if (!(number >= 0.0 && number == floor(number) && number <= (double)(bytes_left(p) / item_bytes))) {
        char sentence[120];
        snprintf(sentence, sizeof sentence, "a list announces %g items, with %zu bytes left in the file", number,
                 bytes_left(p));
        return fail_here(p, sentence);
    }
    *length = (size_t)number;
    return CAROM_OK;
}

/* ---- elements ------------------------------------------------------------------------------------------------------ */

static carom_status skip_list(ply_reader *p, const ply_property *property)
{
    size_t length;
    carom_status status = read_list_length(p, property, &length);
    double ignored;
    for (size_t i = 0; i < length && status == CAROM_OK; ++i) {
        status = read_value(p, property->type, &ignored);
    }
    return status;
}

enum { STRIP_END = -1 };

/* One corner of a face; whether there is such a vertex is checked at the end, as vertices may come later. In a strip -1
 * (which reads as 2^32 - 1 where the file says its numbers have no sign) is the end of it. */
static carom_status read_corner(ply_reader *p, ply_type type, bool in_strip, int *index)
{
    double number;
    carom_status status = read_value(p, type, &number);
    if (status != CAROM_OK) {
        return status;
    }
    if (in_strip && (number == -1.0 || number == (double)UINT32_MAX)) {
        *index = STRIP_END;
        return CAROM_OK;
    }
    if (!(number >= 0.0 && number <= INT_MAX - 1 && number == floor(number))) {
        char sentence[80];
        snprintf(sentence, sizeof sentence, "a face refers to vertex %g", number);
        return fail_here(p, sentence);
    }
    *index = (int)number;
    return CAROM_OK;
}

static carom_status read_corners(ply_reader *p, const ply_property *property)
{
    size_t length;
    carom_status status = read_list_length(p, property, &length);
    if (status == CAROM_OK && length < 3) {
        return fail_here(p, "a face has fewer than 3 corners");
    }
    int first = 0;
    int previous = 0;
    for (size_t i = 0; status == CAROM_OK && i < length; ++i) {
        int index = 0;
        status = read_corner(p, property->type, false, &index);
        if (status == CAROM_OK && i >= 2 && !mesh_builder_triangle(p->b, first, previous, index)) {
            return mesh_no_memory(p->source);
        }
        first = i == 0 ? index : first;
        previous = index;
    }
    return status;
}

/* Every corner after the second makes a triangle with the two before it. They turn alternately, so every second one is
 * taken the other way round; strips turn a corner by repeating one, which makes triangles without area. */
static bool add_strip_triangle(mesh_builder *b, const int last[2], int index, bool odd)
{
    bool flat = last[0] == last[1] || last[1] == index || index == last[0];
    return flat || mesh_builder_triangle(b, last[odd], last[!odd], index);
}

static carom_status read_strips(ply_reader *p, const ply_property *property)
{
    size_t length;
    carom_status status = read_list_length(p, property, &length);
    int last[2] = { 0 };
    size_t corners = 0; /* of this strip so far */
    for (size_t i = 0; status == CAROM_OK && i < length; ++i) {
        int index = 0;
        status = read_corner(p, property->type, true, &index);
        if (status == CAROM_OK && index == STRIP_END) {
            corners = 0;
            continue;
        }
        if (status == CAROM_OK && corners >= 2 && !add_strip_triangle(p->b, last, index, corners % 2 == 1)) {
            return mesh_no_memory(p->source);
        }
        last[0] = last[1];
        last[1] = index;
        ++corners;
    }
    return status;
}

static carom_status add_vertex(ply_reader *p, const double coordinate[3])
{
    v3 r;
    const char *problem = mesh_point(&r, p->source, v3_load(coordinate));
    if (problem) {
        char sentence[160];
        snprintf(sentence, sizeof sentence, "vertex (%g, %g, %g) %s", coordinate[0], coordinate[1], coordinate[2],
                 problem);
        return fail_here(p, sentence);
    }
    return mesh_builder_append(p->b, r) ? CAROM_OK : mesh_no_memory(p->source);
}

static carom_status read_item(ply_reader *p, const ply_element *element)
{
    double coordinate[3] = { 0 };
    for (int k = 0; k < element->property_count; ++k) {
        const ply_property *property = &element->properties[k];
        carom_status status;
        double value;
        if (property->role == PLY_CORNERS) {
            status = read_corners(p, property);
        } else if (property->role == PLY_STRIPS) {
            status = read_strips(p, property);
        } else if (property->count_type != PLY_NO_TYPE) {
            status = skip_list(p, property);
        } else {
            status = read_value(p, property->type, &value);
            if (status == CAROM_OK && property->role <= PLY_Z) {
                coordinate[property->role] = value;
            }
        }
        if (status != CAROM_OK) {
            return status;
        }
    }
    return element->kind == PLY_VERTEX ? add_vertex(p, coordinate) : CAROM_OK;
}

/* The fewest bytes an item can take: one digit and one blank per value in text. */
static size_t smallest_item(const ply_reader *p, const ply_element *element)
{
    size_t bytes = 0;
    for (int k = 0; k < element->property_count; ++k) {
        const ply_property *property = &element->properties[k];
        ply_type type = property->count_type != PLY_NO_TYPE ? property->count_type : property->type;
        bytes += p->encoding == PLY_TEXT ? 2 : types[type].bytes;
    }
    return bytes;
}

static carom_status read_element(ply_reader *p, const ply_element *element)
{
    size_t bytes = smallest_item(p, element);
    if (bytes == 0) {
        return CAROM_OK; /* items without properties leave no trace, however many are announced */
    }
    size_t possible = (bytes_left(p) + (p->encoding == PLY_TEXT)) / bytes; /* text may end without a blank */
    if (element->count > possible) {
        return mesh_fail_byte(p->source, offset_now(p),
                              "element '%s' announces %llu items, but the %zu bytes left hold at most %zu (cut off?)",
                              element->name, (unsigned long long)element->count, bytes_left(p), possible);
    }
    for (uint64_t i = 0; i < element->count; ++i) {
        carom_status status = read_item(p, element);
        if (status != CAROM_OK) {
            return status;
        }
    }
    return CAROM_OK;
}

static carom_status check_corners(const ply_reader *p)
{
    for (size_t t = 0; t < p->b->triangle_count; ++t) {
        for (int k = 0; k < 3; ++k) {
            if ((size_t)p->b->triangles[t][k] >= p->b->vertex_count) {
                return mesh_fail_file(p->source, CAROM_BAD_INPUT,
                                      "triangle %zu refers to vertex %d (counted from 0); the file has %zu vertices",
                                      t + 1, p->b->triangles[t][k], p->b->vertex_count);
            }
        }
    }
    return CAROM_OK;
}

carom_status mesh_read_ply(mesh_builder *b, const mesh_source *source)
{
    ply_reader p = {
        .source = source,
        .b = b,
        .text = { (const char *)source->data, (const char *)source->data + source->size, 1 },
    };
    carom_status status = read_header(&p);
    status = status ? status : check_header(&p);
    for (int e = 0; e < p.element_count && status == CAROM_OK; ++e) {
        status = read_element(&p, &p.elements[e]);
    }
    status = status ? status : check_corners(&p);
    if (status == CAROM_OK && !mesh_builder_weld_all(b)) {
        return mesh_no_memory(source);
    }
    return status;
}
