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

/* Reads STL (both kinds), OBJ or PLY (both kinds), recognised by content and suffix, in double precision; any other
 * format by Assimp where carom was built with it, in a process of its own. Welds exactly equal vertices and leaves out
 * vertices of no triangle. Coordinates are multiplied by scale. On failure *out is NULL and err names the file, the line
 * or byte, and what was found there. */
carom_status mesh_read(mesh **out, const char *file, double scale, carom_error *err);

/* The same; watch (may be NULL) is asked while another process reads. */
carom_status mesh_read_watched(mesh **out, const char *file, double scale, carom_watch *watch, carom_error *err);

/* The same for a file already in memory; name serves messages, and its suffix the choice of format. */
carom_status mesh_parse(mesh **out, const void *data, size_t size, const char *name, double scale, carom_error *err);

mesh *mesh_create(int vertex_count, int triangle_count); /* NULL when memory runs out */
void mesh_destroy(mesh *m);

carom_status mesh_inspect(const mesh *m, mesh_quality *out, carom_error *err);

/* Volume integrals of a closed mesh for unit density (exact for the polyhedron); a mesh turned inside out gives the
 * negative volume and the properties of the solid otherwise. */
void mesh_mass(mass_properties *out, const mesh *m);
void mesh_bounds(v3 *low, v3 *high, const mesh *m);

#endif
