/* One step of the forest's elimination: a child body, and the rows that tie it to its parent. Shared by tree.c, whose steps
 * have six columns on both sides, and tree_wide.c, which takes any widths. */
#ifndef CAROM_LINALG_TREE_STEP_H
#define CAROM_LINALG_TREE_STEP_H

#include "linalg/tree.h"

/* Rows of a block count as dependent below this pivot: relative, and some digits above rounding. */
#define TREE_ROW_FLOOR 1e-12

typedef struct tree_step {
    const double *a;           /* width x width of the body                              */
    const double *child_rows;  /* Gc, rows x width                                       */
    const double *parent_rows; /* Gp, rows x width of the parent; NULL against ground    */
    const double *coupling;    /* K or its transpose; NULL when there is none            */
    const double *parent_base; /* what the update of P is added to: A of the parent for  */
    double *record;            /*   its first child, the sum so far for the others       */
    double *parent_record;     /* NULL for a root                                        */
    size_t at;                 /* first column of the body in x                          */
    size_t parent_at;          /* of the parent                                          */
    int body;
    int parent; /* -1: a root */
    int width;
    int parent_width; /* 0 for a root */
    int diagonal;     /* of the last columns of the body, whose block of A is diagonal */
    int first_row;
    int rows;
    bool is_leaf;
    bool is_wide; /* the body or its parent has more columns than block.h's kernels */
    bool coupling_is_transposed;
} tree_step;

size_t tree_wide_record_size(const tree_step *s);
tree_result tree_wide_eliminate(const tree_step *s);
void tree_wide_descend(const tree_step *s, double *x, double *y);
void tree_wide_ascend(const tree_step *s, double *x, double *y);

#endif
