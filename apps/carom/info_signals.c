/* Main signals of a result as sparklines: what the scene recorded, else coordinates of joints, else where bodies go;
 * then energies and contacts. */
#include "info.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "printable.h"
#include "signals.h"
#include "sparkline.h"
#include "table.h"

enum { SOME_SIGNALS = 10 }; /* before energies and contacts */

/* ---- which -------------------------------------------------------------------------------------------------------- */

typedef struct shown_list {
    size_t *items;
    size_t count;
    size_t left_out;
} shown_list;

static bool is_listed(const shown_list *list, size_t signal)
{
    for (size_t k = 0; k < list->count; ++k) {
        if (list->items[k] == signal) {
            return true;
        }
    }
    return false;
}

static void list_signal(shown_list *list, size_t signal, size_t limit)
{
    if (list->count < limit) {
        list->items[list->count++] = signal;
    } else {
        list->left_out += 1;
    }
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text);
    size_t tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* Shown besides the main ones. */
static bool is_reserved(const char *name, const char *unit)
{
    bool energy = strncmp(name, "energy.", 7) == 0 && strcmp(unit, "J") == 0 && strcmp(name, "energy.residue") != 0;
    return energy || strcmp(name, "contacts.count") == 0;
}

static double range_of(const double *values, size_t count)
{
    double low = (double)NAN;
    double high = (double)NAN;
    for (size_t k = 0; k < count; ++k) {
        low = fmin(low, values[k]);
        high = fmax(high, values[k]);
    }
    return high > low ? high - low : 0.0;
}

static void list_recorded(const info *i, shown_list *list)
{
    for (size_t k = 0; k < carom_result_recorded_count(i->result); ++k) {
        list_signal(list, k, SOME_SIGNALS);
    }
}

/* Every coordinate of a joint has a rate, and nothing else has. */
static void list_coordinates(const info *i, shown_list *list)
{
    size_t count = carom_result_signal_count(i->result);
    for (size_t k = 0; k < count; ++k) {
        const char *rate = carom_result_signal_name(i->result, k);
        if (ends_with(rate, ".rate")) {
            char *name = format_text("%.*s", (int)(strlen(rate) - strlen(".rate")), rate);
            size_t coordinate = info_find(i, name);
            if (coordinate < count) {
                list_signal(list, coordinate, SOME_SIGNALS);
            }
            free(name);
        }
    }
}

/* Of each body that moves, the component of its position that changes most. */
static void list_positions(const info *i, shown_list *list)
{
    size_t count = carom_result_signal_count(i->result);
    for (size_t k = 0; k + 2 < count; ++k) {
        if (!ends_with(carom_result_signal_name(i->result, k), ".position.x")) {
            continue;
        }
        size_t most = k;
        double range = 0.0;
        for (size_t c = k; c < k + 3; ++c) {
            const double *values = signal_values(i->result, c);
            double own = values ? range_of(values, i->frames) : 0.0;
            most = own > range ? c : most;
            range = fmax(range, own);
        }
        if (range > 0.0) {
            list_signal(list, most, SOME_SIGNALS);
        }
    }
}

/* Energies that are not always zero, and how many points touch unless that was recorded. */
static void list_reserved(const info *i, shown_list *list)
{
    size_t recorded = info_find(i, "contact.count");
    for (size_t k = 0; k < carom_result_signal_count(i->result); ++k) {
        const char *name = carom_result_signal_name(i->result, k);
        bool twice = is_listed(list, k) || (name[0] == 'c' && is_listed(list, recorded));
        if (is_reserved(name, carom_result_signal_unit(i->result, k)) && !twice &&
            largest_of(signal_values(i->result, k), i->frames) > 0.0) {
            list_signal(list, k, SIZE_MAX);
        }
    }
}

static shown_list choose_signals(const info *i)
{
    size_t count = carom_result_signal_count(i->result);
    shown_list list = { .items = allocate(count, sizeof *list.items) };
    if (i->all) {
        for (size_t k = 0; k < count; ++k) {
            list_signal(&list, k, SIZE_MAX);
        }
        return list;
    }
    list_recorded(i, &list);
    if (list.count == 0) {
        list_coordinates(i, &list);
    }
    if (list.count == 0) {
        list_positions(i, &list);
    }
    list_reserved(i, &list);
    return list;
}

