/* What the two solvers share: the layout, where each number is stored, and the graph of bodies, blocks and pairs. */
#ifndef CAROM_LINALG_PARTS_H
#define CAROM_LINALG_PARTS_H

#include <math.h>

#include "base/arena.h"
#include "linalg/saddle.h"

/* The numbers as the caller writes them, row-major. Pointers, because their order in memory is that of elimination. */
typedef struct saddle_parts {
    saddle_layout layout;           /* own copy of blocks and pairs */
    int *width;                     /* columns of each body */
    size_t *column;                 /* its first column in x */
    double **body;                  /* width x width per body */
    double **pair;                  /* width x width per pair */
    double *(*rows)[SADDLE_BODIES]; /* per block and slot: row_count x width */
} saddle_parts;

static inline double *saddle_parts_rows(const saddle_parts *p, int block, int slot)
{
    return p->rows[block][slot];
}

/* Who touches whom. Components are numbered by their lowest body. */
typedef struct saddle_graph {
    int *start; /* body_count + 1: items of body b are item[start[b]] .. item[start[b + 1] - 1] */
    int *item;  /* a block k as k, a pair p as ~p */
    int component_count;
    int *component;       /* of each body */
    int *component_start; /* component_count + 1 into component_body */
    int *component_body;  /* bodies sorted by component */
    bool *component_is_tree;
} saddle_graph;

/* Checks the layout and builds its graph. */
carom_status saddle_graph_build(saddle_graph *graph, carom_arena *arena, const saddle_layout *layout,
                                carom_error *err);

/* The bodies of the trees, every child before its parent, with the edge that leads to the parent. */
typedef struct saddle_edge {
    int body;
    int parent; /* body, or -1 for a root */
    int block;  /* between body and parent (or ground for a root), or -1 */
    int pair;   /* between body and parent, or -1 */
} saddle_edge;

carom_status saddle_graph_eliminate(const saddle_graph *graph, carom_arena *arena, const saddle_layout *layout,
                                    saddle_edge **edges, int *edge_count, carom_error *err);

static inline carom_status saddle_no_memory(const saddle_layout *layout, carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "no memory for a system of %d bodies and %d constraint rows",
                      layout->body_count, layout->row_count);
}

/* The caller of saddle_factor names the body by saddle_bad_body. */
static inline carom_status saddle_not_definite(const saddle_parts *parts, int body, int axis, carom_error *err)
{
    double entry = parts->body[body][(parts->width[body] + 1) * axis];
    return carom_fail(err, CAROM_NOT_CONVERGED,
                      "the matrix of a body is not positive definite (axis %d, diagonal entry %.3g); check its %s",
                      axis, entry, isfinite(entry) ? "mass and inertia" : "speed and the forces on it");
}

#endif
