/* Order of elimination: bodies by approximate minimum degree [Amestoy1996] on the graph of bodies; the rows of a block
 * follow the first of its bodies that has room for them (a row per column), at the latest its last body. The pivot of
 * a row is then made of inertia rather than of the tiny regularisation alone, and few digits are lost. On a tree this
 * is the leaf-to-root order without fill. Columns of bodies that have a diagonal block go first of all: nothing
 * fills in between them, wherever the body stands. */
#include "linalg/pattern.h"

#include "base/assert.h"

#include <stdlib.h>

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a;
    int y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Index of a value that is known to be in an ascending list. */
static int index_of(const int *list, int count, int value)
{
    const int *found = bsearch(&value, list, (size_t)count, sizeof(int), compare_ints);
    CAROM_ASSERT(found);
    return (int)(found - list);
}

static int local_body(const pattern *p, int body)
{
    return index_of(p->bodies, p->body_count, body);
}

/* How many items (blocks and pairs, each once per body) the component has. */
static int count_items(const pattern *p, const saddle_graph *graph)
{
    int count = 0;
    for (int i = 0; i < p->body_count; ++i) {
        count += graph->start[p->bodies[i] + 1] - graph->start[p->bodies[i]];
    }
    return count;
}

/* A block belongs to the component of its first body. */
static bool collect(pattern *p, carom_arena *arena, const saddle_layout *layout, const saddle_graph *graph,
                    int component)
{
    p->bodies = graph->component_body + graph->component_start[component];
    p->body_count = graph->component_start[component + 1] - graph->component_start[component];
    p->blocks = CAROM_ARENA_ARRAY(arena, int, count_items(p, graph));
    if (!p->blocks) {
        return false;
    }
    for (int i = 0; i < p->body_count; ++i) {
        int b = p->bodies[i];
        for (int j = graph->start[b]; j < graph->start[b + 1]; ++j) {
            int item = graph->item[j];
            if (item >= 0 && layout->blocks[item].bodies[0] == b) {
                p->blocks[p->block_count++] = item;
            }
        }
    }
    qsort(p->blocks, (size_t)p->block_count, sizeof(int), compare_ints);
    p->block_bodies = carom_arena_array(arena, (size_t)p->block_count, sizeof(*p->block_bodies));
    for (int k = 0; p->block_bodies && k < p->block_count; ++k) {
        const saddle_block *block = &layout->blocks[p->blocks[k]];
        for (int slot = 0; slot < block->body_count; ++slot) {
            p->block_bodies[k][slot] = local_body(p, block->bodies[slot]);
        }
    }
    return p->block_bodies;
}

/* ---- order of elimination ---- */

static void put_edge(cholmod_triplet *t, int a, int b)
{
    int *row = t->i;
    int *column = t->j;
    row[t->nnz] = a < b ? a : b;
    column[t->nnz] = a < b ? b : a;
    ++t->nnz;
}

static void put_block_edges(cholmod_triplet *t, const int *bodies, int body_count)
{
    for (int i = 1; i < body_count; ++i) {
        for (int j = 0; j < i; ++j) {
            put_edge(t, bodies[i], bodies[j]);
        }
    }
}

/* Bodies are neighbours when they share a block or a pair. NULL when memory runs out. */
static cholmod_sparse *body_neighbours(const pattern *p, const saddle_layout *layout, const saddle_graph *graph,
                                       cholmod_common *cm)
{
    size_t n = (size_t)p->body_count;
    size_t most = n + 6 * (size_t)p->block_count + (size_t)count_items(p, graph);
    cholmod_triplet *t = cholmod_allocate_triplet(n, n, most, 1, CHOLMOD_PATTERN, cm);
    if (!t) {
        return NULL;
    }
    for (int k = 0; k < p->block_count; ++k) {
        put_block_edges(t, p->block_bodies[k], layout->blocks[p->blocks[k]].body_count);
    }
    for (int i = 0; i < p->body_count; ++i) {
        int b = p->bodies[i];
        put_edge(t, i, i);
        for (int j = graph->start[b]; j < graph->start[b + 1]; ++j) {
            int item = graph->item[j];
            if (item < 0 && layout->pairs[~item][0] == b) {
                put_edge(t, i, local_body(p, layout->pairs[~item][1]));
            }
        }
    }
    cholmod_sparse *neighbours = cholmod_triplet_to_sparse(t, 0, cm);
    cholmod_free_triplet(&t, cm);
    return neighbours;
}

