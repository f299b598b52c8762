/* The stiffness matrix of a mesh in blocks of node by node, both triangles, row by row: made for products with one vector, many times. */
#ifndef CAROM_ELEMENTS_BODIES_NODE_MATRIX_H
#define CAROM_ELEMENTS_BODIES_NODE_MATRIX_H

#include "elements/solids/solid_mesh.h"

typedef struct node_matrix node_matrix;

/* The freedoms along the first `dimension` axes take part. */
carom_status node_matrix_create(node_matrix **out, const solid_mesh *mesh, int dimension, carom_error *err);
void node_matrix_destroy(node_matrix *A);

/* y = A x */
void node_matrix_times(const node_matrix *A, const double *x, double *y);

#endif
