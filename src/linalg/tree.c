/* Block LDL^T of a forest in leaf-to-root order, linear in the number of bodies, without recursion.
 *
 * One step eliminates a child body (block A), then the rows that tie it to its parent, and updates the parent's P:
 *
 *     [ A   Gc^T  K  ]      A  = L D L^T,  W = Gc L^-T,  U = L^-1 K        S  = W D^-1 W^T = Ls Ds Ls^T
 *     [ Gc   0    Gp ]      Gp' = Gp - W D^-1 U                            Y  = Ls^-1 Gp'
 *     [ K^T  Gp^T P  ]      P  <- P - U^T D^-1 U + Y^T Ds^-1 Y
 *
 * S is positive definite when the rows of Gc are independent, and P only ever gains (the articulated inertia), so no
 * pivoting is needed. K is the stiffness coupling of a pair and mostly absent. A root against ground has no P. What
 * the caller wrote is only read: the sums are kept in the records, whose L starts as A and collects the updates.
 *
 * The steps of this file have six columns on both sides and are unrolled; those of wider bodies are in tree_wide.c. */
#include "linalg/tree_step.h"

#include "linalg/block.h"

#include <string.h>

/* The numbers of one eliminated body and its rows, side by side in memory. L must come first: parents collect there. */
typedef struct record {
    double *l;     /* 6x6 columns            */
    double *d_inv; /* 6                      */
    double *w;     /* rows x 6 in columns    */
    double *ls;    /* rows x rows columns    */
    double *s_inv; /* rows, padded           */
    double *y;     /* rows x 6 in rows       */
    double *u;     /* 6x6 in rows            */
} record;

BLOCK_INLINE record record_of(double *at, const int rows)
{
    const int stride = BLOCK_STRIDE(rows);
    record r;
    r.l = at;
    r.d_inv = r.l + 36;
    r.w = r.d_inv + 6;
    r.ls = r.w + 6 * stride;
    r.s_inv = r.ls + rows * stride;
    r.y = r.s_inv + stride;
    r.u = r.y + 6 * rows;
    return r;
}

static size_t record_size(const tree_step *s)
{
    if (s->is_wide) {
        return tree_wide_record_size(s);
    }
    int stride = BLOCK_STRIDE(s->rows);
    int size = 42 + (7 + s->rows) * stride + (s->parent >= 0 ? 6 * s->rows : 0);
    return (size_t)(s->coupling ? 42 + (7 + s->rows) * stride + 6 * s->rows + 36 : size);
}

static void describe_step(tree_step *s, const saddle_parts *parts, const saddle_edge *edge)
{
    s->body = edge->body;
    s->parent = edge->parent;
    s->a = parts->body[edge->body];
    s->at = parts->column[edge->body];
    s->width = parts->width[edge->body];
    s->diagonal = parts->layout.diagonals ? parts->layout.diagonals[edge->body] : 0;
    if (edge->parent >= 0) {
        s->parent_at = parts->column[edge->parent];
        s->parent_width = parts->width[edge->parent];
    }
    s->is_wide = s->width != BLOCK_WIDTH || (edge->parent >= 0 && s->parent_width != BLOCK_WIDTH);
    if (edge->block >= 0) {
        const saddle_block *k = &parts->layout.blocks[edge->block];
        int child_slot = k->bodies[0] == edge->body ? 0 : 1;
        s->first_row = k->first_row;
        s->rows = k->row_count;
        s->child_rows = saddle_parts_rows(parts, edge->block, child_slot);
        s->parent_rows = edge->parent >= 0 ? saddle_parts_rows(parts, edge->block, 1 - child_slot) : NULL;
    }
    if (edge->pair >= 0) {
        s->coupling = parts->pair[edge->pair];
        s->coupling_is_transposed = parts->layout.pairs[edge->pair][0] != edge->body;
    }
}

/* Ties every step to the record of its parent, which comes later in the order. */
static void link_parents(tree *t, double *records, int *step_of_body)
{
    for (int i = 0; i < t->step_count; ++i) {
        tree_step *s = &t->steps[i];
        s->record = records;
        s->is_leaf = true;
        records += record_size(s);
        step_of_body[s->body] = i;
    }
    for (int i = 0; i < t->step_count; ++i) {
        tree_step *s = &t->steps[i];
        if (s->parent < 0) {
            continue;
        }
        tree_step *parent = &t->steps[step_of_body[s->parent]];
        s->parent_record = parent->record;
        s->parent_base = parent->is_leaf ? parent->a : parent->record;
        parent->is_leaf = false;
    }
}

/* Neighbours in the order of elimination that belong to one component. */
static void divide(tree *t, const saddle_graph *graph)
{
    for (int i = 0; i < t->step_count; ++i) {
        int component = graph->component[t->steps[i].body];
        if (t->part_count == 0 || t->parts[t->part_count - 1].component != component) {
            t->parts[t->part_count++] = (tree_part){ .component = component, .first = i };
        }
        t->parts[t->part_count - 1].end = i + 1;
    }
}

