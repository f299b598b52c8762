/* Variables and arithmetic in numbers: "$L/2" is text until its variables are replaced by their values; what remains
 * is evaluated by the expression library. Variables are plain numbers in scene units and may use each other. */
#include "scene/scene_reader.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/expr.h"

enum { DEEPEST_VARIABLE = 100 };

static carom_status variable_value(const scene_reader *r, const json_place *at, const char *name, double *out);

static bool name_start(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

static bool name_part(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* ---- substitution -------------------------------------------------------------------------------------------- */

/* "$name" or "${name}" at *text: moves past it. False when no name follows the $. */
static bool take_variable(const char **text, char *name, size_t size)
{
    const char *p = *text + 1;
    bool braces = *p == '{';
    p += braces;
    size_t length = 0;
    while (name_start(p[0]) && name_part(p[length]) && length + 1 < size) {
        ++length;
    }
    if (length == 0 || (braces && p[length] != '}')) {
        return false;
    }
    memcpy(name, p, length);
    name[length] = '\0';
    *text = p + length + braces;
    return true;
}

static carom_status substitute_into(const scene_reader *r, const json_place *at, const char *text, carom_text *out)
{
    char name[128];
    while (*text) {
        size_t plain = strcspn(text, "$");
        carom_text_add(out, "%.*s", (int)plain, text);
        text += plain;
        if (!*text) {
            break;
        }
        if (!take_variable(&text, name, sizeof name)) {
            return scene_fail(r, at, "a '$' must be followed by the name of a variable, as in \"$L/2\"");
        }
        double value;
        carom_status status = variable_value(r, at, name, &value);
        if (status != CAROM_OK) {
            return status;
        }
        carom_text_add(out, "(%.17g)", value);
    }
    return out->failed ? scene_no_memory(r) : CAROM_OK;
}

carom_status scene_substitute(const scene_reader *r, const json_place *at, const char *text, const char **out)
{
    size_t length = strlen(text);
    if (length > EXPR_LONGEST_TEXT) {
        return scene_fail(r, at, "an expression may have at most %d characters; \"%.60s...\" has %zu",
                          EXPR_LONGEST_TEXT, text, length);
    }
    carom_text buffer = { 0 };
    carom_status status = substitute_into(r, at, text, &buffer);
    if (status == CAROM_OK) {
        *out = carom_arena_text(r->arena, buffer.length ? buffer.data : "");
        status = *out ? CAROM_OK : scene_no_memory(r);
    }
    carom_text_free(&buffer);
    return status;
}

/* ---- evaluation ---------------------------------------------------------------------------------------------- */

/* Numbers know no names; remembers the first, for a better message. */
typedef struct unknown_name {
    char text[128];
} unknown_name;

static int refuse_name(void *context, const char *name)
{
    unknown_name *unknown = context;
    if (!unknown->text[0]) {
        snprintf(unknown->text, sizeof unknown->text, "%s", name);
    }
    return -1;
}

static carom_status bad_expression(const scene_reader *r, const json_place *at, const char *text,
                                   const unknown_name *unknown, const carom_error *inner)
{
    const char *name = unknown->text;
    if (inner->status == CAROM_NO_MEMORY) {
        return scene_no_memory(r);
    }
    if (name[0] && json_object_get(r->file->variables, name)) {
        return scene_fail(r, at, "in \"%.60s\": write $%s for the variable '%s'", text, name, name);
    }
    if (name[0]) {
        return scene_fail(r, at,
                          "in \"%.60s\": '%s' is no number; variables are written $%s and defined in \"variables\"",
                          text, name, name);
    }
    return scene_fail(r, at, "cannot evaluate the %s", inner->message);
}

carom_status scene_evaluate(const scene_reader *r, const json_place *at, const char *text, double *out)
{
    const char *plain;
    carom_status status = scene_substitute(r, at, text, &plain);
    if (status != CAROM_OK) {
        return status;
    }
    unknown_name unknown = { 0 };
    carom_error inner = { 0 };
    expr *e = expr_create(plain, refuse_name, &unknown, &inner);
    if (!e) {
        return bad_expression(r, at, text, &unknown, &inner);
    }
    *out = expr_eval(e, NULL);
    expr_destroy(e);
    bool sane = fabs(*out) <= FIELD_HUGE;
    return sane ? CAROM_OK
                : scene_fail(r, at, "\"%.60s\" evaluates to %g; a finite number up to 1e100 is expected", text, *out);
}

carom_status scene_read_number(const scene_reader *r, const json_place *at, const json_t *json, double *out)
{
    if (json_is_string(json)) {
        return scene_evaluate(r, at, json_string_value(json), out);
    }
    if (!json_is_real(json)) {
        return scene_wrong_type(r, at, json, "a number");
    }
    *out = json_real_value(json);
    bool sane = fabs(*out) <= FIELD_HUGE;
    return sane ? CAROM_OK : scene_fail(r, at, "%g is too large; numbers up to 1e100 are allowed", *out);
}

/* ---- variables ----------------------------------------------------------------------------------------------- */

static carom_status unknown_variable(const scene_reader *r, const json_place *at, const char *name)
{
    json_t *given = json_object_get(r->file->document.root, "variables");
    size_t count = json_object_size(given);
    const char **names = calloc(count + 1, sizeof *names);
    size_t filled = 0;
    const char *key;
    json_t *value;
    json_object_foreach(given, key, value)
    {
        (void)value;
        if (names && filled < count) {
            names[filled++] = key;
        }
    }
    char hint[128];
    scene_hint(names ? carom_text_nearest(name, names, filled) : NULL, hint, sizeof hint);
    free(names);
    if (strcmp(name, "index") == 0) {
        return scene_fail(r, at, "$index is known only inside an entry with \"repeat\"");
    }
    return scene_fail(r, at, "unknown variable '$%s'%s%s", name, hint,
                      count == 0 ? "; the file has no \"variables\"" : "");
}

static carom_status refuse_cycle(const scene_reader *r, const json_place *at, const char *name)
{
    char chain[512];
    snprintf(chain, sizeof chain, "%s", name);
    for (const scene_visit *v = r->visiting; v; v = v->outer) {
        char longer[sizeof chain];
        snprintf(longer, sizeof longer, "%.60s -> %.300s", v->name, chain);
        memcpy(chain, longer, sizeof chain);
        if (strcmp(v->name, name) == 0) {
            break;
        }
    }
    return scene_fail(r, at, "variables depend on each other in a circle: %s", chain);
}

static carom_status refuse_recursion(const scene_reader *r, const json_place *at, const char *name)
{
    int depth = 0;
    for (const scene_visit *v = r->visiting; v; v = v->outer) {
        if (strcmp(v->name, name) == 0) {
            return refuse_cycle(r, at, name);
        }
        ++depth;
    }
    return depth < DEEPEST_VARIABLE
               ? CAROM_OK
               : scene_fail(r, at, "variables depend on each other more than %d levels deep", DEEPEST_VARIABLE);
}

static carom_status evaluate_variable(const scene_reader *r, const json_place *at, const char *name, json_t *given,
                                      double *out)
{
    carom_status status = refuse_recursion(r, at, name);
    if (status != CAROM_OK) {
        return status;
    }
    const json_place list = { NULL, "variables", 0 };
    const json_place place = { &list, name, 0 };
    const scene_visit visit = { r->visiting, name };
    scene_reader inner = *r;
    inner.visiting = &visit;
    inner.repeating = false;
    status = scene_read_number(&inner, &place, given, out);
    json_t *value = status == CAROM_OK ? json_real(*out) : json_null(); /* null: its mistake has been told */
    if (json_object_set_new(r->file->variables, name, value) != 0) {
        return scene_no_memory(r);
    }
    return status;
}

static carom_status variable_value(const scene_reader *r, const json_place *at, const char *name, double *out)
{
    if (r->repeating && strcmp(name, "index") == 0) {
        *out = (double)r->index;
        return CAROM_OK;
    }
    json_t *known = json_object_get(r->file->variables, name);
    if (known) {
        *out = json_real_value(known);
        return json_is_null(known) ? CAROM_BAD_INPUT : CAROM_OK;
    }
    json_t *given = json_object_get(json_object_get(r->file->document.root, "variables"), name);
    return given ? evaluate_variable(r, at, name, given, out) : unknown_variable(r, at, name);
}

static carom_status check_variable_name(const scene_reader *r, const json_place *at, const char *name)
{
    bool valid = name_start(name[0]) && strlen(name) < 100;
    for (const char *c = name; *c; ++c) {
        valid = valid && name_part(*c);
    }
    if (!valid) {
        return scene_fail(r, at,
                          "'%.60s' cannot be the name of a variable: letters, digits and _ only, not a digit first",
                          name);
    }
    return strcmp(name, "index") == 0 ? scene_fail(r, at, "'index' counts repeats and cannot be a variable")
                                      : CAROM_OK;
}

carom_status scene_open_variables(scene_reader *r, scene_file *file, const json_t *changes)
{
    const json_place list = { NULL, "variables", 0 };
    json_t *given = json_object_get(file->document.root, "variables");
    file->variables = changes ? json_deep_copy(changes) : json_object();
    if (!file->variables) {
        return scene_no_memory(r);
    }
    if (given && !json_is_object(given)) {
        return scene_wrong_type(r, &list, given, "an object such as {\"L\": 2}");
    }
    carom_status status = CAROM_OK;
    for (void *m = json_object_iter(given); m && error_goes_on(r->err, status); m = json_object_iter_next(given, m)) {
        const json_place place = { &list, json_object_iter_key(m), 0 };
        double number;
        carom_status one = check_variable_name(r, &place, place.key);
        one = one == CAROM_OK ? variable_value(r, &place, place.key, &number) : one;
        status = error_worse(status, one);
    }
    return status;
}
