/* Names of users on their way into exports and names of files. */
#include "files/utf8.h"

#include <stdio.h>
#include <string.h>

size_t export_utf8_next(const char *text, uint32_t *code)
{
    size_t length = carom_text_character(text, code);
    *code = length > 0 ? *code : 0xfffd;
    return length > 0 ? length : 1;
}

void export_utf8_add(carom_text *out, const char *text)
{
    uint32_t code;
    for (size_t length; *text; text += length) {
        length = export_utf8_next(text, &code);
        carom_text_add(out, "%.*s", code == 0xfffd ? 3 : (int)length, code == 0xfffd ? "\xef\xbf\xbd" : text);
    }
}

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
           c == '_';
}

bool export_plain_name(const char *text, char *out, size_t size)
{
    size_t used = 0;
    bool same = *text != '\0';
    uint32_t code;
    for (size_t length; *text && used + 1 < size; text += length) {
        length = export_utf8_next(text, &code);
        same = same && is_plain(*text);
        out[used++] = is_plain(*text) ? *text : '_';
    }
    if (used == 0) {
        out[used++] = '_';
    }
    out[used] = '\0';
    return same && *text == '\0';
}
