/* Eigenvalues of a symmetric matrix by Householder's reflections to tridiagonal form and implicit QL rotations with Wilkinson's
 * shift, which converge for every matrix (Wilkinson 1968). */
#include "elements/forces/semidefinite.h"

#include <math.h>
#include <stdbool.h>

enum { MOST = SEMIDEFINITE_MOST };

typedef struct eigen {
    int n;
    double v[MOST][MOST]; /* rows: eigenvectors; before that reflections, in rows as well */
    double d[MOST];       /* the diagonal; at the end eigenvalues */
    double e[MOST];       /* e[i] is beside d[i] and d[i + 1] */
} eigen;

/* Scaled to a largest entry of 1, so that no square overflows. Returns the scale; 0: nothing to do, negative: not finite. */
static double load(eigen *e, const double *matrix, int n, int stride)
{
    double largest = 0.0;
    bool finite = true;
    e->n = n;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            double size = fabs(matrix[i * stride + j]);
            largest = size > largest ? size : largest;
            finite = finite && isfinite(size);
        }
    }
    for (int i = 0; finite && largest > 0.0 && i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            e->v[i][j] = matrix[i * stride + j] / largest;
        }
    }
    return finite ? largest : -1.0;
}

/* ---- tridiagonal form ------------------------------------------------------------------------------------------------------- */

/* A - u q' - q u' of the leading i x i block, where u is the reflection's vector, h = |u|^2 / 2 and q = A u / h - (u'A u / 2 h^2) u. */
static void reflect_block(eigen *e, const double *u, double h, int i)
{
    double q[MOST];
    double along = 0.0;
    for (int r = 0; r < i; ++r) {
        double sum = 0.0;
        for (int k = 0; k < i; ++k) {
            sum += e->v[r][k] * u[k];
        }
        q[r] = sum / h;
        along += q[r] * u[r];
    }
    for (int r = 0; r < i; ++r) {
        q[r] -= 0.5 * along / h * u[r];
    }
    for (int r = 0; r < i; ++r) {
        for (int k = 0; k < i; ++k) {
            e->v[r][k] -= u[r] * q[k] + q[r] * u[k];
        }
    }
}

/* Leaves the vector of reflection i in row i and half its square in h[i]; h[i] = 0: none was needed. */
static void make_tridiagonal(eigen *e, double *h)
{
    for (int i = e->n - 1; i > 0; --i) {
        double *u = e->v[i];
        double beyond = 0.0;
        e->d[i] = u[i];
        for (int k = 0; k < i - 1; ++k) {
            beyond += u[k] * u[k];
        }
        double sum = beyond + u[i - 1] * u[i - 1];
        h[i] = 0.0;
        e->e[i - 1] = u[i - 1];
        if (beyond > 0.0) {
            double root = copysign(sqrt(sum), u[i - 1]);
            h[i] = sum + root * u[i - 1];
            e->e[i - 1] = -root;
            u[i - 1] += root;
            reflect_block(e, u, h[i], i);
        }
    }
    e->d[0] = e->v[0][0];
}

/* Rows become the columns of the product of all reflections. */
static void multiply_reflections(eigen *e, const double *h)
{
    double q[MOST][MOST] = { { 0.0 } };
    for (int i = 0; i < e->n; ++i) {
        q[i][i] = 1.0;
    }
    for (int i = 1; i < e->n; ++i) {
        const double *u = e->v[i];
        for (int r = 0; h[i] > 0.0 && r < i; ++r) {
            double along = 0.0;
            for (int k = 0; k < i; ++k) {
                along += q[r][k] * u[k];
            }
            along /= h[i];
            for (int k = 0; k < i; ++k) {
                q[r][k] -= along * u[k];
            }
        }
    }
    for (int i = 0; i < e->n; ++i) {
        for (int k = 0; k < e->n; ++k) {
            e->v[i][k] = q[i][k];
        }
    }
}

/* ---- QL --------------------------------------------------------------------------------------------------------------------- */

static void rotate_rows(eigen *e, int i, double c, double s)
{
    double *a = e->v[i];
    double *b = e->v[i + 1];
    for (int k = 0; k < e->n; ++k) {
        double high = b[k];
        b[k] = s * a[k] + c * high;
        a[k] = c * a[k] - s * high;
    }
}

/* One pass of rotations from m - 1 up to l. */
static void ql_pass(eigen *e, int l, int m)
{
    double half = (e->d[l + 1] - e->d[l]) / (2.0 * e->e[l]);
    double root = copysign(sqrt(half * half + 1.0), half);
    double g = e->d[m] - e->d[l] + e->e[l] / (half + root);
    double s = 1.0;
    double c = 1.0;
    double p = 0.0;
    for (int i = m - 1; i >= l; --i) {
        double f = s * e->e[i];
        double b = c * e->e[i];
        double r = sqrt(f * f + g * g);
        e->e[i + 1] = r;
        if (r == 0.0) { /* the block falls apart here */
            e->d[i + 1] -= p;
            e->e[m] = 0.0;
            return;
        }
        s = f / r;
        c = g / r;
        g = e->d[i + 1] - p;
        r = (e->d[i] - g) * s + 2.0 * c * b;
        p = s * r;
        e->d[i + 1] = g + p;
        g = c * r - b;
        rotate_rows(e, i, c, s);
    }
    e->d[l] -= p;
    e->e[l] = g;
    e->e[m] = 0.0;
}

/* The end of the block that begins at l: nothing beyond rounding of the largest numbers ties it to what follows. */
static int block_end(const eigen *e, int l, double negligible)
{
    int m = l;
    while (m < e->n - 1 && fabs(e->e[m]) > negligible) {
        ++m;
    }
    return m;
}

static void diagonalise(eigen *e)
{
    enum { PASSES = 60 }; /* two per eigenvalue are usual */
    double largest = 0.0;
    e->e[e->n - 1] = 0.0;
    for (int i = 0; i < e->n; ++i) {
        double size = fabs(e->d[i]) + fabs(e->e[i]);
        largest = size > largest ? size : largest;
    }
    double negligible = 2.220446049250313e-16 * largest;
    for (int l = 0; l < e->n; ++l) {
        int m = block_end(e, l, negligible);
        for (int pass = 0; pass < PASSES && m > l; ++pass) {
            ql_pass(e, l, m);
            m = block_end(e, l, negligible);
        }
    }
}

/* ---- the positive part ------------------------------------------------------------------------------------------------------ */

/* Minus the negative part: leaves a matrix without negative eigenvalues as it was, to the last bit. */
static void remove_negative(double *matrix, int stride, const eigen *e, double scale)
{
    for (int k = 0; k < e->n; ++k) {
        for (int i = 0; e->d[k] < 0.0 && i < e->n; ++i) {
            double factor = scale * e->d[k] * e->v[k][i];
            for (int j = 0; j < e->n; ++j) {
                matrix[i * stride + j] -= factor * e->v[k][j];
            }
        }
    }
}

void semidefinite_part(double *matrix, int n, int stride)
{
    eigen e;
    double h[MOST];
    double scale = load(&e, matrix, n, stride);
    for (int r = 0; scale < 0.0 && r < n * n; ++r) {
        matrix[r / n * stride + r % n] = 0.0;
    }
    if (scale > 0.0) {
        make_tridiagonal(&e, h);
        multiply_reflections(&e, h);
        diagonalise(&e);
        remove_negative(matrix, stride, &e, scale);
    }
}
