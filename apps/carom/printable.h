/* Text for people's screens: harmless whatever file it comes from, and as many columns wide as terminals make it. */
#ifndef CAROM_APP_PRINTABLE_H
#define CAROM_APP_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Replaces by '?', in place: control characters, what is no UTF-8, and what turns the direction of writing. Ends of
 * lines stay when asked for. */
void make_printable(char *text, bool keep_lines);

/* Columns of printable text: wide East Asian characters and emoji take two, combining ones none. */
int text_width(const char *text);

/* How many bytes of the text fit into `width` columns, whole characters only. */
size_t text_fit(const char *text, int width);

/* Prints at most `width` columns, the last an ellipsis when something is missing; answers how many it took. */
int print_clipped(FILE *stream, const char *text, int width);

/* Whether the locale of the environment says UTF-8; only then are block characters and the ellipsis shown. */
bool is_utf8_locale(void);

/* The stream is a terminal that may be coloured: NO_COLOR is not set, TERM is not dumb. */
bool is_colourful(FILE *stream);

/* Columns of the stream's terminal, else of $COLUMNS, else 80; never less than 40. */
int columns_of(FILE *stream);

#endif
