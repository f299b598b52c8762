/* Memory for the libraries that do not survive its lack.
 *
 * HDF5, fontconfig and muParser crash, hang or end the program when an allocation fails inside them. The program
 * therefore stands between everybody and the C library's allocator. While memory is there, that is all. When an allocation
 * fails, carom's own code and the libraries known to cope get the NULL that they handle; the others get a piece of a
 * reserve, which they give back in the usual way. So they come to an orderly end, and the message is carom's own. Should
 * the reserve run out, the program ends with a message: what was published before is safe (result/result.c).
 *
 * Sanitizers bring their own allocator, which never fails: no reserve then. */
#define _GNU_SOURCE /* dladdr, RTLD_NEXT */

#include "reserve.h"

#include <stdlib.h> /* says whether the C library is glibc */

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define OTHER_ALLOCATOR 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define OTHER_ALLOCATOR 1
#endif

#ifdef OTHER_ALLOCATOR

bool reserve_is_low(void)
{
    return false;
}

#else

#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdnoreturn.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

/* ---- the reserve: blocks behind each other, first fit ------------------------------------------------------------- */

enum {
    RESERVE = 12 << 20, /* [bytes] several times what HDF5 holds with a result open */
    UNIT = 16,          /* of sizes and alignments */
};

typedef struct block {
    size_t size; /* of what follows, a multiple of UNIT */
    size_t used;
} block;

static_assert(sizeof(block) == UNIT, "what follows a block's head is aligned");

static alignas(4096) unsigned char reserve[RESERVE];
static size_t given; /* [bytes] */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool is_ours(const void *p)
{
    uintptr_t at = (uintptr_t)p;
    return at >= (uintptr_t)reserve && at < (uintptr_t)reserve + RESERVE;
}

static block *next_of(block *b)
{
    unsigned char *next = (unsigned char *)(b + 1) + b->size;
    return next < reserve + RESERVE ? (block *)(void *)next : NULL;
}

static block *first_block(void)
{
    block *first = (block *)(void *)reserve;
    if (first->size == 0) {
        first->size = RESERVE - sizeof(block);
    }
    return first;
}

/* Free neighbours become one. */
static void join(block *b)
{
    for (block *next = next_of(b); next && !next->used; next = next_of(b)) {
        b->size += sizeof(block) + next->size;
    }
}

/* Cuts a free block so that what follows its head has this size. */
static void cut(block *b, size_t size)
{
    if (b->size >= size + 2 * sizeof(block)) {
        block *rest = (block *)(void *)((unsigned char *)(b + 1) + size);
        *rest = (block){ .size = b->size - size - sizeof(block) };
        b->size = size;
    }
}

/* Bytes from the beginning of a free block to a place of this alignment, with room for a head before it. */
static size_t gap_of(const block *b, size_t alignment)
{
    uintptr_t at = (uintptr_t)(b + 1);
    size_t gap = (alignment - at % alignment) % alignment;
    while (gap != 0 && gap < 2 * sizeof(block)) {
        gap += alignment;
    }
    return gap;
}

static void *take(size_t alignment, size_t bytes)
{
    size_t size = (bytes + UNIT - 1) / UNIT * UNIT;
    size = size > 0 ? size : UNIT;
    for (block *b = size < RESERVE && alignment <= 4096 ? first_block() : NULL; b; b = next_of(b)) {
        if (b->used) {
            continue;
        }
        join(b);
        size_t gap = gap_of(b, alignment);
        if (b->size < gap + size) {
            continue;
        }
        if (gap > 0) {
            cut(b, gap - sizeof(block));
            b = next_of(b);
        }
        cut(b, size);
        b->used = 1;
        given += b->size + sizeof(block);
        return b + 1;
    }
    return NULL;
}

static void give_back(void *p)
{
    block *b = (block *)p - 1;
    pthread_mutex_lock(&lock);
    b->used = 0;
    given -= b->size + sizeof(block);
    pthread_mutex_unlock(&lock);
}

bool reserve_is_low(void)
{
    return given > RESERVE / 4;
}

static noreturn void end_without_memory(void)
{
    static const char words[] =
        "carom: out of memory; what a run had written before is safe, 'carom resume' goes on\n";
    ssize_t ignored = write(STDERR_FILENO, words, sizeof words - 1);
    (void)ignored;
    _exit(EXIT_GAVE_UP);
}

/* ---- who asks ------------------------------------------------------------------------------------------------------ */

