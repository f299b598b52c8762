/* Dense kernels on blocks of any size. */
#include "linalg/wide.h"

#include <float.h>
#include <stddef.h>

static size_t at(int column, int row, int n)
{
    return (size_t)column * (size_t)n + (size_t)row;
}

/* Columns that are eliminated together: each number behind them is loaded and stored once for all, and sees them in their order, so that
 * bits are those of one column after the other. */
enum { PANEL = 4 };

/* Takes column j, still without its 1/D, out of column k. */
static void subtract_column(double *a, const double *d_inv, int n, int j, int k)
{
    const double *column = a + at(j, 0, n);
    const double scaled = column[k] * d_inv[j];
    double *later = a + at(k, 0, n);
    for (int i = k; i < n; ++i) {
        later[i] -= column[i] * scaled;
    }
}

static void subtract_panel(double *a, const double *d_inv, int n, int j, int k)
{
    const double *column[PANEL];
    double scaled[PANEL];
    double *restrict later = a + at(k, 0, n);
    for (int p = 0; p < PANEL; ++p) {
        column[p] = a + at(j + p, 0, n);
        scaled[p] = column[p][k] * d_inv[j + p];
    }
    for (int i = k; i < n; ++i) {
        later[i] = later[i] - column[0][i] * scaled[0] - column[1][i] * scaled[1] - column[2][i] * scaled[2] -
                   column[3][i] * scaled[3];
    }
}

int wide_ldl(double *a, double *d_inv, int n, double floor)
{
    int good = n;
    for (int j = 0; j < n; ++j) {
        d_inv[j] = floor * a[at(j, j, n)]; /* the bound of the pivot, until that is known */
    }
    for (int first = 0; first < n; first += PANEL) {
        const int end = first + PANEL < n ? first + PANEL : n;
        for (int j = first; j < end; ++j) {
            const double d = a[at(j, j, n)];
            good = (d > d_inv[j] && d <= DBL_MAX) || good < n ? good : j;
            d_inv[j] = 1.0 / d;
            for (int k = j + 1; k < end; ++k) {
                subtract_column(a, d_inv, n, j, k);
            }
        }
        for (int k = end; k < n; ++k) { /* none behind a panel that is not full */
            subtract_panel(a, d_inv, n, first, k);
        }
        for (int j = first; j < end; ++j) {
            for (int i = j + 1; i < n; ++i) {
                a[at(j, i, n)] *= d_inv[j];
            }
        }
    }
    return good;
}

void wide_forward(double *b, const double *l, int n)
{
    for (int j = 0; j < n; ++j) {
        for (int i = j + 1; i < n; ++i) {
            b[i] -= l[at(j, i, n)] * b[j];
        }
    }
}

void wide_backward(double *b, const double *l, int n)
{
    for (int j = n - 1; j >= 0; --j) {
        for (int i = j + 1; i < n; ++i) {
            b[j] -= l[at(j, i, n)] * b[i];
        }
    }
}

double wide_inverse_form(const double *l, const double *d_inv, double *v, int n)
{
    wide_forward(v, l, n);
    double sum = 0.0;
    for (int k = 0; k < n; ++k) {
        sum += v[k] * v[k] * d_inv[k];
    }
    return sum;
}

void wide_solve_left(double *y, const double *l, int n, int columns)
{
    for (int j = 0; j < n; ++j) {
        for (int i = j + 1; i < n; ++i) {
            double factor = l[at(j, i, n)];
            for (int c = 0; c < columns; ++c) {
                y[at(i, c, columns)] -= factor * y[at(j, c, columns)];
            }
        }
    }
}

void wide_add_square_rows(double *out, const double *base, const double *y, const double *d, double sign, int n,
                          int columns)
{
    for (int k = 0; k < columns; ++k) {
        for (int i = k; i < columns; ++i) {
            double sum = base[at(k, i, columns)];
            for (int r = 0; r < n; ++r) {
                sum += sign * d[r] * y[at(r, i, columns)] * y[at(r, k, columns)];
            }
            out[at(k, i, columns)] = sum;
        }
    }
}