carom_status tree_create(tree *t, carom_arena *arena, const saddle_parts *parts, const saddle_graph *graph,
                         const saddle_edge *edges, int edge_count, carom_error *err)
{
    *t = (tree){
        .step_count = edge_count,
        .steps = CAROM_ARENA_ARRAY(arena, tree_step, edge_count),
        .parts = CAROM_ARENA_ARRAY(arena, tree_part, graph->component_count),
    };
    if (!t->steps || !t->parts) {
        return saddle_no_memory(&parts->layout, err);
    }
    size_t size = 0;
    for (int i = 0; i < edge_count; ++i) {
        tree_step *s = &t->steps[i];
        describe_step(s, parts, &edges[i]);
        size += record_size(s);
    }
    double *records = CAROM_ARENA_ARRAY(arena, double, size);
    int *step_of_body = CAROM_ARENA_ARRAY(arena, int, parts->layout.body_count);
    if (!records || !step_of_body) {
        return saddle_no_memory(&parts->layout, err);
    }
    link_parents(t, records, step_of_body);
    divide(t, graph);
    return CAROM_OK;
}

/* ---- factor ---- */

static void load_coupling(double *u, const tree_step *s)
{
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) {
            u[6 * i + j] = s->coupling[s->coupling_is_transposed ? 6 * j + i : 6 * i + j];
        }
    }
}

/* U = L^-1 K; P loses U^T D^-1 U. Returns what the rows then add to. */
static const double *eliminate_coupling(const tree_step *s, record r)
{
    load_coupling(r.u, s);
    block_solve_left(r.u, r.l, 6);
    block_add_square_rows(s->parent_record, s->parent_base, r.u, r.d_inv, -1.0, 6);
    return s->parent_record;
}

/* Gp' = Gp - W D^-1 U, in place of Gp. */
static void couple_rows(record r, int rows)
{
    int stride = BLOCK_STRIDE(rows);
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < 6; ++j) {
            double scaled = r.w[stride * j + i] * r.d_inv[j];
            for (int k = 0; k < 6; ++k) {
                r.y[6 * i + k] -= scaled * r.u[6 * j + k];
            }
        }
    }
}

/* The first diagonal entry that is not positive, or 6: what hangs on a body could hide it from the pivots. */
BLOCK_INLINE int bad_diagonal(const double *a)
{
    int axis = 6;
    BLOCK_UNROLL for (int k = 5; k >= 0; --k)
    {
        axis = a[7 * k] > 0.0 ? axis : k;
    }
    return axis;
}

BLOCK_INLINE tree_result eliminate(const tree_step *s, const int rows)
{
    record r = record_of(s->record, rows);
    if (s->is_leaf) {
        memcpy(r.l, s->a, 36 * sizeof(double));
    }
    int axis = bad_diagonal(s->a);
    axis = axis < 6 ? axis : block_ldl(r.l, r.d_inv, 6, BLOCK_PIVOT_FLOOR);
    if (axis < 6) {
        return (tree_result){ TREE_BODY_FAILED, s->body, axis };
    }
    const double *base = s->coupling ? eliminate_coupling(s, r) : s->parent_base;
    if (rows == 0) {
        return (tree_result){ TREE_DONE, 0, 0 };
    }
    block_rows_to_columns(r.w, s->child_rows, rows);
    block_solve_right(r.w, r.l, rows);
    block_square_columns(r.ls, r.w, r.d_inv, rows);
    int row = block_ldl(r.ls, r.s_inv, rows, TREE_ROW_FLOOR);
    if (row < rows) {
        return (tree_result){ TREE_ROWS_FAILED, s->body, row };
    }
    if (s->parent_rows) {
        memcpy(r.y, s->parent_rows, (size_t)rows * 6 * sizeof(double));
        if (s->coupling) {
            couple_rows(r, rows);
        }
        block_solve_left(r.y, r.ls, rows);
        block_add_square_rows(s->parent_record, base, r.y, r.s_inv, 1.0, rows);
    }
    return (tree_result){ TREE_DONE, 0, 0 };
}

/* The number of rows becomes a constant, so that each case is unrolled. */
static tree_result eliminate_step(const tree_step *s)
{
    if (s->is_wide) {
        return tree_wide_eliminate(s);
    }
    switch (s->rows) {
    case 1:
        return eliminate(s, 1);
    case 2:
        return eliminate(s, 2);
    case 3:
        return eliminate(s, 3);
    case 4:
        return eliminate(s, 4);
    case 5:
        return eliminate(s, 5);
    case 6:
        return eliminate(s, 6);
    default:
        return eliminate(s, 0);
    }
}

