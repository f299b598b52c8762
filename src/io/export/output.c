/* Writing beside and renaming, folders of numbered files, numbers that no locale changes. */
#include "io/export/output.h"

#include <dirent.h>
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
    return disk ? CAROM_IO_FAILED : CAROM_BAD_INPUT;
}

static carom_status failed(carom_error *err, const char *what, const char *path, int code)
{
    return carom_fail(err, status_of(code), "cannot %s '%.500s': %s", what, path, strerror(code ? code : EIO));
}

/* ---- files -------------------------------------------------------------------------------------------------------- */

/* Devices, pipes and /dev/stdout, which may stand for either, cannot be replaced by a file. */
static bool is_special(const char *path)
{
    struct stat info;
    bool other = stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
    return other || strncmp(path, "/dev/", 5) == 0;
}

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

carom_status export_output_open(export_output *out, const char *path, carom_error *err)
{
    *out = (export_output){ .special = is_special(path) };
    const char *ending = out->special ? "" : ".new";
    bool fits = snprintf(out->path, sizeof out->path, "%s", path) < (int)sizeof out->path &&
                snprintf(out->beside, sizeof out->beside, "%s%s", path, ending) < (int)sizeof out->beside;
    if (!fits) {
        return carom_fail(err, CAROM_BAD_INPUT, "the path '%.200s...' is longer than %d characters", path,
                          FILE_PATH - 5);
    }
    if (is_folder(path)) {
        return failed(err, "create", path, EISDIR);
    }
    out->file = fopen(out->beside, "wb");
    return out->file ? CAROM_OK : failed(err, "create", path, errno);
}

carom_status export_output_standard(export_output *out)
{
    *out = (export_output){ .file = stdout, .special = true, .path = "standard output" };
    return CAROM_OK;
}

void export_output_write(export_output *out, const void *data, size_t bytes)
{
    if (bytes > 0 && !ferror(out->file)) {
        out->code = fwrite(data, 1, bytes, out->file) == bytes ? 0 : errno;
        out->bytes += bytes;
    }
}

void export_output_text(export_output *out, const char *text)
{
    export_output_write(out, text, strlen(text));
}

void export_output_printf(export_output *out, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int length = ferror(out->file) ? 0 : vfprintf(out->file, fmt, args);
    va_end(args);
    out->code = length < 0 ? errno : out->code;
    out->bytes += length > 0 ? (uint64_t)length : 0;
}

void export_output_number(export_output *out, double x, int digits)
{
    char buffer[EXPORT_NUMBER];
    export_output_text(out, export_number(x, digits, buffer));
}

carom_status export_output_close(export_output *out, carom_status status, carom_export_report *report,
                                 carom_error *err)
{
    if (!out->file) {
        return status;
    }
    bool broken = ferror(out->file) != 0;
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
    if (status == CAROM_OK && !out->special && rename(out->beside, out->path) != 0) {
        status = failed(err, "create", out->path, errno);
    }
    if (status != CAROM_OK && !out->special) {
        unlink(out->beside);
    }
    if (status == CAROM_OK && report) {
        report->files += 1;
        report->bytes += out->bytes;
    }
    return status;
}

carom_status export_write_whole(const char *path, const void *data, size_t bytes, carom_error *err)
{
    export_output out;
    carom_status status = export_output_open(&out, path, err);
    if (status != CAROM_OK) {
        return status;
    }
    export_output_write(&out, data, bytes);
    return export_output_close(&out, CAROM_OK, NULL, err);
}

/* ---- folders ------------------------------------------------------------------------------------------------------ */

bool export_pattern_fits(const char *pattern, const char *name)
{
    for (; *pattern; ++pattern) {
        if (*pattern != '#') {
            if (*name++ != *pattern) {
                return false;
            }
            continue;
        }
        size_t digits = strspn(name, "0123456789");
        if (digits == 0) {
            return false;
        }
        name += digits;
    }
    return *name == '\0';
}

/* Also what is left of a file that was being written when the program was killed. */
static bool is_own(const char *const *patterns, const char *name)
{
    char whole[256];
    size_t length = strlen(name);
    bool unfinished = length > 4 && length < sizeof whole && strcmp(name + length - 4, ".new") == 0;
    snprintf(whole, sizeof whole, "%.*s", (int)(unfinished ? length - 4 : length < 255 ? length : 255), name);
    for (; *patterns; ++patterns) {
        if (export_pattern_fits(*patterns, whole)) {
            return true;
        }
    }
    return false;
}

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

typedef carom_status (*entry_visitor)(const char *folder, const char *const *patterns, const char *name,
                                      carom_error *err);

static carom_status for_each_entry(const char *folder, const char *const *patterns, entry_visitor visit,
                                   carom_error *err)
{
    DIR *listing = opendir(folder);
    if (!listing) {
        return failed(err, "read the folder", folder, errno);
    }
    carom_status status = CAROM_OK;
    for (struct dirent *entry; status == CAROM_OK && (entry = readdir(listing));) {
        status = is_dots(entry->d_name) ? CAROM_OK : visit(folder, patterns, entry->d_name, err);
    }
    closedir(listing);
    return status;
}

static carom_status refuse_foreign(const char *folder, const char *const *patterns, const char *name,
                                   carom_error *err)
{
    return is_own(patterns, name)
               ? CAROM_OK
               : carom_fail(err, CAROM_BAD_INPUT,
                            "the folder '%.400s' holds '%.100s', which no export of this kind wrote; choose another "
                            "folder with -o, or empty it",
                            folder, name);
}

static carom_status remove_entry(const char *folder, const char *const *patterns, const char *name, carom_error *err)
{
    char path[FILE_PATH];
    (void)patterns;
    carom_status status = file_path(path, folder, name, err);
    if (status == CAROM_OK && unlink(path) != 0) {
        status = failed(err, "replace", path, errno);
    }
    return status;
}

carom_status export_folder_prepare(const char *folder, const char *const *patterns, carom_error *err)
{
    errno = 0;
    carom_status status = file_make_folder(folder, err);
    if (status == CAROM_IO_FAILED) {
        status = status_of(errno);
        if (err) {
            err->status = status;
        }
    }
    if (status == CAROM_OK) {
        status = for_each_entry(folder, patterns, refuse_foreign, err);
    }
    return status == CAROM_OK ? for_each_entry(folder, patterns, remove_entry, err) : status;
}

/* ---- numbers ------------------------------------------------------------------------------------------------------ */

/* strtod and printf speak the same locale here; the point is put in afterwards. */
const char *export_number(double x, int digits, char buffer[EXPORT_NUMBER])
{
    int enough = digits > 0 ? digits : 15;
    do {
        snprintf(buffer, EXPORT_NUMBER, "%.*g", enough, x);
    } while (digits <= 0 && ++enough <= 17 && strtod(buffer, NULL) != x);
    const char *point = localeconv()->decimal_point;
    char *mark = strcmp(point, ".") == 0 ? NULL : strstr(buffer, point);
    if (mark) {
        *mark = '.';
        memmove(mark + 1, mark + strlen(point), strlen(mark + strlen(point)) + 1);
    }
    return buffer;
}

bool export_host_is_little_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}
