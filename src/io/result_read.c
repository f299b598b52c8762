/* Reading result.h5: every column there is, under the names signals have in scenes.
 *
 * First the signals the scene recorded, then what can be derived from the rest of the file: poses and velocities of
 * bodies, coordinates and reactions of joints, the ledger. A dataset is read when one of its columns is first asked
 * for, and turned so that each column is contiguous. The file is not trusted: shapes are checked against each other,
 * and sizes against what the file really holds before memory is asked for. */
#include "io/result_read.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/names.h"
#include "base/text.h"
#include "io/result_contacts.h"
#include "io/result_events.h"
#include "io/result_file.h"
#include "io/result_h5.h"
#include "io/result_layout.h"
#include "io/result_shapes.h"
#include "model/ledger.h"

enum { TABLES = 80, PATH = 96 };

/* Texts that a run writes about itself, under these names in `meta`; the version is an attribute of the root. */
enum { RESULT_TEXTS = 3 };
static const char *const text_names[RESULT_TEXTS] = { "name", "method", "command" };

typedef struct result_table { /* one dataset: frames x width */
    char path[PATH];
    size_t width;
    double *columns; /* width columns of `frames` numbers; NULL until asked for */
} result_table;

typedef struct result_column {
    const char *name;
    const char *unit;
    int table;
    size_t column;
} result_column;

/* Columns by their names, made when one is first asked for. */
typedef struct column_index {
    carom_arena arena;
    carom_names names;
} column_index;

struct carom_result {
    carom_arena arena; /* names and units */
    char path[FILE_PATH];
    hid_t file;
    size_t frames;
    double *time;
    char **scene;
    int table_count;
    result_table *tables;
    size_t column_count;
    size_t column_capacity;
    size_t recorded;
    result_column *columns;
    column_index *index;
    const char **recorded_names; /* sorted */
    size_t body_count;
    char **body_names;
    contact_reader *contacts;
    size_t event_count;
    carom_event *events;
    result_shapes *shapes;
    char **texts[RESULT_TEXTS];
    char version[32];
    int motion_tables[4];   /* of bodies: position, orientation, velocity, angular velocity */
    int reaction_tables[2]; /* of joints: force, torque */
    char **summary;         /* read when asked for */
};

static carom_status damaged(const carom_result *r, const char *what, carom_error *err)
{
    return carom_fail(err, CAROM_BAD_INPUT, "'%.500s' is damaged or not a result of carom: %s", r->path, what);
}

static carom_status no_memory(const carom_result *r, carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "no memory to read '%.500s'", r->path);
}

/* ---- the list of columns ---------------------------------------------------------------------------------------- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_recorded(const carom_result *r, const char *name)
{
    return r->recorded_names &&
           bsearch(&name, r->recorded_names, r->recorded, sizeof *r->recorded_names, compare_names);
}

/* A derived column that is recorded under the same name is left out: it would be the same numbers. */
static bool add_column(carom_result *r, result_column column)
{
    if (!column.name || !column.unit) {
        return false;
    }
    if (is_recorded(r, column.name)) {
        return true;
    }
    if (r->column_count == r->column_capacity) {
        size_t capacity = r->column_capacity ? 2 * r->column_capacity : 64;
        result_column *columns = realloc(r->columns, capacity * sizeof *columns);
        if (!columns) {
            return false;
        }
        r->columns = columns;
        r->column_capacity = capacity;
    }
    r->columns[r->column_count++] = column;
    return true;
}

/* Takes a dataset of frames x items [x parts] into the list; its number, or -1 when it is not of that shape. */
static int add_table(carom_result *r, const char *path, size_t items, size_t parts)
{
    hsize_t dims[3] = { 0, 1, 1 };
    hid_t set = h5_open_dataset(r->file, path);
    int rank = h5_dims(set, dims);
    bool fits = rank >= 1 && r->table_count < TABLES && dims[0] >= r->frames && dims[1] == items &&
                dims[2] == parts && (r->frames == 0 || items * parts <= SIZE_MAX / sizeof(double) / r->frames) &&
                h5_is_filled(set, r->frames * items * parts);
    if (set >= 0) {
        H5Dclose(set);
    }
    if (!fits) {
        return -1;
    }
    result_table *table = &r->tables[r->table_count];
    snprintf(table->path, sizeof table->path, "%s", path);
    table->width = items * parts;
    return r->table_count++;
}

