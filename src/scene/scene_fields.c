/* Reading by field table: one function for every object of a scene. Unknown keys are refused with the nearest known
 * one; kinds are chosen by "type", by "method", or by the key that names them. */
#include "scene/scene_reader.h"

#include <stdio.h>
#include <string.h>

static carom_status read_field(const scene_reader *r, const json_place *at, const carom_field *field,
                               const json_t *json, void *target);

/* ---- nested -------------------------------------------------------------------------------------------------- */

static carom_status read_group(const scene_reader *r, const json_place *at, const carom_field *field,
                               const json_t *json, void *target)
{
    if (field->flags & CAROM_OPTIONAL) {
        *(bool *)target = true;
    }
    return scene_read_object(r, at, field->fields, NULL, json, target);
}

static carom_status read_item(const scene_reader *r, const json_place *at, const carom_field *field,
                              const json_t *json, void *item)
{
    if (field->item_defaults) {
        memcpy(item, field->item_defaults, field->size);
    }
    return scene_read_object(r, at, field->fields, NULL, json, item);
}

/* One object stands for a list of one. */
static carom_status read_list(const scene_reader *r, const json_place *at, const carom_field *field,
                              const json_t *json, carom_list *out)
{
    bool many = json_is_array(json);
    size_t count = many ? json_array_size(json) : 1;
    if (count < field->min_count || (field->max_count && count > field->max_count)) {
        return scene_fail(r, at, "found %zu entries; between %zu and %zu are allowed", count, field->min_count,
                          field->max_count);
    }
    char *items = carom_arena_array(r->arena, count, field->size);
    if (!items) {
        return scene_no_memory(r);
    }
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < count && error_goes_on(r->err, status); ++i) {
        const json_place element = { at, NULL, i };
        status = error_worse(status, read_item(r, many ? &element : at, field, many ? json_array_get(json, i) : json,
                                               items + i * field->size));
    }
    *out = (carom_list){ count, items };
    return status;
}

/* {"pull": {...}, "push": {...}}: keys are the names of the items, which are their first field. */
static carom_status read_named(const scene_reader *r, const json_place *at, const carom_field *field,
                               const json_t *json, carom_list *out)
{
    if (!json_is_object(json)) {
        return scene_wrong_type(r, at, json, "an object whose keys are names");
    }
    void *object = (json_t *)(uintptr_t)json;
    char *item = carom_arena_array(r->arena, json_object_size(json) + 1, field->size);
    *out = (carom_list){ json_object_size(json), item };
    carom_status status = item ? CAROM_OK : scene_no_memory(r);
    for (void *m = json_object_iter(object); item && m && error_goes_on(r->err, status);
         m = json_object_iter_next(object, m), item += field->size) {
        const json_place place = { at, json_object_iter_key(m), 0 };
        const char **name = field_in(item, field->fields);
        memcpy(item, field->item_defaults, field->size);
        *name = carom_arena_text(r->arena, place.key);
        carom_status one = *name ? scene_read_object(r, &place, field->fields + 1, NULL, json_object_iter_value(m),
                                                     item)
                                 : scene_no_memory(r);
        status = error_worse(status, one);
    }
    return status;
}

/* ---- kinds --------------------------------------------------------------------------------------------------- */

static const char *foreign_kind_hint(const carom_kind *const *kinds, const char *name, char *hint, size_t size)
{
    const char *found = NULL;
    for (size_t i = 0; kinds[i] && !found; ++i) {
        found = scene_foreign_hint(name, &kinds[i]->name, 1, hint, size);
    }
    return found;
}

static carom_status find_kind(const scene_reader *r, const json_place *at, const carom_kind *const *kinds,
                              const char *what, const char *name, const carom_kind **out)
{
    *out = kind_of_choice(kinds, name);
    if (*out && *out != kind_from_program(carom_force_kinds())) {
        return CAROM_OK; /* also a law that a program adds before it compiles */
    }
    if (*out) {
        return scene_fail(
            r, at,
            "a force of type '%.60s' is a function of a C program, which adds it with carom_spec_add_force; a "
            "scene file cannot hold one",
            name);
    }
    char allowed[512];
    char hint[128];
    kind_list(kinds, allowed, sizeof allowed);
    if (!foreign_kind_hint(kinds, name, hint, sizeof hint)) {
        scene_hint(kind_nearest(kinds, name), hint, sizeof hint);
    }
    return scene_fail(r, at, "unknown %s '%.60s'%s; there are: %s", what, name, hint, allowed);
}

