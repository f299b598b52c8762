/* How carom-mesh-reader hands a mesh over, through a pipe on one machine: a head of numbers, the content, a hash of both.
 *
 *   mesh       vertex_count times three doubles, in units of the file; triangle_count times three int32 indices
 *   message    byte_count characters: why there is no mesh
 *
 * Who receives it believes nothing: counts are bounded, indices compared, and without the right hash at the end the
 * content counts as cut off. */
#ifndef CAROM_MESH_FILES_ASSIMP_MESH_WIRE_H
#define CAROM_MESH_FILES_ASSIMP_MESH_WIRE_H

#include <stdint.h>

#define MESH_WIRE_MAGIC UINT64_C(0x3148534d4d524143) /* "CARMMSH1": changes with the layout */

typedef enum mesh_wire_kind { MESH_WIRE_MESH = 1, MESH_WIRE_MESSAGE = 2 } mesh_wire_kind;

enum { MESH_WIRE_LONGEST_MESSAGE = 400 };

typedef struct mesh_wire_head {
    uint64_t magic;
    uint64_t kind;
    uint64_t vertex_count;
    uint64_t triangle_count;
    uint64_t byte_count; /* of a message */
} mesh_wire_head;

/* The words carom-mesh-reader is called with. Its standard input is the mesh file. */
enum {
    MESH_READER_PROGRAM,
    MESH_READER_FOLDER, /* of the mesh file: other files of the mesh are looked for here and below, nowhere else */
    MESH_READER_NAME,   /* of the mesh file in it */
    MESH_READER_CPU,    /* [s] limits */
    MESH_READER_WALL,   /* [s] */
    MESH_READER_MEMORY, /* [B] */
    MESH_READER_WORDS
};

#endif
