/* Whole-file writing, copying and folders over POSIX calls. Every failure names the file and the system's reason. */
#include "files/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "files/input_file.h"

carom_status file_failed(carom_error *err, const char *what, const char *path, int code)
{
    if (code == ENOMEM) {
        return carom_fail(err, CAROM_NO_MEMORY, "no memory to %s '%.500s'", what, path);
    }
    const char *remedy = code == ENOSPC || code == EDQUOT ? "; free some space or choose another folder with -o" : "";
    return carom_fail(err, CAROM_IO_FAILED, "cannot %s '%.500s': %s%s", what, path, strerror(code), remedy);
}

carom_status file_path(char *path, const char *folder, const char *name, carom_error *err)
{
    int length = snprintf(path, FILE_PATH, "%s/%s", folder, name);
    if (length < 0 || length >= FILE_PATH) {
        return carom_fail(err, CAROM_BAD_INPUT, "the path '%.200s...' is longer than %d characters", folder,
                          FILE_PATH);
    }
    return CAROM_OK;
}

bool file_exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 || errno != ENOENT;
}

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

carom_status file_make_folder(const char *folder, carom_error *err)
{
    char path[FILE_PATH];
    size_t length = strlen(folder);
    if (length == 0 || length >= sizeof path) {
        return carom_fail(err, CAROM_BAD_INPUT, "'%.100s' is no name for a folder", folder);
    }
    memcpy(path, folder, length + 1);
    for (size_t i = 1; i <= length; ++i) {
        if (path[i] != '/' && path[i] != '\0') {
            continue;
        }
        char end = path[i];
        path[i] = '\0';
        int code = mkdir(path, 0777) == 0 ? 0 : errno; /* asking what is there would change errno */
        if (code != 0 && !is_folder(path)) {
            code = code == EEXIST ? ENOTDIR : code;
            carom_status status = file_failed(err, "make the folder", path, code);
            errno = code; /* for those who have other words */
            return status;
        }
        path[i] = end;
    }
    return CAROM_OK;
}

/* 0, or the errno of the write that failed. */
static int write_all(int fd, const char *data, size_t bytes)
{
    while (bytes > 0) {
        ssize_t n = write(fd, data, bytes);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return n < 0 ? errno : EIO;
        }
        data += n;
        bytes -= (size_t)n;
    }
    return 0;
}

/* Some file systems cannot sync folders, some folders cannot be opened: then nothing more can be done. */
carom_status file_sync_folder(const char *folder, carom_error *err)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        return CAROM_OK;
    }
    int code = fsync(fd) == 0 ? 0 : errno;
    close(fd);
    bool cannot = code == EINVAL || code == EOPNOTSUPP || code == ENOSYS || code == EBADF || code == EROFS;
    return code == 0 || cannot ? CAROM_OK : file_failed(err, "write the folder", folder, code);
}

