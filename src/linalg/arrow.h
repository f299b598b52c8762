/* Matrices whose last columns d have a diagonal block D: those go first, and nothing fills in between them,
 *
 *     [ F  B ]      L D L' with the columns d in front:  B D^-1,  F - B D^-1 B' = L_F D_F L_F'
 *     [ B' D ]
 *
 * L_F lies at the beginning of l, in columns, and behind it B D^-1, `full` numbers for each of the columns d. The cost grows with full^3 and
 * full^2 times the number of columns d. */
#ifndef CAROM_LINALG_ARROW_H
#define CAROM_LINALG_ARROW_H

#include <stddef.h>

/* Numbers of l. */
static inline size_t arrow_size(int full, int diagonal)
{
    return (size_t)full * (size_t)(full + diagonal);
}

/* Factors the symmetric matrix a (row-major, of which the upper triangle of F, B and the diagonal of D are read); 1/D goes to d_inv, in the order
 * of the columns. Returns the first column of F whose pivot is not positive, not finite or below floor times that of F - B D^-1 B', or `full`
 * when all is well. D must be positive. */
int arrow_ldl(double *l, double *d_inv, const double *a, int full, int diagonal, double floor);

/* b <- L^-1 b, b <- L^-T b. */
void arrow_forward(double *b, const double *l, int full, int diagonal);
void arrow_backward(double *b, const double *l, int full, int diagonal);

/* v^T (L D L^T)^-1 v; v is overwritten. */
double arrow_inverse_form(const double *l, const double *d_inv, double *v, int full, int diagonal);

#endif
