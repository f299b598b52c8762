/* The steps of tree.c for bodies of any width, with the same formulas and names; one of the two bodies may have the usual
 * six columns, whose records have the same layout here and there. */
#include "linalg/tree_step.h"

#include "linalg/arrow.h"
#include "linalg/block.h"
#include "linalg/wide.h"
#include "math/numbers.h"

#include <string.h>

typedef struct wide_record {
    double *l;      /* width x width columns; first, because parents collect there */
    double *d_inv;  /* width                                                        */
    double *w;      /* rows x width in rows                                         */
    double *ls;     /* rows x rows columns                                          */
    double *s_inv;  /* rows                                                         */
    double *y;      /* rows x parent_width in rows                                  */
    double *u;      /* width x parent_width in rows                                 */
    double *scaled; /* width: room for a column                                     */
    double *span;   /* columns behind which all of w is zero                        */
} wide_record;

static wide_record record_of(const tree_step *s)
{
    size_t width = (size_t)s->width;
    size_t rows = (size_t)s->rows;
    wide_record r;
    r.l = s->record;
    r.d_inv = r.l + width * width;
    r.w = r.d_inv + width;
    r.ls = r.w + rows * width;
    r.s_inv = r.ls + rows * rows;
    r.y = r.s_inv + rows;
    r.u = r.y + rows * (size_t)s->parent_width;
    r.scaled = r.u + (s->coupling ? width * (size_t)s->parent_width : 0);
    r.span = r.scaled + width;
    return r;
}

size_t tree_wide_record_size(const tree_step *s)
{
    size_t width = (size_t)s->width;
    size_t rows = (size_t)s->rows;
    size_t parent = (size_t)s->parent_width;
    return width * width + width + rows * width + rows * rows + rows + rows * parent +
           (s->coupling ? width * parent : 0) + width + 1;
}

/* ---- arrows ---- */

/* A body at the end of a tree may be an arrow (arrow.h). */
static bool is_arrow(const tree_step *s)
{
    return s->is_leaf && s->diagonal > 0 && !s->coupling;
}

static int full_of(const tree_step *s)
{
    return s->width - s->diagonal;
}

static int factor_arrow(const tree_step *s, wide_record r)
{
    const int full = full_of(s);
    int axis = arrow_ldl(r.l, r.d_inv, s->a, full, s->diagonal, BLOCK_PIVOT_FLOOR);
    return axis < full ? axis : s->width;
}

/* b <- L^-1 b */
static void forward(const tree_step *s, wide_record r, double *b)
{
    if (is_arrow(s)) {
        arrow_forward(b, r.l, full_of(s), s->diagonal);
    } else {
        wide_forward(b, r.l, s->width);
    }
}

/* b <- L^-T b */
static void backward(const tree_step *s, wide_record r, double *b)
{
    if (is_arrow(s)) {
        arrow_backward(b, r.l, full_of(s), s->diagonal);
    } else {
        wide_backward(b, r.l, s->width);
    }
}

/* ---- factor ---- */

static void load_coupling(double *u, const tree_step *s)
{
    for (int i = 0; i < s->width; ++i) {
        for (int j = 0; j < s->parent_width; ++j) {
            size_t upright = (size_t)i * (size_t)s->parent_width + (size_t)j;
            size_t turned = (size_t)j * (size_t)s->width + (size_t)i;
            u[upright] = s->coupling[s->coupling_is_transposed ? turned : upright];
        }
    }
}

/* Rows of joints on a frame have nothing in the columns behind it, and keep it so. */
static int span_of(const tree_step *s)
{
    int span = is_arrow(s) ? full_of(s) : s->width;
    for (int i = 0; i < s->rows; ++i) {
        const double *row = s->child_rows + (size_t)i * (size_t)s->width;
        for (int c = s->width - 1; c >= span; --c) {
            span = row[c] != 0.0 ? c + 1 : span;
        }
    }
    return span;
}

/* W = Gc L^-T: row by row a forward substitution. */
static void load_rows(const tree_step *s, wide_record r)
{
    *r.span = span_of(s);
    if (s->rows > 0) {
        memcpy(r.w, s->child_rows, (size_t)s->rows * (size_t)s->width * sizeof(double));
    }
    for (int i = 0; i < s->rows; ++i) {
        forward(s, r, r.w + (size_t)i * (size_t)s->width);
    }
}

/* S = W D^-1 W^T, lower part in columns. */
static void square_rows(const tree_step *s, wide_record r)
{
    const int span = (int)*r.span;
    for (int k = 0; k < s->rows; ++k) {
        for (int i = k; i < s->rows; ++i) {
            double sum = 0.0;
            for (int c = 0; c < span; ++c) {
                sum += r.w[(size_t)i * (size_t)s->width + (size_t)c] * r.d_inv[c] *
                       r.w[(size_t)k * (size_t)s->width + (size_t)c];
            }
            r.ls[k * s->rows + i] = sum;
        }
    }
}

