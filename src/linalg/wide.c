/* Dense kernels on blocks of any size. */
#include "linalg/wide.h"

#include <float.h>
#include <stddef.h>

static size_t at(int column, int row, int n)
{
    return (size_t)column * (size_t)n + (size_t)row;
}

int wide_ldl(double *a, double *d_inv, int n, double floor)
{
    int good = n;
    for (int j = 0; j < n; ++j) {
        d_inv[j] = floor * a[at(j, j, n)]; /* the bound of the pivot, until that is known */
    }
    for (int j = 0; j < n; ++j) {
        double *column = a + at(j, 0, n);
        double d = column[j];
        good = (d > d_inv[j] && d <= DBL_MAX) || good < n ? good : j;
        d_inv[j] = 1.0 / d;
        for (int k = j + 1; k < n; ++k) {
            double scaled = column[k] * d_inv[j];
            double *later = a + at(k, 0, n);
            for (int i = k; i < n; ++i) {
                later[i] -= column[i] * scaled;
            }
        }
        for (int i = j + 1; i < n; ++i) {
            column[i] *= d_inv[j];
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