static bool order_bodies(int *order, const pattern *p, const saddle_layout *layout, const saddle_graph *graph,
                         cholmod_common *cm)
{
    cholmod_sparse *neighbours = body_neighbours(p, layout, graph, cm);
    bool ok = neighbours && cholmod_amd(neighbours, NULL, 0, order, cm);
    cholmod_free_sparse(&neighbours, cm);
    return ok;
}

/* Columns with a diagonal block, but for the first column; none where stiffness couples the body to another one. */
static int tail_of(const saddle_parts *parts, const saddle_graph *graph, int body)
{
    const int *diagonals = parts->layout.diagonals;
    for (int j = graph->start[body]; j < graph->start[body + 1]; ++j) {
        if (graph->item[j] < 0) {
            return 0;
        }
    }
    return !diagonals ? 0 : diagonals[body] < parts->width[body] ? diagonals[body] : parts->width[body] - 1;
}

/* A body, then blocks that wait for it: as many rows as it has freedoms, and all whose last body it is. */
static void place_body(pattern *p, const saddle_parts *parts, const saddle_graph *graph, int local, int *waiting)
{
    const saddle_layout *layout = &parts->layout;
    int b = p->bodies[local];
    int room = parts->width[b];
    p->body_at[local] = p->unknown_count;
    p->unknown_count += room - p->tail[local];
    for (int j = graph->start[b]; j < graph->start[b + 1]; ++j) {
        if (graph->item[j] < 0) {
            continue;
        }
        int k = index_of(p->blocks, p->block_count, graph->item[j]);
        int rows = layout->blocks[graph->item[j]].row_count;
        waiting[k]--;
        if (p->block_at[k] < 0 && (rows <= room || waiting[k] == 0)) {
            p->block_at[k] = p->unknown_count;
            p->unknown_count += rows;
            room -= rows;
        }
    }
}

static void place_tails(pattern *p, const saddle_parts *parts, const saddle_graph *graph)
{
    for (int i = 0; i < p->body_count; ++i) {
        p->tail[i] = tail_of(parts, graph, p->bodies[i]);
        p->tail_at[i] = p->unknown_count;
        p->unknown_count += p->tail[i];
    }
}

static bool place_all(pattern *p, carom_arena *arena, const saddle_parts *parts, const saddle_graph *graph,
                      cholmod_common *cm)
{
    const saddle_layout *layout = &parts->layout;
    p->body_at = CAROM_ARENA_ARRAY(arena, int, p->body_count);
    p->tail = CAROM_ARENA_ARRAY(arena, int, p->body_count);
    p->tail_at = CAROM_ARENA_ARRAY(arena, int, p->body_count);
    p->block_at = CAROM_ARENA_ARRAY(arena, int, p->block_count);
    int *order = CAROM_ARENA_ARRAY(arena, int, p->body_count);
    int *waiting = CAROM_ARENA_ARRAY(arena, int, p->block_count);
    if (arena->failed || !order_bodies(order, p, layout, graph, cm)) {
        return false;
    }
    for (int k = 0; k < p->block_count; ++k) {
        p->block_at[k] = -1;
        waiting[k] = layout->blocks[p->blocks[k]].body_count;
    }
    place_tails(p, parts, graph);
    for (int i = 0; i < p->body_count; ++i) {
        place_body(p, parts, graph, order[i], waiting);
    }
    return true;
}

/* ---- tiles ---- */

