/* A mesh of cells that fill a line, an area or a volume: nodes, cells of several kinds, named groups of cells. What Gmsh files hold
 * and finite elements are made from. Growing memory is the mesh's own; a failed addition leaves it as it was. */
#ifndef CAROM_GEOMETRY_VOLUME_MESH_H
#define CAROM_GEOMETRY_VOLUME_MESH_H

#include <carom/base.h>

#include "math/vec3.h"

enum { CELL_NODES = 10 }; /* most nodes of a cell */

/* Nodes of a cell stand as in elements/solids: corners, then the middles of edges. */
typedef enum cell_kind {
    CELL_POINT,
    CELL_LINE2,
    CELL_LINE3,
    CELL_TRIANGLE3,
    CELL_TRIANGLE6,
    CELL_QUAD4,
    CELL_TETRAHEDRON4,
    CELL_TETRAHEDRON10,
    CELL_HEXAHEDRON8,
    CELL_KINDS,
} cell_kind;

const char *cell_kind_name(cell_kind kind);
int cell_kind_nodes(cell_kind kind);
int cell_kind_dimension(cell_kind kind);

typedef struct volume_cell {
    cell_kind kind;
    int nodes[CELL_NODES];
} volume_cell;

typedef struct volume_group {
    char *name;    /* unique within its dimension */
    int dimension; /* of its cells */
    int *cells;    /* ascending */
    int cell_count;
    size_t cell_capacity;
} volume_group;

typedef struct volume_mesh {
    v3 *nodes;
    int node_count;
    size_t node_capacity;
    volume_cell *cells;
    int cell_count;
    size_t cell_capacity;
    volume_group *groups;
    int group_count;
    size_t group_capacity;
} volume_mesh;

void volume_mesh_free(volume_mesh *mesh);

/* False: memory runs out. */
bool volume_mesh_add_node(volume_mesh *mesh, v3 node);
bool volume_mesh_add_cell(volume_mesh *mesh, cell_kind kind, const int *nodes);

/* A group of this dimension with this name, made where there is none; -1: memory runs out. */
int volume_mesh_group(volume_mesh *mesh, const char *name, int dimension);
/* Adds a cell, which is the last of its group already or behind it. */
bool volume_mesh_add_to_group(volume_mesh *mesh, int group, int cell);
/* The group with this name, of the highest dimension; NULL: none. */
const volume_group *volume_mesh_find_group(const volume_mesh *mesh, const char *name);

/* Marks the nodes of faces that only one cell has, of meshes of tetrahedra: NULL when memory runs out; free() it. */
bool *volume_mesh_boundary(const volume_mesh *mesh);

/* ---- grids ---- */

/* A row of cells along one axis; `grading` is the length of the last one over that of the first (1: all equal), in between they grow
 * by a constant factor. */
typedef struct volume_axis {
    double start, length; /* [m] */
    int count;            /* cells */
    double grading;
} volume_axis;

/* Fills a box with cells of a kind, along as many axes as the kind has dimensions: a bar (lines), a strip, or the section of a rod
 * with x for its radius (quadrilaterals, triangles), a block or a plate (hexahedra, tetrahedra). Simplices divide the cells of the
 * grid. */
carom_status volume_mesh_grid(volume_mesh *out, cell_kind kind, const volume_axis *axes, carom_error *err);

#endif
