/* Tables with column widths found from their cells, counted as terminals show them. */
#include "table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "printable.h"

enum { WIDEST = 160, GAP = 2, SHORTEST_NAME = 8 };

bool use_colour(void)
{
    return is_colourful(stdout);
}

int screen_width(void)
{
    int width = columns_of(stdout);
    return width > WIDEST ? WIDEST : width;
}

static char *format_list(const char *fmt, va_list args) CAROM_PRINTF(1, 0);
static char *format_list(const char *fmt, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, fmt, args);
    size_t size = (size_t)(length < 0 ? 0 : length) + 1;
    char *text = allocate(size, 1);
    vsnprintf(text, size, fmt, again);
    va_end(again);
    make_printable(text, false);
    return text;
}

void table_init(table *t, int columns, const char *const *titles, const char *align)
{
    *t = (table){ .columns = columns, .titles = titles, .align = align };
}

void table_cell(table *t, const char *fmt, ...)
{
    if (t->cell_count == t->cell_capacity) {
        int capacity = t->cell_capacity ? 2 * t->cell_capacity : 64;
        char **cells = allocate((size_t)capacity, sizeof *cells);
        if (t->cells) {
            memcpy(cells, t->cells, (size_t)t->cell_count * sizeof *cells);
        }
        free(t->cells);
        t->cells = cells;
        t->cell_capacity = capacity;
    }
    va_list args;
    va_start(args, fmt);
    t->cells[t->cell_count++] = format_list(fmt, args);
    va_end(args);
}

const char *number_text(double value, int digits, char *buffer, size_t size)
{
    snprintf(buffer, size, "%.*g", digits, value == 0.0 ? 0.0 : value);
    return buffer;
}

void table_number(table *t, double value, int digits)
{
    char text[40];
    table_cell(t, "%s", number_text(value, digits, text, sizeof text));
}

static void find_widths(const table *t, int *widths)
{
    for (int c = 0; c < t->columns; ++c) {
        widths[c] = text_width(t->titles[c]);
    }
    for (int i = 0; i < t->cell_count; ++i) {
        int width = text_width(t->cells[i]);
        int *column = &widths[i % t->columns];
        *column = width > *column ? width : *column;
    }
}

/* Takes from the widest left-aligned column until the table fits, names never below SHORTEST_NAME. */
static void fit_widths(const table *t, int *widths)
{
    int total = 0;
    for (int c = 0; c < t->columns; ++c) {
        total += widths[c] + GAP;
    }
    for (int screen = screen_width(); total > screen; --total) {
        int widest = -1;
        for (int c = 0; c < t->columns; ++c) {
            bool wider = (t->align[c] == 'l' || t->align[c] == 'w') && (widest < 0 || widths[c] > widths[widest]);
            widest = wider ? c : widest;
        }
        if (widest < 0 || widths[widest] <= SHORTEST_NAME) {
            return;
        }
        widths[widest] -= 1;
    }
}

/* Breaks at spaces; a word longer than a line is broken where the line ends. `first` columns are left on the first line,
 * `room` on the others, which begin with `indent` spaces. */
static void print_broken(const char *text, int first, int room, int indent)
{
    for (int left = first; text_width(text) > left; left = room) {
        size_t fit = text_fit(text, left);
        size_t cut = fit;
        while (cut > 0 && text[cut] != ' ') {
            --cut;
        }
        cut = cut > 0 ? cut : fit;
        printf("%.*s\n%*s", (int)cut, text, indent, "");
        text += cut + strspn(text + cut, " ");
    }
    puts(text);
}

/* `at` is the column of the screen in which the cell begins. */
static void print_cell(const char *text, int width, char align, bool last, int at)
{
    int length = text_width(text);
    if (align == 'w' && last) {
        print_broken(text, width, width, at);
        return;
    }
    if (align == 'r' && length < width) {
        printf("%*s", width - length, "");
    }
    int used = print_clipped(stdout, text, width);
    if (align != 'r' && !last) {
        printf("%*s", width - used, "");
    }
    fputs(last ? "\n" : "  ", stdout);
}

void table_free(table *t)
{
    for (int i = 0; i < t->cell_count; ++i) {
        free(t->cells[i]);
    }
    free(t->cells);
    *t = (table){ 0 };
}

void table_print(table *t)
{
    int widths[TABLE_COLUMNS];
    int at[TABLE_COLUMNS + 1] = { 2 };
    bool colour = use_colour();
    find_widths(t, widths);
    fit_widths(t, widths);
    fputs(colour ? "\x1b[2m" : "", stdout);
    for (int c = 0; c < t->columns; ++c) {
        at[c + 1] = at[c] + widths[c] + GAP;
        fputs(c == 0 ? "  " : "", stdout);
        print_cell(t->titles[c], widths[c], t->align[c], c == t->columns - 1, at[c]);
    }
    fputs(colour ? "\x1b[0m" : "", stdout);
    for (int i = 0; i < t->cell_count; ++i) {
        int c = i % t->columns;
        fputs(c == 0 ? "  " : "", stdout);
        print_cell(t->cells[i], widths[c], t->align[c], c == t->columns - 1, at[c]);
    }
    table_free(t);
}

void print_heading(const char *fmt, ...)
{
    bool colour = use_colour();
    va_list args;
    va_start(args, fmt);
    char *text = format_list(fmt, args);
    va_end(args);
    printf("\n%s%s%s\n", colour ? "\x1b[1m" : "", text, colour ? "\x1b[0m" : "");
    free(text);
}

void print_title(const char *fmt, ...)
{
    bool colour = use_colour();
    va_list args;
    va_start(args, fmt);
    char *text = format_list(fmt, args);
    va_end(args);
    fputs(colour ? "\x1b[1m" : "", stdout);
    print_clipped(stdout, text, screen_width());
    fputs(colour ? "\x1b[0m\n" : "\n", stdout);
    free(text);
}

void print_line(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    char *text = format_list(fmt, args);
    va_end(args);
    puts(text);
    free(text);
}

static void wrap(const char *text, int indent)
{
    printf("  ");
    print_broken(text, screen_width() - 2, screen_width() - indent, indent);
}

void print_wrapped(int indent, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    char *text = format_list(fmt, args);
    va_end(args);
    wrap(text, indent);
    free(text);
}

void print_coloured(verdict how, const char *fmt, ...)
{
    static const char *const colours[] = { "\x1b[32m", "\x1b[33m", "\x1b[31m" };
    bool colour = use_colour();
    va_list args;
    va_start(args, fmt);
    char *text = format_list(fmt, args);
    va_end(args);
    fputs(colour ? colours[how] : "", stdout);
    wrap(text, 4);
    fputs(colour ? "\x1b[0m" : "", stdout);
    free(text);
}

void print_words(const char *const *words, size_t count, size_t limit)
{
    size_t shown = limit > 0 && count > limit ? limit : count;
    int width = screen_width();
    int at = 0;
    for (size_t i = 0; i < shown; ++i) {
        char *word = copy_text(words[i]);
        make_printable(word, false);
        int length = text_width(word) + GAP;
        if (at > 0 && at + length > width) {
            putchar('\n');
            at = 0;
        }
        printf("  ");
        print_clipped(stdout, word, width - GAP);
        at += length;
        free(word);
    }
    if (shown > 0) {
        putchar('\n');
    }
    if (shown < count) {
        printf("  and %zu more\n", count - shown);
    }
}
