/* Binary glTF 2.0 (ISO/IEC 12113:2022): a header, a chunk of JSON, a chunk of little-endian numbers. Every accessor has
 * a view of its own, and all are made of four-byte numbers, so that whatever is put behind each other is aligned. */
#include "export/gltf.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { FLOAT = 5126, UNSIGNED_INT = 5125 };                                   /* componentType */
enum { MAGIC = 0x46546C67, CHUNK_JSON = 0x4E4F534A, CHUNK_BIN = 0x004E4942 }; /* "glTF", "JSON", "BIN" */

int gltf_begin(gltf_list *list)
{
    if (list->count > 0) {
        carom_text_add(&list->text, ",\n");
    }
    return list->count++;
}

void gltf_number(carom_text *text, double x)
{
    char buffer[OUTPUT_NUMBER];
    carom_text_add(text, "%s", output_number_text(x, 0, buffer));
}

void gltf_numbers(carom_text *text, const double *values, int count)
{
    for (int k = 0; k < count; ++k) {
        carom_text_add(text, k == 0 ? "[" : ",");
        gltf_number(text, values[k]);
    }
    carom_text_add(text, "]");
}

/* ---- the buffer ---------------------------------------------------------------------------------------------------- */

/* The file as a whole must stay below 2^32 bytes; an eighth is left for the JSON. */
static bool reserve(gltf_document *d, size_t words)
{
    const size_t largest = (size_t)UINT32_MAX / 8 * 7;
    d->too_large = d->too_large || words > largest / 4 || d->length > largest - 4 * words;
    if (d->failed || d->too_large) {
        return false;
    }
    d->failed = !CAROM_ARRAY_RESERVE(d->data, d->capacity, d->length + 4 * words);
    return !d->failed;
}

static void put_word(unsigned char *out, uint32_t word)
{
    for (int k = 0; k < 4; ++k) {
        out[k] = (unsigned char)(word >> 8 * k);
    }
}

/* Floats and indices alike: four bytes each. */
static void put_words(gltf_document *d, const void *values, size_t words)
{
    const unsigned char *from = values;
    for (size_t i = 0; i < words; ++i) {
        uint32_t word;
        memcpy(&word, from + 4 * i, sizeof word);
        put_word(d->data + d->length, word);
        d->length += 4;
    }
}

static int add_view(gltf_document *d, size_t begin, gltf_use use)
{
    int view = gltf_begin(&d->views);
    carom_text_add(&d->views.text, "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu", begin, d->length - begin);
    if (use != GLTF_OF_ANIMATION) {
        carom_text_add(&d->views.text, ",\"target\":%d", (int)use);
    }
    carom_text_add(&d->views.text, "}");
    return view;
}

static int add_accessor(gltf_document *d, int view, int component, size_t count, gltf_shape shape)
{
    static const char *const names[] = { [GLTF_SCALAR] = "SCALAR", [GLTF_VEC3] = "VEC3", [GLTF_VEC4] = "VEC4" };
    int accessor = gltf_begin(&d->accessors);
    carom_text_add(&d->accessors.text, "{\"bufferView\":%d,\"componentType\":%d,\"count\":%zu,\"type\":\"%s\"", view,
                   component, count, names[shape]);
    return accessor;
}

static void add_extremes(carom_text *text, const float *values, size_t count, int components)
{
    double low[4];
    double high[4];
    for (int k = 0; k < components; ++k) {
        low[k] = high[k] = (double)values[k];
        for (size_t i = 1; i < count; ++i) {
            double x = (double)values[i * (size_t)components + (size_t)k];
            low[k] = x < low[k] ? x : low[k];
            high[k] = x > high[k] ? x : high[k];
        }
    }
    carom_text_add(text, ",\"min\":");
    gltf_numbers(text, low, components);
    carom_text_add(text, ",\"max\":");
    gltf_numbers(text, high, components);
}

int gltf_floats(gltf_document *d, const float *values, size_t count, gltf_shape shape, gltf_use use, bool extremes)
{
    size_t begin = d->length;
    if (reserve(d, count * (size_t)shape)) {
        put_words(d, values, count * (size_t)shape);
    }
    int accessor = add_accessor(d, add_view(d, begin, use), FLOAT, count, shape);
    if (extremes) {
        add_extremes(&d->accessors.text, values, count, (int)shape);
    }
    carom_text_add(&d->accessors.text, "}");
    return accessor;
}

