/* The mesh under construction: growing arrays, and welding of exactly equal vertices. Used by the readers of mesh files and
 * by what makes meshes. */
#ifndef CAROM_GEOMETRY_MESH_BUILD_H
#define CAROM_GEOMETRY_MESH_BUILD_H

#include "geometry/mesh.h"

typedef struct mesh_builder {
    v3 *vertices;
    size_t vertex_count, vertex_capacity;
    int (*triangles)[3];
    size_t triangle_count, triangle_capacity;
    int (*edges)[2]; /* of no triangle */
    size_t edge_count, edge_capacity;
    int *slots; /* open addressing: index into vertices + 1, or 0 */
    size_t slot_count;
} mesh_builder;

/* Room for this many, as announced by a file whose size has been checked against it. */
bool mesh_builder_reserve(mesh_builder *b, size_t vertex_count, size_t triangle_count);

/* All false when memory runs out or indices leave 32 bits. Formats without indices weld as they go; formats with
 * indices append, and mesh_builder_weld_all does the rest. */
bool mesh_builder_weld(mesh_builder *b, v3 r, int *index);
bool mesh_builder_append(mesh_builder *b, v3 r);
bool mesh_builder_triangle(mesh_builder *b, int i, int j, int k);
bool mesh_builder_edge(mesh_builder *b, int i, int j);

/* For formats that know what comes: fetches what welding this point will look at, in two steps with some time between
 * them, as the second needs what the first has brought. The table is larger than a cache, and waiting for it is most of
 * the work. Never changes a result. */
size_t mesh_builder_expect(const mesh_builder *b, v3 r);
void mesh_builder_fetch(const mesh_builder *b, size_t expected);

/* Welds equal vertices and drops those of no triangle; keeps the order of the file. */
bool mesh_builder_weld_all(mesh_builder *b);

/* Drops triangles, and vertices of no edge; keeps the order of the file. */
bool mesh_builder_keep_edges(mesh_builder *b);

/* A mesh with what has been built; NULL when memory runs out. */
mesh *mesh_builder_finish(mesh_builder *b);
void mesh_builder_free(mesh_builder *b);

#endif
