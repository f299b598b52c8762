/* Nodes and elements of Gmsh files of version 2.2. Counts are text also in binary files; there, elements come in blocks of one type. */
#include "mesh_files/gmsh_parts.h"

/* A count that stands on a line of its own, before what may be binary. */
static carom_status read_count(gmsh_reader *r, int *count, const char *what)
{
    bool binary = r->binary;
    r->binary = false;
    carom_status status = gmsh_size(r, count, what);
    r->binary = binary;
    if (status == CAROM_OK && binary) {
        mesh_text_skip_line(&r->text);
    }
    return status;
}

carom_status gmsh2_nodes(gmsh_reader *r)
{
    int count;
    carom_status status = read_count(r, &count, "the number of nodes");
    for (int k = 0; status == CAROM_OK && k < count; ++k) {
        int number;
        double x[3];
        status = gmsh_int(r, &number, "the number of a node");
        for (int a = 0; status == CAROM_OK && a < 3; ++a) {
            status = gmsh_real(r, &x[a], "a coordinate");
        }
        if (status == CAROM_OK) {
            status = gmsh_add_node(r, number, v3_make(x[0], x[1], x[2]));
        }
    }
    return status;
}

/* What precedes an element: in text each has it, in binary a block. */
typedef struct head {
    cell_kind kind;
    int follow; /* elements */
    int tags;
} head;

static carom_status read_type(gmsh_reader *r, head *h)
{
    int type;
    carom_status status = gmsh_int(r, &type, "the type of an element");
    return status == CAROM_OK ? gmsh_cell_kind(r, type, &h->kind) : status;
}

static carom_status read_tag_count(gmsh_reader *r, head *h)
{
    carom_status status = gmsh_int(r, &h->tags, "the number of tags of an element");
    return status != CAROM_OK || h->tags >= 0 ? status : gmsh_fail(r, "an element has %d tags", h->tags);
}

/* Tags, of which the first is the physical group, and nodes. */
static carom_status read_rest(gmsh_reader *r, const head *h)
{
    int group = 0;
    int numbers[CELL_NODES];
    carom_status status = CAROM_OK;
    for (int k = 0; status == CAROM_OK && k < h->tags; ++k) {
        int tag;
        status = gmsh_int(r, &tag, "a tag of an element");
        group = k == 0 ? tag : group;
    }
    for (int k = 0; status == CAROM_OK && k < cell_kind_nodes(h->kind); ++k) {
        status = gmsh_int(r, &numbers[k], "the number of a node");
    }
    return status == CAROM_OK ? gmsh_add_cell(r, h->kind, numbers, group) : status;
}

static carom_status read_text_element(gmsh_reader *r)
{
    int number;
    head h = { .follow = 1 };
    carom_status status = gmsh_int(r, &number, "the number of an element");
    if (status == CAROM_OK) {
        status = read_type(r, &h);
    }
    if (status == CAROM_OK) {
        status = read_tag_count(r, &h);
    }
    return status == CAROM_OK ? read_rest(r, &h) : status;
}

static carom_status read_block(gmsh_reader *r, int left, int *done)
{
    head h = { 0 };
    carom_status status = read_type(r, &h);
    if (status == CAROM_OK) {
        status = gmsh_int(r, &h.follow, "the number of elements of a block");
    }
    if (status == CAROM_OK && (h.follow < 1 || h.follow > left)) {
        status = gmsh_fail(r, "a block has %d elements, and %d are left", h.follow, left);
    }
    if (status == CAROM_OK) {
        status = read_tag_count(r, &h);
    }
    for (int k = 0; status == CAROM_OK && k < h.follow; ++k) {
        int number;
        status = gmsh_int(r, &number, "the number of an element");
        status = status == CAROM_OK ? read_rest(r, &h) : status;
    }
    *done = h.follow;
    return status;
}

carom_status gmsh2_elements(gmsh_reader *r)
{
    int count;
    carom_status status = read_count(r, &count, "the number of elements");
    for (int k = 0; status == CAROM_OK && k < count;) {
        int done = 1;
        status = r->binary ? read_block(r, count - k, &done) : read_text_element(r);
        k += status == CAROM_OK ? done : 0;
    }
    return status;
}
