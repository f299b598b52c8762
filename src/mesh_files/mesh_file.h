/* What the mesh file formats share: the file in memory, errors with a place. Internal to the readers.
 *
 * A format reader turns bytes into calls of the builder (geometry/mesh_build.h) and knows nothing of welding; the builder
 * knows nothing of files. */
#ifndef CAROM_MESH_FILES_MESH_FILE_H
#define CAROM_MESH_FILES_MESH_FILE_H

#include "geometry/mesh_build.h"
#include "mesh_files/mesh_text.h"

typedef struct mesh_source {
    const char *name;
    const char *path; /* the file on disk; NULL: only in memory */
    int fd;           /* of that file, open */
    const unsigned char *data;
    size_t size;
    double scale; /* [m] per unit of the file */
    mesh_content content;
    carom_watch *watch; /* NULL: nobody watches */
    carom_error *err;
} mesh_source;

/* ---- errors ------------------------------------------------------------------------------------------------------ */

carom_status mesh_fail_file(const mesh_source *source, carom_status status, const char *fmt, ...) CAROM_PRINTF(3, 4);
carom_status mesh_fail_line(const mesh_source *source, long line, const char *fmt, ...) CAROM_PRINTF(3, 4);
carom_status mesh_fail_byte(const mesh_source *source, size_t offset, const char *fmt, ...) CAROM_PRINTF(3, 4);

/* Reads an open file into memory: source->size bytes at *data, to be freed also after a failure. */
carom_status mesh_load(int fd, uint64_t size, mesh_source *source, unsigned char **data);

/* ---- points -------------------------------------------------------------------------------------------------------- */

/* Scales a point of the file to metres; what is wrong with it, or NULL. */
const char *mesh_point(v3 *out, const mesh_source *source, v3 in_file);

carom_status mesh_no_memory(const mesh_source *source);

/* ---- the formats ------------------------------------------------------------------------------------------------- */

bool mesh_is_binary_stl(const mesh_source *source); /* by its exact size */
carom_status mesh_read_stl_binary(mesh_builder *b, const mesh_source *source);
carom_status mesh_read_stl_ascii(mesh_builder *b, const mesh_source *source);
carom_status mesh_read_obj(mesh_builder *b, const mesh_source *source);
carom_status mesh_read_ply(mesh_builder *b, const mesh_source *source);
carom_status mesh_read_other(mesh_builder *b, const mesh_source *source); /* the file on disk, by another program */

#endif
