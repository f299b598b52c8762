/* Order, elimination tree, supernodes, rows.
 *
 * Rows with the same neighbours (the freedoms of a node) are one vertex of a smaller graph, and that is put in order by CHOLMOD: minimum
 * degree, for large graphs also nested dissection by METIS, whichever fills less. Tree and column counts are CHOLMOD's too. A
 * supernode takes in the last of its children where that adds few zeros [Ashcraft1989]. */
#include "linalg/supernodes.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE_GRAPH = 2000 }; /* vertices: below, nested dissection gains nothing */

/* METIS draws from the random numbers of the C library, which it starts anew: orders are found one at a time, and the numbers of the
 * program around carom go on behind them as if nothing had been drawn. */
enum { RANDOM_ROOM = 128 }; /* bytes that the C library takes by itself, so that METIS finds the same orders */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

/* Places of entries: the neighbours of each vertex. */
typedef struct graph {
    int size;
    int *at; /* size + 1 */
    int *to;
} graph;

/* Room that is given back at the end. */
typedef struct finder {
    supernodes *out;
    carom_arena *arena;
    carom_arena room;
    const cholmod_sparse *A;
    cholmod_common cm;
    int *vertex_of; /* size: the vertex of a row */
    int vertex_count;
    int *parent, *count; /* size: elimination tree, entries of the columns of L, by position */
    int *node_of;        /* size: supernode of a position */
} finder;

#define ROOM(f, type, count) CAROM_ARENA_ARRAY(&(f)->room, type, (count) + 1)
#define KEEP(f, type, count) CAROM_ARENA_ARRAY((f)->arena, type, (count) + 1)

/* Counts become places: at[k] is where k begins. */
static void counts_to_places(int *at, int size)
{
    int sum = 0;
    for (int k = 0; k <= size; ++k) {
        int own = k < size ? at[k] : 0;
        at[k] = sum;
        sum += own;
    }
}

/* After places were used up in filling: at[k] is the end of k, and becomes its beginning again. */
static void places_back(int *at, int size)
{
    memmove(at + 1, at, (size_t)size * sizeof *at);
    at[0] = 0;
}

/* ---- graph ---- */

/* Both triangles without the diagonal. */
static bool make_graph(finder *f, graph *g)
{
    const int *begin = f->A->p;
    const int *row = f->A->i;
    g->size = (int)f->A->nrow;
    g->at = ROOM(f, int, g->size);
    g->to = ROOM(f, int, 2 * (size_t)begin[g->size]);
    if (!g->at || !g->to) {
        return false;
    }
    for (int c = 0; c < g->size; ++c) {
        for (int at = begin[c]; at < begin[c + 1]; ++at) {
            g->at[c] += row[at] != c;
            g->at[row[at]] += row[at] != c;
        }
    }
    counts_to_places(g->at, g->size);
    for (int c = 0; c < g->size; ++c) {
        for (int at = begin[c]; at < begin[c + 1]; ++at) {
            if (row[at] != c) {
                g->to[g->at[c]++] = row[at];
                g->to[g->at[row[at]]++] = c;
            }
        }
    }
    places_back(g->at, g->size);
    return true;
}

