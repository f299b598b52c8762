/* Stress and strain at the nodes of a body that deforms, from its finite elements. */
#ifndef CAROM_RESULT_RESULT_STRESS_H
#define CAROM_RESULT_RESULT_STRESS_H

#include "base/arena.h"
#include "result/result_flexible.h"

/* How a body is deformed: displacements and rotations of its nodes in its frame, x y z of each. */
typedef struct node_motion {
    const double *u;    /* [m] */
    const double *turn; /* [rad] NULL: nodes do not turn */
} node_motion;

/* What is known at a node; NaN: nothing (nodes of no element). */
typedef struct node_stress {
    float von_mises; /* [Pa] */
    float principal; /* the principal strain that is largest in magnitude */
} node_stress;

/* Room for one body, used again in each frame. */
typedef struct stress_room {
    double *sum; /* of stress and strain of each node, over its elements */
    int *count;  /* elements around each node */
} stress_room;
bool stress_room_make(stress_room *room, carom_arena *arena, size_t nodes);

/* Writes stress and strain at each node: of the mean tensors over the elements around it, each taken at the node. Bars have their axial
 * stress. Beams have that of their outer fibre, from extension and bending, with the shear of torsion there; shear forces, which vanish at
 * that fibre, are left out. A section counts as round or as a rectangle with its area and moments. `only` marks nodes that are asked
 * for (NULL: all); others may be left at NaN. */
void stress_at_nodes(const flexible_mesh *body, node_motion motion, const bool *only, stress_room *room,
                     node_stress *out);

/* The cross section of bars and beams as it is drawn and as outer fibres are found. */
typedef struct section_outline {
    bool round;
    double half_y, half_z; /* [m] radius, or half the sides along the local axes */
} section_outline;
section_outline section_outline_of(const solid_section *section);

#endif