/* Columns "<name><suffix>.x" for each of the names and components. */
static carom_status add_components(carom_result *r, const char *path, char *const *names, size_t count,
                                   const char *components, const char *quantity, const char *unit, carom_error *err)
{
    size_t parts = strlen(components);
    int table = add_table(r, path, count, parts);
    if (table < 0) {
        return damaged(r, path, err);
    }
    for (size_t i = 0; i < count * parts; ++i) {
        const char *name = carom_arena_printf(&r->arena, "%s.%s.%c", names[i / parts], quantity,
                                              components[i % parts]);
        if (!add_column(r, (result_column){ name, unit, table, i })) {
            return no_memory(r, err);
        }
    }
    return CAROM_OK;
}

/* Columns of frames x count: "<name><suffix>", in units[i] + per. */
static carom_status add_values(carom_result *r, const char *path, char *const *names, char *const *units,
                               size_t count, const char *suffix, const char *per, carom_error *err)
{
    int table = add_table(r, path, count, 1);
    if (table < 0) {
        return damaged(r, path, err);
    }
    for (size_t i = 0; i < count; ++i) {
        result_column column = { .table = table, .column = i };
        column.name = carom_arena_printf(&r->arena, "%s%s", names[i], suffix);
        column.unit = carom_arena_printf(&r->arena, "%s%s", units[i], per);
        if (!add_column(r, column)) {
            return no_memory(r, err);
        }
    }
    return CAROM_OK;
}

static carom_status add_single(carom_result *r, const char *path, const char *name, const char *unit,
                               carom_error *err)
{
    int table = add_table(r, path, 1, 1);
    if (table < 0) {
        return CAROM_OK; /* written by a carom that did not have it yet */
    }
    result_column column = { .name = name, .unit = carom_arena_text(&r->arena, unit), .table = table };
    return add_column(r, column) ? CAROM_OK : no_memory(r, err);
}

static carom_status sort_recorded(carom_result *r, carom_error *err)
{
    const char **names = CAROM_ARENA_ARRAY(&r->arena, const char *, r->column_count);
    if (!names) {
        return no_memory(r, err);
    }
    for (size_t i = 0; i < r->column_count; ++i) {
        names[i] = r->columns[i].name;
    }
    qsort(names, r->column_count, sizeof *names, compare_names);
    r->recorded = r->column_count;
    r->recorded_names = names;
    return CAROM_OK;
}

static carom_status add_signals(carom_result *r, carom_error *err)
{
    char **names = NULL;
    char **units = NULL;
    size_t count = 0;
    size_t unit_count = 0;
    carom_status status = CAROM_OK;
    if (!h5_read_texts(r->file, "signals/name", &names, &count) ||
        !h5_read_texts(r->file, "signals/unit", &units, &unit_count) || count != unit_count) {
        status = damaged(r, "signals/name, signals/unit", err);
    } else if (count > 0) {
        status = add_values(r, "signals/value", names, units, count, "", "", err);
    }
    free(names);
    free(units);
    return status == CAROM_OK ? sort_recorded(r, err) : status;
}

static carom_status add_shapes(carom_result *r, carom_error *err)
{
    const char *what = NULL;
    if (result_shapes_open(r->shapes, &r->arena, r->file, r->body_names, r->body_count, &what)) {
        return CAROM_OK;
    }
    return what ? damaged(r, what, err) : no_memory(r, err);
}

