/* Impacts of a run: how many of which contact mode, what they cost, and each one with its impulses. */
#include <math.h>
#include <stdlib.h>

#include "info.h"
#include "table.h"

/* Numbers of the events that are impacts. */
typedef struct impact_list {
    const carom_event *events;
    size_t *at;
    size_t count;
} impact_list;

static impact_list find_impacts(const carom_result *result)
{
    size_t count = carom_result_event_count(result);
    impact_list list = { .events = carom_result_events(result), .at = allocate(count + 1, sizeof(size_t)) };
    for (size_t k = 0; k < count; ++k) {
        if (list.events[k].kind == CAROM_EVENT_IMPACT) {
            list.at[list.count++] = k;
        }
    }
    return list;
}

/* ---- statistics --------------------------------------------------------------------------------------------------- */

typedef struct mode_statistics {
    size_t count;
    double lost;    /* [J] */
    double hardest; /* [N s] largest normal impulse */
} mode_statistics;

static void add_to(mode_statistics *s, const carom_event *e)
{
    s->count += 1;
    s->lost += e->energy_lost;
    s->hardest = fmax(s->hardest, carom_event_normal_impulse(e));
}

static void statistics_cells(table *t, const char *name, const mode_statistics *s, size_t total)
{
    table_cell(t, "%s", name);
    table_cell(t, "%zu", s->count);
    table_number(t, 100.0 * (double)s->count / (double)total, 3);
    table_number(t, s->lost, 5);
    table_number(t, s->hardest, 5);
}

static void print_statistics(const impact_list *list)
{
    static const char *const titles[] = { "mode", "times", "%", "energy lost [J]", "hardest [N s]" };
    mode_statistics of_mode[CAROM_MODES] = { { 0 } };
    mode_statistics all = { 0 };
    int modes = 0;
    table t;
    for (size_t k = 0; k < list->count; ++k) {
        const carom_event *e = &list->events[list->at[k]];
        modes += of_mode[e->mode].count == 0;
        add_to(&of_mode[e->mode], e);
        add_to(&all, e);
    }
    table_init(&t, 5, titles, "trrrr");
    for (int mode = 0; mode < CAROM_MODES; ++mode) {
        if (of_mode[mode].count > 0) {
            const char *name = mode == CAROM_MODE_NONE ? "unknown"
                                                       : carom_contact_mode_name((carom_contact_mode)mode);
            statistics_cells(&t, name, &of_mode[mode], all.count);
        }
    }
    if (modes > 1) {
        statistics_cells(&t, "all", &all, all.count);
    }
    table_print(&t);
    if (of_mode[CAROM_MODE_STOP].count > 0) {
        print_line("  stops of angles: speeds are rad/s, impulses N m s");
    }
}

/* ---- each one ----------------------------------------------------------------------------------------------------- */

static void number_cell(table *t, size_t number)
{
    table_cell(t, "%zu", number);
}

static void place_cells(table *t, const info *i, const carom_event *e)
{
    table_number(t, e->t, 9);
    info_place_cells(t, i, e);
    table_cell(t, "%s", e->mode != CAROM_MODE_NONE ? carom_contact_mode_name(e->mode) : "-");
}

static void friction_cell(table *t, const carom_event *e)
{
    const char *before = carom_friction_state_name(e->friction);
    const char *after = carom_friction_state_name(e->friction_after);
    if (e->friction != e->friction_after) {
        table_cell(t, "%s -> %s", before, after);
    } else {
        table_cell(t, "%s", e->friction == CAROM_FRICTION_NONE ? "-" : before);
    }
}

static void strength_cells(table *t, const carom_event *e)
{
    table_number(t, carom_event_normal_impulse(e), 4);
    table_number(t, carom_event_tangential_impulse(e), 4);
    table_number(t, e->speed, 4);
    table_number(t, e->speed_after, 4);
    table_number(t, e->energy_lost, 4);
}

static void cells_of_all(table *t, const info *i, const carom_event *e)
{
    place_cells(t, i, e);
    strength_cells(t, e);
    friction_cell(t, e);
}

static void cells_of_place(table *t, const info *i, const carom_event *e)
{
    place_cells(t, i, e);
    friction_cell(t, e);
}

static void cells_of_strength(table *t, const info *i, const carom_event *e)
{
    (void)i;
    strength_cells(t, e);
}