/* ---- drawing ------------------------------------------------------------------------------------------------------ */

enum { GAPS = 2 + 2 + 1 + 1 + 2 }; /* before the name, between the columns */

typedef struct spark_layout {
    int name, low, cells, high, unit;
    bool blocks;
} spark_layout;

/* A bound of a range; what is only rounding beside its width is 0. */
static const char *bound_text(const sparkline *line, double bound, char *buffer, size_t size)
{
    bool noise = fabs(bound) < 1e-12 * (line->high - line->low);
    return number_text(noise ? 0.0 : bound, 4, buffer, size);
}

static void widen(int *width, const char *text)
{
    int own = text_width(text);
    *width = own > *width ? own : *width;
}

static spark_layout lay_out(const info *i, const shown_list *list)
{
    spark_layout l = { .name = 6, .low = 3, .high = 3, .unit = 4, .blocks = is_utf8_locale() };
    int width = screen_width();
    char number[40];
    for (size_t k = 0; k < list->count; ++k) {
        size_t signal = list->items[k];
        const double *values = signal_values(i->result, signal);
        sparkline range = sparkline_of(i->time, values, values ? i->frames : 0, 0, false);
        widen(&l.name, carom_result_signal_name(i->result, signal));
        widen(&l.low, bound_text(&range, range.low, number, sizeof number));
        widen(&l.high, bound_text(&range, range.high, number, sizeof number));
        widen(&l.unit, carom_result_signal_unit(i->result, signal));
    }
    int most = width * 3 / 10;
    l.name = l.name < most ? l.name : most;
    l.unit = l.unit < 9 ? l.unit : 9;
    l.cells = width - l.name - l.low - l.high - l.unit - GAPS;
    l.cells = l.cells < 8 ? 8 : l.cells > SPARKLINE_CELLS ? SPARKLINE_CELLS : l.cells;
    return l;
}

static void print_name(const char *name, int width)
{
    char *words = copy_text(name);
    make_printable(words, false);
    int used = print_clipped(stdout, words, width);
    printf("%*s", width - used, "");
    free(words);
}

static void print_titles(const info *i, const spark_layout *l)
{
    char span[64];
    bool colour = use_colour();
    snprintf(span, sizeof span, "t = %.4g to %.4g s", i->time[0], i->time[i->frames - 1]);
    span[text_fit(span, l->cells)] = '\0';
    printf("%s  %-*s  %*s %-*s %-*s  %s%s\n", colour ? "\x1b[2m" : "", l->name, "signal", l->low, "min", l->cells,
           span, l->high, "max", "unit", colour ? "\x1b[0m" : "");
}

static void print_spark(const info *i, size_t signal, const spark_layout *l)
{
    const double *values = signal_values(i->result, signal);
    char low[40];
    char high[40];
    if (!values) {
        return;
    }
    sparkline line = sparkline_of(i->time, values, i->frames, l->cells, l->blocks);
    bool colour = use_colour();
    printf("  ");
    print_name(carom_result_signal_name(i->result, signal), l->name);
    printf("  %*s %s%s%s %-*s  ", l->low, bound_text(&line, line.low, low, sizeof low), colour ? "\x1b[36m" : "",
           line.text, colour ? "\x1b[0m" : "", l->high, bound_text(&line, line.high, high, sizeof high));
    char *unit = copy_text(carom_result_signal_unit(i->result, signal));
    make_printable(unit, false);
    print_clipped(stdout, unit, l->unit);
    putchar('\n');
    free(unit);
}

void info_print_sparklines(const info *i)
{
    if (i->frames < 2) {
        return;
    }
    shown_list list = choose_signals(i);
    spark_layout l = lay_out(i, &list);
    if (list.count > 0) {
        print_heading("%s", i->all ? "All signals" : "Main signals");
        print_titles(i, &l);
    }
    for (size_t k = 0; k < list.count; ++k) {
        print_spark(i, list.items[k], &l);
    }
    if (list.left_out > 0) {
        print_line("  and %zu more like the first; --all shows them", list.left_out);
    }
    free(list.items);
}