static carom_status add_bodies(carom_result *r, carom_error *err)
{
    static const struct {
        const char *quantity;
        const char *components;
        const char *unit;
    } quantities[] = {
        { "position", "xyz", "m" },
        { "orientation", "wxyz", "" },
        { "velocity", "xyz", "m/s" },
        { "angular_velocity", "xyz", "rad/s" },
    };
    char **names = NULL;
    size_t count = 0;
    if (!h5_read_texts(r->file, "bodies/name", &names, &count)) {
        return damaged(r, "bodies/name", err);
    }
    carom_status status = CAROM_OK;
    for (int k = 0; k < 4 && count > 0 && status == CAROM_OK; ++k) {
        char path[PATH];
        snprintf(path, sizeof path, "bodies/%s", quantities[k].quantity);
        r->motion_tables[k] = r->table_count;
        status = add_components(r, path, names, count, quantities[k].components, quantities[k].quantity,
                                quantities[k].unit, err);
    }
    r->body_names = names;
    r->body_count = count;
    return status == CAROM_OK ? add_shapes(r, err) : status;
}

/* Their number per frame is a column; the points themselves are asked for frame by frame. */
static carom_status add_contacts(carom_result *r, carom_error *err)
{
    bool out_of_memory = false;
    r->contacts = CAROM_ARENA_ARRAY(&r->arena, contact_reader, 1);
    if (!r->contacts) {
        return no_memory(r, err);
    }
    if (!contact_reader_open(r->contacts, r->file, r->frames, r->body_count, &out_of_memory)) {
        return out_of_memory ? no_memory(r, err) : damaged(r, "contacts", err);
    }
    return r->contacts->count ? add_single(r, "contacts/count", "contacts.count", "", err) : CAROM_OK;
}

static carom_status read_events(carom_result *r, carom_error *err)
{
    bool out_of_memory = false;
    if (!result_events_read(r->file, r->body_count, &r->events, &r->event_count, &out_of_memory)) {
        return out_of_memory ? no_memory(r, err) : damaged(r, "events", err);
    }
    return CAROM_OK;
}

static carom_status add_coordinates(carom_result *r, carom_error *err)
{
    char **names = NULL;
    char **units = NULL;
    size_t count = 0;
    size_t unit_count = 0;
    carom_status status = CAROM_OK;
    if (!h5_read_texts(r->file, "coordinates/name", &names, &count) ||
        !h5_read_texts(r->file, "coordinates/unit", &units, &unit_count) || count != unit_count) {
        status = damaged(r, "coordinates/name, coordinates/unit", err);
    } else if (count > 0) {
        status = add_values(r, "coordinates/value", names, units, count, "", "", err);
        status = status == CAROM_OK ? add_values(r, "coordinates/rate", names, units, count, ".rate", "/s", err)
                                    : status;
    }
    free(names);
    free(units);
    return status;
}

static carom_status add_joints(carom_result *r, carom_error *err)
{
    char **names = NULL;
    size_t count = 0;
    if (!h5_read_texts(r->file, "joints/name", &names, &count)) {
        return damaged(r, "joints/name", err);
    }
    carom_status status = CAROM_OK;
    if (count > 0) {
        r->reaction_tables[0] = r->table_count;
        status = add_components(r, "joints/force", names, count, "xyz", "force", "N", err);
        r->reaction_tables[1] = r->table_count;
        status = status == CAROM_OK ? add_components(r, "joints/torque", names, count, "xyz", "torque", "N*m", err)
                                    : status;
    }
    free(names);
    return status;
}

static carom_status add_ledger(carom_result *r, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (int k = 0; carom_ledger_table[k].name && status == CAROM_OK; ++k) {
        char path[PATH];
        char unit[32];
        snprintf(path, sizeof path, "ledger/%s", carom_ledger_table[k].name);
        status = add_single(r, path, carom_ledger_table[k].name, result_ledger_unit(k, unit, sizeof unit), err);
    }
    status = status == CAROM_OK ? add_single(r, "solver/step", "solver.step", "s", err) : status;
    return status == CAROM_OK ? add_single(r, "solver/steps", "solver.steps", "", err) : status;
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

static carom_status read_time(carom_result *r, carom_error *err)
{
    hsize_t dims[3] = { 0, 1, 1 };
    hid_t set = h5_open_dataset(r->file, "time");
    carom_status status = CAROM_OK;
    if (h5_dims(set, dims) != 1 || !h5_is_filled(set, dims[0])) {
        status = damaged(r, "time", err);
    } else {
        r->frames = (size_t)dims[0];
        r->time = calloc(r->frames + 1, sizeof(double));
        if (!r->time) {
            status = no_memory(r, err);
        } else if (H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, r->time) < 0) {
            status = damaged(r, "time", err);
        }
    }
    if (set >= 0) {
        H5Dclose(set);
    }
    return status;
}

