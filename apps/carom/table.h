/* Tables, headings and numbers on standard output: aligned, as wide as the screen, coloured on a terminal only. */
#ifndef CAROM_APP_TABLE_H
#define CAROM_APP_TABLE_H

#include <carom/base.h>

enum { TABLE_COLUMNS = 12 };

typedef struct table {
    int columns;
    const char *const *titles;
    const char
        *align; /* per column: 'l' names, shortened when the screen is narrow; 't' text, never; 'r' numbers; 'w' in
                          the last column: sentences, over as many lines as they need */
    int cell_count;
    int cell_capacity;
    char **cells; /* row by row */
} table;

void table_init(table *t, int columns, const char *const *titles, const char *align);

/* The next cell, left to right, top to bottom. */
void table_cell(table *t, const char *fmt, ...) CAROM_PRINTF(2, 3);

/* A number with `digits` significant digits, without "-0" and with 0 as "0". */
void table_number(table *t, double value, int digits);

/* Prints and frees. Names too long for the screen end in an ellipsis; control characters show as '?'. */
void table_print(table *t);

/* What is not printed. */
void table_free(table *t);

/* A heading, bold on a terminal. */
void print_heading(const char *fmt, ...) CAROM_PRINTF(1, 2);

/* The same as the first line of all: nothing above it, clipped to the screen. */
void print_title(const char *fmt, ...) CAROM_PRINTF(1, 2);

/* A line whose text may come from a file. */
void print_line(const char *fmt, ...) CAROM_PRINTF(1, 2);

/* Words flowing over lines, indented, at most `limit` of them (0: all); says how many are left out. */
void print_words(const char *const *words, size_t count, size_t limit);

/* Standard output is a terminal that may be coloured (NO_COLOR is respected). */
bool use_colour(void);

/* Columns of standard output, at most as many as people read. */
int screen_width(void);

/* Text over as many lines as the screen's width takes, broken at spaces: two spaces before the first line, `indent`
 * before the others. */
void print_wrapped(int indent, const char *fmt, ...) CAROM_PRINTF(2, 3);

/* The same in green, yellow or red. */
typedef enum verdict { VERDICT_GOOD, VERDICT_DOUBTFUL, VERDICT_BAD } verdict;
void print_coloured(verdict how, const char *fmt, ...) CAROM_PRINTF(2, 3);

/* As table_number, into buffer; returns it. */
const char *number_text(double value, int digits, char *buffer, size_t size);

#endif
