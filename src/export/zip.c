/* The .ZIP File Format Specification (APPNOTE 6.3.10): local headers, a central directory, its end; the 64-bit forms of
 * 4.3.14 and 4.5.3 where sizes or places do not fit 32 bits. Checksum and size of a file are known when it has been
 * written: its local header, which always has room for 64 bits, is then written again. */
#include "export/zip.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "files/compress.h"

enum {
    LOCAL = 0x04034b50,
    CENTRAL = 0x02014b50,
    END = 0x06054b50,
    END_64 = 0x06064b50,
    LOCATOR_64 = 0x07064b50,
    VERSION = 45, /* needed to read: 64-bit sizes */
    EXTRA_64 = 1,
    DATE = (1 << 5) + 1, /* 1980-01-01: the same result gives the same bytes */
    ENTRY_NAME = ZIP_LONGEST_NAME
};

struct zip_entry {
    char name[ENTRY_NAME];
    uint32_t crc;
    uint64_t size;
    uint64_t offset; /* of its local header */
};

/* ---- records -------------------------------------------------------------------------------------------------------- */

typedef struct record {
    unsigned char data[128];
    size_t length;
} record;

static void put(record *r, uint64_t value, int bytes)
{
    for (int k = 0; k < bytes; ++k) {
        r->data[r->length++] = (unsigned char)(value >> 8 * k);
    }
}

static void put_record(zip_writer *zip, const record *r)
{
    output_write(&zip->out, r->data, r->length);
}

/* What local header and directory have in common: version to sizes. */
static void put_facts(record *r, const zip_entry *e, uint32_t size)
{
    put(r, VERSION, 2);
    put(r, 0, 2); /* flags */
    put(r, 0, 2); /* stored */
    put(r, 0, 2); /* time */
    put(r, DATE, 2);
    put(r, e->crc, 4);
    put(r, size, 4);
    put(r, size, 4);
    put(r, strlen(e->name), 2);
}

static void put_local(zip_writer *zip, const zip_entry *e)
{
    record r = { .length = 0 };
    put(&r, LOCAL, 4);
    put_facts(&r, e, UINT32_MAX);
    put(&r, 20, 2); /* of the extra field */
    put_record(zip, &r);
    output_text(&zip->out, e->name);
    record extra = { .length = 0 };
    put(&extra, EXTRA_64, 2);
    put(&extra, 16, 2);
    put(&extra, e->size, 8);
    put(&extra, e->size, 8);
    put_record(zip, &extra);
}

static void put_central(zip_writer *zip, const zip_entry *e)
{
    bool wide = e->size >= zip->narrow || e->offset >= zip->narrow;
    record r = { .length = 0 };
    put(&r, CENTRAL, 4);
    put(&r, VERSION, 2); /* made by */
    put_facts(&r, e, wide ? UINT32_MAX : (uint32_t)e->size);
    put(&r, wide ? 28 : 0, 2); /* extra */
    put(&r, 0, 2);             /* comment */
    put(&r, 0, 2);             /* disk */
    put(&r, 0, 2);             /* attributes */
    put(&r, 0, 4);
    put(&r, wide ? UINT32_MAX : e->offset, 4);
    put_record(zip, &r);
    output_text(&zip->out, e->name);
    record extra = { .length = 0 };
    if (wide) {
        put(&extra, EXTRA_64, 2);
        put(&extra, 24, 2);
        put(&extra, e->size, 8);
        put(&extra, e->size, 8);
        put(&extra, e->offset, 8);
    }
    put_record(zip, &extra);
}

static void put_end_64(zip_writer *zip, uint64_t begin, uint64_t size)
{
    uint64_t here = begin + size;
    record r = { .length = 0 };
    put(&r, END_64, 4);
    put(&r, 44, 8); /* what follows of this record */
    put(&r, VERSION, 2);
    put(&r, VERSION, 2);
    put(&r, 0, 4);
    put(&r, 0, 4);
    put(&r, zip->count, 8);
    put(&r, zip->count, 8);
    put(&r, size, 8);
    put(&r, begin, 8);
    put(&r, LOCATOR_64, 4);
    put(&r, 0, 4);
    put(&r, here, 8);
    put(&r, 1, 4); /* disks */
    put_record(zip, &r);
}

