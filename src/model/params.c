/* Options of a kind by name, through its field table. */
#include <carom/params.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "base/text.h"
#include "model/fields.h"

struct carom_params {
    const carom_kind *kind;
    carom_arena arena; /* of the struct and all that it points to */
    void *data;
};

static const carom_field no_fields[1] = { { 0 } };

static carom_status out_of_memory(carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "out of memory for options");
}

/* ---- creation ------------------------------------------------------------------------------------------------------- */

static carom_status unknown_kind(const carom_kind *const *kinds, const char *name, carom_error *err)
{
    char all[512];
    const char *nearest = kind_nearest(kinds, name);
    kind_list(kinds, all, sizeof all);
    return carom_fail(err, CAROM_BAD_INPUT, "carom_params_create: there is no kind '%.60s'%s%s%s; there are: %s",
                      name, nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "", all);
}

carom_status carom_params_create(const carom_kind *const *kinds, const char *kind, carom_params **out,
                                 carom_error *err)
{
    const argument needed[] = { { "kinds", kinds }, { "out", out } };
    if (out) {
        *out = NULL;
    }
    carom_status status = arguments_given("carom_params_create", needed, 2, err);
    status = status == CAROM_OK ? argument_text("carom_params_create", "kind", kind, err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    const carom_kind *found = kind_find(kinds, kind);
    if (!found) {
        return unknown_kind(kinds, kind, err);
    }
    carom_params *params = calloc(1, sizeof *params);
    if (!params) {
        return out_of_memory(err);
    }
    params->kind = found;
    params->data = kind_copy(&params->arena, found, NULL, 0);
    if (params->arena.failed) {
        carom_params_destroy(params);
        return out_of_memory(err);
    }
    *out = params;
    return CAROM_OK;
}

void carom_params_destroy(carom_params *params)
{
    if (params) {
        carom_arena_free(&params->arena);
        free(params);
    }
}

carom_choice carom_params_choice(const carom_params *params)
{
    return params ? (carom_choice){ params->kind->name, params->data } : (carom_choice){ 0 };
}

/* ---- names ---------------------------------------------------------------------------------------------------------- */

/* A field of the kind, and where it is. */
typedef struct option {
    const carom_field *field;
    void *at;
} option;

/* The field that the first `length` letters of a name mean, or NULL. */
static const carom_field *find_field(const carom_field *fields, const char *name, size_t length)
{
    for (const carom_field *f = fields; f->name; ++f) {
        if (strlen(f->name) == length && memcmp(f->name, name, length) == 0) {
            return f;
        }
    }
    return NULL;
}

/* One of three values over time: "x", "y" or "z". Limits are checked where the choice is used. */
static bool find_component(const char *name, carom_value *three, option *out)
{
    static const carom_field component = { .name = "component", .kind = CAROM_FIELD_VALUE };
    bool found = name[0] >= 'x' && name[0] <= 'z' && name[1] == '\0';
    *out = (option){ &component, found ? &three[name[0] - 'x'] : NULL };
    return found;
}

static bool find_option(const carom_params *params, const char *name, option *out)
{
    const carom_field *fields = params->kind->fields ? params->kind->fields : no_fields;
    void *base = params->data;
    for (;;) {
        size_t length = strcspn(name, ".");
        const carom_field *field = find_field(fields, name, length);
        if (!field) {
            return false;
        }
        *out = (option){ field, field_in(base, field) };
        if (name[length] == '\0') {
            return true;
        }
        if (field->kind == CAROM_FIELD_VALUE3) {
            return find_component(name + length + 1, out->at, out);
        }
        if (field->kind != CAROM_FIELD_GROUP) {
            return false;
        }
        fields = field->fields;
        base = out->at;
        name += length + 1;
    }
}

static carom_status unknown_option(const char *function, const carom_params *params, const char *name,
                                   carom_error *err)
{
    enum { LIMIT = 60 };
    const char *names[LIMIT + 1];
    size_t count = 0;
    for (const carom_field *f = params->kind->fields; f && f->name && count < LIMIT; ++f) {
        names[count++] = f->name;
    }
    names[count] = NULL;
    char all[512] = "none";
    const char *nearest = carom_text_nearest(name, names, count);
    if (count > 0) {
        name_list(names, all, sizeof all);
    }
    return carom_fail(err, CAROM_BAD_INPUT, "%s: '%s' has no option '%.60s'%s%s%s; there are: %s", function,
                      params->kind->name, name, nearest ? "; did you mean '" : "", nearest ? nearest : "",
                      nearest ? "'?" : "", all);
}

static carom_status check_option(const char *function, const carom_params *params, const char *name, option *out,
                                 carom_error *err)
{
    carom_status status = argument_given(function, "params", params, err);
    status = status == CAROM_OK ? argument_text(function, "name", name, err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    return find_option(params, name, out) ? CAROM_OK : unknown_option(function, params, name, err);
}

/* Options of an optional group are given as soon as one of them is. */
static void mark_given(const carom_params *params, const char *name)
{
    const carom_field *fields = params->kind->fields;
    char *base = params->data;
    for (const char *dot = strchr(name, '.'); dot; name = dot + 1, dot = strchr(name, '.')) {
        const carom_field *group = find_field(fields, name, (size_t)(dot - name));
        base += group->offset;
        if (group->flags & CAROM_OPTIONAL) {
            *(bool *)(void *)base = true;
        }
        fields = group->fields;
    }
}

/* How an option is set, for messages. */
static const char *remedy(const carom_field *field)
{
    switch (field->kind) {
    case CAROM_FIELD_REAL:
    case CAROM_FIELD_INT:
    case CAROM_FIELD_BOOL:
    case CAROM_FIELD_VALUE:
        return "use carom_params_set";
    case CAROM_FIELD_TEXT:
    case CAROM_FIELD_FILE:
    case CAROM_FIELD_BODY:
    case CAROM_FIELD_JOINT:
    case CAROM_FIELD_ENUM:
        return "use carom_params_set_text";
    case CAROM_FIELD_VECTOR:
    case CAROM_FIELD_DIRECTION:
    case CAROM_FIELD_ORIENTATION:
    case CAROM_FIELD_REALS:
        return "use carom_params_set_list";
    case CAROM_FIELD_VALUE3:
        return "use carom_params_set_list, or set its components by their names with .x, .y and .z";
    case CAROM_FIELD_GROUP:
        return "set its options by the names of both, group.option";
    default:
        return "set it in its struct (carom/elements.h)";
    }
}

static carom_status wrong_type(const char *function, const char *name, const carom_field *field, const char *found,
                               carom_error *err)
{
    return carom_fail(err, CAROM_BAD_INPUT, "%s: '%.60s' cannot be set by %s; %s", function, name, found,
                      remedy(field));
}

/* The function is right, what it was given is not. */
static carom_status wrong_value(const char *function, const char *name, const char *found, carom_error *err)
{
    return carom_fail(err, CAROM_BAD_INPUT, "%s: '%.60s' cannot be set by %s", function, name, found);
}

/* ---- numbers -------------------------------------------------------------------------------------------------------- */

static carom_status check_number(const char *function, const char *name, const carom_field *field, double x,
                                 carom_error *err)
{
    const char *problem = field_number_problem(field, x);
    char found[40];
    return problem ? carom_fail(err, CAROM_BAD_INPUT, "%s: '%.60s' %s, not %s", function, name, problem,
                                number_text(x, found, sizeof found))
                   : CAROM_OK;
}

static carom_status set_number(const char *name, const option *o, double value, carom_error *err)
{
    static const char function[] = "carom_params_set";
    bool whole = value == floor(value) && fabs(value) <= INT32_MAX;
    bool logical = value == 0.0 || value == 1.0;
    switch (o->field->kind) {
    case CAROM_FIELD_REAL:
        *(double *)o->at = value;
        return CAROM_OK;
    case CAROM_FIELD_VALUE:
        *(carom_value *)o->at = carom_value_number(value);
        return CAROM_OK;
    case CAROM_FIELD_INT:
        *(int *)o->at = whole ? (int)value : *(int *)o->at;
        return whole ? CAROM_OK : wrong_value(function, name, "a number that is no integer", err);
    case CAROM_FIELD_BOOL:
        *(bool *)o->at = logical ? value != 0.0 : *(bool *)o->at;
        return logical ? CAROM_OK : wrong_value(function, name, "a number other than 0 and 1", err);
    default:
        return wrong_type(function, name, o->field, "a number", err);
    }
}

carom_status carom_params_set(carom_params *params, const char *name, double value, carom_error *err)
{
    static const char function[] = "carom_params_set";
    option o;
    carom_status status = check_option(function, params, name, &o, err);
    if (status == CAROM_OK && o.field->kind == CAROM_FIELD_REALS) {
        return carom_params_set_list(params, name, &value, 1, err);
    }
    status = status == CAROM_OK ? check_number(function, name, o.field, value, err) : status;
    status = status == CAROM_OK ? set_number(name, &o, value, err) : status;
    if (status == CAROM_OK) {
        mark_given(params, name);
    }
    return status;
}

static carom_status get_number(const char *name, const option *o, double *out, carom_error *err)
{
    const carom_value *value = o->at;
    switch (o->field->kind) {
    case CAROM_FIELD_REAL:
        *out = *(const double *)o->at;
        return CAROM_OK;
    case CAROM_FIELD_INT:
        *out = *(const int *)o->at;
        return CAROM_OK;
    case CAROM_FIELD_BOOL:
        *out = *(const bool *)o->at;
        return CAROM_OK;
    case CAROM_FIELD_VALUE:
        if (value->kind == CAROM_NUMBER) {
            *out = value->number;
            return CAROM_OK;
        }
        break;
    default:
        break;
    }
    return carom_fail(err, CAROM_BAD_INPUT, "carom_params_get: '%.60s' is no number", name);
}

carom_status carom_params_get(const carom_params *params, const char *name, double *out, carom_error *err)
{
    option o;
    carom_status status = argument_given("carom_params_get", "out", out, err);
    status = status == CAROM_OK ? check_option("carom_params_get", params, name, &o, err) : status;
    return status == CAROM_OK ? get_number(name, &o, out, err) : status;
}

/* ---- several numbers ------------------------------------------------------------------------------------------------ */

/* How many numbers the field takes: from *least to *most. */
static bool list_length(const carom_field *field, size_t *least, size_t *most)
{
    switch (field->kind) {
    case CAROM_FIELD_VECTOR:
    case CAROM_FIELD_DIRECTION:
    case CAROM_FIELD_VALUE3:
        *least = *most = 3;
        return true;
    case CAROM_FIELD_ORIENTATION:
        *least = *most = 4;
        return true;
    case CAROM_FIELD_REALS:
        *least = field->min_count;
        *most = field->max_count ? field->max_count : FIELD_MOST;
        return true;
    default:
        return false;
    }
}

static carom_status check_list(const char *name, const carom_field *field, const double *values, size_t count,
                               carom_error *err)
{
    static const char function[] = "carom_params_set_list";
    size_t least = 0;
    size_t most = 0;
    if (!list_length(field, &least, &most)) {
        return wrong_type(function, name, field, "a list of numbers", err);
    }
    if (count < least || count > most) {
        return carom_fail(err, CAROM_BAD_INPUT, "%s: '%.60s' takes %zu to %zu numbers, not %zu", function, name,
                          least, most, count);
    }
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < count && status == CAROM_OK; ++i) {
        status = check_number(function, name, field, values[i], err);
    }
    return status;
}

carom_status carom_params_set_list(carom_params *params, const char *name, const double *values, size_t count,
                                   carom_error *err)
{
    option o;
    carom_status status = check_option("carom_params_set_list", params, name, &o, err);
    status = status == CAROM_OK ? argument_given("carom_params_set_list", "values", values, err) : status;
    status = status == CAROM_OK ? check_list(name, o.field, values, count, err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    if (o.field->kind == CAROM_FIELD_REALS) {
        const double *copy = carom_arena_copy(&params->arena, values, count * sizeof *values);
        if (params->arena.failed) {
            params->arena.failed = false; /* what was there before is still good */
            return out_of_memory(err);
        }
        *(carom_reals *)o.at = (carom_reals){ count, copy };
    } else if (o.field->kind == CAROM_FIELD_VALUE3) {
        for (size_t i = 0; i < count; ++i) {
            ((carom_value *)o.at)[i] = carom_value_number(values[i]);
        }
    } else {
        memcpy(o.at, values, count * sizeof *values);
    }
    mark_given(params, name);
    return CAROM_OK;
}

/* ---- texts ---------------------------------------------------------------------------------------------------------- */

static carom_status set_enum(const char *name, const option *o, const char *text, carom_error *err)
{
    size_t count = 0;
    for (; o->field->names[count]; ++count) {
        if (strcmp(o->field->names[count], text) == 0) {
            *(int *)o->at = (int)count;
            return CAROM_OK;
        }
    }
    char all[256];
    name_list(o->field->names, all, sizeof all);
    return carom_fail(err, CAROM_BAD_INPUT, "carom_params_set_text: '%.60s' cannot be '%.60s'; there are: %s", name,
                      text, all);
}

static carom_status set_copy(carom_params *params, const option *o, const char *text, carom_error *err)
{
    const char *copy = carom_arena_text(&params->arena, text);
    if (!copy) {
        params->arena.failed = false;
        return out_of_memory(err);
    }
    if (o->field->kind == CAROM_FIELD_VALUE) {
        *(carom_value *)o->at = carom_value_expression(copy);
    } else {
        *(const char **)o->at = copy;
    }
    return CAROM_OK;
}

static carom_status set_text(carom_params *params, const char *name, const option *o, const char *text,
                             carom_error *err)
{
    static const char function[] = "carom_params_set_text";
    bool yes = strcmp(text, "true") == 0;
    switch (o->field->kind) {
    case CAROM_FIELD_ENUM:
        return set_enum(name, o, text, err);
    case CAROM_FIELD_BOOL:
        if (!yes && strcmp(text, "false") != 0) {
            return wrong_value(function, name, "a text other than 'true' and 'false'", err);
        }
        *(bool *)o->at = yes;
        return CAROM_OK;
    case CAROM_FIELD_TEXT:
    case CAROM_FIELD_FILE:
    case CAROM_FIELD_BODY:
    case CAROM_FIELD_JOINT:
    case CAROM_FIELD_VALUE:
        return set_copy(params, o, text, err);
    default:
        return wrong_type(function, name, o->field, "a text", err);
    }
}

carom_status carom_params_set_text(carom_params *params, const char *name, const char *text, carom_error *err)
{
    option o;
    carom_status status = check_option("carom_params_set_text", params, name, &o, err);
    status = status == CAROM_OK ? argument_given("carom_params_set_text", "text", text, err) : status;
    status = status == CAROM_OK ? set_text(params, name, &o, text, err) : status;
    if (status == CAROM_OK) {
        mark_given(params, name);
    }
    return status;
}

const char *carom_params_get_text(const carom_params *params, const char *name)
{
    option o;
    if (!params || !name || !find_option(params, name, &o)) {
        return NULL;
    }
    const carom_value *value = o.at;
    switch (o.field->kind) {
    case CAROM_FIELD_ENUM:
        return o.field->names[*(const int *)o.at];
    case CAROM_FIELD_TEXT:
    case CAROM_FIELD_FILE:
    case CAROM_FIELD_BODY:
    case CAROM_FIELD_JOINT:
        return *(const char *const *)o.at;
    case CAROM_FIELD_VALUE:
        return value->kind == CAROM_EXPRESSION ? value->expression : NULL;
    default:
        return NULL;
    }
}
