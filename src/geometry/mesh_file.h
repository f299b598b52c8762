/* What the mesh file formats share: the file in memory, the growing mesh, errors with a place. Internal to the
 * readers.
 *
 * A format reader turns bytes into calls of the builder and knows nothing of welding; the builder knows nothing of
 * files but the name for messages. */
#ifndef CAROM_GEOMETRY_MESH_FILE_H
#define CAROM_GEOMETRY_MESH_FILE_H

#include "geometry/mesh.h"
#include "geometry/mesh_text.h"

typedef struct mesh_source {
    const char *name;
    const char *path; /* the file on disk; NULL: only in memory */
    int fd;           /* of that file, open */
    const unsigned char *data;
    size_t size;
    double scale;       /* [m] per unit of the file */
    carom_watch *watch; /* NULL: nobody watches */
    carom_error *err;
} mesh_source;

typedef struct mesh_builder {
    v3 *vertices;
    size_t vertex_count, vertex_capacity;
    int (*triangles)[3];
    size_t triangle_count, triangle_capacity;
    int *slots; /* open addressing: index into vertices + 1, or 0 */
    size_t slot_count;
} mesh_builder;

/* ---- errors ------------------------------------------------------------------------------------------------------ */

carom_status mesh_fail_file(const mesh_source *source, carom_status status, const char *fmt, ...) CAROM_PRINTF(3, 4);
carom_status mesh_fail_line(const mesh_source *source, long line, const char *fmt, ...) CAROM_PRINTF(3, 4);
carom_status mesh_fail_byte(const mesh_source *source, size_t offset, const char *fmt, ...) CAROM_PRINTF(3, 4);

/* ---- the builder ------------------------------------------------------------------------------------------------- */

/* Scales a point of the file to metres; what is wrong with it, or NULL. */
const char *mesh_point(v3 *out, const mesh_source *source, v3 in_file);

/* Room for this many, as announced by a file whose size has been checked against it. */
bool mesh_builder_reserve(mesh_builder *b, size_t vertex_count, size_t triangle_count);

/* All false when memory runs out or indices leave 32 bits. Formats without indices weld as they go; formats with
 * indices append, and mesh_builder_weld_all does the rest. */
bool mesh_builder_weld(mesh_builder *b, v3 r, int *index);
bool mesh_builder_append(mesh_builder *b, v3 r);
bool mesh_builder_triangle(mesh_builder *b, int i, int j, int k);

/* For formats that know what comes: fetches what welding this point will look at, in two steps with some time between
 * them, as the second needs what the first has brought. The table is larger than a cache, and waiting for it is most of
 * the work. Never changes a result. */
size_t mesh_builder_expect(const mesh_builder *b, v3 r);
void mesh_builder_fetch(const mesh_builder *b, size_t expected);

/* Welds equal vertices and drops those of no triangle; keeps the order of the file. */
bool mesh_builder_weld_all(mesh_builder *b);

/* A mesh with what has been built; NULL when memory runs out. */
mesh *mesh_builder_finish(mesh_builder *b);
void mesh_builder_free(mesh_builder *b);

carom_status mesh_no_memory(const mesh_source *source);

/* ---- the formats ------------------------------------------------------------------------------------------------- */

bool mesh_is_binary_stl(const mesh_source *source); /* by its exact size */
carom_status mesh_read_stl_binary(mesh_builder *b, const mesh_source *source);
carom_status mesh_read_stl_ascii(mesh_builder *b, const mesh_source *source);
carom_status mesh_read_obj(mesh_builder *b, const mesh_source *source);
carom_status mesh_read_ply(mesh_builder *b, const mesh_source *source);
carom_status mesh_read_other(mesh_builder *b, const mesh_source *source); /* the file on disk, by another program */

#endif
