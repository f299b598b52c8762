/* The views of a scene as text. */
#ifndef CAROM_RESULT_RESULT_VIEW_H
#define CAROM_RESULT_RESULT_VIEW_H

#include <carom/spec.h>

/* A JSON list with all members of each carom_view_def, in SI units; null where none was given. The caller frees it; NULL: no
 * memory. */
char *result_view_text(const carom_list *views);

#endif
