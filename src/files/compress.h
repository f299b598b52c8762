/* Compressed bytes and check sums as zlib has them: the only folder that knows that library. */
#ifndef CAROM_FILES_COMPRESS_H
#define CAROM_FILES_COMPRESS_H

#include <stdint.h>

#include "files/byte_buffer.h"

/* Appends `in`, compressed (zlib's format), to `out`. False when memory runs out; `out` is then as it was. */
bool byte_buffer_compress(const byte_buffer *in, byte_buffer *out);

/* CRC-32 of bytes appended to those that `crc` stands for; 0: none yet. */
uint32_t crc32_append(uint32_t crc, const void *data, size_t bytes);

#endif
