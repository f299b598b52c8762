/* The positive semidefinite part of a small symmetric matrix: what an implicit tangent may use of it. */
#ifndef CAROM_ELEMENTS_FORCES_SEMIDEFINITE_H
#define CAROM_ELEMENTS_FORCES_SEMIDEFINITE_H

#include "elements/bodies/frame.h"

enum { SEMIDEFINITE_MOST = PAIR_COLUMNS };

/* Sets negative eigenvalues to zero. Row-major n x n with n <= SEMIDEFINITE_MOST, `stride` doubles from row to row. A matrix
 * with an entry that is not finite becomes zero. */
void semidefinite_part(double *matrix, int n, int stride);

#endif
