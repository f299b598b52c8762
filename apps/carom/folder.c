/* run.txt: a line per fact, "key value", with \n, \r and \\ escaped in values:
 *
 *     carom 0.1.0
 *     scene /data/pendulum.json
 *     set contact.method=none
 *     duration 2.5
 */
#include "folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define NOTE_NAME "run.txt"

/* Only in the file's name proper, so that no scene writes outside results/. */
char *folder_default(const char *scene_file)
{
    const char *slash = strrchr(scene_file, '/');
    const char *base = slash ? slash + 1 : scene_file;
    const char *dot = strrchr(base, '.');
    size_t length = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    bool hidden = length == 0 || base[0] == '.' || is_standard_input(scene_file);
    return hidden ? copy_text("results/scene") : format_text("results/%.*s", (int)length, base);
}

static bool is_file(const char *folder, const char *name)
{
    struct stat info;
    char *path = format_text("%s/%s", folder, name);
    bool there = stat(path, &info) == 0 && S_ISREG(info.st_mode);
    free(path);
    return there;
}

/* Empty but for what a run leaves that was killed in its first moment. */
static bool is_empty(const char *folder)
{
    static const char *const ignored[] = { ".", "..", ".lock", "." NOTE_NAME ".new" };
    DIR *listing = opendir(folder);
    bool empty = true;
    for (struct dirent *entry; listing && (entry = readdir(listing));) {
        bool known = false;
        for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; ++i) {
            known = known || strcmp(entry->d_name, ignored[i]) == 0;
        }
        empty = empty && known;
    }
    if (listing) {
        closedir(listing);
    }
    return empty;
}

static int make_folders(const char *folder)
{
    char *path = copy_text(folder);
    bool ok = true;
    int reason = 0;
    for (size_t i = 1; ok && i <= strlen(folder); ++i) {
        if (folder[i] == '/' || folder[i] == '\0') {
            struct stat info;
            path[i] = '\0';
            reason = mkdir(path, 0777) == 0 ? 0 : errno; /* asking what is there would change errno */
            ok = reason == 0 || (stat(path, &info) == 0 && S_ISDIR(info.st_mode));
            path[i] = folder[i];
        }
    }
    int code = ok ? EXIT_DONE : exit_code_of(reason);
    if (!ok) {
        complain("cannot make the folder '%s': %s", folder, strerror(reason));
    }
    free(path);
    return code;
}

bool folder_lock(const char *folder, int *lock)
{
    *lock = -1;
    if (access(folder, W_OK) != 0 && (errno == EACCES || errno == EROFS)) {
        complain("cannot write into '%s': %s", folder, strerror(errno));
        return false;
    }
    *lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*lock < 0 || flock(*lock, LOCK_EX | LOCK_NB) == 0) {
        return true;
    }
    bool in_use = errno == EWOULDBLOCK;
    close(*lock);
    *lock = -1;
    if (in_use) {
        complain("'%s' is in use by another run; wait for it or choose another folder", folder);
    }
    return !in_use;
}

void folder_unlock(int lock)
{
    if (lock >= 0) {
        close(lock);
    }
}

/* In this order, so that what another run has begun to write is not taken for files of somebody else. */
int folder_take(const char *folder, int *lock)
{
    *lock = -1;
    if (folder[0] == '\0') {
        complain("option '-o' needs the name of a folder");
        return EXIT_BAD_INPUT;
    }
    int code = make_folders(folder);
    if (code != EXIT_DONE || !folder_lock(folder, lock)) {
        return code != EXIT_DONE ? code : EXIT_BAD_INPUT;
    }
    bool is_result = is_file(folder, "result.h5") || is_file(folder, NOTE_NAME);
    if (!is_result && !is_empty(folder)) {
        complain(
            "the folder '%s' holds files that are not a result of carom; choose another one with -o, or empty it",
            folder);
        folder_unlock(*lock);
        *lock = -1;
        return EXIT_BAD_INPUT;
    }
    return EXIT_DONE;
}

/* ---- the note --------------------------------------------------------------------------------------------------- */

static void write_value(FILE *file, const char *key, const char *value)
{
    fprintf(file, "%s ", key);
    for (; *value; ++value) {
        const char *escaped = *value == '\n' ? "\\n" : *value == '\r' ? "\\r" : *value == '\\' ? "\\\\" : NULL;
        if (escaped) {
            fputs(escaped, file);
        } else {
            fputc(*value, file);
        }
    }
    fputc('\n', file);
}

