/* Files that users asked for: they get their names when they are complete, so that each is whole or not there. Errors are kept until the end, so that writers need not ask after every number. */
#ifndef CAROM_FILES_OUTPUT_H
#define CAROM_FILES_OUTPUT_H

#include <carom/export.h>

#include <stdio.h>

#include "files/file.h"
#include "files/fresh_file.h"

typedef struct output_file {
    FILE *file;
    uint64_t bytes; /* so far */
    int code;       /* errno of the write that failed */
    bool special;   /* a device, a pipe, standard output: written as it is */
    char path[FILE_PATH];
    carom_fresh fresh;
} output_file;

/* Whether a path names a device, a pipe, or what the program has open already (/dev/stdout, /dev/fd/3). */
bool output_is_special(const char *path);

carom_status output_open(output_file *out, const char *path, carom_error *err);
carom_status output_standard(output_file *out); /* standard output: always there */
void output_write(output_file *out, const void *data, size_t bytes);
void output_text(output_file *out, const char *text);
void output_printf(output_file *out, const char *fmt, ...) CAROM_PRINTF(2, 3);

/* See output_number_text. */
void output_number(output_file *out, double x, int digits);

/* Moves the file to its place when all went well so far, and counts it in the report (or NULL); removes it otherwise. Answers
 * `status`, or what went wrong in writing. */
carom_status output_close(output_file *out, carom_status status, carom_export_report *report, carom_error *err);

/* All of a file at once. */
carom_status output_whole(const char *path, const void *data, size_t bytes, carom_error *err);

/* "cannot <what> '<path>': <why>", with the status that fits the error number. */
carom_status output_failed(carom_error *err, const char *what, const char *path, int code);

/* Decimal text of x with this many digits, 0: the fewest that read back as the same number. With a point whatever the
 * locale. */
enum { OUTPUT_NUMBER = 40 };
const char *output_number_text(double x, int digits, char buffer[OUTPUT_NUMBER]);

bool output_host_is_little_endian(void);

#endif
