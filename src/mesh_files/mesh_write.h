/* Writing mesh files. */
#ifndef CAROM_MESH_FILES_MESH_WRITE_H
#define CAROM_MESH_FILES_MESH_WRITE_H

#include <carom/mesh.h>

#include "geometry/mesh.h"

/* STL, OBJ or PLY by the suffix of the name. The file appears complete or not at all: it is written beside its place
 * and then renamed. */
carom_status mesh_write(const mesh *m, const char *file, carom_mesh_encoding encoding, carom_error *err);

#endif
