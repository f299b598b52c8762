/* Everything a result holds but its geometry, as one archive of NumPy arrays.
 *
 * The arrays of bodies are there whole; the signals of docs/results.md one by one, but for those that are columns of
 * these. Contact points of all frames lie behind each other, as in result.h5; frames that were left out have none here.
 * Events are those of the whole run: they are few. */
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "export/export.h"
#include "export/npy.h"
#include "files/utf8.h"
#include "math/vec3.h"
#include "result/result_read.h"

enum { LONGEST = 256, KEY = 100 }; /* characters of a text, of a key */

typedef struct npz_work {
    const export_job *job;
    carom_arena arena;
    zip_writer zip;
} npz_work;

static carom_status no_memory(carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "no memory for an export to npz");
}

/* ---- frames and bodies ---------------------------------------------------------------------------------------------- */

static carom_status put_time(npz_work *w, carom_error *err)
{
    export_frames frames = w->job->frames;
    double *time = CAROM_ARENA_ARRAY(&w->arena, double, frames.count);
    int32_t *number = CAROM_ARENA_ARRAY(&w->arena, int32_t, frames.count);
    if (!time || !number) {
        return no_memory(err);
    }
    for (size_t k = 0; k < frames.count; ++k) {
        time[k] = carom_result_time(w->job->result)[export_frame(frames, k)];
        number[k] = (int32_t)export_frame(frames, k);
    }
    npy_reals(&w->zip, "time", time, frames.count, 0);
    npy_integers(&w->zip, "frame", number, frames.count);
    return CAROM_OK;
}

static void put_position(double *out, const carom_motion *m)
{
    v3_store(out, m->pose.position);
}

static void put_orientation(double *out, const carom_motion *m)
{
    carom_quat q = m->pose.orientation;
    memcpy(out, (double[]){ q.w, q.x, q.y, q.z }, 4 * sizeof *out);
}

static void put_velocity(double *out, const carom_motion *m)
{
    v3_store(out, m->velocity);
}

static void put_angular_velocity(double *out, const carom_motion *m)
{
    v3_store(out, m->angular_velocity);
}

typedef struct body_quantity {
    const char *key;
    const char *signal; /* as part of the names of signals */
    const char *components;
    void (*put)(double *out, const carom_motion *motion);
} body_quantity;

static const body_quantity quantities[] = {
    { "positions", "position", "xyz", put_position },
    { "orientations", "orientation", "wxyz", put_orientation },
    { "velocities", "velocity", "xyz", put_velocity },
    { "angular_velocities", "angular_velocity", "xyz", put_angular_velocity },
};
enum { QUANTITIES = sizeof quantities / sizeof quantities[0] };

/* Arrays have a row for every body but the ground. */
static size_t row_count(const npz_work *w)
{
    return carom_result_body_count(w->job->result) - 1;
}

/* frames x bodies x components, a frame at a time. */
static carom_status put_quantity(npz_work *w, const body_quantity *quantity, carom_error *err)
{
    size_t bodies = row_count(w);
    size_t parts = strlen(quantity->components);
    double *row = CAROM_ARENA_ARRAY(&w->arena, double, bodies *parts + 1);
    carom_status status = row ? CAROM_OK : no_memory(err);
    npy_begin(&w->zip, quantity->key,
              (npy_array){ .kind = 'f', .size = 8, .rank = 3, .shape = { w->job->frames.count, bodies, parts } });
    for (size_t k = 0; k < w->job->frames.count && status == CAROM_OK; ++k) {
        for (size_t b = 0; b < bodies && status == CAROM_OK; ++b) {
            carom_motion motion = { 0 };
            status = carom_result_motion(w->job->result, result_body_of_row((int)b), export_frame(w->job->frames, k),
                                         &motion, err);
            quantity->put(row + b * parts, &motion);
        }
        zip_write(&w->zip, row, bodies * parts * sizeof *row);
    }
    zip_end(&w->zip);
    return status;
}

static carom_status put_bodies(npz_work *w, carom_error *err)
{
    size_t count = row_count(w);
    const char **names = CAROM_ARENA_ARRAY(&w->arena, const char *, count + 1);
    const char **roles = CAROM_ARENA_ARRAY(&w->arena, const char *, count + 1);
    double *mass = CAROM_ARENA_ARRAY(&w->arena, double, count + 1);
    if (w->arena.failed) {
        return no_memory(err);
    }
    for (size_t b = 0; b < count; ++b) {
        carom_result_body info = carom_result_body_info(w->job->result, result_body_of_row((int)b));
        names[b] = info.name;
        roles[b] = info.role;
        mass[b] = info.mass;
    }
    bool ok = npy_texts(&w->zip, "body_names", names, count, LONGEST) &&
              npy_texts(&w->zip, "body_roles", roles, count, LONGEST);
    npy_reals(&w->zip, "body_masses", mass, count, 0);
    carom_status status = ok ? CAROM_OK : no_memory(err);
    for (int k = 0; k < QUANTITIES && status == CAROM_OK; ++k) {
        status = put_quantity(w, &quantities[k], err);
    }
    return status;
}