static void put_directory(zip_writer *zip)
{
    uint64_t begin = zip->out.bytes;
    for (size_t i = 0; i < zip->count; ++i) {
        put_central(zip, &zip->entries[i]);
    }
    uint64_t size = zip->out.bytes - begin;
    bool wide = zip->count >= UINT16_MAX || begin >= zip->narrow || size >= zip->narrow;
    if (wide) {
        put_end_64(zip, begin, size);
    }
    record r = { .length = 0 };
    put(&r, END, 4);
    put(&r, 0, 4); /* disks */
    put(&r, wide ? UINT16_MAX : zip->count, 2);
    put(&r, wide ? UINT16_MAX : zip->count, 2);
    put(&r, wide ? UINT32_MAX : size, 4);
    put(&r, wide ? UINT32_MAX : begin, 4);
    put(&r, 0, 2); /* comment */
    put_record(zip, &r);
}

/* ---- files ---------------------------------------------------------------------------------------------------------- */

carom_status zip_open(zip_writer *zip, const char *path, carom_error *err)
{
    zip->entries = NULL;
    zip->count = zip->capacity = 0;
    zip->failed = zip->unseekable = false;
    zip->narrow = UINT32_MAX;
    carom_status status = output_open(&zip->out, path, err);
    if (status == CAROM_OK && zip->out.special) { /* headers are gone back to */
        status = carom_fail(err, CAROM_BAD_INPUT, "a zip archive cannot be written to '%.500s', only to a file",
                            path);
        status = output_close(&zip->out, status, NULL, err);
    }
    return status;
}

void zip_begin(zip_writer *zip, const char *name)
{
    zip->failed = zip->failed || !CAROM_ARRAY_RESERVE(zip->entries, zip->capacity, zip->count + 1);
    if (zip->failed) {
        return;
    }
    zip_entry *e = &zip->entries[zip->count++];
    *e = (zip_entry){ .offset = zip->out.bytes };
    snprintf(e->name, sizeof e->name, "%s", name);
    put_local(zip, e);
}

void zip_write(zip_writer *zip, const void *data, size_t bytes)
{
    if (zip->failed) {
        return;
    }
    zip_entry *e = &zip->entries[zip->count - 1];
    e->crc = crc32_append(e->crc, data, bytes);
    e->size += bytes;
    output_write(&zip->out, data, bytes);
}

void zip_end(zip_writer *zip)
{
    if (zip->failed || ferror(zip->out.file)) {
        return;
    }
    const zip_entry *e = &zip->entries[zip->count - 1];
    uint64_t bytes = zip->out.bytes;
    bool there = fseeko(zip->out.file, (off_t)e->offset, SEEK_SET) == 0;
    if (there) {
        put_local(zip, e);
        zip->out.bytes = bytes;
    }
    zip->unseekable = zip->unseekable || !there || fseeko(zip->out.file, 0, SEEK_END) != 0;
}

carom_status zip_close(zip_writer *zip, carom_status status, carom_export_report *report, carom_error *err)
{
    if (status == CAROM_OK && zip->failed) {
        status = carom_fail(err, CAROM_NO_MEMORY, "no memory for '%.500s'", zip->out.path);
    }
    if (status == CAROM_OK && zip->unseekable) {
        status = carom_fail(err, CAROM_IO_FAILED, "cannot write '%.500s': the disk is full, or no disk",
                            zip->out.path);
    }
    if (status == CAROM_OK) {
        put_directory(zip);
    }
    free(zip->entries);
    zip->entries = NULL;
    return output_close(&zip->out, status, report, err);
}
