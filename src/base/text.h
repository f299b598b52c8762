/* Text helpers: nearest name for "did you mean", growing text buffers. */
#ifndef CAROM_BASE_TEXT_H
#define CAROM_BASE_TEXT_H

#include <carom/base.h>

/* Number of single-character edits (insert, delete, replace, swap of neighbours) between a and b, ignoring case. */
int carom_text_distance(const char *a, const char *b);

/* The candidate nearest to `name` if it is near enough to be meant (at most a third of its length, at least 1 edit),
 * else NULL. names may hold NULL entries, which are skipped. */
const char *carom_text_nearest(const char *name, const char *const *names, size_t count);

/* The character at text, which must not be empty, as RFC 3629 has it: its number, and how many bytes it takes. What is no
 * UTF-8 (overlong forms, surrogates and what lies beyond U+10FFFF included) is none: 0 bytes. */
size_t carom_text_character(const char *text, uint32_t *number);

/* A copy in which every byte that is not part of valid UTF-8 is a question mark; free() it. NULL: out of memory. */
char *carom_text_repaired(const char *text);

/* A text that grows. After a failed allocation `failed` is set and appending does nothing. */
typedef struct carom_text {
    char *data; /* always terminated when length > 0 */
    size_t length;
    size_t capacity;
    bool failed;
} carom_text;

void carom_text_add(carom_text *text, const char *fmt, ...) CAROM_PRINTF(2, 3);
void carom_text_free(carom_text *text);

#endif
