/* L D L' of a sparse symmetric matrix, multifrontal [Liu1992]: each supernode, children before parents, adds up its entries of the matrix
 * and what its children hand on, eliminates its columns, and hands the rest on. No pivoting: the matrix is definite, or far enough from
 * singular leading parts (eigen_count). Kernels and order of sums are our own (front.h), so that no BLAS moves a bit. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/front.h"
#include "linalg/supernodes.h"

enum { TOGETHER = 8 }; /* right-hand sides */

struct sparse_factor {
    carom_arena arena;
    supernodes nodes;
    double *values; /* supernode by supernode: unit lower triangles with the rows below */
    double *pivots; /* D, by position */
    double *room;   /* size x TOGETHER, and as much for the rows of one supernode */
};

static carom_status no_memory(int size, carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the factor of a sparse matrix with %d rows", size);
}

/* ---- fronts ---- */

typedef struct assembly {
    sparse_factor *f;
    const front_kernels *kernels;
    const double *entries; /* of the matrix */
    double **handed;       /* per supernode: what it hands on, rows below x rows below, by columns */
    int *child, *sibling;  /* per supernode: its first child, the next of its parent; -1 */
    int *place;            /* per position: its row in the front at hand */
    const double *floors;  /* per position: pivots are above; NULL */
    double *room;
} assembly;

static int most_rows(const supernodes *s)
{
    int most = 0;
    for (int k = 0; k < s->count; ++k) {
        most = supernode_rows(s, k) > most ? supernode_rows(s, k) : most;
    }
    return most;
}

static void free_assembly(assembly *a, int count)
{
    for (int k = 0; a->handed && k < count; ++k) {
        free(a->handed[k]);
    }
    free(a->handed);
    free(a->child);
    free(a->sibling);
    free(a->place);
    free(a->room);
}

static bool begin_assembly(assembly *a)
{
    const supernodes *s = &a->f->nodes;
    size_t count = (size_t)s->count + 1;
    a->handed = calloc(count, sizeof *a->handed);
    a->child = malloc(count * sizeof *a->child);
    a->sibling = malloc(count * sizeof *a->sibling);
    a->place = malloc(((size_t)s->size + 1) * sizeof *a->place);
    a->room = malloc(front_room(most_rows(s)) * sizeof *a->room);
    if (!a->handed || !a->child || !a->sibling || !a->place || !a->room) {
        return false;
    }
    memset(a->child, -1, count * sizeof *a->child);
    for (int k = s->count - 1; k >= 0; --k) { /* so that lists ascend */
        int parent = s->parent[k];
        a->sibling[k] = parent >= 0 ? a->child[parent] : -1;
        if (parent >= 0) {
            a->child[parent] = k;
        }
    }
    return true;
}

/* The front of a supernode: its own columns, which are kept, and the square behind them, which is handed on. */
typedef struct front {
    int node, rows, columns, below;
    const int *row; /* positions */
    double *own;
    double *behind;
} front;

static bool open_front(assembly *a, int node, front *f)
{
    const supernodes *s = &a->f->nodes;
    *f = (front){ .node = node, .rows = supernode_rows(s, node), .columns = supernode_columns(s, node) };
    f->below = f->rows - f->columns;
    f->row = s->rows + s->rows_at[node];
    f->own = a->f->values + s->value_at[node];
    if (f->below > 0) {
        a->handed[node] = calloc((size_t)f->below * (size_t)f->below, sizeof(double));
    }
    f->behind = a->handed[node];
    for (int i = 0; i < f->rows; ++i) {
        a->place[f->row[i]] = i;
    }
    return f->below == 0 || f->behind;
}

static void add_matrix(const assembly *a, const front *f)
{
    const supernodes *s = &a->f->nodes;
    for (int j = 0; j < f->columns; ++j) {
        int c = s->first[f->node] + j;
        double *column = f->own + (ptrdiff_t)j * f->rows;
        for (int k = s->column_at[c]; k < s->column_at[c + 1]; ++k) {
            column[a->place[s->row[k]]] += a->entries[s->from[k]];
        }
    }
}

