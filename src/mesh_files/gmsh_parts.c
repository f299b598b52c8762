/* Numbers of Gmsh files, text and binary; links between numbers; nodes and cells. */
#include "mesh_files/gmsh_parts.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* ---- numbers ---- */

carom_status gmsh_fail(const gmsh_reader *r, const char *fmt, ...)
{
    char sentence[400];
    va_list args;
    va_start(args, fmt);
    vsnprintf(sentence, sizeof sentence, fmt, args);
    va_end(args);
    return r->binary ? mesh_fail_byte(r->source, (size_t)(r->text.at - (const char *)r->source->data), "%s", sentence)
                     : mesh_fail_line(r->source, r->text.line, "%s", sentence);
}

static carom_status fail_word(const gmsh_reader *r, mesh_word word, const char *what)
{
    if (word.length == 0) {
        return gmsh_fail(r, "the file ends where %s should be; it is not complete: save it again", what);
    }
    return gmsh_fail(r, "found '%.*s' where %s should be", MESH_WORD_SHOWN(word), what);
}

/* Takes bytes of a binary file in the order of this machine. */
static carom_status take_bytes(gmsh_reader *r, void *out, size_t size, const char *what)
{
    unsigned char *bytes = out;
    if ((size_t)(r->text.end - r->text.at) < size) {
        return gmsh_fail(r, "the file ends where %s should be; it is not complete: save it again", what);
    }
    for (size_t k = 0; k < size; ++k) {
        bytes[k] = (unsigned char)r->text.at[r->swapped ? size - 1 - k : k];
    }
    r->text.at += size;
    return CAROM_OK;
}

static carom_status text_integer(gmsh_reader *r, int *out, const char *what)
{
    int32_t value;
    int used;
    mesh_word word = mesh_text_word(&r->text);
    if (!mesh_word_integer(word, &value, &used) || used != word.length) {
        return fail_word(r, word, what);
    }
    *out = value;
    return CAROM_OK;
}

carom_status gmsh_int(gmsh_reader *r, int *out, const char *what)
{
    if (!r->binary) {
        return text_integer(r, out, what);
    }
    int32_t value = 0;
    carom_status status = take_bytes(r, &value, sizeof value, what);
    *out = value;
    return status;
}

carom_status gmsh_size(gmsh_reader *r, int *out, const char *what)
{
    if (!r->binary) {
        carom_status status = text_integer(r, out, what);
        return status != CAROM_OK || *out >= 0 ? status : gmsh_fail(r, "found %d where %s should be", *out, what);
    }
    uint64_t value = 0;
    carom_status status = take_bytes(r, &value, sizeof value, what);
    if (status == CAROM_OK && value > INT_MAX) {
        return gmsh_fail(r, "found %llu where %s should be; numbers beyond 2^31 are not read",
                         (unsigned long long)value, what);
    }
    *out = (int)value;
    return status;
}

carom_status gmsh_real(gmsh_reader *r, double *out, const char *what)
{
    *out = 0.0;
    if (r->binary) {
        return take_bytes(r, out, sizeof *out, what);
    }
    mesh_word word = mesh_text_word(&r->text);
    return mesh_word_number(word, out) ? CAROM_OK : fail_word(r, word, what);
}

/* ---- links ---- */

bool gmsh_link_add(gmsh_links *links, int dimension, int tag, int value)
{
    if (!CAROM_ARRAY_RESERVE(links->items, links->capacity, links->count + 1)) {
        return false;
    }
    links->items[links->count++] = (gmsh_link){ dimension, tag, value };
    return true;
}

static int compare_keys(const gmsh_link *x, const gmsh_link *y)
{
    if (x->dimension != y->dimension) {
        return x->dimension < y->dimension ? -1 : 1;
    }
    return (x->tag > y->tag) - (x->tag < y->tag);
}

