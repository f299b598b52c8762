#include "files/compress.h"

#include <zlib.h>

bool byte_buffer_compress(const byte_buffer *in, byte_buffer *out)
{
    enum { LEVEL = 5 }; /* beyond it floats gain nothing but time */
    uLongf size = compressBound((uLong)in->size);
    size_t before = out->size;
    unsigned char *room = in->failed ? NULL : byte_buffer_extend(out, size);
    bool ok = room && compress2(room, &size, in->data, (uLong)in->size, LEVEL) == Z_OK;
    out->size = ok ? before + size : before;
    return ok;
}

uint32_t crc32_append(uint32_t crc, const void *data, size_t bytes)
{
    return (uint32_t)crc32_z(crc, data, bytes);
}
