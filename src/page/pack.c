/* Bytes of a page: arrays of numbers, compressed, base64. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "files/compress.h"
#include "page/page.h"

/* ---- arrays ------------------------------------------------------------------------------------------------------- */

enum { ALIGNMENT = 8 }; /* typed arrays of doubles begin at multiples of it */

static void pad(byte_buffer *b)
{
    static const unsigned char zeros[ALIGNMENT];
    byte_buffer_add(b, zeros, (ALIGNMENT - b->size % ALIGNMENT) % ALIGNMENT);
}

/* Room for an array and the JSON that names it. */
static json_t *begin_array(byte_buffer *b, const char *type, size_t count, size_t bytes_each, void **room)
{
    pad(b);
    size_t at = b->size;
    *room = byte_buffer_extend(b, count * bytes_each);
    return *room || count == 0
               ? json_pack("{s:I, s:I, s:s}", "at", (json_int_t)at, "count", (json_int_t)count, "type", type)
               : NULL;
}

json_t *page_f64(byte_buffer *arrays, const double *values, size_t count)
{
    void *room = NULL;
    json_t *ref = begin_array(arrays, "f64", count, sizeof(double), &room);
    if (room && count > 0) {
        memcpy(room, values, count * sizeof(double));
    }
    return ref;
}

json_t *page_f32(byte_buffer *arrays, const double *values, size_t count)
{
    void *room = NULL;
    json_t *ref = begin_array(arrays, "f32", count, sizeof(float), &room);
    float *to = room;
    for (size_t i = 0; to && i < count; ++i) {
        to[i] = (float)values[i];
    }
    return ref;
}

/* Indices and counts: what is below 2^31 looks the same signed and unsigned. */
static json_t *integers(byte_buffer *arrays, const char *type, const double *values, size_t count)
{
    void *room = NULL;
    json_t *ref = begin_array(arrays, type, count, sizeof(int32_t), &room);
    int32_t *to = room;
    for (size_t i = 0; to && i < count; ++i) {
        to[i] = (int32_t)values[i];
    }
    return ref;
}

json_t *page_u32(byte_buffer *arrays, const double *values, size_t count)
{
    return integers(arrays, "u32", values, count);
}

json_t *page_i32(byte_buffer *arrays, const double *values, size_t count)
{
    return integers(arrays, "i32", values, count);
}

/* 16 bits of each: two's complement looks the same signed and unsigned. */
static json_t *halves(byte_buffer *arrays, const char *type, const double *values, size_t count, double low,
                      double high)
{
    void *room = NULL;
    json_t *ref = begin_array(arrays, type, count, sizeof(uint16_t), &room);
    uint16_t *to = room;
    for (size_t i = 0; to && i < count; ++i) {
        to[i] = (uint16_t)(int32_t)fmin(fmax(nearbyint(values[i]), low), high);
    }
    return ref;
}

json_t *page_i16(byte_buffer *arrays, const double *values, size_t count)
{
    return halves(arrays, "i16", values, count, INT16_MIN, INT16_MAX);
}

json_t *page_u16(byte_buffer *arrays, const double *values, size_t count)
{
    return halves(arrays, "u16", values, count, 0.0, UINT16_MAX);
}

/* ---- text --------------------------------------------------------------------------------------------------------- */

static void add_base64(byte_buffer *out, const unsigned char *in, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char *to = byte_buffer_extend(out, (size + 2) / 3 * 4);
    for (size_t i = 0; to && i < size; i += 3) {
        unsigned long word = (unsigned long)in[i] << 16;
        word |= i + 1 < size ? (unsigned long)in[i + 1] << 8 : 0;
        word |= i + 2 < size ? (unsigned long)in[i + 2] : 0;
        *to++ = (unsigned char)digits[word >> 18];
        *to++ = (unsigned char)digits[word >> 12 & 63];
        *to++ = (unsigned char)(i + 1 < size ? digits[word >> 6 & 63] : '=');
        *to++ = (unsigned char)(i + 2 < size ? digits[word & 63] : '=');
    }
}

bool page_pack(const byte_buffer *in, byte_buffer *out)
{
    byte_buffer packed = { 0 };
    bool ok = byte_buffer_compress(in, &packed);
    if (ok) {
        add_base64(out, packed.data, packed.size);
    }
    byte_buffer_free(&packed);
    return ok && !out->failed;
}
