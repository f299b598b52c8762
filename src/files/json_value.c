#include "files/json_value.h"

#include <math.h>
#include <stdlib.h>

#include "base/text.h"

json_t *json_value_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* Names from C programs may be no UTF-8; JSON must be. */
json_t *json_value_text(const char *text)
{
    json_t *value = json_string(text);
    char *repaired = value ? NULL : carom_text_repaired(text);
    value = repaired ? json_string(repaired) : value;
    free(repaired);
    return value;
}
