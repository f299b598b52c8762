/* Talking to people on standard error, and the few helpers every command needs. */
#include "command.h"
#include "json_out.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "printable.h"

static void out_of_memory(void)
{
    fputs("carom: out of memory\n", stderr);
    exit(EXIT_GAVE_UP);
}

void *allocate(size_t count, size_t size)
{
    void *piece = calloc(count > 0 ? count : 1, size > 0 ? size : 1);
    if (!piece) {
        out_of_memory();
    }
    return piece;
}

char *copy_text(const char *text)
{
    size_t bytes = strlen(text) + 1;
    return memcpy(allocate(bytes, 1), text, bytes);
}

static char *format_list(const char *fmt, va_list args) CAROM_PRINTF(1, 0);
static char *format_list(const char *fmt, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, fmt, args);
    char *text = allocate((size_t)(length < 0 ? 0 : length) + 1, 1);
    vsnprintf(text, (size_t)(length < 0 ? 0 : length) + 1, fmt, again);
    va_end(again);
    return text;
}

const char *bytes_text(double bytes, char text[BYTES_TEXT])
{
    static const char *const units[] = { "bytes", "kB", "MB", "GB", "TB" };
    int unit = 0;
    for (; bytes >= 999.5 && unit < 4; ++unit) {
        bytes /= 1000.0;
    }
    snprintf(text, BYTES_TEXT, "%.3g %s", bytes, units[unit]);
    return text;
}

char *format_text(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    char *text = format_list(fmt, args);
    va_end(args);
    return text;
}

void complain(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    char *text = format_list(fmt, args);
    va_end(args);
    make_printable(text, true);
    bool colour = is_colourful(stderr);
    bool mild = strncmp(text, "warning:", 8) == 0 || strncmp(text, "note:", 5) == 0;
    fflush(stdout); /* what was said before stands before, also where both go into one pipe */
    fprintf(stderr, "%scarom:%s %s\n", colour ? mild ? "\x1b[1;33m" : "\x1b[1;31m" : "", colour ? "\x1b[0m" : "",
            text);
    free(text);
}

int exit_code_of(int code)
{
    bool ours = code == ENOSPC || code == EDQUOT || code == EFBIG || code == EIO || code == ENOMEM;
    return ours ? EXIT_GAVE_UP : EXIT_BAD_INPUT;
}

FILE *create_anew(const char *path)
{
    if (unlink(path) != 0 && errno != ENOENT) {
        return NULL;
    }
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "wb");
    if (fd >= 0 && !file) {
        close(fd);
    }
    return file;
}

/* All mistakes that were found together, or the only one. */
static void complain_of(const carom_error *err)
{
    char text[2048];
    const carom_error_list *all = err->all;
    if (!all || err->count < 2) {
        complain("%s", carom_error_text(err, text, sizeof text));
        return;
    }
    for (int i = 0; i < all->count; ++i) {
        complain("%s", carom_error_text(&all->items[i], text, sizeof text));
    }
    complain("%d mistakes%s", all->count,
             all->count == CAROM_ERRORS_MOST ? "; the search for more ended there" : " in the scene");
}

int report(carom_status status, const carom_error *err)
{
    complain_of(err);
    if (status != CAROM_OK) {
        json_tell_error(err);
    }
    switch (status) {
    case CAROM_OK:
        return EXIT_DONE;
    case CAROM_INTERRUPTED:
        return EXIT_INTERRUPTED;
    case CAROM_NOT_CONVERGED:
    case CAROM_NO_MEMORY:
        return EXIT_GAVE_UP;
    default:
        return EXIT_BAD_INPUT;
    }
}

int report_writing(carom_status status, const carom_error *err)
{
    int code = status == CAROM_OK ? EXIT_DONE : report(status, err);
    return status == CAROM_IO_FAILED ? EXIT_GAVE_UP : code;
}

void require_ok(carom_status status, const carom_error *err)
{
    if (status != CAROM_OK) {
        exit(report(status, err));
    }
}

int report_scene(carom_status status, const carom_error *err, const char *scene_file)
{
    carom_error whole = *err;
    if (!whole.file[0]) {
        snprintf(whole.file, sizeof whole.file, "%s", scene_file);
    }
    return report(status, &whole);
}

void complain_notes(const carom_model *model, bool warnings_only)
{
    const carom_note *notes = NULL;
    size_t count = carom_model_notes(model, &notes);
    for (size_t i = 0; i < count; ++i) {
        const carom_note *n = &notes[i];
        carom_error place = { .line = n->line };
        char text[2048];
        snprintf(place.file, sizeof place.file, "%s", n->file ? n->file : "");
        snprintf(place.path, sizeof place.path, "%s", n->path ? n->path : "");
        snprintf(place.message, sizeof place.message, "%s", n->message);
        if (n->warning || !warnings_only) {
            complain("%s: %s", n->warning ? "warning" : "note", carom_error_text(&place, text, sizeof text));
        }
    }
}

int finish_output(int code)
{
    errno = 0;
    if ((fflush(stdout) != 0 || ferror(stdout)) && code == EXIT_DONE) {
        complain("cannot write to standard output%s%s", errno ? ": " : "", errno ? strerror(errno) : "");
        return EXIT_GAVE_UP;
    }
    return code;
}

/* Edits (insert, delete, replace) from a to b; names are short. */
static int edit_distance(const char *a, const char *b)
{
    enum { LONGEST = 40 };
    int row[LONGEST + 1];
    int na = (int)strnlen(a, LONGEST);
    int nb = (int)strnlen(b, LONGEST);
    for (int j = 0; j <= nb; ++j) {
        row[j] = j;
    }
    for (int i = 1; i <= na; ++i) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= nb; ++j) {
            int replace = diagonal + (a[i - 1] != b[j - 1]);
            int insert = row[j - 1] + 1;
            diagonal = row[j];
            int best = row[j] + 1 < insert ? row[j] + 1 : insert;
            row[j] = replace < best ? replace : best;
        }
    }
    return row[nb];
}

const char *nearest_name(const char *name, const char *const *candidates)
{
    const char *best = NULL;
    int limit = 1 + (int)strlen(name) / 3;
    for (; *candidates; ++candidates) {
        int distance = edit_distance(name, *candidates);
        if (distance <= limit) {
            limit = distance - 1;
            best = *candidates;
        }
    }
    return best;
}
