/* Lowest modes: what is asked for, which way is taken, and the order and sign of what comes out. eigen_lanczos.c has ARPACK. */
#include "linalg/eigen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/eigen_lanczos.h"

/* LAPACK: all of A x = lambda B x between il and iu, symmetric, B positive definite [Anderson1999]. */
extern void dsygvx_(const int *itype, const char *jobz, const char *range, const char *uplo, const int *n, double *A,
                    const int *lda, double *B, const int *ldb, const double *vl, const double *vu, const int *il,
                    const int *iu, const double *abstol, int *m, double *w, double *z, const int *ldz, double *work,
                    const int *lwork, int *iwork, int *ifail, int *info);

enum {
    SMALL = 300,       /* freedoms: below, dense is quicker */
    DENSE_MOST = 4000, /* freedoms: above, two dense matrices and their work take gigabytes */
};

static carom_status no_memory(int size, carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the modes of %d freedoms", size);
}

void eigen_modes_free(eigen_modes *modes)
{
    free(modes->lambda);
    free(modes->vectors);
    *modes = (eigen_modes){ 0 };
}

static bool allocate_modes(eigen_modes *modes, int size, int count)
{
    modes->size = size;
    modes->count = count;
    modes->lambda = calloc((size_t)count, sizeof(double));
    modes->vectors = calloc((size_t)count * (size_t)size, sizeof(double));
    return modes->lambda && modes->vectors;
}

/* ---- what is asked for ---- */

static carom_status check_mass(const sparse_matrix *M, carom_error *err)
{
    int n = sparse_size(M);
    double *diagonal = malloc((size_t)n * sizeof *diagonal);
    if (!diagonal) {
        return no_memory(n, err);
    }
    sparse_diagonal(M, diagonal);
    carom_status status = CAROM_OK;
    for (int k = 0; k < n && status == CAROM_OK; ++k) {
        if (!(diagonal[k] > 0.0)) {
            status = carom_fail(err, CAROM_BAD_INPUT, "freedom %d of %d has the mass %g; modes need positive masses",
                                k, n, diagonal[k]);
        }
    }
    free(diagonal);
    return status;
}

static carom_status check(const sparse_matrix *K, const sparse_matrix *M, const eigen_options *options,
                          carom_error *err)
{
    int n = sparse_size(K);
    if (sparse_size(M) != n) {
        return carom_fail(err, CAROM_BAD_INPUT, "stiffness has %d rows and mass %d", n, sparse_size(M));
    }
    if (options->count < 1 || options->count > n) {
        return carom_fail(err, CAROM_BAD_INPUT, "%d modes are asked for; %d freedoms have 1 to %d", options->count, n,
                          n);
    }
    return check_mass(M, err);
}

/* ---- dense ---- */

typedef struct dense_room {
    double *K, *M, *all, *work;
    int *iwork, *failed;
    int work_size;
} dense_room;

static void free_room(dense_room *room)
{
    free(room->K);
    free(room->M);
    free(room->all);
    free(room->work);
    free(room->iwork);
    free(room->failed);
}

static bool allocate_room(dense_room *room, size_t n)
{
    room->work_size = (int)(64 * n);
    room->K = malloc(n * n * sizeof(double));
    room->M = malloc(n * n * sizeof(double));
    room->all = malloc(n * sizeof(double));
    room->work = malloc((size_t)room->work_size * sizeof(double));
    room->iwork = malloc(5 * n * sizeof(int));
    room->failed = malloc(n * sizeof(int));
    return room->K && room->M && room->all && room->work && room->iwork && room->failed;
}

static carom_status tell_lapack(int info, int n, carom_error *err)
{
    if (info > n) {
        return carom_fail(err, CAROM_BAD_INPUT, "the mass matrix is not positive definite at row %d", info - n - 1);
    }
    return carom_fail(err, CAROM_NOT_CONVERGED, "LAPACK has found not all modes of %d freedoms (dsygvx: %d)", n,
                      info);
}

static carom_status dense_modes(eigen_modes *out, const sparse_matrix *K, const sparse_matrix *M, carom_error *err)
{
    int n = out->size;
    dense_room room = { 0 };
    if (!allocate_room(&room, (size_t)n)) {
        free_room(&room);
        return no_memory(n, err);
    }
    const int one = 1;
    const double unused = 0.0;
    const double tolerance = 0.0;
    int found = 0;
    int info = 0;
    sparse_dense(K, room.K);
    sparse_dense(M, room.M);
    dsygvx_(&one, "V", "I", "L", &n, room.K, &n, room.M, &n, &unused, &unused, &one, &out->count, &tolerance, &found,
            room.all, out->vectors, &n, room.work, &room.work_size, room.iwork, room.failed, &info);
    memcpy(out->lambda, room.all, (size_t)out->count * sizeof(double));
    free_room(&room);
    return info == 0 && found == out->count ? CAROM_OK : tell_lapack(info, n, err);
}

/* ---- large ---- */

/* s: far above what rounding leaves of zero (1e-16 of the largest eigenvalue, which is about this quotient), and mostly far below the
 * lowest mode that is not rigid. */
