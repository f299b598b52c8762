/* A signal over time in one line of characters. */
#ifndef CAROM_APP_SPARKLINE_H
#define CAROM_APP_SPARKLINE_H

#include <stdbool.h>
#include <stddef.h>

enum { SPARKLINE_CELLS = 120, SPARKLINE_BYTES = 3 * SPARKLINE_CELLS + 1 };

typedef struct sparkline {
    char text[SPARKLINE_BYTES];
    double low, high; /* of all values that are numbers; NaN: there is none */
} sparkline;

/* `cells` characters for the time from the first frame to the last, each as high as the mean of its stretch, or as
 * the peak in it that stands out, so that short ones show. Blocks, or ASCII characters of growing weight; blanks where there
 * is no number. */
sparkline sparkline_of(const double *time, const double *values, size_t count, int cells, bool blocks);

/* A horizontal bar for a part of 1, `cells` wide at most. */
void bar_of(char *text, size_t size, double part, int cells, bool blocks);

#endif