/* ---- signals -------------------------------------------------------------------------------------------------------- */

typedef struct signal_list {
    size_t count;
    size_t *signals;
    const char **names;
    const char **units;
    const char **keys; /* in the archive */
} signal_list;

/* Names of all columns of the arrays of bodies. */
static bool name_columns(npz_work *w, carom_names *columns)
{
    size_t bodies = row_count(w);
    carom_names_prepare(columns, bodies * 13, &w->arena);
    for (size_t b = 0; b < bodies; ++b) {
        for (int k = 0; k < QUANTITIES; ++k) {
            for (const char *c = quantities[k].components; *c; ++c) {
                const char *name = carom_arena_printf(&w->arena, "%s.%s.%c",
                                                      carom_result_body_name(w->job->result,
                                                                             result_body_of_row((int)b)),
                                                      quantities[k].signal, *c);
                if (name) {
                    carom_names_add(columns, name, 0);
                }
            }
        }
    }
    return !w->arena.failed;
}

static carom_status choose_signals(npz_work *w, signal_list *list, carom_error *err)
{
    const export_job *job = w->job;
    carom_names columns = { 0 };
    size_t total = job->signal_count > 0 ? job->signal_count : carom_result_signal_count(job->result);
    list->signals = CAROM_ARENA_ARRAY(&w->arena, size_t, total + 1);
    list->names = CAROM_ARENA_ARRAY(&w->arena, const char *, total + 1);
    list->units = CAROM_ARENA_ARRAY(&w->arena, const char *, total + 1);
    list->keys = CAROM_ARENA_ARRAY(&w->arena, const char *, total + 1);
    if (w->arena.failed || !name_columns(w, &columns)) {
        return no_memory(err);
    }
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < total && status == CAROM_OK; ++i) {
        size_t signal = i;
        if (job->signal_count > 0) {
            status = carom_result_find_signal(job->result, job->signals[i], &signal, NULL, err);
        } else if (carom_names_find(&columns, carom_result_signal_name(job->result, i)) >= 0) {
            continue;
        }
        list->signals[list->count++] = signal;
    }
    return status;
}

/* signals/ and the name as far as it is fit for a file; a number behind it where two names become alike. */
static bool make_keys(npz_work *w, signal_list *list)
{
    carom_names taken = { 0 };
    carom_names_prepare(&taken, list->count, &w->arena);
    for (size_t i = 0; i < list->count && !w->arena.failed; ++i) {
        char plain[KEY - 20];
        list->names[i] = carom_result_signal_name(w->job->result, list->signals[i]);
        list->units[i] = carom_result_signal_unit(w->job->result, list->signals[i]);
        export_plain_name(list->names[i], plain, sizeof plain);
        const char *key = carom_arena_printf(&w->arena, "signals/%s", plain);
        if (key && carom_names_find(&taken, key) >= 0) {
            key = carom_arena_printf(&w->arena, "signals/%s~%zu", plain, i); /* '~' is in no plain name */
        }
        list->keys[i] = key;
        if (key) {
            carom_names_add(&taken, key, 0);
        }
    }
    return !w->arena.failed;
}

static carom_status put_signal(npz_work *w, const char *key, size_t signal, double *column, carom_error *err)
{
    const double *values = NULL;
    carom_status status = result_load_signal(w->job->result, signal, &values, err);
    for (size_t k = 0; k < w->job->frames.count && status == CAROM_OK; ++k) {
        column[k] = values[export_frame(w->job->frames, k)];
    }
    if (status == CAROM_OK) {
        npy_reals(&w->zip, key, column, w->job->frames.count, 0);
    }
    return status;
}

