/* What is wrong with a mesh as the boundary of a solid, and where. */
#ifndef CAROM_GEOMETRY_MESH_REPORT_H
#define CAROM_GEOMETRY_MESH_REPORT_H

#include <carom/mesh.h>

#include "geometry/mesh_topology.h"

carom_status mesh_report(const mesh *m, carom_mesh_report *out, carom_error *err);

/* Boundary loops: next[side] is the open side that follows this one around its hole, -1 for sides that are not open or
 * whose loop does not close because the surface around it is not a manifold. No loop passes a vertex twice: holes that
 * touch in a point are holes of their own. False when memory runs out. */
bool mesh_boundary_next(const mesh *m, const mesh_edges *edges, int *next);

/* Six times the signed volume of each patch about the middle of the mesh, and whether it is closed. */
typedef struct mesh_patch {
    double volume_6;
    bool closed;     /* only edges of two triangles */
    bool orientable; /* no edge whose triangles disagree */
    int depth;       /* of a closed patch: how many other closed patches it lies inside */
    v3 low, high;
    v3 sample; /* a point of the patch */
} mesh_patch;

/* Describes patches as numbered by mesh_patches. depth needs the closed patches to be oriented and is counted only when
 * asked for. NULL when memory runs out; free() it. */
mesh_patch *mesh_describe_patches(const mesh *m, const mesh_edges *edges, const int *patch, int count, bool depths);

/* Groups of triangles as 0..count-1: start has count + 1 entries, members one per triangle. */
void mesh_group_triangles(const int *patch, int triangle_count, int count, int *start, int *members);

/* Triangles that have the corners of an earlier one, in any order: first[t] is the earliest such triangle (t itself when
 * there is none). False when memory runs out. */
bool mesh_find_duplicates(const mesh *m, int *first);

#endif
