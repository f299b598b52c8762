/* Field tables as JSON Schema (draft 2020-12). Numbers accept texts, since a text may be an expression. */
#include "scene/schema.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static json_t *schema_field(const carom_field *field);

/* ---- small pieces -------------------------------------------------------------------------------------------- */

json_t *schema_ref(const char *name)
{
    return json_pack("{s:o}", "$ref", json_sprintf("#/$defs/%s", name));
}

json_t *schema_list(json_t *item)
{
    return json_pack("{s:s, s:o}", "type", "array", "items", item);
}

static json_t *list_of(json_t *item, size_t least, size_t most)
{
    json_t *list = schema_list(item);
    if (least > 0) {
        json_object_set_new(list, "minItems", json_integer((json_int_t)least));
    }
    if (most > 0) {
        json_object_set_new(list, "maxItems", json_integer((json_int_t)most));
    }
    return list;
}

static json_t *either(json_t *a, json_t *b)
{
    return json_pack("{s:[o, o]}", "anyOf", a, b);
}

const char *schema_plural(const char *name, char *buffer, size_t size)
{
    size_t length = strlen(name);
    bool plural = length > 0 && name[length - 1] == 's';
    snprintf(buffer, size, "%.*s%s", (int)(plural ? length - 1 : length), name, plural ? "" : "s");
    return buffer;
}

static json_t *number(const carom_field *field, const char *type)
{
    json_t *schema = json_pack("{s:[s, s], s:f}", "type", type, "string", "maximum", FIELD_HUGE);
    if (field->flags & CAROM_POSITIVE) {
        json_object_set_new(schema, "exclusiveMinimum", json_integer(0));
    } else if (field->flags & CAROM_NONNEGATIVE) {
        json_object_set_new(schema, "minimum", json_integer(0));
    } else {
        json_object_set_new(schema, "minimum", json_real(-FIELD_HUGE));
    }
    return schema;
}

static json_t *names(const char *const *list)
{
    json_t *array = json_array();
    for (; list && *list; ++list) {
        json_array_append_new(array, json_string(*list));
    }
    return json_pack("{s:o}", "enum", array);
}

/* ---- defaults ------------------------------------------------------------------------------------------------ */

static json_t *reals(const double *data, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; ++i) {
        if (!isfinite(data[i])) {
            json_decref(array);
            return NULL;
        }
        json_array_append_new(array, json_real(data[i]));
    }
    return array;
}

/* A default that would be refused if written (mass 0) means "not given". */
static json_t *default_number(const carom_field *field, double x)
{
    return isfinite(x) && !field_number_problem(field, x) ? json_real(x) : NULL;
}

json_t *schema_default(const carom_field *field, const void *defaults)
{
    if (!defaults || (field->flags & CAROM_REQUIRED)) {
        return NULL;
    }
    const void *at = field_of(defaults, field);
    switch (field->kind) {
    case CAROM_FIELD_BOOL:
        return json_boolean(*(const bool *)at);
    case CAROM_FIELD_INT:
        return json_integer(*(const int *)at);
    case CAROM_FIELD_REAL:
        return default_number(field, *(const double *)at);
    case CAROM_FIELD_ENUM:
        return json_string(field->names[*(const int *)at]);
    case CAROM_FIELD_VECTOR:
    case CAROM_FIELD_DIRECTION:
        return reals(at, 3);
    case CAROM_FIELD_ORIENTATION:
        return reals(at, 4);
    case CAROM_FIELD_VALUE: {
        const carom_value *value = at;
        return value->kind == CAROM_NUMBER ? default_number(field, value->number) : NULL;
    }
    default:
        return NULL;
    }
}

/* ---- kinds --------------------------------------------------------------------------------------------------- */

/* Parameters of a kind as the value of one key: an object, or its shorthand. */
static json_t *params_schema(const carom_kind *kind)
{
    static const carom_field none[1] = { { 0 } };
    const carom_field *fields = kind->fields ? kind->fields : none;
    return schema_object(fields, kind->defaults, NULL);
}

/* {"name": {...}} */
static json_t *with_params(const carom_kind *kind)
{
    return json_pack("{s:s, s:s*, s:{s:o}, s:[s], s:b}", "type", "object", "description", kind->doc, "properties",
                     kind->name, params_schema(kind), "required", kind->name, "additionalProperties", 0);
}

