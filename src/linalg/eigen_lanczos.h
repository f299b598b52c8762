/* Lanczos' method with shift and inversion by ARPACK [Lehoucq1998]. */
#ifndef CAROM_LINALG_EIGEN_LANCZOS_H
#define CAROM_LINALG_EIGEN_LANCZOS_H

#include "linalg/eigen.h"

typedef struct lanczos {
    const sparse_matrix *M;
    sparse_factor *factor; /* of K + shift M */
    double shift;          /* [1/s^2] */
} lanczos;

/* The modes nearest to -shift, as many as `out` has room for. */
carom_status lanczos_find(lanczos *l, eigen_modes *out, carom_error *err);

#endif
