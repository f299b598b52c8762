/* Small dense systems by Householder's QR with column pivots [Golub1996, 5.4]: A P = Q R, whose leading r x r block
 * is regular. For r < n the rest of R is folded into that block from the right, R = (T 0) Z, which gives the least-squares
 * solution of least norm. Scaling first makes the rank independent of units: rows may be metres per second of a pebble
 * beside those of a planet.
 *
 * Where a matrix is known to be regular, as a rule, Gaussian elimination does the same at a fraction of the cost. */
#include "linalg/dense.h"

#include <math.h>

#include "math/numbers.h"

size_t dense_scratch(int n)
{
    return 5 * (size_t)n;
}

/* A system on its way: columns stand in the order `column`, B has `count` columns. */
typedef struct system {
    double *A, *B;
    int n, count;
    double *scale;  /* x_k = scale_k y_k, and equation k is multiplied by scale_k */
    double *column; /* which unknown stands in a column (small whole numbers) */
    double *beta;   /* of the reflections from the right */
    double *x;      /* one solution */
    double *sums;   /* one for each column */
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

/* The column whose part from row k downwards is longest; its length. Row by row, as everything here: that is how the matrix
 * lies in memory. */
static int longest_column(const system *s, int k, double *length)
{
    int n = s->n;
    int best = k;
    for (int l = k; l < n; ++l) {
        s->sums[l] = 0.0;
    }
    for (int i = k; i < n; ++i) {
        const double *row = s->A + i * n;
        for (int l = k; l < n; ++l) {
            s->sums[l] += row[l] * row[l];
        }
    }
    for (int l = k + 1; l < n; ++l) {
        best = s->sums[l] > s->sums[best] ? l : best;
    }
    *length = sqrt(s->sums[best]);
    return best;
}

static void swap_columns(system *s, int k, int l)
{
    for (int i = 0; i < s->n; ++i) {
        double keep = s->A[i * s->n + k];
        s->A[i * s->n + k] = s->A[i * s->n + l];
        s->A[i * s->n + l] = keep;
    }
    double keep = s->column[k];
    s->column[k] = s->column[l];
    s->column[l] = keep;
}

/* Columns from .. to - 1 of `data` undergo the reflection 1 - beta w w^T, where w is column k below the diagonal and `head`
 * on it. */
static void reflect(const system *s, int k, double head, double beta, double *data, int width, int from, int to)
{
    double *dot = s->sums;
    for (int l = from; l < to; ++l) {
        dot[l] = head * data[k * width + l];
    }
    for (int i = k + 1; i < s->n; ++i) {
        double w = s->A[i * s->n + k];
        for (int l = from; l < to; ++l) {
            dot[l] += w * data[i * width + l];
        }
    }
    for (int l = from; l < to; ++l) {
        dot[l] *= beta;
        data[k * width + l] -= dot[l] * head;
    }
    for (int i = k + 1; i < s->n; ++i) {
        double w = s->A[i * s->n + k];
        for (int l = from; l < to; ++l) {
            data[i * width + l] -= dot[l] * w;
        }
    }
}

/* Makes column k a multiple of e_k by a reflection, which the columns to the right and B undergo too. */
static void eliminate_column(system *s, int k, double length)
{
    double *diagonal = &s->A[k * s->n + k];
    double target = *diagonal > 0.0 ? -length : length;
    double head = *diagonal - target;
    double beta = -1.0 / (target * head); /* 2 / |w|^2 */
    reflect(s, k, head, beta, s->A, s->n, k + 1, s->n);
    for (int from = 0; from < s->count; from += s->n) { /* there is room for n sums */
        int to = from + s->n < s->count ? from + s->n : s->count;
        reflect(s, k, head, beta, s->B + from, s->count, 0, to - from);
    }
    *diagonal = target;
}

static int triangulate(system *s, double smallest)
{
    for (int k = 0; k < s->n; ++k) {
        double length = 0.0;
        int best = longest_column(s, k, &length);
        if (best != k) {
            swap_columns(s, k, best);
        }
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

/* Z^T x: the reflections of the columns, first made last. */
static void unfold(const system *s, int rank)
{
    int n = s->n;
    for (int i = 0; rank < n && i < rank; ++i) {
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
    unfold(s, rank);
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

static system make_system(double *A, int n, double *scratch)
{
    return (system){ .A = A,
                     .n = n,
                     .scale = scratch,
                     .column = scratch + n,
                     .beta = scratch + 2 * n,
                     .x = scratch + 3 * n,
                     .sums = scratch + 4 * n };
}

int dense_solve_many(double *A, double *B, int n, int count, double tolerance, double *scratch)
{
    system s = make_system(A, n, scratch);
    s.B = B;
    s.count = count;
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

void dense_row_vector(double *A, int n, int rank, int which, double *scratch, double *out)
{
    system s = make_system(A, n, scratch);
    for (int k = 0; k < n; ++k) {
        s.x[k] = k == which ? 1.0 : 0.0;
    }
    unfold(&s, rank);
    for (int k = 0; k < n; ++k) {
        out[(int)s.column[k]] = s.x[k];
    }
}

int dense_solve(double *A, double *b, int n, double tolerance, double *scratch)
{
    if (n == 1) { /* the commonest size by far */
        b[0] = A[0] != 0.0 ? b[0] / A[0] : 0.0;
        return A[0] != 0.0;
    }
    return dense_solve_many(A, b, n, 1, tolerance, scratch);
}

/* ---- elimination ---- */

static int largest_below(const double *A, int n, int k)
{
    int best = k;
    for (int i = k + 1; i < n; ++i) {
        best = fabs(A[i * n + k]) > fabs(A[best * n + k]) ? i : best;
    }
    return best;
}

static void swap_rows(double *A, double *b, int n, int i, int k)
{
    for (int l = 0; l < n; ++l) {
        double keep = A[i * n + l];
        A[i * n + l] = A[k * n + l];
        A[k * n + l] = keep;
    }
    double keep = b[i];
    b[i] = b[k];
    b[k] = keep;
}

/* Takes multiples of row k from those below, so that column k vanishes there; its entries are not looked at again. */
static void clear_below(double *A, double *b, int n, int k)
{
    for (int i = k + 1; i < n; ++i) {
        double factor = A[i * n + k] / A[k * n + k];
        for (int l = k + 1; factor != 0.0 && l < n; ++l) {
            A[i * n + l] -= factor * A[k * n + l];
        }
        b[i] -= factor * b[k];
    }
}

static void substitute(const double *A, double *b, int n)
{
    for (int k = n - 1; k >= 0; --k) {
        for (int l = k + 1; l < n; ++l) {
            b[k] -= A[k * n + l] * b[l];
        }
        b[k] /= A[k * n + k];
    }
}

bool dense_eliminate(double *A, double *b, int n, double least, double *det)
{
    double product = 1.0;
    for (int k = 0; k < n; ++k) {
        int best = largest_below(A, n, k);
        if (best != k) {
            swap_rows(A, b, n, k, best);
        }
        double pivot = A[k * n + k];
        product *= best == k ? pivot : -pivot;
        if (!(fabs(pivot) > least)) {
            if (det) {
                *det = 0.0;
            }
            return false;
        }
        clear_below(A, b, n, k);
    }
    substitute(A, b, n);
    if (det) {
        *det = product;
    }
    return true;
}

/* ---- symmetric and positive definite ---- */

int dense_cholesky(double *A, int n, const double *least)
{
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k <= i; ++k) {
            double sum = A[i * n + k];
            for (int l = 0; l < k; ++l) {
                sum -= A[i * n + l] * A[k * n + l];
            }
            if (k < i) {
                A[i * n + k] = sum / A[k * n + k];
                continue;
            }
            sum = least ? fmax(sum, least[i]) : sum;
            if (!(sum > 0.0)) {
                return i;
            }
            A[i * n + i] = sqrt(sum);
        }
    }
    return n;
}

void dense_cholesky_forward(const double *L, double *b, int n)
{
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < i; ++k) {
            b[i] -= L[i * n + k] * b[k];
        }
        b[i] /= L[i * n + i];
    }
}

void dense_cholesky_backward(const double *L, double *b, int n)
{
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k) {
            b[i] -= L[k * n + i] * b[k];
        }
        b[i] /= L[i * n + i];
    }
}

