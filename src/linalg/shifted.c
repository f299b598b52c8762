/* The quasi-definite matrix K_e = [A J^T; J -e I] of one component and its simplicial LDL^T by CHOLMOD: symbolic
 * analysis once, numbers refreshed in place, substitution without allocation. */
#include "linalg/shifted.h"

#include "linalg/block.h"

#include <limits.h>
#include <math.h>
#include <string.h>

void shifted_start(shifted *k)
{
    *k = (shifted){ 0 };
    cholmod_start(&k->cm);
    k->cm.print = 0;
    k->cm.supernodal = CHOLMOD_SIMPLICIAL; /* the other is GPL and calls BLAS, whose threads move the last bits */
    k->cm.final_ll = 0;
    k->cm.nmethods = 1;
    k->cm.method[0].ordering = CHOLMOD_NATURAL; /* pattern.c ordered it */
    k->cm.postorder = 0;
}

void shifted_finish(shifted *k)
{
    cholmod_free_factor(&k->factor, &k->cm);
    cholmod_free_sparse(&k->matrix, &k->cm);
    cholmod_finish(&k->cm);
}

/* ---- pattern ---- */

static size_t tile_entries(const tile *t)
{
    if (t->row != t->column) {
        return (size_t)t->row_count * (size_t)t->column_count;
    }
    return (size_t)(t->from ? t->column_count * (t->column_count + 1) / 2 : t->column_count);
}

static bool allocate_matrix(shifted *k, const pattern *p)
{
    size_t n = (size_t)p->unknown_count;
    size_t entries = 0;
    for (int i = 0; i < p->tile_count; ++i) {
        entries += tile_entries(&p->tiles[i]);
    }
    if (entries > INT_MAX) {
        return false;
    }
    k->matrix = cholmod_allocate_sparse(n, n, entries, 1, 1, 1, CHOLMOD_REAL, &k->cm);
    return k->matrix;
}

/* Rows of tile t that column j (of the tile) holds: from *first, as many as returned. */
static int tile_column(const tile *t, int j, int *first)
{
    *first = t->row != t->column || t->from ? 0 : j;
    return t->row != t->column ? t->row_count : j + 1 - *first;
}

/* Tiles of one column of tiles stand side by side; this finds the end of the run that starts at i. */
static int run_end(const pattern *p, int i)
{
    int end = i;
    while (end < p->tile_count && p->tiles[end].column == p->tiles[i].column) {
        ++end;
    }
    return end;
}

static void lay_columns(shifted *k, const pattern *p)
{
    int *start = k->matrix->p;
    int *row = k->matrix->i;
    int at = 0;
    for (int i = 0, end; i < p->tile_count; i = end) {
        end = run_end(p, i);
        for (int j = 0; j < p->tiles[i].column_count; ++j) {
            start[p->tiles[i].column + j] = at;
            for (int t = i; t < end; ++t) {
                int first;
                int count = tile_column(&p->tiles[t], j, &first);
                for (int r = 0; r < count; ++r) {
                    row[at++] = p->tiles[t].row + first + r;
                }
            }
        }
    }
    start[p->unknown_count] = at;
}

bool shifted_analyse(shifted *k, carom_arena *arena, const pattern *p)
{
    k->together = CAROM_ARENA_ARRAY(arena, signed char, p->unknown_count);
    if (!k->together || !allocate_matrix(k, p)) {
        return false;
    }
    lay_columns(k, p);
    k->factor = cholmod_analyze(k->matrix, &k->cm);
    return k->factor;
}

/* ---- numbers ---- */

/* Column j of a tile, written to value; returns the place after it. */
static double *fill_column(double *value, const tile *t, int j, const double *e)
{
    if (!t->from) {
        *value = -e[t->column + j];
        return value + 1;
    }
    int first;
    int count = tile_column(t, j, &first);
    const double *from = t->from + j * t->column_step;
    for (int i = 0; i < count; ++i) {
        value[i] = from[i * t->row_step];
    }
    return value + count;
}

static void fill_matrix(shifted *k, const pattern *p, const double *e)
{
    double *value = k->matrix->x;
    for (int i = 0, end; i < p->tile_count; i = end) {
        end = run_end(p, i);
        for (int j = 0; j < p->tiles[i].column_count; ++j) {
            for (int t = i; t < end; ++t) {
                value = fill_column(value, &p->tiles[t], j, e);
            }
        }
    }
}

/* CHOLMOD's factor in compressed columns, each starting with its diagonal entry D. Neighbouring columns mostly have the
 * same rows below them (they belong to one body), so they are used two and three at a time, as CHOLMOD itself does. */
