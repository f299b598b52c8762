/* An XML file in memory: a tree of elements with their lines. Text between elements is left aside; document types and the entities
 * they declare are refused. */
#ifndef CAROM_FILES_XML_DOCUMENT_H
#define CAROM_FILES_XML_DOCUMENT_H

#include <carom/base.h>

#include "base/arena.h"

typedef struct xml_attribute {
    const char *name, *value;
} xml_attribute;

typedef struct xml_element {
    const char *name;
    int line;
    const xml_attribute *attributes;
    size_t attribute_count;
    struct xml_element *parent; /* NULL: the root */
    struct xml_element *first, *last;
    struct xml_element *next; /* of the same parent */
} xml_element;

/* The tree lives in the arena. `file` serves messages. */
carom_status xml_parse(xml_element **out, const char *text, size_t length, const char *file, carom_arena *arena,
                       carom_error *err);

/* NULL: not there. */
const char *xml_attribute_of(const xml_element *element, const char *name);

/* The first child with this name, any where it is NULL; the next one of the same name. NULL: none. */
const xml_element *xml_child(const xml_element *element, const char *name);
const xml_element *xml_next(const xml_element *element, const char *name);

/* The next element in the order of the file; NULL: that was the last. */
const xml_element *xml_following(const xml_element *element);

/* Whether the first element of a text, behind declaration and comments, has this name. */
bool xml_begins_with(const char *text, const char *name);

/* "robot/link 'arm'/inertial": names stand where elements have them. Returns buffer. */
const char *xml_path(const xml_element *element, char *buffer, size_t size);

#endif
