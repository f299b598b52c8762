/* Opened without waiting (a named pipe without a writer would), then asked what it is: between asking a name and opening
 * it somebody may change what it stands for. */
#include "files/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *kind_of(mode_t mode)
{
    return S_ISDIR(mode)    ? "a folder"
           : S_ISFIFO(mode) ? "a pipe"
           : S_ISSOCK(mode) ? "a socket"
           : S_ISCHR(mode)  ? "a device"
           : S_ISBLK(mode)  ? "a block device"
                            : "something else";
}

static bool refuse(carom_input *out, int code)
{
    char text[CAROM_INPUT_WHY - 32];
    out->code = code;
    if (strerror_r(code, text, sizeof text) != 0) {
        snprintf(text, sizeof text, "error %d", code);
    }
    snprintf(out->why, sizeof out->why, "cannot be opened: %s", text);
    return false;
}

static bool refuse_kind(carom_input *out, mode_t mode)
{
    snprintf(out->why, sizeof out->why, "is %s, not a regular file", kind_of(mode));
    return false;
}

/* A socket or a device without driver cannot be opened at all: say what it is, not what the system calls that. */
static bool explain(carom_input *out, const char *path, int code)
{
    struct stat info;
    if (code == ENXIO && stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        return refuse_kind(out, info.st_mode);
    }
    return refuse(out, code);
}

bool carom_input_open(carom_input *out, const char *path)
{
    struct stat info;
    *out = (carom_input){ .fd = -1 };
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        return explain(out, path, errno);
    }
    if (fstat(fd, &info) != 0) {
        int code = errno;
        close(fd);
        return refuse(out, code);
    }
    if (!S_ISREG(info.st_mode)) {
        close(fd);
        return refuse_kind(out, info.st_mode);
    }
    out->fd = fd;
    out->size = info.st_size > 0 ? (uint64_t)info.st_size : 0;
    return true;
}

carom_status carom_input_status(const carom_input *input)
{
    switch (input->code) {
    case ENOMEM:
        return CAROM_NO_MEMORY;
    case EIO:
    case EMFILE:
    case ENFILE:
        return CAROM_IO_FAILED;
    default:
        return CAROM_BAD_INPUT;
    }
}

FILE *carom_input_stream(carom_input *out, const char *path)
{
    if (!carom_input_open(out, path)) {
        return NULL;
    }
    FILE *stream = fdopen(out->fd, "rb");
    if (!stream) {
        int code = errno;
        close(out->fd);
        refuse(out, code);
    }
    out->fd = -1;
    return stream;
}
