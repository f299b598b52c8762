/* What the files of nodal bodies share. */
#ifndef CAROM_ELEMENTS_BODIES_NODES_PARTS_H
#define CAROM_ELEMENTS_BODIES_NODES_PARTS_H

#include "base/arena.h"
#include "elements/bodies/node_matrix.h"
#include "elements/bodies/nodes.h"

/* An element with its own frame. */
typedef struct nodal_element {
    int count; /* nodes */
    int nodes[SOLID_NODES];
    double weight[SOLID_NODES];
    v3 X[SOLID_NODES];
    const double *K; /* (count x dimension)^2, row-major */
} nodal_element;

struct nodal_body {
    carom_arena arena;
    const solid_mesh *mesh;
    nodal_rotation rotation;
    int dimension, node_count, coordinate_count;
    double damping, total_mass;
    double *mass;       /* per coordinate */
    bool *held;         /* per coordinate */
    corotation_set all; /* by mass */
    corotation_set own; /* of ROTATION_WHOLE (the same) and ROTATION_SET */
    v3 *X;              /* per node: about the centre of `own` */
    node_matrix *K;     /* NULL: ROTATION_ELEMENT */
    int element_count;  /* of ROTATION_ELEMENT */
    nodal_element *elements;
};

/* y = K x of the undeformed body. */
void nodal_stiffness_times(const nodal_body *body, const double *x, double *y);

#endif
