/* CSV by RFC 4180 (with plain line feeds): a header of "name [unit]", then a line per frame. Numbers have 17 digits,
 * so that they read back exactly, and a point whatever the locale; "nan" and "inf" where they are. The file appears
 * when it is complete; written to "-" it goes to standard output as it grows. */
#include "io/csv.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/result_file.h"
#include "io/result_read.h"

typedef struct csv_table {
    const carom_result *result;
    size_t count;
    size_t *signals;
    const double **columns;
    csv_rows rows;
} csv_table;

static void write_text(FILE *file, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (const char *c = text; *c; ++c) {
        if (*c == '"') {
            fputc('"', file);
        }
        fputc(*c, file);
    }
    fputc('"', file);
}

static void write_number(FILE *file, double value, const char *point)
{
    char text[64];
    snprintf(text, sizeof text, "%.17g", value);
    char *mark = strcmp(point, ".") == 0 ? NULL : strstr(text, point);
    if (mark) {
        *mark = '.';
        memmove(mark + 1, mark + strlen(point), strlen(mark + strlen(point)) + 1);
    }
    fputs(text, file);
}

/* name [unit], or the bare name of a number without unit; a quoted whole where the name needs it. */
static bool write_title(FILE *file, const char *name, const char *unit)
{
    size_t size = strlen(name) + strlen(unit) + 4;
    char *title = malloc(size);
    if (!title) {
        return false;
    }
    snprintf(title, size, *unit ? "%s [%s]" : "%s%s", name, unit);
    write_text(file, title);
    free(title);
    return true;
}

static bool write_header(FILE *file, const csv_table *table)
{
    fputs("time [s]", file);
    for (size_t k = 0; k < table->count; ++k) {
        fputc(',', file);
        if (!write_title(file, carom_result_signal_name(table->result, table->signals[k]),
                         carom_result_signal_unit(table->result, table->signals[k]))) {
            return false;
        }
    }
    fputc('\n', file);
    return true;
}

static void write_lines(FILE *file, const csv_table *table)
{
    const double *time = carom_result_time(table->result);
    const char *point = localeconv()->decimal_point;
    for (size_t row = 0; row < table->rows.count && !ferror(file); ++row) {
        size_t i = table->rows.first + row * table->rows.every;
        write_number(file, time[i], point);
        for (size_t k = 0; k < table->count; ++k) {
            fputc(',', file);
            write_number(file, table->columns[k][i], point);
        }
        fputc('\n', file);
    }
}

static carom_status write_to(FILE *file, const char *path, const csv_table *table, carom_error *err)
{
    errno = 0;
    if (!write_header(file, table)) {
        return carom_fail(err, CAROM_NO_MEMORY, "no memory for the header of '%.500s'", path);
    }
    write_lines(file, table);
    if (fflush(file) != 0 || ferror(file)) {
        return carom_fail(err, CAROM_IO_FAILED, "cannot write '%.500s': %s", path, strerror(errno ? errno : EIO));
    }
    return CAROM_OK;
}

/* Beside the file, then renamed; special files (/dev/stdout) are written as they are. */
static carom_status write_file(const char *path, const csv_table *table, carom_error *err)
{
    char beside[FILE_PATH];
    if (snprintf(beside, sizeof beside, "%s.new", path) >= (int)sizeof beside) {
        return carom_fail(err, CAROM_BAD_INPUT, "the path '%.200s...' is too long", path);
    }
    bool special = strncmp(path, "/dev/", 5) == 0;
    FILE *file = fopen(special ? path : beside, "w");
    if (!file) { /* a full disk makes no file either: that is not the caller's mistake */
        bool full = errno == ENOSPC || errno == EDQUOT || errno == EIO;
        return carom_fail(err, full ? CAROM_IO_FAILED : CAROM_BAD_INPUT, "cannot create '%.500s': %s", path,
                          strerror(errno));
    }
    carom_status status = write_to(file, path, table, err);
    if (fclose(file) != 0 && status == CAROM_OK) {
        status = carom_fail(err, CAROM_IO_FAILED, "cannot write '%.500s': %s", path, strerror(errno));
    }
    if (special) {
        return status;
    }
    if (status == CAROM_OK && rename(beside, path) != 0) {
        status = carom_fail(err, CAROM_IO_FAILED, "cannot create '%.500s': %s", path, strerror(errno));
    }
    if (status != CAROM_OK) {
        unlink(beside);
    }
    return status;
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
                           csv_rows rows, carom_error *err)
{
    csv_table table = { .result = result, .count = count, .rows = rows };
    table.signals = malloc((count + 1) * sizeof *table.signals);
    table.columns = malloc((count + 1) * sizeof *table.columns);
    carom_status status = table.signals && table.columns
                              ? choose_columns(&table, names, err)
                              : carom_fail(err, CAROM_NO_MEMORY, "no memory for %zu columns", count);
    if (status == CAROM_OK) {
        bool to_standard_output = strcmp(path, "-") == 0;
        status = to_standard_output ? write_to(stdout, "standard output", &table, err)
                                    : write_file(path, &table, err);
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
                            csv_rows rows, carom_error *err)
{
    return count == 0 ? export(result, file, NULL, carom_result_signal_count(result), rows, err)
                      : export(result, file, signals, count, rows, err);
}

carom_status carom_result_export_csv(const carom_result *result, const char *file, const char *const *signals,
                                     size_t count, carom_error *err)
{
    return csv_write_rows(result, file, signals, count, all_rows(result), err);
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
        status = export(result, path, NULL, carom_result_recorded_count(result), all_rows(result), err);
    }
    carom_result_close(result);
    return status;
}
