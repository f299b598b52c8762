/* The graph of a saddle-point system: bodies are nodes; blocks and pairs are edges; the ground is one more node.
 *
 * A component is a tree when, with the ground as a node, it has no cycle: blocks touch at most two bodies, at most one
 * block leads to ground, nothing joins two bodies twice. A pair next to a block between the same two bodies is part of
 * that edge and closes no cycle: stiffness cannot make rows redundant. */
#include "linalg/parts.h"

#include "base/assert.h"
#include "base/union_find.h"

#include <string.h>

static carom_status check_block(const saddle_layout *layout, int k, carom_error *err)
{
    const saddle_block *b = &layout->blocks[k];
    if (b->row_count == 0 && b->body_count == 0) {
        return CAROM_OK; /* nobody's */
    }
    if (b->row_count < 1 || b->row_count > SADDLE_ROWS || b->body_count < 1 || b->body_count > SADDLE_BODIES) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "constraint block %d has %d rows on %d bodies; 1 to %d rows on 1 to %d bodies are possible",
                          k, b->row_count, b->body_count, SADDLE_ROWS, SADDLE_BODIES);
    }
    for (int i = 0; i < b->body_count; ++i) {
        if (b->bodies[i] < 0 || b->bodies[i] >= layout->body_count) {
            return carom_fail(err, CAROM_BAD_INPUT, "constraint block %d names body %d of %d", k, b->bodies[i],
                              layout->body_count);
        }
        for (int j = 0; j < i; ++j) {
            if (b->bodies[i] == b->bodies[j]) {
                return carom_fail(err, CAROM_BAD_INPUT, "constraint block %d names body %d twice", k, b->bodies[i]);
            }
        }
    }
    return CAROM_OK;
}

/* Every row belongs to exactly one block. */
static carom_status check_rows(carom_arena *arena, const saddle_layout *layout, carom_error *err)
{
    bool *taken = CAROM_ARENA_ARRAY(arena, bool, layout->row_count);
    if (!taken) {
        return saddle_no_memory(layout, err);
    }
    int sum = 0;
    for (int k = 0; k < layout->block_count; ++k) {
        const saddle_block *b = &layout->blocks[k];
        for (int i = 0; i < b->row_count; ++i) {
            int row = b->first_row + i;
            if (b->first_row < 0 || row >= layout->row_count || taken[row]) {
                return carom_fail(err, CAROM_BAD_INPUT, "row %d of constraint block %d is taken or beyond %d rows",
                                  row, k, layout->row_count);
            }
            taken[row] = true;
            ++sum;
        }
    }
    if (sum != layout->row_count) {
        return carom_fail(err, CAROM_BAD_INPUT, "the constraint blocks have %d rows, the system has %d", sum,
                          layout->row_count);
    }
    return CAROM_OK;
}

static carom_status check_layout(carom_arena *arena, const saddle_layout *layout, carom_error *err)
{
    for (int b = 0; layout->widths && b < layout->body_count; ++b) {
        if (layout->widths[b] < 1) {
            return carom_fail(err, CAROM_BAD_INPUT, "body %d has %d columns; at least one is needed", b,
                              layout->widths[b]);
        }
    }
    for (int k = 0; k < layout->block_count; ++k) {
        carom_status status = check_block(layout, k, err);
        if (status != CAROM_OK) {
            return status;
        }
    }
    for (int p = 0; p < layout->pair_count; ++p) {
        const int *pair = layout->pairs[p];
        if (pair[0] == pair[1] || pair[0] < 0 || pair[1] < 0 || pair[0] >= layout->body_count ||
            pair[1] >= layout->body_count) {
            return carom_fail(err, CAROM_BAD_INPUT, "pair %d joins bodies %d and %d of %d", p, pair[0], pair[1],
                              layout->body_count);
        }
    }
    return check_rows(arena, layout, err);
}

/* Lists the blocks, then the pairs, of each body by counting. */
static bool list_items(saddle_graph *graph, carom_arena *arena, const saddle_layout *layout)
{
    int bodies = layout->body_count;
    graph->start = CAROM_ARENA_ARRAY(arena, int, bodies + 2);
    if (!graph->start) {
        return false;
    }
    int *fill = graph->start + 1; /* counts, then running ends: shifted by one it becomes start */
    for (int k = 0; k < layout->block_count; ++k) {
        for (int i = 0; i < layout->blocks[k].body_count; ++i) {
            fill[layout->blocks[k].bodies[i] + 1]++;
        }
    }
    for (int p = 0; p < layout->pair_count; ++p) {
        fill[layout->pairs[p][0] + 1]++;
        fill[layout->pairs[p][1] + 1]++;
    }
    for (int b = 0; b < bodies; ++b) {
        fill[b + 1] += fill[b];
    }
    graph->item = CAROM_ARENA_ARRAY(arena, int, fill[bodies]);
    if (!graph->item) {
        return false;
    }
    for (int k = 0; k < layout->block_count; ++k) {
        for (int i = 0; i < layout->blocks[k].body_count; ++i) {
            graph->item[fill[layout->blocks[k].bodies[i]]++] = k;
        }
    }
    for (int p = 0; p < layout->pair_count; ++p) {
        graph->item[fill[layout->pairs[p][0]]++] = ~p;
        graph->item[fill[layout->pairs[p][1]]++] = ~p;
    }
    return true;
}

