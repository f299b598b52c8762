/* What is drawn of a body that deforms: triangles whose vertices go with nodes.
 *
 * Solids have the faces that only one element has; plane bodies are as thick as they are, bars and beams have their cross
 * section. A vertex lies at its node plus an offset in the body frame, and moves with it: X + offset + u + turn x offset. */
#ifndef CAROM_RESULT_FLEXIBLE_SKIN_H
#define CAROM_RESULT_FLEXIBLE_SKIN_H

#include "base/arena.h"
#include "result/result_flexible.h"

typedef struct flexible_skin {
    carom_arena arena;
    size_t node_count;
    int32_t *nodes; /* of the body that are drawn, ascending */
    size_t vertex_count;
    int32_t *vertex_node; /* rows of nodes */
    v3 *offset;           /* [m] */
    bool has_offsets;
    size_t triangle_count;
    int32_t *triangles; /* three vertices each, counter-clockwise from outside */
    size_t all_nodes;   /* of the skin before it was made coarser */
} flexible_skin;

/* With `most` nodes at most, more or less: finer skins are made coarser, neighbours becoming one of them (0: as fine as they are). False:
 * out of memory. Free it, also after a failure. */
bool flexible_skin_make(flexible_skin *out, const flexible_mesh *mesh, size_t most);
void flexible_skin_free(flexible_skin *skin);

#endif
