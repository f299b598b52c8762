/* Values of the rigid-ipc format, and values of the translated scene. */
#include "scene/rigid_ipc_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A place inside a body: rigid_body_problem.rigid_bodies[i]..., three steps from the root. */
int ipc_line(const ipc_translation *t, const json_place *at)
{
    const json_place *body = at;
    while (t->body_lines && body && body->parent && body->parent->parent && body->parent->parent->parent) {
        body = body->parent;
    }
    bool inside = t->body_lines && body && !body->key && body->index < t->body_line_count;
    return inside ? t->body_lines[body->index] : json_document_line(t->base.document, at);
}

/* ---- remarks ------------------------------------------------------------------------------------------------------------- */

void ipc_remark(ipc_translation *t, remark_kind kind, const json_place *at, const char *fmt, ...)
{
    char text[900];
    char path[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    json_place_text(at, path, sizeof path);
    translation_remark(&t->base, kind, ipc_line(t, at), path, text);
}

static bool is_one_of(const char *key, const char *const *names)
{
    for (; *names; ++names) {
        if (strcmp(*names, key) == 0) {
            return true;
        }
    }
    return false;
}

void ipc_note_strangers(ipc_translation *t, const json_place *at, const json_t *object, const char *const *known)
{
    void *iterable = (json_t *)(uintptr_t)object;
    for (void *m = json_object_iter(iterable); m; m = json_object_iter_next(iterable, m)) {
        const char *key = json_object_iter_key(m);
        const json_place place = { at, key, 0 };
        if (key[0] != '#' && !is_one_of(key, known)) {
            ipc_remark(t, REMARK_NOTE, &place,
                       "the key '%.60s' is not known to the rigid-ipc format and has no effect", key);
        }
    }
}

/* ---- values ---------------------------------------------------------------------------------------------------------------- */

/* The value of the key that `at` ends with; NULL: not there. A null takes the format's default away. */
static carom_status value_of(const ipc_translation *t, const json_place *at, const json_t *object, json_t **out)
{
    *out = json_object_get(object, at->key);
    return json_is_null(*out) ? scene_fail(t->base.r, at,
                                           "null takes the default of '%.60s' away and leaves nothing; leave the "
                                           "key out instead",
                                           at->key)
                              : CAROM_OK;
}

static carom_status finite_number(const ipc_translation *t, const json_place *at, const json_t *json, double *out)
{
    const double largest = 1e100;
    if (!json_is_real(json)) {
        return scene_wrong_type(t->base.r, at, json, "a number");
    }
    *out = json_real_value(json);
    return fabs(*out) <= largest ? CAROM_OK : scene_fail(t->base.r, at, "%g is beyond all measure", *out);
}

carom_status ipc_number(const ipc_translation *t, const json_place *at, const json_t *object, double *out)
{
    json_t *json;
    carom_status status = value_of(t, at, object, &json);
    return status == CAROM_OK && json ? finite_number(t, at, json, out) : status;
}

carom_status ipc_bool(const ipc_translation *t, const json_place *at, const json_t *object, bool *out)
{
    json_t *json;
    carom_status status = value_of(t, at, object, &json);
    if (status != CAROM_OK || !json) {
        return status;
    }
    *out = json_is_true(json);
    return json_is_boolean(json) ? CAROM_OK : scene_wrong_type(t->base.r, at, json, "true or false");
}

carom_status ipc_text(const ipc_translation *t, const json_place *at, const json_t *object, const char **out)
{
    json_t *json;
    carom_status status = value_of(t, at, object, &json);
    if (status != CAROM_OK || !json) {
        return status;
    }
    *out = json_string_value(json);
    return *out ? CAROM_OK : scene_wrong_type(t->base.r, at, json, "a text");
}

carom_status ipc_vector(const ipc_translation *t, const json_place *at, const json_t *object, v3 *out)
{
    json_t *json;
    double x[3];
    carom_status status = value_of(t, at, object, &json);
    if (status != CAROM_OK || !json) {
        return status;
    }
    if (json_array_size(json) != 3) {
        return scene_fail(t->base.r, at, "found %s of %zu; three numbers are needed", scene_json_type(json),
                          json_array_size(json));
    }
    for (size_t i = 0; i < 3 && status == CAROM_OK; ++i) {
        const json_place element = { at, NULL, i };
        status = finite_number(t, &element, json_array_get(json, i), &x[i]);
    }
    *out = status == CAROM_OK ? v3_load(x) : *out;
    return status;
}

carom_status ipc_object(const ipc_translation *t, const json_place *at, const json_t *object, json_t **out)
{
    carom_status status = value_of(t, at, object, out);
    return status == CAROM_OK && *out && !json_is_object(*out) ? scene_wrong_type(t->base.r, at, *out, "an object")
                                                               : status;
}

carom_status ipc_list(const ipc_translation *t, const json_place *at, const json_t *object, json_t **out)
{
    carom_status status = value_of(t, at, object, out);
    return status == CAROM_OK && *out && !json_is_array(*out) ? scene_wrong_type(t->base.r, at, *out, "a list")
                                                              : status;
}

carom_status ipc_choice(ipc_translation *t, const json_place *at, const json_t *object, const char *const *names,
                        int *out)
{
    const char *text = NULL;
    carom_status status = ipc_text(t, at, object, &text);
    if (status != CAROM_OK || !text) {
        return status;
    }
    for (int i = 0; names[i]; ++i) {
        if (strcmp(names[i], text) == 0) {
            *out = i;
            return CAROM_OK;
        }
    }
    *out = 0;
    ipc_remark(t, REMARK_WARNING, at, "'%.60s' is no %s; the rigid-ipc format takes it for '%s'", text, at->key,
               names[0]);
    return CAROM_OK;
}

/* ---- writing ----------------------------------------------------------------------------------------------------------------- */

void ipc_add(ipc_translation *t, json_t *list, const char *key, json_t *definition, const json_place *from)
{
    translation_add(&t->base, list, key, definition, ipc_line(t, from));
}