static double shift_of(const sparse_matrix *K, const sparse_matrix *M, double *k, double *m)
{
    double largest = 0.0;
    sparse_diagonal(K, k);
    sparse_diagonal(M, m);
    for (int i = 0; i < sparse_size(K); ++i) {
        largest = fmax(largest, k[i] / m[i]);
    }
    return 1e-8 * largest;
}

static carom_status find_shift(const sparse_matrix *K, const sparse_matrix *M, double *shift, carom_error *err)
{
    size_t n = (size_t)sparse_size(K);
    double *diagonals = malloc(2 * n * sizeof *diagonals);
    if (!diagonals) {
        return no_memory((int)n, err);
    }
    *shift = shift_of(K, M, diagonals, diagonals + n);
    free(diagonals);
    return CAROM_OK;
}

/* Factors K + shift M, in place of `own`, which was factored before. */
static carom_status take_shift(lanczos *l, double shift, const sparse_matrix *K, sparse_factor **own,
                               carom_error *err)
{
    sparse_matrix *shifted;
    sparse_factor_destroy(*own);
    *own = NULL;
    carom_status status = sparse_sum(&shifted, K, shift, l->M, err);
    if (status == CAROM_OK) {
        status = sparse_factor_create(own, shifted, err);
    }
    l->factor = *own;
    l->shift = shift;
    sparse_destroy(shifted);
    return status;
}

/* Rounding counts (lambda + s)^2 / ((lambda_1 + s) lambda) times. Where the highest mode is so far above the lowest that this makes 1e-10,
 * a hundredth of its own lambda is the shift to take: little rounding, and modes are still well apart. */
static bool is_far_up(const eigen_modes *modes, double shift)
{
    return modes->lambda[modes->count - 1] > 1e6 * (fabs(modes->lambda[0]) + shift);
}

static carom_status large_modes(eigen_modes *out, const sparse_matrix *K, const sparse_matrix *M,
                                const eigen_options *options, carom_error *err)
{
    lanczos l = { .M = M, .factor = options->free ? NULL : options->factor };
    sparse_factor *own = NULL;
    double shift = 0.0;
    carom_status status = options->free ? find_shift(K, M, &shift, err) : CAROM_OK;
    if (status == CAROM_OK && !l.factor) {
        status = take_shift(&l, shift, K, &own, err);
    }
    if (status == CAROM_OK) {
        status = lanczos_find(&l, out, err);
    }
    if (status == CAROM_OK && is_far_up(out, shift)) {
        status = take_shift(&l, 0.01 * out->lambda[out->count - 1], K, &own, err);
        status = status == CAROM_OK ? lanczos_find(&l, out, err) : status;
    }
    sparse_factor_destroy(own);
    return status;
}

/* Refuses a K that is singular where it must not be. */
static carom_status check_definite(const sparse_matrix *K, carom_error *err)
{
    sparse_factor *factor;
    carom_status status = sparse_factor_create(&factor, K, err);
    sparse_factor_destroy(factor);
    return status;
}

static void turn_upwards(double *x, int n)
{
    int largest = 0;
    for (int k = 1; k < n; ++k) {
        /* Symmetric modes have two that are equal but for rounding: the first counts. */
        largest = fabs(x[k]) > (1.0 + 1e-6) * fabs(x[largest]) ? k : largest;
    }
    bool down = x[largest] < 0.0;
    for (int k = 0; down && k < n; ++k) {
        x[k] = -x[k];
    }
}

carom_status eigen_lowest(eigen_modes *out, const sparse_matrix *K, const sparse_matrix *M,
                          const eigen_options *options, carom_error *err)
{
    *out = (eigen_modes){ 0 };
    carom_status status = check(K, M, options, err);
    if (status != CAROM_OK) {
        return status;
    }
    int n = sparse_size(K);
    bool dense = options->dense || n <= SMALL || options->count > n / 4;
    if (dense && n > DENSE_MOST) {
        return carom_fail(err, CAROM_BAD_INPUT, "%d modes of %d freedoms are too many; ask for at most %d",
                          options->count, n, n / 4);
    }
    if (!allocate_modes(out, n, options->count)) {
        return no_memory(n, err);
    }
    if (dense) {
        status = options->free || options->factor ? CAROM_OK : check_definite(K, err);
        status = status == CAROM_OK ? dense_modes(out, K, M, err) : status;
    } else {
        status = large_modes(out, K, M, options, err);
    }
    for (int k = 0; status == CAROM_OK && k < out->count; ++k) {
        turn_upwards(out->vectors + (size_t)k * (size_t)n, n);
    }
    return status;
}

carom_status eigen_count(int *count, const sparse_matrix *K, const sparse_matrix *M, double limit, carom_error *err)
{
    sparse_matrix *moved;
    *count = 0;
    carom_status status = sparse_sum(&moved, K, -limit, M, err);
    if (status == CAROM_OK) {
        status = sparse_negative_count(moved, count, err);
    }
    sparse_destroy(moved);
    return status;
}
