#include "files/json_value.h"

#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "files/byte_buffer.h"

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

/* A lack of memory has no words or its own code, but within a string Jansson calls it a wrong token: what is wrong is wrong
 * twice. */
json_t *json_read_text(const char *text, size_t bytes, size_t flags, json_error_t *problem, bool *lacks_memory)
{
    json_error_t own;
    problem = problem ? problem : &own;
    json_t *value = json_loadb(text, bytes, flags, problem);
    value = value ? value : json_loadb(text, bytes, flags, problem);
    *lacks_memory = !value && (problem->text[0] == '\0' || json_error_code(problem) == json_error_out_of_memory);
    return value;
}

static int add_piece(const char *piece, size_t bytes, void *buffer)
{
    byte_buffer_add(buffer, piece, bytes);
    return ((byte_buffer *)buffer)->failed ? -1 : 0;
}

char *json_write_text(const json_t *value, size_t flags)
{
    byte_buffer text = { 0 };
    bool ok = json_dump_callback(value, add_piece, &text, flags) == 0;
    byte_buffer_add(&text, "", 1);
    if (!ok || text.failed) {
        byte_buffer_free(&text);
        return NULL;
    }
    return (char *)text.data;
}
