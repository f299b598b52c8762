#include "render/png.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "files/compress.h"

/* ---- rows ----------------------------------------------------------------------------------------------------------- */

enum { FILTER_SUB = 1, FILTER_UP = 2, PIXEL = 3 };

static unsigned magnitude(unsigned char difference)
{
    return difference < 128 ? difference : 256U - difference;
}

/* A row as differences to the left or to the row above, whichever are smaller: flat grounds become zeros. */
static void filter_row(unsigned char *out, const unsigned char *row, const unsigned char *above, size_t bytes)
{
    uint64_t sub = 0, up = 0;
    for (size_t i = 0; i < bytes; ++i) {
        sub += magnitude((unsigned char)(row[i] - (i < PIXEL ? 0 : row[i - PIXEL])));
        up += magnitude((unsigned char)(row[i] - above[i]));
    }
    bool to_left = sub < up;
    out[0] = to_left ? FILTER_SUB : FILTER_UP;
    for (size_t i = 0; i < bytes; ++i) {
        unsigned char before = to_left ? (i < PIXEL ? 0 : row[i - PIXEL]) : above[i];
        out[i + 1] = (unsigned char)(row[i] - before);
    }
}

bool png_pack(const unsigned char *rgb, png_size size, byte_buffer *out)
{
    size_t bytes = PIXEL * (size_t)size.width;
    byte_buffer rows = { 0 };
    unsigned char *zeros = calloc(bytes, 1);
    unsigned char *to = zeros ? byte_buffer_extend(&rows, (bytes + 1) * (size_t)size.height) : NULL;
    for (int y = 0; to && y < size.height; ++y) {
        const unsigned char *row = rgb + (size_t)y * bytes;
        filter_row(to + (size_t)y * (bytes + 1), row, y > 0 ? row - bytes : zeros, bytes);
    }
    bool ok = to && byte_buffer_compress(&rows, out);
    byte_buffer_free(&rows);
    free(zeros);
    return ok;
}

/* ---- chunks --------------------------------------------------------------------------------------------------------- */

static void add_number(byte_buffer *b, uint32_t value, int bytes)
{
    for (int i = bytes - 1; i >= 0; --i) {
        byte_buffer_add(b, &(unsigned char){ (unsigned char)(value >> 8 * i & 255) }, 1);
    }
}

/* Length, name, data, check sum of name and data. */
static void add_chunk(byte_buffer *file, const char name[5], const void *head, size_t head_bytes, const void *data,
                      size_t bytes)
{
    uint32_t crc = crc32_append(0, name, 4);
    crc = head_bytes > 0 ? crc32_append(crc, head, head_bytes) : crc;
    crc = bytes > 0 ? crc32_append(crc, data, bytes) : crc;
    add_number(file, (uint32_t)(head_bytes + bytes), 4);
    byte_buffer_add(file, name, 4);
    byte_buffer_add(file, head, head_bytes);
    byte_buffer_add(file, data, bytes);
    add_number(file, crc, 4);
}

/* A chunk of numbers: widths in bytes, values. */
static void add_numbers(byte_buffer *file, const char name[5], const int *widths, const uint32_t *values,
                        size_t count)
{
    byte_buffer data = { 0 };
    for (size_t i = 0; i < count; ++i) {
        add_number(&data, values[i], widths[i]);
    }
    file->failed = file->failed || data.failed;
    if (!data.failed) {
        add_chunk(file, name, NULL, 0, data.data, data.size);
    }
    byte_buffer_free(&data);
}

void png_begin(byte_buffer *file, png_size size, size_t pictures)
{
    static const unsigned char signature[8] = { 137, 80, 78, 71, 13, 10, 26, 10 };
    const uint32_t header[] = {
        (uint32_t)size.width, (uint32_t)size.height, 8, 2, 0, 0, 0
    };                                                 /* 8 bits of red, green, blue */
    const uint32_t film[] = { (uint32_t)pictures, 0 }; /* played again and again */
    byte_buffer_add(file, signature, sizeof signature);
    add_numbers(file, "IHDR", (const int[]){ 4, 4, 1, 1, 1, 1, 1 }, header, 7);
    if (pictures > 0) {
        add_numbers(file, "acTL", (const int[]){ 4, 4 }, film, 2);
    }
}

void png_add_still(byte_buffer *file, const byte_buffer *packed)
{
    add_chunk(file, "IDAT", NULL, 0, packed->data, packed->size);
}

void png_add_frame(byte_buffer *file, png_size size, const byte_buffer *packed, size_t number, double fps)
{
    /* Numbers of chunks ascend over all of them: the first picture has one, all others two. */
    uint32_t chunk = number == 0 ? 0 : (uint32_t)(2 * number - 1);
    const uint32_t control[] = {
        chunk, (uint32_t)size.width, (uint32_t)size.height, 0, 0, 100, (uint32_t)(100.0 * fps + 0.5), 0, 0
    };
    add_numbers(file, "fcTL", (const int[]){ 4, 4, 4, 4, 4, 2, 2, 1, 1 }, control, 9);
    if (number == 0) {
        png_add_still(file, packed);
        return;
    }
    const unsigned char next[4] = { (unsigned char)((chunk + 1) >> 24 & 255),
                                    (unsigned char)((chunk + 1) >> 16 & 255), (unsigned char)((chunk + 1) >> 8 & 255),
                                    (unsigned char)((chunk + 1) & 255) };
    add_chunk(file, "fdAT", next, sizeof next, packed->data, packed->size);
}

void png_end(byte_buffer *file)
{
    add_chunk(file, "IEND", NULL, 0, NULL, 0);
}
