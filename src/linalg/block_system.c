#include "linalg/block_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <camd.h>

#include "base/arena.h"

enum { WIDEST = 6, BLOCK_NUMBERS = WIDEST * WIDEST };

/* A block of the lower triangle of L: where its row is in the order of elimination, and where its numbers are. */
typedef struct factor_block {
    int row;
    size_t at;
} factor_block;

struct block_system {
    long analyses;
    carom_arena arena; /* of the pattern and its analysis */
    int node_count, edge_count;
    int *sizes;
    bool *is_row;
    int (*edges)[2];
    size_t *first; /* node -> its first unknown */

    int *order; /* place -> node */
    int *place; /* node -> place */
    int *start; /* place -> its first block below the diagonal; place + 1: the end */
    factor_block *blocks;
    size_t *edge_at;  /* edge -> where its numbers belong in L */
    bool *edge_flips; /* the edge's first node comes first in the order: its block is written turned over */

    double *given_nodes, *given_edges; /* BLOCK_NUMBERS each */
    double *diagonal;                  /* place -> BLOCK_NUMBERS: L of the diagonal block, lower triangle */
    double *lower;                     /* blocks -> BLOCK_NUMBERS */
};

block_system *block_system_create(void)
{
    return calloc(1, sizeof(block_system));
}

void block_system_destroy(block_system *s)
{
    if (s) {
        carom_arena_free(&s->arena);
        free(s);
    }
}

long block_system_analyses(const block_system *s)
{
    return s->analyses;
}

/* ---- analysis --------------------------------------------------------------------------------------------------------- */

static bool same_pattern(const block_system *s, const block_pattern *p)
{
    if (!s->order || s->node_count != p->node_count || s->edge_count != p->edge_count) {
        return false;
    }
    for (int i = 0; i < p->node_count; ++i) {
        if (s->sizes[i] != p->sizes[i] || s->is_row[i] != (p->is_row && p->is_row[i])) {
            return false;
        }
    }
    return p->edge_count == 0 || memcmp(s->edges, p->edges, (size_t)p->edge_count * sizeof *p->edges) == 0;
}

static void copy_pattern(block_system *s, const block_pattern *p)
{
    s->node_count = p->node_count;
    s->edge_count = p->edge_count;
    s->sizes = carom_arena_copy(&s->arena, p->sizes, (size_t)p->node_count * sizeof *p->sizes);
    s->is_row = CAROM_ARENA_ARRAY(&s->arena, bool, p->node_count + 1);
    s->edges = carom_arena_array(&s->arena, (size_t)p->edge_count + 1, sizeof *s->edges);
    s->first = CAROM_ARENA_ARRAY(&s->arena, size_t, p->node_count + 1);
    if (s->arena.failed) {
        return;
    }
    if (p->edge_count > 0) {
        memcpy(s->edges, p->edges, (size_t)p->edge_count * sizeof *p->edges);
    }
    for (int i = 0; i < p->node_count; ++i) {
        s->is_row[i] = p->is_row && p->is_row[i];
        s->first[i + 1] = s->first[i] + (size_t)p->sizes[i];
    }
}

/* Neighbours of every node, as columns of a symmetric pattern. */
static void list_neighbours(const block_system *s, int *start, int *neighbours)
{
    memset(start, 0, ((size_t)s->node_count + 1) * sizeof *start);
    for (int e = 0; e < s->edge_count; ++e) {
        ++start[s->edges[e][0] + 1];
        ++start[s->edges[e][1] + 1];
    }
    for (int i = 0; i < s->node_count; ++i) {
        start[i + 1] += start[i];
    }
    for (int e = 0; e < s->edge_count; ++e) {
        neighbours[start[s->edges[e][0]]++] = s->edges[e][1];
        neighbours[start[s->edges[e][1]]++] = s->edges[e][0];
    }
    for (int i = s->node_count; i > 0; --i) {
        start[i] = start[i - 1];
    }
    start[0] = 0;
}

static carom_status find_order(block_system *s, carom_error *err)
{
    int n = s->node_count;
    int *start = CAROM_ARENA_ARRAY(&s->arena, int, n + 1);
    int *neighbours = CAROM_ARENA_ARRAY(&s->arena, int, 2 * s->edge_count + 1);
    int *stage = CAROM_ARENA_ARRAY(&s->arena, int, n + 1);
    s->order = CAROM_ARENA_ARRAY(&s->arena, int, n + 1);
    s->place = CAROM_ARENA_ARRAY(&s->arena, int, n + 1);
    if (s->arena.failed) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for a system of %d bodies", n);
    }
    list_neighbours(s, start, neighbours);
    for (int i = 0; i < n; ++i) {
        stage[i] = s->is_row[i] ? 1 : 0;
    }
    if (n > 0 && camd_order(n, start, neighbours, s->order, NULL, NULL, stage) < CAMD_OK) {
        s->order = NULL;
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the order of %d bodies", n);
    }
    for (int k = 0; k < n; ++k) {
        s->place[s->order[k]] = k;
    }
    return CAROM_OK;
}

