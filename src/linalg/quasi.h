/* Block LDL^T of the quasi-definite matrix of one component,
 *
 *     K_e = [ A   J^T ]
 *           [ J   -E  ],    E diagonal, or zero,
 *
 * in the order of elimination of its pattern. Bodies and blocks of rows are nodes; the factor has a dense block for every pair of nodes that
 * meet, fill included. Nodes whose own block is diagonal stand before all that they meet, so that it stays diagonal. The analysis is done once. */
#ifndef CAROM_LINALG_QUASI_H
#define CAROM_LINALG_QUASI_H

#include "linalg/pattern.h"

typedef struct quasi_block {
    int node; /* of the rows */
    size_t at;
} quasi_block;

typedef struct quasi {
    int node_count;
    int *first; /* node_count + 1: its first unknown */
    bool *is_row;
    bool *is_diagonal; /* its own block, of which the diagonal alone is kept */
    int *start;        /* node_count + 1: its blocks below the diagonal */
    quasi_block *blocks;
    size_t *diagonal_at;
    size_t number_count;
    size_t *tile_at; /* per tile of the pattern: where its numbers go, turned over */
    int widest;
} quasi;

/* Numbers of one factorisation. */
typedef struct quasi_factor {
    double *L;       /* number_count; row-major blocks, unit diagonals left out of account */
    double *d;       /* per unknown: its pivot */
    double *inverse; /* 1 / d; 0 for a row that was left out */
    double *turned;  /* scratch */
} quasi_factor;

/* Memory comes from the arena; false when it runs out. */
bool quasi_analyse(quasi *q, carom_arena *arena, const pattern *p);
bool quasi_allocate(quasi_factor *f, carom_arena *arena, const quasi *q);

/* Factors what the tiles point at with E = diag(e); NULL: zero. A row with a pivot of less than drop[row] in size, or of the sign of a
 * body's, is left out: its unknown is zero. Signs of other pivots are the caller's business. */
void quasi_factorise(const quasi *q, const pattern *p, const double *e, const double *drop, quasi_factor *f);

/* v <- K_e^-1 v, in the order of elimination. */
void quasi_solve(const quasi *q, const quasi_factor *f, double *v);

#endif
