/* Optimisers behind one door: the smallest value of a function of numbers between 0 and 1, under conditions. */
#ifndef CAROM_STUDY_OPTIMIZER_H
#define CAROM_STUDY_OPTIMIZER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <carom/base.h>

typedef enum optimizer_algorithm {
    OPTIMIZER_BOBYQA,
    OPTIMIZER_COBYLA,
    OPTIMIZER_NELDER_MEAD,
    OPTIMIZER_DIRECT_L,
    OPTIMIZER_CRS2
} optimizer_algorithm;

typedef struct optimizer_def {
    optimizer_algorithm algorithm;
    size_t dimension;
    size_t condition_count; /* cobyla alone knows conditions */
    double tolerance;       /* of x */
    uint64_t seed;          /* of crs2 */

    /* The value at x, and what must not be negative there; false ends the search. */
    bool (*at)(void *context, const double *x, double *value, double *conditions);
    void *context;
} optimizer_def;

/* From x on; x becomes the best point. *converged: it ended by itself. CAROM_UNSUPPORTED: this carom has no optimiser. */
carom_status optimizer_run(const optimizer_def *def, double *x, bool *converged, carom_error *err);

#endif
