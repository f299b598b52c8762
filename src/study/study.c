/* Studies as objects: opening, asking, closing. */
#include "study/study.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <carom/store.h>

#include "base/arguments.h"
#include "files/output.h"
#include "study/identity.h"

/* ---- opening ------------------------------------------------------------------------------------------------------ */

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* Of a scene that cannot be compiled: whether it can without the events of the study. */
static bool events_are_to_blame(carom_study *s)
{
    carom_model *model = NULL;
    size_t count = s->own_event_count;
    s->own_event_count = 0;
    bool compiles = count > 0 && evaluate_model(s, NULL, &model, NULL) == CAROM_OK;
    s->own_event_count = count;
    carom_model_destroy(model);
    return compiles;
}

/* Units of measures, from the model of the scene as it stands; none where that cannot be compiled. A signal that the scene does not
 * have is a mistake of the study, not of its runs. */
static carom_status find_units(carom_study *s, carom_error *err)
{
    carom_model *model = NULL;
    carom_observer *observer = NULL;
    carom_error why = { 0 };
    if (evaluate_model(s, NULL, &model, &why) != CAROM_OK) {
        return events_are_to_blame(s) ? carom_fail(err, why.status, "%.900s", why.message) : CAROM_OK;
    }
    carom_status status = carom_observer_create(model, s->signals, s->signal_count, &observer, err);
    for (size_t i = 0; status == CAROM_OK && i < s->measure_count; ++i) {
        measure *m = &s->measures[i];
        if (m->kind == MEASURE_TIME) {
            strcpy(m->unit, "s");
        } else if (m->kind != MEASURE_EXPRESSION && m->kind != MEASURE_EVENT) {
            snprintf(m->unit, sizeof m->unit, "%.30s", carom_observer_unit(observer, m->signal));
        }
    }
    carom_observer_destroy(observer);
    carom_model_destroy(model);
    return status;
}

static carom_status open_study(carom_study *s, const char *path, size_t runs, carom_error *err)
{
    s->store = carom_store_create();
    if (!s->store) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the study");
    }
    size_t had = 0;
    carom_status status = is_folder(path) ? identity_open(s, path, &had, err)
                                          : json_document_load(&s->document, path, err);
    status = status == CAROM_OK ? study_read(s, err) : status;
    if (status == CAROM_OK && had > 0 && runs == 0 && had != s->run_count) {
        runs = had;
    }
    status = status == CAROM_OK ? study_extend(s, runs, err) : status;
    status = status == CAROM_OK ? find_units(s, err) : status;
    status = status == CAROM_OK ? identity_make(s, err) : status;
    s->rows = status == CAROM_OK ? calloc(s->run_count + 1, sizeof *s->rows) : NULL;
    return status == CAROM_OK && !s->rows
               ? carom_fail(err, CAROM_NO_MEMORY, "out of memory for %zu rows", s->run_count)
               : status;
}

carom_status carom_study_open(const char *file_or_folder, size_t runs, carom_study **out, carom_error *err)
{
    carom_status status = argument_given("carom_study_open", "out", out, err);
    if (status == CAROM_OK) {
        *out = NULL;
        status = argument_text("carom_study_open", "file_or_folder", file_or_folder, err);
    }
    if (status != CAROM_OK) {
        return status;
    }
    carom_study *s = calloc(1, sizeof *s);
    if (!s) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the study");
    }
    status = open_study(s, file_or_folder, runs, err);
    if (status != CAROM_OK) {
        carom_study_destroy(s);
        return status;
    }
    *out = s;
    return CAROM_OK;
}

static void free_changes(carom_study *s)
{
    for (size_t i = 0; s->changes && s->changes[i]; ++i) {
        free(s->changes[i]);
    }
    free(s->changes);
    s->changes = NULL;
}