static bool block_joins(const saddle_block *k, int a, int b)
{
    return k->body_count == 2 &&
           ((k->bodies[0] == a && k->bodies[1] == b) || (k->bodies[0] == b && k->bodies[1] == a));
}

static bool pair_joins(const int *pair, int a, int b)
{
    return (pair[0] == a && pair[1] == b) || (pair[0] == b && pair[1] == a);
}

typedef struct parallel {
    bool block; /* a block of two bodies joins the same two bodies */
    bool pair;  /* another pair does                               */
} parallel;

static parallel find_parallel(const saddle_graph *graph, const saddle_layout *layout, int p)
{
    int a = layout->pairs[p][0];
    int b = layout->pairs[p][1];
    int degree_a = graph->start[a + 1] - graph->start[a];
    int degree_b = graph->start[b + 1] - graph->start[b];
    int lesser = degree_a <= degree_b ? a : b; /* a hub may have very many */
    parallel found = { false, false };
    for (int i = graph->start[lesser]; i < graph->start[lesser + 1]; ++i) {
        int item = graph->item[i];
        if (item >= 0) {
            found.block |= block_joins(&layout->blocks[item], a, b);
        } else if (~item != p) {
            found.pair |= pair_joins(layout->pairs[~item], a, b);
        }
    }
    return found;
}

typedef struct loop_search {
    int *root;     /* union-find forest over bodies           */
    bool *looped;  /* a cycle was met at this body            */
    int *grounded; /* blocks to ground of this body           */
} loop_search;

static void unite_block(loop_search *s, const saddle_block *k)
{
    int a = k->bodies[0];
    s->grounded[a] += k->body_count == 1;
    s->looped[a] |= k->body_count > 2;
    for (int i = 1; i < k->body_count; ++i) {
        if (!set_unite(s->root, a, k->bodies[i])) {
            s->looped[a] = true;
        }
    }
}

static carom_status unite_all(loop_search *s, const saddle_graph *graph, const saddle_layout *layout,
                              carom_error *err)
{
    for (int b = 0; b < layout->body_count; ++b) {
        s->root[b] = b;
    }
    for (int k = 0; k < layout->block_count; ++k) {
        unite_block(s, &layout->blocks[k]);
    }
    for (int p = 0; p < layout->pair_count; ++p) {
        parallel other = find_parallel(graph, layout, p);
        int a = layout->pairs[p][0];
        if (other.pair) {
            return carom_fail(err, CAROM_BAD_INPUT,
                              "pair %d joins bodies %d and %d, which another pair joins already", p, a,
                              layout->pairs[p][1]);
        }
        if (!set_unite(s->root, a, layout->pairs[p][1]) && !other.block) {
            s->looped[a] = true;
        }
    }
    return CAROM_OK;
}

/* Columns of a diagonal block that a tree fills in, but the general solver does not: from here on the latter is faster. */
enum { FILLED_MOST = 64 };

/* A body that others are eliminated into: where it hangs between two, and where nothing holds the component and it may be the root. */
static bool fills_in(const saddle_graph *graph, const saddle_layout *layout, int body, bool is_held)
{
    const int items = graph->start[body + 1] - graph->start[body];
    return layout->diagonals && layout->diagonals[body] > FILLED_MOST && items > (is_held ? 1 : 0);
}

/* Numbers the components, sorts the bodies by them and decides which are trees. */
static bool name_components(saddle_graph *graph, carom_arena *arena, const saddle_layout *layout, loop_search *s)
{
    int bodies = layout->body_count;
    graph->component = CAROM_ARENA_ARRAY(arena, int, bodies);
    graph->component_body = CAROM_ARENA_ARRAY(arena, int, bodies);
    graph->component_start = CAROM_ARENA_ARRAY(arena, int, bodies + 2);
    graph->component_is_tree = CAROM_ARENA_ARRAY(arena, bool, bodies);
    int *ground = CAROM_ARENA_ARRAY(arena, int, bodies);
    if (arena->failed) {
        return false;
    }
    for (int b = 0; b < bodies; ++b) {
        int root = set_root(s->root, b); /* <= b, so its number is known */
        int c = root == b ? graph->component_count++ : graph->component[root];
        if (root == b) {
            graph->component_is_tree[c] = !layout->general;
        }
        graph->component[b] = c;
        ground[c] += s->grounded[b];
        graph->component_is_tree[c] &= !s->looped[b] && ground[c] <= 1;
    }
    for (int b = 0; b < bodies; ++b) {
        int c = graph->component[b];
        graph->component_is_tree[c] &= !fills_in(graph, layout, b, ground[c] > 0);
    }
    int *fill = graph->component_start + 1;
    for (int b = 0; b < bodies; ++b) {
        fill[graph->component[b] + 1]++;
    }
    for (int c = 0; c < graph->component_count; ++c) {
        fill[c + 1] += fill[c];
    }
    for (int b = 0; b < bodies; ++b) {
        graph->component_body[fill[graph->component[b]]++] = b;
    }
    return true;
}

