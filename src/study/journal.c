/* Journals. A line ends in a check sum of what stands before it, so that a line that was torn by a crash is recognised: it is
 * dropped, and the run is done again. The first line holds the hash of the study. */
#include "study/journal.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/arguments.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/text.h"
#include "files/file.h"

enum { LONGEST = 1 << 30 };

static uint64_t check_of(const char *text, size_t length)
{
    return carom_hash(CAROM_HASH_START, text, length);
}

/* ---- lines -------------------------------------------------------------------------------------------------------- */

static void header_text(const carom_study *s, carom_text *out)
{
    carom_text_add(out, "# carom study %016llx\n", (unsigned long long)s->hash);
}

static void row_text(const carom_study *s, const carom_row *row, carom_text *out)
{
    carom_text_add(out, "%zu,%s", row->run, carom_row_status_name(row->status));
    for (size_t i = 0; i < s->variable_count; ++i) {
        table_cell_number(out, row->inputs[i]);
    }
    for (size_t i = 0; i < s->measure_count; ++i) {
        table_cell_number(out, row->values[i]);
    }
    table_cell_text(out, row->reason);
    if (!out->failed) {
        carom_text_add(out, ",%016llx\n", (unsigned long long)check_of(out->data, out->length));
    }
}

/* The next cell of a line, unquoted in place; NULL: there is none. */
static char *next_cell(char **cursor)
{
    char *at = *cursor;
    if (!at) {
        return NULL;
    }
    if (*at != '"') {
        char *comma = strchr(at, ',');
        *cursor = comma ? comma + 1 : NULL;
        if (comma) {
            *comma = '\0';
        }
        return at;
    }
    char *out = at + 1;
    char *to = out;
    for (++at; *at && !(at[0] == '"' && at[1] != '"'); ++at) {
        at += at[0] == '"';
        *to++ = *at;
    }
    *cursor = at[0] == '"' && at[1] == ',' ? at + 2 : NULL;
    *to = '\0';
    return out;
}

static bool read_number(const char *cell, double *out)
{
    char *end = NULL;
    *out = cell && *cell ? strtod(cell, &end) : (double)NAN;
    return cell && (*cell == '\0' || *end == '\0');
}

/* Whether a line (without its end) is whole: its check sum is cut off then. */
static bool is_whole(char *line)
{
    char *comma = strrchr(line, ',');
    char check[24];
    if (!comma) {
        return false;
    }
    snprintf(check, sizeof check, "%016llx", (unsigned long long)check_of(line, (size_t)(comma - line)));
    if (strcmp(comma + 1, check) != 0) {
        return false;
    }
    *comma = '\0';
    return true;
}

static carom_row_status status_named(const char *name)
{
    int k = CAROM_ROW_DONE;
    while (k < CAROM_ROW_STATUSES && (!name || strcmp(name, carom_row_status_name((carom_row_status)k)) != 0)) {
        ++k;
    }
    return (carom_row_status)k;
}

/* NULL: it is none of this study, *lacks_memory, or *other: made with other numbers. */
static carom_row *parse_row(const carom_study *s, char *line, bool *other, bool *lacks_memory)
{
    char *cursor = line;
    char *number = next_cell(&cursor);
    char *end = NULL;
    size_t run = number && isdigit((unsigned char)*number) ? strtoul(number, &end, 10) : SIZE_MAX;
    carom_row_status status = status_named(next_cell(&cursor));
    if (run >= s->run_count || !end || *end || status == CAROM_ROW_STATUSES) {
        return NULL;
    }
    carom_row *row = row_create(s, run);
    bool ok = row != NULL;
    *lacks_memory = !ok;
    for (size_t i = 0; ok && i < s->variable_count; ++i) {
        double x;
        ok = read_number(next_cell(&cursor), &x);
        if (ok && sample_depends(s)) {
            row->inputs[i] = x;
        }
        *other = *other || (ok && x != row->inputs[i]);
    }
    for (size_t i = 0; ok && i < s->measure_count; ++i) {
        ok = read_number(next_cell(&cursor), &row->values[i]);
    }
    const char *reason = ok ? next_cell(&cursor) : NULL;
    ok = ok && reason && row_say(row, status, reason);
    if (!ok || *other) {
        carom_row_destroy(row);
        return NULL;
    }
    return row;
}

/* ---- rows on their way --------------------------------------------------------------------------------------------- */

