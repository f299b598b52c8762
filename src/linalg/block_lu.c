#include "linalg/block_lu.h"

#include <camd.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "linalg/block.h"

enum { N = BLOCK_LU_WIDTH, NN = BLOCK_LU_SIZE };

typedef int edge_ends[2];

struct block_lu {
    carom_arena arena;
    int node_count, edge_count;
    int (*edges)[2]; /* as given */
    int *place;      /* node -> place in the order of elimination */
    int *order;      /* place -> node */
    int *first;      /* place -> first entry of its column below the diagonal; node_count + 1 */
    int *rows;       /* entries: places of their rows, ascending within a column */
    int *entry_of;   /* edge -> entry */
    double *D;       /* node_count blocks: of the diagonal, then their inverses */
    double *L;       /* entries: block (row, column), then that of L */
    double *U;       /* entries: block (column, row) */
    double *y;       /* right-hand side in the order of elimination */
    long analyses;
};

block_lu *block_lu_create(void)
{
    return calloc(1, sizeof(block_lu));
}

void block_lu_destroy(block_lu *s)
{
    if (s) {
        carom_arena_free(&s->arena);
        free(s->rows);
        free(s);
    }
}

/* ---- analysis ---------------------------------------------------------------------------------------------------------- */

static int compare_pairs(const void *x, const void *y)
{
    const int *a = x;
    const int *b = y;
    int first = (a[0] > b[0]) - (a[0] < b[0]);
    return first != 0 ? first : (a[1] > b[1]) - (a[1] < b[1]);
}

static int compare_ints(const void *x, const void *y)
{
    int a = *(const int *)x;
    int b = *(const int *)y;
    return (a > b) - (a < b);
}

/* Both directions of all edges, ascending, each once. Returns how many. */
static int list_links(const block_lu *s, int (*links)[2])
{
    int count = 0;
    int kept = 0;
    for (int e = 0; e < s->edge_count; ++e) {
        for (int side = 0; side < 2; ++side, ++count) {
            links[count][0] = s->edges[e][side];
            links[count][1] = s->edges[e][1 - side];
        }
    }
    qsort(links, (size_t)count, sizeof *links, compare_pairs);
    for (int k = 0; k < count; ++k) {
        if (kept == 0 || compare_pairs(links[kept - 1], links[k]) != 0) {
            memmove(links[kept++], links[k], sizeof *links);
        }
    }
    return kept;
}

/* start: node_count + 1; neighbours: one per link. */
static void links_to_lists(int (*links)[2], int count, int node_count, int *start, int *neighbours)
{
    int k = 0;
    for (int i = 0; i < node_count; ++i) {
        start[i] = k;
        for (; k < count && links[k][0] == i; ++k) {
            neighbours[k] = links[k][1];
        }
    }
    start[node_count] = count;
}

static bool find_order(block_lu *s, const int *start, const int *neighbours)
{
    int n = s->node_count;
    if (n > 0 && camd_order(n, start, neighbours, s->order, NULL, NULL, NULL) < CAMD_OK) {
        return false;
    }
    for (int k = 0; k < n; ++k) {
        s->place[s->order[k]] = k;
    }
    return true;
}

/* Appends the places behind `column` that its own links and its children in the elimination tree bring; returns how many. */
static int fill_column(const block_lu *s, int column, const int *start, const int *neighbours, const int *child,
                       const int *sibling, int *mark, int *out)
{
    int count = 0;
    int node = s->order[column];
    mark[column] = column;
    for (int k = start[node]; k < start[node + 1]; ++k) {
        int row = s->place[neighbours[k]];
        if (row > column && mark[row] != column) {
            mark[row] = column;
            out[count++] = row;
        }
    }
    for (int c = child[column]; c >= 0; c = sibling[c]) {
        for (int k = s->first[c]; k < s->first[c + 1]; ++k) {
            int row = s->rows[k];
            if (row > column && mark[row] != column) {
                mark[row] = column;
                out[count++] = row;
            }
        }
    }
    qsort(out, (size_t)count, sizeof *out, compare_ints);
    return count;
}

/* The pattern of L, column by column. False when memory runs out. */
static bool find_fill(block_lu *s, carom_arena *scratch, const int *start, const int *neighbours)
{
    int n = s->node_count;
    int *child = CAROM_ARENA_ARRAY(scratch, int, n + 1);
    int *sibling = CAROM_ARENA_ARRAY(scratch, int, n + 1);
    int *mark = CAROM_ARENA_ARRAY(scratch, int, n + 1);
    int *column = CAROM_ARENA_ARRAY(scratch, int, n + 1);
    int capacity = 4 * start[n] + n + 16;
    s->rows = malloc((size_t)capacity * sizeof *s->rows);
    bool ok = !scratch->failed && s->rows;
    for (int i = 0; ok && i < n; ++i) {
        child[i] = sibling[i] = mark[i] = -1;
    }
    s->first[0] = 0;
    for (int j = 0; ok && j < n; ++j) {
        int count = fill_column(s, j, start, neighbours, child, sibling, mark, column);
        if (s->first[j] + count > capacity) {
            capacity = 2 * capacity + count;
            int *more = realloc(s->rows, (size_t)capacity * sizeof *s->rows);
            ok = more != NULL;
            s->rows = more ? more : s->rows;
        }
        if (ok && count > 0) {
            memcpy(s->rows + s->first[j], column, (size_t)count * sizeof *column);
            sibling[j] = child[column[0]];
            child[column[0]] = j;
        }
        s->first[j + 1] = s->first[j] + count;
    }
    return ok;
}