/* Adds what a child hands on, and gives it back. */
static void add_child(assembly *a, const front *f, int child)
{
    const supernodes *s = &a->f->nodes;
    int count = supernode_rows(s, child) - supernode_columns(s, child);
    const int *row = s->rows + s->rows_at[child] + supernode_columns(s, child);
    const double *from = a->handed[child];
    for (int j = 0; j < count; ++j, from += count) {
        int c = a->place[row[j]];
        double *column = c < f->columns ? f->own + (ptrdiff_t)c * f->rows
                                        : f->behind + (ptrdiff_t)(c - f->columns) * f->below - f->columns;
        for (int i = j; i < count; ++i) {
            column[a->place[row[i]]] += from[i];
        }
    }
    free(a->handed[child]);
    a->handed[child] = NULL;
}

/* Returns the columns done: fewer than there are if a pivot fails. */
static int close_front(const assembly *a, const front *f)
{
    int first = a->f->nodes.first[f->node];
    const front_panel panel = { .values = f->own,
                                .step = f->rows,
                                .rows = f->rows,
                                .columns = f->columns,
                                .pivots = a->f->pivots + first,
                                .floors = a->floors ? a->floors + first : NULL,
                                .room = a->room };
    int done = front_eliminate(a->kernels, &panel);
    if (done == f->columns && f->below > 0) {
        a->kernels->update(&(front_update){ .target = f->behind,
                                            .target_step = f->below,
                                            .rows = f->below,
                                            .columns = f->below,
                                            .source = f->own + f->columns,
                                            .source_step = f->rows,
                                            .pivots = panel.pivots,
                                            .depth = f->columns,
                                            .room = a->room });
    }
    return done;
}

/* Position of the first pivot that fails; size: none; -1: memory runs out. */
static int eliminate_all(assembly *a)
{
    const supernodes *s = &a->f->nodes;
    for (int k = 0; k < s->count; ++k) {
        front f;
        if (!open_front(a, k, &f)) {
            return -1;
        }
        add_matrix(a, &f);
        for (int child = a->child[k]; child >= 0; child = a->sibling[child]) {
            if (a->handed[child]) {
                add_child(a, &f, child);
            }
        }
        int done = close_front(a, &f);
        if (done < f.columns) {
            return s->first[k] + done;
        }
    }
    return s->size;
}

/* ---- create ---- */

static bool allocate(sparse_factor *f)
{
    size_t n = (size_t)f->nodes.size;
    size_t rows = (size_t)most_rows(&f->nodes);
    f->values = calloc(f->nodes.value_at[f->nodes.count] + 1, sizeof *f->values);
    f->pivots = malloc((n + 1) * sizeof *f->pivots);
    f->room = malloc((n + rows + 1) * TOGETHER * sizeof *f->room);
    return f->values && f->pivots && f->room;
}

/* `failed`: position of the first pivot that fails; the size: none. */
static carom_status factor(sparse_factor **out, const sparse_matrix *A, const double *floors_by_row, int *failed,
                           carom_error *err)
{
    sparse_factor *f = *out = calloc(1, sizeof **out);
    if (!f) {
        return no_memory(sparse_size(A), err);
    }
    carom_status status = supernodes_find(&f->nodes, &f->arena, A, err);
    assembly a = { .f = f,
                   .kernels = front_has_avx2() ? &front_kernels_avx2 : &front_kernels_portable,
                   .entries = A->lower->x };
    double *floors = NULL;
    if (status == CAROM_OK) {
        floors = malloc(((size_t)f->nodes.size + 1) * sizeof *floors);
        status = floors && allocate(f) && begin_assembly(&a) ? CAROM_OK : no_memory(f->nodes.size, err);
    }
    if (status == CAROM_OK) {
        for (int k = 0; floors_by_row && k < f->nodes.size; ++k) {
            floors[k] = floors_by_row[f->nodes.order[k]];
        }
        a.floors = floors_by_row ? floors : NULL;
        *failed = eliminate_all(&a);
        status = *failed >= 0 ? CAROM_OK : no_memory(f->nodes.size, err);
    }
    free_assembly(&a, f->nodes.count);
    free(floors);
    if (status != CAROM_OK) {
        sparse_factor_destroy(f);
        *out = NULL;
    }
    return status;
}