static carom_status check_format(const carom_result *r, carom_error *err)
{
    int format = 0;
    hid_t attribute = H5Aopen(r->file, "format", H5P_DEFAULT);
    bool ok = attribute >= 0 && H5Aget_storage_size(attribute) <= sizeof format &&
              H5Aread(attribute, H5T_NATIVE_INT, &format) >= 0;
    if (attribute >= 0) {
        H5Aclose(attribute);
    }
    if (ok && format == RESULT_FORMAT) {
        return CAROM_OK;
    }
    return ok ? carom_fail(err, CAROM_BAD_INPUT, "'%.500s' has format %d; carom %s reads format %d", r->path, format,
                           CAROM_VERSION, RESULT_FORMAT)
              : damaged(r, "it has no attribute 'format'", err);
}

/* Texts are optional: what is missing is empty. */
static carom_status read_texts(carom_result *r, carom_error *err)
{
    size_t one = 0;
    for (int i = 0; i < RESULT_TEXTS; ++i) {
        char path[PATH];
        snprintf(path, sizeof path, "meta/%s", text_names[i]);
        bool there = H5Lexists(r->file, path, H5P_DEFAULT) > 0;
        if (there && !h5_read_texts(r->file, path, &r->texts[i], &one)) {
            return damaged(r, path, err);
        }
    }
    h5_read_text_attribute(r->file, "carom", r->version, sizeof r->version);
    return CAROM_OK;
}

static carom_status read_all(carom_result *r, carom_error *err)
{
    size_t one = 0;
    carom_status status = check_format(r, err);
    if (status == CAROM_OK && !h5_read_texts(r->file, "meta/scene", &r->scene, &one)) {
        status = damaged(r, "meta/scene", err);
    }
    carom_status (*const parts[])(carom_result *, carom_error *) = {
        read_texts, read_time,  add_signals,  add_bodies,  add_coordinates,
        add_joints, add_ledger, add_contacts, read_events,
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && status == CAROM_OK; ++i) {
        status = parts[i](r, err);
    }
    return status;
}

/* A folder stands for the result in it. */
static carom_status find_file(carom_result *r, const char *folder_or_file, carom_error *err)
{
    struct stat info;
    if (strlen(folder_or_file) >= sizeof r->path) {
        return carom_fail(err, CAROM_BAD_INPUT, "the path '%.200s...' is too long", folder_or_file);
    }
    snprintf(r->path, sizeof r->path, "%s", folder_or_file);
    if (stat(folder_or_file, &info) == 0 && S_ISDIR(info.st_mode)) {
        carom_status status = file_path(r->path, folder_or_file, "result.h5", err);
        if (status != CAROM_OK) {
            return status;
        }
        if (stat(r->path, &info) != 0) {
            return carom_fail(err, CAROM_BAD_INPUT, "the folder '%.500s' holds no result.h5: no run wrote into it",
                              folder_or_file);
        }
    }
    if (stat(r->path, &info) != 0) {
        return carom_fail(err, CAROM_BAD_INPUT, "cannot read the result '%.500s': %s", r->path, strerror(errno));
    }
    return CAROM_OK;
}

static carom_status open_result(carom_result *r, const char *folder_or_file, carom_error *err)
{
    carom_status status = find_file(r, folder_or_file, err);
    if (status != CAROM_OK) {
        return status;
    }
    r->tables = CAROM_ARENA_ARRAY(&r->arena, result_table, TABLES);
    r->shapes = CAROM_ARENA_ARRAY(&r->arena, result_shapes, 1);
    r->summary = CAROM_ARENA_ARRAY(&r->arena, char *, 1);
    r->index = CAROM_ARENA_ARRAY(&r->arena, column_index, 1);
    if (!r->tables || !r->shapes || !r->summary || !r->index) {
        return no_memory(r, err);
    }
    r->file = h5_open_file(r->path, false);
    if (r->file < 0) {
        h5_fail(err, "read the result", r->path);
        return err ? err->status = CAROM_BAD_INPUT : CAROM_BAD_INPUT;
    }
    return read_all(r, err);
}

