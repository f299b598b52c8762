/* The order in which a sparse symmetric matrix is eliminated, and where its factor has entries: columns with (nearly) the same rows below
 * them are one supernode, a dense trapezoid [Liu1992]. Depends on the places of entries alone, never on their values. */
#ifndef CAROM_LINALG_SUPERNODES_H
#define CAROM_LINALG_SUPERNODES_H

#include "base/arena.h"
#include "linalg/sparse_parts.h"

typedef struct supernodes {
    int size, count;
    int *order;       /* size: row of the matrix that stands at a position */
    int *first;       /* count + 1: first position of a supernode */
    int *parent;      /* count: a later supernode, -1: none */
    size_t *rows_at;  /* count + 1: into rows */
    int *rows;        /* positions, ascending: the supernode's own, then those below */
    size_t *value_at; /* count + 1: into the values of the factor, by columns of as many rows as the supernode has */

    /* The matrix in this order, lower triangle by columns. */
    int *column_at; /* size + 1 */
    int *row;       /* position */
    int *from;      /* entry of the matrix */
} supernodes;

/* All of it lies in the arena. */
carom_status supernodes_find(supernodes *out, carom_arena *arena, const sparse_matrix *A, carom_error *err);

static inline int supernode_columns(const supernodes *s, int node)
{
    return s->first[node + 1] - s->first[node];
}

static inline int supernode_rows(const supernodes *s, int node)
{
    return (int)(s->rows_at[node + 1] - s->rows_at[node]);
}

#endif