void sparse_factor_destroy(sparse_factor *f)
{
    if (f) {
        carom_arena_free(&f->arena);
        free(f->values);
        free(f->pivots);
        free(f->room);
        free(f);
    }
}

carom_status sparse_factor_create(sparse_factor **out, const sparse_matrix *A, carom_error *err)
{
    /* What rounding leaves of a pivot that is zero, a few units of the last place of its diagonal entry. */
    const double least = 32.0 * DBL_EPSILON;
    int n = sparse_size(A);
    double *floors = malloc(((size_t)n + 1) * sizeof *floors);
    *out = NULL;
    if (!floors) {
        return no_memory(n, err);
    }
    sparse_diagonal(A, floors);
    for (int k = 0; k < n; ++k) {
        floors[k] = least * fabs(floors[k]);
    }
    int failed = n;
    carom_status status = factor(out, A, floors, &failed, err);
    free(floors);
    if (status == CAROM_OK && failed < n) {
        status =
            carom_fail(err, CAROM_IMPOSSIBLE,
                       "the matrix is not positive definite: the pivot of row %d of %d vanishes or is negative; a "
                       "structure that is held nowhere has such a stiffness",
                       (*out)->nodes.order[failed], n);
        sparse_factor_destroy(*out);
        *out = NULL;
    }
    return status;
}

size_t sparse_factor_bytes(const sparse_factor *f)
{
    return f->nodes.value_at[f->nodes.count] * sizeof *f->values;
}

carom_status sparse_negative_count(const sparse_matrix *A, int *count, carom_error *err)
{
    sparse_factor *f;
    int failed = 0;
    *count = 0;
    carom_status status = factor(&f, A, NULL, &failed, err);
    if (status != CAROM_OK) {
        return status;
    }
    bool complete = failed == f->nodes.size;
    for (int k = 0; complete && k < f->nodes.size; ++k) {
        *count += f->pivots[k] < 0.0;
    }
    sparse_factor_destroy(f);
    return complete ? CAROM_OK : carom_fail(err, CAROM_NOT_CONVERGED, "a pivot vanishes: the matrix is singular");
}

/* ---- substitution ---- */

/* A supernode and the right-hand sides, `width` side by side: x at its own positions, t at the rows below. */
typedef struct part {
    const double *values;
    int rows, columns;
    const int *below; /* positions */
    double *x, *t, *all;
} part;

static inline part part_of(const sparse_factor *f, int node, int width)
{
    const supernodes *s = &f->nodes;
    int columns = supernode_columns(s, node);
    return (part){ .values = f->values + s->value_at[node],
                   .rows = supernode_rows(s, node),
                   .columns = columns,
                   .below = s->rows + s->rows_at[node] + columns,
                   .x = f->room + (ptrdiff_t)s->first[node] * width,
                   .t = f->room + (ptrdiff_t)s->size * width,
                   .all = f->room };
}

/* Takes `count` columns off the rows from `first` on: y(i) -= sum over the columns of L(i, c) x(c). */
static inline void take_columns(const part *p, int c, const int count, int first, double *y, const int width)
{
    const double *l = p->values + (ptrdiff_t)c * p->rows;
    const double *x = p->x + (ptrdiff_t)c * width;
    for (int i = first; i < p->rows; ++i, y += width) {
        for (int k = 0; k < width; ++k) {
            double sum = y[k];
            for (int j = 0; j < count; ++j) {
                sum -= l[i + (ptrdiff_t)j * p->rows] * x[j * width + k];
            }
            y[k] = sum;
        }
    }
}

enum { FOUR = 4 }; /* columns at a time */

