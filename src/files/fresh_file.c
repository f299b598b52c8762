/* A file without a name is opened by O_TMPFILE and named by way of /proc, as open(2) of Linux says. */
#include "files/fresh_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PREFIX ".carom-"
#define SUFFIX ".new"

enum { TRIES = 100 };

/* ---- names -------------------------------------------------------------------------------------------------------- */

/* Differs between processes, moments and tries. O_EXCL makes sure; this only makes it quick. */
static uint64_t number_of_try(unsigned attempt)
{
    struct timespec now = { 0 };
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t mix = (uint64_t)now.tv_sec * UINT64_C(1000000007) + (uint64_t)now.tv_nsec;
    mix = (mix ^ (uint64_t)getpid() << 32 ^ attempt) * UINT64_C(0x9e3779b97f4a7c15);
    return mix ^ (mix >> 29);
}

/* Length of the folder's part of a path, its slash included. */
static int folder_length(const char *target)
{
    const char *slash = strrchr(target, '/');
    return slash ? (int)(slash - target) + 1 : 0;
}

static bool fits(int length)
{
    bool fits = length >= 0 && length < CAROM_FRESH_PATH;
    errno = fits ? errno : ENAMETOOLONG;
    return fits;
}

static bool choose_name(char path[CAROM_FRESH_PATH], const char *target, unsigned attempt)
{
    unsigned long long number = number_of_try(attempt);
    return fits(snprintf(path, CAROM_FRESH_PATH, "%.*s" PREFIX "%016llx" SUFFIX, folder_length(target), target,
                         number));
}

bool carom_is_fresh_name(const char *name)
{
    const size_t head = strlen(PREFIX);
    const size_t digits = 16;
    return strncmp(name, PREFIX, head) == 0 && strspn(name + head, "0123456789abcdef") == digits &&
           strcmp(name + head + digits, SUFFIX) == 0;
}

/* ---- without a name ------------------------------------------------------------------------------------------------- */

#ifdef O_TMPFILE

/* The system's name of an open file. */
static void proc_path(char path[64], int fd)
{
    snprintf(path, 64, "/proc/self/fd/%d", fd);
}

static int open_nameless(carom_fresh *fresh, const char *target)
{
    char proc[64];
    int length = folder_length(target);
    if (!fits(snprintf(fresh->path, sizeof fresh->path, "%.*s", length > 0 ? length : 1,
                       length > 0 ? target : "."))) {
        return -1;
    }
    int fd = open(fresh->path, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    fresh->path[0] = '\0';
    fresh->hold = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 0);
    proc_path(proc, fresh->hold);
    if (fd >= 0 && (fresh->hold < 0 || access(proc, F_OK) != 0)) {
        close(fd);
        carom_fresh_drop(fresh);
        return -1;
    }
    return fd;
}

/* Links do not replace what is there: then by way of a name of its own. */
static bool name_held(carom_fresh *fresh, const char *target)
{
    char proc[64];
    proc_path(proc, fresh->hold);
    bool linked = linkat(AT_FDCWD, proc, AT_FDCWD, target, AT_SYMLINK_FOLLOW) == 0;
    if (linked || errno != EEXIST) {
        return linked;
    }
    for (unsigned attempt = 0; !linked && errno == EEXIST && attempt < TRIES; ++attempt) {
        linked = choose_name(fresh->path, target, attempt) &&
                 linkat(AT_FDCWD, proc, AT_FDCWD, fresh->path, AT_SYMLINK_FOLLOW) == 0;
    }
    if (!linked) {
        fresh->path[0] = '\0'; /* that of somebody else */
    }
    return linked && rename(fresh->path, target) == 0;
}

#else

static int open_nameless(carom_fresh *fresh, const char *target)
{
    (void)fresh;
    (void)target;
    return -1;
}

static bool name_held(carom_fresh *fresh, const char *target)
{
    (void)fresh;
    (void)target;
    return false;
}

#endif

/* ---- either way ----------------------------------------------------------------------------------------------------- */

static int open_named(carom_fresh *fresh, const char *target)
{
    for (unsigned attempt = 0; attempt < TRIES; ++attempt) {
        int fd = choose_name(fresh->path, target, attempt)
                     ? open(fresh->path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666)
                     : -1;
        if (fd >= 0) {
            return fd;
        }
        if (errno != EEXIST) {
            break;
        }
    }
    fresh->path[0] = '\0'; /* not ours */
    return -1;
}

int carom_fresh_open(carom_fresh *fresh, const char *target)
{
    *fresh = (carom_fresh){ .hold = -1 };
    int fd = open_nameless(fresh, target);
    return fd >= 0 ? fd : open_named(fresh, target); /* a file system without, or a reason that it has as well */
}

bool carom_fresh_publish(carom_fresh *fresh, const char *target)
{
    bool named = fresh->hold >= 0 ? name_held(fresh, target) : rename(fresh->path, target) == 0;
    if (named) {
        fresh->path[0] = '\0';
    }
    carom_fresh_drop(fresh);
    return named;
}

void carom_fresh_drop(carom_fresh *fresh)
{
    int code = errno;
    if (fresh->path[0]) {
        unlink(fresh->path);
    }
    if (fresh->hold >= 0) {
        close(fresh->hold);
    }
    *fresh = (carom_fresh){ .hold = -1 };
    errno = code;
}
