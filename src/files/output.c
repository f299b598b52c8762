/* Files that are whole or not there, numbers that no locale changes. */
#include "files/output.h"

#include <errno.h>
#include <locale.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A full or broken disk is nobody's mistake; a place that cannot be written to is the caller's. */
static carom_status status_of(int code)
{
    bool disk = code == ENOSPC || code == EDQUOT || code == EFBIG || code == EIO;
    return code == ENOMEM ? CAROM_NO_MEMORY : disk ? CAROM_IO_FAILED : CAROM_BAD_INPUT;
}

carom_status output_failed(carom_error *err, const char *what, const char *path, int code)
{
    return carom_fail(err, status_of(code), "cannot %s '%.500s': %s", what, path, strerror(code ? code : EIO));
}

/* ---- files -------------------------------------------------------------------------------------------------------- */

/* Names that stand for what the program has open: a file, a pipe or a screen. Files in /dev/shm are files like others. */
static bool is_open_already(const char *path)
{
    static const char *const names[] = { "/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/" };
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        if (strncmp(path, names[i], strlen(names[i])) == 0) {
            return true;
        }
    }
    return false;
}

/* Devices, pipes and what is open already cannot be replaced by a file. */
bool output_is_special(const char *path)
{
    struct stat info;
    bool other = stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
    return other || is_open_already(path);
}

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static FILE *open_fresh(output_file *out)
{
    int fd = carom_fresh_open(&out->fresh, out->path);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "wb");
    if (!file && fd >= 0) {
        int code = errno;
        close(fd);
        carom_fresh_drop(&out->fresh);
        errno = code;
    }
    return file;
}

carom_status output_open(output_file *out, const char *path, carom_error *err)
{
    *out = (output_file){ .special = output_is_special(path), .fresh.hold = -1 };
    if (snprintf(out->path, sizeof out->path, "%s", path) >= (int)sizeof out->path) {
        return carom_fail(err, CAROM_BAD_INPUT, "the path '%.200s...' is longer than %d characters", path, FILE_PATH);
    }
    if (is_folder(path)) {
        return output_failed(err, "create", path, EISDIR);
    }
    out->file = out->special ? fopen(path, "wb") : open_fresh(out);
    return out->file ? CAROM_OK : output_failed(err, "create", path, errno);
}

carom_status output_standard(output_file *out)
{
    *out = (output_file){ .file = stdout, .special = true, .path = "standard output", .fresh.hold = -1 };
    return CAROM_OK;
}

void output_write(output_file *out, const void *data, size_t bytes)
{
    if (bytes > 0 && !ferror(out->file)) {
        errno = 0;
        out->code = fwrite(data, 1, bytes, out->file) == bytes ? out->code : errno ? errno : EIO;
        out->bytes += bytes;
    }
}

void output_text(output_file *out, const char *text)
{
    output_write(out, text, strlen(text));
}

void output_printf(output_file *out, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int length = ferror(out->file) ? 0 : vfprintf(out->file, fmt, args);
    va_end(args);
    out->code = length < 0 ? errno ? errno : EIO : out->code;
    out->bytes += length > 0 ? (uint64_t)length : 0;
}

void output_number(output_file *out, double x, int digits)
{
    char buffer[OUTPUT_NUMBER];
    output_text(out, output_number_text(x, digits, buffer));
}

carom_status output_close(output_file *out, carom_status status, carom_export_report *report, carom_error *err)
{
    if (!out->file) {
        return status;
    }
    bool broken = ferror(out->file) != 0 || out->code != 0;
    int code = out->code;
    if (!broken && fflush(out->file) != 0) {
        broken = true;
        code = errno;
    }
    if (out->file != stdout && fclose(out->file) != 0 && !broken) {
        broken = true;
        code = errno;
    }
    out->file = NULL;
    if (broken && status == CAROM_OK) {
        status = carom_fail(err, CAROM_IO_FAILED, "cannot write '%.500s': %s", out->path,
                            strerror(code ? code : EIO));
    }
    if (status == CAROM_OK && !out->special && !carom_fresh_publish(&out->fresh, out->path)) {
        status = output_failed(err, "create", out->path, errno);
    }
    if (status != CAROM_OK && !out->special) {
        carom_fresh_drop(&out->fresh);
    }
    if (status == CAROM_OK && report) {
        report->files += 1;
        report->bytes += out->bytes;
    }
    return status;
}

carom_status output_whole(const char *path, const void *data, size_t bytes, carom_error *err)
{
    output_file out;
    carom_status status = output_open(&out, path, err);
    if (status != CAROM_OK) {
        return status;
    }
    output_write(&out, data, bytes);
    return output_close(&out, CAROM_OK, NULL, err);
}

/* ---- numbers ------------------------------------------------------------------------------------------------------ */

/* strtod and printf speak the same locale here; the point is put in afterwards. */
const char *output_number_text(double x, int digits, char buffer[OUTPUT_NUMBER])
{
    int enough = digits > 0 ? digits : 15;
    do {
        snprintf(buffer, OUTPUT_NUMBER, "%.*g", enough, x);
    } while (digits <= 0 && ++enough <= 17 && strtod(buffer, NULL) != x);
    const char *point = localeconv()->decimal_point;
    char *mark = strcmp(point, ".") == 0 ? NULL : strstr(buffer, point);
    if (mark) {
        *mark = '.';
        memmove(mark + 1, mark + strlen(point), strlen(mark + strlen(point)) + 1);
    }
    return buffer;
}

bool output_host_is_little_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}
