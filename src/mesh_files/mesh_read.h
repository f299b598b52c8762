/* Meshes from files. */
#ifndef CAROM_MESH_FILES_MESH_READ_H
#define CAROM_MESH_FILES_MESH_READ_H

#include "geometry/mesh.h"

/* Reads STL (both kinds), OBJ or PLY (both kinds), recognised by content and suffix, in double precision; any other
 * format by Assimp where carom was built with it, in a process of its own. Welds exactly equal vertices and leaves out
 * vertices of no triangle. Coordinates are multiplied by scale. On failure *out is NULL and err names the file, the line
 * or byte, and what was found there. */
carom_status mesh_read(mesh **out, const char *file, double scale, carom_error *err);

/* The same; watch (may be NULL) is asked while another process reads. */
carom_status mesh_read_watched(mesh **out, const char *file, double scale, carom_watch *watch, carom_error *err);

/* What a shape is made of, each axis with its own scale. Wires and points are in OBJ files only; they are not welded. */
carom_status mesh_read_content(mesh **out, const mesh_file *file, carom_watch *watch, carom_error *err);

/* The same for a file already in memory; name serves messages, and its suffix the choice of format. */
carom_status mesh_parse(mesh **out, const void *data, size_t size, const char *name, double scale, carom_error *err);

#endif
