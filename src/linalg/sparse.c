/* Sparse symmetric matrices in CHOLMOD's compressed columns, lower triangle. */
#include "linalg/sparse_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void sparse_start(cholmod_common *cm)
{
    cholmod_start(cm);
    cm->print = 0;
    cm->supernodal = CHOLMOD_SIMPLICIAL;
}

carom_status sparse_no_room(const cholmod_common *cm, carom_error *err)
{
    if (cm->status == CHOLMOD_TOO_LARGE) {
        return carom_fail(err, CAROM_NO_MEMORY, "a sparse matrix has more entries than 2^31: use a coarser mesh");
    }
    return carom_fail(err, CAROM_NO_MEMORY, "out of memory for a sparse matrix");
}

/* ---- matrices ---- */

static carom_status check_entries(int size, const sparse_entry *entries, size_t count, carom_error *err)
{
    for (size_t k = 0; k < count; ++k) {
        const sparse_entry *e = &entries[k];
        if (e->row < 0 || e->row >= size || e->column < 0 || e->column >= size) {
            return carom_fail(err, CAROM_BAD_INPUT, "entry %zu lies at row %d, column %d of a matrix with %d rows", k,
                              e->row, e->column, size);
        }
        if (!isfinite(e->value)) {
            return carom_fail(err, CAROM_BAD_INPUT, "the entry at row %d, column %d is %g", e->row, e->column,
                              e->value);
        }
    }
    return CAROM_OK;
}

/* A matrix without entries; NULL when memory runs out. */
static sparse_matrix *begin(void)
{
    sparse_matrix *A = calloc(1, sizeof *A);
    if (A) {
        sparse_start(&A->cm);
    }
    return A;
}

static cholmod_sparse *compress(int size, const sparse_entry *entries, size_t count, cholmod_common *cm)
{
    cholmod_triplet *t = cholmod_allocate_triplet((size_t)size, (size_t)size, count, -1, CHOLMOD_REAL, cm);
    if (!t) {
        return NULL;
    }
    for (size_t k = 0; k < count; ++k) {
        ((int *)t->i)[k] = entries[k].row;
        ((int *)t->j)[k] = entries[k].column;
        ((double *)t->x)[k] = entries[k].value;
    }
    t->nnz = count;
    cholmod_sparse *A = cholmod_triplet_to_sparse(t, count, cm);
    cholmod_free_triplet(&t, cm);
    return A;
}

carom_status sparse_create(sparse_matrix **out, int size, const sparse_entry *entries, size_t count, carom_error *err)
{
    *out = NULL;
    carom_status status = check_entries(size, entries, count, err);
    if (status != CAROM_OK) {
        return status;
    }
    sparse_matrix *A = begin();
    if (!A) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for a sparse matrix");
    }
    A->lower = compress(size, entries, count, &A->cm);
    if (!A->lower) {
        status = sparse_no_room(&A->cm, err);
        sparse_destroy(A);
        return status;
    }
    *out = A;
    return CAROM_OK;
}

void sparse_destroy(sparse_matrix *A)
{
    if (A) {
        cholmod_free_sparse(&A->lower, &A->cm);
        cholmod_finish(&A->cm);
        free(A);
    }
}

int sparse_size(const sparse_matrix *A)
{
    return (int)A->lower->nrow;
}

/* Calls for each entry of the lower triangle: row, column, value. */
#define FOR_EACH_ENTRY(A, r, c, value)                                                                         \
    for (int c = 0; c < (int)(A)->lower->ncol; ++c)                                                            \
        for (int at_ = ((const int *)(A)->lower->p)[c], r; at_ < ((const int *)(A)->lower->p)[c + 1]; ++at_)   \
            for (double value = (r = ((const int *)(A)->lower->i)[at_], ((const double *)(A)->lower->x)[at_]), \
                        *once_ = &value;                                                                       \
                 once_; once_ = NULL)

void sparse_diagonal(const sparse_matrix *A, double *diagonal)
{
    memset(diagonal, 0, A->lower->nrow * sizeof *diagonal);
    FOR_EACH_ENTRY(A, r, c, value)
    {
        if (r == c) {
            diagonal[r] = value;
        }
    }
}

void sparse_times(const sparse_matrix *A, const double *x, double *y)
{
    memset(y, 0, A->lower->nrow * sizeof *y);
    FOR_EACH_ENTRY(A, r, c, value)
    {
        y[r] += value * x[c];
        if (r != c) {
            y[c] += value * x[r];
        }
    }
}

void sparse_dense(const sparse_matrix *A, double *out)
{
    size_t n = A->lower->nrow;
    memset(out, 0, n * n * sizeof *out);
    FOR_EACH_ENTRY(A, r, c, value)
    {
        out[(size_t)r * n + (size_t)c] = out[(size_t)c * n + (size_t)r] = value;
    }
}

carom_status sparse_sum(sparse_matrix **out, const sparse_matrix *A, double factor, const sparse_matrix *B,
                        carom_error *err)
{
    double one[2] = { 1.0, 0.0 };
    double times[2] = { factor, 0.0 };
    *out = begin();
    if (!*out) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for a sparse matrix");
    }
    (*out)->lower = cholmod_add(A->lower, B->lower, one, times, 1, 1, &(*out)->cm);
    if (!(*out)->lower) {
        carom_status status = sparse_no_room(&(*out)->cm, err);
        sparse_destroy(*out);
        *out = NULL;
        return status;
    }
    return CAROM_OK;
}
