/* table.csv and study.h5: all rows by run, in numbers that read back the same; nothing that depends on when or by whom they were made. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "files/file.h"
#include "files/output.h"
#include "result/study_file.h"
#include "study/study.h"

void table_cell_number(carom_text *out, double value)
{
    char number[OUTPUT_NUMBER];
    carom_text_add(out, ",%s", isnan(value) ? "" : output_number_text(value, 17, number));
}

void table_cell_text(carom_text *out, const char *text)
{
    carom_text_add(out, ",");
    if (!strpbrk(text, ",\"")) {
        carom_text_add(out, "%s", text);
        return;
    }
    carom_text_add(out, "\"");
    for (const char *c = text; *c; ++c) {
        carom_text_add(out, *c == '"' ? "\"\"" : "%c", *c);
    }
    carom_text_add(out, "\"");
}

static void add_header(const carom_study *s, carom_text *out)
{
    carom_text_add(out, "run,status");
    for (size_t i = 0; i < s->variable_count; ++i) {
        table_cell_text(out, s->variables[i].path);
    }
    for (size_t i = 0; i < s->measure_count; ++i) {
        char title[256];
        const measure *m = &s->measures[i];
        snprintf(title, sizeof title, m->unit[0] ? "%.200s [%s]" : "%.200s", m->name, m->unit);
        table_cell_text(out, title);
    }
    carom_text_add(out, ",reason\n");
}

static void add_row(const carom_study *s, const carom_row *row, carom_text *out)
{
    carom_text_add(out, "%zu,%s", row->run, carom_row_status_name(row->status));
    for (size_t i = 0; i < s->variable_count; ++i) {
        table_cell_number(out, row->inputs[i]);
    }
    for (size_t i = 0; i < s->measure_count; ++i) {
        table_cell_number(out, row->values[i]);
    }
    table_cell_text(out, row->reason);
    carom_text_add(out, "\n");
}

static carom_status write_csv(const carom_study *s, const char *folder, carom_error *err)
{
    carom_text text = { 0 };
    add_header(s, &text);
    for (size_t i = 0; i < s->run_count; ++i) {
        if (s->rows[i]) {
            add_row(s, s->rows[i], &text);
        }
    }
    carom_status status = text.failed ? carom_fail(err, CAROM_NO_MEMORY, "out of memory for table.csv")
                                      : file_write_whole(folder, "table.csv", text.data, text.length, err);
    carom_text_free(&text);
    return status;
}

/* Rows that are there come to the front, in their order. */
static void fill_columns(const carom_study *s, const carom_row *const *rows, study_file *f, double *numbers,
                         const char **texts)
{
    size_t n = f->rows;
    for (size_t k = 0; k < s->variable_count + s->measure_count; ++k) {
        bool input = k < s->variable_count;
        size_t i = input ? k : k - s->variable_count;
        f->columns[k] = (study_column){ input ? s->variables[i].path : s->measures[i].name,
                                        input ? "" : s->measures[i].unit, input, numbers + k * n };
        for (size_t r = 0; r < n; ++r) {
            numbers[k * n + r] = input ? rows[r]->inputs[i] : rows[r]->values[i];
        }
    }
    for (size_t r = 0; r < n; ++r) {
        texts[r] = carom_row_status_name(rows[r]->status);
        texts[n + r] = rows[r]->reason;
    }
    f->status = texts;
    f->reason = texts + n;
}

static carom_status write_h5(const carom_study *s, const char *folder, carom_error *err)
{
    carom_arena arena = { 0 };
    size_t columns = s->variable_count + s->measure_count;
    study_file f = { .name = s->def.name ? s->def.name : "", .column_count = columns };
    const carom_row **rows = CAROM_ARENA_ARRAY(&arena, const carom_row *, s->run_count + 1);
    double *numbers = CAROM_ARENA_ARRAY(&arena, double, columns * s->run_count + 1);
    const char **texts = CAROM_ARENA_ARRAY(&arena, const char *, 2 * s->run_count + 1);
    f.columns = CAROM_ARENA_ARRAY(&arena, study_column, columns + 1);
    carom_status status = arena.failed ? carom_fail(err, CAROM_NO_MEMORY, "out of memory for study.h5") : CAROM_OK;
    if (status == CAROM_OK) {
        for (size_t i = 0; i < s->run_count; ++i) {
            rows[f.rows] = s->rows[i];
            f.rows += s->rows[i] != NULL;
        }
        fill_columns(s, rows, &f, numbers, texts);
        status = study_file_write(&f, folder, err);
    }
    carom_arena_free(&arena);
    return status;
}

carom_status table_write(const carom_study *s, const char *folder, carom_error *err)
{
    carom_status status = write_csv(s, folder, err);
    return status == CAROM_OK ? write_h5(s, folder, err) : status;
}
