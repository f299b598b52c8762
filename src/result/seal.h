/* The seal of a result file: behind the end of what HDF5 knows of it stands a checksum of every block, so that any changed
 * byte is noticed, whether a reader looks at it or not. HDF5 programs see a file with a few bytes behind its end, which is
 * allowed; one that writes to the file cuts them off, and the file is then without seal.
 *
 *     content | checksum of each block of SEAL_BLOCK bytes, 8 each | "CAROMSUM" | block size | length of content | checksum
 *
 * Numbers are little-endian, 64 bits. The last checksum is of all that stands between the content and itself. */
#ifndef CAROM_RESULT_SEAL_H
#define CAROM_RESULT_SEAL_H

#include <carom/base.h>

enum { SEAL_BLOCK = 1 << 14, SEAL_TAIL = 32 };

/* Checksum of up to SEAL_BLOCK bytes. Any change within eight bytes in a row changes it. */
uint64_t seal_sum(const void *data, size_t bytes);

/* Blocks that a content of so many bytes has. */
size_t seal_blocks(uint64_t content);

/* Bytes of the seal of a content of so many bytes, and the seal itself. */
size_t seal_size(uint64_t content);
void seal_make(unsigned char *seal, const uint64_t *sums, uint64_t content);

typedef enum seal_state {
    SEAL_NONE,    /* nothing behind the end: an older carom, or another program wrote the file last */
    SEAL_SOUND,   /* every block is as it was written; of seal_read: the checksums are */
    SEAL_BROKEN,  /* a changed bit */
    SEAL_NO_FILE, /* it cannot be read; errno says why */
    SEAL_NO_MEMORY
} seal_state;

/* Compares a whole file with its seal. *block: the first that differs, or -1 when it is the seal itself. */
seal_state seal_check(const char *path, int64_t *block);

/* The checksums of an open file; free(*sums). *content: where the seal, if any, begins. */
seal_state seal_read(int fd, uint64_t **sums, uint64_t *content);

#endif
