/* The parts of a binary glTF file while it is put together: a buffer of numbers, and lists of JSON objects that refer to
 * each other by number. */
#ifndef CAROM_EXPORT_GLTF_H
#define CAROM_EXPORT_GLTF_H

#include "base/text.h"
#include "files/output.h"

/* A list of the document, e.g. "meshes". */
typedef struct gltf_list {
    carom_text text; /* objects, with commas between */
    int count;
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

/* Begins the next object of a list; the text behind it is the caller's, the number the answer. */
int gltf_begin(gltf_list *list);

/* `count` tuples of numbers as an accessor with a view of its own, with its exact extremes where `extremes` asks for
 * them; its number. */
int gltf_floats(gltf_document *d, const float *values, size_t count, gltf_shape shape, gltf_use use, bool extremes);
int gltf_indices(gltf_document *d, const uint32_t *values, size_t count);

/* A number, and a list of them in brackets. */
void gltf_number(carom_text *text, double x);
void gltf_numbers(carom_text *text, const double *values, int count);

carom_status gltf_write(gltf_document *d, const char *path, carom_export_report *report, carom_error *err);
void gltf_free(gltf_document *d);

#endif
