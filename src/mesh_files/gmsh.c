/* Gmsh files: sections "$Name ... $EndName" in any order. Numbers of nodes and groups are resolved when all has been read.
 *
 * Invariant: nothing is allocated on the word of a file; what is announced is read item by item, and each takes bytes. */
#include "mesh_files/gmsh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "files/input_file.h"
#include "mesh_files/gmsh_parts.h"

/* ---- the header and names ---- */

static carom_status read_version(gmsh_reader *r)
{
    double version;
    carom_status status = gmsh_real(r, &version, "the version of the format");
    if (status != CAROM_OK) {
        return status;
    }
    r->version = version == 2.2 ? 2 : version == 4.1 ? 4 : 0;
    if (r->version == 0) {
        return gmsh_fail(r,
                         "this is version %g of the format; 2.2 and 4.1 are read: save it with 'gmsh -format msh41'",
                         version);
    }
    return CAROM_OK;
}

/* In binary files a one follows, which tells the order of bytes. */
static carom_status read_byte_order(gmsh_reader *r)
{
    int one;
    mesh_text_skip_line(&r->text);
    r->binary = true;
    carom_status status = gmsh_int(r, &one, "a one");
    if (status == CAROM_OK && one != 1) {
        r->swapped = true;
        r->text.at -= sizeof one;
        status = gmsh_int(r, &one, "a one");
    }
    return status != CAROM_OK || one == 1
               ? status
               : gmsh_fail(r, "found %d where a one should be, which tells the order of bytes", one);
}

static carom_status read_format(gmsh_reader *r)
{
    int type;
    int size;
    carom_status status = read_version(r);
    if (status == CAROM_OK) {
        status = gmsh_int(r, &type, "the type of the file, 0 or 1");
    }
    if (status == CAROM_OK) {
        status = gmsh_int(r, &size, "the size of numbers");
    }
    if (status == CAROM_OK && (type < 0 || type > 1)) {
        return gmsh_fail(r, "the type of the file is %d; it is 0 for text, 1 for binary", type);
    }
    if (status == CAROM_OK && size != 8) {
        return gmsh_fail(r,
                         "numbers have %d bytes; files with 8 are read: save it again on another machine, or as text",
                         size);
    }
    return status == CAROM_OK && type == 1 ? read_byte_order(r) : status;
}

/* A name in quotation marks, up to the end of the line. */
static carom_status read_quoted(gmsh_reader *r, gmsh_name *name)
{
    const char *stop = memchr(r->text.at, '\n', (size_t)(r->text.end - r->text.at));
    const char *line_end = stop ? stop : r->text.end;
    const char *open = memchr(r->text.at, '"', (size_t)(line_end - r->text.at));
    const char *close = open ? memchr(open + 1, '"', (size_t)(line_end - open - 1)) : NULL;
    if (!close) {
        return gmsh_fail(r, "found no name in quotation marks for the physical group %d", name->tag);
    }
    size_t length = (size_t)(close - open - 1);
    if (length == 0 || length >= sizeof name->text || memchr(open + 1, '\0', length)) {
        return gmsh_fail(r, "the name of the physical group %d is empty or has more than 127 characters", name->tag);
    }
    memcpy(name->text, open + 1, length);
    name->text[length] = '\0';
    r->text.at = close + 1;
    return CAROM_OK;
}

/* Always text. */
static carom_status read_names(gmsh_reader *r)
{
    int count;
    bool binary = r->binary;
    r->binary = false;
    carom_status status = gmsh_size(r, &count, "the number of physical groups");
    for (int k = 0; status == CAROM_OK && k < count; ++k) {
        gmsh_name name = { 0 };
        status = gmsh_int(r, &name.dimension, "the dimension of a physical group");
        if (status == CAROM_OK) {
            status = gmsh_int(r, &name.tag, "the number of a physical group");
        }
        if (status == CAROM_OK) {
            status = read_quoted(r, &name);
        }
        if (status == CAROM_OK && !CAROM_ARRAY_RESERVE(r->names, r->name_capacity, r->name_count + 1)) {
            status = mesh_no_memory(r->source);
        }
        if (status == CAROM_OK) {
            r->names[r->name_count++] = name;
        }
    }
    r->binary = binary;
    return status;
}