static carom_status set_choice(const scene_reader *r, const carom_kind *kind, carom_choice *out)
{
    void *params = kind->size ? carom_arena_alloc(r->arena, kind->size) : NULL;
    if (kind->size && !params) {
        return scene_no_memory(r);
    }
    if (params && kind->defaults) {
        memcpy(params, kind->defaults, kind->size);
    }
    *out = (carom_choice){ .kind = kind->name, .params = params };
    return CAROM_OK;
}

static const carom_field no_fields[1] = { { 0 } };

static carom_status read_params(const scene_reader *r, const json_place *at, const carom_kind *kind,
                                const json_t *json, const carom_choice *choice)
{
    void *params = (void *)(uintptr_t)choice->params; /* ours: set_choice took it from the arena */
    return scene_read_object(r, at, kind->fields ? kind->fields : no_fields, NULL, json, params);
}

/* A number, or a text that is arithmetic rather than a name: "$mu", "0.1*3". */
static bool is_number(const json_t *json, const carom_kind *const *kinds)
{
    const char *text = json_string_value(json);
    return json_is_real(json) || (text && !kind_find(kinds, text) && strpbrk(text, "$0123456789"));
}

/* "name", {"name": parameters}, or a number where that has a meaning. */
static carom_status read_kind(const scene_reader *r, const json_place *at, const carom_field *field,
                              const json_t *json, carom_choice *out)
{
    const carom_kind *kind = kind_of_number(field);
    if (kind && is_number(json, field->kinds)) {
        carom_status status = set_choice(r, kind, out);
        return status == CAROM_OK ? read_params(r, at, kind, json, out) : status;
    }
    if (json_is_string(json)) {
        carom_status status = find_kind(r, at, field->kinds, field->name, json_string_value(json), &kind);
        return status == CAROM_OK ? set_choice(r, kind, out) : status;
    }
    if (!json_is_object(json) || json_object_size(json) != 1) {
        return scene_fail(r, at, "found %s; write its name, or {\"name\": {...}} with its options%s",
                          json_is_object(json) ? "an object that does not have exactly one key"
                                               : scene_json_type(json),
                          kind ? ", or a number" : "");
    }
    void *member = json_object_iter((json_t *)(uintptr_t)json);
    const json_place place = { at, json_object_iter_key(member), 0 };
    carom_status status = find_kind(r, &place, field->kinds, field->name, place.key, &kind);
    status = status == CAROM_OK ? set_choice(r, kind, out) : status;
    return status == CAROM_OK ? read_params(r, &place, kind, json_object_iter_value(member), out) : status;
}

/* {"type": "name", ...}: the parameters are read with the other keys. */
static carom_status choose_by_selector(const scene_reader *r, const json_place *at, const field_layout *layout,
                                       const json_t *json, carom_choice *choice, const carom_kind **kind)
{
    json_t *name = json_object_get(json, layout->selector);
    const json_place place = { at, layout->selector, 0 };
    if (!name) {
        char allowed[512];
        kind_list(layout->kinds, allowed, sizeof allowed);
        return scene_fail(r, at, "'%s' is missing; there are: %s", layout->selector, allowed);
    }
    if (!json_is_string(name)) {
        return scene_wrong_type(r, &place, name, "a name");
    }
    carom_status status = find_kind(r, &place, layout->kinds, layout->selector, json_string_value(name), kind);
    return status == CAROM_OK ? set_choice(r, *kind, choice) : status;
}

/* {"box": [1,1,1], ...}: exactly one key names a kind; its value is the parameters. */
static carom_status choose_by_key(const scene_reader *r, const json_place *at, const field_layout *layout,
                                  const carom_field *fields, const json_t *json, carom_choice *choice)
{
    const carom_kind *chosen = NULL;
    const char *stranger = NULL;
    for (void *m = json_object_iter((json_t *)(uintptr_t)json); m;
         m = json_object_iter_next((json_t *)(uintptr_t)json, m)) {
        const char *key = json_object_iter_key(m);
        const json_place place = { at, key, 0 };
        const carom_kind *kind = kind_find(layout->kinds, key);
        if (kind && chosen) {
            return scene_fail(r, &place,
                              "found both '%s' and '%s'; one shape has one kind, several shapes are a list",
                              chosen->name, key);
        }
        stranger = !kind && !field_find(fields, key) ? key : stranger;
        chosen = kind ? kind : chosen;
    }
    if (!chosen && json_object_get(json, "shape")) {
        const json_place place = { at, "shape", 0 };
        return scene_fail(r, &place,
                          "a shape in a list names its kind itself: {\"box\": [1, 1, 1], \"at\": [0, 0, 0.5]}");
    }
    if (!chosen) {
        char allowed[512];
        char hint[128];
        kind_list(layout->kinds, allowed, sizeof allowed);
        scene_hint(stranger ? kind_nearest(layout->kinds, stranger) : NULL, hint, sizeof hint);
        const json_place place = { at, stranger, 0 };
        return scene_fail(r, stranger ? &place : at, "%s%.60s%s%s; there are: %s",
                          stranger ? "unknown shape '" : "no kind of shape is named", stranger ? stranger : "",
                          stranger ? "'" : "", hint, allowed);
    }
    const json_place place = { at, chosen->name, 0 };
    carom_status status = set_choice(r, chosen, choice);
    return status == CAROM_OK ? read_params(r, &place, chosen, json_object_get(json, chosen->name), choice) : status;
}

