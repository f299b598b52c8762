/* A part of the integration (turn.h) by extrapolation of the midpoint rule [Hairer1993, II.9], with as
 * many columns as the tolerance asks for. */
#include <string.h>

#include "nonsmooth/turn.h"

enum { WANTED_COLUMN = 4 }; /* at which a part should reach its tolerance */

/* Lengths are proposed a little shorter than the error estimate allows, for it is one: an attempt in vain costs more than a
 * short part; after one in vain the estimate has been wrong already. */
static const double safety = 0.8;
static const double safety_after_failure = 0.7;

/* Factors within which the next length stays, because estimates far from the tolerance say little. A failed part becomes
 * shorter for certain. One that needed few columns becomes longer for certain, which is cheaper than another part; one that
 * needed many keeps about its length. */
typedef struct range {
    double least, most;
} range;
static const range after_failure = { 0.1, 0.6 };
static const range after_few_columns = { 1.5, 4.0 };
static const range after_many_columns = { 0.5, 1.5 };

/* Where joints jam on the way there is no estimate: parts come near the jam by so much at a time. */
static const double towards_jam = 0.25;

/* The midpoint rule in `count` (even) steps from w->y over h, into `result`. */
static bool midpoint_rule(stroke *s, double h, int count, double *result)
{
    int size = s->p->row_count + 1;
    double step = h / count, *previous = s->w->z[0], *now = s->w->z[1];
    double *at = s->w->right;
    memcpy(previous, s->w->y, (size_t)size * sizeof(double));
    for (int k = 0; k < size; ++k) {
        now[k] = previous[k] + step * s->w->slope[k];
    }
    turn_go_back(s);
    for (int i = 1; i < count; ++i) {
        if (!turn_find_slope(s, now, at)) {
            return false;
        }
        for (int k = 0; k < size; ++k) {
            double next = previous[k] + 2.0 * step * at[k];
            previous[k] = now[k];
            now[k] = next;
        }
    }
    memcpy(result, now, (size_t)size * sizeof(double));
    return true;
}

/* Error of velocities, relative to the largest, when impulses are a instead of b. */
static double error_size(const stroke *s, const double *a, const double *b)
{
    int rows = s->p->row_count;
    double most = 0.0;
    for (int k = 0; k < rows; ++k) {
        double sum = 0.0;
        for (int l = 0; l < rows; ++l) {
            sum += fabs(s->p->D[k * rows + l] * (a[l] - b[l]));
        }
        most = isnan(sum) ? HUGE_VAL : fmax(most, sum);
    }
    return most / s->speed_scale;
}

/* Neville's scheme in h^2: row m of the table becomes T_{j, j - m}; the last but one diagonal entry into w->y_new. */
static void extend_table(stroke *s, int j)
{
    int size = s->p->row_count + 1;
    double *table = s->w->table;
    for (int m = j - 1; m >= 0; --m) {
        double ratio = (double)(j + 1) / (double)(m + 1);
        double factor = 1.0 / (ratio * ratio - 1.0);
        if (m == 0) {
            memcpy(s->w->y_new, table + size, (size_t)size * sizeof(double));
        }
        for (int k = 0; k < size; ++k) {
            double fine = table[(m + 1) * size + k];
            table[m * size + k] = fine + factor * (fine - table[m * size + k]);
        }
    }
}

static double bounded(double factor, range r)
{
    return fmin(r.most, fmax(r.least, factor));
}

/* The next length, when column j had this error: such that WANTED_COLUMN will do. */
static double next_length(double h, int j, double error)
{
    double factor = error > 0.0 ? pow(turn_tolerance / error, 1.0 / (2 * j + 1)) : after_few_columns.most;
    if (!(error <= turn_tolerance)) {
        return h * bounded(safety_after_failure * factor, after_failure);
    }
    return h *
           (j < WANTED_COLUMN ? bounded(factor, after_few_columns) : bounded(safety * factor, after_many_columns));
}

turn_size turn_extrapolate(stroke *s, double h)
{
    int size = s->p->row_count + 1;
    double *table = s->w->table, error = HUGE_VAL;
    int j = 0;
    for (; j < STROKE_COLUMNS; ++j) {
        if (!midpoint_rule(s, h, 2 * (j + 1), table + j * size)) {
            return (turn_size){ .error = HUGE_VAL, .next = towards_jam * h };
        }
        extend_table(s, j);
        error = j > 0 ? error_size(s, table, s->w->y_new) : HUGE_VAL;
        if (j > 1 && error <= turn_tolerance) {
            break;
        }
    }
    memcpy(s->w->y_new, table, (size_t)size * sizeof(double));
    return (turn_size){ .error = error, .next = next_length(h, j < STROKE_COLUMNS ? j : j - 1, error) };
}