/* A line of the journal, behind the times of its run. */
carom_status carom_row_pack(const carom_study *s, const carom_row *row, char **out, size_t *size, carom_error *err)
{
    const argument needed[] = { { "study", s }, { "row", row }, { "out", out }, { "size", size } };
    carom_status status = arguments_given("carom_row_pack", needed, 4, err);
    if (status != CAROM_OK) {
        return status;
    }
    carom_text line = { 0 };
    carom_text all = { 0 };
    row_text(s, row, &line);
    carom_text_add(&all, "%.17g %.17g %ld ", row->wall, row->cpu, row->steps);
    carom_text_add(&all, "%s", line.failed ? "" : line.data);
    bool ok = !line.failed && !all.failed;
    carom_text_free(&line);
    *out = ok ? all.data : NULL;
    *size = ok ? all.length : 0;
    if (!ok) {
        carom_text_free(&all);
    }
    return ok ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory for a row");
}

carom_status carom_row_unpack(const carom_study *s, const char *bytes, size_t size, carom_row **out, carom_error *err)
{
    const argument needed[] = { { "study", s }, { "bytes", bytes }, { "out", out } };
    carom_status status = arguments_given("carom_row_unpack", needed, 3, err);
    if (status != CAROM_OK) {
        return status;
    }
    *out = NULL;
    char *text = malloc(size + 1);
    if (!text) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for a row");
    }
    memcpy(text, bytes, size);
    text[size] = '\0';
    double wall = 0.0, cpu = 0.0;
    long steps = 0;
    int begin = 0;
    bool other = false;
    bool lacks_memory = false;
    bool whole = size > 0 && text[size - 1] == '\n' &&
                 sscanf(text, "%lg %lg %ld %n", &wall, &cpu, &steps, &begin) == 3;
    text[size > 0 ? size - 1 : 0] = '\0';
    carom_row *row = whole && is_whole(text + begin) ? parse_row(s, text + begin, &other, &lacks_memory) : NULL;
    free(text);
    if (!row) {
        return lacks_memory
                   ? carom_fail(err, CAROM_NO_MEMORY, "out of memory for a row")
                   : carom_fail(err, CAROM_BAD_INPUT, "%s",
                                other ? "a row was made with other numbers: the study or its scene differs there"
                                      : "these bytes are no row of the study");
    }
    row->wall = wall;
    row->cpu = cpu;
    row->steps = steps;
    *out = row;
    return CAROM_OK;
}

/* ---- reading ------------------------------------------------------------------------------------------------------ */

/* A row beyond the runs asked for stays where it is. */
static carom_status load_line(carom_study *s, char *line, const char *path, carom_error *err)
{
    bool other = false;
    bool lacks_memory = false;
    if (!is_whole(line)) {
        s->torn++;
        return CAROM_OK;
    }
    carom_row *row = parse_row(s, line, &other, &lacks_memory);
    if (lacks_memory) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the rows of '%.200s'", path);
    }
    if (other) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "'%.200s' has a row of run %.20s that was made with other numbers; take another folder with -o", path,
            line);
    }
    if (row && s->rows[row->run]) {
        carom_row_destroy(row); /* the first counts */
    } else if (row) {
        s->rows[row->run] = row;
    }
    return CAROM_OK;
}

static carom_status load_file(carom_study *s, const char *path, carom_error *err)
{
    char *text = NULL;
    size_t bytes = 0;
    carom_text header = { 0 };
    carom_status status = file_read_whole(path, LONGEST, &text, &bytes, err);
    if (status != CAROM_OK) {
        return status;
    }
    header_text(s, &header);
    char *line = strchr(text, '\n');
    if (line && !header.failed && strncmp(text, header.data, header.length) != 0) {
        status = carom_fail(err, CAROM_BAD_INPUT,
                            "'%.300s' is the journal of another study; take another folder with -o", path);
    }
    for (char *next; status == CAROM_OK && line && *++line; line = next) {
        next = strchr(line, '\n');
        if (!next) {
            s->torn++; /* the end was torn off */
            break;
        }
        *next = '\0';
        status = load_line(s, line, path, err);
    }
    carom_text_free(&header);
    free(text);
    return status;
}

static bool is_journal(const char *name)
{
    size_t length = strlen(name);
    return strncmp(name, "journal", 7) == 0 && length > 4 && strcmp(name + length - 4, ".csv") == 0;
}

carom_status journal_load(carom_study *s, const char *folder, carom_error *err)
{
    char path[FILE_PATH];
    DIR *files = opendir(folder);
    carom_status status = files ? CAROM_OK : file_failed(err, "open", folder, errno);
    s->torn = 0;
    for (struct dirent *entry; status == CAROM_OK && (entry = readdir(files));) {
        if (is_journal(entry->d_name)) {
            status = file_path(path, folder, entry->d_name, err);
            status = status == CAROM_OK ? load_file(s, path, err) : status;
        }
    }
    if (files) {
        closedir(files);
    }
    return status;
}

/* ---- writing ------------------------------------------------------------------------------------------------------ */

