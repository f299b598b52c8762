/* Bytes that grow until a file is made of them. */
#ifndef CAROM_FILES_BYTE_BUFFER_H
#define CAROM_FILES_BYTE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct byte_buffer {
    unsigned char *data;
    size_t size, capacity;
    bool failed; /* out of memory: everything after it does nothing */
} byte_buffer;

void *byte_buffer_extend(byte_buffer *b, size_t bytes); /* uninitialised room at the end; NULL: failed */
void byte_buffer_add(byte_buffer *b, const void *data, size_t bytes);
void byte_buffer_free(byte_buffer *b);

#endif