/* ---- objects ------------------------------------------------------------------------------------------------- */

/* What an object may contain. */
typedef struct object_keys {
    const carom_field *fields;
    const carom_field *params; /* of the kind chosen by "type"; or NULL */
    const char *const *beside; /* left to the caller; or NULL           */
    field_layout layout;
    bool any; /* the kind could not be found out: keys of any kind may be right */
} object_keys;

static bool beside_key(const char *const *beside, const char *key)
{
    for (; beside && *beside; ++beside) {
        if (strcmp(*beside, key) == 0) {
            return true;
        }
    }
    return false;
}

static bool choice_key(const field_layout *layout, const char *key)
{
    if (!layout->kinds) {
        return false;
    }
    return layout->selector ? strcmp(layout->selector, key) == 0 : kind_find(layout->kinds, key) != NULL;
}

static size_t add_field_names(const carom_field *fields, const char **names, size_t count, size_t limit)
{
    for (; fields && fields->name && count < limit; ++fields) {
        names[count++] = fields->name;
    }
    return count;
}

static carom_status unknown_key(const scene_reader *r, const json_place *at, const object_keys *keys)
{
    enum { LIMIT = 100 };
    const char *names[LIMIT + 1];
    size_t count = 0;
    if (keys->layout.selector && !field_find(keys->fields, keys->layout.selector)) {
        names[count++] = keys->layout.selector;
    }
    count = add_field_names(keys->params, names, count, LIMIT);
    count = add_field_names(keys->fields, names, count, LIMIT);
    for (size_t i = 0; keys->layout.shared && keys->layout.kinds[i]; ++i) {
        bool listed = keys->layout.kinds[i]->fields == keys->params;
        count = listed ? count : add_field_names(keys->layout.kinds[i]->fields, names, count, LIMIT);
    }
    for (const char *const *b = keys->beside; b && *b && count < LIMIT; ++b) {
        names[count++] = *b;
    }
    for (size_t i = 0; keys->layout.kinds && !keys->layout.selector && keys->layout.kinds[i] && count < LIMIT; ++i) {
        names[count++] = keys->layout.kinds[i]->name;
    }
    names[count] = NULL;
    char allowed[512];
    char hint[256];
    name_list(names, allowed, sizeof allowed);
    if (!scene_foreign_hint(at->key, names, count, hint, sizeof hint)) {
        scene_hint(carom_text_nearest(at->key, names, count), hint, sizeof hint);
    }
    return scene_fail(r, at, "unknown key '%.60s'%s%s%s", at->key, hint,
                      count ? "; allowed: " : "; nothing is allowed here", allowed);
}

/* A parameter of a kind that was not chosen: read like any other, so that mistakes are found, and forgotten. */
static carom_status read_unused(const scene_reader *r, const json_place *at, const object_keys *keys,
                                const json_t *json)
{
    for (const carom_kind *const *kind = keys->layout.kinds; *kind; ++kind) {
        const carom_field *field = (*kind)->fields ? field_find((*kind)->fields, at->key) : NULL;
        if (field) {
            carom_choice unused = { 0 };
            carom_status status = set_choice(r, *kind, &unused);
            void *target = (char *)(uintptr_t)unused.params + field->offset;
            return status == CAROM_OK ? read_field(r, at, field, json, target) : status;
        }
    }
    return unknown_key(r, at, keys);
}

