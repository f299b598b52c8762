/* Reading events, all at once: there are at most RESULT_EVENTS_MOST of them. The file is not trusted: tables must be as
 * long as the times are, times must ascend, bodies, joints and codes must exist. Tables that an older carom
 * did not write are left out. */
#include "result/result_events.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "result/result_layout.h"
#include "result/result_read.h"

static const char *const kind_names[CAROM_EVENT_KINDS] = {
    [CAROM_EVENT_CONTACT_ON] = "contact on",
    [CAROM_EVENT_CONTACT_OFF] = "contact off",
    [CAROM_EVENT_STICK] = "stick",
    [CAROM_EVENT_SLIP] = "slip",
    [CAROM_EVENT_IMPACT] = "impact",
    [CAROM_EVENT_TOPOLOGY] = "topology",
    [CAROM_EVENT_REST] = "rest",
    [CAROM_EVENT_JAM] = "jam",
    [CAROM_EVENT_PARADOX] = "paradox",
    [CAROM_EVENT_SCENE] = "event",
    [CAROM_EVENT_TOO_DEEP] = "too deep",
};

enum { FRICTION_STATES = CAROM_FRICTION_SLIP + 1 };

static const char *const friction_names[FRICTION_STATES] = {
    [CAROM_FRICTION_NONE] = "none",
    [CAROM_FRICTION_STICK] = "stick",
    [CAROM_FRICTION_SLIP] = "slip",
};

const char *carom_event_kind_name(carom_event_kind kind)
{
    return (unsigned)kind < CAROM_EVENT_KINDS ? kind_names[kind] : "unknown";
}

const char *carom_friction_state_name(carom_friction_state state)
{
    return (unsigned)state < FRICTION_STATES ? friction_names[state] : "unknown";
}

/* ---- what follows from an event ----------------------------------------------------------------------------------- */

double carom_event_normal_impulse(const carom_event *e)
{
    return e ? v3_dot(e->impulse, e->normal) : 0.0;
}

double carom_event_tangential_impulse(const carom_event *e)
{
    return !e ? 0.0 : v3_norm(v3_sub(e->impulse, v3_scale(carom_event_normal_impulse(e), e->normal)));
}

static bool is_zero(carom_v3 a)
{
    return a.x == 0.0 && a.y == 0.0 && a.z == 0.0;
}

bool carom_event_has_details(const carom_event *e)
{
    return e && (e->joint >= 0 || e->mode != CAROM_MODE_NONE || e->speed_after != 0.0 || !is_zero(e->slip) ||
                 !is_zero(e->slip_after) || !is_zero(e->impulse) || e->energy_lost != 0.0 ||
                 e->friction != CAROM_FRICTION_NONE || e->friction_after != CAROM_FRICTION_NONE);
}

/* ---- names beside the codes --------------------------------------------------------------------------------------- */

static const char *kind_at(int code)
{
    return carom_event_kind_name((carom_event_kind)code);
}

static const char *mode_at(int code)
{
    return carom_contact_mode_name((carom_contact_mode)code);
}

static const char *friction_at(int code)
{
    return carom_friction_state_name((carom_friction_state)code);
}

/* "names": what the codes 0, 1, ... of a dataset mean. */
static bool name_codes(hid_t file, const char *path, const char *(*name_at)(int code), int count)
{
    char names[512] = "";
    for (int code = 0; code < count; ++code) {
        size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%s", code > 0 ? ", " : "", name_at(code));
    }
    hid_t set = h5_open_dataset(file, path);
    bool ok = set >= 0 && h5_write_text_attribute(set, "names", names);
    h5_close(set);
    return ok;
}

