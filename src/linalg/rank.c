/* Which rows of a matrix are independent: Householder QR of the transposed matrix, rows taken in the order given.
 *
 * A row is accepted when what the reflections of the accepted rows leave of it, beyond the first `rank` entries, is
 * longer than the tolerance; it then gives the next reflection. Reflections are orthogonal to rounding whatever the
 * rows are, which Gram-Schmidt is not. Rows are worked on in groups: every reflection is fetched from memory once per
 * group instead of once per row. */
#include "linalg/rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/numbers.h"

enum { GROUP = 32 };

typedef struct row_search {
    double *matrix;
    size_t columns;
    int rank;
    int *accepted; /* rows; row accepted[k] holds the vector of reflection k from entry k on */
    double *beta;  /* reflection k is I - beta v v^T                                       */
} row_search;

static void add_scaled(double *a, const double *b, double factor, size_t n)
{
    for (size_t i = 0; i < n; ++i) {
        a[i] += factor * b[i];
    }
}

static double *row_at(const row_search *s, int row)
{
    return s->matrix + (size_t)row * s->columns;
}

/* Largest entry first, so that squares neither overflow nor vanish. A zero row stays zero; false when not finite. */
static bool scale_to_unit(double *row, size_t columns)
{
    double largest = 0.0;
    for (size_t j = 0; j < columns; ++j) {
        if (!isfinite(row[j])) {
            return false;
        }
        largest = fmax(largest, fabs(row[j]));
    }
    if (largest == 0.0) {
        return true;
    }
    for (size_t j = 0; j < columns; ++j) {
        row[j] /= largest;
    }
    double length = sqrt(numbers_dot_wide(row, row, columns));
    for (size_t j = 0; j < columns; ++j) {
        row[j] /= length;
    }
    return true;
}

static void reflect(const row_search *s, int k, double *row)
{
    const double *v = row_at(s, s->accepted[k]) + k;
    size_t n = s->columns - (size_t)k;
    add_scaled(row + k, v, -s->beta[k] * numbers_dot_wide(v, row + k, n), n);
}

/* Turns the rest of an accepted row into the vector that reflects it onto one axis. */
static void accept(row_search *s, int row, double rest)
{
    double *v = row_at(s, row) + s->rank;
    v[0] += v[0] >= 0.0 ? rest : -rest;
    s->beta[s->rank] = 1.0 / (rest * fabs(v[0]));
    s->accepted[s->rank++] = row;
}

/* Applies the reflections of earlier groups to rows first .. end - 1, then goes through them one by one. */
static void search_group(row_search *s, int first, int end, double tolerance)
{
    int known = s->rank;
    for (int k = 0; k < known; ++k) {
        for (int row = first; row < end; ++row) {
            reflect(s, k, row_at(s, row));
        }
    }
    for (int row = first; row < end && (size_t)s->rank < s->columns; ++row) {
        double *at = row_at(s, row);
        for (int k = known; k < s->rank; ++k) {
            reflect(s, k, at);
        }
        size_t n = s->columns - (size_t)s->rank;
        double rest = sqrt(numbers_dot_wide(at + s->rank, at + s->rank, n));
        if (rest > tolerance) {
            accept(s, row, rest);
        }
    }
}

/* The accepted rows, then the others, both ascending. */
static void write_order(const row_search *s, int rows, int *order)
{
    int accepted = 0;
    int other = s->rank;
    for (int row = 0; row < rows; ++row) {
        if (accepted < s->rank && s->accepted[accepted] == row) {
            order[accepted++] = row;
        } else {
            order[other++] = row;
        }
    }
}

carom_status dense_row_rank(double *matrix, int rows, int columns, double tolerance, int *rank, int *order,
                            carom_error *err)
{
    for (int row = 0; row < rows; ++row) {
        if (!scale_to_unit(matrix + (size_t)row * (size_t)columns, (size_t)columns)) {
            return carom_fail(err, CAROM_NOT_CONVERGED, "row %d of the matrix holds a number that is not finite",
                              row);
        }
    }
    size_t most = (size_t)(rows < columns ? rows : columns) + 1;
    row_search s = {
        .matrix = matrix,
        .columns = (size_t)columns,
        .accepted = calloc(most, sizeof(int)),
        .beta = calloc(most, sizeof(double)),
    };
    carom_status status = CAROM_OK;
    if (s.accepted && s.beta) {
        for (int first = 0; first < rows; first += GROUP) {
            search_group(&s, first, first + GROUP < rows ? first + GROUP : rows, tolerance);
        }
        *rank = s.rank;
        write_order(&s, rows, order);
    } else {
        status = carom_fail(err, CAROM_NO_MEMORY, "no memory for the rank of a %d x %d matrix", rows, columns);
    }
    free(s.accepted);
    free(s.beta);
    return status;
}
