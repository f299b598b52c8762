/* Tables of signals as comma separated values. */
#ifndef CAROM_EXPORT_CSV_H
#define CAROM_EXPORT_CSV_H

#include <carom/export.h>

#include "files/output.h"

/* Frames first, first + every, ...: count of them. */
typedef struct csv_rows {
    size_t first;
    size_t every;
    size_t count;
} csv_rows;

/* carom_result_export_csv with a choice of frames, and files and bytes counted in the report (or NULL). */
carom_status csv_write_rows(const carom_result *result, const char *file, const char *const *signals, size_t count,
                            csv_rows rows, carom_export_report *report, carom_error *err);

/* A field, quoted where it must be. */
void csv_field(output_file *out, const char *text);

/* Writes the columns a scene asks to record into folder/signals.csv, from folder/result.h5. */
carom_status csv_write_recorded(const char *folder, carom_error *err);

#endif
