/* Saddle-point systems whose graph is a forest: block LDL^T, every child before its parent. */
#ifndef CAROM_LINALG_TREE_H
#define CAROM_LINALG_TREE_H

#include "linalg/parts.h"

/* One connected component: steps first .. end - 1. */
typedef struct tree_part {
    int component;
    int first;
    int end;
} tree_part;

typedef struct tree {
    int step_count;
    struct tree_step *steps; /* in the order of elimination, one component after the other */
    int part_count;
    tree_part *parts;
} tree;

/* Memory comes from the arena. */
carom_status tree_create(tree *t, carom_arena *arena, const saddle_parts *parts, const saddle_graph *graph,
                         const saddle_edge *edges, int edge_count, carom_error *err);

/* Why a factorisation stopped. */
typedef enum tree_outcome {
    TREE_DONE,
    TREE_BODY_FAILED, /* a block of A is not positive definite */
    TREE_ROWS_FAILED, /* rows of one block depend on each other, as far as the child body can tell */
} tree_outcome;

typedef struct tree_result {
    tree_outcome outcome;
    int body; /* where it stopped */
    int axis; /* 0..5 of that body, or row of its block */
} tree_result;

/* Every part is factored and solved on its own. */
tree_result tree_factor(tree *t, const tree_part *part);
void tree_solve(const tree *t, const tree_part *part, double *x, double *y);

#endif
