/* Meshes of cells from Gmsh files (.msh), versions 2.2 and 4.1, text and binary of either byte order.
 *
 * Physical groups become groups of the mesh, with their number as a name where they have none. Cells that a file of version 2.2 has
 * several times, once per group, are one. Partitions, periodic nodes and data are passed over. On failure `out` is empty, and err
 * names the file, the line or byte, what was found there and what to do. */
#ifndef CAROM_MESH_FILES_GMSH_H
#define CAROM_MESH_FILES_GMSH_H

#include "geometry/volume_mesh.h"

/* Coordinates are multiplied by scale. Free the mesh. */
carom_status gmsh_read(volume_mesh *out, const char *file, double scale, carom_error *err);

/* The same for a file already in memory; name serves messages. */
carom_status gmsh_parse(volume_mesh *out, const void *data, size_t size, const char *name, double scale,
                        carom_error *err);

#endif