carom_status saddle_graph_build(saddle_graph *graph, carom_arena *arena, const saddle_layout *layout,
                                carom_error *err)
{
    carom_status status = check_layout(arena, layout, err);
    if (status != CAROM_OK) {
        return status;
    }
    loop_search s = {
        .root = CAROM_ARENA_ARRAY(arena, int, layout->body_count),
        .looped = CAROM_ARENA_ARRAY(arena, bool, layout->body_count),
        .grounded = CAROM_ARENA_ARRAY(arena, int, layout->body_count),
    };
    if (arena->failed || !list_items(graph, arena, layout)) {
        return saddle_no_memory(layout, err);
    }
    status = unite_all(&s, graph, layout, err);
    if (status == CAROM_OK && !name_components(graph, arena, layout, &s)) {
        status = saddle_no_memory(layout, err);
    }
    return status;
}

/* The body with the block to ground, so that its rows are eliminated last; else the first body. */
static int root_of(const saddle_graph *graph, const saddle_layout *layout, int component)
{
    for (int i = graph->component_start[component]; i < graph->component_start[component + 1]; ++i) {
        int b = graph->component_body[i];
        for (int j = graph->start[b]; j < graph->start[b + 1]; ++j) {
            if (graph->item[j] >= 0 && layout->blocks[graph->item[j]].body_count == 1) {
                return b;
            }
        }
    }
    return graph->component_body[graph->component_start[component]];
}

/* The body at the other end of an item, or -1 for ground. */
static int other_end(const saddle_layout *layout, int item, int body)
{
    if (item < 0) {
        const int *pair = layout->pairs[~item];
        return pair[0] == body ? pair[1] : pair[0];
    }
    const saddle_block *k = &layout->blocks[item];
    if (k->body_count == 1) {
        return -1;
    }
    return k->bodies[0] == body ? k->bodies[1] : k->bodies[0];
}

typedef struct walk {
    const saddle_graph *graph;
    const saddle_layout *layout;
    saddle_edge *edge; /* of each body; body = -1 until it was met */
    int *stack;
    int stack_count;
} walk;

static void meet_neighbours(walk *w, int body)
{
    for (int i = w->graph->start[body]; i < w->graph->start[body + 1]; ++i) {
        int item = w->graph->item[i];
        int other = other_end(w->layout, item, body);
        if (other >= 0 && other == w->edge[body].parent) {
            continue;
        }
        saddle_edge *edge = &w->edge[other < 0 ? body : other];
        if (edge->body < 0) {
            *edge = (saddle_edge){ .body = other, .parent = body, .block = -1, .pair = -1 };
            w->stack[w->stack_count++] = other;
        }
        *(item >= 0 ? &edge->block : &edge->pair) = item >= 0 ? item : ~item;
    }
}

/* Depth first from each root with an own stack (chains of a million bodies), written from the back. */
carom_status saddle_graph_eliminate(const saddle_graph *graph, carom_arena *arena, const saddle_layout *layout,
                                    saddle_edge **edges, int *edge_count, carom_error *err)
{
    int bodies = layout->body_count;
    saddle_edge *order = CAROM_ARENA_ARRAY(arena, saddle_edge, bodies);
    walk w = {
        .graph = graph,
        .layout = layout,
        .edge = CAROM_ARENA_ARRAY(arena, saddle_edge, bodies),
        .stack = CAROM_ARENA_ARRAY(arena, int, bodies),
    };
    if (arena->failed) {
        return saddle_no_memory(layout, err);
    }
    for (int b = 0; b < bodies; ++b) {
        w.edge[b].body = -1;
    }
    int first = bodies;
    for (int c = 0; c < graph->component_count; ++c) {
        if (!graph->component_is_tree[c]) {
            continue;
        }
        int root = root_of(graph, layout, c);
        w.edge[root] = (saddle_edge){ .body = root, .parent = -1, .block = -1, .pair = -1 };
        w.stack[w.stack_count++] = root;
        while (w.stack_count > 0) {
            int b = w.stack[--w.stack_count];
            meet_neighbours(&w, b);
            order[--first] = w.edge[b];
        }
    }
    *edges = order + first;
    *edge_count = bodies - first;
    return CAROM_OK;
}