static void unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from; ++from) {
        if (*from == '\\' && from[1]) {
            ++from;
            *to++ = *from == 'n' ? '\n' : *from == 'r' ? '\r' : *from;
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
}

static bool write_note(FILE *file, const scene_source *source)
{
    write_value(file, "carom", CAROM_VERSION);
    write_value(file, "scene", source->file);
    for (size_t i = 0; i < source->override_count; ++i) {
        write_value(file, "set", source->overrides[i]);
    }
    if (source->duration > 0.0) {
        fprintf(file, "duration %.17g\n", source->duration);
    }
    bool ok = !ferror(file) && fflush(file) == 0 && fsync(fileno(file)) == 0;
    int code = errno;
    if (fclose(file) != 0 && ok) {
        return false;
    }
    errno = code; /* of the first that failed */
    return ok;
}

/* A name is on the disk when its folder is. Some file systems cannot bring folders there: nothing more can be done. */
static bool sync_folder(const char *folder)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool ok = fd < 0 || fsync(fd) == 0 || (errno != EIO && errno != ENOSPC && errno != EDQUOT);
    int code = errno;
    if (fd >= 0) {
        close(fd);
    }
    errno = code;
    return ok;
}

/* The scene's absolute path: resume may be called from elsewhere. */
static char *absolute(const char *file)
{
    char here[4096];
    bool stays = file[0] == '/' || is_standard_input(file) || !getcwd(here, sizeof here);
    return stays ? copy_text(file) : format_text("%s/%s", here, file);
}

int folder_write_note(const char *folder, const scene_source *source)
{
    char *path = format_text("%s/" NOTE_NAME, folder);
    char *fresh = format_text("%s/." NOTE_NAME ".new", folder);
    scene_source whole = *source;
    whole.file = absolute(source->file);
    errno = 0;
    FILE *file = create_anew(fresh);
    bool ok = file && write_note(file, &whole) && rename(fresh, path) == 0 && sync_folder(folder);
    errno = ok || errno ? errno : EIO;
    int code = ok ? EXIT_DONE : exit_code_of(errno);
    if (!ok) {
        complain("cannot write '%s': %s", path, strerror(errno)); /* what complains may change errno */
        unlink(fresh);
    }
    free(whole.file);
    free(path);
    free(fresh);
    return code;
}

static void take_line(scene_source *source, char *line)
{
    char *space = strchr(line, ' ');
    if (!space) {
        return;
    }
    *space = '\0';
    char *value = space + 1;
    unescape(value);
    if (strcmp(line, "scene") == 0 && !source->file) {
        source->file = copy_text(value);
    } else if (strcmp(line, "set") == 0) {
        source->overrides[source->override_count++] = copy_text(value);
    } else if (strcmp(line, "duration") == 0) {
        double duration = strtod(value, NULL);
        source->duration = isfinite(duration) && duration > 0.0 ? duration : 0.0;
    }
}

static size_t count_lines(const char *text)
{
    size_t lines = 1;
    for (; *text; ++text) {
        lines += *text == '\n';
    }
    return lines;
}

bool folder_read_note(const char *folder, scene_source *out)
{
    char *path = format_text("%s/" NOTE_NAME, folder);
    char *text = read_text_file(path);
    int code = errno;
    *out = (scene_source){ 0 };
    if (text) {
        out->overrides = allocate(count_lines(text), sizeof *out->overrides);
        for (char *line = text, *next; line; line = next) {
            next = strchr(line, '\n');
            if (next) {
                *next++ = '\0';
            }
            take_line(out, line);
        }
    }
    bool ok = text && out->file;
    if (!ok) {
        const char *why = text ? "no scene is named in" : code == ENOENT ? "there is no" : "cannot read";
        complain("'%s' is not the folder of a run: %s '%s'%s%s", folder, why, path,
                 text || code == ENOENT ? "" : ": ", text || code == ENOENT ? "" : strerror(code));
    }
    free(text);
    free(path);
    return ok;
}

void folder_free_note(scene_source *source)
{
    for (size_t i = 0; i < source->override_count; ++i) {
        char *text = (char *)(uintptr_t)source->overrides[i]; /* copied by folder_read_note */
        free(text);
    }
    scene_source_free(source);
}