/* ---- symmetric and of low rank ---- */

static void subtract(double *from, double factor, const double *what, int n)
{
    for (int i = 0; i < n; ++i) {
        from[i] -= factor * what[i];
    }
}

/* Row k of `rows` becomes column k of L, for k below the rank, which is returned. `left`: the diagonal of what is left of A. */
static int factor_semidefinite(const double *A, int n, double tolerance, double *rows, double *left)
{
    for (int i = 0; i < n; ++i) {
        left[i] = A[i * n + i];
    }
    for (int k = 0; k < n; ++k) {
        int pivot = -1;
        double most = tolerance;
        for (int i = 0; i < n; ++i) {
            double part = A[i * n + i] > 0.0 ? left[i] / A[i * n + i] : 0.0;
            pivot = part > most ? i : pivot;
            most = fmax(most, part);
        }
        if (pivot < 0) {
            return k;
        }
        double *row = rows + k * n;
        for (int i = 0; i < n; ++i) {
            row[i] = A[pivot * n + i];
        }
        for (int j = 0; j < k; ++j) {
            subtract(row, rows[j * n + pivot], rows + j * n, n);
        }
        double scale = 1.0 / sqrt(left[pivot]);
        for (int i = 0; i < n; ++i) {
            row[i] *= scale;
            left[i] = fmax(0.0, left[i] - row[i] * row[i]);
        }
        left[pivot] = 0.0;
    }
    return n;
}