/* Of an object whose kind is not known. Where a key is the kind, the wrong one has been named already. */
static bool may_be_right(const object_keys *keys, const char *key)
{
    bool found = !keys->layout.selector;
    for (const carom_kind *const *kind = keys->layout.kinds; *kind && !found; ++kind) {
        found = (*kind)->fields && field_find((*kind)->fields, key);
    }
    return found;
}

static carom_status read_member(const scene_reader *r, const json_place *at, const object_keys *keys,
                                const json_t *json, void *target)
{
    const carom_choice *choice = (const carom_choice *)((char *)target + keys->layout.offset);
    const carom_field *field = keys->params ? field_find(keys->params, at->key) : NULL;
    if (field) {
        return read_field(r, at, field, json, (char *)(uintptr_t)choice->params + field->offset);
    }
    field = field_find(keys->fields, at->key);
    if (field && !field_is_choice(field, &keys->layout)) {
        return read_field(r, at, field, json, field_in(target, field));
    }
    if (keys->any && may_be_right(keys, at->key)) {
        return CAROM_OK;
    }
    return keys->layout.shared ? read_unused(r, at, keys, json) : unknown_key(r, at, keys);
}

/* "shape" and "shapes" together would overwrite each other. */
static carom_status refuse_twice(const scene_reader *r, const json_place *at, const carom_field *fields,
                                 const json_t *json)
{
    for (const carom_field *f = fields; f && f->name; ++f) {
        size_t length = strlen(f->name);
        if (f->kind != CAROM_FIELD_LIST || !json_object_get(json, f->name)) {
            continue;
        }
        char other[64];
        bool plural = f->name[length - 1] == 's';
        snprintf(other, sizeof other, "%.*s%s", (int)(plural ? length - 1 : length), f->name, plural ? "" : "s");
        const json_place place = { at, other, 0 };
        if (json_object_get(json, other) && field_find(fields, other) == f) {
            return scene_fail(r, &place, "found both '%s' and '%s'; write one of them", f->name, other);
        }
    }
    return CAROM_OK;
}

static bool is_given(const carom_field *fields, const carom_field *field, const json_t *json)
{
    for (void *m = json_object_iter((json_t *)(uintptr_t)json); m;
         m = json_object_iter_next((json_t *)(uintptr_t)json, m)) {
        if (field_find(fields, json_object_iter_key(m)) == field) {
            return true;
        }
    }
    return false;
}

static carom_status require(const scene_reader *r, const json_place *at, const carom_field *fields,
                            const field_layout *layout, const json_t *json)
{
    carom_status status = CAROM_OK;
    for (const carom_field *f = fields; f && f->name && error_goes_on(r->err, status); ++f) {
        bool needed = (f->flags & CAROM_REQUIRED) && !field_is_choice(f, layout);
        if (needed && !is_given(fields, f, json)) {
            status = scene_fail(r, at, "'%s' is missing: %s", f->name, f->doc ? f->doc : "it is required");
        }
    }
    return status;
}

/* A bare value where an object is expected stands for one marked field. */
static carom_status read_shorthand(const scene_reader *r, const json_place *at, const carom_field *fields,
                                   const json_t *json, void *target)
{
    const carom_field *field = field_shorthand(fields);
    if (!field) {
        return scene_wrong_type(r, at, json, "an object");
    }
    json_t *alone = json_object();
    if (!alone || json_object_set(alone, field->name, (json_t *)(uintptr_t)json) != 0) {
        json_decref(alone);
        return scene_no_memory(r);
    }
    const field_layout plain = { 0 };
    carom_status status = read_field(r, at, field, json, field_in(target, field));
    status = status == CAROM_OK ? require(r, at, fields, &plain, alone) : status;
    json_decref(alone);
    return status;
}

/* Finds the kind of an object that has one. Keys of an object whose kind is not known cannot be judged: any may stand
 * there. */
static carom_status choose(const scene_reader *r, const json_place *at, object_keys *keys, const json_t *json,
                           void *target)
{
    carom_choice *choice = (carom_choice *)((char *)target + keys->layout.offset);
    carom_status status = CAROM_OK;
    if (keys->layout.selector) {
        const carom_kind *kind = NULL;
        status = choose_by_selector(r, at, &keys->layout, json, choice, &kind);
        keys->params = kind ? kind->fields : NULL;
    } else if (keys->layout.kinds) {
        status = choose_by_key(r, at, &keys->layout, keys->fields, json, choice);
    }
    keys->any = status != CAROM_OK;
    return status;
}

