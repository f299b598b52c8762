/* Reading events, all at once: there are at most RESULT_EVENTS_MOST of them. The file is not trusted: tables must be as
 * long as the times are, times must ascend, bodies and kinds must exist. */
#include "io/result_events.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/result_layout.h"

static const char *const kind_names[CAROM_EVENT_KINDS] = {
    [CAROM_EVENT_CONTACT_ON] = "contact on", [CAROM_EVENT_CONTACT_OFF] = "contact off",
    [CAROM_EVENT_STICK] = "stick",           [CAROM_EVENT_SLIP] = "slip",
    [CAROM_EVENT_IMPACT] = "impact",         [CAROM_EVENT_TOPOLOGY] = "topology",
};

const char *carom_event_kind_name(carom_event_kind kind)
{
    return (unsigned)kind < CAROM_EVENT_KINDS ? kind_names[kind] : "unknown";
}

bool result_events_name_kinds(hid_t file)
{
    char names[CAROM_EVENT_KINDS * 16] = "";
    for (int kind = 0; kind < CAROM_EVENT_KINDS; ++kind) {
        size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%s", kind > 0 ? ", " : "", kind_names[kind]);
    }
    hid_t set = h5_open_dataset(file, "events/kind");
    bool ok = set >= 0 && h5_write_text_attribute(set, "names", names);
    if (set >= 0) {
        H5Dclose(set);
    }
    return ok;
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

enum { BLOCK = 4096 }; /* events read at a time */

typedef bool (*put_part)(carom_event *e, const double *part, size_t bodies);

static bool put_time(carom_event *e, const double *part, size_t bodies)
{
    (void)bodies;
    e->t = part[0];
    return isfinite(e->t);
}

static bool put_kind(carom_event *e, const double *part, size_t bodies)
{
    (void)bodies;
    bool known = part[0] >= 0.0 && part[0] < CAROM_EVENT_KINDS;
    e->kind = known ? (carom_event_kind)part[0] : CAROM_EVENT_CONTACT_ON;
    return known;
}

static bool put_body(int *body, double value, size_t bodies)
{
    bool known = value >= -1.0 && value < (double)bodies;
    *body = known ? (int)value : -1;
    return known;
}

static bool put_body_a(carom_event *e, const double *part, size_t bodies)
{
    return put_body(&e->body[0], part[0], bodies);
}

static bool put_body_b(carom_event *e, const double *part, size_t bodies)
{
    return put_body(&e->body[1], part[0], bodies);
}

static bool put_position(carom_event *e, const double *part, size_t bodies)
{
    (void)bodies;
    e->position = (carom_v3){ part[0], part[1], part[2] };
    return true;
}

static bool put_normal(carom_event *e, const double *part, size_t bodies)
{
    (void)bodies;
    e->normal = (carom_v3){ part[0], part[1], part[2] };
    return true;
}

static bool put_speed(carom_event *e, const double *part, size_t bodies)
{
    (void)bodies;
    e->speed = part[0];
    return true;
}

static const struct {
    const char *path;
    size_t parts;
    put_part put;
} tables[RESULT_TABLES] = {
    { "events/time", 1, put_time },     { "events/kind", 1, put_kind },         { "events/body_a", 1, put_body_a },
    { "events/body_b", 1, put_body_b }, { "events/position", 3, put_position }, { "events/normal", 3, put_normal },
    { "events/speed", 1, put_speed },
};

/* A handle to a table with at least so many rows, or -1. */
static hid_t open_table(hid_t file, int table, size_t rows)
{
    hsize_t dims[3] = { 0, 1, 1 };
    size_t parts = tables[table].parts;
    hid_t set = h5_open_dataset(file, tables[table].path);
    bool fits = set >= 0 && h5_dims(set, dims) == (parts > 1 ? 2 : 1) && dims[1] == parts && dims[0] >= rows &&
                h5_is_filled(set, rows * parts);
    if (!fits && set >= 0) {
        H5Dclose(set);
    }
    return fits ? set : -1;
}

static bool read_blocks(hid_t set, int table, carom_event *events, size_t count, size_t bodies)
{
    double block[3 * BLOCK];
    bool ok = true;
    for (size_t begin = 0; ok && begin < count; begin += BLOCK) {
        size_t rows = count - begin < BLOCK ? count - begin : BLOCK;
        ok = h5_read_rows(set, begin, rows, block);
        for (size_t i = 0; ok && i < rows; ++i) {
            ok = tables[table].put(&events[begin + i], block + i * tables[table].parts, bodies);
        }
    }
    return ok;
}

static bool read_table(hid_t file, int table, carom_event *events, size_t count, size_t bodies)
{
    hid_t set = open_table(file, table, count);
    bool ok = set >= 0 && read_blocks(set, table, events, count, bodies);
    if (set >= 0) {
        H5Dclose(set);
    }
    return ok;
}

/* The length of events/time, which must really be there. */
static bool read_count(hid_t file, size_t *count)
{
    hsize_t dims[3] = { 0, 1, 1 };
    hid_t set = open_table(file, 0, 0);
    bool ok = set >= 0 && h5_dims(set, dims) == 1 && h5_is_filled(set, dims[0]);
    if (set >= 0) {
        H5Dclose(set);
    }
    *count = ok ? (size_t)dims[0] : 0;
    return ok && dims[0] < SIZE_MAX / sizeof(carom_event);
}

static bool ascend(const carom_event *events, size_t count)
{
    for (size_t i = 1; i < count; ++i) {
        if (events[i].t < events[i - 1].t) {
            return false;
        }
    }
    return true;
}

bool result_events_read(hid_t file, size_t bodies, carom_event **out, size_t *count, bool *out_of_memory)
{
    *out = NULL;
    *count = 0;
    if (H5Lexists(file, "events", H5P_DEFAULT) <= 0) {
        return true;
    }
    size_t rows = 0;
    if (!read_count(file, &rows)) {
        return false;
    }
    carom_event *events = malloc((rows + 1) * sizeof *events);
    *out_of_memory = !events;
    bool ok = events != NULL;
    for (int i = 0; ok && i < RESULT_TABLES; ++i) {
        ok = read_table(file, i, events, rows, bodies);
    }
    if (!ok || !ascend(events, rows)) {
        free(events);
        return false;
    }
    *out = events;
    *count = rows;
    return true;
}
