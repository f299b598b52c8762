/* Closed surfaces filled with tetrahedra by Gmsh, a program of its own that need not be there: $CAROM_GMSH, else `gmsh` on the path. The
 * triangles of the surface stay as they are. What Gmsh answers is believed only where it fills the surface. Fillings are kept beside the
 * distance fields (geometry/sdf.h), one file per hash of what they are made from. */
#ifndef CAROM_MESH_FILES_TETRAHEDRA_H
#define CAROM_MESH_FILES_TETRAHEDRA_H

#include "geometry/mesh.h"
#include "geometry/volume_mesh.h"

typedef struct tetrahedra_options {
    const char *name; /* of the surface, for messages */
    double size;      /* [m] of edges inside, at most about */
    int order;        /* 1: four nodes, 2: ten, halfway along straight edges */
    double seconds;   /* [s] that Gmsh has; 0: as its triangles need */
} tetrahedra_options;

/* CAROM_UNSUPPORTED: there is no Gmsh. CAROM_BAD_INPUT: the surface is not closed, cuts itself, or cannot be filled. Free the mesh. */
carom_status tetrahedra_fill(volume_mesh *out, const mesh *surface, const tetrahedra_options *options,
                             carom_error *err);

#endif
