/* Names come from files: bytes that are no UTF-8 are read as U+FFFD, the replacement character. */
#ifndef CAROM_FILES_UTF8_H
#define CAROM_FILES_UTF8_H

#include "base/text.h"

/* The character at text, which must not be empty: its code and how many bytes it takes. */
size_t export_utf8_next(const char *text, uint32_t *code);

/* Appends the text, with the replacement character where it is no UTF-8. */
void export_utf8_add(carom_text *out, const char *text);

/* Letters, digits, '.', '-' and '_' of text, anything else as '_', at most size - 1 of them; "_" for an empty one.
 * Answers whether that is still the text itself. */
bool export_plain_name(const char *text, char *out, size_t size);

#endif
