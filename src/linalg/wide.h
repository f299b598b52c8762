/* Dense kernels on blocks of any size, for bodies with more columns than block.h has kernels for.
 *
 * Layouts are those of block.h without its padding: columns a[n * column + row], rows a[n * row + column] for n columns.
 * A factor keeps the strictly lower part of the unit triangle L in columns, and 1/D apart. */
#ifndef CAROM_LINALG_WIDE_H
#define CAROM_LINALG_WIDE_H

/* a = L D L^T for the symmetric n x n block in columns (lower part read). Writes L over a and 1/D to d_inv. Returns the
 * first column whose pivot is not positive, not finite or below floor * its diagonal, or n when all is well. */
int wide_ldl(double *a, double *d_inv, int n, double floor);

/* b <- L^-1 b, b <- L^-T b. */
void wide_forward(double *b, const double *l, int n);
void wide_backward(double *b, const double *l, int n);

/* v^T (L D L^T)^-1 v; v is overwritten. */
double wide_inverse_form(const double *l, const double *d_inv, double *v, int n);

/* y <- L^-1 y for y in rows (n x columns) and an n x n factor. */
void wide_solve_left(double *y, const double *l, int n, int columns);

/* out = base + sign * y^T diag(d) y, lower part of a block of `columns` in columns, for y in rows (n x columns). */
void wide_add_square_rows(double *out, const double *base, const double *y, const double *d, double sign, int n,
                          int columns);

#endif
