/* Overrides "path=value" on the JSON tree, before it is read: bodies.rod.mass=2, bodies[0].mass=2, variables.L=0.5.
 * Objects on the way are made when missing; elements of lists are found by index or by their "name". */
#include "scene/scene_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/json_value.h"

/* The walk from the root: what is left of the path, and where it has come to. */
typedef struct override_walk {
    const char *source;
    const char *rest; /* of the path, up to `end` */
    const char *end;
    json_t *here;
    carom_text path; /* "bodies[0]" so far */
    size_t made;     /* length of the path of the first object that had to be made, or 0 */
    carom_error *err;
} override_walk;

static carom_status override_fail(const override_walk *w, const char *what, const char *detail)
{
    carom_fail(w->err, CAROM_BAD_INPUT, "--set %.200s: %s%s", w->source, what, detail);
    return error_note(w->err);
}

/* ---- one step ------------------------------------------------------------------------------------------------ */

static size_t rest_length(const override_walk *w)
{
    return (size_t)(w->end - w->rest);
}

/* "[3]" at the front: 1 and the index, 0 when there is none, -1 when it is broken. */
static int take_index(override_walk *w, size_t *index)
{
    if (rest_length(w) == 0 || w->rest[0] != '[') {
        return 0;
    }
    char *after = NULL;
    bool digit = w->rest[1] >= '0' && w->rest[1] <= '9'; /* strtoul also takes signs and blanks */
    *index = digit ? strtoul(w->rest + 1, &after, 10) : 0;
    if (!digit || after >= w->end || *after != ']') {
        return -1;
    }
    w->rest = after + 1;
    return 1;
}

static void skip_dot(override_walk *w)
{
    w->rest += rest_length(w) > 0 && w->rest[0] == '.';
}

/* The element whose name begins the rest of the path; names may contain dots and brackets, so the longest wins. */
static bool take_name(override_walk *w, size_t *index)
{
    size_t longest = 0;
    for (size_t i = 0; i < json_array_size(w->here); ++i) {
        json_t *name = json_object_get(json_array_get(w->here, i), "name");
        size_t length = json_string_length(name);
        bool fits = length > longest && length <= rest_length(w) &&
                    memcmp(json_string_value(name), w->rest, length) == 0;
        if (fits && (length == rest_length(w) || strchr(".[", w->rest[length]))) {
            longest = length;
            *index = i;
        }
    }
    w->rest += longest;
    return longest > 0;
}

static carom_status unknown_element(const override_walk *w)
{
    size_t count = json_array_size(w->here);
    const char **names = calloc(count + 1, sizeof *names);
    for (size_t i = 0; names && i < count; ++i) {
        names[i] = json_string_value(json_object_get(json_array_get(w->here, i), "name"));
    }
    char wanted[200];
    snprintf(wanted, sizeof wanted, "%.*s", (int)strcspn(w->rest, ".[="), w->rest);
    char hint[256];
    char detail[600];
    scene_hint(names ? carom_text_nearest(wanted, names, count) : NULL, hint, sizeof hint);
    snprintf(detail, sizeof detail, "'%s' in '%s'%s", wanted, w->path.length ? w->path.data : "", hint);
    free(names);
    return override_fail(w, "there is no ", detail);
}

static carom_status step_into_list(override_walk *w, size_t *index)
{
    int found = take_index(w, index);
    if (found < 0) {
        return override_fail(w, "an index is written [0], [1], ...; it counts from the front", "");
    }
    if (found == 0) {
        skip_dot(w);
        return take_name(w, index) ? CAROM_OK : unknown_element(w);
    }
    if (*index >= json_array_size(w->here)) {
        char detail[400];
        size_t count = json_array_size(w->here);
        snprintf(detail, sizeof detail, "[%zu]: '%.300s' has %zu %s", *index, w->path.length ? w->path.data : "",
                 count, count == 1 ? "entry" : "entries");
        return override_fail(w, "there is no entry ", detail);
    }
    return CAROM_OK;
}

static carom_status take_key(override_walk *w, char *key, size_t size)
{
    skip_dot(w);
    size_t length = 0;
    while (length < rest_length(w) && !strchr(".[", w->rest[length])) {
        ++length;
    }
    if (length == 0 || length >= size) {
        return override_fail(w, "the path is written like bodies.rod.mass or bodies[0].mass", "");
    }
    memcpy(key, w->rest, length);
    key[length] = '\0';
    w->rest += length;
    return CAROM_OK;
}

/* ---- the walk ------------------------------------------------------------------------------------------------ */