int gltf_indices(gltf_document *d, const uint32_t *values, size_t count)
{
    size_t begin = d->length;
    if (reserve(d, count)) {
        put_words(d, values, count);
    }
    int accessor = add_accessor(d, add_view(d, begin, GLTF_OF_INDICES), UNSIGNED_INT, count, GLTF_SCALAR);
    carom_text_add(&d->accessors.text, "}");
    return accessor;
}

/* ---- the file ------------------------------------------------------------------------------------------------------ */

/* Lists without members must be left out. */
static void add_list(carom_text *json, const char *name, const gltf_list *list)
{
    if (list->count > 0) {
        carom_text_add(json, ",\n\"%s\":[\n", name);
        carom_text_add(json, "%s", list->text.data ? list->text.data : "");
        carom_text_add(json, "]");
        json->failed = json->failed || list->text.failed || list->text.length > INT_MAX; /* what printf can say */
    }
}

static void put_json(const gltf_document *d, carom_text *json)
{
    carom_text_add(json, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"carom " CAROM_VERSION "\"},\n"
                         "\"scene\":0,\n\"scenes\":[{\"nodes\":[0]}]");
    add_list(json, "nodes", &d->nodes);
    add_list(json, "meshes", &d->meshes);
    add_list(json, "materials", &d->materials);
    if (d->channels.count > 0) {
        carom_text_add(json, ",\n\"animations\":[{\"name\":\"run\"");
        add_list(json, "samplers", &d->samplers);
        add_list(json, "channels", &d->channels);
        carom_text_add(json, "}]");
    }
    add_list(json, "accessors", &d->accessors);
    add_list(json, "bufferViews", &d->views);
    if (d->length > 0) {
        carom_text_add(json, ",\n\"buffers\":[{\"byteLength\":%zu}]", d->length);
    }
    carom_text_add(json, "}\n");
    while (json->length % 4 != 0 && !json->failed) {
        carom_text_add(json, " ");
    }
}

static void write_words(output_file *out, const uint32_t *words, int count)
{
    unsigned char bytes[12];
    for (int k = 0; k < count; ++k) {
        put_word(bytes + 4 * k, words[k]);
    }
    output_write(out, bytes, 4 * (size_t)count);
}

static carom_status write_file(const gltf_document *d, const carom_text *json, const char *path,
                               carom_export_report *report, carom_error *err)
{
    output_file out;
    uint64_t total = 12 + 8 + (uint64_t)json->length + (d->length > 0 ? 8 + (uint64_t)d->length : 0);
    if (total > UINT32_MAX || d->too_large) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "the file would be larger than the 4 GiB that glTF allows; take fewer frames with --every");
    }
    carom_status status = output_open(&out, path, err);
    if (status != CAROM_OK) {
        return status;
    }
    write_words(&out, (uint32_t[]){ MAGIC, 2, (uint32_t)total }, 3);
    write_words(&out, (uint32_t[]){ (uint32_t)json->length, CHUNK_JSON }, 2);
    output_write(&out, json->data, json->length);
    if (d->length > 0) {
        write_words(&out, (uint32_t[]){ (uint32_t)d->length, CHUNK_BIN }, 2);
        output_write(&out, d->data, d->length);
    }
    return output_close(&out, CAROM_OK, report, err);
}

carom_status gltf_write(gltf_document *d, const char *path, carom_export_report *report, carom_error *err)
{
    carom_text json = { 0 };
    put_json(d, &json);
    carom_status status = json.failed || (d->failed && !d->too_large)
                              ? carom_fail(err, CAROM_NO_MEMORY, "no memory for '%.500s'", path)
                              : write_file(d, &json, path, report, err);
    carom_text_free(&json);
    return status;
}

void gltf_free(gltf_document *d)
{
    gltf_list *lists[] = {
        &d->views, &d->accessors, &d->materials, &d->meshes, &d->nodes, &d->samplers, &d->channels
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; ++i) {
        carom_text_free(&lists[i]->text);
    }
    free(d->data);
}
