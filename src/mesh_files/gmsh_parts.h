/* What the readers of both versions of Gmsh files share. Internal to them. */
#ifndef CAROM_MESH_FILES_GMSH_PARTS_H
#define CAROM_MESH_FILES_GMSH_PARTS_H

#include "geometry/volume_mesh.h"
#include "mesh_files/mesh_file.h"

/* A pair of numbers and what belongs to it; lists of these are sorted and searched. */
typedef struct gmsh_link {
    int dimension, tag; /* of a physical group, an entity; a node: 0 and its number */
    int value;
} gmsh_link;

typedef struct gmsh_links {
    gmsh_link *items;
    size_t count, capacity;
} gmsh_links;

typedef struct gmsh_name {
    int dimension, tag;
    char text[128];
} gmsh_name;

typedef struct gmsh_reader {
    const mesh_source *source;
    mesh_text text; /* the whole file; `at` also serves binary data */
    bool binary;
    bool swapped;        /* binary, in the other byte order */
    int version;         /* 2 or 4 */
    volume_mesh *mesh;   /* its cells have numbers of nodes as the file has them, until the end */
    gmsh_links nodes;    /* number of a node -> node */
    gmsh_links entities; /* entity -> physical group (4.1) */
    gmsh_links members;  /* of each cell: dimension, physical group (2.2) or entity (4.1) -> cell */
    gmsh_name *names;
    size_t name_count, name_capacity;
} gmsh_reader;

/* The next number; `what` says in messages what it should be. Whole numbers are of 4 or 8 bytes in binary files, and within 32 bits. */
carom_status gmsh_int(gmsh_reader *r, int *out, const char *what);
carom_status gmsh_size(gmsh_reader *r, int *out, const char *what);
carom_status gmsh_real(gmsh_reader *r, double *out, const char *what);

/* "byte 17: ..." or "line 3: ...", where the reader stands. */
carom_status gmsh_fail(const gmsh_reader *r, const char *fmt, ...) CAROM_PRINTF(2, 3);

bool gmsh_link_add(gmsh_links *links, int dimension, int tag, int value);
void gmsh_links_sort(gmsh_links *links);
/* The first of the sorted links with this dimension and tag; NULL: none. Others with the same follow it. */
const gmsh_link *gmsh_links_find(const gmsh_links *links, int dimension, int tag);

/* Adds a node with its number, a cell of a type of Gmsh's. */
carom_status gmsh_add_node(gmsh_reader *r, int number, v3 in_file);
carom_status gmsh_cell_kind(const gmsh_reader *r, int type, cell_kind *out);
carom_status gmsh_add_cell(gmsh_reader *r, cell_kind kind, const int *numbers, int group);

/* The sections with nodes, elements and entities. */
carom_status gmsh2_nodes(gmsh_reader *r);
carom_status gmsh2_elements(gmsh_reader *r);
carom_status gmsh4_entities(gmsh_reader *r);
carom_status gmsh4_nodes(gmsh_reader *r);
carom_status gmsh4_elements(gmsh_reader *r);

#endif