carom_status carom_result_open(const char *folder_or_file, carom_result **out, carom_error *err)
{
    carom_result *r = calloc(1, sizeof *r);
    if (!r) {
        return carom_fail(err, CAROM_NO_MEMORY, "no memory to read a result");
    }
    r->file = -1;
    h5_quiet quiet = h5_quiet_begin();
    carom_status status = open_result(r, folder_or_file, err);
    h5_quiet_end(quiet);
    if (status != CAROM_OK) {
        carom_result_close(r);
        return status;
    }
    *out = r;
    return CAROM_OK;
}

void carom_result_close(carom_result *r)
{
    if (!r) {
        return;
    }
    if (r->file >= 0) {
        H5Fclose(r->file);
    }
    for (int i = 0; i < r->table_count; ++i) {
        free(r->tables[i].columns);
    }
    if (r->contacts) {
        contact_reader_close(r->contacts);
    }
    for (int i = 0; i < RESULT_TEXTS; ++i) {
        free(r->texts[i]);
    }
    if (r->shapes) {
        result_shapes_close(r->shapes);
    }
    free(r->events);
    free(r->body_names);
    free(r->time);
    free(r->scene);
    free(r->summary ? *r->summary : NULL);
    free(r->columns);
    if (r->index) {
        carom_arena_free(&r->index->arena);
    }
    carom_arena_free(&r->arena);
    free(r);
}

/* ---- columns ---------------------------------------------------------------------------------------------------- */

/* Turns rows into columns, a block of rows at a time. */
static bool read_columns(const carom_result *r, hid_t set, const result_table *table, double *columns)
{
    enum { BLOCK = 1 << 17 }; /* numbers: a megabyte */
    size_t block = BLOCK / table->width + 1;
    double *rows = malloc(block * table->width * sizeof(double));
    bool ok = rows != NULL;
    for (size_t begin = 0; begin < r->frames && ok; begin += block) {
        size_t count = r->frames - begin < block ? r->frames - begin : block;
        ok = h5_read_rows(set, begin, count, rows);
        for (size_t i = 0; i < count && ok; ++i) {
            for (size_t k = 0; k < table->width; ++k) {
                columns[k * r->frames + begin + i] = rows[i * table->width + k];
            }
        }
    }
    free(rows);
    return ok;
}

static carom_status load(const carom_result *r, result_table *table, carom_error *err)
{
    double *columns = malloc((r->frames * table->width + 1) * sizeof(double));
    if (!columns) {
        return no_memory(r, err);
    }
    h5_quiet quiet = h5_quiet_begin();
    hid_t set = h5_open_dataset(r->file, table->path);
    bool ok = set >= 0 && read_columns(r, set, table, columns);
    if (set >= 0) {
        H5Dclose(set);
    }
    h5_quiet_end(quiet);
    if (!ok) {
        free(columns);
        return damaged(r, table->path, err);
    }
    table->columns = columns;
    return CAROM_OK;
}

carom_status result_load_signal(const carom_result *r, size_t signal, const double **out, carom_error *err)
{
    const result_column *column = &r->columns[signal];
    result_table *table = &r->tables[column->table];
    carom_status status = table->columns ? CAROM_OK : load(r, table, err);
    *out = status == CAROM_OK ? table->columns + column->column * r->frames : NULL;
    return status;
}

static bool begins_with_one_of(const char *text, const char *const *words)
{
    for (; *words; ++words) {
        size_t length = strlen(*words);
        if (strncmp(text, *words, length) == 0 && (text[length] == '\0' || text[length] == '.')) {
            return true;
        }
    }
    return false;
}