int file_create_new(const char *path)
{
    if (unlink(path) != 0 && errno != ENOENT) {
        return -1;
    }
    return open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

static carom_status write_new(const char *path, const void *data, size_t bytes, carom_error *err)
{
    int fd = file_create_new(path);
    if (fd < 0) {
        return file_failed(err, "create", path, errno);
    }
    int code = write_all(fd, data, bytes);
    if (code == 0 && fsync(fd) != 0) {
        code = errno;
    }
    if (close(fd) != 0 && code == 0) {
        code = errno;
    }
    return code == 0 ? CAROM_OK : file_failed(err, "write", path, code);
}

carom_status file_write_whole(const char *folder, const char *name, const void *data, size_t bytes, carom_error *err)
{
    char path[FILE_PATH];
    char temporary[FILE_PATH];
    char hidden[64];
    snprintf(hidden, sizeof hidden, ".%.50s.new", name);
    carom_status status = file_path(path, folder, name, err);
    if (status == CAROM_OK) {
        status = file_path(temporary, folder, hidden, err);
    }
    if (status != CAROM_OK) {
        return status;
    }
    status = write_new(temporary, data, bytes, err);
    if (status == CAROM_OK && rename(temporary, path) != 0) {
        status = file_failed(err, "rename a file to", path, errno);
    }
    if (status != CAROM_OK) {
        unlink(temporary);
        return status;
    }
    return file_sync_folder(folder, err);
}

/* Grows the buffer while reading, because pipes and /proc files do not know their size. */
int file_read_stream(FILE *stream, size_t limit, char **out, size_t *bytes)
{
    enum { PIECE = 1 << 16 };
    char *data = NULL;
    size_t capacity = 0;
    size_t length = 0;
    int code = 0;
    for (size_t got = 1; got > 0 && code == 0; length += got) {
        bool room = CAROM_ARRAY_RESERVE(data, capacity, length + PIECE);
        got = room ? fread(data + length, 1, capacity - length - 1, stream) : 0;
        bool broken = room && ferror(stream);
        code = !room ? ENOMEM : broken ? (errno != 0 ? errno : EIO) : length + got > limit ? EFBIG : 0;
    }
    if (code != 0) {
        free(data);
        return code;
    }
    data[length] = '\0';
    *out = data;
    *bytes = length;
    return 0;
}

carom_status file_read_whole(const char *path, size_t limit, char **out, size_t *bytes, carom_error *err)
{
    carom_input input;
    FILE *file = carom_input_stream(&input, path);
    if (!file) {
        return carom_fail(err, carom_input_status(&input), "'%.500s' %s", path, input.why);
    }
    int code = file_read_stream(file, limit, out, bytes);
    fclose(file);
    return code == 0 ? CAROM_OK : file_failed(err, "read", path, code);
}

/* 0, or the errno of what failed. */
static int copy_open(int from, int to)
{
    char block[65536];
    for (;;) {
        ssize_t n = read(from, block, sizeof block);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return n < 0 ? errno : 0;
        }
        int code = write_all(to, block, (size_t)n);
        if (code != 0) {
            return code;
        }
    }
}

carom_status file_copy(const char *from, const char *to, carom_error *err)
{
    carom_input input;
    if (!carom_input_open(&input, from)) {
        return carom_fail(err, carom_input_status(&input), "'%.500s' %s", from, input.why);
    }
    int in = input.fd;
    int out = file_create_new(to); /* never write through a link that others look at */
    if (out < 0) {
        int code = errno;
        close(in);
        return file_failed(err, "create", to, code);
    }
    int code = copy_open(in, out);
    close(in);
    if (close(out) != 0 && code == 0) {
        code = errno;
    }
    return code == 0 ? CAROM_OK : file_failed(err, "write", to, code);
}

/* ---- locks ------------------------------------------------------------------------------------------------------ */

#define LOCK_NAME ".lock"

/* Whether the file that was locked is still the one under its name: its last owner may have removed it meanwhile. */
static bool is_still_there(int fd, const char *path)
{
    struct stat locked;
    struct stat named;
    return fstat(fd, &locked) == 0 && lstat(path, &named) == 0 && locked.st_dev == named.st_dev &&
           locked.st_ino == named.st_ino;
}

/* 0 with the lock held, or the errno of what failed. */
static int try_lock(const char *path, int *lock)
{
    for (;;) {
        int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd < 0) {
            return errno;
        }
        if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
            int code = errno;
            close(fd);
            return code;
        }
        if (is_still_there(fd, path)) {
            *lock = fd;
            return 0;
        }
        close(fd);
    }
}

carom_status file_lock(const char *folder, int *lock, carom_error *err)
{
    char path[FILE_PATH];
    *lock = -1;
    carom_status status = file_path(path, folder, LOCK_NAME, err);
    if (status != CAROM_OK) {
        return status;
    }
    int code = try_lock(path, lock);
    if (code == EWOULDBLOCK) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "'%.500s' is in use by another run; wait for it or choose another folder", folder);
    }
    bool cannot_lock = code == ENOLCK || code == EOPNOTSUPP || code == ENOSYS || code == EINVAL; /* here: go on */
    return code == 0 || cannot_lock ? CAROM_OK : file_failed(err, "create", path, code);
}

void file_unlock(const char *folder, int lock)
{
    char path[FILE_PATH];
    if (lock < 0) {
        return;
    }
    if (file_path(path, folder, LOCK_NAME, NULL) == CAROM_OK) {
        unlink(path); /* while it is still held: see is_still_there */
    }
    close(lock);
}
