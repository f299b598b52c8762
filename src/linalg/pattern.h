/* The pattern of one connected component: which unknown is eliminated when, and which dense tiles its matrix has. */
#ifndef CAROM_LINALG_PATTERN_H
#define CAROM_LINALG_PATTERN_H

#include "linalg/parts.h"

#include <suitesparse/cholmod.h>

/* A dense piece of the upper triangle: rows (unknowns) from `row`, columns from `column`, entry (i, j) of it at
 * from[i * row_step + j * column_step]; one of the steps is 1, and the other the width of a body. row < column,
 * or row == column for a body's own block (of which the upper triangle is used) and for the diagonal of a block of
 * constraint rows (from is NULL). */
typedef struct tile {
    const double *from;
    int row;
    int row_count;
    int column;
    int column_count;
    int row_step;
    int column_step;
    bool diagonal; /* row == column, and only the numbers on the diagonal are there */
} tile;

typedef struct pattern {
    int body_count;
    int block_count;
    const int *bodies;                  /* ascending */
    int *blocks;                        /* ascending */
    int (*block_bodies)[SADDLE_BODIES]; /* per block: indices into bodies */
    int *body_at;                       /* first unknown of each body, in the order of elimination */
    int *tail;     /* how many of its last columns go before all rows and bodies (saddle.h: diagonals), */
    int *tail_at;  /* and the first unknown of them */
    int *block_at; /* first unknown of each block */
    int unknown_count;
    int tile_count;
    tile *tiles; /* sorted by column, then row */
} pattern;

/* Memory comes from the arena; bodies point into the graph. */
carom_status pattern_build(pattern *p, carom_arena *arena, const saddle_parts *parts, const saddle_graph *graph,
                           int component, cholmod_common *cm, carom_error *err);

#endif