static int compare_links(const void *a, const void *b)
{
    const gmsh_link *x = a;
    const gmsh_link *y = b;
    int keys = compare_keys(x, y);
    return keys != 0 ? keys : (x->value > y->value) - (x->value < y->value);
}

void gmsh_links_sort(gmsh_links *links)
{
    if (links->count > 0) {
        qsort(links->items, links->count, sizeof *links->items, compare_links);
    }
}

const gmsh_link *gmsh_links_find(const gmsh_links *links, int dimension, int tag)
{
    const gmsh_link wanted = { dimension, tag, 0 };
    size_t low = 0;
    size_t high = links->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_keys(&links->items[middle], &wanted) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < links->count && compare_keys(&links->items[low], &wanted) == 0 ? &links->items[low] : NULL;
}

/* ---- nodes and cells ---- */

carom_status gmsh_add_node(gmsh_reader *r, int number, v3 in_file)
{
    v3 node;
    const char *fault = mesh_point(&node, r->source, in_file);
    if (fault) {
        return gmsh_fail(r, "node %d %s", number, fault);
    }
    if (number < 1) {
        return gmsh_fail(r, "a node has the number %d; they are positive", number);
    }
    if (!volume_mesh_add_node(r->mesh, node) || !gmsh_link_add(&r->nodes, 0, number, r->mesh->node_count - 1)) {
        return mesh_no_memory(r->source);
    }
    return CAROM_OK;
}

static const struct {
    int type;
    cell_kind kind;
} known[] = {
    { 15, CELL_POINT },       { 1, CELL_LINE2 },          { 8, CELL_LINE3 },
    { 2, CELL_TRIANGLE3 },    { 9, CELL_TRIANGLE6 },      { 3, CELL_QUAD4 },
    { 4, CELL_TETRAHEDRON4 }, { 11, CELL_TETRAHEDRON10 }, { 5, CELL_HEXAHEDRON8 },
};

static const char *other_name(int type)
{
    static const struct {
        int type;
        const char *name;
    } others[] = { { .type = 6, "prism with 6 nodes" },  { 7, "pyramid with 5 nodes" },
                   { 10, "quadrilateral with 9 nodes" }, { .type = 12, "hexahedron with 27 nodes" },
                   { 13, "prism with 18 nodes" },        { 14, "pyramid with 14 nodes" },
                   { 16, "quadrilateral with 8 nodes" }, { 17, "hexahedron with 20 nodes" },
                   { 18, "prism with 15 nodes" } };
    for (size_t k = 0; k < sizeof others / sizeof others[0]; ++k) {
        if (others[k].type == type) {
            return others[k].name;
        }
    }
    return "of another kind";
}

carom_status gmsh_cell_kind(const gmsh_reader *r, int type, cell_kind *out)
{
    for (size_t k = 0; k < sizeof known / sizeof known[0]; ++k) {
        if (known[k].type == type) {
            *out = known[k].kind;
            return CAROM_OK;
        }
    }
    return gmsh_fail(
        r,
        "an element has the type %d (%s), which is not read; mesh with tetrahedra of order 1 or 2, hexahedra or "
        "quadrilaterals of order 1, or triangles",
        type, other_name(type));
}

carom_status gmsh_add_cell(gmsh_reader *r, cell_kind kind, const int *numbers, int group)
{
    int nodes[CELL_NODES];
    memcpy(nodes, numbers, (size_t)cell_kind_nodes(kind) * sizeof *nodes);
    if (kind == CELL_TETRAHEDRON10) { /* Gmsh has the edges 3-4 and 2-4 the other way round */
        nodes[8] = numbers[9];
        nodes[9] = numbers[8];
    }
    if (!volume_mesh_add_cell(r->mesh, kind, nodes) ||
        !gmsh_link_add(&r->members, cell_kind_dimension(kind), group, r->mesh->cell_count - 1)) {
        return mesh_no_memory(r->source);
    }
    return CAROM_OK;
}