void carom_study_destroy(carom_study *s)
{
    if (!s) {
        return;
    }
    for (size_t i = 0; s->rows && i < s->run_count; ++i) {
        carom_row_destroy(s->rows[i]);
    }
    free(s->rows);
    free_changes(s);
    free(s->scene_text);
    json_decref(s->identity);
    if (s->document.text) {
        json_document_free(&s->document);
    }
    carom_store_destroy(s->store);
    carom_arena_free(&s->arena);
    free(s);
}

/* ---- asking ------------------------------------------------------------------------------------------------------- */

const char *carom_study_name(const carom_study *s)
{
    return s ? (s->def.name ? s->def.name : s->document.file) : NULL;
}

const char *carom_study_sampling(const carom_study *s)
{
    return s ? s->def.sampling.kind : NULL;
}

size_t carom_study_run_count(const carom_study *s)
{
    return s ? s->run_count : 0;
}

size_t carom_study_variable_count(const carom_study *s)
{
    return s ? s->variable_count : 0;
}

size_t carom_study_measure_count(const carom_study *s)
{
    return s ? s->measure_count : 0;
}

const char *carom_study_variable(const carom_study *s, size_t i)
{
    return s && i < s->variable_count ? s->variables[i].path : NULL;
}

const char *carom_study_measure(const carom_study *s, size_t i)
{
    return s && i < s->measure_count ? s->measures[i].name : NULL;
}

const char *carom_study_unit(const carom_study *s, size_t i)
{
    return s && i < s->measure_count ? s->measures[i].unit : NULL;
}

const char *carom_row_status_name(carom_row_status status)
{
    static const char *const names[] = { "missing", "done", "failed", "doubtful", "limit", "crashed" };
    return (unsigned)status < CAROM_ROW_STATUSES ? names[status] : "";
}

const carom_row *carom_study_row(const carom_study *s, size_t run)
{
    return s && run < s->run_count ? s->rows[run] : NULL;
}

bool carom_study_needs(const carom_study *s, size_t run)
{
    if (!s || run >= s->run_count) {
        return false;
    }
    size_t starts = sample_depends(s) ? (size_t)s->sampled.starts : 1;
    const search_end *end = sample_depends(s) ? &s->ends[run % starts] : NULL;
    return !end || !end->ended || run / starts < end->used;
}

const char *carom_study_scene(const carom_study *s, const char **name, const char **folder)
{
    if (name) {
        *name = s ? s->scene_name : NULL;
    }
    if (folder) {
        *folder = s ? s->scene_folder : NULL;
    }
    return s ? s->scene_text : NULL;
}

static carom_status check_run(const char *function, const carom_study *s, size_t run, const void *out,
                              carom_error *err)
{
    const argument needed[] = { { "study", s }, { "out", out } };
    carom_status status = arguments_given(function, needed, 2, err);
    if (status == CAROM_OK && run >= s->run_count) {
        status = carom_fail(err, CAROM_BAD_INPUT, "%s: there is no run %zu; they are numbered from 0 to %zu",
                            function, run, s->run_count - 1);
    }
    if (status == CAROM_OK && sample_depends(s) && !s->rows[run]) {
        status =
            carom_fail(err, CAROM_BAD_INPUT,
                       "%s: what run %zu of a search varies follows from the runs before it, which are not there",
                       function, run);
    }
    return status;
}

carom_status carom_study_evaluate(const carom_study *s, size_t run, carom_row **out, carom_error *err)
{
    if (out) {
        *out = NULL;
    }
    carom_status status = check_run("carom_study_evaluate", s, run, out, err);
    if (status != CAROM_OK) {
        return status;
    }
    carom_row *row = row_create(s, run);
    status = row ? evaluate_row(s, row, NULL, NULL, err)
                 : carom_fail(err, CAROM_NO_MEMORY, "out of memory for a row");
    if (status != CAROM_OK) {
        carom_row_destroy(row);
        return status;
    }
    *out = row;
    return CAROM_OK;
}

