/* Errors of the scene reader: file, line, path, and where it applies the --set that brought the value. */
#include "scene/scene_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *scene_json_type(const json_t *json)
{
    if (!json) {
        return "nothing";
    }
    switch (json_typeof(json)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "a list";
    case JSON_STRING:
        return "a text";
    case JSON_INTEGER:
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
        return "true";
    case JSON_FALSE:
        return "false";
    case JSON_NULL:
        return "null";
    }
    return "something else";
}

/* Whether `path` is `whole` or lies inside it. */
static bool path_inside(const char *path, const char *whole)
{
    size_t length = strlen(whole);
    return strncmp(path, whole, length) == 0 && (path[length] == '\0' || path[length] == '.' || path[length] == '[');
}

const char *scene_override_of(const scene_file *file, const char *path)
{
    for (size_t i = file->override_count; i > 0; --i) {
        if (path_inside(path, file->overrides[i - 1].path)) {
            return file->overrides[i - 1].source;
        }
    }
    return NULL;
}

static void mention_override(const scene_reader *r)
{
    const char *source = scene_override_of(r->file, r->err->path);
    if (source) {
        size_t used = strlen(r->err->message);
        snprintf(r->err->message + used, sizeof r->err->message - used, " (from --set %s)", source);
    }
}

static void fill_place(const scene_reader *r, const json_place *at)
{
    snprintf(r->err->file, sizeof r->err->file, "%s", r->file->document.file);
    r->err->line = json_document_line(&r->file->document, at);
    json_place_text(at, r->err->path, sizeof r->err->path);
    mention_override(r);
}

carom_status scene_fail(const scene_reader *r, const json_place *at, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    r->err->status = CAROM_BAD_INPUT;
    vsnprintf(r->err->message, sizeof r->err->message, fmt, args);
    va_end(args);
    fill_place(r, at);
    return error_note(r->err);
}

carom_status scene_no_memory(const scene_reader *r)
{
    return carom_fail(r->err, CAROM_NO_MEMORY, "out of memory for the scene");
}

/* "limits[0].min" as steps from a place. Cuts the text apart where a key ends. */
static size_t split_path(char *path, json_place *steps, size_t limit, const json_place *from)
{
    size_t count = 0;
    char delimiter = *path ? '.' : '\0';
    for (; delimiter && count < limit; ++count) {
        json_place *step = &steps[count];
        *step = (json_place){ .parent = count ? step - 1 : from };
        if (delimiter == '[') {
            step->index = strtoul(path, &path, 10);
            path += *path == ']';
        } else {
            step->key = path;
            path += strcspn(path, ".[");
        }
        delimiter = *path;
        if (delimiter) {
            *path++ = '\0';
        }
    }
    return count;
}

carom_status scene_fail_inside(const scene_reader *r, const json_place *at, carom_status status)
{
    if (status == CAROM_NO_MEMORY) {
        return status;
    }
    enum { STEPS = 12 };
    char path[sizeof r->err->path];
    json_place steps[STEPS];
    snprintf(path, sizeof path, "%s", r->err->path);
    size_t count = split_path(path, steps, STEPS, at);
    fill_place(r, count ? &steps[count - 1] : at);
    error_note(r->err);
    return status;
}

carom_status scene_wrong_type(const scene_reader *r, const json_place *at, const json_t *found, const char *wanted)
{
    if (json_is_string(found)) {
        return scene_fail(r, at, "found the text \"%.60s\" where %s is expected", json_string_value(found), wanted);
    }
    return scene_fail(r, at, "found %s where %s is expected", scene_json_type(found), wanted);
}

const char *scene_hint(const char *nearest, char *buffer, size_t size)
{
    if (nearest) {
        snprintf(buffer, size, " (did you mean '%s'?)", nearest);
    } else {
        buffer[0] = '\0';
    }
    return buffer;
}

/* ---- for people ------------------------------------------------------------------------------------------------ */

const char *carom_error_text(const carom_error *err, char *buffer, size_t size)
{
    char line[24] = "";
    if (!buffer || size == 0) {
        return "";
    }
    if (!err) {
        buffer[0] = '\0';
        return buffer;
    }
    if (err->line > 0) {
        snprintf(line, sizeof line, ":%d", err->line);
    }
    bool named = err->path[0] && strncmp(err->message, err->path, strlen(err->path)) != 0;
    snprintf(buffer, size, "%s%s%s%s%s%s", err->file, err->file[0] ? line : "", err->file[0] ? ": " : "",
             named ? err->path : "", named ? ": " : "",
             err->message); /* the message may begin with the path itself */
    return buffer;
}
