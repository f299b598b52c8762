/* Attributes of robots: numbers, texts, options; what is wrong and what is left aside. */
#include "scene/robot.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "mesh_files/mesh_text.h"

/* ---- errors and remarks ------------------------------------------------------------------------------------------------------- */

carom_status robot_no_memory(const robot *r)
{
    return scene_no_memory(r->t->r);
}

carom_status robot_parse(robot *r, const json_document *document, xml_element **out)
{
    carom_error *err = r->t->r->err;
    carom_status status = xml_parse(out, document->text, document->length, document->file, r->arena, err);
    return status == CAROM_BAD_INPUT ? error_note(err) : status;
}

carom_status robot_fail(const robot *r, const xml_element *at, const char *fmt, ...)
{
    carom_error *err = r->t->r->err;
    va_list args;
    va_start(args, fmt);
    err->status = CAROM_BAD_INPUT;
    vsnprintf(err->message, sizeof err->message, fmt, args);
    va_end(args);
    snprintf(err->file, sizeof err->file, "%s", r->t->document->file);
    err->line = at ? at->line : 0;
    xml_path(at, err->path, sizeof err->path);
    return error_note(err);
}

void robot_remark(robot *r, remark_kind kind, const xml_element *at, const char *fmt, ...)
{
    char text[900];
    char path[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    translation_remark(r->t, kind, at ? at->line : 0, xml_path(at, path, sizeof path), text);
}

void robot_ignore(robot *r, const xml_element *element)
{
    json_t *entry = json_object_get(r->ignored, element->name);
    if (!entry) {
        translation_set(r->t, r->ignored, element->name, json_pack("[ii]", 0, element->line));
        entry = json_object_get(r->ignored, element->name);
    }
    json_t *count = json_array_get(entry, 0);
    if (count) {
        json_integer_set(count, json_integer_value(count) + 1);
    }
}

static size_t count_names(const char *const *names)
{
    size_t count = 0;
    while (names[count]) {
        ++count;
    }
    return count;
}

void robot_ignore_strangers(robot *r, const xml_element *element, const char *const *known)
{
    for (const xml_element *child = xml_child(element, NULL); child; child = child->next) {
        const char *nearest = carom_text_nearest(child->name, known, count_names(known));
        if (!nearest) {
            robot_ignore(r, child);
        } else if (strcmp(nearest, child->name) != 0) {
            r->misspelt = robot_fail(r, child, "there is no <%.60s> in <%.60s>; did you mean <%s>?", child->name,
                                     element->name, nearest);
        }
    }
}

void robot_tell_ignored(robot *r)
{
    const char *name;
    json_t *entry;
    json_object_foreach(r->ignored, name, entry)
    {
        int count = (int)json_integer_value(json_array_get(entry, 0));
        char text[200];
        snprintf(text, sizeof text, "%d <%.60s> without effect, the first in this line", count, name);
        translation_remark(r->t, REMARK_NOTE, (int)json_integer_value(json_array_get(entry, 1)), "", text);
    }
}

static const char *words_for(const xml_element *e, const robot_words *words)
{
    for (; words->element; ++words) {
        bool inside = !words->parent || (e->parent && strcmp(words->parent, e->parent->name) == 0);
        if (inside && strcmp(words->element, e->name) == 0) {
            return words->attributes;
        }
    }
    return NULL;
}

enum { WORD_ROOM = 40 };

/* Of words between blanks the one that is meant, into `out`; false: none. */
static bool find_word(const char *words, const char *meant, char out[WORD_ROOM])
{
    bool found = false;
    for (const char *at = words; *at; at += strcspn(at, " ")) {
        at += strspn(at, " ");
        char word[WORD_ROOM];
        const char *candidates[] = { word, found ? out : word };
        snprintf(word, sizeof word, "%.*s", (int)strcspn(at, " "), at);
        const char *nearest = *word ? carom_text_nearest(meant, candidates, 2) : NULL;
        found = found || nearest;
        if (nearest == word) {
            memcpy(out, word, sizeof word);
        }
    }
    return found;
}

void robot_check_attributes(robot *r, const xml_element *element, const robot_words *words)
{
    const char *known = words_for(element, words);
    if (!known) {
        return;
    }
    for (size_t i = 0; i < element->attribute_count; ++i) {
        const char *name = element->attributes[i].name;
        char meant[WORD_ROOM];
        if (strncmp(name, "xmlns", 5) == 0) {
            continue;
        }
        if (!find_word(known, name, meant)) {
            robot_remark(r, REMARK_WARNING, element, "'%.60s' of <%.60s> is not read: it has no effect", name,
                         element->name);
        } else if (strcmp(meant, name) != 0) {
            r->misspelt = robot_fail(r, element, "<%.60s> has no attribute '%.60s'; did you mean '%s'?",
                                     element->name, name, meant);
        }
    }
    for (const xml_element *child = xml_child(element, NULL); child; child = child->next) {
        robot_check_attributes(r, child, words);
    }
}

/* ---- attributes ----------------------------------------------------------------------------------------------------------------- */

carom_status robot_numbers(const robot *r, const xml_element *at, const char *name, const char *text, size_t least,
                           size_t most, double *out, size_t *count)
{
    const double largest = 1e100;
    mesh_text words = { text, text + strlen(text), 1 };
    size_t n = 0;
    for (mesh_word word = mesh_text_word(&words); word.length > 0; word = mesh_text_word(&words)) {
        double value = 0.0;
        if (!mesh_word_number(word, &value) || !(fabs(value) <= largest)) {
            return robot_fail(r, at, "%s: '%.*s' is no number", name, MESH_WORD_SHOWN(word));
        }
        if (n < most) {
            out[n] = value;
        }
        n += 1;
    }
    if (n < least || n > most) {
        return least == most
                   ? robot_fail(r, at, "%s has %zu numbers; %zu %s needed", name, n, least, least == 1 ? "is" : "are")
                   : robot_fail(r, at, "%s has %zu numbers; it takes %zu to %zu", name, n, least, most);
    }
    if (count) {
        *count = n;
    }
    return CAROM_OK;
}

carom_status robot_number(const robot *r, const xml_element *at, const char *name, double *out)
{
    const char *text = xml_attribute_of(at, name);
    return text ? robot_numbers(r, at, name, text, 1, 1, out, NULL) : CAROM_OK;
}

carom_status robot_vector(const robot *r, const xml_element *at, const char *name, v3 *out)
{
    double x[3];
    const char *text = xml_attribute_of(at, name);
    carom_status status = text ? robot_numbers(r, at, name, text, 3, 3, x, NULL) : CAROM_OK;
    if (text && status == CAROM_OK) {
        *out = v3_load(x);
    }
    return status;
}

carom_status robot_text(const robot *r, const xml_element *at, const char *name, const char **out)
{
    *out = xml_attribute_of(at, name);
    return *out && **out ? CAROM_OK : robot_fail(r, at, "the attribute '%s' is missing", name);
}

carom_status robot_unit(const robot *r, const xml_element *at, const char *name, v3 *axis)
{
    double length = v3_norm(*axis);
    if (!(length > 0.0) || !isfinite(length)) {
        return robot_fail(r, at, "%s is a direction; its length is %g", name, length);
    }
    *axis = v3_scale(1.0 / length, *axis);
    return CAROM_OK;
}

/* ---- options of the import -------------------------------------------------------------------------------------------------------- */

static json_t *options_of(const robot *r)
{
    return json_object_get(r->t->document->root, "import");
}

bool robot_owns_override(const char *override)
{
    return strncmp(override, "import.", 7) == 0;
}

const char *robot_option_text(const robot *r, const char *name)
{
    return json_string_value(json_object_get(options_of(r), name));
}

carom_status robot_option_choice(const robot *r, const char *name, const char *const *words, int *out)
{
    const json_t *json = json_object_get(options_of(r), name);
    const char *text = json_string_value(json);
    for (int i = 0; text && words[i]; ++i) {
        if (strcmp(words[i], text) == 0) {
            *out = i;
            return CAROM_OK;
        }
    }
    char all[200] = "";
    for (int i = 0; words[i]; ++i) {
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s'%s'", i ? ", " : "", words[i]);
    }
    return json ? robot_fail(r, NULL, "import.%s is one of %s", name, all) : CAROM_OK;
}

carom_status robot_option_number(const robot *r, const char *name, double *out)
{
    const json_t *json = json_object_get(options_of(r), name);
    if (json && !(json_is_real(json) && json_real_value(json) > 0.0)) {
        return robot_fail(r, NULL, "import.%s is a positive number", name);
    }
    *out = json ? json_real_value(json) : *out;
    return CAROM_OK;
}

carom_status robot_check_options(const robot *r, const char *const *known)
{
    const char *key;
    json_t *value;
    json_object_foreach(options_of(r), key, value)
    {
        bool found = false;
        for (const char *const *name = known; *name && !found; ++name) {
            found = strcmp(*name, key) == 0;
        }
        if (!found) {
            return robot_fail(r, NULL, "this format has no option import.%.60s", key);
        }
    }
    return CAROM_OK;
}