carom_status carom_study_changes(carom_study *s, size_t run, const char *const **out, size_t *count, carom_error *err)
{
    if (out) {
        *out = NULL;
    }
    carom_status status = check_run("carom_study_changes", s, run, out, err);
    status = status == CAROM_OK ? argument_given("carom_study_changes", "count", count, err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    free_changes(s);
    const char *const *set = s->def.set.items;
    size_t set_count = s->def.set.count;
    s->changes = calloc(set_count + s->variable_count + 1, sizeof *s->changes);
    carom_row *row = row_create(s, run);
    bool ok = s->changes && row;
    for (size_t i = 0; ok && i < set_count; ++i) {
        s->changes[i] = malloc(strlen(set[i]) + 1);
        ok = s->changes[i] != NULL;
        if (ok) {
            strcpy(s->changes[i], set[i]);
        }
    }
    for (size_t i = 0; ok && i < s->variable_count; ++i) {
        char number[OUTPUT_NUMBER];
        size_t size = strlen(s->variables[i].path) + OUTPUT_NUMBER + 2;
        char *change = s->changes[set_count + i] = malloc(size);
        ok = change != NULL;
        if (ok) {
            snprintf(change, size, "%s=%s", s->variables[i].path, output_number_text(row->inputs[i], 17, number));
        }
    }
    carom_row_destroy(row);
    *out = ok ? (const char *const *)s->changes : NULL;
    *count = ok ? set_count + s->variable_count : 0;
    return ok ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory for changes");
}

/* ---- what is kept ------------------------------------------------------------------------------------------------- */

typedef struct kept_list {
    size_t *runs;
    size_t room, count;
} kept_list;

static void keep(kept_list *list, size_t run)
{
    for (size_t i = 0; i < list->count && i < list->room; ++i) {
        if (list->runs[i] == run) {
            return;
        }
    }
    if (list->count < list->room) {
        list->runs[list->count] = run;
    }
    list->count++;
}

/* The one with the next smaller value than the last, times sign; equal values by run. */
static size_t next_far(const carom_study *s, size_t m, double sign, size_t last)
{
    size_t far = SIZE_MAX;
    for (size_t i = 0; i < s->run_count; ++i) {
        const carom_row *row = s->rows[i];
        if (!row || row->status != CAROM_ROW_DONE || row->values[m] != row->values[m]) {
            continue;
        }
        double x = sign * row->values[m];
        double before = last == SIZE_MAX ? 0.0 : sign * s->rows[last]->values[m];
        bool after = last == SIZE_MAX || x < before || (x == before && i > last);
        if (after && (far == SIZE_MAX || x > sign * s->rows[far]->values[m])) {
            far = i;
        }
    }
    return far;
}

static void keep_far(const carom_study *s, double sign, int count, kept_list *list)
{
    for (size_t m = 0; count > 0 && m < s->measure_count; ++m) {
        size_t last = SIZE_MAX;
        for (int n = 0; strcmp(s->measures[m].name, s->def.keep.measure) == 0 && n < count; ++n) {
            last = next_far(s, m, sign, last);
            if (last == SIZE_MAX) {
                break;
            }
            keep(list, last);
        }
    }
}

static void keep_status(const carom_study *s, carom_row_status status, kept_list *list)
{
    enum { MOST = 10 };
    int count = 0;
    for (size_t i = 0; i < s->run_count && count < MOST; ++i) {
        if (s->rows[i] && s->rows[i]->status == status) {
            keep(list, i);
            ++count;
        }
    }
}

size_t carom_study_kept(const carom_study *s, size_t *runs, size_t count)
{
    if (!s) {
        return 0;
    }
    const keep_def *k = &s->def.keep;
    kept_list list = { runs, runs ? count : 0, 0 };
    keep_far(s, 1.0, k->worst, &list);
    keep_far(s, -1.0, k->best, &list);
    size_t best = search_best(s);
    if (best != SIZE_MAX) {
        keep(&list, best);
    }
    if (k->doubtful) {
        keep_status(s, CAROM_ROW_DOUBTFUL, &list);
    }
    if (k->failed) {
        keep_status(s, CAROM_ROW_FAILED, &list);
    }
    return list.count;
}
