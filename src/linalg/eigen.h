/* The lowest modes of K x = lambda M x, K symmetric and not negative, M symmetric and positive definite: natural vibrations, lambda
 * [1/s^2] is the square of the angular frequency.
 *
 * Large problems by ARPACK, Lanczos' method on (K + s M)^-1 M from a start vector that is always the same; small ones densely by
 * LAPACK. Same bits every time with a BLAS of one thread. ARPACK keeps the state of a search in static variables: searches take
 * turns. */
#ifndef CAROM_LINALG_EIGEN_H
#define CAROM_LINALG_EIGEN_H

#include "linalg/sparse.h"

typedef struct eigen_modes {
    int size, count;
    double *lambda;  /* [1/s^2] ascending; of rigid motions zero within rounding of the largest there is */
    double *vectors; /* one after the other: x' M x = 1, the largest component positive */
} eigen_modes;

typedef struct eigen_options {
    int count;             /* modes wanted, at least 1 and at most the size */
    bool free;             /* nothing holds the structure: K has a null space, s is positive */
    bool dense;            /* by LAPACK whatever the size is */
    sparse_factor *factor; /* of K, where there is one already; NULL: it is made */
} eigen_options;

/* CAROM_IMPOSSIBLE: K is not positive definite, and `free` was not said. Free the modes, also after a failure. */
carom_status eigen_lowest(eigen_modes *out, const sparse_matrix *K, const sparse_matrix *M,
                          const eigen_options *options, carom_error *err);
void eigen_modes_free(eigen_modes *modes);

/* How many modes lie below a limit [1/s^2], without finding them: by Sylvester's law of inertia. CAROM_NOT_CONVERGED: a mode lies on
 * the limit. */
carom_status eigen_count(int *count, const sparse_matrix *K, const sparse_matrix *M, double limit, carom_error *err);

#endif
