/* Preloaded into a program (LD_PRELOAD): a call that changes a file fails, whoever makes it. Standard input, output and
 * error, pipes and devices are left alone.
 *
 *     FAIL_AT=n       the n-th such call, counted from 1; without it none
 *     FAIL_ON=1       and all that follow
 *     FAIL_WITH=28    the error number; EIO when it is not given
 *     FAIL_COUNT=f    writes to the file f how many there were */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static long at;
static int on;
static int code;
static long none;
static long *count = &none; /* shared with child processes */

__attribute__((constructor)) static void begin(void)
{
    const char *text = getenv("FAIL_AT");
    const char *with = getenv("FAIL_WITH");
    at = text ? atol(text) : 0;
    on = getenv("FAIL_ON") != NULL;
    void *page = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    count = page == MAP_FAILED ? &none : page;
    code = with ? atoi(with) : EIO;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((destructor)) static void end(void)
{
    const char *file = getenv("FAIL_COUNT");
    char text[32];
    if (file) {
        int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        int bytes = snprintf(text, sizeof text, "%ld\n", *count);
        ssize_t ignored = REAL(write)(fd, text, (size_t)bytes);
        (void)ignored;
        REAL(close)(fd);
    }
}

static int fails(void)
{
    long n = __atomic_add_fetch(count, 1, __ATOMIC_RELAXED);
    int now = at > 0 && (n == at || (on && n > at));
    if (now) {
        errno = code;
    }
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
    return fails() ? -1 : REAL(link)(from, to);
}

int mkdir(const char *path, mode_t mode)
{
    return fails() ? -1 : REAL(mkdir)(path, mode);
}

static int open_mode(int flags, va_list more)
{
    return flags & O_CREAT ? va_arg(more, int) : 0;
}

int open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    int mode = open_mode(flags, more);
    va_end(more);
    return (flags & O_CREAT) && fails() ? -1 : REAL(open)(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    int mode = open_mode(flags, more);
    va_end(more);
    return (flags & O_CREAT) && fails() ? -1 : REAL(open64)(path, flags, mode);
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