bool result_events_name_codes(hid_t file)
{
    return name_codes(file, "events/kind", kind_at, CAROM_EVENT_KINDS) &&
           name_codes(file, "events/mode", mode_at, CAROM_MODES) &&
           name_codes(file, "events/friction", friction_at, FRICTION_STATES) &&
           name_codes(file, "events/friction_after", friction_at, FRICTION_STATES);
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

enum { BLOCK = 4096 }; /* events read at a time */

/* What the numbers of a table mean, and so which ones are allowed. */
typedef enum column_type {
    COLUMN_REAL, /* anything */
    COLUMN_TIME, /* finite */
    COLUMN_BODY,
    COLUMN_JOINT,
    COLUMN_KIND,
    COLUMN_MODE,
    COLUMN_FRICTION,
    COLUMN_NAMED
} column_type;

typedef struct event_column {
    const char *path;
    column_type type;
    size_t parts;
    size_t offset; /* in carom_event: doubles, or an int */
    bool newer;    /* files of an older carom have no such table */
} event_column;

#define AT(member) offsetof(carom_event, member)

static const event_column columns[RESULT_EVENT_TABLES] = {
    { "events/time", COLUMN_TIME, 1, AT(t), false },
    { "events/kind", COLUMN_KIND, 1, AT(kind), false },
    { "events/body_a", COLUMN_BODY, 1, AT(body), false },
    { "events/body_b", COLUMN_BODY, 1, AT(body) + sizeof(int), false },
    { "events/position", COLUMN_REAL, 3, AT(position), false },
    { "events/normal", COLUMN_REAL, 3, AT(normal), false },
    { "events/speed", COLUMN_REAL, 1, AT(speed), false },
    { "events/joint", COLUMN_JOINT, 1, AT(joint), true },
    { "events/mode", COLUMN_MODE, 1, AT(mode), true },
    { "events/speed_after", COLUMN_REAL, 1, AT(speed_after), true },
    { "events/slip", COLUMN_REAL, 3, AT(slip), true },
    { "events/slip_after", COLUMN_REAL, 3, AT(slip_after), true },
    { "events/impulse", COLUMN_REAL, 3, AT(impulse), true },
    { "events/energy_lost", COLUMN_REAL, 1, AT(energy_lost), true },
    { "events/friction", COLUMN_FRICTION, 1, AT(friction), true },
    { "events/friction_after", COLUMN_FRICTION, 1, AT(friction_after), true },
    { "events/named", COLUMN_NAMED, 1, AT(named), true },
};

static_assert(sizeof(carom_event_kind) == sizeof(int) && sizeof(carom_contact_mode) == sizeof(int) &&
                  sizeof(carom_friction_state) == sizeof(int),
              "codes are read as int");

/* How many there are of what a column numbers; -1 is allowed where something may be missing. */
static double codes_of(column_type type, event_limits limits)
{
    switch (type) {
    case COLUMN_BODY:
        return (double)limits.bodies;
    case COLUMN_JOINT:
        return (double)limits.joints;
    case COLUMN_KIND:
        return CAROM_EVENT_KINDS;
    case COLUMN_MODE:
        return CAROM_MODES;
    case COLUMN_NAMED:
        return (double)limits.named;
    default:
        return FRICTION_STATES;
    }
}

static bool put_code(char *to, double value, column_type type, event_limits limits)
{
    double lowest = type == COLUMN_BODY || type == COLUMN_JOINT || type == COLUMN_NAMED ? -1.0 : 0.0;
    bool known = value >= lowest && value < codes_of(type, limits);
    int code = known ? (int)value : 0;
    memcpy(to, &(int){ type == COLUMN_BODY ? result_body_of_row(code) : code }, sizeof(int));
    return known;
}

static bool put(carom_event *e, const event_column *column, const double *part, event_limits limits)
{
    char *to = (char *)e + column->offset;
    if (column->type > COLUMN_TIME) {
        return put_code(to, part[0], column->type, limits);
    }
    memcpy(to, part, column->parts * sizeof *part);
    return column->type == COLUMN_REAL || isfinite(part[0]);
}

/* A handle to a table with at least so many rows, or -1. */
static hid_t open_table(hid_t file, const event_column *column, size_t rows)
{
    hsize_t dims[3] = { 0, 1, 1 };
    size_t parts = column->parts;
    hid_t set = h5_open_dataset(file, column->path);
    bool fits = set >= 0 && h5_dims(set, dims) == (parts > 1 ? 2 : 1) && dims[1] == parts && dims[0] >= rows &&
                h5_is_filled(set, rows * parts);
    if (!fits && set >= 0) {
        h5_close(set);
    }
    return fits ? set : -1;
}

static bool read_blocks(hid_t set, const event_column *column, carom_event *events, size_t count, event_limits limits)
{
    double block[3 * BLOCK];
    bool ok = true;
    for (size_t begin = 0; ok && begin < count; begin += BLOCK) {
        size_t rows = count - begin < BLOCK ? count - begin : BLOCK;
        ok = h5_read_rows(set, begin, rows, block);
        for (size_t i = 0; ok && i < rows; ++i) {
            ok = put(&events[begin + i], column, block + i * column->parts, limits);
        }
    }
    return ok;
}

static bool read_table(hid_t file, const event_column *column, carom_event *events, size_t count, event_limits limits)
{
    if (column->newer && H5Lexists(file, column->path, H5P_DEFAULT) == 0) {
        return true;
    }
    hid_t set = open_table(file, column, count);
    bool ok = set >= 0 && read_blocks(set, column, events, count, limits);
    h5_close(set);
    return ok;
}

/* The length of events/time, which must really be there. */
static bool read_count(hid_t file, size_t *count)
{
    hsize_t dims[3] = { 0, 1, 1 };
    hid_t set = open_table(file, &columns[0], 0);
    bool ok = set >= 0 && h5_dims(set, dims) == 1 && h5_is_filled(set, dims[0]);
    h5_close(set);
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

/* What tables that are not there leave. */
static carom_event *blank_events(size_t count)
{
    carom_event *events = count < SIZE_MAX / sizeof *events ? calloc(count + 1, sizeof *events) : NULL;
    for (size_t i = 0; events && i < count; ++i) {
        events[i].joint = events[i].named = CAROM_NONE;
    }
    return events;
}

bool result_events_read(hid_t file, event_limits limits, carom_event **out, size_t *count, bool *out_of_memory)
{
    *out = NULL;
    *count = 0;
    if (H5Lexists(file, "events", H5P_DEFAULT) == 0) {
        return true;
    }
    size_t rows = 0;
    if (!read_count(file, &rows)) {
        return false;
    }
    carom_event *events = blank_events(rows);
    *out_of_memory = !events;
    bool ok = events != NULL;
    for (int i = 0; ok && i < RESULT_EVENT_TABLES; ++i) {
        ok = read_table(file, &columns[i], events, rows, limits);
    }
    if (!ok || !ascend(events, rows)) {
        free(events);
        return false;
    }
    *out = events;
    *count = rows;
    return true;
}
