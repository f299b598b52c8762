/* Small dense systems by Householder's QR with column pivots [Golub & Van Loan, 5.4]: A P = Q R, whose leading r x r block
 * is regular. For r < n the rest of R is folded into that block from the right, R = (T 0) Z, which gives the least-squares
 * solution of least norm. Scaling first makes the rank independent of units: rows may be metres per second of a pebble
 * beside those of a planet. */
#include "linalg/dense.h"

#include <math.h>

size_t dense_scratch(int n)
{
    return 4 * (size_t)n;
}

/* A system on its way: columns stand in the order `column`, B has `count` columns. */
typedef struct system {
    double *A, *B;
    int n, count;
    double *scale;  /* x_k = scale_k y_k, and equation k is multiplied by scale_k */
    double *column; /* which unknown stands in a column (small whole numbers) */
    double *beta;   /* of the reflections from the right */
    double *x;      /* one solution */
} system;

/* Rows and columns times 1/sqrt|A_kk|; returns the largest entry then. */
static double scale_system(system *s)
{
    int n = s->n;
    for (int k = 0; k < n; ++k) {
        double d = fabs(s->A[k * n + k]);
        s->scale[k] = d > 0.0 ? 1.0 / sqrt(d) : 1.0;
        s->column[k] = (double)k;
    }
    double largest = 0.0;
    for (int k = 0; k < n; ++k) {
        for (int l = 0; l < n; ++l) {
            s->A[k * n + l] *= s->scale[k] * s->scale[l];
            double entry = fabs(s->A[k * n + l]);
            largest = isnan(entry) ? HUGE_VAL : fmax(largest, entry);
        }
        for (int c = 0; c < s->count; ++c) {
            s->B[k * s->count + c] *= s->scale[k];
        }
    }
    return largest;
}

/* Sum of squares of column l from row k downwards. */
static double column_square(const system *s, int k, int l)
{
    double sum = 0.0;
    for (int i = k; i < s->n; ++i) {
        sum += s->A[i * s->n + l] * s->A[i * s->n + l];
    }
    return sum;
}

/* Brings the longest remaining column to place k; returns its length. */
static double pivot_column(system *s, int k)
{
    int best = k;
    double longest = -1.0;
    for (int l = k; l < s->n; ++l) {
        double square = column_square(s, k, l);
        if (square > longest) {
            longest = square;
            best = l;
        }
    }
    if (best != k) {
        for (int i = 0; i < s->n; ++i) {
            double keep = s->A[i * s->n + k];
            s->A[i * s->n + k] = s->A[i * s->n + best];
            s->A[i * s->n + best] = keep;
        }
        double keep = s->column[k];
        s->column[k] = s->column[best];
        s->column[best] = keep;
    }
    return sqrt(longest);
}

/* data -= beta w (w . data) for the vector w below the diagonal of column k (w_k = head). */
static void reflect(const system *s, int k, double head, double beta, double *data, int stride)
{
    double dot = head * data[k * stride];
    for (int i = k + 1; i < s->n; ++i) {
        dot += s->A[i * s->n + k] * data[i * stride];
    }
    data[k * stride] -= beta * dot * head;
    for (int i = k + 1; i < s->n; ++i) {
        data[i * stride] -= beta * dot * s->A[i * s->n + k];
    }
}

/* Makes column k a multiple of e_k by a reflection, which the columns to the right and B undergo too. */
static void eliminate_column(system *s, int k, double length)
{
    double *diagonal = &s->A[k * s->n + k];
    double target = *diagonal > 0.0 ? -length : length;
    double head = *diagonal - target;
    double beta = -1.0 / (target * head); /* 2 / |w|^2 */
    for (int l = k + 1; l < s->n; ++l) {
        reflect(s, k, head, beta, s->A + l, s->n);
    }
    for (int c = 0; c < s->count; ++c) {
        reflect(s, k, head, beta, s->B + c, s->count);
    }
    *diagonal = target;
}

static int triangulate(system *s, double smallest)
{
    for (int k = 0; k < s->n; ++k) {
        double length = pivot_column(s, k);
        if (!(length > smallest)) {
            return k;
        }
        eliminate_column(s, k, length);
    }
    return s->n;
}

