/* Mistakes of one scene that are found together.
 *
 * A function that looks for several works with an error whose `all` is a list: it notes each mistake with error_note and
 * goes on while error_goes_on says so. In the end error_list_tell hands the first one to the caller. */
#ifndef CAROM_BASE_ERROR_LIST_H
#define CAROM_BASE_ERROR_LIST_H

#include <carom/base.h>

/* Adds the error to its own list, if it has one with room; one that is there already (same place, same words) is not
 * added again. Returns err->status. */
carom_status error_note(const carom_error *err);

/* Whether to look for more after this status: after mistakes in the input, as long as the list has room; never after lack
 * of memory and the like. */
bool error_goes_on(const carom_error *err, carom_status status);

/* Of two statuses the one to report: a mistake in the input only where there is nothing worse; the first of two alike. */
carom_status error_worse(carom_status a, carom_status b);

/* Begins a search for mistakes: `work` collects into the caller's list where the caller (err, or NULL) has one, else into
 * `own`. What the list held before is kept with `keep`. */
void error_list_begin(carom_error *work, carom_error_list *own, const carom_error *err, bool keep);

/* Ends it: err becomes the mistake found first, or what `work` says where that is none of the input's; the list is put in
 * the order of files and lines. */
carom_status error_list_tell(carom_error *work, carom_status status, carom_error *err);

#endif