carom_status scene_read_object(const scene_reader *r, const json_place *at, const carom_field *fields,
                               const char *const *beside, const json_t *json, void *target)
{
    if (!json_is_object(json)) {
        return read_shorthand(r, at, fields, json, target);
    }
    object_keys keys = { .fields = fields, .beside = beside, .layout = field_layout_of(fields) };
    carom_status status = refuse_twice(r, at, fields, json);
    if (error_goes_on(r->err, status)) {
        status = error_worse(status, choose(r, at, &keys, json, target));
    }
    void *object = (json_t *)(uintptr_t)json;
    for (void *m = json_object_iter(object); m && error_goes_on(r->err, status);
         m = json_object_iter_next(object, m)) {
        const json_place place = { at, json_object_iter_key(m), 0 };
        if (!beside_key(beside, place.key) && !choice_key(&keys.layout, place.key)) {
            status = error_worse(status, read_member(r, &place, &keys, json_object_iter_value(m), target));
        }
    }
    for (int k = 0; k < 2 && error_goes_on(r->err, status); ++k) {
        status = error_worse(status, require(r, at, k == 0 ? fields : keys.params, &keys.layout, json));
    }
    return status;
}

static carom_status read_value3(const scene_reader *r, const json_place *at, const carom_field *field,
                                const json_t *json, carom_value *out)
{
    if (!json_is_array(json) || json_array_size(json) != 3) {
        return scene_fail(r, at, "found %s where a list of three numbers, expressions or tables is expected",
                          json_is_array(json) ? "a list of another length" : scene_json_type(json));
    }
    for (size_t i = 0; i < 3; ++i) {
        const json_place element = { at, NULL, i };
        json_t *part = json_array_get(json, i);
        carom_status status = json_is_null(part) && out[i].kind == CAROM_NUMBER && out[i].number != out[i].number
                                  ? CAROM_OK /* null leaves a component unset where that is the default */
                                  : scene_read_value(r, &element, field, part, &out[i]);
        if (status != CAROM_OK) {
            return status;
        }
    }
    return CAROM_OK;
}

static carom_status read_bool(const scene_reader *r, const json_place *at, const json_t *json, bool *out)
{
    *out = json_is_true(json);
    return json_is_boolean(json) ? CAROM_OK : scene_wrong_type(r, at, json, "true or false");
}

static carom_status read_field(const scene_reader *r, const json_place *at, const carom_field *field,
                               const json_t *json, void *target)
{
    switch (field->kind) {
    case CAROM_FIELD_BOOL:
        return read_bool(r, at, json, target);
    case CAROM_FIELD_INT:
        return scene_read_int(r, at, field, json, target);
    case CAROM_FIELD_REAL:
        return scene_read_real(r, at, field, json, target);
    case CAROM_FIELD_TEXT:
        return scene_read_text(r, at, json, target);
    case CAROM_FIELD_FILE:
        return scene_read_file_name(r, at, json, target);
    case CAROM_FIELD_ENUM:
        return scene_read_enum(r, at, field, json, target);
    case CAROM_FIELD_VECTOR:
        return scene_read_vector(r, at, field, json, target);
    case CAROM_FIELD_DIRECTION:
        return scene_read_direction(r, at, field, json, target);
    case CAROM_FIELD_ORIENTATION:
        return scene_read_orientation(r, at, json, target);
    case CAROM_FIELD_VALUE:
        return scene_read_value(r, at, field, json, target);
    case CAROM_FIELD_VALUE3:
        return read_value3(r, at, field, json, target);
    case CAROM_FIELD_CURVE:
        return scene_read_curve(r, at, field, json, target);
    case CAROM_FIELD_REALS:
        return scene_read_reals(r, at, field, json, target);
    case CAROM_FIELD_BODY:
        return scene_read_reference(r, at, json, SPEC_BODY, target);
    case CAROM_FIELD_BODY_PAIR:
        return scene_read_pair(r, at, json, target);
    case CAROM_FIELD_JOINT:
        return scene_read_reference(r, at, json, SPEC_JOINT, target);
    case CAROM_FIELD_GROUP:
        return read_group(r, at, field, json, target);
    case CAROM_FIELD_LIST:
        return field->flags & CAROM_NAMED ? read_named(r, at, field, json, target)
                                          : read_list(r, at, field, json, target);
    case CAROM_FIELD_TEXTS:
        return scene_read_texts(r, at, field, json, target);
    case CAROM_FIELD_KIND:
        return read_kind(r, at, field, json, target);
    }
    return scene_fail(r, at, "cannot be read: a field of unknown kind");
}