/* ---- sections ---- */

typedef struct section {
    const char *name, *end; /* in small letters, as mesh_word_is wants them */
    carom_status (*read2)(gmsh_reader *r);
    carom_status (*read4)(gmsh_reader *r);
    bool text; /* also in binary files, or with a count in text first */
} section;

static const section sections[] = {
    { "$meshformat", "$endmeshformat", read_format, read_format, true },
    { "$physicalnames", "$endphysicalnames", read_names, read_names, true },
    { "$entities", "$endentities", NULL, gmsh4_entities, false },
    { "$nodes", "$endnodes", gmsh2_nodes, gmsh4_nodes, false },
    { "$elements", "$endelements", gmsh2_elements, gmsh4_elements, false },
};

/* Goes behind "$End" and the name of a section that is not read. */
static carom_status skip_section(gmsh_reader *r, mesh_word name)
{
    const char *at = r->text.at;
    size_t length = (size_t)name.length + 3; /* "$End" and the name without its "$" */
    while ((at = memchr(at, '$', (size_t)(r->text.end - at))) != NULL) {
        if ((size_t)(r->text.end - at) >= length && memcmp(at, "$End", 4) == 0 &&
            memcmp(at + 4, name.at + 1, (size_t)name.length - 1) == 0) {
            for (const char *c = r->text.at; c < at; ++c) {
                r->text.line += *c == '\n';
            }
            r->text.at = at + length;
            return CAROM_OK;
        }
        ++at;
    }
    return gmsh_fail(r, "the section '%.*s' does not end; the file is not complete: save it again",
                     MESH_WORD_SHOWN(name));
}

static carom_status read_known(gmsh_reader *r, const section *s, mesh_word name)
{
    carom_status (*read)(gmsh_reader *) = r->version == 2 ? s->read2 : s->read4;
    if (!read) {
        return skip_section(r, name);
    }
    if (r->binary && !s->text && r->version == 4) {
        mesh_text_skip_line(&r->text); /* binary data begin with the next line */
    }
    carom_status status = read(r);
    if (status != CAROM_OK) {
        return status;
    }
    mesh_word end = mesh_text_word(&r->text);
    return mesh_word_is(end, s->end)
               ? CAROM_OK
               : gmsh_fail(r, "found '%.*s' where '%.*s' should end: its count and its content differ",
                           MESH_WORD_SHOWN(end), MESH_WORD_SHOWN(name));
}

static carom_status read_section(gmsh_reader *r, mesh_word name)
{
    bool is_format = mesh_word_is(name, sections[0].name);
    if (is_format != (r->version == 0)) {
        return gmsh_fail(r, "found '%.*s' where '$%s' should be", MESH_WORD_SHOWN(name),
                         r->version == 0 ? "MeshFormat" : "Nodes");
    }
    if (mesh_word_is(name, "$partitionedentities")) {
        return gmsh_fail(
            r,
            "the mesh is divided into partitions; save it without them ('Mesh.PartitionSplitMeshFiles = 0', no '-part')");
    }
    for (size_t k = 0; k < sizeof sections / sizeof sections[0]; ++k) {
        if (mesh_word_is(name, sections[k].name)) {
            return read_known(r, &sections[k], name);
        }
    }
    return skip_section(r, name);
}

static carom_status read_sections(gmsh_reader *r)
{
    for (;;) {
        mesh_word name = mesh_text_word(&r->text);
        if (name.length == 0) {
            return r->version != 0 ? CAROM_OK : mesh_fail_file(r->source, CAROM_BAD_INPUT, "the file is empty");
        }
        if (name.at[0] != '$' || name.length < 2) {
            return r->version == 0 ? mesh_fail_file(r->source, CAROM_BAD_INPUT,
                                                    "this is no Gmsh mesh, which begins with '$MeshFormat'")
                                   : gmsh_fail(r, "found '%.*s' where a section should begin", MESH_WORD_SHOWN(name));
        }
        carom_status status = read_section(r, name);
        if (status != CAROM_OK) {
            return status;
        }
    }
}

