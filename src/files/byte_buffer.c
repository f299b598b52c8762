#include "files/byte_buffer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void *byte_buffer_extend(byte_buffer *b, size_t bytes)
{
    if (b->failed || bytes > SIZE_MAX / 4 - b->size) {
        b->failed = true;
        return NULL;
    }
    if (!CAROM_ARRAY_RESERVE(b->data, b->capacity, b->size + bytes)) {
        b->failed = true;
        return NULL;
    }
    void *room = b->data + b->size;
    b->size += bytes;
    return room;
}

void byte_buffer_add(byte_buffer *b, const void *data, size_t bytes)
{
    void *room = bytes > 0 ? byte_buffer_extend(b, bytes) : NULL;
    if (room) {
        memcpy(room, data, bytes);
    }
}

void byte_buffer_free(byte_buffer *b)
{
    free(b->data);
    *b = (byte_buffer){ 0 };
}