static uint64_t scramble(uint64_t z)
{
    z = (z + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    return z ^ (z >> 27);
}

/* Of a row and its neighbours, in any order. */
static uint64_t neighbourhood(const graph *g, int v)
{
    uint64_t sum = scramble((uint64_t)v);
    for (int at = g->at[v]; at < g->at[v + 1]; ++at) {
        sum += scramble((uint64_t)g->to[at]);
    }
    return sum;
}

/* Whether all of u's neighbourhood carries v's mark; both have as many neighbours. */
static bool is_alike(const graph *g, const int *mark, int v, int u)
{
    for (int at = g->at[u]; at < g->at[u + 1]; ++at) {
        if (mark[g->to[at]] != v) {
            return false;
        }
    }
    return true;
}

static void mark_neighbourhood(const graph *g, int *mark, int v)
{
    mark[v] = v;
    for (int at = g->at[v]; at < g->at[v + 1]; ++at) {
        mark[g->to[at]] = v;
    }
}

/* Rows that have the same neighbours, and each other, share a vertex; its first row stands for it. */
static bool find_vertices(finder *f, const graph *g, int *leader)
{
    uint64_t *sum = ROOM(f, uint64_t, g->size);
    int *mark = ROOM(f, int, g->size);
    if (!sum || !mark) {
        return false;
    }
    for (int v = 0; v < g->size; ++v) {
        sum[v] = neighbourhood(g, v);
        f->vertex_of[v] = -1;
        mark[v] = -1;
    }
    for (int v = 0; v < g->size; ++v) {
        if (f->vertex_of[v] >= 0) {
            continue;
        }
        f->vertex_of[v] = f->vertex_count;
        leader[f->vertex_count++] = v;
        mark_neighbourhood(g, mark, v);
        for (int at = g->at[v]; at < g->at[v + 1]; ++at) {
            int u = g->to[at];
            if (u > v && f->vertex_of[u] < 0 && sum[u] == sum[v] &&
                g->at[u + 1] - g->at[u] == g->at[v + 1] - g->at[v] && is_alike(g, mark, v, u)) {
                f->vertex_of[u] = f->vertex_of[v];
            }
        }
    }
    return true;
}

/* The smaller graph as the lower triangle of a matrix without values. */
static cholmod_sparse *small_pattern(finder *f, const graph *g, const int *leader)
{
    size_t n = (size_t)f->vertex_count;
    size_t entries = n;
    for (int k = 0; k < f->vertex_count; ++k) {
        entries += (size_t)(g->at[leader[k] + 1] - g->at[leader[k]]);
    }
    cholmod_sparse *S = cholmod_allocate_sparse(n, n, entries, 0, 1, -1, CHOLMOD_PATTERN, &f->cm);
    if (!S) {
        return NULL;
    }
    int *begin = S->p;
    int *row = S->i;
    int at = 0;
    for (int k = 0; k < f->vertex_count; ++k) {
        begin[k] = at;
        row[at++] = k;
        for (int e = g->at[leader[k]]; e < g->at[leader[k] + 1]; ++e) {
            int other = f->vertex_of[g->to[e]];
            if (other > k && leader[other] == g->to[e]) {
                row[at++] = other;
            }
        }
    }
    begin[f->vertex_count] = at;
    return S;
}

/* ---- order ---- */

/* The order of the vertices; NULL: memory runs out. */
static cholmod_factor *order_vertices(finder *f, cholmod_sparse *S)
{
    f->cm.nmethods = f->vertex_count >= LARGE_GRAPH ? 2 : 1;
    f->cm.method[0].ordering = CHOLMOD_AMD;
    f->cm.method[1].ordering = CHOLMOD_METIS;
    char own[RANDOM_ROOM];
    pthread_mutex_lock(&turn);
    char *others = initstate(1, own, sizeof own);
    cholmod_factor *found = cholmod_analyze(S, &f->cm);
    setstate(others);
    pthread_mutex_unlock(&turn);
    return found;
}

/* Rows in the order of their vertices. */
static bool order_rows(finder *f, const int *order_of_vertices, int *order)
{
    int *place = ROOM(f, int, f->vertex_count);
    int *at = ROOM(f, int, f->vertex_count);
    if (!place || !at) {
        return false;
    }
    for (int k = 0; k < f->vertex_count; ++k) {
        place[order_of_vertices[k]] = k;
    }
    for (int v = 0; v < f->out->size; ++v) {
        ++at[place[f->vertex_of[v]]];
    }
    counts_to_places(at, f->vertex_count);
    for (int v = 0; v < f->out->size; ++v) {
        order[at[place[f->vertex_of[v]]]++] = v;
    }
    return true;
}

static bool find_order(finder *f, int *order)
{
    graph g;
    int n = f->out->size;
    int *leader = ROOM(f, int, n);
    f->vertex_of = ROOM(f, int, n);
    if (!leader || !f->vertex_of || !make_graph(f, &g) || !find_vertices(f, &g, leader)) {
        return false;
    }
    cholmod_sparse *S = small_pattern(f, &g, leader);
    cholmod_factor *found = S ? order_vertices(f, S) : NULL;
    bool ok = found && order_rows(f, found->Perm, order);
    cholmod_free_factor(&found, &f->cm);
    cholmod_free_sparse(&S, &f->cm);
    return ok;
}

/* The elimination tree of the order, whose positions are then numbered so that children come right before their parents. */
static bool find_tree(finder *f, int *order)
{
    int n = f->out->size;
    int *parent = ROOM(f, int, n);
    int *post = ROOM(f, int, n);
    int *count = ROOM(f, int, n);
    int *room = ROOM(f, int, 2 * (size_t)n);
    int *place = ROOM(f, int, n);
    f->parent = ROOM(f, int, n);
    f->count = ROOM(f, int, n);
    f->out->order = KEEP(f, int, n);
    cholmod_sparse whole = *f->A;
    if (f->room.failed || f->arena->failed ||
        !cholmod_analyze_ordering(&whole, CHOLMOD_GIVEN, order, NULL, 0, parent, post, count, room, room + n,
                                  &f->cm)) {
        return false;
    }
    for (int k = 0; k < n; ++k) {
        place[post[k]] = k;
    }
    for (int k = 0; k < n; ++k) {
        f->out->order[k] = order[post[k]];
        f->count[k] = count[post[k]];
        f->parent[k] = parent[post[k]] >= 0 ? place[parent[post[k]]] : -1;
    }
    return true;
}

/* ---- supernodes ---- */

/* A run of columns while supernodes are put together; it ends where the next begins. */
typedef struct run {
    int first;
    int columns, rows;
    double zeros; /* entries of its trapezoid that L has not */
} run;

static double trapezoid(const run *r)
{
    return (double)r->columns * r->rows - 0.5 * (double)r->columns * (r->columns - 1);
}

static run together(const run *child, const run *parent)
{
    run both = { .first = child->first,
                 .columns = child->columns + parent->columns,
                 .rows = child->columns + parent->rows,
                 .zeros = child->zeros + parent->zeros };
    both.zeros += (double)child->columns * (both.rows - child->rows);
    return both;
}

/* Shares of zeros that are worth it: a few columns together are quicker than each for itself. */
static bool is_worth(const run *r)
{
    static const struct {
        int columns;
        double zeros;
    } most[] = { { 4, 1.0 }, { 16, 0.8 }, { 48, 0.1 } };
    for (size_t k = 0; k < sizeof most / sizeof *most; ++k) {
        if (r->columns <= most[k].columns) {
            return r->zeros <= most[k].zeros * trapezoid(r);
        }
    }
    return r->zeros <= 0.05 * trapezoid(r);
}

/* Whether column j goes on where j - 1 ends, with the same rows. */
static bool goes_on(const finder *f, int j)
{
    return f->parent[j - 1] == j && f->count[j - 1] == f->count[j] + 1;
}

static bool find_supernodes(finder *f)
{
    int n = f->out->size;
    int count = 0;
    run *runs = ROOM(f, run, n);
    f->node_of = ROOM(f, int, n);
    if (!runs || !f->node_of) {
        return false;
    }
    for (int j = 0, end; j < n; j = end) {
        for (end = j + 1; end < n && goes_on(f, end); ++end) {
        }
        run now = { .first = j, .columns = end - j, .rows = f->count[j] };
        while (count > 0 && f->parent[now.first - 1] >= now.first && f->parent[now.first - 1] < end) {
            run both = together(&runs[count - 1], &now);
            if (!is_worth(&both)) {
                break;
            }
            now = both;
            --count;
        }
        runs[count++] = now;
    }
    f->out->count = count;
    f->out->first = KEEP(f, int, count);
    f->out->parent = KEEP(f, int, count);
    if (f->arena->failed) {
        return false;
    }
    for (int s = 0; s < count; ++s) {
        f->out->first[s] = runs[s].first;
        for (int j = 0; j < runs[s].columns; ++j) {
            f->node_of[runs[s].first + j] = s;
        }
    }
    f->out->first[count] = n;
    for (int s = 0; s < count; ++s) {
        int above = f->parent[f->out->first[s + 1] - 1];
        f->out->parent[s] = above >= 0 ? f->node_of[above] : -1;
    }
    return true;
}

/* ---- the matrix in this order ---- */

static bool permute(finder *f)
{
    const int *begin = f->A->p;
    const int *row = f->A->i;
    int n = f->out->size;
    supernodes *s = f->out;
    int *place = ROOM(f, int, n);
    s->column_at = KEEP(f, int, n);
    s->row = KEEP(f, int, begin[n]);
    s->from = KEEP(f, int, begin[n]);
    if (!place || f->arena->failed) {
        return false;
    }
    for (int k = 0; k < n; ++k) {
        place[s->order[k]] = k;
    }
    for (int c = 0; c < n; ++c) {
        for (int at = begin[c]; at < begin[c + 1]; ++at) {
            ++s->column_at[place[c] < place[row[at]] ? place[c] : place[row[at]]];
        }
    }
    counts_to_places(s->column_at, n);
    for (int c = 0; c < n; ++c) {
        for (int at = begin[c]; at < begin[c + 1]; ++at) {
            int a = place[c];
            int b = place[row[at]];
            int to = s->column_at[a < b ? a : b]++;
            s->row[to] = a < b ? b : a;
            s->from[to] = at;
        }
    }
    places_back(s->column_at, n);
    return true;
}

/* The columns of each row, of the same triangle. */
static bool transpose(finder *f, graph *rows)
{
    const supernodes *s = f->out;
    rows->size = s->size;
    rows->at = ROOM(f, int, s->size);
    rows->to = ROOM(f, int, s->column_at[s->size]);
    if (!rows->at || !rows->to) {
        return false;
    }
    for (int k = 0; k < s->column_at[s->size]; ++k) {
        ++rows->at[s->row[k]];
    }
    counts_to_places(rows->at, s->size);
    for (int c = 0; c < s->size; ++c) {
        for (int k = s->column_at[c]; k < s->column_at[c + 1]; ++k) {
            rows->to[rows->at[s->row[k]]++] = c;
        }
    }
    places_back(rows->at, s->size);
    return true;
}

/* ---- rows ---- */

/* Row i has entries in the supernodes of its columns and on their ways up the tree, as far as its own: each is told once. With `rows` it
 * is written there, else counted. */
static void climb(const finder *f, const graph *by_row, int i, int *mark, size_t *at, int *rows)
{
    mark[f->node_of[i]] = i;
    for (int k = by_row->at[i]; k < by_row->at[i + 1]; ++k) {
        for (int s = f->node_of[by_row->to[k]]; mark[s] != i; s = f->out->parent[s]) {
            mark[s] = i;
            if (rows) {
                rows[at[s]] = i;
            }
            ++at[s];
        }
    }
}

static void climb_all(const finder *f, const graph *by_row, int *mark, size_t *at, int *rows)
{
    for (int s = 0; s < f->out->count; ++s) {
        mark[s] = -1;
    }
    for (int i = 0; i < f->out->size; ++i) {
        climb(f, by_row, i, mark, at, rows);
    }
}

static bool find_rows(finder *f)
{
    supernodes *s = f->out;
    graph by_row;
    int *mark = ROOM(f, int, s->count);
    size_t *at = ROOM(f, size_t, s->count);
    s->rows_at = KEEP(f, size_t, s->count);
    s->value_at = KEEP(f, size_t, s->count);
    if (!transpose(f, &by_row) || !mark || !at || f->arena->failed) {
        return false;
    }
    climb_all(f, &by_row, mark, at, NULL);
    for (int k = 0; k < s->count; ++k) {
        size_t columns = (size_t)supernode_columns(s, k);
        s->rows_at[k + 1] = s->rows_at[k] + columns + at[k];
        s->value_at[k + 1] = s->value_at[k] + columns * (columns + at[k]);
        at[k] = s->rows_at[k] + columns;
    }
    s->rows = KEEP(f, int, s->rows_at[s->count]);
    if (!s->rows) {
        return false;
    }
    for (int k = 0; k < s->count; ++k) {
        for (int j = 0; j < supernode_columns(s, k); ++j) {
            s->rows[s->rows_at[k] + (size_t)j] = s->first[k] + j;
        }
    }
    climb_all(f, &by_row, mark, at, s->rows);
    return true;
}

carom_status supernodes_find(supernodes *out, carom_arena *arena, const sparse_matrix *A, carom_error *err)
{
    *out = (supernodes){ .size = (int)A->lower->nrow };
    finder f = { .out = out, .arena = arena, .A = A->lower };
    sparse_start(&f.cm);
    int *order = ROOM(&f, int, out->size);
    bool ok = order && find_order(&f, order) && find_tree(&f, order) && find_supernodes(&f) && permute(&f) &&
              find_rows(&f);
    carom_status status = ok ? CAROM_OK : sparse_no_room(&f.cm, err);
    cholmod_finish(&f.cm);
    carom_arena_free(&f.room);
    return status;
}
