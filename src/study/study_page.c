/* The page of a study: its rows as columns, the lines of its summary, and how probabilities settle with the number of runs. The page
 * draws from these (viewer/src/study); statistics are of all rows, also where there are too many to be drawn. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "files/file.h"
#include "page/page.h"
#include "study/statistics.h"
#include "study/study.h"

enum { MOST_ROWS = 20000, MOST_REASONS = 2000, CURVE_POINTS = 200 };

typedef struct study_page {
    const carom_study *study;
    byte_buffer arrays;
    size_t count; /* rows that are shown */
    size_t total;
    const carom_row **rows;
    double *column;
    bool failed;
} study_page;

static void put(study_page *p, json_t *object, const char *key, json_t *value)
{
    p->failed = json_object_set_new(object, key, value) != 0 || p->failed;
}

static void append(study_page *p, json_t *list, json_t *value)
{
    p->failed = json_array_append_new(list, value) != 0 || p->failed;
}

/* ---- rows --------------------------------------------------------------------------------------------------------- */

/* Every so many-th row where there are too many. */
static bool choose_rows(study_page *p)
{
    const carom_study *s = p->study;
    for (size_t i = 0; i < s->run_count; ++i) {
        p->total += s->rows[i] != NULL;
    }
    size_t stride = (p->total + MOST_ROWS - 1) / MOST_ROWS;
    p->rows = calloc(p->total + 1, sizeof *p->rows);
    p->column = calloc(p->total + 1, sizeof *p->column);
    for (size_t i = 0, seen = 0; p->rows && i < s->run_count; ++i) {
        if (s->rows[i] && seen++ % stride == 0) {
            p->rows[p->count++] = s->rows[i];
        }
    }
    return p->rows && p->column;
}

static json_t *run_column(study_page *p)
{
    for (size_t k = 0; k < p->count; ++k) {
        p->column[k] = (double)p->rows[k]->run;
    }
    return page_u32(&p->arrays, p->column, p->count);
}

static json_t *status_column(study_page *p)
{
    for (size_t k = 0; k < p->count; ++k) {
        p->column[k] = p->rows[k]->status;
    }
    return page_u16(&p->arrays, p->column, p->count);
}

static json_t *number_column(study_page *p, bool input, size_t i)
{
    for (size_t k = 0; k < p->count; ++k) {
        p->column[k] = input ? p->rows[k]->inputs[i] : p->rows[k]->values[i];
    }
    return page_f64(&p->arrays, p->column, p->count);
}

static json_t *reasons(study_page *p)
{
    json_t *list = json_array();
    for (size_t k = 0; k < p->count && json_array_size(list) < MOST_REASONS; ++k) {
        if (p->rows[k]->reason[0]) {
            append(p, list, json_pack("[I,o]", (json_int_t)p->rows[k]->run, json_value_text(p->rows[k]->reason)));
        }
    }
    return list;
}

/* ---- probabilities ------------------------------------------------------------------------------------------------ */

/* Share of hits and its interval after so many good rows, in the order of runs: for independent draws only. */
static json_t *probability_curve(study_page *p, size_t m)
{
    const carom_study *s = p->study;
    size_t good = 0;
    size_t hits = 0;
    double curve[4][CURVE_POINTS + 1];
    size_t points = 0;
    for (size_t i = 0; i < s->run_count; ++i) {
        good += s->rows[i] && s->rows[i]->status == CAROM_ROW_DONE;
    }
    size_t stride = good / CURVE_POINTS + 1;
    for (size_t i = 0, seen = 0; i < s->run_count; ++i) {
        if (!s->rows[i] || s->rows[i]->status != CAROM_ROW_DONE) {
            continue;
        }
        hits += s->rows[i]->values[m] > 0.5;
        ++seen;
        if (seen % stride == 0 || seen == good) {
            estimate e = share_of(hits, seen);
            curve[0][points] = (double)seen;
            curve[1][points] = e.value;
            curve[2][points] = e.low;
            curve[3][points++] = e.high;
        }
    }
    json_t *out = json_object();
    static const char *const names[] = { "runs", "share", "low", "high" };
    for (int k = 0; k < 4; ++k) {
        put(p, out, names[k], page_f64(&p->arrays, curve[k], points));
    }
    return out;
}

/* ---- all ---------------------------------------------------------------------------------------------------------- */

static json_t *variables(study_page *p)
{
    json_t *list = json_array();
    for (size_t i = 0; i < p->study->variable_count; ++i) {
        append(p, list,
               json_pack("{s:o, s:o}", "name", json_value_text(p->study->variables[i].path), "column",
                         number_column(p, true, i)));
    }
    return list;
}

static json_t *measures(study_page *p)
{
    json_t *list = json_array();
    for (size_t i = 0; i < p->study->measure_count; ++i) {
        const measure *m = &p->study->measures[i];
        bool event = m->kind == MEASURE_EVENT;
        json_t *one = json_pack("{s:o, s:o, s:b, s:o}", "name", json_value_text(m->name), "unit",
                                json_value_text(m->unit), "event", event, "column", number_column(p, false, i));
        if (event && p->study->sampling == SAMPLING_RANDOM) {
            put(p, one, "curve", probability_curve(p, i));
        }
        append(p, list, one);
    }
    return list;
}

static json_t *study_object(study_page *p, const char *folder)
{
    const carom_study *s = p->study;
    char *summary = carom_study_summary(s);
    json_t *out = json_object();
    put(p, out, "sampling", json_value_text(s->def.sampling.kind));
    put(p, out, "scene", json_value_text(s->scene_name));
    put(p, out, "folder", json_value_text(folder));
    put(p, out, "summary", summary ? json_value_text(summary) : NULL);
    put(p, out, "total", json_integer((json_int_t)p->total));
    put(p, out, "runs", run_column(p));
    put(p, out, "status", status_column(p));
    put(p, out, "reasons", reasons(p));
    put(p, out, "variables", variables(p));
    put(p, out, "measures", measures(p));
    carom_text_destroy(summary);
    return out;
}

carom_status carom_study_page(const carom_study *s, const char *folder, carom_error *err)
{
    carom_status status = argument_given("carom_study_page", "study", s, err);
    status = status == CAROM_OK ? argument_text("carom_study_page", "folder", folder, err) : status;
    char file[FILE_PATH];
    status = status == CAROM_OK ? file_path(file, folder, "report.html", err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    study_page p = { .study = s };
    byte_buffer data = { 0 };
    json_t *report = choose_rows(&p) ? page_report(carom_study_name(s), json_array()) : NULL;
    if (report) {
        put(&p, report, "study", study_object(&p, folder));
    }
    bool ok = report && !p.failed && !p.arrays.failed;
    status = ok ? page_join(report, &p.arrays, &data, err)
                : carom_fail(err, CAROM_NO_MEMORY, "out of memory for the page of a study");
    status = status == CAROM_OK ? page_save(&data, file, err) : status;
    json_decref(report);
    byte_buffer_free(&data);
    byte_buffer_free(&p.arrays);
    free(p.rows);
    free(p.column);
    return status;
}
