/* Stress at the nodes of a body that deforms, from its finite elements. */
#ifndef CAROM_EXPORT_STRESS_H
#define CAROM_EXPORT_STRESS_H

#include "base/arena.h"
#include "result/result_flexible.h"

/* Room for one body, used again in each frame. */
typedef struct stress_room {
    double *stress; /* six components of each node, added up over its elements */
    int *count;     /* elements around each node */
} stress_room;
bool stress_room_make(stress_room *room, carom_arena *arena, size_t nodes);

/* Writes the von Mises stress [Pa] at each node for the displacements u in the frame of the body: of the mean over the elements around it,
 * each taken at the node. NaN where there is none to tell: at nodes of beams, whose rotations results do not hold, and at nodes of no
 * element. */
void stress_von_mises(const flexible_mesh *body, const double *u, stress_room *room, float *out);

#endif