typedef struct columns {
    const int *start;
    const int *count;
    const int *row;
    const double *value;
    int n;
} columns;

static columns columns_of(const shifted *k)
{
    const cholmod_factor *f = k->factor;
    return (columns){ .start = f->p, .count = f->nz, .row = f->i, .value = f->x, .n = (int)f->n };
}

static bool is_nested(const columns *c, int j)
{
    return j + 1 < c->n && c->count[j] == c->count[j + 1] + 1 && c->row[c->start[j] + 1] == j + 1;
}

/* How many columns from j on go together: 1 to 3. */
static int columns_together(const columns *c, int j)
{
    if (!is_nested(c, j)) {
        return 1;
    }
    return is_nested(c, j + 1) ? 3 : 2;
}

/* The pattern of the factor is known after the first factorisation and then stays; finding it again is cheap. */
static void group_columns(shifted *k)
{
    const columns c = columns_of(k);
    for (int j = 0, width; j < c.n; j += width) {
        width = columns_together(&c, j);
        memset(k->together + j, width, (size_t)width);
    }
}

bool shifted_factor(shifted *k, const pattern *p, const double *e)
{
    fill_matrix(k, p, e);
    cholmod_factorize(k->matrix, k->factor, &k->cm);
    if (k->cm.status == CHOLMOD_OUT_OF_MEMORY || k->cm.status == CHOLMOD_TOO_LARGE) {
        return false;
    }
    group_columns(k);
    return true;
}

double shifted_pivot(const shifted *k, int unknown)
{
    const columns c = columns_of(k);
    return (size_t)unknown < k->factor->minor ? c.value[c.start[unknown]] : (double)NAN;
}

/* ---- substitution ---- */

/* v <- L^-1 v and v <- L^-T v for `width` columns from j on; the rows below the triangle they share are common. */
BLOCK_INLINE void forward_columns(const columns *c, int j, double *v, const int width)
{
    const double *a[3];
    double t[3];
    BLOCK_UNROLL for (int k = 0; k < width; ++k)
    {
        a[k] = c->value + c->start[j + k] + width - k; /* below the triangle */
        t[k] = v[j + k];
        BLOCK_UNROLL for (int i = 0; i < k; ++i)
        {
            t[k] -= a[i][k - width] * t[i];
        }
        v[j + k] = t[k];
    }
    const int *row = c->row + c->start[j] + width;
    int below = c->count[j] - width;
    for (int p = 0; p < below; ++p) {
        double sum = a[0][p] * t[0];
        BLOCK_UNROLL for (int k = 1; k < width; ++k)
        {
            sum += a[k][p] * t[k];
        }
        v[row[p]] -= sum;
    }
}

BLOCK_INLINE void backward_columns(const columns *c, int j, double *v, const int width)
{
    const double *a[3];
    double t[3];
    BLOCK_UNROLL for (int k = 0; k < width; ++k)
    {
        a[k] = c->value + c->start[j + k] + width - k;
        t[k] = v[j + k] / c->value[c->start[j + k]];
    }
    const int *row = c->row + c->start[j] + width;
    int below = c->count[j] - width;
    for (int p = 0; p < below; ++p) {
        double v_row = v[row[p]];
        BLOCK_UNROLL for (int k = 0; k < width; ++k)
        {
            t[k] -= a[k][p] * v_row;
        }
    }
    BLOCK_UNROLL for (int k = width - 1; k >= 0; --k)
    {
        BLOCK_UNROLL for (int i = k + 1; i < width; ++i)
        {
            t[k] -= a[k][i - width] * t[i];
        }
        v[j + k] = t[k];
    }
}

/* Not by cholmod_solve2, which allocates on every call: a solve must not fail. */
void shifted_solve(const shifted *k, double *v)
{
    const columns c = columns_of(k);
    for (int j = 0; j < c.n; j += k->together[j]) {
        switch (k->together[j]) {
        case 1:
            forward_columns(&c, j, v, 1);
            break;
        case 2:
            forward_columns(&c, j, v, 2);
            break;
        default:
            forward_columns(&c, j, v, 3);
        }
    }
    for (int j = c.n; j > 0;) {
        int width = k->together[j - 1]; /* the last of a group knows its width as well as the first */
        j -= width;
        switch (width) {
        case 1:
            backward_columns(&c, j, v, 1);
            break;
        case 2:
            backward_columns(&c, j, v, 2);
            break;
        default:
            backward_columns(&c, j, v, 3);
        }
    }
}