static int find_entry(const block_lu *s, int column, int row)
{
    int low = s->first[column];
    int high = s->first[column + 1];
    while (high - low > 1) {
        int middle = (low + high) / 2;
        *(s->rows[middle] <= row ? &low : &high) = middle;
    }
    return low;
}

static void forget(block_lu *s)
{
    carom_arena_free(&s->arena);
    free(s->rows);
    *s = (block_lu){ .analyses = s->analyses };
}

static bool take_pattern(block_lu *s, int node_count, int edge_count, const int (*edges)[2])
{
    s->node_count = node_count;
    s->edge_count = edge_count;
    s->edges = CAROM_ARENA_ARRAY(&s->arena, edge_ends, edge_count + 1);
    s->place = CAROM_ARENA_ARRAY(&s->arena, int, node_count + 1);
    s->order = CAROM_ARENA_ARRAY(&s->arena, int, node_count + 1);
    s->first = CAROM_ARENA_ARRAY(&s->arena, int, node_count + 2);
    s->entry_of = CAROM_ARENA_ARRAY(&s->arena, int, edge_count + 1);
    if (!s->arena.failed && edge_count > 0) {
        memcpy(s->edges, edges, (size_t)edge_count * sizeof *edges);
    }
    return !s->arena.failed;
}

static bool analyse(block_lu *s)
{
    carom_arena scratch = { 0 };
    int(*links)[2] = CAROM_ARENA_ARRAY(&scratch, edge_ends, 2 * s->edge_count + 1);
    int *start = CAROM_ARENA_ARRAY(&scratch, int, s->node_count + 1);
    int *neighbours = CAROM_ARENA_ARRAY(&scratch, int, 2 * s->edge_count + 1);
    bool ok = !scratch.failed;
    if (ok) {
        links_to_lists(links, list_links(s, links), s->node_count, start, neighbours);
        ok = find_order(s, start, neighbours) && find_fill(s, &scratch, start, neighbours);
    }
    carom_arena_free(&scratch);
    for (int e = 0; ok && e < s->edge_count; ++e) {
        int a = s->place[s->edges[e][0]];
        int b = s->place[s->edges[e][1]];
        s->entry_of[e] = a < b ? find_entry(s, a, b) : find_entry(s, b, a);
    }
    size_t entries = ok ? (size_t)s->first[s->node_count] : 0;
    s->D = CAROM_ARENA_ARRAY(&s->arena, double, NN *(size_t)s->node_count + 2);
    s->L = CAROM_ARENA_ARRAY(&s->arena, double, NN *entries + 2);
    s->U = CAROM_ARENA_ARRAY(&s->arena, double, NN *entries + 2);
    s->y = CAROM_ARENA_ARRAY(&s->arena, double, N *(size_t)s->node_count + 2);
    s->analyses++;
    return ok && !s->arena.failed;
}

static bool same_pattern(const block_lu *s, int node_count, int edge_count, const int (*edges)[2])
{
    return s->D && s->node_count == node_count && s->edge_count == edge_count &&
           (edge_count == 0 || memcmp(s->edges, edges, (size_t)edge_count * sizeof *edges) == 0);
}

bool block_lu_begin(block_lu *s, int node_count, int edge_count, const int (*edges)[2])
{
    if (same_pattern(s, node_count, edge_count, edges)) {
        return true;
    }
    forget(s);
    bool ok = take_pattern(s, node_count, edge_count, edges) && analyse(s);
    if (!ok) {
        forget(s);
    }
    return ok;
}

void block_lu_clear(block_lu *s)
{
    size_t entries = (size_t)s->first[s->node_count];
    memset(s->D, 0, NN * (size_t)s->node_count * sizeof *s->D);
    memset(s->L, 0, NN * entries * sizeof *s->L);
    memset(s->U, 0, NN * entries * sizeof *s->U);
}

double *block_lu_node(block_lu *s, int node)
{
    return s->D + NN * (size_t)s->place[node];
}

double *block_lu_edge(block_lu *s, int edge, int from)
{
    bool below = s->place[s->edges[edge][from]] > s->place[s->edges[edge][1 - from]];
    return (below ? s->L : s->U) + NN * (size_t)s->entry_of[edge];
}

long block_lu_analyses(const block_lu *s)
{
    return s->analyses;
}

/* ---- numbers -------------------------------------------------------------------------------------------------------------- */