/* "name", {"name": {...}}, or a number where one kind is meant by it. */
static json_t *kind_schema(const carom_field *field)
{
    const carom_kind *const *kinds = field->kinds;
    const carom_kind *of_number = kind_of_number(field);
    json_t *options = json_array();
    json_t *bare = json_array();
    for (; kinds && *kinds; ++kinds) {
        json_array_append_new(bare, json_string((*kinds)->name));
        json_array_append_new(options, with_params(*kinds));
    }
    const carom_kind *user = kind_from_program(field->kinds);
    if (user) {
        json_array_append_new(options, with_params(user));
    }
    json_array_insert_new(options, 0, json_pack("{s:o}", "enum", bare));
    if (of_number) {
        json_array_insert_new(options, 0, number(field_shorthand(of_number->fields), "number"));
    }
    return json_pack("{s:o}", "anyOf", options);
}

/* ---- fields -------------------------------------------------------------------------------------------------- */

static json_t *group_schema(const carom_field *field)
{
    return schema_object(field->fields, NULL, NULL);
}

static json_t *item_schema(const carom_field *field)
{
    if (field->fields == carom_shape_fields()) {
        return schema_ref("shape"); /* large, and used twice */
    }
    return schema_object(field->fields, field->item_defaults, NULL);
}

static json_t *list_schema(const carom_field *field)
{
    if (field->flags & CAROM_NAMED) { /* the name is the key */
        return json_pack("{s:s, s:o}", "type", "object", "additionalProperties",
                         schema_object(field->fields + 1, field->item_defaults, NULL));
    }
    return either(item_schema(field), list_of(item_schema(field), field->min_count, field->max_count));
}

static json_t *value_schema(const carom_field *field)
{
    return either(number(field, "number"), schema_ref("table"));
}

static json_t *schema_field(const carom_field *field)
{
    const carom_field plain = { .name = field->name };
    switch (field->kind) {
    case CAROM_FIELD_BOOL:
        return json_pack("{s:s}", "type", "boolean");
    case CAROM_FIELD_INT:
        return number(field, "integer");
    case CAROM_FIELD_REAL:
        return number(field, "number");
    case CAROM_FIELD_TEXT:
    case CAROM_FIELD_FILE:
    case CAROM_FIELD_BODY:
    case CAROM_FIELD_JOINT:
        return json_pack("{s:s}", "type", "string");
    case CAROM_FIELD_ENUM:
        return names(field->names);
    case CAROM_FIELD_VECTOR:
        return list_of(number(field, "number"), 3, 3);
    case CAROM_FIELD_DIRECTION:
        return list_of(number(&plain, "number"), 3, 3);
    case CAROM_FIELD_ORIENTATION:
        return schema_ref("orientation");
    case CAROM_FIELD_VALUE:
        return value_schema(field);
    case CAROM_FIELD_VALUE3:
        return list_of(either(value_schema(field), json_pack("{s:s}", "type", "null")), 3, 3);
    case CAROM_FIELD_CURVE:
        return schema_ref("table");
    case CAROM_FIELD_REALS: {
        json_t *list = list_of(number(field, "number"), field->min_count, field->max_count);
        return field->min_count == 1 ? either(number(field, "number"), list) : list;
    }
    case CAROM_FIELD_BODY_PAIR:
        return list_of(json_pack("{s:s}", "type", "string"), 2, 2);
    case CAROM_FIELD_GROUP:
        return group_schema(field);
    case CAROM_FIELD_LIST:
        return list_schema(field);
    case CAROM_FIELD_TEXTS:
        return list_of(json_pack("{s:s}", "type", "string"), field->min_count, field->max_count);
    case CAROM_FIELD_KIND:
        return kind_schema(field);
    }
    return json_object();
}

static json_t *described(const carom_field *field, const void *defaults)
{
    json_t *schema = schema_field(field);
    char unit[64];
    field_unit(field, unit, sizeof unit);
    json_t *text = unit[0] ? json_sprintf("%s [%s in SI]", field->doc ? field->doc : "", unit)
                           : json_string(field->doc ? field->doc : "");
    json_object_set_new(schema, "description", text);
    json_t *value = schema_default(field, defaults);
    if (value) {
        json_object_set_new(schema, "default", value);
    }
    return schema;
}

