/* Modes of a body as results have bodies that deform: for strains and surfaces. */
#ifndef CAROM_RESULT_MODES_MESH_H
#define CAROM_RESULT_MODES_MESH_H

#include "model/modes.h"
#include "result/result_flexible.h"
#include "result/result_stress.h"

/* In an arena, together with the body it points to. False: out of memory. */
bool modes_mesh_make(flexible_mesh *out, const carom_modes *modes, carom_arena *arena);

/* The shape with this number. */
node_motion modes_motion(const carom_modes *modes, int index);

/* How far the node moves that moves most [m per unit]. */
double modes_reach(const carom_modes *modes, int index);

#endif
