/* Dense kernels of the multifrontal factorisation (sparse_factor.c): L D L' of a panel of columns, and the product that a panel takes off
 * what lies behind it. Matrices are stored by columns; only rows at and below the diagonal are touched.
 *
 * Every entry is a sum in one order, whatever the width of the processor's registers is and however many threads share the work: the
 * same bits everywhere. */
#ifndef CAROM_LINALG_FRONT_H
#define CAROM_LINALG_FRONT_H

#include <stdbool.h>
#include <stddef.h>

enum {
    FRONT_BASE = 8,    /* columns that are eliminated one by one */
    FRONT_DEPTH = 256, /* columns of a product that go together: two packed strips of them stay in the first cache */
};

/* target(i, j) -= sum over p of source(i, p) pivots[p] source(j, p), for i >= j, p ascending in runs of FRONT_DEPTH. */
typedef struct front_update {
    double *target;
    ptrdiff_t target_step; /* from column to column */
    int rows, columns;     /* of the target */
    const double *source;
    ptrdiff_t source_step;
    const double *pivots;
    int depth;    /* columns of the source */
    double *room; /* front_room(rows) */
} front_update;

/* Numbers that an update of so many rows needs as room. */
size_t front_room(int rows);

typedef struct front_kernels {
    /* Rows first..end of the target. source and target do not overlap. */
    void (*update)(const front_update *u);
} front_kernels;

extern const front_kernels front_kernels_portable, front_kernels_avx2;
bool front_has_avx2(void); /* in this build and on this processor */

/* The first columns of a matrix of `rows` rows are eliminated: unit lower triangle and what lies below it replace them, pivots go to
 * `pivots`. A pivot must be above its floor; without floors it must be a number and not zero. Returns the columns done: fewer than
 * `columns` if a pivot fails. */
typedef struct front_panel {
    double *values;
    ptrdiff_t step;
    int rows, columns;
    double *pivots;
    const double *floors; /* per column; NULL: none */
    double *room;         /* front_room(rows) */
} front_panel;

int front_eliminate(const front_kernels *kernels, const front_panel *panel);

#endif