/* ---- objects ------------------------------------------------------------------------------------------------- */

static void add_properties(json_t *properties, json_t *required, const carom_field *fields, const void *defaults,
                           const field_layout *layout)
{
    for (const carom_field *f = fields; f && f->name; ++f) {
        if (field_is_choice(f, layout)) {
            continue;
        }
        char other[64];
        json_object_set_new(properties, f->name, described(f, defaults));
        if (f->kind == CAROM_FIELD_LIST && field_find(fields, schema_plural(f->name, other, sizeof other)) == f) {
            json_object_set_new(properties, other, described(f, defaults));
        } else if (f->flags & CAROM_REQUIRED) {
            json_array_append_new(required, json_string(f->name));
        }
    }
}

/* What all kinds have in common is defined once and referred to. */
static void add_common(json_t *properties, json_t *required, const carom_field *fields, const char *common,
                       const field_layout *layout)
{
    json_t *found = json_object();
    add_properties(found, required, fields, NULL, layout);
    const char *key;
    json_t *value;
    json_object_foreach(found, key, value)
    {
        (void)value;
        json_t *ref = json_pack("{s:o}", "$ref", json_sprintf("#/$defs/%s/properties/%s", common, key));
        json_object_set_new(properties, key, ref);
    }
    json_decref(found);
}

json_t *schema_common(const carom_field *fields, const void *defaults)
{
    const field_layout layout = field_layout_of(fields);
    json_t *properties = json_object();
    json_t *required = json_array();
    add_properties(properties, required, fields, defaults, &layout);
    json_decref(required);
    return json_pack("{s:o}", "properties", properties);
}

static json_t *plain_object(json_t *properties, json_t *required, const char *doc)
{
    json_t *object = json_pack("{s:s, s:s*, s:o, s:b}", "type", "object", "description", doc, "properties",
                               properties, "additionalProperties", 0);
    if (json_array_size(required) > 0) {
        json_object_set_new(object, "required", required);
    } else {
        json_decref(required);
    }
    return object;
}

/* {"type": "revolute", ...} or {"box": ..., ...}: one schema per kind, told apart by a constant or a key. */
static json_t *object_of_kind(const carom_field *fields, const char *common, const json_t *more,
                              const field_layout *layout, const carom_kind *kind)
{
    json_t *properties = json_object();
    json_t *required = json_array();
    const char *key = layout->selector ? layout->selector : kind->name;
    json_t *choice = layout->selector ? json_pack("{s:s}", "const", kind->name) : params_schema(kind);
    json_object_set_new(properties, key, choice);
    json_array_append_new(required, json_string(key));
    if (common) {
        add_common(properties, required, fields, common, layout);
    } else {
        add_properties(properties, required, fields, NULL, layout);
    }
    for (const carom_kind *const *other = layout->kinds; layout->shared && *other; ++other) {
        json_t *unused = json_array();
        add_properties(properties, unused, (*other)->fields, (*other)->defaults, layout);
        json_decref(unused);
    }
    if (layout->selector) {
        add_properties(properties, required, kind->fields, kind->defaults, layout);
    }
    json_object_update(properties, (json_t *)(uintptr_t)more);
    return plain_object(properties, required, kind->doc);
}

json_t *schema_kinds(const carom_field *fields, const char *common, json_t *more)
{
    field_layout layout = field_layout_of(fields);
    json_t *options = json_array();
    for (const carom_kind *const *kind = layout.kinds; *kind; ++kind) {
        json_array_append_new(options, object_of_kind(fields, common, more, &layout, *kind));
    }
    json_decref(more);
    return json_pack("{s:o}", "oneOf", options);
}

static json_t *schema_without_kind(const carom_field *fields, const void *defaults, json_t *more)
{
    const field_layout none = { 0 };
    json_t *properties = json_object();
    json_t *required = json_array();
    add_properties(properties, required, fields, defaults, &none);
    json_object_update(properties, more);
    json_decref(more);
    json_t *object = plain_object(properties, required, NULL);
    const carom_field *shorthand = field_shorthand(fields);
    return shorthand ? either(schema_field(shorthand), object) : object;
}

json_t *schema_object(const carom_field *fields, const void *defaults, json_t *more)
{
    return field_layout_of(fields).kinds ? schema_kinds(fields, NULL, more)
                                         : schema_without_kind(fields, defaults, more);
}
