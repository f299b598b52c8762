/* The parts of a binary glTF file while it is put together: a buffer of numbers, and lists of JSON objects that refer to
 * each other by number. */
#ifndef CAROM_EXPORT_GLTF_H
#define CAROM_EXPORT_GLTF_H

#include "files/json_value.h"
#include "files/output.h"

/* A list of the document, e.g. "meshes". */
typedef struct gltf_list {
    json_t *items; /* NULL: none yet */
    int count;     /* of those added, also where memory ran out: numbers stay different */
} gltf_list;

typedef struct gltf_document {
    unsigned char *data; /* the buffer */
    size_t length;
    size_t capacity;
    bool failed;    /* no memory */
    bool too_large; /* beyond what the file's 32-bit lengths can say */
    gltf_list views;
    gltf_list accessors;
    gltf_list materials;
    gltf_list meshes;
    gltf_list nodes;
    gltf_list samplers; /* of the animation */
    gltf_list channels;
} gltf_document;

typedef enum gltf_shape { GLTF_SCALAR = 1, GLTF_VEC3 = 3, GLTF_VEC4 = 4 } gltf_shape;

typedef enum gltf_use { GLTF_OF_ANIMATION = 0, GLTF_OF_VERTICES = 34962, GLTF_OF_INDICES = 34963 } gltf_use;

/* Makes the object the next one of a list of the document; its number. The document owns it from here on; NULL is a lack of
 * memory, which gltf_write reports. */
int gltf_add(gltf_document *d, gltf_list *list, json_t *object);

/* Sets a member of an object, and appends an item to an array; value and lack of memory as above. */
void gltf_set(gltf_document *d, json_t *object, const char *name, json_t *value);
void gltf_append(gltf_document *d, json_t *array, json_t *value);

/* A list of numbers; NULL: no memory. */
json_t *gltf_numbers(const double *values, int count);

/* `count` tuples of numbers as an accessor with a view of its own, with its exact extremes where `extremes` asks for
 * them; its number. */
int gltf_floats(gltf_document *d, const float *values, size_t count, gltf_shape shape, gltf_use use, bool extremes);
int gltf_indices(gltf_document *d, const uint32_t *values, size_t count);

carom_status gltf_write(gltf_document *d, const char *path, carom_export_report *report, carom_error *err);
void gltf_free(gltf_document *d);

#endif