static carom_status put_signals(npz_work *w, carom_error *err)
{
    signal_list list = { 0 };
    carom_status status = choose_signals(w, &list, err);
    double *column = CAROM_ARENA_ARRAY(&w->arena, double, w->job->frames.count);
    if (status == CAROM_OK && (!column || !make_keys(w, &list))) {
        status = no_memory(err);
    }
    for (size_t i = 0; i < list.count && status == CAROM_OK; ++i) {
        status = put_signal(w, list.keys[i], list.signals[i], column, err);
    }
    if (status == CAROM_OK && !(npy_texts(&w->zip, "signal_names", list.names, list.count, LONGEST) &&
                                npy_texts(&w->zip, "signal_units", list.units, list.count, LONGEST) &&
                                npy_texts(&w->zip, "signal_keys", list.keys, list.count, LONGEST))) {
        status = no_memory(err);
    }
    return status;
}

/* What a column says of one contact point or event. */
static void put_cell(npz_work *w, char kind, const void *at, size_t size)
{
    int body;
    if (kind == 'b') {
        memcpy(&body, at, sizeof body);
        body = result_body_row(body);
        at = &body;
    }
    zip_write(&w->zip, at, size);
}

/* ---- contacts ------------------------------------------------------------------------------------------------------- */

typedef struct contact_column {
    const char *key;
    char kind; /* 'f' or 'i'; 'b': a body, by its row in the arrays of bodies, -1 for the ground */
    size_t parts;
    size_t offset; /* in carom_contact_point */
} contact_column;

static const contact_column contact_columns[] = {
    { "contact_body_a", 'b', 1, offsetof(carom_contact_point, body) },
    { "contact_body_b", 'b', 1, offsetof(carom_contact_point, body) + sizeof(int) },
    { "contact_position", 'f', 3, offsetof(carom_contact_point, position) },
    { "contact_normal", 'f', 3, offsetof(carom_contact_point, normal) },
    { "contact_force", 'f', 3, offsetof(carom_contact_point, force) },
    { "contact_slip", 'f', 3, offsetof(carom_contact_point, slip) },
    { "contact_gap", 'f', 1, offsetof(carom_contact_point, gap) },
};

/* One column over all frames. Vectors are three doubles in a row, as v3 is. */
static carom_status put_contact_column(npz_work *w, const contact_column *column, size_t total, carom_error *err)
{
    size_t size = column->kind == 'f' ? sizeof(double) : sizeof(int);
    carom_status status = CAROM_OK;
    npy_begin(&w->zip, column->key,
              (npy_array){ .kind = column->kind == 'f' ? 'f' : 'i',
                           .size = (int)size,
                           .rank = column->parts > 1 ? 2 : 1,
                           .shape = { total, column->parts } });
    for (size_t k = 0; k < w->job->frames.count && status == CAROM_OK; ++k) {
        size_t frame = export_frame(w->job->frames, k);
        size_t count = carom_result_contact_count(w->job->result, frame);
        const carom_contact_point *points = NULL;
        status = count > 0 ? carom_result_contacts(w->job->result, frame, &points, err) : CAROM_OK;
        for (size_t i = 0; i < count && status == CAROM_OK; ++i) {
            put_cell(w, column->kind, (const char *)&points[i] + column->offset, column->parts * size);
        }
    }
    zip_end(&w->zip);
    return status;
}

static carom_status put_contacts(npz_work *w, carom_error *err)
{
    size_t total = 0;
    export_frames frames = w->job->frames;
    int64_t *first = CAROM_ARENA_ARRAY(&w->arena, int64_t, frames.count);
    int32_t *count = CAROM_ARENA_ARRAY(&w->arena, int32_t, frames.count);
    if (!first || !count) {
        return no_memory(err);
    }
    for (size_t k = 0; k < frames.count; ++k) {
        first[k] = (int64_t)total;
        count[k] = (int32_t)carom_result_contact_count(w->job->result, export_frame(frames, k));
        total += (size_t)count[k];
    }
    npy_begin(&w->zip, "contact_first", (npy_array){ .kind = 'i', .size = 8, .rank = 1, .shape = { frames.count } });
    zip_write(&w->zip, first, frames.count * sizeof *first);
    zip_end(&w->zip);
    npy_integers(&w->zip, "contact_count", count, frames.count);
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < sizeof contact_columns / sizeof contact_columns[0] && status == CAROM_OK; ++i) {
        status = put_contact_column(w, &contact_columns[i], total, err);
    }
    return status;
}

/* ---- events --------------------------------------------------------------------------------------------------------- */

typedef struct event_column {
    const char *key;
    char kind; /* 'f' or 'i'; 'b': a body, by its row in the arrays of bodies, -1 for the ground */
    size_t parts;
    size_t offset; /* in carom_event */
} event_column;

