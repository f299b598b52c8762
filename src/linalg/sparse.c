/* Sparse symmetric matrices in CHOLMOD's compressed columns, lower triangle; factors with substitutions for several right-hand sides
 * at once, so that L is read once for all of them. */
#include "linalg/sparse.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cholmod.h>

struct sparse_matrix {
    cholmod_sparse *lower; /* packed, rows ascending */
    cholmod_common cm;
};

enum { TOGETHER = 8 }; /* right-hand sides */

struct sparse_factor {
    cholmod_factor *L; /* simplicial, packed: each column begins with its D */
    cholmod_common cm;
    double *room; /* size x TOGETHER */
};

static void start(cholmod_common *cm)
{
    cholmod_start(cm);
    cm->print = 0;
    cm->supernodal = CHOLMOD_SIMPLICIAL;
    cm->final_ll = 0;
    cm->final_pack = 1;
    cm->final_monotonic = 1;
}

static carom_status out_of_room(const cholmod_common *cm, carom_error *err)
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
        start(&A->cm);
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
        status = out_of_room(&A->cm, err);
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
        carom_status status = out_of_room(&(*out)->cm, err);
        sparse_destroy(*out);
        *out = NULL;
        return status;
    }
    return CAROM_OK;
}

/* ---- factors ---- */

/* Order of elimination: CHOLMOD's own choice, minimum degree, and nested dissection where that fills less. */
static carom_status factor(sparse_factor **out, const sparse_matrix *A, carom_error *err)
{
    *out = calloc(1, sizeof **out);
    if (!*out) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for a sparse matrix");
    }
    sparse_factor *f = *out;
    start(&f->cm);
    f->room = malloc((A->lower->nrow + 1) * TOGETHER * sizeof *f->room);
    f->L = f->room ? cholmod_analyze(A->lower, &f->cm) : NULL;
    if (f->L && cholmod_factorize(A->lower, f->L, &f->cm) && f->cm.status >= CHOLMOD_OK) {
        return CAROM_OK;
    }
    carom_status status = out_of_room(&f->cm, err);
    sparse_factor_destroy(f);
    *out = NULL;
    return status;
}

void sparse_factor_destroy(sparse_factor *f)
{
    if (f) {
        cholmod_free_factor(&f->L, &f->cm);
        cholmod_finish(&f->cm);
        free(f->room);
        free(f);
    }
}

/* The first position whose pivot is not above `least` of the diagonal entry it came from; the size: none. */
static int first_bad_pivot(sparse_factor *f, const sparse_matrix *A, double least)
{
    const int *order = f->L->Perm;
    const int *begin_of = f->L->p;
    const double *value = f->L->x;
    int n = (int)f->L->n;
    int known = f->L->minor < f->L->n ? (int)f->L->minor : n;
    sparse_diagonal(A, f->room);
    for (int at = 0; at < known; ++at) {
        double pivot = value[begin_of[at]];
        if (!(pivot > least * fabs(f->room[order[at]]) && pivot > 0.0)) {
            return at;
        }
    }
    return known;
}

carom_status sparse_factor_create(sparse_factor **out, const sparse_matrix *A, carom_error *err)
{
    /* What rounding leaves of a pivot that is zero, a few units of the last place of its diagonal entry. */
    const double least = 32.0 * DBL_EPSILON;
    carom_status status = factor(out, A, err);
    if (status != CAROM_OK) {
        return status;
    }
    int bad = first_bad_pivot(*out, A, least);
    if (bad < sparse_size(A)) {
        status =
            carom_fail(err, CAROM_IMPOSSIBLE,
                       "the matrix is not positive definite: the pivot of row %d of %d vanishes or is negative; a "
                       "structure that is held nowhere has such a stiffness",
                       ((const int *)(*out)->L->Perm)[bad], sparse_size(A));
        sparse_factor_destroy(*out);
        *out = NULL;
    }
    return status;
}

carom_status sparse_negative_count(const sparse_matrix *A, int *count, carom_error *err)
{
    sparse_factor *f;
    carom_status status = factor(&f, A, err);
    if (status != CAROM_OK) {
        return status;
    }
    *count = 0;
    bool complete = f->L->minor == f->L->n;
    for (size_t k = 0; complete && k < f->L->n; ++k) {
        double pivot = ((const double *)f->L->x)[((const int *)f->L->p)[k]];
        complete = isfinite(pivot) && pivot != 0.0;
        *count += pivot < 0.0;
    }
    sparse_factor_destroy(f);
    return complete ? CAROM_OK : carom_fail(err, CAROM_NOT_CONVERGED, "a pivot vanishes: the matrix is singular");
}

/* ---- substitution ---- */

/* For `width` right-hand sides side by side in the room: L, then D, then L'. */
static inline void substitute(const cholmod_factor *L, double *room, const int width)
{
    const int *begin_of = L->p;
    const int *length = L->nz;
    const int *row = L->i;
    const double *value = L->x;
    int n = (int)L->n;
    for (int c = 0; c < n; ++c) {
        const double *own = room + (ptrdiff_t)c * width;
        for (int at = begin_of[c] + 1; at < begin_of[c] + length[c]; ++at) {
            double *other = room + (ptrdiff_t)row[at] * width;
            for (int k = 0; k < width; ++k) {
                other[k] -= value[at] * own[k];
            }
        }
    }
    for (int c = n - 1; c >= 0; --c) {
        double *own = room + (ptrdiff_t)c * width;
        for (int k = 0; k < width; ++k) {
            own[k] /= value[begin_of[c]];
        }
        for (int at = begin_of[c] + 1; at < begin_of[c] + length[c]; ++at) {
            const double *other = room + (ptrdiff_t)row[at] * width;
            for (int k = 0; k < width; ++k) {
                own[k] -= value[at] * other[k];
            }
        }
    }
}

/* Unrolled for one, which is most frequent, and for as many as go together. */
static void substitute_any(const cholmod_factor *L, double *room, int width)
{
    switch (width) {
    case 1:
        substitute(L, room, 1);
        break;
    case TOGETHER:
        substitute(L, room, TOGETHER);
        break;
    default:
        substitute(L, room, width);
    }
}

void sparse_solve(sparse_factor *f, double *B, int count)
{
    const int *order = f->L->Perm;
    size_t n = f->L->n;
    for (int first = 0; first < count; first += TOGETHER) {
        int width = count - first < TOGETHER ? count - first : TOGETHER;
        double *b = B + (size_t)first * n;
        for (size_t r = 0; r < n; ++r) {
            for (int k = 0; k < width; ++k) {
                f->room[r * (size_t)width + (size_t)k] = b[(size_t)k * n + (size_t)order[r]];
            }
        }
        substitute_any(f->L, f->room, width);
        for (size_t r = 0; r < n; ++r) {
            for (int k = 0; k < width; ++k) {
                b[(size_t)k * n + (size_t)order[r]] = f->room[r * (size_t)width + (size_t)k];
            }
        }
    }
}
