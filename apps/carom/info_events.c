/* What happened at instants of a run: how often, and when. */
#include "info.h"

#include <math.h>
#include <stdlib.h>

#include "table.h"

void info_place_cells(table *t, const info *i, const carom_event *e)
{
    if (e->joint >= 0) {
        table_cell(t, "%s", carom_result_joint_info(i->result, (size_t)e->joint).name);
        table_cell(t, "(joint)");
    } else {
        table_cell(t, "%s", carom_result_body_name(i->result, e->body[0]));
        table_cell(t, "%s", carom_result_body_name(i->result, e->body[1]));
    }
}

static void add_event(table *t, const info *i, const carom_event *e)
{
    table_number(t, e->t, 9);
    table_cell(t, "%s", carom_result_event_name(i->result, e));
    if (e->kind == CAROM_EVENT_SCENE) {
        table_cell(t, "%s", "(event of the scene)");
        table_cell(t, "%s", "");
        table_cell(t, "%s", "");
        return;
    }
    info_place_cells(t, i, e);
    table_number(t, e->speed, 4);
}

static void print_range(const info *i, size_t begin, size_t end, size_t skip_from, size_t skip_to)
{
    static const char *const titles[] = { "t [s]", "event", "A", "B", "speed [m/s]" };
    const carom_event *events = carom_result_events(i->result);
    table t;
    table_init(&t, 5, titles, "rlllr");
    for (size_t k = begin; k < end; ++k) {
        if (k == skip_from && skip_to > skip_from) {
            table_cell(&t, "...");
            for (int c = 1; c < 5; ++c) {
                table_cell(&t, "%s", "");
            }
            k = skip_to;
        }
        add_event(&t, i, &events[k]);
    }
    table_print(&t);
}

static void print_counts(const info *i, size_t count)
{
    const carom_event *events = carom_result_events(i->result);
    size_t of_kind[CAROM_EVENT_KINDS] = { 0 };
    static const char *const titles[] = { "event", "times", "first [s]", "last [s]" };
    double first[CAROM_EVENT_KINDS];
    double last[CAROM_EVENT_KINDS];
    for (size_t k = 0; k < count; ++k) {
        carom_event_kind kind = events[k].kind;
        first[kind] = of_kind[kind] == 0 ? events[k].t : first[kind];
        last[kind] = events[k].t;
        of_kind[kind] += 1;
    }
    table t;
    table_init(&t, 4, titles, "lrrr");
    for (int kind = 0; kind < CAROM_EVENT_KINDS; ++kind) {
        if (of_kind[kind] > 0) {
            table_cell(&t, "%s", carom_event_kind_name((carom_event_kind)kind));
            table_cell(&t, "%zu", of_kind[kind]);
            table_number(&t, first[kind], 6);
            table_number(&t, last[kind], 6);
        }
    }
    table_print(&t);
}

/* A run counts all of its events but records only so many. */
static double total_of(const info *i)
{
    double total = 0.0;
    for (int kind = 0; kind < CAROM_EVENT_KINDS; ++kind) {
        char *path = format_text("events.%s", carom_event_kind_name((carom_event_kind)kind));
        double counted = info_number(i, path);
        total += isfinite(counted) ? counted : 0.0;
        free(path);
    }
    return total;
}

void info_print_events(const info *i)
{
    enum { AT_ENDS = 4 };
    size_t count = carom_result_event_count(i->result);
    double total = total_of(i);
    if (count == 0) {
        return;
    }
    if (total > (double)count) {
        print_heading("%.0f events, of which the first %zu were recorded", total, count);
    } else {
        print_heading("%zu event%s", count, count == 1 ? "" : "s");
    }
    print_counts(i, count);
    print_line("%s", "");
    if (i->all || count <= 2 * AT_ENDS + 1) {
        print_range(i, 0, count, 0, 0);
    } else {
        print_range(i, 0, count, AT_ENDS, count - AT_ENDS);
        print_line("  --events lists all");
    }
}

void info_print_all_events(const info *i)
{
    size_t count = carom_result_event_count(i->result);
    if (count == 0) {
        print_line("no events");
        return;
    }
    print_range(i, 0, count, 0, 0);
    info_print_all_impacts(i);
}
