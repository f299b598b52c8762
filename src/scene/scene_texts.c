/* Texts of a scene: names, file names, references to bodies and joints, words from a list. */
#include "scene/scene_reader.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "files/input_file.h"

carom_status scene_read_text(const scene_reader *r, const json_place *at, const json_t *json, const char **out)
{
    if (!json_is_string(json)) {
        return scene_wrong_type(r, at, json, "a text");
    }
    return scene_expand(r, at, json_string_value(json), out);
}

carom_status scene_read_file_name(const scene_reader *r, const json_place *at, const json_t *json, const char **out)
{
    const char *name;
    carom_status status = scene_read_text(r, at, json, &name);
    if (status != CAROM_OK) {
        return status;
    }
    *out = scene_join_path(r->arena, r->file->document.folder, name);
    if (!*out) {
        return scene_no_memory(r);
    }
    carom_input input;
    if (!carom_input_open(&input, *out)) {
        return scene_fail(r, at, "the file '%.500s' %s", *out, input.why);
    }
    close(input.fd); /* whoever needs it opens it again */
    return CAROM_OK;
}

carom_status scene_read_reference(const scene_reader *r, const json_place *at, const json_t *json, spec_class which,
                                  const char **out)
{
    const char *name;
    if (!json_is_string(json)) {
        return scene_wrong_type(r, at, json, which == SPEC_BODY ? "the name of a body" : "the name of a joint");
    }
    carom_status status = scene_read_text(r, at, json, &name);
    if (status != CAROM_OK) {
        return status;
    }
    *out = scene_resolve(r, name);
    return *out ? scene_check_reference(r, at, *out, which) : scene_no_memory(r);
}

carom_status scene_read_pair(const scene_reader *r, const json_place *at, const json_t *json, const char **out)
{
    if (!json_is_array(json) || json_array_size(json) != 2) {
        return scene_fail(r, at, "found %s where a list of two names is expected, e.g. [\"ground\", \"rod\"]",
                          json_is_array(json) ? "a list of another length" : scene_json_type(json));
    }
    for (size_t i = 0; i < 2; ++i) {
        const json_place element = { at, NULL, i };
        carom_status status = scene_read_reference(r, &element, json_array_get(json, i), SPEC_BODY, &out[i]);
        if (status != CAROM_OK) {
            return status;
        }
    }
    return CAROM_OK;
}

carom_status scene_read_texts(const scene_reader *r, const json_place *at, const carom_field *field,
                              const json_t *json, carom_list *out)
{
    if (!json_is_array(json)) {
        return scene_wrong_type(r, at, json, "a list of texts");
    }
    size_t count = json_array_size(json);
    carom_status fits = scene_check_count(r, at, field, count, "texts");
    if (fits != CAROM_OK) {
        return fits;
    }
    const char **texts = CAROM_ARENA_ARRAY(r->arena, const char *, count);
    if (!texts) {
        return scene_no_memory(r);
    }
    for (size_t i = 0; i < count; ++i) {
        const json_place element = { at, NULL, i };
        carom_status status = scene_read_text(r, &element, json_array_get(json, i), &texts[i]);
        if (status != CAROM_OK) {
            return status;
        }
    }
    *out = (carom_list){ count, texts };
    return CAROM_OK;
}

carom_status scene_read_enum(const scene_reader *r, const json_place *at, const carom_field *field,
                             const json_t *json, int *out)
{
    char allowed[256];
    name_list(field->names, allowed, sizeof allowed);
    if (!json_is_string(json)) {
        char wanted[300];
        snprintf(wanted, sizeof wanted, "one of %s", allowed);
        return scene_wrong_type(r, at, json, wanted);
    }
    const char *text = json_string_value(json);
    size_t count = 0;
    for (; field->names[count]; ++count) {
        if (strcmp(field->names[count], text) == 0) {
            *out = (int)count;
            return CAROM_OK;
        }
    }
    char hint[128];
    scene_hint(carom_text_nearest(text, field->names, count), hint, sizeof hint);
    return scene_fail(r, at, "'%.60s' is none of: %s%s", text, allowed, hint);
}
