/* Mesh files of other formats. */
#ifndef CAROM_SCENE_MESH_PATH_H
#define CAROM_SCENE_MESH_PATH_H

#include "scene/scene_reader.h"

/* The file as its name stands, else relative to `folder`, else in a folder "meshes" of that folder or of one above it. NULL:
 * nowhere, or no memory (arena->failed). */
const char *mesh_path_find(carom_arena *arena, const char *folder, const char *name);

/* Whether there is a file that can be read. */
bool mesh_path_is_file(const char *path);

/* A name that leads from `folder` to the file: relative where that works, else absolute. NULL: no memory. */
const char *mesh_path_from(carom_arena *arena, const char *folder, const char *path);

#endif
