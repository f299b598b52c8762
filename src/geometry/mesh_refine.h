/* Refinement by halving longest edges. */
#ifndef CAROM_GEOMETRY_MESH_REFINE_H
#define CAROM_GEOMETRY_MESH_REFINE_H

#include "geometry/mesh.h"

/* To exactly this many triangles. *out is a new mesh; the vertices of m come first. */
carom_status mesh_refine(mesh **out, const mesh *m, int triangle_count, carom_error *err);

/* Until no edge is longer than this [m]. */
carom_status mesh_refine_edges(mesh **out, const mesh *m, double longest, carom_error *err);

#endif
