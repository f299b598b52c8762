/* Columns of a result: a dataset is read when one of its columns is first asked for, and turned so that each column is
 * contiguous. Names are found by hash; one that is not there is answered with the nearest. */
#include "result/result_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "base/text.h"

/* Turns rows into columns, a block of rows at a time. */
static bool read_columns(const carom_result *r, hid_t set, const result_table *table, double *columns,
                         bool *no_memory)
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
    *no_memory = !rows || (!ok && h5_lacks_memory());
    free(rows);
    return ok;
}

carom_status result_load_table(const carom_result *r, result_table *table, carom_error *err)
{
    if (table->columns) {
        return CAROM_OK;
    }
    double *columns = malloc((r->frames * table->width + 1) * sizeof(double));
    if (!columns) {
        return result_no_memory(r, err);
    }
    h5_quiet quiet = h5_quiet_begin();
    hid_t set = h5_open_dataset(r->file, table->path);
    bool no_memory = set < 0 && h5_lacks_memory();
    bool ok = set >= 0 && read_columns(r, set, table, columns, &no_memory);
    h5_close(set);
    h5_quiet_end(quiet);
    if (!ok) {
        free(columns);
        return no_memory ? result_no_memory(r, err) : result_damaged(r, table->path, err);
    }
    table->columns = columns;
    return CAROM_OK;
}

carom_status result_load_signal(const carom_result *r, size_t signal, const double **out, carom_error *err)
{
    const result_column *column = &r->columns[signal];
    result_table *table = &r->tables[column->table];
    carom_status status = result_load_table(r, table, err);
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
    const argument needed[] = { { "result", r }, { "name", name }, { "signal", signal } };
    carom_status status = arguments_given("carom_result_find_signal", needed, 3, err);
    if (status != CAROM_OK) {
        return status;
    }
    if (!make_index(r)) {
        return result_no_memory(r, err);
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
    return r ? r->recorded : 0;
}

size_t carom_result_frame_count(const carom_result *r)
{
    return r ? r->frames : 0;
}

size_t carom_result_signal_count(const carom_result *r)
{
    return r ? r->column_count : 0;
}

const char *carom_result_signal_name(const carom_result *r, size_t signal)
{
    return r && signal < r->column_count ? r->columns[signal].name : NULL;
}

const char *carom_result_signal_unit(const carom_result *r, size_t signal)
{
    return r && signal < r->column_count ? r->columns[signal].unit : NULL;
}

const double *carom_result_time(const carom_result *r)
{
    return r ? r->time : NULL;
}

const double *carom_result_signal(const carom_result *r, size_t signal)
{
    const double *column = NULL;
    if (r && signal < r->column_count) {
        result_load_signal(r, signal, &column, NULL);
    }
    return column;
}

const char *carom_result_scene(const carom_result *r)
{
    return r ? r->scene[0] : NULL;
}
