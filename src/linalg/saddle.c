/* A saddle-point system: stores the numbers, and hands every component of its graph to the solver that suits it. */
#include "linalg/saddle.h"

#include "base/assert.h"
#include "linalg/block.h"
#include "linalg/general.h"
#include "linalg/tree.h"
#include "math/vec3.h"

#include <stdlib.h>

struct saddle {
    carom_arena arena;
    saddle_parts parts;
    saddle_graph graph;
    tree tree;          /* all components that are trees                                */
    int *part;          /* per component: of the tree; -1: it has loops                 */
    general **generals; /* per component; made on first need                            */
    bool *by_general;   /* per component: who solves it in the present factorisation    */
    bool is_tree;       /* the layout                                                   */
    int bad_body;       /* of the last factorisation                                    */
    double residual;    /* largest |J x - g| of the last solve                          */
};

/* ---- create ---- */

static bool copy_layout(saddle *s, const saddle_layout *layout)
{
    s->parts.layout = *layout;
    s->parts.layout.blocks = carom_arena_copy(&s->arena, layout->blocks,
                                              (size_t)layout->block_count * sizeof(saddle_block));
    s->parts.layout.pairs = carom_arena_copy(&s->arena, layout->pairs,
                                             (size_t)layout->pair_count * sizeof(*layout->pairs));
    s->parts.layout.diagonals = layout->diagonals ? carom_arena_copy(&s->arena, layout->diagonals,
                                                                     (size_t)layout->body_count * sizeof(int))
                                                  : NULL;
    s->parts.layout.widths = layout->widths ? carom_arena_copy(&s->arena, layout->widths,
                                                               (size_t)layout->body_count * sizeof(int))
                                            : NULL;
    return !s->arena.failed;
}

/* Widths and columns of the bodies; a layout without widths has those of rigid bodies. */
static bool lay_columns(saddle *s)
{
    saddle_parts *p = &s->parts;
    p->width = CAROM_ARENA_ARRAY(&s->arena, int, p->layout.body_count);
    p->column = CAROM_ARENA_ARRAY(&s->arena, size_t, p->layout.body_count);
    if (s->arena.failed) {
        return false;
    }
    size_t column = 0;
    for (int b = 0; b < p->layout.body_count; ++b) {
        p->width[b] = p->layout.widths ? p->layout.widths[b] : BLOCK_WIDTH;
        p->column[b] = column;
        column += (size_t)p->width[b];
    }
    return true;
}

static size_t body_size(const saddle_parts *p, int body)
{
    return (size_t)p->width[body] * (size_t)p->width[body];
}

static size_t pair_size(const saddle_parts *p, int pair)
{
    const int *bodies = p->layout.pairs[pair];
    return (size_t)p->width[bodies[0]] * (size_t)p->width[bodies[1]];
}

static size_t slot_size(const saddle_parts *p, const saddle_block *block, int slot)
{
    return (size_t)block->row_count * (size_t)p->width[block->bodies[slot]];
}

/* Gives the next `size` numbers to a place that has none yet. */
static void lay(double **place, double **next, size_t size)
{
    if (!*place) {
        *place = *next;
        *next += size;
    }
}

static void lay_block(saddle_parts *p, int k, double **next)
{
    const saddle_block *block = &p->layout.blocks[k];
    for (int slot = 0; slot < block->body_count; ++slot) {
        lay(&p->rows[k][slot], next, slot_size(p, block, slot));
    }
}

static size_t count_numbers(const saddle_parts *p)
{
    size_t size = 0;
    for (int b = 0; b < p->layout.body_count; ++b) {
        size += body_size(p, b);
    }
    for (int i = 0; i < p->layout.pair_count; ++i) {
        size += pair_size(p, i);
    }
    for (int k = 0; k < p->layout.block_count; ++k) {
        for (int slot = 0; slot < p->layout.blocks[k].body_count; ++slot) {
            size += slot_size(p, &p->layout.blocks[k], slot);
        }
    }
    return size;
}

/* Lays out the numbers in the order in which the tree solver will want them; what has loops comes after. */
static bool lay_numbers(saddle *s, const saddle_edge *edges, int edge_count)
{
    saddle_parts *p = &s->parts;
    const saddle_layout *layout = &p->layout;
    double *next = CAROM_ARENA_ARRAY(&s->arena, double, count_numbers(p));
    p->body = CAROM_ARENA_ARRAY(&s->arena, double *, layout->body_count);
    p->pair = CAROM_ARENA_ARRAY(&s->arena, double *, layout->pair_count);
    p->rows = carom_arena_array(&s->arena, (size_t)layout->block_count, sizeof(*p->rows));
    if (s->arena.failed) {
        return false;
    }
    for (int i = 0; i < edge_count; ++i) {
        lay(&p->body[edges[i].body], &next, body_size(p, edges[i].body));
        if (edges[i].block >= 0) {
            lay_block(p, edges[i].block, &next);
        }
        if (edges[i].pair >= 0) {
            lay(&p->pair[edges[i].pair], &next, pair_size(p, edges[i].pair));
        }
    }
    for (int b = 0; b < layout->body_count; ++b) {
        lay(&p->body[b], &next, body_size(p, b));
    }
    for (int k = 0; k < layout->block_count; ++k) {
        lay_block(p, k, &next);
    }
    for (int i = 0; i < layout->pair_count; ++i) {
        lay(&p->pair[i], &next, pair_size(p, i));
    }
    return true;
}

/* Analysed once: the pattern is that of the layout, so it does not matter when. */
static carom_status need_general(saddle *s, int component, carom_error *err)
{
    general **g = &s->generals[component];
    return *g ? CAROM_OK : general_create(g, &s->parts, &s->graph, component, err);
}

