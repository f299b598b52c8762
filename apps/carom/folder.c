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
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"

#define NOTE_NAME "run.txt"

/* Only in the file's name proper, so that no scene writes outside results/. */
char *folder_default(const char *scene_file)
{
    const char *slash = strrchr(scene_file, '/');
    const char *base = slash ? slash + 1 : scene_file;
    const char *dot = strrchr(base, '.');
    size_t length = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    bool hidden = length == 0 || base[0] == '.';
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

static bool is_empty(const char *folder)
{
    DIR *listing = opendir(folder);
    if (!listing) {
        return true;
    }
    int entries = 0;
    while (readdir(listing)) {
        entries += 1;
    }
    closedir(listing);
    return entries <= 2; /* . and .. */
}

static bool make_folders(const char *folder)
{
    char *path = copy_text(folder);
    bool ok = true;
    for (size_t i = 1; ok && i <= strlen(folder); ++i) {
        if (folder[i] == '/' || folder[i] == '\0') {
            struct stat info;
            path[i] = '\0';
            ok = mkdir(path, 0777) == 0 || (stat(path, &info) == 0 && S_ISDIR(info.st_mode));
            path[i] = folder[i];
        }
    }
    if (!ok) {
        complain("cannot make the folder '%s': %s", folder, strerror(errno));
    }
    free(path);
    return ok;
}

bool folder_prepare(const char *folder)
{
    if (folder[0] == '\0') {
        complain("option '-o' needs the name of a folder");
        return false;
    }
    bool is_result = is_file(folder, "result.h5") || is_file(folder, NOTE_NAME);
    if (!is_result && !is_empty(folder)) {
        complain(
            "the folder '%s' holds files that are not a result of carom; choose another one with -o, or empty it",
            folder);
        return false;
    }
    return make_folders(folder);
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

static bool write_note(FILE *file, const run_note *note)
{
    write_value(file, "carom", CAROM_VERSION);
    write_value(file, "scene", note->source.file);
    for (size_t i = 0; i < note->source.override_count; ++i) {
        write_value(file, "set", note->source.overrides[i]);
    }
    if (note->duration > 0.0) {
        fprintf(file, "duration %.17g\n", note->duration);
    }
    bool ok = fflush(file) == 0 && fsync(fileno(file)) == 0;
    return fclose(file) == 0 && ok;
}

/* The scene's absolute path: resume may be called from elsewhere. */
static char *absolute(const char *file)
{
    char here[4096];
    bool stays = file[0] == '/' || !getcwd(here, sizeof here);
    return stays ? copy_text(file) : format_text("%s/%s", here, file);
}

bool folder_write_note(const char *folder, const run_note *note)
{
    char *path = format_text("%s/" NOTE_NAME, folder);
    char *fresh = format_text("%s/." NOTE_NAME ".new", folder);
    run_note whole = *note;
    whole.source.file = absolute(note->source.file);
    FILE *file = fopen(fresh, "w");
    bool ok = file && write_note(file, &whole) && rename(fresh, path) == 0;
    if (!ok) {
        complain("cannot write '%s': %s", path, strerror(errno));
    }
    free(whole.source.file);
    free(path);
    free(fresh);
    return ok;
}

static void take_line(run_note *note, char *line)
{
    char *space = strchr(line, ' ');
    if (!space) {
        return;
    }
    *space = '\0';
    char *value = space + 1;
    unescape(value);
    if (strcmp(line, "scene") == 0 && !note->source.file) {
        note->source.file = copy_text(value);
    } else if (strcmp(line, "set") == 0) {
        note->source.overrides[note->source.override_count++] = copy_text(value);
    } else if (strcmp(line, "duration") == 0) {
        double duration = strtod(value, NULL);
        note->duration = isfinite(duration) && duration > 0.0 ? duration : 0.0;
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

bool folder_read_note(const char *folder, run_note *note)
{
    char *path = format_text("%s/" NOTE_NAME, folder);
    char *text = read_text_file(path);
    *note = (run_note){ 0 };
    if (text) {
        note->source.overrides = allocate(count_lines(text), sizeof *note->source.overrides);
        for (char *line = text, *next; line; line = next) {
            next = strchr(line, '\n');
            if (next) {
                *next++ = '\0';
            }
            take_line(note, line);
        }
    }
    bool ok = text && note->source.file;
    if (!ok) {
        complain("'%s' is not the folder of a run: %s '%s'", folder, text ? "no scene is named in" : "there is no",
                 path);
    }
    free(text);
    free(path);
    return ok;
}

void run_note_free(run_note *note)
{
    for (size_t i = 0; i < note->source.override_count; ++i) {
        char *text = (char *)(uintptr_t)note->source.overrides[i]; /* copied by folder_read_note */
        free(text);
    }
    free(note->source.overrides);
    free(note->source.file);
    *note = (run_note){ 0 };
}