/* Rows become orthonormal by Gram and Schmidt's method, done twice where most of a row goes; R (rank x rank) has what they were made of. */
static void make_orthonormal(double *rows, int n, int rank, double *R)
{
    for (int k = 0; k < rank; ++k) {
        double *row = rows + k * n;
        for (int j = 0; j < k; ++j) {
            R[j * rank + k] = 0.0;
        }
        double before = sqrt(numbers_dot_wide(row, row, (size_t)n));
        double length = 0.0;
        for (int pass = 0; pass < 2 && length < 0.7 * before; ++pass) {
            for (int j = 0; j < k; ++j) {
                double part = numbers_dot_wide(rows + j * n, row, (size_t)n);
                subtract(row, part, rows + j * n, n);
                R[j * rank + k] += part;
            }
            length = sqrt(numbers_dot_wide(row, row, (size_t)n));
        }
        R[k * rank + k] = length;
        for (int i = 0; i < n; ++i) {
            row[i] /= length;
        }
    }
}

int dense_solve_semidefinite(double *A, double *b, int n, double tolerance, double *rows, double *scratch)
{
    int rank = factor_semidefinite(A, n, tolerance, rows, scratch);
    double *R = A; /* which is not needed any more */
    double *y = scratch + n;
    make_orthonormal(rows, n, rank, R);
    for (int k = 0; k < rank; ++k) {
        y[k] = numbers_dot_wide(rows + k * n, b, (size_t)n);
    }
    for (int k = rank - 1; k >= 0; --k) { /* R y = Q' b */
        for (int l = k + 1; l < rank; ++l) {
            y[k] -= R[k * rank + l] * y[l];
        }
        y[k] /= R[k * rank + k];
    }
    for (int k = 0; k < rank; ++k) { /* R' z = y */
        for (int l = 0; l < k; ++l) {
            y[k] -= R[l * rank + k] * y[l];
        }
        y[k] /= R[k * rank + k];
    }
    for (int i = 0; i < n; ++i) {
        b[i] = 0.0;
    }
    for (int k = 0; k < rank; ++k) {
        subtract(b, -y[k], rows + k * n, n);
    }
    return rank;
}