tree_result tree_factor(tree *t, const tree_part *part)
{
    for (int i = part->first; i < part->end; ++i) {
        tree_result result = eliminate_step(&t->steps[i]);
        if (result.outcome != TREE_DONE) {
            return result;
        }
    }
    return (tree_result){ TREE_DONE, 0, 0 };
}

/* ---- solve ---- */

/* Leaf to root: x of the body becomes D^-1 L^-1 f, y becomes Ls^-1 (g - W D^-1 L^-1 f); the parent's f is updated. */
BLOCK_INLINE void descend(const tree_step *s, double *x, double *y, const int rows)
{
    const int stride = BLOCK_STRIDE(rows);
    record r = record_of(s->record, rows);
    double *f = x + s->at;
    double *f_parent = s->parent < 0 ? NULL : x + s->parent_at;
    double b[6];
    memcpy(b, f, sizeof b);
    block_forward(b, r.l, 6);
    BLOCK_UNROLL for (int k = 0; k < 6; ++k)
    {
        b[k] *= r.d_inv[k];
    }
    memcpy(f, b, sizeof b);
    if (s->coupling) {
        double minus_b[6];
        for (int k = 0; k < 6; ++k) {
            minus_b[k] = -b[k];
        }
        block_add_columns(f_parent, r.u, minus_b, 6, 6);
    }
    if (rows == 0) {
        return;
    }
    double h[6] = { 0.0 };
    double minus_g[6] = { 0.0 };
    memcpy(minus_g, y + s->first_row, (size_t)rows * sizeof(double));
    BLOCK_UNROLL for (int i = 0; i < stride; ++i)
    {
        h[i] = -minus_g[i];
    }
    block_add_columns(h, r.w, b, stride, 6); /* W D^-1 L^-1 f - g: the sign that makes y come out positive below */
    block_forward(h, r.ls, rows);
    memcpy(y + s->first_row, h, (size_t)rows * sizeof(double));
    if (s->parent_rows) {
        double t[6];
        BLOCK_UNROLL for (int i = 0; i < rows; ++i)
        {
            t[i] = -h[i] * r.s_inv[i];
        }
        block_add_columns(f_parent, r.y, t, 6, rows);
    }
}

/* Root to leaf: y = Ls^-T Ds^-1 (h + Y x_parent), x = L^-T (D^-1 L^-1 f - D^-1 (W^T y + U x_parent)). */
BLOCK_INLINE void ascend(const tree_step *s, double *x, double *y, const int rows)
{
    const int stride = BLOCK_STRIDE(rows);
    record r = record_of(s->record, rows);
    double *b = x + s->at;
    const double *x_parent = s->parent < 0 ? NULL : x + s->parent_at;
    double force[6] = { 0.0 };
    if (rows > 0) {
        double h[6] = { 0.0 };
        if (s->parent_rows) {
            block_dot_columns(h, r.y, x_parent, 6, rows);
        }
        BLOCK_UNROLL for (int i = 0; i < rows; ++i)
        {
            h[i] = (h[i] + y[s->first_row + i]) * r.s_inv[i];
        }
        block_backward(h, r.ls, rows);
        memcpy(y + s->first_row, h, (size_t)rows * sizeof(double));
        block_dot_columns(force, r.w, h, stride, 6);
    }
    if (s->coupling) {
        double coupled[6];
        block_dot_columns(coupled, r.u, x_parent, 6, 6);
        for (int k = 0; k < 6; ++k) {
            force[k] += coupled[k];
        }
    }
    BLOCK_UNROLL for (int k = 0; k < 6; ++k)
    {
        b[k] -= r.d_inv[k] * force[k];
    }
    block_backward(b, r.l, 6);
}

#define FOR_CONSTANT_ROWS(call, rows, ...) \
    switch (rows) {                        \
    case 1:                                \
        call(__VA_ARGS__, 1);              \
        break;                             \
    case 2:                                \
        call(__VA_ARGS__, 2);              \
        break;                             \
    case 3:                                \
        call(__VA_ARGS__, 3);              \
        break;                             \
    case 4:                                \
        call(__VA_ARGS__, 4);              \
        break;                             \
    case 5:                                \
        call(__VA_ARGS__, 5);              \
        break;                             \
    case 6:                                \
        call(__VA_ARGS__, 6);              \
        break;                             \
    default:                               \
        call(__VA_ARGS__, 0);              \
    }

void tree_solve(const tree *t, const tree_part *part, double *x, double *y)
{
    for (int i = part->first; i < part->end; ++i) {
        const tree_step *s = &t->steps[i];
        if (s->is_wide) {
            tree_wide_descend(s, x, y);
        } else {
            FOR_CONSTANT_ROWS(descend, s->rows, s, x, y)
        }
    }
    for (int i = part->end - 1; i >= part->first; --i) {
        const tree_step *s = &t->steps[i];
        if (s->is_wide) {
            tree_wide_ascend(s, x, y);
        } else {
            FOR_CONSTANT_ROWS(ascend, s->rows, s, x, y)
        }
    }
}