static double length(carom_v3 a)
{
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

static void cells_of_point(table *t, const info *i, const carom_event *e)
{
    (void)i;
    table_number(t, e->position.x, 6);
    table_number(t, e->position.y, 6);
    table_number(t, e->position.z, 6);
    table_number(t, length(e->slip), 4);
    table_number(t, length(e->slip_after), 4);
}

/* What a table shows of an impact behind its number. */
typedef struct impact_view {
    int columns;
    const char *titles[TABLE_COLUMNS];
    const char *align;
    void (*cells)(table *t, const info *i, const carom_event *e);
} impact_view;

static const impact_view everything = {
    11,
    { "#", "t [s]", "A", "B", "mode", "normal [N s]", "across [N s]", "before [m/s]", "after [m/s]", "lost [J]",
      "friction" },
    "rrlltrrrrrt",
    cells_of_all,
};

static const impact_view places = {
    6,
    { "#", "t [s]", "A", "B", "mode", "friction" },
    "rrlltt",
    cells_of_place,
};

static const impact_view strengths = {
    6,
    { "#", "normal [N s]", "across [N s]", "before [m/s]", "after [m/s]", "lost [J]" },
    "rrrrrr",
    cells_of_strength,
};

static const impact_view points = {
    6,
    { "#", "x [m]", "y", "z", "slip before [m/s]", "after" },
    "rrrrrr",
    cells_of_point,
};

/* All but [skip_from, skip_to). */
static void print_view(const impact_view *view, const info *i, const impact_list *list, size_t skip_from,
                       size_t skip_to)
{
    table t;
    table_init(&t, view->columns, view->titles, view->align);
    for (size_t k = 0; k < list->count; ++k) {
        if (k == skip_from && skip_to > skip_from) {
            table_cell(&t, "...");
            for (int c = 1; c < view->columns; ++c) {
                table_cell(&t, "%s", "");
            }
            k = skip_to;
        }
        number_cell(&t, k + 1);
        view->cells(&t, i, &list->events[list->at[k]]);
    }
    table_print(&t);
}

/* The titles of the columns hold for surfaces and travels. */
static void print_units_of_stops(const impact_list *list)
{
    bool stops = false;
    for (size_t k = 0; k < list->count && !stops; ++k) {
        stops = list->events[list->at[k]].mode == CAROM_MODE_STOP;
    }
    if (stops) {
        print_line("  at the stop of an angle impulses are in N m s and speeds in rad/s");
    }
}

/* One table where there is room for it, else two with the same numbers. */
static void print_list(const info *i, const impact_list *list, size_t skip_from, size_t skip_to)
{
    enum { ROOMY = 136 };
    if (screen_width() >= ROOMY) {
        print_view(&everything, i, list, skip_from, skip_to);
        return;
    }
    print_view(&places, i, list, skip_from, skip_to);
    print_line("%s", "");
    print_view(&strengths, i, list, skip_from, skip_to);
}

/* Who asks for all of them gets where they were and how they slid, too. */
static void print_whole_list(const info *i, const impact_list *list)
{
    print_list(i, list, 0, 0);
    print_line("%s", "");
    print_view(&points, i, list, 0, 0);
}

/* A run counts all of its impacts but records only so many events. */
static void print_title_of(const info *i, size_t count)
{
    double total = info_number(i, "impacts");
    if (total > (double)count) {
        print_heading("%.0f impacts, of which the first %zu were recorded", total, count);
    } else {
        print_heading("%zu impact%s", count, count == 1 ? "" : "s");
    }
}

void info_print_impacts(const info *i)
{
    enum { AT_START = 12, AT_END = 4 };
    impact_list list = find_impacts(i->result);
    if (list.count > 0) {
        print_title_of(i, list.count);
        print_statistics(&list);
        print_line("%s", "");
        if (i->all) {
            print_whole_list(i, &list);
        } else if (list.count <= AT_START + AT_END + 1) {
            print_list(i, &list, 0, 0);
        } else {
            print_list(i, &list, AT_START, list.count - AT_END);
            print_line("  --events lists all");
        }
        print_units_of_stops(&list);
    }
    free(list.at);
}

void info_print_all_impacts(const info *i)
{
    impact_list list = find_impacts(i->result);
    if (list.count > 0) {
        print_title_of(i, list.count);
        print_whole_list(i, &list);
        print_units_of_stops(&list);
    }
    free(list.at);
}
