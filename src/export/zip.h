/* Zip archives of stored (not compressed) files, written in one go. */
#ifndef CAROM_EXPORT_ZIP_H
#define CAROM_EXPORT_ZIP_H

#include "files/output.h"

enum { ZIP_LONGEST_NAME = 500 }; /* bytes, the zero behind it included */

typedef struct zip_entry zip_entry;

typedef struct zip_writer {
    output_file out;
    zip_entry *entries;
    size_t count;
    size_t capacity;
    bool failed;     /* no memory */
    bool unseekable; /* a header could not be gone back to */
    uint64_t narrow; /* sizes and places from here on are written as 64 bits; tests may lower it */
} zip_writer;

carom_status zip_open(zip_writer *zip, const char *path, carom_error *err);

/* A file of this name (letters, digits, '/', '.', '-', '_'), followed by its bytes. */
void zip_begin(zip_writer *zip, const char *name);
void zip_write(zip_writer *zip, const void *data, size_t bytes);
void zip_end(zip_writer *zip);

/* Writes the directory and closes the archive, or removes it when status is not CAROM_OK. */
carom_status zip_close(zip_writer *zip, carom_status status, carom_export_report *report, carom_error *err);

#endif
