/* Numbers and texts that JSON can hold, of any that a run may have. NULL: out of memory, which Jansson's setters take for
 * a failure. */
#ifndef CAROM_FILES_JSON_VALUE_H
#define CAROM_FILES_JSON_VALUE_H

#include <stdbool.h>

#include <jansson.h>

json_t *json_value_number(double value);   /* null unless finite */
json_t *json_value_text(const char *text); /* any bytes; what is not UTF-8 is replaced */

/* json_loadb, for those who must know why there is no answer: the text is wrong, or *lacks_memory. problem may be NULL. */
json_t *json_read_text(const char *text, size_t bytes, size_t flags, json_error_t *problem, bool *lacks_memory);

/* The value as text, which the caller frees; NULL: out of memory. As json_dumps, which leaves out a key that it has no memory for. */
char *json_write_text(const json_t *value, size_t flags);

#endif
