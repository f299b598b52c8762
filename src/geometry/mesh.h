/* Triangle meshes: storage, files, volume integrals. */
#ifndef CAROM_GEOMETRY_MESH_H
#define CAROM_GEOMETRY_MESH_H

#include "base/watch.h"
#include "geometry/mass.h"

typedef struct mesh {
    int vertex_count;
    int triangle_count;
    v3 *vertices;        /* [m] */
    int (*triangles)[3]; /* counter-clockwise seen from outside */
} mesh;

/* What is known about a mesh as a boundary of a solid. */
typedef struct mesh_quality {
    int open_edges;        /* edges with one triangle */
    int nonmanifold_edges; /* edges with more than two */
    int flipped_edges;     /* edges whose two triangles disagree on direction */
    int degenerate;        /* triangles without area */
    double volume;         /* signed */
} mesh_quality;

mesh *mesh_create(int vertex_count, int triangle_count); /* NULL when memory runs out */
void mesh_destroy(mesh *m);

carom_status mesh_inspect(const mesh *m, mesh_quality *out, carom_error *err);

/* Volume integrals of a closed mesh for unit density (exact for the polyhedron); a mesh turned inside out gives the
 * negative volume and the properties of the solid otherwise. */
void mesh_mass(mass_properties *out, const mesh *m);
void mesh_bounds(v3 *low, v3 *high, const mesh *m);

#endif
