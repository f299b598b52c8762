/* Preloaded into a program (LD_PRELOAD): calls that change a file fail, or allocations, whoever makes them. Standard input,
 * output and error, pipes and devices are left alone.
 *
 *     FAIL_WHAT=io|memory  which of the two; without it none is counted
 *     FAIL_AT=n            the n-th such call, counted from 1; without it none fails
 *     FAIL_ON=1            and all that follow
 *     FAIL_WITH=28         the error number of failing io; EIO when it is not given
 *     FAIL_LINKS=1         there are no hard links here, as in some file systems
 *     FAIL_FREE=n          disks have n bytes of free space, as far as they are asked
 *     FAIL_COUNT=f         writes to the file f how many there were */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

typedef enum kind { NOTHING, IO, MEMORY } kind; /* nothing: also before `begin`, while libraries are loaded */

static kind what;
static long at;
static int on;
static int code;
static long none;
static long *count = &none; /* shared with child processes */

__attribute__((constructor)) static void begin(void)
{
    const char *kind = getenv("FAIL_WHAT");
    const char *text = getenv("FAIL_AT");
    const char *with = getenv("FAIL_WITH");
    at = text ? atol(text) : 0;
    on = getenv("FAIL_ON") != NULL;
    code = with ? atoi(with) : EIO;
    void *page = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    count = page == MAP_FAILED ? &none : page;
    what = !kind ? NOTHING : strcmp(kind, "io") == 0 ? IO : strcmp(kind, "memory") == 0 ? MEMORY : NOTHING;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((destructor)) static void end(void)
{
    const char *file = getenv("FAIL_COUNT");
    char text[32];
    what = NOTHING;
    if (file) {
        int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        int bytes = snprintf(text, sizeof text, "%ld\n", *count);
        ssize_t ignored = write(fd, text, (size_t)bytes);
        (void)ignored;
        close(fd);
    }
}

static int fails_now(void)
{
    long n = __atomic_add_fetch(count, 1, __ATOMIC_RELAXED);
    return at > 0 && (n == at || (on && n > at));
}

/* ---- calls that change a file -------------------------------------------------------------------------------------- */

static int fails(void)
{
    int now = what == IO && fails_now();
    errno = now ? code : errno;
    return now;
}

static int counts(int fd)
{
    struct stat info;
    return fd > 2 && fstat(fd, &info) == 0 && (S_ISREG(info.st_mode) || S_ISDIR(info.st_mode));
}

static int is_written(int fd)
{
    int flags = fcntl(fd, F_GETFL);
    return counts(fd) && flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

ssize_t write(int fd, const void *data, size_t bytes)
{
    return counts(fd) && fails() ? -1 : REAL(write)(fd, data, bytes);
}

ssize_t pwrite(int fd, const void *data, size_t bytes, off_t offset)
{
    return counts(fd) && fails() ? -1 : REAL(pwrite)(fd, data, bytes, offset);
}

ssize_t pwrite64(int fd, const void *data, size_t bytes, off64_t offset)
{
    return counts(fd) && fails() ? -1 : REAL(pwrite64)(fd, data, bytes, offset);
}

int fsync(int fd)
{
    return counts(fd) && fails() ? -1 : REAL(fsync)(fd);
}

int ftruncate(int fd, off_t length)
{
    return counts(fd) && fails() ? -1 : REAL(ftruncate)(fd, length);
}

int ftruncate64(int fd, off64_t length)
{
    return counts(fd) && fails() ? -1 : REAL(ftruncate64)(fd, length);
}

int posix_fallocate(int fd, off_t offset, off_t length)
{
    return counts(fd) && fails() ? code : REAL(posix_fallocate)(fd, offset, length);
}

int posix_fallocate64(int fd, off64_t offset, off64_t length)
{
    return counts(fd) && fails() ? code : REAL(posix_fallocate64)(fd, offset, length);
}

/* A close that fails has closed all the same. */
int close(int fd)
{
    int now = is_written(fd) && fails();
    int answer = REAL(close)(fd);
    errno = now ? code : errno;
    return now ? -1 : answer;
}

int rename(const char *from, const char *to)
{
    return fails() ? -1 : REAL(rename)(from, to);
}

int link(const char *from, const char *to)
{
    if (getenv("FAIL_LINKS")) {
        errno = EPERM;
        return -1;
    }
    return fails() ? -1 : REAL(link)(from, to);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags)
{
    return fails() ? -1 : REAL(linkat)(from_folder, from, to_folder, to, flags);
}

int mkdir(const char *path, mode_t mode)
{
    return fails() ? -1 : REAL(mkdir)(path, mode);
}

static int creates(int flags)
{
    return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
}

static int open_mode(int flags, va_list more)
{
    return creates(flags) ? va_arg(more, int) : 0;
}

int open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    int mode = open_mode(flags, more);
    va_end(more);
    return creates(flags) && fails() ? -1 : REAL(open)(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    int mode = open_mode(flags, more);
    va_end(more);
    return creates(flags) && fails() ? -1 : REAL(open64)(path, flags, mode);
}

int statvfs(const char *path, struct statvfs *disk)
{
    const char *bytes = getenv("FAIL_FREE");
    int answer = REAL(statvfs)(path, disk);
    if (bytes) {
        disk->f_frsize = 1;
        disk->f_bavail = strtoull(bytes, NULL, 10);
    }
    return answer;
}

/* ---- streams: the C library's own calls cannot be stepped in between ----------------------------------------------- */

/* As a stream does whose write has failed. */
static int stream_fails(FILE *file)
{
    enum { ERROR_SEEN = 0x20 }; /* glibc's _IO_ERR_SEEN */
    int now = counts(fileno(file)) && fails();
    file->_flags |= now ? ERROR_SEEN : 0;
    return now;
}

size_t fwrite(const void *data, size_t size, size_t n, FILE *file)
{
    return stream_fails(file) ? 0 : REAL(fwrite)(data, size, n, file);
}

int fputs(const char *text, FILE *file)
{
    return stream_fails(file) ? EOF : REAL(fputs)(text, file);
}

int fputc(int c, FILE *file)
{
    return stream_fails(file) ? EOF : REAL(fputc)(c, file);
}

int vfprintf(FILE *file, const char *format, va_list args)
{
    return stream_fails(file) ? -1 : REAL(vfprintf)(file, format, args);
}

int fflush(FILE *file)
{
    return file && is_written(fileno(file)) && stream_fails(file) ? EOF : REAL(fflush)(file);
}

int fclose(FILE *file)
{
    int now = is_written(fileno(file)) && fails();
    int answer = REAL(fclose)(file);
    errno = now ? code : errno;
    return now ? EOF : answer;
}

/* ---- allocations ------------------------------------------------------------------------------------------------------- */

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

static int lacks(void)
{
    int now = what == MEMORY && fails_now();
    errno = now ? ENOMEM : errno;
    return now;
}

void *malloc(size_t bytes)
{
    return lacks() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t n, size_t size)
{
    return lacks() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t bytes)
{
    return lacks() ? NULL : __libc_realloc(old, bytes);
}

int posix_memalign(void **out, size_t alignment, size_t bytes)
{
    void *p = lacks() ? NULL : __libc_memalign(alignment, bytes);
    *out = p;
    return p ? 0 : ENOMEM;
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return lacks() ? NULL : __libc_memalign(alignment, bytes);
}
