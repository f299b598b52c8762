/* Large symmetric sparse matrices, and their factors L D L': made once, solved with often. What comes out depends on the entries and
 * their order alone: the same bits with any number of threads, any BLAS and any width of the processor's registers. */
#ifndef CAROM_LINALG_SPARSE_H
#define CAROM_LINALG_SPARSE_H

#include <carom/base.h>

/* An entry of one triangle, either of the two: (r, c) stands for (c, r) as well and is given once. */
typedef struct sparse_entry {
    int row, column;
    double value;
} sparse_entry;

typedef struct sparse_matrix sparse_matrix;

/* Entries with the same place are added up, in their order. Refuses places outside and values that are no numbers. */
carom_status sparse_create(sparse_matrix **out, int size, const sparse_entry *entries, size_t count,
                           carom_error *err);
void sparse_destroy(sparse_matrix *A);

int sparse_size(const sparse_matrix *A);
void sparse_diagonal(const sparse_matrix *A, double *diagonal);

/* y = A x */
void sparse_times(const sparse_matrix *A, const double *x, double *y);

/* Row-major, size x size. */
void sparse_dense(const sparse_matrix *A, double *out);

/* A + factor B, of equal size. */
carom_status sparse_sum(sparse_matrix **out, const sparse_matrix *A, double factor, const sparse_matrix *B,
                        carom_error *err);

typedef struct sparse_factor sparse_factor;

/* Refuses a matrix that is not positive definite, and names the row: CAROM_IMPOSSIBLE. */
carom_status sparse_factor_create(sparse_factor **out, const sparse_matrix *A, carom_error *err);
void sparse_factor_destroy(sparse_factor *f);
size_t sparse_factor_bytes(const sparse_factor *f); /* of L */

/* Solves in place for `count` right-hand sides, one after the other in B; each comes out as if it were alone. The factor lends its room: one solve at a time. */
void sparse_solve(sparse_factor *f, double *B, int count);

/* How many eigenvalues of A are negative, by Sylvester's law of inertia. CAROM_NOT_CONVERGED: a pivot vanishes, A is singular. */
carom_status sparse_negative_count(const sparse_matrix *A, int *count, carom_error *err);

#endif
