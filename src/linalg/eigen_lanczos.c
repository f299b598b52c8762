/* ARPACK asks by reverse communication for products with M and with (K + shift M)^-1. */
#include "linalg/eigen_lanczos.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <arpack.h>

/* Places in iparam, and what is put there. */
enum { EXACT_SHIFTS, ITERATION_LIMIT = 2, CONVERGED = 4, MODE = 6 };
enum { ITERATIONS = 1000, SHIFT_INVERT = 3, START_GIVEN = 1, TOO_MANY_ITERATIONS = 1 };

/* Residual of a mode, relative to its eigenvalue of the inverse. Eigenvalues are twice as exact. ARPACK's own choice, the unit of rounding, lies
 * below what solves leave, so that it goes on for two or three times as long without getting nearer. */
static const double TOLERANCE = 1e-14;

/* What dsaupd and dseupd hand to each other. */
typedef struct search {
    lanczos *l;
    int n, wanted, kept; /* kept: Lanczos vectors */
    int workl_size;
    double *start, *basis, *workd, *workl;
    int *chosen;
    int iparam[11], ipntr[11];
    int info;
} search;

/* ARPACK's own variables are static. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static void free_search(search *s)
{
    free(s->start);
    free(s->basis);
    free(s->workd);
    free(s->workl);
    free(s->chosen);
}

static bool allocate_search(search *s)
{
    size_t n = (size_t)s->n;
    size_t kept = (size_t)s->kept;
    s->workl_size = (int)(kept * (kept + 8));
    s->start = malloc(n * sizeof(double));
    s->basis = malloc(n * kept * sizeof(double));
    s->workd = calloc(3 * n, sizeof(double));
    s->workl = calloc((size_t)s->workl_size, sizeof(double));
    s->chosen = calloc(kept, sizeof(int));
    return s->start && s->basis && s->workd && s->workl && s->chosen;
}

/* Numbers in -1..1 without any pattern that a mode could have, the same every time (splitmix64). */
static void fill_start(double *start, int n)
{
    for (int k = 0; k < n; ++k) {
        uint64_t z = UINT64_C(0x9E3779B97F4A7C15) * ((uint64_t)k + 1);
        z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
        start[k] = (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1.0;
    }
}

/* Does what ARPACK asks for with two of its vectors. */
static void answer(search *s, int request)
{
    const double *x = s->workd + s->ipntr[0] - 1;
    double *y = s->workd + s->ipntr[1] - 1;
    size_t bytes = (size_t)s->n * sizeof *y;
    if (request == 2) {
        sparse_times(s->l->M, x, y);
        return;
    }
    if (request == 1) {
        memcpy(y, s->workd + s->ipntr[2] - 1, bytes); /* M x is there already */
    } else {
        sparse_times(s->l->M, x, y);
    }
    sparse_solve(s->l->factor, y, 1);
}

static void iterate(search *s)
{
    int request = 0;
    s->info = START_GIVEN;
    s->iparam[EXACT_SHIFTS] = 1;
    s->iparam[ITERATION_LIMIT] = ITERATIONS;
    s->iparam[MODE] = SHIFT_INVERT;
    for (;;) {
        dsaupd_c(&request, "G", s->n, "LM", s->wanted, TOLERANCE, s->start, s->kept, s->basis, s->n, s->iparam,
                 s->ipntr, s->workd, s->workl, s->workl_size, &s->info);
        if (request != -1 && request != 1 && request != 2) {
            return;
        }
        answer(s, request);
    }
}

static carom_status tell(const search *s, carom_error *err)
{
    if (s->info == TOO_MANY_ITERATIONS) {
        return carom_fail(err, CAROM_NOT_CONVERGED,
                          "the lowest %d modes of %d freedoms are not found in %d iterations (%d are)", s->wanted,
                          s->n, ITERATIONS, s->iparam[CONVERGED]);
    }
    return carom_fail(err, CAROM_NOT_CONVERGED, "the lowest %d modes of %d freedoms are not found (ARPACK: %d)",
                      s->wanted, s->n, s->info);
}

/* Modes by ascending lambda: dseupd promises an order of its own. */
static void sort(eigen_modes *modes, double *room)
{
    size_t n = (size_t)modes->size;
    for (int k = 1; k < modes->count; ++k) {
        double lambda = modes->lambda[k];
        int at = k;
        while (at > 0 && modes->lambda[at - 1] > lambda) {
            --at;
        }
        memcpy(room, modes->vectors + (size_t)k * n, n * sizeof *room);
        memmove(modes->vectors + (size_t)(at + 1) * n, modes->vectors + (size_t)at * n,
                (size_t)(k - at) * n * sizeof *room);
        memmove(modes->lambda + at + 1, modes->lambda + at, (size_t)(k - at) * sizeof *room);
        memcpy(modes->vectors + (size_t)at * n, room, n * sizeof *room);
        modes->lambda[at] = lambda;
    }
}

static void extract(search *s, eigen_modes *out)
{
    dseupd_c(1, "A", s->chosen, out->lambda, out->vectors, s->n, -s->l->shift, "G", s->n, "LM", s->wanted, TOLERANCE,
             s->start, s->kept, s->basis, s->n, s->iparam, s->ipntr, s->workd, s->workl, s->workl_size, &s->info);
}

carom_status lanczos_find(lanczos *l, eigen_modes *out, carom_error *err)
{
    search s = { .l = l, .n = out->size, .wanted = out->count };
    int kept = 2 * s.wanted + 1 > 20 ? 2 * s.wanted + 1 : 20;
    s.kept = kept < s.n ? kept : s.n;
    if (!allocate_search(&s)) {
        free_search(&s);
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the modes of %d freedoms", s.n);
    }
    fill_start(s.start, s.n);
    pthread_mutex_lock(&turn);
    iterate(&s);
    if (s.info == 0) {
        extract(&s, out);
    }
    pthread_mutex_unlock(&turn);
    carom_status status = s.info == 0 && s.iparam[CONVERGED] >= s.wanted ? CAROM_OK : tell(&s, err);
    if (status == CAROM_OK) {
        sort(out, s.start);
    }
    free_search(&s);
    return status;
}
