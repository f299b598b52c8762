/* The steps of a repair, each changing a mesh in place. Internal to mesh_repair.c.
 *
 * All return false when memory runs out; the mesh may then be anything, as the caller works on a copy. */
#ifndef CAROM_GEOMETRY_MESH_REPAIR_STEPS_H
#define CAROM_GEOMETRY_MESH_REPAIR_STEPS_H

#include "geometry/mesh_report.h"

/* Each vertex within the tolerance [m] of an earlier kept one is replaced by the nearest of these. */
bool repair_weld(mesh *m, double tolerance, int *merged);

/* Triangles with a corner twice. */
void repair_drop_folded(mesh *m, int *removed);

/* Copies of triangles; both copies where the surface is whole without them: a wall inside a solid. */
bool repair_drop_duplicates(mesh *m, int *removed);

/* A triangle without area lies along its longest edge: that edge is flipped, so that nothing opens. At an open edge it
 * is removed. `left` are those that could not be helped. */
bool repair_flatten(mesh *m, int *helped, int *left);

typedef struct orient_result {
    int turned;    /* triangles */
    int one_sided; /* patches that cannot be oriented */
    int cavities;  /* closed patches inside others, now facing inwards */
    int open;      /* open patches, whose side is the one most of their triangles had */
} orient_result;

/* Neighbours agree, closed patches face outwards, cavities inwards. */
bool repair_orient(mesh *m, bool everything_outwards, orient_result *result);

typedef struct fill_result {
    int holes, triangles; /* closed, added */
    int left;             /* holes that stay */
} fill_result;

/* Closes holes of at most `longest` edges with the triangles of smallest total area. */
bool repair_fill(mesh *m, int longest, fill_result *result);

/* Vertices of no triangle. */
bool repair_drop_unused(mesh *m, int *removed);

#endif
