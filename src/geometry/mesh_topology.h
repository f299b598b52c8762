/* Which triangles meet at which edge: what inspection, repair and refinement of meshes share. */
#ifndef CAROM_GEOMETRY_MESH_TOPOLOGY_H
#define CAROM_GEOMETRY_MESH_TOPOLOGY_H

#include "geometry/mesh.h"

/* A side is one of the three directed edges of a triangle: 3 t + k goes from corner k to corner k + 1. Triangles with a
 * repeated corner have no sides: they are folded, and their neighbours already meet each other there. */
typedef struct mesh_edges {
    int count;
    int *start; /* edge e joins sides[start[e]] .. sides[start[e + 1] - 1], ascending; edges ascend by vertices */
    int *sides;
    int *edge_of; /* of each side; -1: none */
    int (*ends)[2];
    int *first_of; /* vertex v is the smaller end of edges first_of[v] .. first_of[v + 1] - 1 */
} mesh_edges;

carom_status mesh_edges_create(mesh_edges *out, const mesh *m, carom_error *err);
void mesh_edges_free(mesh_edges *edges);

/* The edge between two vertices, or -1. */
int mesh_edges_find(const mesh_edges *edges, int a, int b);

static inline int mesh_edge_sides(const mesh_edges *edges, int e)
{
    return edges->start[e + 1] - edges->start[e];
}

static inline int side_from(const mesh *m, int side)
{
    return m->triangles[side / 3][side % 3];
}

static inline int side_to(const mesh *m, int side)
{
    return m->triangles[side / 3][(side % 3 + 1) % 3];
}

/* The next side of the same triangle. */
static inline int side_next(int side)
{
    return side % 3 == 2 ? side - 2 : side + 1;
}

/* The side of the other triangle at an edge with two; -1 at all others. */
int mesh_edges_twin(const mesh_edges *edges, int side);

/* Pieces of the surface that hang together over edges of two triangles: patch[t] for each triangle, numbered by their
 * first triangle. Returns how many, or -1 when memory runs out. */
int mesh_patches(const mesh *m, const mesh_edges *edges, int *patch);

bool mesh_triangle_repeats(const int corner[3]);

/* Without area beyond rounding; a repeated corner included. */
bool mesh_triangle_degenerate(const mesh *m, const int corner[3]);

#endif