/* Whether the code at this address belongs to those who handle NULL. */
static bool copes(const void *code)
{
    static const char *const names[] = { "libcarom.", "libcholmod.", "libsuitesparseconfig.", "libz.",
                                         "libqhull_r." };
    Dl_info info;
    if (!dladdr(code, &info) || !info.dli_fname || info.dli_fbase == NULL) {
        return false;
    }
    Dl_info own;
    if (dladdr((const void *)(uintptr_t)reserve_is_low, &own) && own.dli_fbase == info.dli_fbase) {
        return true;
    }
    const char *slash = strrchr(info.dli_fname, '/');
    const char *name = slash ? slash + 1 : info.dli_fname;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        if (strncmp(name, names[i], strlen(names[i])) == 0) {
            return true;
        }
    }
    return false;
}

/* C++ throws for want of memory; a large piece is then somebody's mesh, not what the library needs to stay alive. */
static bool is_large(size_t bytes)
{
    return bytes > RESERVE / 4;
}

/* After the allocator has failed somebody. */
static void *help(const void *code, size_t alignment, size_t bytes)
{
    errno = ENOMEM;
    if (copes(code) || is_large(bytes)) {
        return NULL;
    }
    pthread_mutex_lock(&lock);
    void *p = take(alignment, bytes);
    pthread_mutex_unlock(&lock);
    if (!p) {
        end_without_memory();
    }
    return p;
}

/* ---- the allocator ------------------------------------------------------------------------------------------------- */

typedef struct allocator {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void (*free)(void *);
    int (*posix_memalign)(void **, size_t, size_t);
    void *(*aligned_alloc)(size_t, size_t);
} allocator;

static allocator below;
static bool finding; /* dlsym itself may ask for memory: then from the reserve */

static void *find(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

/* The program has one thread when it asks for memory the first time. Pointers to functions by way of memcpy: ISO C knows no
 * conversion. */
static bool is_found(void)
{
    static const char *const names[] = { "malloc", "calloc", "realloc", "free", "posix_memalign", "aligned_alloc" };
    static bool found;
    if (!found && !finding) {
        finding = true;
        void *all[sizeof names / sizeof names[0]];
        for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
            all[i] = find(names[i]);
        }
        static_assert(sizeof all == sizeof below, "one pointer for each name");
        memcpy(&below, all, sizeof below);
        finding = false;
        found = true;
    }
    return found;
}

#define CALLER __builtin_return_address(0)

void *malloc(size_t bytes)
{
    void *p = is_found() ? below.malloc(bytes) : NULL;
    return p ? p : help(CALLER, UNIT, bytes);
}

void *calloc(size_t count, size_t size)
{
    void *p = is_found() ? below.calloc(count, size) : NULL;
    if (p || (size > 0 && count > SIZE_MAX / size)) {
        return p;
    }
    p = help(CALLER, UNIT, count * size);
    return p ? memset(p, 0, count * size) : NULL;
}

void free(void *p)
{
    int code = errno;
    if (is_ours(p)) {
        give_back(p);
    } else if (p && is_found()) {
        below.free(p);
    }
    errno = code;
}

static void *move(void *old, size_t old_bytes, void *new, size_t new_bytes)
{
    if (new) {
        memcpy(new, old, old_bytes < new_bytes ? old_bytes : new_bytes);
        free(old);
    }
    return new;
}

size_t malloc_usable_size(void *p);

void *realloc(void *old, size_t bytes)
{
    if (is_ours(old)) {
        size_t had = ((block *)old - 1)->size;
        void *new = is_found() ? below.malloc(bytes) : NULL;
        return move(old, had, new ? new : help(CALLER, UNIT, bytes), bytes);
    }
    void *p = is_found() ? below.realloc(old, bytes) : NULL;
    if (p || bytes == 0) {
        return p;
    }
    return old ? move(old, malloc_usable_size(old), help(CALLER, UNIT, bytes), bytes) : help(CALLER, UNIT, bytes);
}

int posix_memalign(void **out, size_t alignment, size_t bytes)
{
    int code = is_found() ? below.posix_memalign(out, alignment, bytes) : ENOMEM;
    if (code == ENOMEM) {
        void *p = help(CALLER, alignment, bytes);
        *out = p ? p : *out;
        code = p ? 0 : ENOMEM;
    }
    return code;
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    void *p = is_found() ? below.aligned_alloc(alignment, bytes) : NULL;
    return p ? p : help(CALLER, alignment, bytes);
}

#endif
