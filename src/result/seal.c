#include "result/seal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"

#define MAGIC "CAROMSUM"

enum { WORD = 8 };

static void store(unsigned char *to, uint64_t value)
{
    for (int i = 0; i < WORD; ++i) {
        to[i] = (unsigned char)(value >> (8 * i));
    }
}

static uint64_t load(const unsigned char *from)
{
    uint64_t value = 0;
    for (int i = 0; i < WORD; ++i) {
        value |= (uint64_t)from[i] << (8 * i);
    }
    return value;
}

/* FNV-1a by words of eight bytes, in four strands that a processor works at side by side. Each step is invertible, in the
 * sum so far as well as in the word, so that a change of one word changes the end. */
static uint64_t step(uint64_t sum, uint64_t word)
{
    sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return sum ^ (sum >> 32);
}

uint64_t seal_sum(const void *data, size_t bytes)
{
    enum { STRANDS = 4 };
    const unsigned char *p = data;
    uint64_t strand[STRANDS] = { 1, 2, 3, 4 };
    size_t rest = bytes;
    for (; rest >= STRANDS * WORD; rest -= STRANDS * WORD) {
        for (int k = 0; k < STRANDS; ++k) {
            strand[k] = step(strand[k], load(p));
            p += WORD;
        }
    }
    unsigned char last[STRANDS * WORD] = { 0 };
    memcpy(last, p, rest);
    uint64_t sum = step(CAROM_HASH_START, bytes);
    for (int k = 0; k < STRANDS; ++k) {
        sum = step(sum, step(strand[k], load(last + k * WORD)));
    }
    return sum;
}

size_t seal_blocks(uint64_t content)
{
    return (size_t)((content + SEAL_BLOCK - 1) / SEAL_BLOCK);
}

size_t seal_size(uint64_t content)
{
    return seal_blocks(content) * WORD + SEAL_TAIL;
}

void seal_make(unsigned char *seal, const uint64_t *sums, uint64_t content)
{
    size_t blocks = seal_blocks(content);
    for (size_t i = 0; i < blocks; ++i) {
        store(seal + i * WORD, sums[i]);
    }
    unsigned char *tail = seal + blocks * WORD;
    memcpy(tail, MAGIC, WORD);
    store(tail + WORD, SEAL_BLOCK);
    store(tail + 2 * WORD, content);
    store(tail + 3 * WORD, seal_sum(seal, blocks * WORD + 3 * WORD));
}

/* ---- reading ------------------------------------------------------------------------------------------------------ */

static bool read_at(int fd, void *data, size_t bytes, uint64_t offset)
{
    char *to = data;
    while (bytes > 0) {
        ssize_t n = pread(fd, to, bytes, (off_t)offset);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            errno = n < 0 ? errno : EIO;
            return false;
        }
        to += n;
        offset += (uint64_t)n;
        bytes -= (size_t)n;
    }
    return true;
}

/* Where HDF5 says that the file ends, from its superblock; the file's size when that is not understood, for HDF5 to object. */
static uint64_t end_by_superblock(int fd, uint64_t size)
{
    static const unsigned char signature[8] = { 0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n' };
    unsigned char head[48];
    if (size < sizeof head || !read_at(fd, head, sizeof head, 0) || memcmp(head, signature, sizeof signature) != 0) {
        return size;
    }
    return load(head + (head[8] < 2 ? 40 : 28));
}

static bool is_zero(const unsigned char *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; ++i) {
        if (data[i] != 0) {
            return false;
        }
    }
    return true;
}

/* Without a tail that fits: either nothing stands behind the end (or zeros: space that a killed run had taken), or a seal has
 * been damaged. */
static seal_state without_tail(int fd, const unsigned char *tail, uint64_t size, uint64_t *content)
{
    uint64_t end = end_by_superblock(fd, size);
    *content = size;
    return size <= end || is_zero(tail, SEAL_TAIL) ? SEAL_NONE : SEAL_BROKEN;
}

static bool tail_fits(const unsigned char *tail, uint64_t size)
{
    uint64_t content = load(tail + 2 * WORD);
    return memcmp(tail, MAGIC, WORD) == 0 && load(tail + WORD) == SEAL_BLOCK && content < size &&
           size - content == seal_size(content);
}

static seal_state read_sums(int fd, uint64_t content, uint64_t **sums)
{
    size_t blocks = seal_blocks(content);
    size_t bytes = seal_size(content);
    unsigned char *seal = malloc(bytes);
    uint64_t *all = malloc((blocks + 1) * sizeof *all);
    seal_state state = seal && all ? SEAL_SOUND : SEAL_NO_MEMORY;
    if (state == SEAL_SOUND && !read_at(fd, seal, bytes, content)) {
        state = SEAL_NO_FILE;
    }
    if (state == SEAL_SOUND && load(seal + bytes - WORD) != seal_sum(seal, bytes - WORD)) {
        state = SEAL_BROKEN;
    }
    for (size_t i = 0; state == SEAL_SOUND && i < blocks; ++i) {
        all[i] = load(seal + i * WORD);
    }
    free(seal);
    if (state != SEAL_SOUND) {
        free(all);
        all = NULL;
    }
    *sums = all;
    return state;
}

seal_state seal_read(int fd, uint64_t **sums, uint64_t *content)
{
    struct stat info;
    unsigned char tail[SEAL_TAIL];
    *sums = NULL;
    *content = 0;
    if (fstat(fd, &info) != 0) {
        return SEAL_NO_FILE;
    }
    uint64_t size = (uint64_t)info.st_size;
    *content = size;
    if (size < SEAL_TAIL) {
        return SEAL_NONE;
    }
    if (!read_at(fd, tail, sizeof tail, size - SEAL_TAIL)) {
        return SEAL_NO_FILE;
    }
    if (!tail_fits(tail, size)) {
        return without_tail(fd, tail, size, content);
    }
    *content = load(tail + 2 * WORD);
    return read_sums(fd, *content, sums);
}

static seal_state compare_blocks(int fd, const uint64_t *sums, uint64_t content, int64_t *block)
{
    unsigned char data[SEAL_BLOCK];
    size_t blocks = seal_blocks(content);
    for (size_t i = 0; i < blocks; ++i) {
        uint64_t begin = (uint64_t)i * SEAL_BLOCK;
        size_t bytes = content - begin < SEAL_BLOCK ? (size_t)(content - begin) : SEAL_BLOCK;
        if (!read_at(fd, data, bytes, begin)) {
            return SEAL_NO_FILE;
        }
        if (seal_sum(data, bytes) != sums[i]) {
            *block = (int64_t)i;
            return SEAL_BROKEN;
        }
    }
    return SEAL_SOUND;
}

seal_state seal_check(const char *path, int64_t *block)
{
    uint64_t *sums = NULL;
    uint64_t content = 0;
    *block = -1;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe must not block before it is refused */
    if (fd < 0) {
        return SEAL_NO_FILE;
    }
    seal_state state = seal_read(fd, &sums, &content);
    if (state == SEAL_SOUND) {
        state = compare_blocks(fd, sums, content, block);
    }
    int code = errno;
    free(sums);
    close(fd);
    errno = code;
    return state;
}