static const event_column event_columns[] = {
    { "event_time", 'f', 1, offsetof(carom_event, t) },
    { "event_body_a", 'b', 1, offsetof(carom_event, body) },
    { "event_body_b", 'b', 1, offsetof(carom_event, body) + sizeof(int) },
    { "event_joint", 'i', 1, offsetof(carom_event, joint) },
    { "event_position", 'f', 3, offsetof(carom_event, position) },
    { "event_normal", 'f', 3, offsetof(carom_event, normal) },
    { "event_speed", 'f', 1, offsetof(carom_event, speed) },
    { "event_speed_after", 'f', 1, offsetof(carom_event, speed_after) },
    { "event_slip", 'f', 3, offsetof(carom_event, slip) },
    { "event_slip_after", 'f', 3, offsetof(carom_event, slip_after) },
    { "event_impulse", 'f', 3, offsetof(carom_event, impulse) },
    { "event_energy_lost", 'f', 1, offsetof(carom_event, energy_lost) },
};

static void put_event_column(npz_work *w, const event_column *column)
{
    const carom_event *events = carom_result_events(w->job->result);
    size_t count = carom_result_event_count(w->job->result);
    size_t size = column->kind == 'f' ? sizeof(double) : sizeof(int);
    npy_begin(&w->zip, column->key,
              (npy_array){ .kind = column->kind == 'f' ? 'f' : 'i',
                           .size = (int)size,
                           .rank = column->parts > 1 ? 2 : 1,
                           .shape = { count, column->parts } });
    for (size_t i = 0; i < count; ++i) {
        put_cell(w, column->kind, (const char *)&events[i] + column->offset, column->parts * size);
    }
    zip_end(&w->zip);
}

static const char *kind_of(const carom_result *result, const carom_event *e)
{
    return carom_result_event_name(result, e);
}

static const char *mode_of(const carom_result *result, const carom_event *e)
{
    (void)result;
    return carom_contact_mode_name(e->mode);
}

static const char *friction_of(const carom_result *result, const carom_event *e)
{
    (void)result;
    return carom_friction_state_name(e->friction);
}

static const char *friction_after_of(const carom_result *result, const carom_event *e)
{
    (void)result;
    return carom_friction_state_name(e->friction_after);
}

/* Names instead of codes. */
static const struct {
    const char *key;
    const char *(*name_of)(const carom_result *result, const carom_event *event);
} event_names[] = {
    { "event_kind", kind_of },
    { "event_mode", mode_of },
    { "event_friction", friction_of },
    { "event_friction_after", friction_after_of },
};

static carom_status put_events(npz_work *w, carom_error *err)
{
    const carom_event *events = carom_result_events(w->job->result);
    size_t count = carom_result_event_count(w->job->result);
    const char **names = CAROM_ARENA_ARRAY(&w->arena, const char *, count + 1);
    for (size_t k = 0; k < sizeof event_names / sizeof event_names[0]; ++k) {
        for (size_t i = 0; names && i < count; ++i) {
            names[i] = event_names[k].name_of(w->job->result, &events[i]);
        }
        if (!names || !npy_texts(&w->zip, event_names[k].key, names, count, LONGEST)) {
            return no_memory(err);
        }
    }
    for (size_t k = 0; k < sizeof event_columns / sizeof event_columns[0]; ++k) {
        put_event_column(w, &event_columns[k]);
    }
    return CAROM_OK;
}

static carom_status put_joints(npz_work *w, carom_error *err)
{
    size_t count = carom_result_joint_count(w->job->result);
    const char **names = CAROM_ARENA_ARRAY(&w->arena, const char *, count + 1);
    for (size_t j = 0; names && j < count; ++j) {
        names[j] = carom_result_joint_info(w->job->result, j).name;
    }
    return names && npy_texts(&w->zip, "joint_names", names, count, LONGEST) ? CAROM_OK : no_memory(err);
}

static carom_status npz_write(const export_job *job, carom_error *err)
{
    npz_work w = { .job = job };
    carom_status (*const parts[])(npz_work *, carom_error *) = { put_time,    put_bodies,   put_joints,
                                                                 put_signals, put_contacts, put_events };
    carom_status status = zip_open(&w.zip, job->path, err);
    if (status != CAROM_OK) {
        return status;
    }
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && status == CAROM_OK; ++i) {
        status = parts[i](&w, err);
    }
    status = zip_close(&w.zip, status, job->report, err);
    carom_arena_free(&w.arena);
    return status;
}

const export_writer export_npz = {
    .format = { .name = "npz", .extension = ".npz", .signals = true, .doc = "one archive of arrays for NumPy" },
    .write = npz_write,
};
