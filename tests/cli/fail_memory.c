/* Preloaded into a program (LD_PRELOAD): an allocation fails, whoever asks for it.
 *
 *     FAIL_AT=n       the n-th allocation, counted from 1; without it none
 *     FAIL_ON=1       and all that follow
 *     FAIL_COUNT=f    writes to the file f how many there were */
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

static long at = -1;
static int on;
static long none;
static long *count = &none; /* shared with child processes */

__attribute__((constructor)) static void begin(void)
{
    const char *text = getenv("FAIL_AT");
    at = text ? atol(text) : 0;
    on = getenv("FAIL_ON") != NULL;
    void *page = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    count = page == MAP_FAILED ? &none : page;
}

__attribute__((destructor)) static void end(void)
{
    const char *file = getenv("FAIL_COUNT");
    char text[32];
    if (file) {
        int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        int bytes = snprintf(text, sizeof text, "%ld\n", *count);
        ssize_t ignored = write(fd, text, (size_t)bytes);
        (void)ignored;
        close(fd);
    }
}

/* Before `begin`, while libraries are loaded, nothing fails. */
static int fails(void)
{
    if (at < 0) {
        return 0;
    }
    long n = __atomic_add_fetch(count, 1, __ATOMIC_RELAXED);
    int now = at > 0 && (n == at || (on && n > at));
    if (now) {
        errno = ENOMEM;
    }
    return now;
}

void *malloc(size_t bytes)
{
    return fails() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t n, size_t size)
{
    return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t bytes)
{
    return fails() ? NULL : __libc_realloc(old, bytes);
}

int posix_memalign(void **out, size_t alignment, size_t bytes)
{
    void *p = fails() ? NULL : __libc_memalign(alignment, bytes);
    *out = p;
    return p ? 0 : ENOMEM;
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return fails() ? NULL : __libc_memalign(alignment, bytes);
}