/* ---- what belongs together ---- */

static carom_status resolve_nodes(gmsh_reader *r)
{
    gmsh_links_sort(&r->nodes);
    for (size_t k = 1; k < r->nodes.count; ++k) {
        if (r->nodes.items[k].tag == r->nodes.items[k - 1].tag) {
            return mesh_fail_file(r->source, CAROM_BAD_INPUT, "two nodes have the number %d", r->nodes.items[k].tag);
        }
    }
    for (int c = 0; c < r->mesh->cell_count; ++c) {
        volume_cell *cell = &r->mesh->cells[c];
        for (int i = 0; i < cell_kind_nodes(cell->kind); ++i) {
            const gmsh_link *node = gmsh_links_find(&r->nodes, 0, cell->nodes[i]);
            if (!node) {
                return mesh_fail_file(r->source, CAROM_BAD_INPUT,
                                      "an element ('%s') has the node %d, which the file has not",
                                      cell_kind_name(cell->kind), cell->nodes[i]);
            }
            cell->nodes[i] = node->value;
        }
    }
    return CAROM_OK;
}

static int compare_cells(const volume_cell *x, const volume_cell *y)
{
    if (x->kind != y->kind) {
        return x->kind < y->kind ? -1 : 1;
    }
    for (int i = 0; i < cell_kind_nodes(x->kind); ++i) {
        if (x->nodes[i] != y->nodes[i]) {
            return x->nodes[i] < y->nodes[i] ? -1 : 1;
        }
    }
    return 0;
}

typedef struct numbered_cell {
    volume_cell cell;
    int number;
} numbered_cell;

static int compare_numbered(const void *a, const void *b)
{
    const numbered_cell *x = a;
    const numbered_cell *y = b;
    int cells = compare_cells(&x->cell, &y->cell);
    return cells != 0 ? cells : (x->number > y->number) - (x->number < y->number);
}

/* For each cell the first one that is equal to it. */
static bool find_first(const volume_mesh *cells, int *first)
{
    size_t count = (size_t)cells->cell_count;
    numbered_cell *sorted = malloc((count + 1) * sizeof *sorted);
    if (!sorted) {
        return false;
    }
    for (size_t c = 0; c < count; ++c) {
        sorted[c] = (numbered_cell){ cells->cells[c], (int)c };
    }
    qsort(sorted, count, sizeof *sorted, compare_numbered);
    for (size_t c = 0; c < count; ++c) {
        bool repeats = c > 0 && compare_cells(&sorted[c].cell, &sorted[c - 1].cell) == 0;
        first[sorted[c].number] = repeats ? first[sorted[c - 1].number] : sorted[c].number;
    }
    free(sorted);
    return true;
}

/* Leaves one of cells that are equal; members follow. */
static carom_status merge_cells(gmsh_reader *r)
{
    volume_mesh *all = r->mesh;
    int *number = malloc((size_t)(all->cell_count + 1) * sizeof *number);
    if (!number || !find_first(all, number)) {
        free(number);
        return mesh_no_memory(r->source);
    }
    int kept = 0;
    for (int c = 0; c < all->cell_count; ++c) {
        bool is_first = number[c] == c;
        all->cells[kept] = all->cells[c];
        number[c] = is_first ? kept : number[number[c]];
        kept += is_first;
    }
    all->cell_count = kept;
    for (size_t k = 0; k < r->members.count; ++k) {
        r->members.items[k].value = number[r->members.items[k].value];
    }
    free(number);
    return CAROM_OK;
}

/* Members of entities become members of the groups that these belong to. */
static carom_status follow_entities(gmsh_reader *r)
{
    gmsh_links members = { 0 };
    bool ok = true;
    gmsh_links_sort(&r->entities);
    for (size_t k = 0; ok && k < r->members.count; ++k) {
        const gmsh_link *m = &r->members.items[k];
        const gmsh_link *end = r->entities.items + r->entities.count;
        const gmsh_link *e = gmsh_links_find(&r->entities, m->dimension, m->tag);
        for (; ok && e && e < end && e->dimension == m->dimension && e->tag == m->tag; ++e) {
            ok = gmsh_link_add(&members, m->dimension, e->value, m->value);
        }
    }
    free(r->members.items);
    r->members = members;
    return ok ? CAROM_OK : mesh_no_memory(r->source);
}

