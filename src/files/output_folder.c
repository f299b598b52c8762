/* A folder of numbered files that an export makes, and may replace if nothing else lies in it. */
#include "files/output_folder.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "files/file.h"
#include "files/fresh_file.h"
#include "files/output.h"

bool output_pattern_fits(const char *pattern, const char *name)
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
    bool unfinished = length > 5 && length < sizeof whole && name[0] == '.' && strcmp(name + length - 4, ".new") == 0;
    const char *start = unfinished ? name + 1 : name;
    snprintf(whole, sizeof whole, "%.*s", (int)(unfinished ? length - 5 : length < 255 ? length : 255), start);
    for (; *patterns; ++patterns) {
        if (output_pattern_fits(*patterns, whole)) {
            return true;
        }
    }
    return carom_is_fresh_name(name);
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
        return output_failed(err, "read the folder", folder, errno);
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
        status = output_failed(err, "replace", path, errno);
    }
    return status;
}

carom_status output_folder_prepare(const char *folder, const char *const *patterns, carom_error *err)
{
    errno = 0;
    carom_status status = file_make_folder(folder, err);
    if (status == CAROM_IO_FAILED) {
        status = output_failed(err, "make the folder", folder, errno);
    }
    if (status == CAROM_OK) {
        status = for_each_entry(folder, patterns, refuse_foreign, err);
    }
    return status == CAROM_OK ? for_each_entry(folder, patterns, remove_entry, err) : status;
}