/* Y = Gp - W D^-1 U, then Ls^-1 of it. */
static void load_parent_rows(const tree_step *s, wide_record r)
{
    size_t parent = (size_t)s->parent_width;
    if (s->rows > 0) {
        memcpy(r.y, s->parent_rows, (size_t)s->rows * parent * sizeof(double));
    }
    for (int i = 0; s->coupling && i < s->rows; ++i) {
        for (int c = 0; c < s->width; ++c) {
            double scaled = r.w[(size_t)i * (size_t)s->width + (size_t)c] * r.d_inv[c];
            for (size_t k = 0; k < parent; ++k) {
                r.y[(size_t)i * parent + k] -= scaled * r.u[(size_t)c * parent + k];
            }
        }
    }
    wide_solve_left(r.y, r.ls, s->rows, s->parent_width);
}

/* The first column whose diagonal entry is not positive, or width: what hangs on a body could hide it from the pivots. */
static int bad_diagonal(const tree_step *s)
{
    for (int k = 0; k < s->width; ++k) {
        if (!(s->a[(size_t)k * ((size_t)s->width + 1)] > 0.0)) {
            return k;
        }
    }
    return s->width;
}

static int factor_body(const tree_step *s, wide_record r)
{
    if (is_arrow(s)) {
        int bad = bad_diagonal(s);
        return bad < s->width ? bad : factor_arrow(s, r);
    }
    if (s->is_leaf) {
        memcpy(r.l, s->a, (size_t)s->width * (size_t)s->width * sizeof(double));
    }
    int axis = bad_diagonal(s);
    return axis < s->width ? axis : wide_ldl(r.l, r.d_inv, s->width, BLOCK_PIVOT_FLOOR);
}

tree_result tree_wide_eliminate(const tree_step *s)
{
    wide_record r = record_of(s);
    int axis = factor_body(s, r);
    if (axis < s->width) {
        return (tree_result){ TREE_BODY_FAILED, s->body, axis };
    }
    const double *base = s->parent_base;
    if (s->coupling) {
        load_coupling(r.u, s);
        wide_solve_left(r.u, r.l, s->width, s->parent_width);
        wide_add_square_rows(s->parent_record, base, r.u, r.d_inv, -1.0, s->width, s->parent_width);
        base = s->parent_record;
    }
    load_rows(s, r);
    square_rows(s, r);
    int row = wide_ldl(r.ls, r.s_inv, s->rows, TREE_ROW_FLOOR);
    if (row < s->rows) {
        return (tree_result){ TREE_ROWS_FAILED, s->body, row };
    }
    if (s->parent_rows) {
        load_parent_rows(s, r);
        wide_add_square_rows(s->parent_record, base, r.y, r.s_inv, 1.0, s->rows, s->parent_width);
    }
    return (tree_result){ TREE_DONE, 0, 0 };
}

/* ---- solve ---- */

static void add_scaled(double *out, double factor, const double *a, int n)
{
    for (int k = 0; k < n; ++k) {
        out[k] += factor * a[k];
    }
}

void tree_wide_descend(const tree_step *s, double *x, double *y)
{
    wide_record r = record_of(s);
    double *b = x + s->at;
    double *f_parent = x + s->parent_at;
    double *h = y + s->first_row;
    forward(s, r, b);
    for (int k = 0; k < s->width; ++k) {
        b[k] *= r.d_inv[k];
    }
    for (int k = 0; s->coupling && k < s->width; ++k) {
        add_scaled(f_parent, -b[k], r.u + (size_t)k * (size_t)s->parent_width, s->parent_width);
    }
    for (int i = 0; i < s->rows; ++i) {
        h[i] = numbers_dot(r.w + (size_t)i * (size_t)s->width, b, (int)*r.span) - h[i];
    }
    wide_forward(h, r.ls, s->rows);
    for (int i = 0; s->parent_rows && i < s->rows; ++i) {
        add_scaled(f_parent, -h[i] * r.s_inv[i], r.y + (size_t)i * (size_t)s->parent_width, s->parent_width);
    }
}

void tree_wide_ascend(const tree_step *s, double *x, double *y)
{
    wide_record r = record_of(s);
    double *b = x + s->at;
    const double *x_parent = x + s->parent_at;
    double *h = y + s->first_row;
    for (int i = 0; i < s->rows; ++i) {
        double pull = s->parent_rows
                          ? numbers_dot(r.y + (size_t)i * (size_t)s->parent_width, x_parent, s->parent_width)
                          : 0.0;
        h[i] = (h[i] + pull) * r.s_inv[i];
    }
    wide_backward(h, r.ls, s->rows);
    const int span = (int)*r.span; /* the whole width where there is a coupling */
    memset(r.scaled, 0, (size_t)span * sizeof(double));
    for (int i = 0; i < s->rows; ++i) {
        add_scaled(r.scaled, h[i], r.w + (size_t)i * (size_t)s->width, span);
    }
    for (int k = 0; k < span; ++k) {
        double coupled = s->coupling
                             ? numbers_dot(r.u + (size_t)k * (size_t)s->parent_width, x_parent, s->parent_width)
                             : 0.0;
        b[k] -= r.d_inv[k] * (r.scaled[k] + coupled);
    }
    backward(s, r, b);
}