/* False when memory runs out. */
static bool make_index(const carom_result *r)
{
    column_index *index = r->index;
    if (index->names.capacity > 0) {
        return true;
    }
    if (r->column_count < INT_MAX) {
        carom_names_prepare(&index->names, r->column_count, &index->arena);
    }
    for (size_t i = 0; i < r->column_count; ++i) {
        carom_names_add(&index->names, r->columns[i].name, (int)i); /* of the same name, the first */
    }
    return index->names.capacity > 0;
}

static bool is_column(const carom_result *r, const char *name)
{
    return carom_names_find(&r->index->names, name) >= 0;
}

/* Signals that a run could have recorded but no dataset holds: accelerations and centres of bodies, forces of drivers,
 * magnitudes of reactions. */
static bool only_when_recorded(const carom_result *r, const char *name)
{
    static const char *const of_body[] = { "acceleration", "angular_acceleration", "center", NULL };
    static const char *const of_joint[] = { "force", "torque", NULL };
    for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.')) {
        char column[1024];
        int length = (int)(dot - name);
        snprintf(column, sizeof column, "%.*s", length < 900 ? length : 900, name);
        bool driven = strcmp(dot + 1, "drive") == 0 && is_column(r, column);
        snprintf(column, sizeof column, "%.*s.orientation.w", length < 900 ? length : 900, name);
        bool of_known_body = begins_with_one_of(dot + 1, of_body) && is_column(r, column);
        snprintf(column, sizeof column, "%.900s.x", name);
        bool magnitude = begins_with_one_of(dot + 1, of_joint) && is_column(r, column);
        if (driven || of_known_body || magnitude) {
            return true;
        }
    }
    return false;
}

/* The file does not name its forces and gears: the ending of a name says that one may be meant. */
static bool may_be_of_force(const char *name)
{
    static const char *const endings[] = { "force", "length", "extension", "effort", "rate", NULL };
    const char *dot = strrchr(name, '.');
    return dot && begins_with_one_of(dot + 1, endings);
}

static const char *nearest_column(const carom_result *r, const char *name)
{
    const char *nearest = NULL;
    int best = 1 + (int)strlen(name) / 3;
    for (size_t i = 0; i < r->column_count; ++i) {
        int distance = carom_text_distance(name, r->columns[i].name);
        if (distance < best) {
            best = distance;
            nearest = r->columns[i].name;
        }
    }
    return nearest;
}

static carom_status no_column(const carom_result *r, const char *name, carom_error *err)
{
    if (!err) { /* looking for the nearest takes its time */
        return CAROM_BAD_INPUT;
    }
    if (only_when_recorded(r, name)) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "'%.300s' does not hold '%.200s': such a signal is known, but only recorded when listed in "
                          "record.signals; list it and run again",
                          r->path, name);
    }
    const char *nearest = nearest_column(r, name);
    return carom_fail(err, CAROM_BAD_INPUT, "'%.300s' has no signal '%.200s'%s%.200s%s; 'carom info' lists them%s",
                      r->path, name, nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "",
                      may_be_of_force(name) ? "; those of forces and gears are only recorded when listed in "
                                              "record.signals"
                                            : "");
}

const char *result_signal_group(const carom_result *r, size_t signal)
{
    static const struct {
        const char *path;
        const char *group;
    } groups[] = {
        { "signals/", "recorded" }, { "ledger/", "ledger" },    { "coordinates/", "coordinate" },
        { "bodies/", "body" },      { "contacts/", "contact" }, { "joints/", "joint" },
    };
    const char *path = r->tables[r->columns[signal].table].path;
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; ++i) {
        if (strncmp(path, groups[i].path, strlen(groups[i].path)) == 0) {
            return groups[i].group;
        }
    }
    return "solver";
}

carom_status carom_result_find_signal(const carom_result *r, const char *name, size_t *signal, const double **values,
                                      carom_error *err)
{
    if (!make_index(r)) {
        return no_memory(r, err);
    }
    int column = carom_names_find(&r->index->names, name);
    if (column < 0) {
        return no_column(r, name, err);
    }
    *signal = (size_t)column;
    return values ? result_load_signal(r, *signal, values, err) : CAROM_OK;
}

size_t carom_result_recorded_count(const carom_result *r)
{
    return r->recorded;
}

