/* Views as scenes give them (result/result_view.h). Where a result says nothing, everything is shown, from the front and above. */
#include <stdlib.h>
#include <string.h>

#include "files/json_value.h"
#include "render/scenery.h"

static const struct {
    const char *word;
    unsigned flag;
} words[] = { { "contacts", SHOW_CONTACTS }, { "forces", SHOW_FORCES }, { "joints", SHOW_JOINTS },
              { "axes", SHOW_AXES },         { "paths", SHOW_PATHS },   { "grid", SHOW_GRID },
              { "springs", SHOW_SPRINGS } };

static unsigned flags_of(const json_t *list)
{
    unsigned flags = 0;
    for (size_t i = 0; i < json_array_size(list); ++i) {
        const char *word = json_string_value(json_array_get(list, i));
        for (size_t k = 0; word && k < sizeof words / sizeof words[0]; ++k) {
            flags |= strcmp(word, words[k].word) == 0 ? words[k].flag : 0;
        }
    }
    return json_array_size(list) > 0 ? flags : SHOW_CONTACTS | SHOW_FORCES | SHOW_GRID | SHOW_SPRINGS;
}

static carom_id body_named(const carom_result *result, const char *name)
{
    for (size_t b = 0; name && b < carom_result_body_count(result); ++b) {
        if (strcmp(name, carom_result_body_name(result, (carom_id)b)) == 0) {
            return (carom_id)b;
        }
    }
    return name && strcmp(name, "ground") == 0 ? CAROM_GROUND : CAROM_NONE;
}

static double number_of(const json_t *view, const char *key)
{
    return json_number_value(json_object_get(view, key));
}

static void read_view(render_view *out, const carom_result *result, const json_t *view)
{
    const json_t *from = json_object_get(view, "from"), *hide = json_object_get(view, "hide");
    out->look_at = body_named(result, json_string_value(json_object_get(view, "look_at")));
    out->from = v3_make(json_number_value(json_array_get(from, 0)), json_number_value(json_array_get(from, 1)),
                        json_number_value(json_array_get(from, 2)));
    out->follow = json_is_true(json_object_get(view, "follow"));
    out->at = number_of(view, "at");
    out->speed = number_of(view, "speed");
    out->show = flags_of(json_object_get(view, "show"));
    for (size_t i = 0; i < json_array_size(hide); ++i) {
        carom_id body = body_named(result, json_string_value(json_array_get(hide, i)));
        if (body != CAROM_NONE) {
            out->hidden[body] = true;
        }
    }
}

static size_t number_in(const char *name)
{
    char *end;
    unsigned long number = strtoul(name, &end, 10);
    return *end == '\0' && end != name ? number : 0;
}

/* By name, else by number; json_array_size where there is none. */
static size_t view_index(const json_t *list, const char *name)
{
    size_t count = json_array_size(list);
    for (size_t i = 0; i < count; ++i) {
        const char *own = json_string_value(json_object_get(json_array_get(list, i), "name"));
        if (own && strcmp(own, name) == 0) {
            return i;
        }
    }
    size_t number = number_in(name);
    return number >= 1 && number <= count ? number - 1 : count;
}

static carom_status no_such_view(const json_t *list, const char *name, carom_error *err)
{
    size_t count = json_array_size(list), used = 0;
    char names[400] = "";
    for (size_t i = 0; i < count && used + 80 < sizeof names; ++i) {
        const char *own = json_string_value(json_object_get(json_array_get(list, i), "name"));
        char number[24];
        snprintf(number, sizeof number, "%zu", i + 1);
        used += (size_t)snprintf(names + used, sizeof names - used, "%s'%.60s'", i > 0 ? ", " : "",
                                 own ? own : number);
    }
    return count == 0
               ? carom_fail(err, CAROM_BAD_INPUT, "no view '%.80s': the scene asks for none; leave --view out", name)
               : carom_fail(err, CAROM_BAD_INPUT, "no view '%.80s'; the scene has %s", name, names);
}

carom_status render_view_find(render_view *out, const carom_result *result, const char *name, carom_arena *arena,
                              carom_error *err)
{
    const char *text = carom_result_text(result, "view");
    bool lacks_memory = false;
    json_t *list = text[0] ? json_read_text(text, strlen(text), 0, NULL, &lacks_memory) : NULL;
    size_t index = name ? view_index(list, name) : 0;
    *out = (render_view){ .look_at = CAROM_NONE, .show = flags_of(NULL) };
    out->hidden = CAROM_ARENA_ARRAY(arena, bool, carom_result_body_count(result) + 1);
    carom_status status = CAROM_OK;
    if (lacks_memory || !out->hidden) {
        status = carom_fail(err, CAROM_NO_MEMORY, "no memory for a view");
    } else if (name && index >= json_array_size(list)) {
        status = no_such_view(list, name, err);
    } else if (index < json_array_size(list)) {
        read_view(out, result, json_array_get(list, index));
    }
    json_decref(list);
    return status;
}
