/* A JSON file in memory: its text without comments, its tree, and the way from a place in the tree back to a line. */
#ifndef CAROM_FILES_JSON_DOCUMENT_H
#define CAROM_FILES_JSON_DOCUMENT_H

#include <jansson.h>

#include <carom/base.h>

typedef struct json_document {
    char *text; /* comments replaced by spaces, so that lines and columns stay */
    size_t length;
    json_t *root;
    json_t *lines; /* of a root that was translated: lines of its parts in the text, shaped like it; else NULL */
    char *file;    /* as messages name it                 */
    char *folder;  /* where files it names are looked for */
    bool markup;   /* the text is XML: root is an empty object until the text is translated */
} json_document;

/* All numbers come as reals: scenes make no difference between 1 and 1.0. */
enum { JSON_SCENE_FLAGS = JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL };

carom_status json_document_load(json_document *out, const char *file, carom_error *err);
carom_status json_document_parse(json_document *out, const char *text, size_t length, const char *name,
                                 const char *folder, carom_error *err);
void json_document_free(json_document *document);

/* One step from the root to a value; lives on the reader's stack. */
typedef struct json_place {
    const struct json_place *parent; /* NULL: this is a member of the root  */
    const char *key;                 /* NULL: element `index` of a list      */
    size_t index;
} json_place;

/* "bodies[2].shape.box"; "" for NULL. Returns buffer. */
const char *json_place_text(const json_place *place, char *buffer, size_t size);

/* The line of a place, or of the nearest container that is in the text. */
int json_document_line(const json_document *document, const json_place *place);

/* The line of each element of a list; 0 for elements that are not in the text. One pass. */
void json_document_list_lines(const json_document *document, const json_place *list, int *lines, size_t count);

/* The same of the list `key` of the root; 0 for elements that are not in the text. One pass. */
void json_document_element_lines(const json_document *document, const char *key, int *lines, size_t count);

#endif