size_t carom_result_frame_count(const carom_result *r)
{
    return r->frames;
}

size_t carom_result_signal_count(const carom_result *r)
{
    return r->column_count;
}

const char *carom_result_signal_name(const carom_result *r, size_t signal)
{
    return signal < r->column_count ? r->columns[signal].name : NULL;
}

const char *carom_result_signal_unit(const carom_result *r, size_t signal)
{
    return signal < r->column_count ? r->columns[signal].unit : NULL;
}

const double *carom_result_time(const carom_result *r)
{
    return r->time;
}

const double *carom_result_signal(const carom_result *r, size_t signal)
{
    const double *column = NULL;
    if (signal < r->column_count) {
        result_load_signal(r, signal, &column, NULL);
    }
    return column;
}

const char *carom_result_scene(const carom_result *r)
{
    return r->scene[0];
}

size_t carom_result_body_count(const carom_result *r)
{
    return r->body_count;
}

const char *carom_result_body_name(const carom_result *r, int body)
{
    if (body == -1) {
        return "ground";
    }
    return body >= 0 && (size_t)body < r->body_count ? r->body_names[body] : NULL;
}

carom_result_body carom_result_body_info(const carom_result *r, int body)
{
    if (body >= 0 && (size_t)body < r->body_count) {
        return r->shapes->bodies[body];
    }
    return (carom_result_body){ .name = "ground", .role = "fixed", .color = { -1.0, -1.0, -1.0 } };
}

/* The components [0, parts) of an item, a body or a joint, at a frame. */
static carom_status read_item(const carom_result *r, int table_index, size_t item, size_t parts, size_t frame,
                              double *out, carom_error *err)
{
    result_table *table = &r->tables[table_index];
    carom_status status = table->columns ? CAROM_OK : load(r, table, err);
    for (size_t c = 0; c < parts; ++c) {
        out[c] = status == CAROM_OK ? table->columns[(item * parts + c) * r->frames + frame] : 0.0;
    }
    return status;
}

carom_status carom_result_motion(const carom_result *r, int body, size_t frame, carom_motion *out, carom_error *err)
{
    double p[3], q[4], v[3], w[3];
    *out = (carom_motion){ .pose.orientation.w = 1.0 };
    if (body == -1) {
        return CAROM_OK;
    }
    if (body < -1 || (size_t)body >= r->body_count || frame >= r->frames) {
        return carom_fail(err, CAROM_BAD_INPUT, "'%.500s' has %zu bodies and %zu frames: no body %d at frame %zu",
                          r->path, r->body_count, r->frames, body, frame);
    }
    static const size_t parts[] = { 3, 4, 3, 3 };
    double *const numbers[] = { p, q, v, w };
    for (int k = 0; k < 4; ++k) {
        carom_status status = read_item(r, r->motion_tables[k], (size_t)body, parts[k], frame, numbers[k], err);
        if (status != CAROM_OK) {
            return status;
        }
    }
    *out = (carom_motion){ .pose = { { p[0], p[1], p[2] }, { q[0], q[1], q[2], q[3] } },
                           .velocity = { v[0], v[1], v[2] },
                           .angular_velocity = { w[0], w[1], w[2] } };
    return CAROM_OK;
}

carom_status carom_result_reaction(const carom_result *r, size_t joint, size_t frame, carom_v3 *force,
                                   carom_v3 *torque, carom_error *err)
{
    double numbers[2][3] = { { 0.0 } };
    carom_status status = CAROM_OK;
    if (joint >= r->shapes->joint_count || frame >= r->frames) {
        return carom_fail(err, CAROM_BAD_INPUT, "'%.500s' has %zu joints and %zu frames: no joint %zu at frame %zu",
                          r->path, r->shapes->joint_count, r->frames, joint, frame);
    }
    for (int k = 0; k < 2 && status == CAROM_OK; ++k) {
        status = read_item(r, r->reaction_tables[k], joint, 3, frame, numbers[k], err);
    }
    *force = (carom_v3){ numbers[0][0], numbers[0][1], numbers[0][2] };
    *torque = (carom_v3){ numbers[1][0], numbers[1][1], numbers[1][2] };
    return status;
}