/* Rows of `from`, `step` numbers each, belong to the unknowns at a, its columns to those at b. */
static void put_tile(pattern *p, const double *from, int step, int a, int a_count, int b, int b_count)
{
    bool upright = a <= b;
    p->tiles[p->tile_count++] = (tile){
        .from = from,
        .row = upright ? a : b,
        .row_count = upright ? a_count : b_count,
        .column = upright ? b : a,
        .column_count = upright ? b_count : a_count,
        .row_step = upright ? step : 1,
        .column_step = upright ? 1 : step,
    };
}

/* The columns of a body may be in two places. */
static void put_row_tiles(pattern *p, const double *from, int block, int rows, int body, int width)
{
    const int tail = p->tail[body];
    put_tile(p, from, width, p->block_at[block], rows, p->body_at[body], width - tail);
    if (tail > 0) {
        put_tile(p, from + width - tail, width, p->block_at[block], rows, p->tail_at[body], tail);
    }
}

static void put_block_tiles(pattern *p, const saddle_parts *parts, int k)
{
    const saddle_block *block = &parts->layout.blocks[p->blocks[k]];
    put_tile(p, NULL, block->row_count, p->block_at[k], block->row_count, p->block_at[k], block->row_count);
    for (int slot = 0; slot < block->body_count; ++slot) {
        put_row_tiles(p, saddle_parts_rows(parts, p->blocks[k], slot), k, block->row_count, p->block_bodies[k][slot],
                      parts->width[block->bodies[slot]]);
    }
}

static void put_body_tiles(pattern *p, const saddle_parts *parts, const saddle_graph *graph, int i)
{
    int b = p->bodies[i];
    int width = parts->width[b];
    int tail = p->tail[i];
    int head = width - tail;
    put_tile(p, parts->body[b], width, p->body_at[i], head, p->body_at[i], head);
    if (tail > 0) {
        put_tile(p, parts->body[b] + head, width, p->body_at[i], head, p->tail_at[i], tail);
        put_tile(p, parts->body[b] + (size_t)head * (size_t)(width + 1), width, p->tail_at[i], tail, p->tail_at[i],
                 tail);
        p->tiles[p->tile_count - 1].diagonal = true;
    }
    for (int j = graph->start[b]; j < graph->start[b + 1]; ++j) {
        int item = graph->item[j];
        if (item < 0 && parts->layout.pairs[~item][0] == b) {
            int other = parts->layout.pairs[~item][1];
            put_tile(p, parts->pair[~item], parts->width[other], p->body_at[i], width,
                     p->body_at[local_body(p, other)], parts->width[other]);
        }
    }
}

static int compare_tiles(const void *a, const void *b)
{
    const tile *s = a;
    const tile *t = b;
    int column = (s->column > t->column) - (s->column < t->column);
    return column ? column : (s->row > t->row) - (s->row < t->row);
}

static bool lay_tiles(pattern *p, carom_arena *arena, const saddle_parts *parts, const saddle_graph *graph)
{
    int most = 3 * p->body_count + p->block_count + 2 * count_items(p, graph);
    p->tiles = CAROM_ARENA_ARRAY(arena, tile, most);
    if (!p->tiles) {
        return false;
    }
    for (int k = 0; k < p->block_count; ++k) {
        put_block_tiles(p, parts, k);
    }
    for (int i = 0; i < p->body_count; ++i) {
        put_body_tiles(p, parts, graph, i);
    }
    qsort(p->tiles, (size_t)p->tile_count, sizeof(tile), compare_tiles);
    return true;
}

carom_status pattern_build(pattern *p, carom_arena *arena, const saddle_parts *parts, const saddle_graph *graph,
                           int component, cholmod_common *cm, carom_error *err)
{
    *p = (pattern){ 0 };
    bool ok = collect(p, arena, &parts->layout, graph, component) && place_all(p, arena, parts, graph, cm) &&
              lay_tiles(p, arena, parts, graph);
    return ok ? CAROM_OK : saddle_no_memory(&parts->layout, err);
}
