/* What rows come to: probabilities, quantiles, sensitivities, each with an interval of 95 %. */
#ifndef CAROM_STUDY_STATISTICS_H
#define CAROM_STUDY_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct estimate {
    double value;
    double low, high; /* NaN: no interval */
} estimate;

/* Of independent draws: the share of hits, with Clopper and Pearson's interval. */
estimate share_of(size_t hits, size_t count);

/* Of several equally large groups with these means: their mean, with Student's interval of their spread; at least two groups, 64 at most. */
estimate mean_of_groups(const double *means, size_t count);

/* A quantile of ascending values, with the interval of order statistics that holds it with at least 95 %, whatever the distribution;
 * ends that no order statistic gives are infinite. */
estimate quantile_of(const double *sorted, size_t count, double q);

/* Spearman's rank correlation; equal values share their rank. NaN: one of them is constant. False: out of memory. */
bool rank_correlation(const double *x, const double *y, size_t count, double *out);

/* Jansen's estimators of the first and the total index of one variable [Jansen1999] [Saltelli2010]: values at A, at B, and at A with
 * the variable of B, of `count` base points; intervals by bootstrap of base points. False: out of memory. */
typedef struct index_values {
    const double *a, *b, *ab;
    size_t count;
} index_values;
bool sobol_index(const index_values *v, uint64_t seed, estimate *first, estimate *total);

#endif
