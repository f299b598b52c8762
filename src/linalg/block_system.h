/* Symmetric sparse systems of small dense blocks whose pattern changes from time to time:
 *
 *     [ H   J' ] [x]   [f]        H: positive definite, a block per body and one per pair of bodies that touch;
 *     [ J  -C  ] [y] = [g]        J: rows of joints; C: a small positive diagonal, so that redundant rows are allowed.
 *
 * Bodies and groups of rows are nodes of a graph. Bodies are eliminated first, in an order of least degree
 * [Amestoy1996], then the rows: the pivots of the bodies are those of a Cholesky factorisation, the pivots of the rows
 * those of -(J H^-1 J' + C). The analysis is kept for as long as the pattern stays.
 *
 * Scratch: what comes out depends on the pattern and the numbers alone. */
#ifndef CAROM_LINALG_BLOCK_SYSTEM_H
#define CAROM_LINALG_BLOCK_SYSTEM_H

#include <carom/base.h>

typedef struct block_system block_system;

typedef struct block_pattern {
    int node_count;
    const int *sizes;   /* of each node, 1..6 */
    const bool *is_row; /* NULL: all are bodies */
    int edge_count;
    const int (*edges)[2]; /* nodes with a block between them, each pair once, in either order; not two rows */
} block_pattern;

block_system *block_system_create(void); /* NULL when memory runs out */
void block_system_destroy(block_system *s);

/* Takes a pattern; one that is equal to the last costs no analysis. All numbers are zero after it. */
carom_status block_system_begin(block_system *s, const block_pattern *pattern, carom_error *err);

/* Where numbers are written, row-major: the node's own block, both triangles; the block of an edge, rows of its first node. */
double *block_system_node(block_system *s, int node);
double *block_system_edge(block_system *s, int edge);

/* Factors what was written, which stays, with `shift` added to the diagonal of every body. False when a body's pivot is not
 * positive: H is not positive definite. */
bool block_system_factor(block_system *s, double shift);

/* Solves in place; nodes one after the other, in their own order. */
void block_system_solve(const block_system *s, double *x);

/* out += H x, of the bodies alone: what was written. */
void block_system_multiply(const block_system *s, const double *x, double *out);

/* Patterns that were analysed so far. */
long block_system_analyses(const block_system *s);

#endif