static int write_once(int fd, const char *text, size_t length)
{
    ssize_t written = write(fd, text, length);
    return written == (ssize_t)length ? 0 : written < 0 ? errno : ENOSPC;
}

/* Cuts off what follows the last whole line, so that the next one does not continue it. */
static carom_status repair(const journal *j, const carom_study *s, carom_error *err)
{
    char *text = NULL;
    size_t bytes = 0;
    carom_text header = { 0 };
    carom_status status = file_read_whole(j->path, LONGEST, &text, &bytes, err);
    if (status != CAROM_OK) {
        return status;
    }
    while (bytes > 0 && text[bytes - 1] != '\n') {
        --bytes;
    }
    free(text);
    int code = ftruncate(j->fd, (off_t)bytes) == 0 ? 0 : errno;
    header_text(s, &header);
    if (code == 0 && bytes == 0) {
        code = header.failed ? ENOMEM : write_once(j->fd, header.data, header.length);
    }
    carom_text_free(&header);
    return code == 0 ? CAROM_OK : file_failed(err, "write", j->path, code);
}

carom_status journal_open(journal *j, const carom_study *s, const carom_sweep_options *o, carom_error *err)
{
    char name[64] = "journal.csv";
    char timing[FILE_PATH];
    *j = (journal){ .fd = -1, .timing = -1, .synced = true };
    if (o->parts > 0) {
        snprintf(name, sizeof name, "journal-%d-of-%d.csv", o->part, o->parts);
    }
    carom_status status = file_path(j->path, o->folder, name, err);
    status = status == CAROM_OK ? file_path(timing, o->folder, "timing.csv", err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    j->fd = open(j->path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    j->timing = j->fd >= 0 ? open(timing, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666) : -1;
    if (j->timing < 0) {
        return file_failed(err, "open", j->path, errno);
    }
    if (flock(j->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "another sweep is writing '%.300s'; wait for it, or take another folder with -o", j->path);
    }
    j->synced_at = carom_clock_wall();
    return repair(j, s, err);
}

carom_status journal_add(journal *j, const carom_study *s, const carom_row *row, carom_error *err)
{
    carom_text line = { 0 };
    char timing[128];
    row_text(s, row, &line);
    int code = line.failed ? ENOMEM : write_once(j->fd, line.data, line.length);
    carom_text_free(&line);
    int length = snprintf(timing, sizeof timing, "%zu,%.6g,%.6g,%ld\n", row->run, row->wall, row->cpu, row->steps);
    code = code == 0 ? write_once(j->timing, timing, (size_t)length) : code;
    j->synced = false;
    return code == 0 ? journal_sync(j, err) : file_failed(err, "write", j->path, code);
}

carom_status journal_sync(journal *j, carom_error *err)
{
    int code = 0;
    if (!j->synced && carom_clock_wall() - j->synced_at > 1.0) {
        code = fdatasync(j->fd) == 0 ? 0 : errno;
        j->synced_at = carom_clock_wall();
        j->synced = true;
    }
    return code == 0 ? CAROM_OK : file_failed(err, "write", j->path, code);
}

carom_status journal_close(journal *j, carom_error *err)
{
    int code = j->fd >= 0 && fdatasync(j->fd) != 0 && errno != EINVAL ? errno : 0;
    if (j->fd >= 0) {
        close(j->fd);
    }
    if (j->timing >= 0) {
        close(j->timing);
    }
    *j = (journal){ .fd = -1, .timing = -1, .synced = true };
    return code == 0 ? CAROM_OK : file_failed(err, "write", "journal.csv", code);
}

/* ---- crashes ------------------------------------------------------------------------------------------------------ */

carom_status journal_note_crash(const char *folder, size_t run, const char *why, carom_error *err)
{
    char path[FILE_PATH];
    char line[128];
    carom_status status = file_path(path, folder, "crashes.csv", err);
    if (status != CAROM_OK) {
        return status;
    }
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    int length = snprintf(line, sizeof line, "%zu,%.60s\n", run, why);
    int code = fd >= 0 ? write_once(fd, line, (size_t)length) : errno;
    if (fd >= 0) {
        close(fd);
    }
    return code == 0 ? CAROM_OK : file_failed(err, "write", path, code);
}

int journal_crashes(const char *folder, size_t run, char *why, size_t size)
{
    char path[FILE_PATH];
    char *text = NULL;
    size_t bytes = 0;
    int count = 0;
    if (file_path(path, folder, "crashes.csv", NULL) != CAROM_OK ||
        file_read_whole(path, LONGEST, &text, &bytes, NULL) != CAROM_OK) {
        return 0;
    }
    char *save = NULL;
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char *end = NULL;
        if (strtoul(line, &end, 10) == run && *end == ',') {
            ++count;
            snprintf(why, size, "%s", end + 1);
        }
    }
    free(text);
    return count;
}