static int compare_names(const void *a, const void *b)
{
    const gmsh_name *x = a;
    const gmsh_name *y = b;
    if (x->dimension != y->dimension) {
        return x->dimension < y->dimension ? -1 : 1;
    }
    return (x->tag > y->tag) - (x->tag < y->tag);
}

static int group_of(gmsh_reader *r, const gmsh_link *member)
{
    char number[16];
    const gmsh_name wanted = { .dimension = member->dimension, .tag = member->tag };
    const gmsh_name *name = r->name_count > 0
                                ? bsearch(&wanted, r->names, r->name_count, sizeof wanted, compare_names)
                                : NULL;
    snprintf(number, sizeof number, "%d", member->tag);
    return volume_mesh_group(r->mesh, name ? name->text : number, member->dimension);
}

/* Physical groups in the order of their dimensions and numbers, their cells ascending. */
static carom_status make_groups(gmsh_reader *r)
{
    int group = -1;
    if (r->name_count > 0) {
        qsort(r->names, r->name_count, sizeof *r->names, compare_names);
    }
    gmsh_links_sort(&r->members);
    for (size_t k = 0; k < r->members.count; ++k) {
        const gmsh_link *m = &r->members.items[k];
        bool same = k > 0 && m->dimension == m[-1].dimension && m->tag == m[-1].tag;
        if (m->tag == 0 && r->version == 2) {
            continue; /* of no group */
        }
        group = same ? group : group_of(r, m);
        if (group < 0 || !volume_mesh_add_to_group(r->mesh, group, m->value)) {
            return mesh_no_memory(r->source);
        }
    }
    return CAROM_OK;
}

static carom_status finish(gmsh_reader *r)
{
    if (r->mesh->node_count == 0 || r->mesh->cell_count == 0) {
        return mesh_fail_file(r->source, CAROM_BAD_INPUT, "the file has no %s: mesh it before it is saved",
                              r->mesh->node_count == 0 ? "nodes" : "elements");
    }
    carom_status status = resolve_nodes(r);
    if (status == CAROM_OK) {
        status = r->version == 2 ? merge_cells(r) : follow_entities(r);
    }
    return status == CAROM_OK ? make_groups(r) : status;
}

/* ---- entry ---- */

static carom_status parse(volume_mesh *out, const mesh_source *source)
{
    *out = (volume_mesh){ 0 };
    if (!isfinite(source->scale) || source->scale <= 0.0) {
        return mesh_fail_file(source, CAROM_BAD_INPUT, "scale is %g; it must be greater than 0", source->scale);
    }
    const char *data = (const char *)source->data;
    gmsh_reader r = { .source = source, .text = { .at = data, .end = data + source->size, .line = 1 }, .mesh = out };
    carom_status status = read_sections(&r);
    if (status == CAROM_OK) {
        status = finish(&r);
    }
    free(r.nodes.items);
    free(r.entities.items);
    free(r.members.items);
    free(r.names);
    if (status != CAROM_OK) {
        volume_mesh_free(out);
    }
    return status;
}

carom_status gmsh_parse(volume_mesh *out, const void *data, size_t size, const char *name, double scale,
                        carom_error *err)
{
    const mesh_source source = { .name = name, .data = data, .size = size, .scale = scale, .err = err };
    return parse(out, &source);
}

carom_status gmsh_read(volume_mesh *out, const char *file, double scale, carom_error *err)
{
    mesh_source source = { .name = file, .path = file, .scale = scale, .err = err };
    carom_input input;
    *out = (volume_mesh){ 0 };
    if (!carom_input_open(&input, file)) {
        return mesh_fail_file(&source, CAROM_IO_FAILED, "%s", input.why);
    }
    unsigned char *data = NULL;
    carom_status status = mesh_load(input.fd, input.size, &source, &data);
    close(input.fd);
    if (status == CAROM_OK) {
        source.data = data;
        status = parse(out, &source);
    }
    free(data);
    return status;
}
