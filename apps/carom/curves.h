/* Curves of results for `carom plot`: chosen signals, a span of time, differences between results. */
#ifndef CAROM_APP_CURVES_H
#define CAROM_APP_CURVES_H

#include <carom/carom.h>

#include "signals.h"

typedef struct curve {
    size_t result, signal; /* which of the set */
    const char *unit;
    const double *x, *y;
    size_t count;
    double *owned; /* of differences */
} curve;

typedef struct curve_set {
    size_t result_count;
    const char *const *paths; /* as given */
    carom_result **results;
    char **names; /* of results: of their folders, or the paths where those are alike */
    signal_list signals;
    const char *x_name; /* NULL: time */
    const char *x_unit;
    double from, to;  /* [s] frames that are wanted */
    bool differences; /* against the first result */
    bool magnitudes;  /* of differences: what a logarithmic axis can show */
    curve *curves;    /* signal by signal, within it result by result */
    size_t count;
} curve_set;

/* Opens the results and finds the signals that words mean; NULL: those that scenes recorded, or energies. Prints what is
 * wrong and answers the exit code. */
int curves_open(curve_set *set, const char *const *paths, size_t count, const char *const *words, size_t word_count);

/* Reads the curves that set->x_name, from, to and differences ask for. A result that lacks a signal which another has is
 * left out with a note. */
int curves_read(curve_set *set);

void curves_close(curve_set *set);

#endif
