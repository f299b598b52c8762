/* Sparse systems of 6x6 blocks, one node per rigid body, with a symmetric pattern and any numbers:
 *
 *     A x = f,   A = blockdiag(A_ii) + blocks A_ij, A_ji between nodes that share an edge.
 *
 * Contact problems lead to M + H' S H where S is not symmetric as soon as contacts slip. The order of elimination is one of
 * least degree [Amestoy1996]; pivots are exchanged within the block of a node only, which is enough as long as the symmetric
 * part of A is positive definite. The analysis is kept for as long as the pattern stays.
 *
 * Scratch: what comes out depends on the pattern and the numbers alone. */
#ifndef CAROM_LINALG_BLOCK_LU_H
#define CAROM_LINALG_BLOCK_LU_H

#include <stdbool.h>

#include "linalg/block.h"

enum { BLOCK_LU_WIDTH = BLOCK_WIDTH, BLOCK_LU_SIZE = BLOCK_LU_WIDTH * BLOCK_LU_WIDTH };

typedef struct block_lu block_lu;

block_lu *block_lu_create(void); /* NULL when memory runs out */
void block_lu_destroy(block_lu *s);

/* Takes a pattern: edges join two different nodes and may be listed several times. A pattern equal to the last one costs no
 * analysis. False when memory runs out. */
bool block_lu_begin(block_lu *s, int node_count, int edge_count, const int (*edges)[2]);

/* All numbers become zero. */
void block_lu_clear(block_lu *s);

/* Where numbers are added, row-major: the node's own block; the block of an edge with the rows of its end `from` (0 or 1) and
 * the columns of the other one. Edges listed twice share their blocks. */
double *block_lu_node(block_lu *s, int node);
double *block_lu_edge(block_lu *s, int edge, int from);

/* Factors what was written, over it. False when a pivot is zero or not finite. */
bool block_lu_factor(block_lu *s);

/* Solves in place: six numbers per node, in their own order. */
void block_lu_solve(const block_lu *s, double *x);

/* Patterns that were analysed so far. */
long block_lu_analyses(const block_lu *s);

#endif
