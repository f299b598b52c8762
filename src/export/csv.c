/* CSV by RFC 4180 (with plain line feeds): a header of "name [unit]", then a line per frame. Numbers have 17 digits,
 * so that they read back exactly, and a point whatever the locale; "nan" and "inf" where they are. The file appears
 * when it is complete; written to "-" it goes to standard output as it grows. */
#include "export/csv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "result/result_read.h"

typedef struct csv_table {
    const carom_result *result;
    size_t count;
    size_t *signals;
    const double **columns;
    csv_rows rows;
} csv_table;

void csv_field(output_file *out, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        output_text(out, text);
        return;
    }
    output_text(out, "\"");
    for (const char *c = text; *c; ++c) {
        output_write(out, c, 1);
        output_text(out, *c == '"' ? "\"" : "");
    }
    output_text(out, "\"");
}

/* name [unit], or the bare name of a number without unit; a quoted whole where the name needs it. */
static bool write_title(output_file *out, const char *name, const char *unit)
{
    size_t size = strlen(name) + strlen(unit) + 4;
    char *title = malloc(size);
    if (!title) {
        return false;
    }
    snprintf(title, size, *unit ? "%s [%s]" : "%s%s", name, unit);
    csv_field(out, title);
    free(title);
    return true;
}

static bool write_header(output_file *out, const csv_table *table)
{
    output_text(out, "time [s]");
    for (size_t k = 0; k < table->count; ++k) {
        output_text(out, ",");
        if (!write_title(out, carom_result_signal_name(table->result, table->signals[k]),
                         carom_result_signal_unit(table->result, table->signals[k]))) {
            return false;
        }
    }
    output_text(out, "\n");
    return true;
}

static void write_lines(output_file *out, const csv_table *table)
{
    enum { DIGITS = 17 };
    const double *time = carom_result_time(table->result);
    for (size_t row = 0; row < table->rows.count && !ferror(out->file); ++row) {
        size_t i = table->rows.first + row * table->rows.every;
        output_number(out, time[i], DIGITS);
        for (size_t k = 0; k < table->count; ++k) {
            output_text(out, ",");
            output_number(out, table->columns[k][i], DIGITS);
        }
        output_text(out, "\n");
    }
}

static carom_status write_file(const char *path, const csv_table *table, carom_export_report *report,
                               carom_error *err)
{
    output_file out;
    carom_status status = strcmp(path, "-") == 0 ? output_standard(&out) : output_open(&out, path, err);
    if (status != CAROM_OK) {
        return status;
    }
    if (!write_header(&out, table)) {
        status = carom_fail(err, CAROM_NO_MEMORY, "no memory for the header of '%.500s'", path);
    } else {
        write_lines(&out, table);
    }
    return output_close(&out, status, report, err);
}

static carom_status choose_columns(csv_table *table, const char *const *names, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (size_t k = 0; k < table->count && status == CAROM_OK; ++k) {
        table->signals[k] = k;
        if (names) {
            status = carom_result_find_signal(table->result, names[k], &table->signals[k], NULL, err);
        }
        if (status == CAROM_OK) {
            status = result_load_signal(table->result, table->signals[k], &table->columns[k], err);
        }
    }
    return status;
}

/* The first `count` signals, or those named. */
static carom_status export(const carom_result *result, const char *path, const char *const *names, size_t count,
                           csv_rows rows, carom_export_report *report, carom_error *err)
{
    csv_table table = { .result = result, .count = count, .rows = rows };
    table.signals = malloc((count + 1) * sizeof *table.signals);
    table.columns = malloc((count + 1) * sizeof *table.columns);
    carom_status status = table.signals && table.columns
                              ? choose_columns(&table, names, err)
                              : carom_fail(err, CAROM_NO_MEMORY, "no memory for %zu columns", count);
    if (status == CAROM_OK) {
        status = write_file(path, &table, report, err);
    }
    free(table.signals);
    free(table.columns);
    return status;
}

static csv_rows all_rows(const carom_result *result)
{
    return (csv_rows){ .first = 0, .every = 1, .count = carom_result_frame_count(result) };
}

carom_status csv_write_rows(const carom_result *result, const char *file, const char *const *signals, size_t count,
                            csv_rows rows, carom_export_report *report, carom_error *err)
{
    return count == 0 ? export(result, file, NULL, carom_result_signal_count(result), rows, report, err)
                      : export(result, file, signals, count, rows, report, err);
}

carom_status carom_result_export_csv(const carom_result *result, const char *file, const char *const *signals,
                                     size_t count, carom_error *err)
{
    const char *function = "carom_result_export_csv";
    carom_status status = argument_given(function, "result", result, err);
    status = status == CAROM_OK ? argument_text(function, "file", file, err) : status;
    status = status == CAROM_OK ? argument_texts(function, "signals", signals, count, err) : status;
    return status == CAROM_OK ? csv_write_rows(result, file, signals, count, all_rows(result), NULL, err) : status;
}

carom_status csv_write_recorded(const char *folder, carom_error *err)
{
    char path[FILE_PATH];
    carom_result *result = NULL;
    carom_status status = file_path(path, folder, "signals.csv", err);
    if (status == CAROM_OK) {
        status = carom_result_open(folder, &result, err);
    }
    if (status == CAROM_OK) {
        status = export(result, path, NULL, carom_result_recorded_count(result), all_rows(result), NULL, err);
    }
    carom_result_close(result);
    return status;
}
