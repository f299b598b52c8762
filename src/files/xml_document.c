/* XML by Expat, into a tree. */
#include "files/xml_document.h"

#include <expat.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ELEMENTS = 1000000, DEEPEST = 1000 };

typedef struct xml_reading {
    XML_Parser parser;
    carom_arena *arena;
    xml_element *root, *open;
    size_t count;
    int depth;
    const char *refused; /* why parsing was stopped; NULL: it was not */
} xml_reading;

static void stop(xml_reading *x, const char *why)
{
    x->refused = x->refused ? x->refused : why;
    XML_StopParser(x->parser, XML_FALSE);
}

static xml_attribute *copy_attributes(xml_reading *x, const XML_Char **from, size_t *count)
{
    size_t n = 0;
    while (from[2 * n]) {
        ++n;
    }
    xml_attribute *copy = CAROM_ARENA_ARRAY(x->arena, xml_attribute, n + 1);
    for (size_t i = 0; copy && i < n; ++i) {
        copy[i].name = carom_arena_text(x->arena, from[2 * i]);
        copy[i].value = carom_arena_text(x->arena, from[2 * i + 1]);
    }
    *count = n;
    return copy;
}

static void hang_in(xml_element *parent, xml_element *child)
{
    child->parent = parent;
    if (parent && parent->last) {
        parent->last->next = child;
    } else if (parent) {
        parent->first = child;
    }
    if (parent) {
        parent->last = child;
    }
}

static void XMLCALL on_start(void *context, const XML_Char *name, const XML_Char **attributes)
{
    xml_reading *x = context;
    xml_element *element = carom_arena_alloc(x->arena, sizeof *element);
    if (x->refused) {
        return;
    }
    if (++x->count > MOST_ELEMENTS || ++x->depth > DEEPEST) {
        stop(x, x->depth > DEEPEST ? "elements are nested more than 1000 deep" : "more than a million elements");
        return;
    }
    if (element) {
        unsigned long line = XML_GetCurrentLineNumber(x->parser);
        element->name = carom_arena_text(x->arena, name);
        element->line = line < INT_MAX ? (int)line : INT_MAX;
        element->attributes = copy_attributes(x, attributes, &element->attribute_count);
        hang_in(x->open, element);
        x->root = x->root ? x->root : element;
        x->open = element;
    }
    if (x->arena->failed) {
        stop(x, "out of memory");
    }
}

static void XMLCALL on_end(void *context, const XML_Char *name)
{
    xml_reading *x = context;
    (void)name;
    x->open = x->open ? x->open->parent : NULL;
    x->depth -= 1;
}

/* Entities are what a file grows by when it is read; robots need none. */
static void XMLCALL on_doctype(void *context, const XML_Char *name, const XML_Char *system, const XML_Char *public_id,
                               int internal)
{
    (void)name;
    (void)system;
    (void)public_id;
    (void)internal;
    stop(context, "document type declarations (<!DOCTYPE ...>) are not read; take the line out");
}

static carom_status refuse(const xml_reading *x, const char *file, carom_error *err)
{
    if (x->arena->failed || XML_GetErrorCode(x->parser) == XML_ERROR_NO_MEMORY) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for %s", file);
    }
    unsigned long line = XML_GetCurrentLineNumber(x->parser);
    if (x->refused) {
        carom_fail(err, CAROM_BAD_INPUT, "%s", x->refused);
    } else {
        carom_fail(err, CAROM_BAD_INPUT, "not valid XML at column %lu: %s",
                   (unsigned long)XML_GetCurrentColumnNumber(x->parser) + 1,
                   XML_ErrorString(XML_GetErrorCode(x->parser)));
    }
    if (err) {
        snprintf(err->file, sizeof err->file, "%s", file);
        err->line = line < INT_MAX ? (int)line : INT_MAX;
        err->path[0] = '\0';
    }
    return CAROM_BAD_INPUT;
}

carom_status xml_parse(xml_element **out, const char *text, size_t length, const char *file, carom_arena *arena,
                       carom_error *err)
{
    *out = NULL;
    if (length > INT_MAX) {
        return carom_fail(err, CAROM_BAD_INPUT, "%s is larger than 2 GB", file);
    }
    xml_reading x = { .parser = XML_ParserCreate(NULL), .arena = arena };
    if (!x.parser) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for %s", file);
    }
    XML_SetUserData(x.parser, &x);
    XML_SetElementHandler(x.parser, on_start, on_end);
    XML_SetStartDoctypeDeclHandler(x.parser, on_doctype);
    bool good = XML_Parse(x.parser, text, (int)length, XML_TRUE) == XML_STATUS_OK;
    carom_status status = good && !x.refused && !arena->failed ? CAROM_OK : refuse(&x, file, err);
    XML_ParserFree(x.parser);
    *out = status == CAROM_OK ? x.root : NULL;
    return status;
}

const char *xml_attribute_of(const xml_element *element, const char *name)
{
    for (size_t i = 0; i < element->attribute_count; ++i) {
        if (strcmp(element->attributes[i].name, name) == 0) {
            return element->attributes[i].value;
        }
    }
    return NULL;
}

static const xml_element *first_named(const xml_element *element, const char *name)
{
    while (element && name && strcmp(element->name, name) != 0) {
        element = element->next;
    }
    return element;
}

const xml_element *xml_child(const xml_element *element, const char *name)
{
    return element ? first_named(element->first, name) : NULL;
}

const xml_element *xml_next(const xml_element *element, const char *name)
{
    return first_named(element->next, name);
}

const xml_element *xml_following(const xml_element *element)
{
    if (element->first) {
        return element->first;
    }
    while (element && !element->next) {
        element = element->parent;
    }
    return element ? element->next : NULL;
}

bool xml_begins_with(const char *text, const char *name)
{
    const char *at = strchr(text, '<');
    while (at && (at[1] == '?' || at[1] == '!')) {
        const char *end = strncmp(at, "<!--", 4) == 0 ? strstr(at, "-->") : strchr(at, '>');
        at = end ? strchr(end, '<') : NULL;
    }
    size_t length = strlen(name);
    return at && strncmp(at + 1, name, length) == 0 && strchr(" \t\r\n/>", at[1 + length]) && at[1 + length];
}

const char *xml_path(const xml_element *element, char *buffer, size_t size)
{
    char above[200] = "";
    if (!element) {
        buffer[0] = '\0';
        return buffer;
    }
    const char *name = xml_attribute_of(element, "name");
    if (element->parent && element->parent->parent) { /* the root says nothing new */
        xml_path(element->parent, above, sizeof above);
    }
    snprintf(buffer, size, "%s%s%.60s%s%.60s%s", above, above[0] ? "/" : "", element->name, name ? " '" : "",
             name ? name : "", name ? "'" : "");
    return buffer;
}