/* c -= a b */
static void subtract_product(double *c, const double *a, const double *b)
{
    pair2 row[N][3];
    BLOCK_UNROLL for (int k = 0; k < N; ++k)
    {
        BLOCK_UNROLL for (int v = 0; v < 3; ++v)
        {
            row[k][v] = pair2_load(b + N * k + 2 * v);
        }
    }
    for (int i = 0; i < N; ++i) {
        pair2 s0 = pair2_load(c + N * i);
        pair2 s1 = pair2_load(c + N * i + 2);
        pair2 s2 = pair2_load(c + N * i + 4);
        BLOCK_UNROLL for (int k = 0; k < N; ++k)
        {
            pair2 t = pair2_both(a[N * i + k]);
            s0 -= t * row[k][0];
            s1 -= t * row[k][1];
            s2 -= t * row[k][2];
        }
        pair2_store(c + N * i, s0);
        pair2_store(c + N * i + 2, s1);
        pair2_store(c + N * i + 4, s2);
    }
}

static void swap_rows(double *a, int i, int k)
{
    for (int j = 0; j < N && i != k; ++j) {
        double t = a[N * i + j];
        a[N * i + j] = a[N * k + j];
        a[N * k + j] = t;
    }
}

/* a becomes its inverse, by elimination with exchange of rows. False: it has none. */
static bool invert(double *a)
{
    double b[NN] = { 0 };
    for (int i = 0; i < N; ++i) {
        b[(N + 1) * i] = 1.0;
    }
    for (int k = 0; k < N; ++k) {
        int p = k;
        for (int i = k + 1; i < N; ++i) {
            p = fabs(a[N * i + k]) > fabs(a[N * p + k]) ? i : p;
        }
        swap_rows(a, k, p);
        swap_rows(b, k, p);
        double pivot = a[(N + 1) * k];
        if (!(fabs(pivot) > 0.0) || !isfinite(pivot)) {
            return false;
        }
        for (int j = 0; j < N; ++j) {
            a[N * k + j] /= pivot;
            b[N * k + j] /= pivot;
        }
        for (int i = 0; i < N; ++i) {
            double f = i == k ? 0.0 : a[N * i + k];
            for (int j = 0; j < N && f != 0.0; ++j) {
                a[N * i + j] -= f * a[N * k + j];
                b[N * i + j] -= f * b[N * k + j];
            }
        }
    }
    memcpy(a, b, sizeof b);
    return true;
}

/* L = A D^-1 for the entries of a column. */
static void scale_column(block_lu *s, int j)
{
    for (int e = s->first[j]; e < s->first[j + 1]; ++e) {
        double *l = s->L + NN * (size_t)e;
        double t[NN] = { 0 };
        subtract_product(t, l, s->D + NN * (size_t)j);
        for (int k = 0; k < NN; ++k) {
            l[k] = -t[k];
        }
    }
}

/* What column j takes from the blocks behind it. */
static void update(block_lu *s, int j)
{
    int end = s->first[j + 1];
    for (int y = s->first[j]; y < end; ++y) {
        int k = s->rows[y];
        int z = s->first[k];
        subtract_product(s->D + NN * (size_t)k, s->L + NN * (size_t)y, s->U + NN * (size_t)y);
        for (int x = y + 1; x < end; ++x) {
            while (s->rows[z] < s->rows[x]) {
                ++z;
            }
            subtract_product(s->L + NN * (size_t)z, s->L + NN * (size_t)x, s->U + NN * (size_t)y);
            subtract_product(s->U + NN * (size_t)z, s->L + NN * (size_t)y, s->U + NN * (size_t)x);
        }
    }
}

bool block_lu_factor(block_lu *s)
{
    for (int j = 0; j < s->node_count; ++j) {
        if (!invert(s->D + NN * (size_t)j)) {
            return false;
        }
        scale_column(s, j);
        update(s, j);
    }
    return true;
}

/* out -= a x */
static void subtract_times(double *out, const double *a, const double *x)
{
    for (int i = 0; i < N; ++i) {
        double sum = out[i];
        for (int k = 0; k < N; ++k) {
            sum -= a[N * i + k] * x[k];
        }
        out[i] = sum;
    }
}

void block_lu_solve(const block_lu *s, double *x)
{
    double *y = s->y;
    for (int j = 0; j < s->node_count; ++j) {
        memcpy(y + N * (size_t)j, x + N * (size_t)s->order[j], N * sizeof *y);
    }
    for (int j = 0; j < s->node_count; ++j) {
        for (int e = s->first[j]; e < s->first[j + 1]; ++e) {
            subtract_times(y + N * (size_t)s->rows[e], s->L + NN * (size_t)e, y + N * (size_t)j);
        }
    }
    for (int j = s->node_count - 1; j >= 0; --j) {
        double *own = y + N * (size_t)j;
        double t[N];
        memcpy(t, own, sizeof t);
        for (int e = s->first[j]; e < s->first[j + 1]; ++e) {
            subtract_times(t, s->U + NN * (size_t)e, y + N * (size_t)s->rows[e]);
        }
        memset(own, 0, N * sizeof *own);
        subtract_times(own, s->D + NN * (size_t)j, t);
        for (int k = 0; k < N; ++k) {
            own[k] = -own[k];
        }
        memcpy(x + N * (size_t)s->order[j], own, N * sizeof *x);
    }
}
