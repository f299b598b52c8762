/* Opening result.h5: every column there is, under the names signals have in scenes.
 *
 * First the signals the scene recorded, then what can be derived from the rest of the file: poses and velocities of
 * bodies, coordinates and reactions of joints, the ledger. The file is not trusted: shapes are checked against each
 * other, and sizes against what the file really holds before memory is asked for. */
#include "result/result_inside.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arguments.h"
#include "base/array.h"
#include "files/input_file.h"
#include "model/ledger.h"
#include "result/result_guard.h"
#include "result/result_layout.h"
#include "result/summary.h"

const char *const result_text_names[RESULT_TEXTS] = { "name", "method", "command", "view" };

/* What cannot be read for want of memory is not damaged. */
carom_status result_damaged(const carom_result *r, const char *what, carom_error *err)
{
    if (h5_lacks_memory()) {
        return result_no_memory(r, err);
    }
    return carom_fail(err, CAROM_BAD_INPUT, "'%.500s' is damaged or not a result of carom: %s", r->path, what);
}

carom_status result_no_memory(const carom_result *r, carom_error *err)
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
    if (!CAROM_ARRAY_RESERVE(r->columns, r->column_capacity, r->column_count + 1)) {
        return false;
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
    bool fits = rank >= 1 && r->table_count < MOST_TABLES && dims[0] >= r->frames && dims[1] == items &&
                dims[2] == parts && (r->frames == 0 || items * parts <= SIZE_MAX / sizeof(double) / r->frames) &&
                h5_is_filled(set, r->frames * items * parts);
    h5_close(set);
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
        return result_damaged(r, path, err);
    }
    for (size_t i = 0; i < count * parts; ++i) {
        const char *name = carom_arena_printf(&r->arena, "%s.%s.%c", names[i / parts], quantity,
                                              components[i % parts]);
        if (!add_column(r, (result_column){ name, unit, table, i })) {
            return result_no_memory(r, err);
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
        return result_damaged(r, path, err);
    }
    for (size_t i = 0; i < count; ++i) {
        result_column column = { .table = table, .column = i };
        column.name = carom_arena_printf(&r->arena, "%s%s", names[i], suffix);
        column.unit = carom_arena_printf(&r->arena, "%s%s", units[i], per);
        if (!add_column(r, column)) {
            return result_no_memory(r, err);
        }
    }
    return CAROM_OK;
}

/* Whether something has the name "group/name"; where the answer is not known, it has. */
static bool is_there(const carom_result *r, const char *path)
{
    char group[RESULT_PATH];
    snprintf(group, sizeof group, "%.*s", (int)strcspn(path, "/"), path);
    return H5Lexists(r->file, group, H5P_DEFAULT) != 0 && H5Lexists(r->file, path, H5P_DEFAULT) != 0;
}

static carom_status add_single(carom_result *r, const char *path, const char *name, const char *unit,
                               carom_error *err)
{
    if (!is_there(r, path)) { /* written by a carom that did not have it yet */
        return CAROM_OK;
    }
    int table = add_table(r, path, 1, 1);
    if (table < 0) {
        return result_damaged(r, path, err);
    }
    result_column column = { .name = name, .unit = carom_arena_text(&r->arena, unit), .table = table };
    return add_column(r, column) ? CAROM_OK : result_no_memory(r, err);
}

static carom_status sort_recorded(carom_result *r, carom_error *err)
{
    const char **names = CAROM_ARENA_ARRAY(&r->arena, const char *, r->column_count);
    if (!names) {
        return result_no_memory(r, err);
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
        status = result_damaged(r, "signals/name, signals/unit", err);
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
    return what ? result_damaged(r, what, err) : result_no_memory(r, err);
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
        return result_damaged(r, "bodies/name", err);
    }
    carom_status status = CAROM_OK;
    for (int k = 0; k < 4 && count > 0 && status == CAROM_OK; ++k) {
        char path[RESULT_PATH];
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
        return result_no_memory(r, err);
    }
    if (!contact_reader_open(r->contacts, r->file, r->frames, r->body_count, &out_of_memory)) {
        return out_of_memory ? result_no_memory(r, err) : result_damaged(r, "contacts", err);
    }
    return r->contacts->count ? add_single(r, "contacts/count", "contacts.count", "", err) : CAROM_OK;
}

