/* Opening files that are read. */
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

FILE *open_to_read(const char *file)
{
    struct stat info;
    int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe without a writer would wait for ever */
    bool known = fd >= 0 && fstat(fd, &info) == 0;
    bool regular = known && S_ISREG(info.st_mode);
    FILE *stream = regular ? fdopen(fd, "rb") : NULL;
    if (fd >= 0 && !stream) {
        int code = !known || regular ? errno : S_ISDIR(info.st_mode) ? EISDIR : EINVAL;
        close(fd);
        errno = code;
    }
    return stream;
}
