/* Loading JSON with comments. Comments are blanked before Jansson sees the text: it then reports true lines and
 * columns, and strings that contain // or a star stay untouched. */
#include "files/json_document.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/file.h"
#include "files/input_file.h"
#include "files/json_value.h"

enum { LARGEST_FILE = 64 << 20 };

static carom_status fail_in_line(const json_document *document, int line, carom_error *err)
{
    if (err) {
        snprintf(err->file, sizeof err->file, "%s", document->file);
        err->line = line;
        err->path[0] = '\0';
    }
    return CAROM_BAD_INPUT;
}

/* ---- comments ------------------------------------------------------------------------------------------------ */

static size_t end_of_string(const char *text, size_t length, size_t i)
{
    for (++i; i < length && text[i] != '"' && text[i] != '\n'; ++i) {
        if (text[i] == '\\') {
            ++i;
        }
    }
    return i < length ? i + 1 : length;
}

static size_t blank_line_comment(char *text, size_t length, size_t i)
{
    while (i < length && text[i] != '\n') {
        text[i++] = ' ';
    }
    return i;
}

/* Returns `length + 1` when the comment does not end. */
static size_t blank_block_comment(char *text, size_t length, size_t i)
{
    size_t end = i + 2;
    while (end + 1 < length && !(text[end] == '*' && text[end + 1] == '/')) {
        ++end;
    }
    if (end + 1 >= length) {
        return length + 1;
    }
    for (; i < end + 2; ++i) {
        text[i] = text[i] == '\n' ? '\n' : ' ';
    }
    return i;
}

static int line_at(const char *text, size_t i)
{
    int line = 1;
    for (size_t k = 0; k < i; ++k) {
        line += text[k] == '\n';
    }
    return line;
}

static carom_status blank_comments(json_document *d, carom_error *err)
{
    char *text = d->text;
    size_t i = 0;
    while (i < d->length) {
        bool slash = text[i] == '/' && i + 1 < d->length;
        if (text[i] == '"') {
            i = end_of_string(text, d->length, i);
        } else if (slash && text[i + 1] == '/') {
            i = blank_line_comment(text, d->length, i);
        } else if (slash && text[i + 1] == '*') {
            size_t start = i;
            i = blank_block_comment(text, d->length, i);
            if (i > d->length) {
                carom_fail(err, CAROM_BAD_INPUT, "a comment begins here with /* and never ends");
                return fail_in_line(d, line_at(text, start), err);
            }
        } else {
            ++i;
        }
    }
    return CAROM_OK;
}

/* ---- loading ------------------------------------------------------------------------------------------------- */

static void skip_byte_order_mark(json_document *d)
{
    if (d->length >= 3 && memcmp(d->text, "\xef\xbb\xbf", 3) == 0) {
        memset(d->text, ' ', 3);
    }
}

static carom_status refuse_odd_text(const json_document *d, carom_error *err)
{
    const char *nul = memchr(d->text, '\0', d->length);
    if (nul) {
        carom_fail(err, CAROM_BAD_INPUT, "a NUL byte; this is not a text file");
        return fail_in_line(d, line_at(d->text, (size_t)(nul - d->text)), err);
    }
    if (strspn(d->text, " \t\r\n") == d->length) {
        carom_fail(err, CAROM_BAD_INPUT, "the file is empty; a scene is a JSON object: {\"carom\": %d, ...}",
                   CAROM_SCENE_VERSION);
        return fail_in_line(d, d->length > 0 ? 1 : 0, err);
    }
    return CAROM_OK;
}

static carom_status parse_json(json_document *d, carom_error *err)
{
    json_error_t problem;
    bool lacks_memory = false;
    d->root = json_read_text(d->text, d->length, JSON_SCENE_FLAGS, &problem, &lacks_memory);
    if (d->root) {
        return CAROM_OK;
    }
    if (lacks_memory) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for %s", d->file);
    }
    carom_fail(err, CAROM_BAD_INPUT, "not valid JSON at column %d: %s", problem.column, problem.text);
    return fail_in_line(d, problem.line, err);
}

/* `d` owns its text, file and folder already. */
static carom_status digest(json_document *d, carom_error *err)
{
    skip_byte_order_mark(d);
    d->markup = d->text[strspn(d->text, " \t\r\n")] == '<';
    if (d->markup) {
        d->root = json_object();
        return d->root ? refuse_odd_text(d, err) : carom_fail(err, CAROM_NO_MEMORY, "out of memory for %s", d->file);
    }
    carom_status status = blank_comments(d, err);
    status = status == CAROM_OK ? refuse_odd_text(d, err) : status;
    status = status == CAROM_OK ? parse_json(d, err) : status;
    if (status == CAROM_OK && !json_is_object(d->root)) {
        carom_fail(err, CAROM_BAD_INPUT, "a scene is a JSON object {...}, not a list");
        status = fail_in_line(d, 1, err);
    }
    return status;
}

static char *folder_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash == file ? strdup("/") : slash ? strndup(file, (size_t)(slash - file)) : strdup(".");
}

static carom_status finish(json_document *out, json_document d, carom_status status)
{
    if (status == CAROM_OK) {
        *out = d;
    } else {
        json_document_free(&d);
    }
    return status;
}

carom_status json_document_parse(json_document *out, const char *text, size_t length, const char *name,
                                 const char *folder, carom_error *err)
{
    json_document d = { .length = length, .file = strdup(name), .folder = strdup(folder) };
    if (length > LARGEST_FILE) {
        carom_status status = carom_fail(err, CAROM_BAD_INPUT, "%s is larger than 64 MB", name);
        return finish(out, d, status);
    }
    d.text = malloc(length + 1);
    if (!d.text || !d.file || !d.folder) {
        return finish(out, d, carom_fail(err, CAROM_NO_MEMORY, "out of memory for %s", name));
    }
    if (length > 0) {
        memcpy(d.text, text, length);
    }
    d.text[length] = '\0';
    return finish(out, d, digest(&d, err));
}

static carom_status read_all(FILE *stream, json_document *d, carom_error *err)
{
    int code = file_read_stream(stream, LARGEST_FILE, &d->text, &d->length);
    if (code == ENOMEM) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for %s", d->file);
    }
    if (code == EFBIG) {
        return carom_fail(err, CAROM_BAD_INPUT, "%s is larger than 64 MB", d->file);
    }
    return code == 0 ? CAROM_OK : carom_fail(err, CAROM_IO_FAILED, "cannot read %s: %s", d->file, strerror(code));
}

carom_status json_document_load(json_document *out, const char *file, carom_error *err)
{
    carom_input input;
    FILE *stream = carom_input_stream(&input, file);
    if (!stream) {
        return carom_fail(err, carom_input_status(&input), "'%.500s' %s", file, input.why);
    }
    json_document d = { .file = strdup(file), .folder = folder_of(file) };
    carom_status status = d.file && d.folder ? read_all(stream, &d, err)
                                             : carom_fail(err, CAROM_NO_MEMORY, "out of memory for %s", file);
    fclose(stream);
    status = status == CAROM_OK ? digest(&d, err) : status;
    return finish(out, d, status);
}

void json_document_free(json_document *document)
{
    json_decref(document->root);
    json_decref(document->lines);
    free(document->text);
    free(document->file);
    free(document->folder);
    *document = (json_document){ 0 };
}
