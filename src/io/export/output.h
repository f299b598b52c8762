/* Files of an export: written beside their place and moved there when they are complete, so that each is whole or not
 * there. Errors are kept until the end, so that writers need not ask after every number. */
#ifndef CAROM_IO_EXPORT_OUTPUT_H
#define CAROM_IO_EXPORT_OUTPUT_H

#include <stdio.h>

#include "io/export/export.h"
#include "io/result_file.h"

typedef struct export_output {
    FILE *file;
    uint64_t bytes; /* so far */
    int code;       /* errno of the write that failed */
    bool special;   /* a device, a pipe, standard output: written as it is */
    char path[FILE_PATH];
    char beside[FILE_PATH];
} export_output;

carom_status export_output_open(export_output *out, const char *path, carom_error *err);
carom_status export_output_standard(export_output *out); /* standard output: always there */
void export_output_write(export_output *out, const void *data, size_t bytes);
void export_output_text(export_output *out, const char *text);
void export_output_printf(export_output *out, const char *fmt, ...) CAROM_PRINTF(2, 3);

/* See export_number. */
void export_output_number(export_output *out, double x, int digits);

/* Moves the file to its place when all went well so far, and counts it in the report (or NULL); removes it otherwise. Answers
 * `status`, or what went wrong in writing. */
carom_status export_output_close(export_output *out, carom_status status, carom_export_report *report,
                                 carom_error *err);

/* All of a file at once. */
carom_status export_write_whole(const char *path, const void *data, size_t bytes, carom_error *err);

/* A folder for files called as `patterns` say ("frame-#.obj", # being digits; ended by NULL). Makes it, or empties one
 * that holds an earlier export; refuses one that holds anything else. */
carom_status export_folder_prepare(const char *folder, const char *const *patterns, carom_error *err);

/* Whether the name fits the pattern. */
bool export_pattern_fits(const char *pattern, const char *name);

/* Decimal text of x with this many digits, 0: the fewest that read back as the same number. With a point whatever the
 * locale. */
enum { EXPORT_NUMBER = 40 };
const char *export_number(double x, int digits, char buffer[EXPORT_NUMBER]);

bool export_host_is_little_endian(void);

#endif
