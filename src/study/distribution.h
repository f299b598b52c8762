/* Distributions of varied numbers by their quantiles, and the functions behind intervals. */
#ifndef CAROM_STUDY_DISTRIBUTION_H
#define CAROM_STUDY_DISTRIBUTION_H

#include <carom/fields.h>

/* One number that a study varies. Of the lists from uniform to levels exactly one is given. */
typedef struct vary_def {
    const char *path;       /* "variables.offset" */
    carom_reals uniform;    /* low, high */
    carom_reals normal;     /* mean, standard deviation */
    carom_reals lognormal;  /* median, standard deviation of the logarithm */
    carom_reals triangular; /* low, most probable, high */
    carom_reals levels;     /* each as probable as another */
    carom_reals within;     /* low, high: nothing beyond these; empty: all */
    int points;             /* on a grid: evenly spaced numbers from low to high of a uniform one */
} vary_def;

/* Says what is wrong. */
carom_status vary_check(const vary_def *v, carom_error *err);

/* The number with the share u of all numbers below it, 0 < u < 1. */
double vary_quantile(const vary_def *v, double u);

/* Bounds that an optimiser may use; infinite where there are none. */
void vary_bounds(const vary_def *v, double *low, double *high);

double normal_quantile(double p); /* of mean 0 and deviation 1 */
double beta_quantile(double p, double a, double b);
double beta_share(double x, double a, double b); /* regularised incomplete beta function */

/* Clopper and Pearson's interval of a probability, `hits` of `count`, at this confidence. */
void clopper_pearson(size_t hits, size_t count, double confidence, double *low, double *high);

#endif
