/* From a place in the JSON tree back to its line. Jansson keeps no positions, so the text is scanned again, but only
 * when there is an error to report. The text is known to be valid JSON; the scanner still never leaves it. */
#include "files/json_document.h"

#include <stdio.h>
#include <string.h>

enum { DEEPEST = 64 };

typedef struct cursor {
    const char *at;
    const char *end;
} cursor;

const char *json_place_text(const json_place *place, char *buffer, size_t size)
{
    buffer[0] = '\0';
    if (!place) {
        return buffer;
    }
    json_place_text(place->parent, buffer, size);
    size_t used = strlen(buffer);
    if (place->key) {
        snprintf(buffer + used, size - used, "%s%s", used ? "." : "", place->key);
    } else {
        snprintf(buffer + used, size - used, "[%zu]", place->index);
    }
    return buffer;
}

/* ---- scanning ------------------------------------------------------------------------------------------------ */

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static void skip_space(cursor *c)
{
    while (c->at < c->end && is_space(*c->at)) {
        ++c->at;
    }
}

static bool take(cursor *c, char wanted)
{
    skip_space(c);
    if (c->at >= c->end || *c->at != wanted) {
        return false;
    }
    ++c->at;
    return true;
}

static void skip_string(cursor *c)
{
    for (++c->at; c->at < c->end && *c->at != '"'; ++c->at) {
        if (*c->at == '\\' && c->at + 1 < c->end) {
            ++c->at;
        }
    }
    c->at += c->at < c->end;
}

/* Over one value of any kind; brackets are counted, not recursed into. */
static void skip_value(cursor *c)
{
    long depth = 0;
    skip_space(c);
    while (c->at < c->end) {
        char here = *c->at;
        if (depth == 0 && (here == ',' || here == ']' || here == '}')) {
            return;
        }
        if (here == '"') {
            skip_string(c);
        } else {
            depth += (here == '{' || here == '[') - (here == '}' || here == ']');
            ++c->at;
        }
    }
}

/* Whether the string at the cursor is `key`; escapes are left to Jansson. */
static bool key_is(cursor c, const char *key)
{
    const char *start = c.at;
    skip_string(&c);
    size_t length = (size_t)(c.at - start);
    size_t wanted = strlen(key);
    if (!memchr(start, '\\', length)) {
        return length == wanted + 2 && memcmp(start + 1, key, wanted) == 0;
    }
    json_t *decoded = json_loadb(start, length, JSON_DECODE_ANY, NULL);
    bool same = json_is_string(decoded) && strcmp(json_string_value(decoded), key) == 0;
    json_decref(decoded);
    return same;
}

/* Into member `key` of the object at the cursor; `mark` receives the start of the key. */
static bool enter_member(cursor *c, const char *key, const char **mark)
{
    if (!take(c, '{')) {
        return false;
    }
    for (skip_space(c); c->at < c->end && *c->at == '"'; skip_space(c)) {
        const char *start = c->at;
        bool found = key_is(*c, key);
        skip_string(c);
        if (!take(c, ':')) {
            return false;
        }
        skip_space(c);
        if (found) {
            *mark = start;
            return true;
        }
        skip_value(c);
        if (!take(c, ',')) {
            return false;
        }
    }
    return false;
}

/* Into element `index` of the list at the cursor. A lone object stands for a list of one. */
static bool enter_element(cursor *c, size_t index, const char **mark)
{
    skip_space(c);
    if (c->at < c->end && *c->at == '{') {
        return index == 0;
    }
    if (!take(c, '[')) {
        return false;
    }
    for (size_t i = 0; i < index; ++i) {
        skip_value(c);
        if (!take(c, ',')) {
            return false;
        }
    }
    skip_space(c);
    *mark = c->at;
    return c->at < c->end && *c->at != ']';
}

static int line_of(const json_document *document, const char *mark)
{
    int line = 1;
    const char *p = document->text;
    while ((p = memchr(p, '\n', (size_t)(mark - p)))) {
        ++line;
        ++p;
    }
    return line;
}

/* ---- the questions ------------------------------------------------------------------------------------------- */

static bool enter(cursor *c, const json_place *step, const char **mark)
{
    return step->key ? enter_member(c, step->key, mark) : enter_element(c, step->index, mark);
}

/* Through the table of lines as far as it goes. */
static int line_in_table(const json_t *table, const json_place *const *steps, int count)
{
    for (int i = 0; i < count && table && !json_is_integer(table); ++i) {
        table = steps[i]->key ? json_object_get(table, steps[i]->key) : json_array_get(table, steps[i]->index);
    }
    return json_is_integer(table) ? (int)json_integer_value(table) : 1;
}

/* The steps to a place, root first; a deeper end is not needed for a line. Returns how many. */
static int steps_to(const json_place *place, const json_place *steps[DEEPEST])
{
    int count = 0;
    for (const json_place *p = place; p; p = p->parent) {
        memmove(steps + 1, steps, sizeof steps[0] * (size_t)(count < DEEPEST ? count : DEEPEST - 1));
        steps[0] = p;
        count += count < DEEPEST;
    }
    return count;
}

int json_document_line(const json_document *document, const json_place *place)
{
    const json_place *steps[DEEPEST];
    int count = steps_to(place, steps);
    if (document->lines) {
        return line_in_table(document->lines, steps, count);
    }
    cursor c = { document->text, document->text + document->length };
    skip_space(&c);
    const char *mark = c.at;
    for (int i = 0; i < count && enter(&c, steps[i], &mark); ++i) {
    }
    return line_of(document, mark);
}

void json_document_list_lines(const json_document *document, const json_place *list, int *lines, size_t count)
{
    const json_place *steps[DEEPEST];
    int step_count = steps_to(list, steps);
    memset(lines, 0, count * sizeof *lines);
    if (document->lines) {
        json_t *table = json_object_get(document->lines, list->key);
        for (size_t i = 0; i < count && i < json_array_size(table); ++i) {
            lines[i] = (int)json_integer_value(json_array_get(table, i));
        }
        return;
    }
    cursor c = { document->text, document->text + document->length };
    const char *mark = c.at;
    bool found = true;
    for (int i = 0; i < step_count && found; ++i) {
        found = enter(&c, steps[i], &mark);
    }
    if (!found || !take(&c, '[')) {
        return;
    }
    int line = line_of(document, c.at);
    const char *counted = c.at;
    for (size_t i = 0; i < count; ++i) {
        skip_space(&c);
        for (; counted < c.at; ++counted) {
            line += *counted == '\n';
        }
        lines[i] = line;
        skip_value(&c);
        if (!take(&c, ',')) {
            return;
        }
    }
}

void json_document_element_lines(const json_document *document, const char *key, int *lines, size_t count)
{
    const json_place list = { NULL, key, 0 };
    json_document_list_lines(document, &list, lines, count);
}
