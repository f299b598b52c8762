/* Estimates and their intervals. */
#include "study/statistics.h"

#include <math.h>
#include <stdlib.h>

#include "study/distribution.h"
#include "study/random.h"

#define CONFIDENCE 0.95

estimate share_of(size_t hits, size_t count)
{
    estimate e = { count ? (double)hits / (double)count : (double)NAN, 0.0, 1.0 };
    if (count) {
        clopper_pearson(hits, count, CONFIDENCE, &e.low, &e.high);
    }
    return e;
}

/* Student's quantile by the beta distribution: x = n / (n + t^2) has it with parameters n/2 and 1/2. */
static double student_quantile(double p, double freedom)
{
    double x = beta_quantile(2.0 * (1.0 - p), 0.5 * freedom, 0.5);
    return sqrt(freedom * (1.0 - x) / x);
}

estimate mean_of_groups(const double *means, size_t count)
{
    double sum = 0.0;
    double squares = 0.0;
    for (size_t i = 0; i < count; ++i) {
        sum += means[i];
    }
    double mean = sum / (double)count;
    for (size_t i = 0; i < count; ++i) {
        squares += (means[i] - mean) * (means[i] - mean);
    }
    if (count < 2) {
        return (estimate){ mean, (double)NAN, (double)NAN };
    }
    double n = (double)count;
    double half = student_quantile(0.5 + 0.5 * CONFIDENCE, n - 1.0) * sqrt(squares / (n - 1.0) / n);
    return (estimate){ mean, mean - half, mean + half };
}

/* Share of cases in which at most k of n draws lie below the quantile q. */
static double binomial_share(size_t k, size_t n, double q)
{
    return k >= n ? 1.0 : beta_share(1.0 - q, (double)(n - k), (double)k + 1.0);
}

estimate quantile_of(const double *sorted, size_t count, double q)
{
    estimate e = { (double)NAN, -HUGE_VAL, HUGE_VAL };
    if (count == 0) {
        return e;
    }
    double at = q * (double)(count - 1);
    size_t i = (size_t)at;
    e.value = i + 1 < count ? sorted[i] + (at - (double)i) * (sorted[i + 1] - sorted[i]) : sorted[count - 1];
    double tail = 0.5 * (1.0 - CONFIDENCE);
    size_t low = 0; /* largest with share(low - 1) <= tail */
    while (low < count && binomial_share(low, count, q) <= tail) {
        ++low;
    }
    e.low = low > 0 ? sorted[low - 1] : -HUGE_VAL;
    size_t high = low; /* smallest with share(high) >= 1 - tail */
    while (high < count && binomial_share(high, count, q) < 1.0 - tail) {
        ++high;
    }
    e.high = high < count ? sorted[high] : HUGE_VAL;
    return e;
}

/* ---- ranks -------------------------------------------------------------------------------------------------------- */

typedef struct ranked {
    double value;
    size_t place;
} ranked;

static int by_value(const void *a, const void *b)
{
    double x = ((const ranked *)a)->value;
    double y = ((const ranked *)b)->value;
    return (x > y) - (x < y);
}

static void rank(const double *x, size_t count, ranked *room, double *out)
{
    for (size_t i = 0; i < count; ++i) {
        room[i] = (ranked){ x[i], i };
    }
    qsort(room, count, sizeof *room, by_value);
    for (size_t i = 0, j; i < count; i = j) {
        for (j = i; j < count && room[j].value == room[i].value; ++j) {
        }
        for (size_t k = i; k < j; ++k) {
            out[room[k].place] = 0.5 * (double)(i + j - 1);
        }
    }
}

bool rank_correlation(const double *x, const double *y, size_t count, double *out)
{
    ranked *room = calloc(count + 1, sizeof *room);
    double *ranks = calloc(2 * count + 1, sizeof *ranks);
    *out = (double)NAN;
    bool ok = room && ranks;
    if (ok) {
        double middle = 0.5 * ((double)count - 1.0);
        double xx = 0.0, yy = 0.0, xy = 0.0;
        rank(x, count, room, ranks);
        rank(y, count, room, ranks + count);
        for (size_t i = 0; i < count; ++i) {
            double u = ranks[i] - middle;
            double v = ranks[count + i] - middle;
            xx += u * u;
            yy += v * v;
            xy += u * v;
        }
        *out = xx > 0.0 && yy > 0.0 ? xy / sqrt(xx * yy) : (double)NAN;
    }
    free(room);
    free(ranks);
    return ok;
}

/* ---- indices ------------------------------------------------------------------------------------------------------ */

/* Of the base points in `chosen` (NULL: all once). */
static void jansen(const index_values *v, const size_t *chosen, double *first, double *total)
{
    double n = (double)v->count;
    double sum = 0.0, squares = 0.0, from_b = 0.0, from_a = 0.0;
    for (size_t k = 0; k < v->count; ++k) {
        size_t i = chosen ? chosen[k] : k;
        sum += v->a[i] + v->b[i];
        from_b += (v->b[i] - v->ab[i]) * (v->b[i] - v->ab[i]);
        from_a += (v->a[i] - v->ab[i]) * (v->a[i] - v->ab[i]);
    }
    double mean = sum / (2.0 * n);
    for (size_t k = 0; k < v->count; ++k) {
        size_t i = chosen ? chosen[k] : k;
        squares += (v->a[i] - mean) * (v->a[i] - mean) + (v->b[i] - mean) * (v->b[i] - mean);
    }
    double variance = squares / (2.0 * n);
    *first = 1.0 - from_b / (2.0 * n) / variance;
    *total = from_a / (2.0 * n) / variance;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

bool sobol_index(const index_values *v, uint64_t seed, estimate *first, estimate *total)
{
    enum { SAMPLES = 500 };
    double firsts[SAMPLES];
    double totals[SAMPLES];
    size_t *chosen = calloc(v->count + 1, sizeof *chosen);
    if (!chosen) {
        return false;
    }
    uint64_t name = draw_name("bootstrap", 0);
    for (uint64_t s = 0; s < SAMPLES; ++s) {
        for (size_t k = 0; k < v->count; ++k) {
            chosen[k] = (size_t)draw_below((draw){ seed, s * v->count + k, name }, v->count);
        }
        jansen(v, chosen, &firsts[s], &totals[s]);
    }
    free(chosen);
    qsort(firsts, SAMPLES, sizeof *firsts, ascending);
    qsort(totals, SAMPLES, sizeof *totals, ascending);
    jansen(v, NULL, &first->value, &total->value);
    size_t cut = (size_t)(0.5 * (1.0 - CONFIDENCE) * SAMPLES);
    first->low = firsts[cut];
    first->high = firsts[SAMPLES - 1 - cut];
    total->low = totals[cut];
    total->high = totals[SAMPLES - 1 - cut];
    return true;
}
