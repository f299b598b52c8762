/* Names: $index in repeated entries, prefixes of included files, references that must exist.
 *
 * An included file's own names get its prefix; names it does not define are taken as they are, so that a sub-assembly
 * may attach to something of the scene that includes it. */
#include "scene/scene_reader.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- $index -------------------------------------------------------------------------------------------------- */

static bool is_index(const char *text)
{
    const char after = strncmp(text, "$index", 6) == 0 ? text[6] : 'x';
    return !isalnum((unsigned char)after) && after != '_';
}

/* "[$index+1]" becomes "[4]", "{$index+1}" becomes "4". *text moves past the closing bracket. */
static carom_status expand_bracket(const scene_reader *r, const json_place *at, const char **text, carom_text *out)
{
    bool square = **text == '[';
    size_t length = strcspn(*text, square ? "]" : "}");
    const char *inside = carom_arena_printf(r->arena, "%.*s", (int)length - 1, *text + 1);
    if (!inside) {
        return scene_no_memory(r);
    }
    double value;
    carom_status status = scene_evaluate(r, at, inside, &value);
    if (status != CAROM_OK) {
        return status;
    }
    if (value != floor(value) || fabs(value) > 1e9) {
        return scene_fail(r, at, "[%.100s] is %g; a name can only contain an integer", inside, value);
    }
    carom_text_add(out, square ? "[%ld]" : "%ld", (long)value);
    *text += length + 1;
    return CAROM_OK;
}

static bool bracket_with_variable(const char *text)
{
    if (*text != '[' && *text != '{') {
        return false;
    }
    size_t length = strcspn(text, *text == '[' ? "]" : "}");
    return text[length] && memchr(text, '$', length);
}

static carom_status expand_into(const scene_reader *r, const json_place *at, const char *text, carom_text *out)
{
    while (*text) {
        if (bracket_with_variable(text)) {
            carom_status status = expand_bracket(r, at, &text, out);
            if (status != CAROM_OK) {
                return status;
            }
        } else if (r->repeating && *text == '$' && is_index(text)) {
            carom_text_add(out, "%ld", r->index);
            text += strlen("$index");
        } else {
            carom_text_add(out, "%c", *text++);
        }
    }
    return out->failed ? scene_no_memory(r) : CAROM_OK;
}

carom_status scene_expand(const scene_reader *r, const json_place *at, const char *text, const char **out)
{
    if (!r->in_entry || !strchr(text, '$')) {
        *out = carom_arena_text(r->arena, text);
        return *out ? CAROM_OK : scene_no_memory(r);
    }
    carom_text buffer = { 0 };
    carom_status status = expand_into(r, at, text, &buffer);
    if (status == CAROM_OK) {
        *out = carom_arena_text(r->arena, buffer.length ? buffer.data : "");
        status = *out ? CAROM_OK : scene_no_memory(r);
    }
    carom_text_free(&buffer);
    return status;
}

carom_status scene_entry_name(const scene_reader *r, const json_place *at, const json_t *json, bool with_prefix,
                              const char **out)
{
    const json_place place = { at, "name", 0 };
    const char *template = json_string_value(json_object_get(json, "name"));
    const char *name;
    *out = NULL;
    if (!template || !template[0]) {
        return CAROM_OK; /* missing or not a text: refused when the entry is read */
    }
    carom_status status = scene_expand(r, &place, template, &name);
    if (status != CAROM_OK) {
        return status;
    }
    const char *prefix = with_prefix ? r->file->prefix : "";
    *out = r->repeating && !strstr(template, "$index")
               ? carom_arena_printf(r->arena, "%s%s[%ld]", prefix, name, r->index)
               : carom_arena_printf(r->arena, "%s%s", prefix, name);
    return *out ? CAROM_OK : scene_no_memory(r);
}

/* ---- prefixes ------------------------------------------------------------------------------------------------ */

static bool defined_here(const scene_reader *r, const char *name)
{
    spec_class which;
    size_t index;
    return spec_names_find(&r->file->names, name, &which, &index);
}

const char *scene_resolve(const scene_reader *r, const char *name)
{
    bool here = r->file->prefix[0] && defined_here(r, name);
    return here ? carom_arena_printf(r->arena, "%s%s", r->file->prefix, name) : name;
}

static bool signal_part(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("_.[]", c));
}

/* Whether a signal such as "rod.position.x" begins with a name of this file; names may themselves contain dots. */
static bool signal_of_this_file(const scene_reader *r, const char *signal, size_t length)
{
    char name[256];
    if (length >= sizeof name) {
        return false;
    }
    memcpy(name, signal, length);
    name[length] = '\0';
    for (char *dot = name + length; dot; dot = strrchr(name, '.')) {
        *dot = '\0';
        if (defined_here(r, name)) {
            return true;
        }
    }
    return false;
}

/* Past a number, so that the e of 1e5 is not taken for a name. */
static size_t number_length(const char *text)
{
    size_t length = strspn(text, "0123456789.");
    if (length && (text[length] == 'e' || text[length] == 'E')) {
        size_t sign = text[length + 1] == '+' || text[length + 1] == '-';
        size_t digits = strspn(text + length + 1 + sign, "0123456789");
        length += digits ? 1 + sign + digits : 0;
    }
    return length;
}

const char *scene_resolve_expression(const scene_reader *r, const char *text)
{
    if (!r->file->prefix[0]) {
        return text;
    }
    carom_text out = { 0 };
    while (*text) {
        size_t length = number_length(text);
        if (length == 0 && (isalpha((unsigned char)*text) || *text == '_')) {
            while (signal_part(text[length])) {
                ++length;
            }
            bool ours = text[length] != '(' && signal_of_this_file(r, text, length);
            carom_text_add(&out, "%s", ours ? r->file->prefix : "");
        }
        length += length == 0;
        carom_text_add(&out, "%.*s", (int)length, text);
        text += length;
    }
    const char *result = out.failed ? NULL : carom_arena_text(r->arena, out.length ? out.data : "");
    carom_text_free(&out);
    return result;
}

/* ---- references ---------------------------------------------------------------------------------------------- */

static bool names_unsure(const scene_file *file)
{
    while (file->parent) {
        file = file->parent;
    }
    return file->names_unsure;
}

carom_status scene_check_reference(const scene_reader *r, const json_place *at, const char *name, spec_class which)
{
    static const char *const words[3] = { "body", "joint", "force" };
    bool special = which == SPEC_BODY && (strcmp(name, "ground") == 0 || strcmp(name, "all") == 0);
    if (special || !r->all_names) {
        return CAROM_OK;
    }
    spec_class found;
    size_t index;
    bool known = spec_names_find(r->all_names, name, &found, &index);
    if (known && found == which) {
        return CAROM_OK;
    }
    if (known) {
        return scene_fail(r, at, "'%.100s' is a %s, not a %s", name, words[found], words[which]);
    }
    if (names_unsure(r->file)) {
        return CAROM_BAD_INPUT; /* it may be one of those that could not be read, which have been told */
    }
    const char *const ground[] = { "ground" };
    const char *nearest = spec_names_nearest(r->all_names, name, which);
    nearest = nearest || which != SPEC_BODY ? nearest : carom_text_nearest(name, ground, 1);
    char hint[256];
    bool foreign = which == SPEC_BODY && scene_foreign_hint(name, ground, 1, hint, sizeof hint);
    return scene_fail(r, at, "there is no %s '%.100s'%s", words[which], name,
                      foreign ? hint : scene_hint(nearest, hint, sizeof hint));
}
