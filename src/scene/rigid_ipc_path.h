/* Mesh files of the rigid-ipc format. */
#ifndef CAROM_SCENE_RIGID_IPC_PATH_H
#define CAROM_SCENE_RIGID_IPC_PATH_H

#include "scene/scene_reader.h"

/* The file as its name stands, else relative to `folder`, else in a folder "meshes" of that folder or of one above it. NULL:
 * nowhere, or no memory (arena->failed). */
const char *ipc_find_mesh(carom_arena *arena, const char *folder, const char *name);

/* A name that leads from `folder` to the file: relative where that works, else absolute. NULL: no memory. */
const char *ipc_name_from(carom_arena *arena, const char *folder, const char *path);

#endif
