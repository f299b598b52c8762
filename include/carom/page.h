/* The page: results as one HTML file that opens in any browser, from disk, without a network. And comparisons: the same
 * quantities of several results side by side.
 *
 * Threads: both read their results, by one thread at a time (result.h); a comparison is the caller's and may be read by
 * several. */
#ifndef CAROM_PAGE_H
#define CAROM_PAGE_H

#include <carom/result.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_page_options {
    const char *title;         /* NULL: the name of the scene */
    const char *const *labels; /* of each result, to tell them apart; NULL: their methods */
} carom_page_options;

/* Writes a page that shows the results: one is a report, several are a comparison with the first as the reference. What
 * is too much for a browser is thinned, and the page says so. options may be NULL, and each of its members; labels that
 * are given are as many as results. The file appears whole or not at all. */
CAROM_API carom_status carom_page_write(const carom_result *const *results, size_t count,
                                        const carom_page_options *options, const char *file, carom_error *err);

/* ---- comparisons ------------------------------------------------------------------------------------------------ */

/* One quantity of all results. */
typedef struct carom_comparison_row {
    const char *group; /* "final state", "contact", ...; rows of a group stand together */
    const char *name;
    const char *unit;
    const double *values; /* one per result; NaN: not known */
} carom_comparison_row;

typedef struct carom_comparison {
    size_t run_count;
    size_t row_count;
    carom_comparison_row *rows;
} carom_comparison;

/* Final states of bodies, energies and losses, peak forces, impulses and depths of touching pairs, steps and times.
 * Bodies are matched by name. Free with carom_comparison_destroy, which takes NULL. No result is NULL; none at all make an
 * empty comparison. */
CAROM_API carom_status carom_compare(const carom_result *const *results, size_t count, carom_comparison **out,
                                     carom_error *err);
CAROM_API void carom_comparison_destroy(carom_comparison *comparison);

#ifdef __cplusplus
}
#endif
#endif
