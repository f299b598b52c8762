/* Numbers and texts that JSON can hold, of any that a run may have. NULL: out of memory, which Jansson's setters take for
 * a failure. */
#ifndef CAROM_FILES_JSON_VALUE_H
#define CAROM_FILES_JSON_VALUE_H

#include <jansson.h>

json_t *json_value_number(double value);   /* null unless finite */
json_t *json_value_text(const char *text); /* any bytes; what is not UTF-8 is replaced */

#endif