static int by_number(const void *a, const void *b)
{
    int x = *(const int *)a;
    int y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Rows below the diagonal of every column of L: those of the matrix, and those of earlier columns whose first row is here. */
typedef struct fill {
    int **rows; /* by place; ascending */
    int *counts;
    int *mark;
    int *child, *sibling; /* columns whose first row below the diagonal is here */
} fill;

static void add_row(fill *f, int *rows, int column, int row)
{
    if (row > column && f->mark[row] != column) {
        f->mark[row] = column;
        rows[f->counts[column]++] = row;
    }
}

static void find_rows(block_system *s, fill *f, const int *start, const int *neighbours, int column, int *rows)
{
    int node = s->order[column];
    for (int k = start[node]; k < start[node + 1]; ++k) {
        add_row(f, rows, column, s->place[neighbours[k]]);
    }
    for (int c = f->child[column]; c >= 0; c = f->sibling[c]) {
        for (int k = 0; k < f->counts[c]; ++k) {
            add_row(f, rows, column, f->rows[c][k]);
        }
    }
    qsort(rows, (size_t)f->counts[column], sizeof *rows, by_number);
    f->rows[column] = carom_arena_copy(&s->arena, rows, (size_t)(f->counts[column] + 1) * sizeof *rows);
    if (f->counts[column] > 0) {
        f->sibling[column] = f->child[rows[0]];
        f->child[rows[0]] = column;
    }
}

static bool find_fill(block_system *s, fill *f)
{
    int n = s->node_count;
    int *start = CAROM_ARENA_ARRAY(&s->arena, int, n + 1);
    int *neighbours = CAROM_ARENA_ARRAY(&s->arena, int, 2 * s->edge_count + 1);
    int *rows = CAROM_ARENA_ARRAY(&s->arena, int, n + 1);
    f->rows = CAROM_ARENA_ARRAY(&s->arena, int *, n + 1);
    f->counts = CAROM_ARENA_ARRAY(&s->arena, int, n + 1);
    f->mark = CAROM_ARENA_ARRAY(&s->arena, int, n + 1);
    f->child = CAROM_ARENA_ARRAY(&s->arena, int, n + 1);
    f->sibling = CAROM_ARENA_ARRAY(&s->arena, int, n + 1);
    if (s->arena.failed) {
        return false;
    }
    list_neighbours(s, start, neighbours);
    for (int k = 0; k < n; ++k) {
        f->mark[k] = f->child[k] = -1;
    }
    for (int k = 0; k < n && !s->arena.failed; ++k) {
        find_rows(s, f, start, neighbours, k, rows);
    }
    return !s->arena.failed;
}

/* The place of a row in a column of L; it is there. */
static int find_block(const block_system *s, int column, int row)
{
    int low = s->start[column];
    int high = s->start[column + 1] - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (s->blocks[middle].row < row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool lay_out(block_system *s, const fill *f)
{
    int n = s->node_count;
    int total = 0;
    s->start = CAROM_ARENA_ARRAY(&s->arena, int, n + 1);
    for (int k = 0; s->start && k < n; ++k) {
        s->start[k] = total;
        total += f->counts[k];
    }
    s->blocks = CAROM_ARENA_ARRAY(&s->arena, factor_block, total + 1);
    s->edge_at = CAROM_ARENA_ARRAY(&s->arena, size_t, s->edge_count + 1);
    s->edge_flips = CAROM_ARENA_ARRAY(&s->arena, bool, s->edge_count + 1);
    s->given_nodes = CAROM_ARENA_ARRAY(&s->arena, double, BLOCK_NUMBERS *(n + 1));
    s->given_edges = CAROM_ARENA_ARRAY(&s->arena, double, BLOCK_NUMBERS *(s->edge_count + 1));
    s->diagonal = CAROM_ARENA_ARRAY(&s->arena, double, BLOCK_NUMBERS *(n + 1));
    s->lower = CAROM_ARENA_ARRAY(&s->arena, double, BLOCK_NUMBERS *(total + 1));
    if (s->arena.failed) {
        return false;
    }
    s->start[n] = total;
    for (int k = 0; k < n; ++k) {
        for (int i = 0; i < f->counts[k]; ++i) {
            int at = s->start[k] + i;
            s->blocks[at] = (factor_block){ f->rows[k][i], (size_t)at * BLOCK_NUMBERS };
        }
    }
    for (int e = 0; e < s->edge_count; ++e) {
        int a = s->place[s->edges[e][0]];
        int b = s->place[s->edges[e][1]];
        s->edge_flips[e] = a < b;
        s->edge_at[e] = s->blocks[find_block(s, a < b ? a : b, a < b ? b : a)].at;
    }
    return true;
}

carom_status block_system_begin(block_system *s, const block_pattern *pattern, carom_error *err)
{
    carom_status status = CAROM_OK;
    if (!same_pattern(s, pattern)) {
        fill f;
        long analyses = s->analyses + 1;
        carom_arena_free(&s->arena);
        *s = (block_system){ .analyses = analyses };
        copy_pattern(s, pattern);
        status = find_order(s, err);
        if (status == CAROM_OK && (!find_fill(s, &f) || !lay_out(s, &f))) {
            s->order = NULL;
            status = carom_fail(err, CAROM_NO_MEMORY, "out of memory for a system of %d bodies", s->node_count);
        }
    }
    if (status == CAROM_OK) {
        memset(s->given_nodes, 0, (size_t)s->node_count * BLOCK_NUMBERS * sizeof(double));
        memset(s->given_edges, 0, (size_t)s->edge_count * BLOCK_NUMBERS * sizeof(double));
    }
    return status;
}

double *block_system_node(block_system *s, int node)
{
    return s->given_nodes + (size_t)node * BLOCK_NUMBERS;
}

double *block_system_edge(block_system *s, int edge)
{
    return s->given_edges + (size_t)edge * BLOCK_NUMBERS;
}

/* out += A x, or A' x, for a block of so many rows and columns. */
static void add_product(const double *A, int rows, int columns, bool turned, const double *x, double *out)
{
    for (int i = 0; i < rows; ++i) {
        for (int k = 0; k < columns; ++k) {
            out[turned ? k : i] += A[columns * i + k] * x[turned ? i : k];
        }
    }
}

void block_system_multiply(const block_system *s, const double *x, double *out)
{
    for (int i = 0; i < s->node_count; ++i) {
        if (!s->is_row[i]) {
            add_product(s->given_nodes + (size_t)i * BLOCK_NUMBERS, s->sizes[i], s->sizes[i], false, x + s->first[i],
                        out + s->first[i]);
        }
    }
    for (int e = 0; e < s->edge_count; ++e) {
        int a = s->edges[e][0];
        int b = s->edges[e][1];
        const double *A = s->given_edges + (size_t)e * BLOCK_NUMBERS;
        if (!s->is_row[a] && !s->is_row[b]) {
            add_product(A, s->sizes[a], s->sizes[b], false, x + s->first[b], out + s->first[a]);
            add_product(A, s->sizes[a], s->sizes[b], true, x + s->first[a], out + s->first[b]);
        }
    }
}

/* ---- factors ---------------------------------------------------------------------------------------------------------- */

/* Blocks are row-major with as many columns as their column's node has. */

static void load_numbers(block_system *s, double shift)
{
    memset(s->lower, 0, (size_t)s->start[s->node_count] * BLOCK_NUMBERS * sizeof(double));
    for (int i = 0; i < s->node_count; ++i) {
        double *d = s->diagonal + (size_t)s->place[i] * BLOCK_NUMBERS;
        int n = s->sizes[i];
        memcpy(d, s->given_nodes + (size_t)i * BLOCK_NUMBERS, (size_t)(n * n) * sizeof *d);
        for (int k = 0; k < n && !s->is_row[i]; ++k) {
            d[k * n + k] += shift;
        }
    }
    for (int e = 0; e < s->edge_count; ++e) {
        const double *from = s->given_edges + (size_t)e * BLOCK_NUMBERS;
        double *to = s->lower + s->edge_at[e];
        int rows = s->sizes[s->edges[e][0]];
        int columns = s->sizes[s->edges[e][1]];
        for (int r = 0; r < rows; ++r) {
            for (int c = 0; c < columns; ++c) {
                *(s->edge_flips[e] ? &to[c * rows + r] : &to[r * columns + c]) = from[r * columns + c];
            }
        }
    }
}

/* sign * d = L L'; false when a pivot is not beyond rounding of its diagonal. */
static bool factor_diagonal(double *d, int n, double sign)
{
    static const double FLOOR = 1e-14;
    for (int c = 0; c < n; ++c) {
        double whole = sign * d[c * n + c];
        double pivot = whole;
        for (int k = 0; k < c; ++k) {
            pivot -= d[c * n + k] * d[c * n + k];
        }
        if (!(pivot > FLOOR * whole)) {
            return false;
        }
        double root = sqrt(pivot);
        d[c * n + c] = root;
        for (int r = c + 1; r < n; ++r) {
            double sum = sign * d[r * n + c];
            for (int k = 0; k < c; ++k) {
                sum -= d[r * n + k] * d[c * n + k];
            }
            d[r * n + c] = sum / root;
        }
    }
    return true;
}

/* X = X L^-T, in place; the sign of the pivot stays outside. */
static inline __attribute__((always_inline)) void solve_rows(double *x, int rows, const double *d, const int n)
{
    for (int r = 0; r < rows; ++r) {
        for (int c = 0; c < n; ++c) {
            double sum = x[r * n + c];
            for (int k = 0; k < c; ++k) {
                sum -= x[r * n + k] * d[c * n + k];
            }
            x[r * n + c] = sum / d[c * n + c];
        }
    }
}

/* T -= sign X Y', with Y turned over. */
static inline __attribute__((always_inline)) void subtract_product(double *t, const double *x, const int rows,
                                                                   const double *turned, const int columns,
                                                                   const int n, double sign)
{
    for (int r = 0; r < rows; ++r) {
        double sum[WIDEST] = { 0.0 };
        for (int k = 0; k < n; ++k) {
            for (int c = 0; c < columns; ++c) {
                sum[c] += x[r * n + k] * turned[k * columns + c];
            }
        }
        for (int c = 0; c < columns; ++c) {
            t[r * columns + c] -= sign * sum[c];
        }
    }
}

typedef double pair2 __attribute__((vector_size(16), aligned(8), may_alias));

/* The same of six by six, two columns at a time: the same sums in the same order. */
static void subtract_product_six(double *t, const double *x, const double *turned, double sign)
{
    enum { PAIRS = WIDEST / 2 };
    const pair2 *y = (const pair2 *)(const void *)turned;
    pair2 *out = (pair2 *)(void *)t;
    for (int r = 0; r < WIDEST; ++r) {
        pair2 sum[PAIRS] = { { 0.0, 0.0 }, { 0.0, 0.0 }, { 0.0, 0.0 } };
        for (int k = 0; k < WIDEST; ++k) {
            double factor = x[r * WIDEST + k];
            for (int c = 0; c < PAIRS; ++c) {
                sum[c] += factor * y[k * PAIRS + c];
            }
        }
        for (int c = 0; c < PAIRS; ++c) {
            out[r * PAIRS + c] -= sign * sum[c];
        }
    }
}

static void update(double *t, const double *x, int rows, const double *turned, int columns, int n, double sign)
{
    if (rows == WIDEST && columns == WIDEST && n == WIDEST) {
        subtract_product_six(t, x, turned, sign);
    } else {
        subtract_product(t, x, rows, turned, columns, n, sign);
    }
}

static void turn_over(const double *y, int rows, int n, double *turned)
{
    for (int r = 0; r < rows; ++r) {
        for (int k = 0; k < n; ++k) {
            turned[k * rows + r] = y[r * n + k];
        }
    }
}

static int size_at(const block_system *s, int place)
{
    return s->sizes[s->order[place]];
}

/* Takes the column out of all that come later. */
static void eliminate(block_system *s, int column, double sign)
{
    const double *d = s->diagonal + (size_t)column * BLOCK_NUMBERS;
    int n = size_at(s, column);
    for (int i = s->start[column]; i < s->start[column + 1]; ++i) {
        double *x = s->lower + s->blocks[i].at;
        int rows = size_at(s, s->blocks[i].row);
        if (n == WIDEST) {
            solve_rows(x, rows, d, WIDEST);
        } else {
            solve_rows(x, rows, d, n);
        }
    }
    for (int k = s->start[column]; k < s->start[column + 1]; ++k) {
        int target = s->blocks[k].row;
        const double *y = s->lower + s->blocks[k].at;
        int columns = size_at(s, target);
        int walk = s->start[target];
        double turned[BLOCK_NUMBERS];
        turn_over(y, columns, n, turned);
        update(s->diagonal + (size_t)target * BLOCK_NUMBERS, y, columns, turned, columns, n, sign);
        for (int i = k + 1; i < s->start[column + 1]; ++i) {
            while (s->blocks[walk].row < s->blocks[i].row) {
                ++walk;
            }
            update(s->lower + s->blocks[walk].at, s->lower + s->blocks[i].at, size_at(s, s->blocks[i].row), turned,
                   columns, n, sign);
        }
    }
}

static double sign_at(const block_system *s, int place)
{
    return s->is_row[s->order[place]] ? -1.0 : 1.0;
}

bool block_system_factor(block_system *s, double shift)
{
    load_numbers(s, shift);
    for (int k = 0; k < s->node_count; ++k) {
        double sign = sign_at(s, k);
        if (!factor_diagonal(s->diagonal + (size_t)k * BLOCK_NUMBERS, size_at(s, k), sign)) {
            return false;
        }
        eliminate(s, k, sign);
    }
    return true;
}

/* ---- solution --------------------------------------------------------------------------------------------------------- */

/* x -= B y, and x -= sign B' y; of six by six two numbers at a time. */
static void subtract_times_six(double *x, const double *block, const double *y)
{
    const pair2 *b = (const pair2 *)(const void *)block;
    const pair2 *in = (const pair2 *)(const void *)y;
    pair2 *out = (pair2 *)(void *)x;
    for (int r = 0; r < WIDEST; r += 2, b += WIDEST) {
        pair2 first = b[0] * in[0] + b[1] * in[1] + b[2] * in[2];
        pair2 second = b[3] * in[0] + b[4] * in[1] + b[5] * in[2];
        out[r / 2] -= (pair2){ first[0] + first[1], second[0] + second[1] };
    }
}

static void subtract_turned_six(double *x, const double *block, const double *y, double sign)
{
    const pair2 *b = (const pair2 *)(const void *)block;
    pair2 *out = (pair2 *)(void *)x;
    pair2 left[WIDEST / 2] = { out[0], out[1], out[2] };
    for (int r = 0; r < WIDEST; ++r, b += WIDEST / 2) {
        double scaled = sign * y[r];
        for (int c = 0; c < WIDEST / 2; ++c) {
            left[c] -= scaled * b[c];
        }
    }
    for (int c = 0; c < WIDEST / 2; ++c) {
        out[c] = left[c];
    }
}

static void subtract_times(double *x, const double *block, int rows, int n, const double *y)
{
    if (rows == WIDEST && n == WIDEST) {
        subtract_times_six(x, block, y);
        return;
    }
    for (int r = 0; r < rows; ++r) {
        for (int c = 0; c < n; ++c) {
            x[r] -= block[r * n + c] * y[c];
        }
    }
}

static void subtract_turned(double *x, const double *block, int rows, int n, const double *y, double sign)
{
    if (rows == WIDEST && n == WIDEST) {
        subtract_turned_six(x, block, y, sign);
        return;
    }
    for (int r = 0; r < rows; ++r) {
        double scaled = sign * y[r];
        for (int c = 0; c < n; ++c) {
            x[c] -= block[r * n + c] * scaled;
        }
    }
}

static void forward(const block_system *s, double *x)
{
    for (int k = 0; k < s->node_count; ++k) {
        const double *d = s->diagonal + (size_t)k * BLOCK_NUMBERS;
        double sign = sign_at(s, k);
        int n = size_at(s, k);
        double *own = x + s->first[s->order[k]];
        for (int r = 0; r < n; ++r) {
            for (int c = 0; c < r; ++c) {
                own[r] -= d[r * n + c] * own[c];
            }
            own[r] /= d[r * n + r];
        }
        for (int r = 0; r < n; ++r) {
            own[r] *= sign; /* the pivot is sign L L' */
        }
        for (int i = s->start[k]; i < s->start[k + 1]; ++i) {
            const double *block = s->lower + s->blocks[i].at;
            double *other = x + s->first[s->order[s->blocks[i].row]];
            subtract_times(other, block, size_at(s, s->blocks[i].row), n, own);
        }
    }
}

static void backward(const block_system *s, double *x)
{
    for (int k = s->node_count - 1; k >= 0; --k) {
        const double *d = s->diagonal + (size_t)k * BLOCK_NUMBERS;
        double sign = sign_at(s, k);
        int n = size_at(s, k);
        double *own = x + s->first[s->order[k]];
        for (int i = s->start[k]; i < s->start[k + 1]; ++i) {
            const double *block = s->lower + s->blocks[i].at;
            const double *other = x + s->first[s->order[s->blocks[i].row]];
            subtract_turned(own, block, size_at(s, s->blocks[i].row), n, other, sign);
        }
        for (int r = n - 1; r >= 0; --r) {
            for (int c = r + 1; c < n; ++c) {
                own[r] -= d[c * n + r] * own[c];
            }
            own[r] /= d[r * n + r];
        }
    }
}

void block_system_solve(const block_system *s, double *x)
{
    forward(s, x);
    backward(s, x);
}