/* From here on the unknowns are x itself, whose norm is to be least. */
static void unscale_columns(system *s, int rank)
{
    for (int l = 0; l < s->n; ++l) {
        double *scale = &s->scale[(int)s->column[l]];
        for (int i = 0; i < rank && i <= l; ++i) {
            s->A[i * s->n + l] /= *scale;
        }
        *scale = 1.0;
    }
}

/* Row i of (R11 R12) becomes (.., T_ii, .., 0) by a reflection of the columns i and r .. n - 1; its vector, whose entry i
 * is 1, stays in the places of R12. */
static void fold_row(system *s, int rank, int i)
{
    double *row = s->A + i * s->n;
    double square = row[i] * row[i];
    double tail = 0.0;
    for (int l = rank; l < s->n; ++l) {
        tail += row[l] * row[l];
    }
    s->beta[i] = 0.0;
    if (tail == 0.0) {
        return;
    }
    double target = row[i] > 0.0 ? -sqrt(square + tail) : sqrt(square + tail);
    double head = row[i] - target;
    for (int l = rank; l < s->n; ++l) {
        row[l] /= head;
    }
    s->beta[i] = -head / target;
    row[i] = target;
    for (int k = 0; k < i; ++k) {
        double *other = s->A + k * s->n;
        double dot = other[i];
        for (int l = rank; l < s->n; ++l) {
            dot += other[l] * row[l];
        }
        other[i] -= s->beta[i] * dot;
        for (int l = rank; l < s->n; ++l) {
            other[l] -= s->beta[i] * dot * row[l];
        }
    }
}

/* x = P Z^T (T^-1 of the leading part of column c of B; 0). */
static void back_substitute(system *s, int rank, int c)
{
    int n = s->n;
    for (int k = rank - 1; k >= 0; --k) {
        double sum = s->B[k * s->count + c];
        for (int l = k + 1; l < rank; ++l) {
            sum -= s->A[k * n + l] * s->x[l];
        }
        s->x[k] = sum / s->A[k * n + k];
    }
    for (int k = rank; k < n; ++k) {
        s->x[k] = 0.0;
    }
    for (int i = 0; rank < n && i < rank; ++i) { /* the reflections, first made last */
        const double *row = s->A + i * n;
        double dot = s->x[i];
        for (int l = rank; l < n; ++l) {
            dot += row[l] * s->x[l];
        }
        s->x[i] -= s->beta[i] * dot;
        for (int l = rank; l < n; ++l) {
            s->x[l] -= s->beta[i] * dot * row[l];
        }
    }
    for (int k = 0; k < n; ++k) {
        int unknown = (int)s->column[k];
        s->B[unknown * s->count + c] = s->x[k] * s->scale[unknown];
    }
}

/* Nothing can be said of a matrix that is not finite: no unknown is known. */
static int fill_with_nan(system *s)
{
    for (int k = 0; k < s->n * s->count; ++k) {
        s->B[k] = (double)NAN;
    }
    return 0;
}

int dense_solve_many(double *A, double *B, int n, int count, double tolerance, double *scratch)
{
    system s = { .A = A,
                 .B = B,
                 .n = n,
                 .count = count,
                 .scale = scratch,
                 .column = scratch + n,
                 .beta = scratch + 2 * n,
                 .x = scratch + 3 * n };
    double largest = scale_system(&s);
    if (!isfinite(largest)) {
        return fill_with_nan(&s);
    }
    int rank = triangulate(&s, tolerance * largest);
    if (rank < n) {
        unscale_columns(&s, rank);
    }
    for (int i = rank - 1; rank < n && i >= 0; --i) {
        fold_row(&s, rank, i);
    }
    for (int c = 0; c < count; ++c) {
        back_substitute(&s, rank, c);
    }
    return rank;
}

int dense_solve(double *A, double *b, int n, double tolerance, double *scratch)
{
    if (n == 1) { /* the commonest size by far */
        b[0] = A[0] != 0.0 ? b[0] / A[0] : 0.0;
        return A[0] != 0.0;
    }
    return dense_solve_many(A, b, n, 1, tolerance, scratch);
}