size_t carom_result_shape_count(const carom_result *r)
{
    return r->shapes->shape_count;
}

carom_result_shape carom_result_shape_info(const carom_result *r, size_t shape)
{
    return shape < r->shapes->shape_count ? r->shapes->shapes[shape]
                                          : (carom_result_shape){ .body = -1, .kind = "", .surface = -1 };
}

size_t carom_result_surface_count(const carom_result *r)
{
    return r->shapes->surface_count;
}

carom_status carom_result_surface(const carom_result *r, size_t surface, carom_surface *out, carom_error *err)
{
    result_shapes *s = r->shapes;
    const char *what = NULL;
    *out = (carom_surface){ 0 };
    if (surface >= s->surface_count) {
        return carom_fail(err, CAROM_BAD_INPUT, "'%.500s' has %zu surfaces: no surface %zu", r->path,
                          s->surface_count, surface);
    }
    h5_quiet quiet = h5_quiet_begin();
    bool ok = result_shapes_load(s, r->file, &what);
    h5_quiet_end(quiet);
    if (!ok) {
        return what ? damaged(r, what, err) : no_memory(r, err);
    }
    size_t vertex = (size_t)s->first_vertex[surface];
    size_t triangle = (size_t)s->first_triangle[surface];
    *out = (carom_surface){ .vertex_count = (size_t)s->first_vertex[surface + 1] - vertex,
                            .triangle_count = (size_t)s->first_triangle[surface + 1] - triangle,
                            .vertices = s->vertices + 3 * vertex,
                            .triangles = s->triangles + 3 * triangle };
    return CAROM_OK;
}

size_t carom_result_joint_count(const carom_result *r)
{
    return r->shapes->joint_count;
}

carom_result_joint carom_result_joint_info(const carom_result *r, size_t joint)
{
    return joint < r->shapes->joint_count ? r->shapes->joints[joint]
                                          : (carom_result_joint){ .name = "", .type = "", .body = { -1, -1 } };
}

const char *carom_result_text(const carom_result *r, const char *key)
{
    if (strcmp(key, "version") == 0) {
        return r->version;
    }
    for (int i = 0; i < RESULT_TEXTS; ++i) {
        if (strcmp(key, text_names[i]) == 0 && r->texts[i] && r->texts[i][0]) {
            return r->texts[i][0];
        }
    }
    return "";
}

/* The folder the result lies in, with its last slash. */
static int folder_length(const carom_result *r)
{
    const char *slash = strrchr(r->path, '/');
    return slash ? (int)(slash - r->path) + 1 : 0;
}

const char *carom_result_summary(const carom_result *r)
{
    enum { LARGEST = 1 << 28 }; /* a million bodies take 200 MB */
    char path[FILE_PATH + 16];
    size_t bytes = 0;
    snprintf(path, sizeof path, "%.*ssummary.json", folder_length(r), r->path);
    if (!*r->summary && file_exists(path)) {
        file_read_whole(path, LARGEST, r->summary, &bytes, NULL);
    }
    return *r->summary;
}

size_t carom_result_event_count(const carom_result *r)
{
    return r->event_count;
}

const carom_event *carom_result_events(const carom_result *r)
{
    return r->events;
}

bool carom_result_has_contacts(const carom_result *r)
{
    return r->contacts->count != NULL;
}

size_t carom_result_contact_count(const carom_result *r, size_t frame)
{
    return r->contacts->count && frame < r->frames ? (size_t)r->contacts->count[frame] : 0;
}

carom_status carom_result_contacts(const carom_result *r, size_t frame, const carom_contact_point **out,
                                   carom_error *err)
{
    size_t count = 0;
    bool out_of_memory = false;
    h5_quiet quiet = h5_quiet_begin();
    bool ok = contact_reader_get(r->contacts, r->file, frame, out, &count, &out_of_memory);
    h5_quiet_end(quiet);
    if (!ok) {
        return out_of_memory ? no_memory(r, err) : damaged(r, "contacts", err);
    }
    return CAROM_OK;
}
