/* Mesh formats beyond STL, OBJ and PLY, by the Assimp library; there only when CAROM_HAVE_ASSIMP is defined. */
#ifndef CAROM_GEOMETRY_ASSIMP_ASSIMP_READ_H
#define CAROM_GEOMETRY_ASSIMP_ASSIMP_READ_H

#include "geometry/mesh_file.h"

/* Reads source->path: all meshes of the file's scene as one, each placed as the scene says, polygons as triangles. */
carom_status mesh_read_assimp(mesh_builder *b, const mesh_source *source);

#endif
