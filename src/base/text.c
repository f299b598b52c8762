/* Edit distance (optimal string alignment) and growing text. */
#include "base/text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { LONGEST = 64 }; /* names longer than this are compared by their beginning */

static int min3(int a, int b, int c)
{
    int m = a < b ? a : b;
    return m < c ? m : c;
}

static int lower(char c)
{
    return tolower((unsigned char)c);
}

int carom_text_distance(const char *a, const char *b)
{
    size_t na = strnlen(a, LONGEST);
    size_t nb = strnlen(b, LONGEST);
    int row[3][LONGEST + 1];
    for (size_t j = 0; j <= nb; ++j) {
        row[0][j] = (int)j;
    }
    for (size_t i = 1; i <= na; ++i) {
        int *now = row[i % 3];
        int *last = row[(i + 2) % 3];
        int *before = row[(i + 1) % 3];
        now[0] = (int)i;
        for (size_t j = 1; j <= nb; ++j) {
            int cost = lower(a[i - 1]) != lower(b[j - 1]);
            now[j] = min3(last[j] + 1, now[j - 1] + 1, last[j - 1] + cost);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
                now[j] = now[j] < before[j - 2] + 1 ? now[j] : before[j - 2] + 1;
            }
        }
    }
    return row[na % 3][nb];
}

const char *carom_text_nearest(const char *name, const char *const *names, size_t count)
{
    const char *best = NULL;
    int limit = (int)(strnlen(name, LONGEST) / 3);
    int best_distance = limit < 1 ? 1 : limit;
    for (size_t i = 0; i < count; ++i) {
        int distance = names[i] ? carom_text_distance(name, names[i]) : best_distance + 1;
        if (distance < best_distance || (distance == best_distance && !best)) {
            best = names[i];
            best_distance = distance;
        }
    }
    return best;
}

static bool reserve(carom_text *text, size_t more)
{
    text->failed = text->failed || !CAROM_ARRAY_RESERVE(text->data, text->capacity, text->length + more + 1);
    return !text->failed;
}

void carom_text_add(carom_text *text, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int length = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (text->failed || length < 0 || !reserve(text, (size_t)length)) {
        return;
    }
    va_start(args, fmt);
    vsnprintf(text->data + text->length, (size_t)length + 1, fmt, args);
    va_end(args);
    text->length += (size_t)length;
}

void carom_text_free(carom_text *text)
{
    free(text->data);
    *text = (carom_text){ 0 };
}

/* ---- UTF-8 -------------------------------------------------------------------------------------------------------- */

size_t carom_text_character(const char *text, uint32_t *number)
{
    static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const unsigned char *p = (const unsigned char *)text;
    size_t length = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : p[0] < 0xf5 ? 4 : 0;
    uint32_t value = length < 2 ? p[0] : p[0] & (0x7fU >> length);
    for (size_t i = 1; i < length; ++i) {
        if ((p[i] & 0xc0) != 0x80) {
            return 0;
        }
        value = value << 6 | (p[i] & 0x3fU);
    }
    bool surrogate = value >= 0xd800 && value <= 0xdfff;
    if (length == 0 || value < smallest[length] || surrogate || value > 0x10ffff) {
        return 0;
    }
    *number = value;
    return length;
}

char *carom_text_repaired(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (!copy) {
        return NULL;
    }
    memcpy(copy, text, size);
    for (char *p = copy; *p;) {
        uint32_t number;
        size_t length = carom_text_character(p, &number);
        *p = length > 0 ? *p : '?';
        p += length > 0 ? length : 1;
    }
    return copy;
}
