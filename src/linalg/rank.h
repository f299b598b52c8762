/* Which rows of a dense matrix are independent. */
#ifndef CAROM_LINALG_RANK_H
#define CAROM_LINALG_RANK_H

#include <carom/base.h>

/* Rank of a dense matrix (rows x columns, row-major, destroyed) by Householder QR that takes the rows in the order
 * given, each scaled to unit length: a row is independent when more than `tolerance` of it is left beyond the
 * independent rows before it. Later rows are thus the redundant ones. order receives all rows: the `rank` independent
 * ones first, then the dependent ones, both ascending. CAROM_NOT_CONVERGED when a number is not finite. */
carom_status dense_row_rank(double *matrix, int rows, int columns, double tolerance, int *rank, int *order,
                            carom_error *err);

#endif
