/* Small dense systems, row-major: for problems of a few rows that are solved very often. */
#ifndef CAROM_LINALG_DENSE_H
#define CAROM_LINALG_DENSE_H

#include <stdbool.h>
#include <stddef.h>

/* Doubles of scratch that dense_solve and dense_solve_many need for n unknowns. */
size_t dense_scratch(int n);

/* Solves A x = b for a square A (n x n; destroyed); b receives x. Where A is rank-deficient (pivots below `tolerance`
 * times the largest entry of A, after rows and columns are scaled by the square roots of |A_kk| where that is positive)
 * x is the solution of least norm of the consistent part (least squares of the scaled equations). Returns the rank. No
 * allocation; `scratch` holds dense_scratch(n) doubles. */
int dense_solve(double *A, double *b, int n, double tolerance, double *scratch);

/* The same for `count` right-hand sides, the columns of B (n x count, row-major). */
int dense_solve_many(double *A, double *B, int n, int count, double tolerance, double *scratch);

/* After dense_solve_many of a matrix with rank < n, as it has left A and scratch: one of `rank` orthonormal vectors that span the rows of A. */
void dense_row_vector(double *A, int n, int rank, int which, double *scratch, double *out);

/* Solves A x = b by elimination with row pivots, for matrices that are regular but for rare exceptions: cheaper than
 * dense_solve, and det A comes with it (*det; NULL: not wanted). A is destroyed, b receives x. False: a pivot is not beyond
 * `least` in size, or is no number; b is then of no use and *det zero. No allocation. */
bool dense_eliminate(double *A, double *b, int n, double least, double *det);

/* Cholesky's factor L of a symmetric A = L L^T, both in their lower halves; the upper ones are neither read nor written. Pivots
 * (squares of the diagonal of L) below least[k] count as that, which lets matrices be a little indefinite by rounding; NULL: as
 * they are. Returns the first row whose pivot is not positive, and then L is of no use; n: all is well. No allocation. */
int dense_cholesky(double *A, int n, const double *least);

/* b <- L^-1 b and b <- L^-T b: one after the other solves A x = b. */
void dense_cholesky_forward(const double *L, double *b, int n);
void dense_cholesky_backward(const double *L, double *b, int n);

/* Solves A x = b for a symmetric positive semidefinite A of low rank, x of least norm, in n rank^2 operations: A = L L' by Cholesky's
 * factorisation with pivots as long as some diagonal entry is more than `tolerance` of what it was, L = Q R. Returns the rank; `rows` (n x n of
 * room) then holds as many orthonormal vectors of n numbers that span the rows of A. A is destroyed, b receives x. `scratch`: 2 n doubles. */
int dense_solve_semidefinite(double *A, double *b, int n, double tolerance, double *rows, double *scratch);

#endif