static inline void forward(const part *p, const int width)
{
    int below = p->rows - p->columns;
    memset(p->t, 0, (size_t)below * (size_t)width * sizeof *p->t);
    for (int c = 0; c < p->columns; ++c) {
        const double *l = p->values + (ptrdiff_t)c * p->rows;
        const double *own = p->x + (ptrdiff_t)c * width;
        for (int i = c + 1; i < p->columns; ++i) {
            for (int k = 0; k < width; ++k) {
                p->x[(ptrdiff_t)i * width + k] -= l[i] * own[k];
            }
        }
    }
    int c = 0;
    for (; c + FOUR <= p->columns; c += FOUR) {
        take_columns(p, c, FOUR, p->columns, p->t, width);
    }
    for (; c < p->columns; ++c) {
        take_columns(p, c, 1, p->columns, p->t, width);
    }
    for (int i = 0; i < below; ++i) {
        double *to = p->all + (ptrdiff_t)p->below[i] * width;
        for (int k = 0; k < width; ++k) {
            to[k] += p->t[(ptrdiff_t)i * width + k];
        }
    }
}

/* x(c) -= sum over i from `first` on of L(i, c) y(i), for `count` columns. */
static inline void take_rows(const part *p, int c, const int count, int first, int end, const double *y,
                             const int width)
{
    double sum[FOUR * TOGETHER] = { 0.0 };
    const double *l = p->values + (ptrdiff_t)c * p->rows;
    for (int i = first; i < end; ++i, y += width) {
        for (int j = 0; j < count; ++j) {
            for (int k = 0; k < width; ++k) {
                sum[j * width + k] += l[i + (ptrdiff_t)j * p->rows] * y[k];
            }
        }
    }
    for (int k = 0; k < count * width; ++k) {
        p->x[(ptrdiff_t)c * width + k] -= sum[k];
    }
}

static inline void backward(const part *p, const double *pivots, const int width)
{
    int below = p->rows - p->columns;
    for (int i = 0; i < below; ++i) {
        memcpy(p->t + (ptrdiff_t)i * width, p->all + (ptrdiff_t)p->below[i] * width, (size_t)width * sizeof *p->t);
    }
    for (int c = 0; c < p->columns; ++c) {
        for (int k = 0; k < width; ++k) {
            p->x[(ptrdiff_t)c * width + k] /= pivots[c];
        }
    }
    int c = 0;
    for (; c + FOUR <= p->columns; c += FOUR) {
        take_rows(p, c, FOUR, p->columns, p->rows, p->t, width);
    }
    for (; c < p->columns; ++c) {
        take_rows(p, c, 1, p->columns, p->rows, p->t, width);
    }
    for (c = p->columns - 1; c >= 0; --c) {
        take_rows(p, c, 1, c + 1, p->columns, p->x + (ptrdiff_t)(c + 1) * width, width);
    }
}

static inline void substitute(const sparse_factor *f, const int width)
{
    for (int s = 0; s < f->nodes.count; ++s) {
        part p = part_of(f, s, width);
        forward(&p, width);
    }
    for (int s = f->nodes.count - 1; s >= 0; --s) {
        part p = part_of(f, s, width);
        backward(&p, f->pivots + f->nodes.first[s], width);
    }
}

/* Unrolled for one, which is most frequent, and for as many as go together. */
static void substitute_any(const sparse_factor *f, int width)
{
    switch (width) {
    case 1:
        substitute(f, 1);
        break;
    case TOGETHER:
        substitute(f, TOGETHER);
        break;
    default:
        substitute(f, width);
    }
}

void sparse_solve(sparse_factor *f, double *B, int count)
{
    const int *order = f->nodes.order;
    size_t n = (size_t)f->nodes.size;
    for (int first = 0; first < count; first += TOGETHER) {
        int width = count - first < TOGETHER ? count - first : TOGETHER;
        double *b = B + (size_t)first * n;
        for (size_t r = 0; r < n; ++r) {
            for (int k = 0; k < width; ++k) {
                f->room[r * (size_t)width + (size_t)k] = b[(size_t)k * n + (size_t)order[r]];
            }
        }
        substitute_any(f, width);
        for (size_t r = 0; r < n; ++r) {
            for (int k = 0; k < width; ++k) {
                b[(size_t)k * n + (size_t)order[r]] = f->room[r * (size_t)width + (size_t)k];
            }
        }
    }
}