static carom_status create_solvers(saddle *s, carom_error *err)
{
    saddle_edge *edges;
    int edge_count;
    carom_status status = saddle_graph_eliminate(&s->graph, &s->arena, &s->parts.layout, &edges, &edge_count, err);
    if (status != CAROM_OK) {
        return status;
    }
    s->part = CAROM_ARENA_ARRAY(&s->arena, int, s->graph.component_count);
    s->generals = CAROM_ARENA_ARRAY(&s->arena, general *, s->graph.component_count);
    s->by_general = CAROM_ARENA_ARRAY(&s->arena, bool, s->graph.component_count);
    if (s->arena.failed || !lay_columns(s) || !lay_numbers(s, edges, edge_count)) {
        return saddle_no_memory(&s->parts.layout, err);
    }
    status = tree_create(&s->tree, &s->arena, &s->parts, &s->graph, edges, edge_count, err);
    s->is_tree = true;
    for (int c = 0; c < s->graph.component_count; ++c) {
        s->part[c] = -1;
    }
    for (int i = 0; status == CAROM_OK && i < s->tree.part_count; ++i) {
        s->part[s->tree.parts[i].component] = i;
    }
    for (int c = 0; status == CAROM_OK && c < s->graph.component_count; ++c) {
        if (!s->graph.component_is_tree[c]) {
            s->is_tree = false;
            s->by_general[c] = true;
            status = need_general(s, c, err);
        }
    }
    return status;
}

carom_status saddle_create(saddle **out, const saddle_layout *layout, carom_error *err)
{
    *out = NULL;
    saddle *s = calloc(1, sizeof *s);
    if (!s || !copy_layout(s, layout)) {
        saddle_destroy(s);
        return saddle_no_memory(layout, err);
    }
    s->bad_body = -1;
    carom_status status = saddle_graph_build(&s->graph, &s->arena, &s->parts.layout, err);
    if (status == CAROM_OK) {
        status = create_solvers(s, err);
    }
    if (status != CAROM_OK) {
        saddle_destroy(s);
        return status;
    }
    *out = s;
    return CAROM_OK;
}

void saddle_destroy(saddle *s)
{
    if (!s) {
        return;
    }
    for (int c = 0; s->generals && c < s->graph.component_count; ++c) {
        general_destroy(s->generals[c]);
    }
    carom_arena_free(&s->arena);
    free(s);
}

/* ---- use ---- */

bool saddle_is_tree(const saddle *s)
{
    return s->is_tree;
}

double *saddle_body(saddle *s, int body)
{
    CAROM_ASSERT(body >= 0 && body < s->parts.layout.body_count);
    return s->parts.body[body];
}

double *saddle_pair(saddle *s, int pair)
{
    CAROM_ASSERT(pair >= 0 && pair < s->parts.layout.pair_count);
    return s->parts.pair[pair];
}

double *saddle_rows(saddle *s, int block, int slot)
{
    CAROM_ASSERT(block >= 0 && block < s->parts.layout.block_count);
    CAROM_ASSERT(slot >= 0 && slot < s->parts.layout.blocks[block].body_count);
    return saddle_parts_rows(&s->parts, block, slot);
}

/* Rows that depend on each other make a tree unsolvable without regularisation: this time the general solver has it.
 * Decided anew by every factorisation, lest its result tell what was factored before. */
static carom_status factor_trees(saddle *s, carom_error *err)
{
    for (int i = 0; i < s->tree.part_count; ++i) {
        const tree_part *part = &s->tree.parts[i];
        tree_result result = tree_factor(&s->tree, part);
        if (result.outcome == TREE_BODY_FAILED) {
            s->bad_body = result.body;
            return saddle_not_definite(&s->parts, result.body, result.axis, err);
        }
        s->by_general[part->component] = result.outcome == TREE_ROWS_FAILED;
    }
    return CAROM_OK;
}

static carom_status factor_general(saddle *s, int component, carom_error *err)
{
    carom_status status = need_general(s, component, err);
    return status == CAROM_OK ? general_factor(s->generals[component], &s->bad_body, err) : status;
}

carom_status saddle_factor(saddle *s, carom_error *err)
{
    s->bad_body = -1;
    carom_status status = factor_trees(s, err);
    for (int c = 0; status == CAROM_OK && c < s->graph.component_count; ++c) {
        if (s->by_general[c]) {
            status = factor_general(s, c, err);
        }
    }
    return status;
}

int saddle_bad_body(const saddle *s)
{
    return s->bad_body;
}

int saddle_component_count(const saddle *s)
{
    return s->graph.component_count;
}

int saddle_component(const saddle *s, int body)
{
    CAROM_ASSERT(body >= 0 && body < s->parts.layout.body_count);
    return s->graph.component[body];
}

void saddle_solve_component(saddle *s, int component, double *x, double *y)
{
    if (s->by_general[component]) {
        s->residual = max_or_nan(s->residual, general_solve(s->generals[component], x, y));
    } else {
        tree_solve(&s->tree, &s->tree.parts[s->part[component]], x, y);
    }
}

void saddle_solve(saddle *s, double *x, double *y)
{
    s->residual = 0.0;
    for (int c = 0; c < s->graph.component_count; ++c) {
        saddle_solve_component(s, c, x, y);
    }
}

void saddle_least_norm_component(saddle *s, int component, double *y)
{
    if (s->by_general[component]) {
        general_least_norm(s->generals[component], y);
    }
}

void saddle_least_norm(saddle *s, double *y)
{
    for (int c = 0; c < s->graph.component_count; ++c) {
        saddle_least_norm_component(s, c, y);
    }
}

double saddle_residual(const saddle *s)
{
    return s->residual;
}