static carom_status read_events(carom_result *r, carom_error *err)
{
    bool out_of_memory = false;
    bool there = H5Lexists(r->file, "events/name", H5P_DEFAULT) > 0; /* else of an older carom */
    if (there && !h5_read_texts(r->file, "events/name", &r->named, &r->named_count)) {
        return result_damaged(r, "events/name", err);
    }
    event_limits limits = { .bodies = r->body_count, .joints = r->shapes->joint_count, .named = r->named_count };
    if (!result_events_read(r->file, limits, &r->events, &r->event_count, &out_of_memory)) {
        return out_of_memory ? result_no_memory(r, err) : result_damaged(r, "events", err);
    }
    return CAROM_OK;
}

static carom_status open_flexible(carom_result *r, carom_error *err)
{
    r->flexible = CAROM_ARENA_ARRAY(&r->arena, result_flexible, 1);
    bool ok = r->flexible && result_flexible_open(r->flexible, &r->arena, r->file, r->frames, r->body_count);
    if (r->arena.failed) {
        return result_no_memory(r, err);
    }
    return ok ? CAROM_OK : result_damaged(r, "flexible", err);
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
        status = result_damaged(r, "coordinates/name, coordinates/unit", err);
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
        return result_damaged(r, "joints/name", err);
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

/* They are no signals of their own: a scene records those that it asks for. */
static carom_status add_forces(carom_result *r, carom_error *err)
{
    size_t count = r->shapes->force_count;
    if (count > 0) {
        r->effort_tables[0] = add_table(r, "forces/force", count, 3);
        r->effort_tables[1] = add_table(r, "forces/torque", count, 3);
    }
    bool ok = count == 0 || (r->effort_tables[0] >= 0 && r->effort_tables[1] >= 0);
    return ok ? CAROM_OK : result_damaged(r, "forces/force, forces/torque", err);
}

static carom_status add_ledger(carom_result *r, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (int k = 0; carom_ledger_table[k].name && status == CAROM_OK; ++k) {
        char path[RESULT_PATH];
        char unit[32];
        snprintf(path, sizeof path, "ledger/%s", carom_ledger_table[k].name);
        status = add_single(r, path, carom_ledger_table[k].name, carom_ledger_unit(k, unit, sizeof unit), err);
    }
    status = status == CAROM_OK ? add_single(r, "solver/step", "solver.step", "s", err) : status;
    return status == CAROM_OK ? add_single(r, "solver/steps", "solver.steps", "", err) : status;
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

static carom_status check_times(const carom_result *r, carom_error *err)
{
    for (size_t k = 0; k < r->frames; ++k) {
        if (!isfinite(r->time[k])) {
            return carom_fail(err, CAROM_BAD_INPUT, "'%.500s' is damaged: the time of frame %zu is %g", r->path, k,
                              r->time[k]);
        }
        if (k > 0 && r->time[k] < r->time[k - 1]) {
            return carom_fail(err, CAROM_BAD_INPUT,
                              "'%.500s' is damaged: time goes backwards from %.9g s to %.9g s at frame %zu", r->path,
                              r->time[k - 1], r->time[k], k);
        }
    }
    return CAROM_OK;
}

static bool is_finite(const double q[4])
{
    return isfinite(q[0]) && isfinite(q[1]) && isfinite(q[2]) && isfinite(q[3]);
}

/* Orientations are rotations, or no numbers at all, which readers hold. Not asked of a sealed file: carom wrote it, and a run
 * that went wrong must remain readable. */
static carom_status check_orientations(const carom_result *r, const double *rows, size_t first, size_t count,
                                       carom_error *err)
{
    for (size_t i = 0; i < count * r->body_count; ++i) {
        double length;
        if (is_finite(rows + 4 * i) && !result_is_rotation(rows + 4 * i, &length)) {
            return carom_fail(err, CAROM_BAD_INPUT,
                              "'%.500s' is damaged: the quaternion of body '%.100s' at frame %zu has the length %.9g "
                              "instead of 1 and is no rotation",
                              r->path, r->body_names[i % r->body_count], first + i / r->body_count, length);
        }
    }
    return CAROM_OK;
}

static carom_status read_orientations(carom_result *r, carom_error *err)
{
    enum { ROWS_BYTES = 1 << 20 };
    if (r->sealed || r->body_count == 0 || r->frames == 0) {
        return CAROM_OK;
    }
    size_t width = 4 * r->body_count;
    size_t most = ROWS_BYTES / (width * sizeof(double)) + 1;
    double *rows = malloc(most * width * sizeof(double));
    hid_t set = h5_open_dataset(r->file, "bodies/orientation");
    carom_status status = rows ? CAROM_OK : result_no_memory(r, err);
    for (size_t k = 0; k < r->frames && status == CAROM_OK; k += most) {
        size_t count = r->frames - k < most ? r->frames - k : most;
        status = set >= 0 && h5_read_rows(set, k, count, rows) ? check_orientations(r, rows, k, count, err)
                                                               : result_damaged(r, "bodies/orientation", err);
    }
    h5_close(set);
    free(rows);
    return status;
}

static carom_status read_time(carom_result *r, carom_error *err)
{
    hsize_t dims[3] = { 0, 1, 1 };
    hid_t set = h5_open_dataset(r->file, "time");
    carom_status status = CAROM_OK;
    if (h5_dims(set, dims) != 1 || !h5_is_filled(set, dims[0])) {
        status = result_damaged(r, "time", err);
    } else {
        r->frames = (size_t)dims[0];
        r->time = calloc(r->frames + 1, sizeof(double));
        if (!r->time) {
            status = result_no_memory(r, err);
        } else if (H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, r->time) < 0) {
            status = result_damaged(r, "time", err);
        } else {
            status = check_times(r, err);
        }
    }
    h5_close(set);
    return status;
}

static carom_status check_format(const carom_result *r, carom_error *err)
{
    int format = 0;
    hid_t attribute = H5Aopen(r->file, "format", H5P_DEFAULT);
    bool ok = attribute >= 0 && H5Aget_storage_size(attribute) <= sizeof format &&
              H5Aread(attribute, H5T_NATIVE_INT, &format) >= 0;
    h5_close(attribute);
    if (ok && format == RESULT_FORMAT) {
        return CAROM_OK;
    }
    return ok ? carom_fail(err, CAROM_BAD_INPUT, "'%.500s' has format %d; carom %s reads format %d", r->path, format,
                           CAROM_VERSION, RESULT_FORMAT)
              : result_damaged(r, "it has no attribute 'format'", err);
}

/* Texts are optional: what is missing is empty. */
static carom_status read_texts(carom_result *r, carom_error *err)
{
    size_t one = 0;
    for (int i = 0; i < RESULT_TEXTS; ++i) {
        char path[RESULT_PATH];
        snprintf(path, sizeof path, "meta/%s", result_text_names[i]);
        bool there = H5Lexists(r->file, path, H5P_DEFAULT) > 0;
        if (there && !h5_read_texts(r->file, path, &r->texts[i], &one)) {
            return result_damaged(r, path, err);
        }
    }
    h5_read_text_attribute(r->file, "carom", r->version, sizeof r->version);
    return CAROM_OK;
}

static carom_status read_all(carom_result *r, carom_error *err)
{
    size_t one = 0;
    carom_status status = guard_links(r->file, r->path, err);
    status = status == CAROM_OK ? check_format(r, err) : status;
    if (status == CAROM_OK && !h5_read_texts(r->file, "meta/scene", &r->scene, &one)) {
        status = result_damaged(r, "meta/scene", err);
    }
    carom_status (*const parts[])(carom_result *, carom_error *) = {
        read_texts, read_time,  add_signals, add_bodies,   read_orientations, open_flexible,       add_coordinates,
        add_joints, add_forces, add_ledger,  add_contacts, read_events,       result_read_summary,
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
        if (stat(r->path, &info) != 0 && errno == ENOENT) {
            return carom_fail(err, CAROM_BAD_INPUT, "the folder '%.500s' holds no result.h5: no run wrote into it",
                              folder_or_file);
        }
    }
    carom_input input;
    if (!carom_input_open(&input, r->path)) {
        return carom_fail(err, carom_input_status(&input), "the result '%.500s' %s", r->path, input.why);
    }
    bool empty = fstat(input.fd, &info) == 0 &&
                 info.st_size == 0; /* such as those of /proc, some of which make readers wait */
    close(input.fd);                /* HDF5 opens it again, by name */
    return empty ? carom_fail(err, CAROM_BAD_INPUT, "'%.500s' is not a result of carom: it is empty", r->path)
                 : CAROM_OK;
}

static carom_status open_result(carom_result *r, const char *folder_or_file, carom_error *err)
{
    carom_status status = find_file(r, folder_or_file, err);
    if (status != CAROM_OK) {
        return status;
    }
    r->tables = CAROM_ARENA_ARRAY(&r->arena, result_table, MOST_TABLES);
    r->shapes = CAROM_ARENA_ARRAY(&r->arena, result_shapes, 1);
    r->summary_text = CAROM_ARENA_ARRAY(&r->arena, char *, 1);
    r->index = CAROM_ARENA_ARRAY(&r->arena, column_index, 1);
    if (!r->tables || !r->shapes || !r->summary_text || !r->index) {
        return result_no_memory(r, err);
    }
    status = guard_seal(r->path, &r->sealed, err);
    if (status != CAROM_OK) {
        return status;
    }
    r->file = h5_open_file(r->path);
    if (r->file < 0) {
        if (h5_lacks_memory()) {
            return result_no_memory(r, err);
        }
        if (H5Fis_hdf5(r->path) == 0) {
            return carom_fail(err, CAROM_BAD_INPUT, "'%.500s' is not a result of carom: it is no HDF5 file", r->path);
        }
        h5_fail(err, "read the result", r->path);
        return err ? err->status = CAROM_BAD_INPUT : CAROM_BAD_INPUT;
    }
    return read_all(r, err);
}

static carom_status check_open(const char *folder_or_file, carom_result **out, carom_error *err)
{
    carom_status status = argument_given("carom_result_open", "out", out, err);
    if (status == CAROM_OK) {
        *out = NULL;
        status = argument_text("carom_result_open", "folder_or_file", folder_or_file, err);
    }
    return status;
}

carom_status carom_result_open(const char *folder_or_file, carom_result **out, carom_error *err)
{
    carom_status status = check_open(folder_or_file, out, err);
    if (status != CAROM_OK) {
        return status;
    }
    carom_result *r = calloc(1, sizeof *r);
    if (!r) {
        return carom_fail(err, CAROM_NO_MEMORY, "no memory to read a result");
    }
    r->file = -1;
    h5_quiet quiet = h5_quiet_begin();
    status = open_result(r, folder_or_file, err);
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
    if (r->flexible) {
        result_flexible_close(r->flexible);
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
    free(r->named);
    free(r->body_names);
    free(r->time);
    free(r->scene);
    free(r->summary_text ? *r->summary_text : NULL);
    summary_free(r->summary);
    free(r->pairs);
    free(r->columns);
    if (r->index) {
        carom_arena_free(&r->index->arena);
    }
    carom_arena_free(&r->arena);
    free(r);
}
