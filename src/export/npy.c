/* The .npy format, version 1.0: a magic text, the length of a header, the header as a Python dictionary padded so that
 * numbers begin at a multiple of 64 bytes, the numbers as they lie in memory. No array needs pickling to be read. */
#include "export/npy.h"

#include <stdlib.h>
#include <string.h>

#include "files/utf8.h"

enum { HEADER = 256, ALIGNMENT = 64, PREFIX = 10, ENTRY = 140 };

static int add_shape(char *text, size_t size, const npy_array *array)
{
    int used = snprintf(text, size, "(");
    for (int k = 0; k < array->rank; ++k) {
        used += snprintf(text + used, size - (size_t)used, "%zu,", array->shape[k]);
    }
    return used + snprintf(text + used, size - (size_t)used, ")");
}

void npy_begin(zip_writer *zip, const char *key, npy_array array)
{
    char entry[ENTRY];
    char header[HEADER];
    char shape[100];
    unsigned char prefix[PREFIX] = { 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0 };
    add_shape(shape, sizeof shape, &array);
    int used = snprintf(header, sizeof header, "{'descr': '%c%c%d', 'fortran_order': False, 'shape': %s, }",
                        output_host_is_little_endian() ? '<' : '>', array.kind, array.size, shape);
    size_t whole = (PREFIX + (size_t)used + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    size_t length = whole - PREFIX;
    memset(header + used, ' ', length - (size_t)used);
    header[length - 1] = '\n';
    prefix[8] = (unsigned char)(length & 0xff);
    prefix[9] = (unsigned char)(length >> 8);
    snprintf(entry, sizeof entry, "%.120s.npy", key);
    zip_begin(zip, entry);
    zip_write(zip, prefix, PREFIX);
    zip_write(zip, header, length);
}

void npy_reals(zip_writer *zip, const char *key, const double *data, size_t rows, size_t columns)
{
    npy_array array = { .kind = 'f', .size = 8, .rank = columns > 0 ? 2 : 1, .shape = { rows, columns } };
    npy_begin(zip, key, array);
    zip_write(zip, data, rows * (columns > 0 ? columns : 1) * sizeof *data);
    zip_end(zip);
}

void npy_integers(zip_writer *zip, const char *key, const int32_t *data, size_t count)
{
    npy_begin(zip, key, (npy_array){ .kind = 'i', .size = 4, .rank = 1, .shape = { count } });
    zip_write(zip, data, count * sizeof *data);
    zip_end(zip);
}

static size_t characters(const char *text, size_t longest)
{
    uint32_t code;
    size_t count = 0;
    for (; *text && count < longest; ++count) {
        text += export_utf8_next(text, &code);
    }
    return count;
}

bool npy_texts(zip_writer *zip, const char *key, const char *const *texts, size_t count, size_t longest)
{
    size_t width = 1;
    for (size_t i = 0; i < count; ++i) {
        size_t length = characters(texts[i], longest);
        width = length > width ? length : width;
    }
    uint32_t *codes = malloc(width * sizeof *codes);
    if (!codes) {
        return false;
    }
    npy_begin(zip, key, (npy_array){ .kind = 'U', .size = (int)width, .rank = 1, .shape = { count } });
    for (size_t i = 0; i < count; ++i) {
        const char *text = texts[i];
        memset(codes, 0, width * sizeof *codes);
        for (size_t k = 0; k < width && *text; ++k) {
            text += export_utf8_next(text, &codes[k]);
        }
        zip_write(zip, codes, width * sizeof *codes);
    }
    zip_end(zip);
    free(codes);
    return true;
}
