/* Entities, nodes and elements of Gmsh files of version 4.1. Blocks belong to entities (points, curves, surfaces, volumes), and entities
 * to physical groups. */
#include <stdlib.h>

#include "mesh_files/gmsh_parts.h"

enum { MOST_GROUPS = 64 }; /* of an entity: nobody has more, and cells times groups stay few */

/* ---- entities ---- */

static carom_status skip_reals(gmsh_reader *r, int count)
{
    carom_status status = CAROM_OK;
    for (int k = 0; status == CAROM_OK && k < count; ++k) {
        double unused;
        status = gmsh_real(r, &unused, "a coordinate of an entity");
    }
    return status;
}

static carom_status read_groups(gmsh_reader *r, int dimension, int entity)
{
    int count;
    carom_status status = gmsh_size(r, &count, "the number of physical groups of an entity");
    if (status == CAROM_OK && count > MOST_GROUPS) {
        return gmsh_fail(r, "an entity belongs to %d physical groups; at most %d are read", count, MOST_GROUPS);
    }
    for (int k = 0; status == CAROM_OK && k < count; ++k) {
        int group;
        status = gmsh_int(r, &group, "a physical group");
        if (status == CAROM_OK && !gmsh_link_add(&r->entities, dimension, entity, group)) {
            status = mesh_no_memory(r->source);
        }
    }
    return status;
}

static carom_status skip_boundary(gmsh_reader *r)
{
    int count;
    carom_status status = gmsh_size(r, &count, "the number of entities around an entity");
    for (int k = 0; status == CAROM_OK && k < count; ++k) {
        int unused;
        status = gmsh_int(r, &unused, "an entity");
    }
    return status;
}

static carom_status read_entity(gmsh_reader *r, int dimension)
{
    int tag;
    carom_status status = gmsh_int(r, &tag, "the number of an entity");
    if (status == CAROM_OK) {
        status = skip_reals(r, dimension == 0 ? 3 : 2 * 3);
    }
    if (status == CAROM_OK) {
        status = read_groups(r, dimension, tag);
    }
    return status == CAROM_OK && dimension > 0 ? skip_boundary(r) : status;
}

carom_status gmsh4_entities(gmsh_reader *r)
{
    int count[4];
    carom_status status = CAROM_OK;
    for (int d = 0; status == CAROM_OK && d < 4; ++d) {
        status = gmsh_size(r, &count[d], "the number of entities");
    }
    for (int d = 0; status == CAROM_OK && d < 4; ++d) {
        for (int k = 0; status == CAROM_OK && k < count[d]; ++k) {
            status = read_entity(r, d);
        }
    }
    return status;
}

/* ---- blocks ---- */

/* Number of blocks and of all that is in them; the smallest and the largest number are of no use. */
static carom_status read_totals(gmsh_reader *r, int *blocks, int *total)
{
    int unused;
    carom_status status = gmsh_size(r, blocks, "the number of blocks");
    if (status == CAROM_OK) {
        status = gmsh_size(r, total, "how many all blocks have");
    }
    for (int k = 0; status == CAROM_OK && k < 2; ++k) {
        status = gmsh_size(r, &unused, "the smallest or largest number");
    }
    return status;
}

typedef struct block {
    int dimension, entity;
    int what; /* nodes: whether they have parameters; elements: their type */
    int count;
} block;

static carom_status read_block(gmsh_reader *r, block *b)
{
    carom_status status = gmsh_int(r, &b->dimension, "the dimension of a block");
    if (status == CAROM_OK && (b->dimension < 0 || b->dimension > 3)) {
        return gmsh_fail(r, "a block has the dimension %d", b->dimension);
    }
    if (status == CAROM_OK) {
        status = gmsh_int(r, &b->entity, "the entity of a block");
    }
    if (status == CAROM_OK) {
        status = gmsh_int(r, &b->what, "whether there are parameters, or a type of elements,");
    }
    return status == CAROM_OK ? gmsh_size(r, &b->count, "how many a block has") : status;
}

static carom_status check_total(const gmsh_reader *r, int total, int64_t found, const char *what)
{
    return total == found ? CAROM_OK
                          : gmsh_fail(r, "the section announces %d %s and has %lld", total, what, (long long)found);
}

/* Numbers of all nodes of the block first, then their coordinates. */
static carom_status read_node_block(gmsh_reader *r, const block *b)
{
    int parameters = b->what ? b->dimension : 0;
    gmsh_links numbers = { 0 };
    carom_status status = CAROM_OK;
    for (int k = 0; status == CAROM_OK && k < b->count; ++k) {
        int number;
        status = gmsh_size(r, &number, "the number of a node");
        if (status == CAROM_OK && !gmsh_link_add(&numbers, 0, number, 0)) {
            status = mesh_no_memory(r->source);
        }
    }
    for (int k = 0; status == CAROM_OK && k < b->count; ++k) {
        double x[3];
        for (int a = 0; status == CAROM_OK && a < 3; ++a) {
            status = gmsh_real(r, &x[a], "a coordinate");
        }
        if (status == CAROM_OK) {
            status = skip_reals(r, parameters);
        }
        if (status == CAROM_OK) {
            status = gmsh_add_node(r, numbers.items[k].tag, v3_make(x[0], x[1], x[2]));
        }
    }
    free(numbers.items);
    return status;
}

carom_status gmsh4_nodes(gmsh_reader *r)
{
    int blocks;
    int total;
    int before = r->mesh->node_count;
    carom_status status = read_totals(r, &blocks, &total);
    for (int k = 0; status == CAROM_OK && k < blocks; ++k) {
        block b;
        status = read_block(r, &b);
        status = status == CAROM_OK ? read_node_block(r, &b) : status;
    }
    return status == CAROM_OK ? check_total(r, total, r->mesh->node_count - before, "nodes") : status;
}

static carom_status read_element_block(gmsh_reader *r, const block *b)
{
    cell_kind kind;
    carom_status status = gmsh_cell_kind(r, b->what, &kind);
    if (status == CAROM_OK && cell_kind_dimension(kind) != b->dimension) {
        return gmsh_fail(r, "a block of the dimension %d has elements of the kind '%s'", b->dimension,
                         cell_kind_name(kind));
    }
    for (int k = 0; status == CAROM_OK && k < b->count; ++k) {
        int number;
        int nodes[CELL_NODES];
        status = gmsh_size(r, &number, "the number of an element");
        for (int i = 0; status == CAROM_OK && i < cell_kind_nodes(kind); ++i) {
            status = gmsh_size(r, &nodes[i], "the number of a node");
        }
        status = status == CAROM_OK ? gmsh_add_cell(r, kind, nodes, b->entity) : status;
    }
    return status;
}

carom_status gmsh4_elements(gmsh_reader *r)
{
    int blocks;
    int total;
    int before = r->mesh->cell_count;
    carom_status status = read_totals(r, &blocks, &total);
    for (int k = 0; status == CAROM_OK && k < blocks; ++k) {
        block b;
        status = read_block(r, &b);
        status = status == CAROM_OK ? read_element_block(r, &b) : status;
    }
    return status == CAROM_OK ? check_total(r, total, r->mesh->cell_count - before, "elements") : status;
}
