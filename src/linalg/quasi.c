/* Right-looking block LDL^T. Signs of pivots are those of a quasi-definite matrix, so no pivot is sought for. */
#include "linalg/quasi.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/block.h"

/* ---- analysis ---- */

typedef struct node_place {
    int first, count;
    bool is_row, is_diagonal;
} node_place;

static int compare_places(const void *a, const void *b)
{
    const node_place *x = a;
    const node_place *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

/* Nodes are the tiles on the diagonal. */
static bool list_nodes(quasi *q, carom_arena *arena, const pattern *p)
{
    node_place *places = calloc((size_t)p->tile_count + 1, sizeof *places);
    if (!places) {
        return false;
    }
    for (int i = 0; i < p->tile_count; ++i) {
        const tile *t = &p->tiles[i];
        if (t->row == t->column) {
            places[q->node_count++] = (node_place){ t->row, t->column_count, !t->from, t->diagonal };
        }
    }
    qsort(places, (size_t)q->node_count, sizeof *places, compare_places);
    q->first = CAROM_ARENA_ARRAY(arena, int, q->node_count + 1);
    q->is_row = CAROM_ARENA_ARRAY(arena, bool, q->node_count + 1);
    q->is_diagonal = CAROM_ARENA_ARRAY(arena, bool, q->node_count + 1);
    for (int k = 0; !arena->failed && k < q->node_count; ++k) {
        q->first[k] = places[k].first;
        q->is_row[k] = places[k].is_row;
        q->is_diagonal[k] = places[k].is_diagonal;
        q->first[k + 1] = places[k].first + places[k].count;
        q->widest = places[k].count > q->widest ? places[k].count : q->widest;
    }
    free(places);
    return !arena->failed;
}

static int size_of(const quasi *q, int node)
{
    return q->first[node + 1] - q->first[node];
}

static int node_of(const quasi *q, int unknown)
{
    int low = 0;
    int high = q->node_count - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (q->first[middle] <= unknown) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

/* Lists that grow, one per node: what is below it in the factor. */
typedef struct below {
    int *items;
    int count, capacity;
} below;

static bool put_below(below *b, int node)
{
    if (b->count == b->capacity) {
        int capacity = 2 * b->capacity + 4;
        int *items = realloc(b->items, (size_t)capacity * sizeof *items);
        if (!items) {
            return false;
        }
        b->items = items;
        b->capacity = capacity;
    }
    b->items[b->count++] = node;
    return true;
}

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a;
    int y = *(const int *)b;
    return (x > y) - (x < y);
}

static void sort_without_twins(below *b)
{
    int kept = 0;
    if (b->count > 0) {
        qsort(b->items, (size_t)b->count, sizeof *b->items, compare_ints);
    }
    for (int i = 0; i < b->count; ++i) {
        if (kept == 0 || b->items[kept - 1] != b->items[i]) {
            b->items[kept++] = b->items[i];
        }
    }
    b->count = kept;
}

/* What is below a node, but for the first of it, is below that first [Liu1992]. */
static bool fill_in(below *lists, int count)
{
    for (int k = 0; k < count; ++k) {
        sort_without_twins(&lists[k]);
        for (int i = 1; i < lists[k].count; ++i) {
            if (!put_below(&lists[lists[k].items[0]], lists[k].items[i])) {
                return false;
            }
        }
    }
    return true;
}

static bool lay_blocks(quasi *q, carom_arena *arena, const below *lists)
{
    size_t total = 0;
    for (int k = 0; k < q->node_count; ++k) {
        total += (size_t)lists[k].count;
    }
    q->start = CAROM_ARENA_ARRAY(arena, int, q->node_count + 1);
    q->blocks = carom_arena_array(arena, total + 1, sizeof *q->blocks);
    q->diagonal_at = CAROM_ARENA_ARRAY(arena, size_t, q->node_count + 1);
    for (int k = 0; !arena->failed && k < q->node_count; ++k) {
        size_t n = (size_t)size_of(q, k);
        q->diagonal_at[k] = q->number_count;
        q->number_count += q->is_diagonal[k] ? n : n * n;
        q->start[k + 1] = q->start[k];
        for (int i = 0; i < lists[k].count; ++i) {
            q->blocks[q->start[k + 1]++] = (quasi_block){ lists[k].items[i], q->number_count };
            q->number_count += n * (size_t)size_of(q, lists[k].items[i]);
        }
    }
    return !arena->failed;
}

static size_t find_block(const quasi *q, int column, int row)
{
    int low = q->start[column];
    int high = q->start[column + 1] - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (q->blocks[middle].node < row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return q->blocks[low].at;
}

/* A tile stands in the upper triangle: its columns belong to the later node, so its transpose is in the factor. */
static bool place_tiles(quasi *q, carom_arena *arena, const pattern *p)
{
    q->tile_at = CAROM_ARENA_ARRAY(arena, size_t, p->tile_count + 1);
    for (int i = 0; !arena->failed && i < p->tile_count; ++i) {
        const tile *t = &p->tiles[i];
        int early = node_of(q, t->row);
        int late = node_of(q, t->column);
        q->tile_at[i] = early == late ? q->diagonal_at[early] : find_block(q, early, late);
    }
    return !arena->failed;
}

bool quasi_analyse(quasi *q, carom_arena *arena, const pattern *p)
{
    *q = (quasi){ 0 };
    if (!list_nodes(q, arena, p)) {
        return false;
    }
    below *lists = calloc((size_t)q->node_count + 1, sizeof *lists);
    bool ok = lists;
    for (int i = 0; ok && i < p->tile_count; ++i) {
        const tile *t = &p->tiles[i];
        ok = t->row == t->column || put_below(&lists[node_of(q, t->row)], node_of(q, t->column));
    }
    ok = ok && fill_in(lists, q->node_count) && lay_blocks(q, arena, lists) && place_tiles(q, arena, p);
    for (int k = 0; lists && k < q->node_count; ++k) {
        free(lists[k].items);
    }
    free(lists);
    return ok;
}

bool quasi_allocate(quasi_factor *f, carom_arena *arena, const quasi *q)
{
    size_t n = (size_t)q->first[q->node_count];
    size_t widest = (size_t)q->widest;
    f->L = carom_arena_array(arena, q->number_count + 1, sizeof *f->L);
    f->d = carom_arena_array(arena, n + 1, sizeof *f->d);
    f->inverse = carom_arena_array(arena, n + 1, sizeof *f->inverse);
    f->turned = carom_arena_array(arena, widest * widest + 1, sizeof *f->turned);
    return !arena->failed;
}

/* ---- numbers ---- */

static void load_tiles(const quasi *q, const pattern *p, const double *e, quasi_factor *f)
{
    memset(f->L, 0, q->number_count * sizeof *f->L);
    for (int i = 0; i < p->tile_count; ++i) {
        const tile *t = &p->tiles[i];
        double *to = f->L + q->tile_at[i];
        const int rows = t->row_count;
        if (!t->from) {
            for (int k = 0; e && k < t->column_count; ++k) {
                to[(t->column_count + 1) * k] = -e[t->column + k];
            }
        } else if (t->diagonal) {
            for (int k = 0; k < rows; ++k) {
                to[k] = t->from[(size_t)k * (size_t)(t->row_step + t->column_step)];
            }
        } else if (t->row == t->column) { /* the upper triangle is given, the lower one is factored */
            for (int r = 0; r < rows; ++r) {
                for (int c = r; c < rows; ++c) {
                    to[c * rows + r] = t->from[r * t->row_step + c * t->column_step];
                }
            }
        } else {
            for (int c = 0; c < t->column_count; ++c) {
                for (int r = 0; r < rows; ++r) {
                    to[c * rows + r] = t->from[r * t->row_step + c * t->column_step];
                }
            }
        }
    }
}

/* a = L D L^T of a node, of its lower triangle. A row with -d < drop is left out; NULL: none is. */
BLOCK_INLINE void factor_diagonal(double *a, const int n, const double *drop, double *d, double *d_inverse)
{
    for (int c = 0; c < n; ++c) {
        d[c] = a[c * n + c];
        const bool out = drop && !(-d[c] >= drop[c]);
        const double inverse = out ? 0.0 : 1.0 / d[c];
        d_inverse[c] = inverse;
        for (int r = c + 1; r < n; ++r) {
            const double l = a[r * n + c] * inverse;
            for (int k = c + 1; k <= r; ++k) {
                a[r * n + k] -= l * a[k * n + c];
            }
        }
        for (int r = c + 1; r < n; ++r) {
            a[r * n + c] *= inverse;
        }
    }
}

/* The same for bodies of any width, by panels of columns: each number behind them is loaded and stored once for all, and sees them in their
 * order, so that bits are the same. `columns`: 4 n numbers. No row is left out. */
enum { PANEL = 4, WIDE = 8 };

static void subtract_panel(double *row, const double *l, const double *columns, int n, int from, int to)
{
    for (int k = from; k < to; ++k) {
        row[k] = row[k] - l[0] * columns[k] - l[1] * columns[n + k] - l[2] * columns[2 * n + k] -
                 l[3] * columns[3 * n + k];
    }
}

static void factor_wide(double *a, int n, double *d, double *d_inverse, double *restrict columns)
{
    for (int first = 0; first < n; first += PANEL) {
        const int end = first + PANEL < n ? first + PANEL : n;
        for (int c = first; c < end; ++c) {
            d[c] = a[c * n + c];
            d_inverse[c] = 1.0 / d[c];
            for (int r = c + 1; r < n; ++r) {
                const double l = a[r * n + c] * d_inverse[c];
                for (int k = c + 1; k <= r && k < end; ++k) {
                    a[r * n + k] -= l * a[k * n + c];
                }
                columns[(c - first) * n + r] = a[r * n + c];
            }
        }
        for (int r = end; r < n; ++r) {
            double l[PANEL];
            for (int p = 0; p < PANEL; ++p) {
                l[p] = columns[p * n + r] * d_inverse[first + p];
            }
            subtract_panel(a + r * n, l, columns, n, end, r + 1);
        }
        for (int r = first + 1; r < n; ++r) {
            for (int c = first; c < end && c < r; ++c) {
                a[r * n + c] *= d_inverse[c];
            }
        }
    }
}

/* X <- X L^-T, rows of n. */
BLOCK_INLINE void solve_rows(double *x, int rows, const double *l, const int n)
{
    for (int r = 0; r < rows; ++r, x += n) {
        for (int c = 1; c < n; ++c) {
            double sum = x[c];
            for (int k = 0; k < c; ++k) {
                sum -= x[k] * l[c * n + k];
            }
            x[c] = sum;
        }
    }
}

/* T -= X Y, T rows x columns, X rows x n, Y n x columns. */
BLOCK_INLINE void subtract_product(double *t, const double *x, int rows, const double *y, const int columns,
                                   const int n)
{
    for (int r = 0; r < rows; ++r, t += columns, x += n) {
        BLOCK_UNROLL for (int k = 0; k < n; ++k)
        {
            const double factor = x[k];
            BLOCK_UNROLL for (int c = 0; c < columns; ++c)
            {
                t[c] -= factor * y[k * columns + c];
            }
        }
    }
}

/* The same for sizes that no compiler knows. */
static void subtract_any(double *t, const double *x, int rows, const double *y, int columns, int n)
{
    for (int r = 0; r < rows; ++r, t += columns, x += n) {
        for (int k = 0; k < n; ++k) {
            const double factor = x[k];
            for (int c = 0; c < columns; ++c) {
                t[c] -= factor * y[k * columns + c];
            }
        }
    }
}

static void update(double *t, const double *x, int rows, const double *y, int columns, int n)
{
    if (columns == BLOCK_WIDTH && n == BLOCK_WIDTH) {
        subtract_product(t, x, rows, y, BLOCK_WIDTH, BLOCK_WIDTH);
    } else if (columns == BLOCK_WIDTH && n == 5) {
        subtract_product(t, x, rows, y, BLOCK_WIDTH, 5);
    } else if (columns == 5 && n == BLOCK_WIDTH) {
        subtract_product(t, x, rows, y, 5, BLOCK_WIDTH);
    } else if (columns == 5 && n == 5) {
        subtract_product(t, x, rows, y, 5, 5);
    } else {
        subtract_any(t, x, rows, y, columns, n);
    }
}

/* turned (n x rows) <- the transpose of x (rows x n); x <- x D^-1. */
static void turn_and_scale(double *x, int rows, int n, const double *inverse, double *turned)
{
    for (int r = 0; r < rows; ++r) {
        for (int k = 0; k < n; ++k) {
            turned[k * rows + r] = x[r * n + k];
            x[r * n + k] *= inverse[k];
        }
    }
}

static void invert_diagonal(const double *a, int n, double *d, double *d_inverse)
{
    for (int k = 0; k < n; ++k) {
        d[k] = a[k];
        d_inverse[k] = 1.0 / a[k];
    }
}

/* Sizes that rigid bodies and their joints have are constants, so that loops are unrolled. */
static void factor_node(const quasi *q, int node, const double *drop, quasi_factor *f)
{
    const int n = size_of(q, node);
    const int first = q->first[node];
    double *a = f->L + q->diagonal_at[node];
    const double *limits = q->is_row[node] && drop ? drop + first : NULL;
    if (q->is_diagonal[node]) {
        invert_diagonal(a, n, f->d + first, f->inverse + first);
    } else if (n == BLOCK_WIDTH) {
        factor_diagonal(a, BLOCK_WIDTH, limits, f->d + first, f->inverse + first);
    } else if (n == 5) {
        factor_diagonal(a, 5, limits, f->d + first, f->inverse + first);
    } else if (n >= WIDE && !q->is_row[node]) {
        factor_wide(a, n, f->d + first, f->inverse + first, f->turned);
    } else {
        factor_diagonal(a, n, limits, f->d + first, f->inverse + first);
    }
}

static void solve_block(double *x, int rows, const double *l, int n)
{
    if (n == BLOCK_WIDTH) {
        solve_rows(x, rows, l, BLOCK_WIDTH);
    } else if (n == 5) {
        solve_rows(x, rows, l, 5);
    } else {
        solve_rows(x, rows, l, n);
    }
}

/* Takes a node out of all that come later. */
static void eliminate(const quasi *q, int column, quasi_factor *f)
{
    const int n = size_of(q, column);
    const double *l = f->L + q->diagonal_at[column];
    const double *inverse = f->inverse + q->first[column];
    const quasi_block *end = q->blocks + q->start[column + 1];
    if (!q->is_diagonal[column]) {
        for (const quasi_block *b = q->blocks + q->start[column]; b < end; ++b) {
            solve_block(f->L + b->at, size_of(q, b->node), l, n);
        }
    }
    for (const quasi_block *b = q->blocks + q->start[column]; b < end; ++b) {
        const int columns = size_of(q, b->node);
        double *x = f->L + b->at;
        turn_and_scale(x, columns, n, inverse, f->turned);
        update(f->L + q->diagonal_at[b->node], x, columns, f->turned, columns, n);
        for (int k = 0; k < n; ++k) { /* blocks behind this one are still without their D^-1 */
            for (int c = 0; c < columns; ++c) {
                f->turned[k * columns + c] *= inverse[k];
            }
        }
        int walk = q->start[b->node];
        for (const quasi_block *i = b + 1; i < end; ++i) {
            while (q->blocks[walk].node < i->node) {
                ++walk;
            }
            update(f->L + q->blocks[walk].at, f->L + i->at, size_of(q, i->node), f->turned, columns, n);
        }
    }
}

void quasi_factorise(const quasi *q, const pattern *p, const double *e, const double *drop, quasi_factor *f)
{
    load_tiles(q, p, e, f);
    for (int k = 0; k < q->node_count; ++k) {
        factor_node(q, k, drop, f);
        eliminate(q, k, f);
    }
}

/* ---- substitution ---- */

/* out -= B own, and own -= B^T other. */
BLOCK_INLINE void subtract_times(double *out, const double *b, int rows, const double *own, const int n)
{
    for (int r = 0; r < rows; ++r) {
        double sum = 0.0;
        for (int k = 0; k < n; ++k) {
            sum += b[r * n + k] * own[k];
        }
        out[r] -= sum;
    }
}

BLOCK_INLINE void subtract_turned(double *own, const double *b, int rows, const double *other, const int n)
{
    for (int r = 0; r < rows; ++r) {
        for (int k = 0; k < n; ++k) {
            own[k] -= b[r * n + k] * other[r];
        }
    }
}

BLOCK_INLINE void forward_node(const quasi *q, const quasi_factor *f, int node, double *v, const int n)
{
    const double *l = f->L + q->diagonal_at[node];
    double *own = v + q->first[node];
    if (!q->is_diagonal[node]) {
        for (int r = 1; r < n; ++r) {
            double sum = own[r];
            for (int k = 0; k < r; ++k) {
                sum -= l[r * n + k] * own[k];
            }
            own[r] = sum;
        }
    }
    for (int i = q->start[node]; i < q->start[node + 1]; ++i) {
        const quasi_block *b = &q->blocks[i];
        subtract_times(v + q->first[b->node], f->L + b->at, size_of(q, b->node), own, n);
    }
}

BLOCK_INLINE void backward_node(const quasi *q, const quasi_factor *f, int node, double *v, const int n)
{
    const double *l = f->L + q->diagonal_at[node];
    double *own = v + q->first[node];
    for (int k = 0; k < n; ++k) {
        own[k] *= f->inverse[q->first[node] + k];
    }
    for (int i = q->start[node]; i < q->start[node + 1]; ++i) {
        const quasi_block *b = &q->blocks[i];
        subtract_turned(own, f->L + b->at, size_of(q, b->node), v + q->first[b->node], n);
    }
    if (!q->is_diagonal[node]) {
        for (int r = n - 1; r > 0; --r) {
            for (int k = 0; k < r; ++k) {
                own[k] -= l[r * n + k] * own[r];
            }
        }
    }
}

void quasi_solve(const quasi *q, const quasi_factor *f, double *v)
{
    for (int k = 0; k < q->node_count; ++k) {
        switch (size_of(q, k)) {
        case BLOCK_WIDTH:
            forward_node(q, f, k, v, BLOCK_WIDTH);
            break;
        case 5:
            forward_node(q, f, k, v, 5);
            break;
        default:
            forward_node(q, f, k, v, size_of(q, k));
        }
    }
    for (int k = q->node_count - 1; k >= 0; --k) {
        switch (size_of(q, k)) {
        case BLOCK_WIDTH:
            backward_node(q, f, k, v, BLOCK_WIDTH);
            break;
        case 5:
            backward_node(q, f, k, v, 5);
            break;
        default:
            backward_node(q, f, k, v, size_of(q, k));
        }
    }
}
