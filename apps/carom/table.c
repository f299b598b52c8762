/* Tables with column widths found from their cells, counted in characters (UTF-8), not bytes. */
#include "table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "command.h"

enum { WIDEST = 100, NARROWEST = 60, GAP = 2, SHORTEST_NAME = 8 };

bool use_colour(void)
{
    const char *off = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    return isatty(STDOUT_FILENO) && !(off && *off) && !(term && strcmp(term, "dumb") == 0);
}

int screen_width(void)
{
    struct winsize size;
    int width = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : WIDEST;
    return width < NARROWEST ? NARROWEST : width > WIDEST ? WIDEST : width;
}

/* Names come from files: nothing that moves the cursor or changes colours may pass. */
static void make_printable(char *text)
{
    for (char *c = text; *c; ++c) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f) {
            *c = '?';
        }
    }
}

static bool starts_character(char c)
{
    return ((unsigned char)c & 0xc0) != 0x80;
}

static int text_width(const char *text)
{
    int width = 0;
    for (; *text; ++text) {
        width += starts_character(*text);
    }
    return width;
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
    make_printable(text);
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
    for (; total > screen_width(); --total) {
        int widest = -1;
        for (int c = 0; c < t->columns; ++c) {
            bool wider = t->align[c] == 'l' && (widest < 0 || widths[c] > widths[widest]);
            widest = wider ? c : widest;
        }
        if (widest < 0 || widths[widest] <= SHORTEST_NAME) {
            return;
        }
        widths[widest] -= 1;
    }
}

/* At most `width` characters, the last one an ellipsis when something is missing. */
static void print_clipped(const char *text, int width)
{
    bool clipped = text_width(text) > width;
    int room = clipped ? width - 1 : width;
    for (; *text; ++text) {
        room -= starts_character(*text);
        if (room < 0) {
            break;
        }
        putchar(*text);
    }
    fputs(clipped ? "\xe2\x80\xa6" : "", stdout);
}

static void print_cell(const char *text, int width, char align, bool last)
{
    int length = text_width(text);
    int pad = width > length ? width - length : 0;
    if (align == 'r') {
        printf("%*s", pad, "");
    }
    print_clipped(text, width);
    if (align == 'l' && !last) {
        printf("%*s", pad, "");
    }
    fputs(last ? "\n" : "  ", stdout);
}

void table_print(table *t)
{
    int widths[TABLE_COLUMNS];
    bool colour = use_colour();
    find_widths(t, widths);
    fit_widths(t, widths);
    fputs(colour ? "\x1b[2m" : "", stdout);
    for (int c = 0; c < t->columns; ++c) {
        fputs(c == 0 ? "  " : "", stdout);
        print_cell(t->titles[c], widths[c], t->align[c], c == t->columns - 1);
    }
    fputs(colour ? "\x1b[0m" : "", stdout);
    for (int i = 0; i < t->cell_count; ++i) {
        int c = i % t->columns;
        fputs(c == 0 ? "  " : "", stdout);
        print_cell(t->cells[i], widths[c], t->align[c], c == t->columns - 1);
        free(t->cells[i]);
    }
    free(t->cells);
    *t = (table){ 0 };
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

void print_line(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    char *text = format_list(fmt, args);
    va_end(args);
    puts(text);
    free(text);
}

void print_words(const char *const *words, size_t count, size_t limit)
{
    size_t shown = limit > 0 && count > limit ? limit : count;
    int width = screen_width();
    int at = 0;
    for (size_t i = 0; i < shown; ++i) {
        char *word = copy_text(words[i]);
        make_printable(word);
        int length = text_width(word) + GAP;
        if (at > 0 && at + length > width) {
            putchar('\n');
            at = 0;
        }
        printf("  %s", word);
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
