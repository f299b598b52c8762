#include "base/fresh_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PREFIX ".carom-"
#define SUFFIX ".new"

/* Differs between processes, moments and tries. O_EXCL makes sure; this only makes it quick. */
static uint64_t number_of_try(unsigned attempt)
{
    struct timespec now = { 0 };
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t mix = (uint64_t)now.tv_sec * UINT64_C(1000000007) + (uint64_t)now.tv_nsec;
    mix = (mix ^ (uint64_t)getpid() << 32 ^ attempt) * UINT64_C(0x9e3779b97f4a7c15);
    return mix ^ (mix >> 29);
}

int carom_fresh_file(const char *target, char *path, size_t size)
{
    enum { TRIES = 100 };
    const char *slash = strrchr(target, '/');
    int folder = slash ? (int)(slash - target) + 1 : 0;
    for (unsigned attempt = 0; attempt < TRIES; ++attempt) {
        unsigned long long number = number_of_try(attempt);
        int length = snprintf(path, size, "%.*s" PREFIX "%016llx" SUFFIX, folder, target, number);
        if (length < 0 || (size_t)length >= size) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST) {
            return fd;
        }
    }
    return -1;
}

bool carom_is_fresh_name(const char *name)
{
    const size_t head = strlen(PREFIX);
    const size_t digits = 16;
    return strncmp(name, PREFIX, head) == 0 && strspn(name + head, "0123456789abcdef") == digits &&
           strcmp(name + head + digits, SUFFIX) == 0;
}
