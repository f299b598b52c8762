/* Flat faces of a mesh: triangles that hang together in one plane. */
#ifndef CAROM_GEOMETRY_MESH_FACES_H
#define CAROM_GEOMETRY_MESH_FACES_H

#include "geometry/mesh_topology.h"

typedef struct mesh_faces {
    int count;
    int *face_of; /* of triangles; -1: a sliver that lies in no face */
    v3 *normals;  /* of faces: out of the solid where `turn` is that of the mesh */
    v3 *points;   /* [m] one in the plane of each */
} mesh_faces;

/* Grown from their largest triangle over neighbours in its plane, so that a sliver never decides a normal. `size` [m] is that of the
 * mesh; `turn` is -1 for a mesh that is inside out, else 1. False when memory runs out. */
bool mesh_faces_find(mesh_faces *out, const mesh *m, const mesh_edges *edges, double size, double turn);
void mesh_faces_free(mesh_faces *faces);

#endif
