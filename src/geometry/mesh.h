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
    int edge_count;      /* of wires: edges of no triangle; else none */
    int (*edges)[2];
} mesh;

/* What of a mesh file a shape is made of. */
typedef enum mesh_content {
    MESH_SURFACE, /* triangles and their vertices, equal ones welded */
    MESH_WIRES,   /* the lines of an OBJ file and their vertices */
    MESH_POINTS,  /* the vertices of an OBJ file, all of them */
    MESH_WHOLE    /* an OBJ file as it is; of others the surface */
} mesh_content;

typedef struct mesh_file {
    const char *name;
    v3 scale; /* [m] per unit of the file; a negative one mirrors */
    mesh_content content;
} mesh_file;

/* What is known about a mesh as a boundary of a solid. */
typedef struct mesh_quality {
    int open_edges;        /* edges with one triangle */
    int nonmanifold_edges; /* edges with more than two */
    int flipped_edges;     /* edges whose two triangles disagree on direction */
    int degenerate;        /* triangles without area */
    double volume;         /* signed */
} mesh_quality;

mesh *mesh_create(int vertex_count, int triangle_count);   /* NULL when memory runs out */
mesh *mesh_create_wires(int vertex_count, int edge_count); /* likewise */
void mesh_destroy(mesh *m);

carom_status mesh_inspect(const mesh *m, mesh_quality *out, carom_error *err);

/* Volume integrals of a closed mesh for unit density (exact for the polyhedron); a mesh turned inside out gives the
 * negative volume and the properties of the solid otherwise. */
void mesh_mass(mass_properties *out, const mesh *m);

/* The same of the cones from a point to the triangles: the solid of an open mesh that is closed by them. */
void mesh_mass_from(mass_properties *out, const mesh *m, v3 reference);

/* Of unit mass per area, per length, per vertex: a surface without thickness, the edges, the vertices. The `mass` is the area,
 * the length, the number of vertices. */
void mesh_sheet_mass(mass_properties *out, const mesh *m);
void mesh_wire_mass(mass_properties *out, const mesh *m);
void mesh_points_mass(mass_properties *out, const mesh *m);

/* Multiplies coordinates axis by axis. A scale that mirrors turns triangles over, so that their outside stays outside. */
void mesh_stretch(mesh *m, v3 scale);

void mesh_bounds(v3 *low, v3 *high, const mesh *m);

#endif