/* Goes to element `index`, or replaces it when the path ends there. Takes the value over. */
static carom_status walk_list(override_walk *w, json_t *value, bool *done)
{
    size_t index = 0;
    carom_status status = step_into_list(w, &index);
    if (status != CAROM_OK) {
        return status;
    }
    carom_text_add(&w->path, "[%zu]", index);
    *done = rest_length(w) == 0;
    if (*done) {
        return json_array_set(w->here, index, value) == 0 ? CAROM_OK : override_fail(w, "out of memory", "");
    }
    w->here = json_array_get(w->here, index);
    return CAROM_OK;
}

/* Goes to member `key`, or sets it when the path ends there: null takes it out, so that its default holds. */
static carom_status walk_object(override_walk *w, json_t *value, bool *done)
{
    char key[200];
    carom_status status = take_key(w, key, sizeof key);
    if (status != CAROM_OK) {
        return status;
    }
    carom_text_add(&w->path, "%s%s", w->path.length ? "." : "", key);
    *done = rest_length(w) == 0;
    json_t *next = json_object_get(w->here, key);
    if (json_is_null(value) && !next) {
        return override_fail(w, "there is nothing to take out: no ", w->path.length ? w->path.data : "");
    }
    if (json_is_null(value) && *done) {
        json_object_del(w->here, key);
        return CAROM_OK;
    }
    if (*done || !next) {
        bool stored = *done ? json_object_set(w->here, key, value) == 0
                            : json_object_set_new(w->here, key, json_object()) == 0;
        if (!stored) {
            return override_fail(w, "the path or value is not valid UTF-8, or memory ran out", "");
        }
        next = json_object_get(w->here, key);
        w->made = w->made ? w->made : w->path.length;
    }
    w->here = next;
    return CAROM_OK;
}

static carom_status walk(override_walk *w, json_t *value)
{
    bool done = false;
    while (!done) {
        carom_status status;
        if (json_is_array(w->here)) {
            status = walk_list(w, value, &done);
        } else if (json_is_object(w->here)) {
            status = walk_object(w, value, &done);
        } else {
            char detail[300];
            snprintf(detail, sizeof detail, "'%.200s' is %s", w->path.length ? w->path.data : "",
                     scene_json_type(w->here));
            status = override_fail(w, "the path goes on where nothing is inside: ", detail);
        }
        if (status != CAROM_OK) {
            return status;
        }
    }
    return CAROM_OK;
}

/* A variable that the scene does not have would be made, and change nothing. */
static carom_status check_variable(const override_walk *w, json_t *root)
{
    static const char list[] = "variables.";
    size_t length = sizeof list - 1;
    if (strncmp(w->source, list, length) != 0 || w->end <= w->source + length) {
        return CAROM_OK;
    }
    char name[200];
    snprintf(name, sizeof name, "%.*s", (int)(w->end - w->source - (ptrdiff_t)length), w->source + length);
    json_t *variables = json_object_get(root, "variables");
    if (strlen(name) + 1 == sizeof name || strpbrk(name, ".[") || json_object_get(variables, name)) {
        return CAROM_OK;
    }
    enum { MOST = 256 };
    const char *names[MOST];
    size_t count = 0;
    for (void *m = json_object_iter(variables); m && count < MOST; m = json_object_iter_next(variables, m)) {
        names[count++] = json_object_iter_key(m);
    }
    char hint[256];
    char detail[512];
    scene_hint(carom_text_nearest(name, names, count), hint, sizeof hint);
    snprintf(detail, sizeof detail, "'%s'%s", name, hint);
    return override_fail(w, "the scene has no variable ", detail);
}

/* JSON where it is, else text: contact.method=none needs no quotes. */
static json_t *parse_value(const char *text, bool *lacks_memory)
{
    json_t *value = json_read_text(text, strlen(text), JSON_DECODE_ANY | JSON_SCENE_FLAGS, NULL, lacks_memory);
    return value || *lacks_memory ? value : json_string(text);
}

carom_status scene_apply_override(json_t *root, const char *source, carom_arena *arena, scene_override *out,
                                  carom_error *err)
{
    override_walk w = { .source = source, .rest = source, .end = strchr(source, '='), .here = root, .err = err };
    if (!w.end) {
        return override_fail(&w, "an override is written path=value, e.g. time.end=2", "");
    }
    carom_status known = check_variable(&w, root);
    if (known != CAROM_OK) {
        return known;
    }
    bool lacks_memory = false;
    json_t *value = parse_value(w.end + 1, &lacks_memory);
    if (lacks_memory) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the scene");
    }
    if (!value) {
        return override_fail(&w, "the value is neither JSON nor valid UTF-8 text", "");
    }
    carom_status status = walk(&w, value);
    json_decref(value);
    const char *path = w.path.length ? w.path.data : "";
    *out = (scene_override){ source,
                             carom_arena_printf(arena, "%.*s", (int)(w.made ? w.made : w.path.length), path) };
    carom_text_free(&w.path);
    return status == CAROM_OK && !out->path ? carom_fail(err, CAROM_NO_MEMORY, "out of memory for the scene")
                                            : status;
}
