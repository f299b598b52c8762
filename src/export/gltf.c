/* Binary glTF 2.0 (ISO/IEC 12113:2022): a header, a chunk of JSON, a chunk of little-endian numbers. Every accessor has
 * a view of its own, and all are made of four-byte numbers, so that whatever is put behind each other is aligned. */
#include "export/gltf.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { FLOAT = 5126, UNSIGNED_INT = 5125 };                                   /* componentType */
enum { MAGIC = 0x46546C67, CHUNK_JSON = 0x4E4F534A, CHUNK_BIN = 0x004E4942 }; /* "glTF", "JSON", "BIN" */

void gltf_set(gltf_document *d, json_t *object, const char *name, json_t *value)
{
    d->failed = json_object_set_new(object, name, value) != 0 || d->failed;
}

void gltf_append(gltf_document *d, json_t *array, json_t *value)
{
    d->failed = json_array_append_new(array, value) != 0 || d->failed;
}

int gltf_add(gltf_document *d, gltf_list *list, json_t *object)
{
    list->items = list->items ? list->items : json_array();
    gltf_append(d, list->items, object);
    return list->count++;
}

json_t *gltf_numbers(const double *values, int count)
{
    json_t *array = json_array();
    bool ok = true;
    for (int k = 0; k < count; ++k) {
        ok = json_array_append_new(array, json_value_number(values[k])) == 0 && ok;
    }
    if (!ok) {
        json_decref(array);
        return NULL;
    }
    return array;
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
    json_t *view = json_pack("{s:i,s:I,s:I}", "buffer", 0, "byteOffset", (json_int_t)begin, "byteLength",
                             (json_int_t)(d->length - begin));
    if (use != GLTF_OF_ANIMATION) {
        gltf_set(d, view, "target", json_integer(use));
    }
    return gltf_add(d, &d->views, view);
}

static json_t *make_accessor(int view, int component, size_t count, gltf_shape shape)
{
    static const char *const names[] = { [GLTF_SCALAR] = "SCALAR", [GLTF_VEC3] = "VEC3", [GLTF_VEC4] = "VEC4" };
    return json_pack("{s:i,s:i,s:I,s:s}", "bufferView", view, "componentType", component, "count", (json_int_t)count,
                     "type", names[shape]);
}

static void set_extremes(gltf_document *d, json_t *accessor, const float *values, size_t count, int components)
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
    gltf_set(d, accessor, "min", gltf_numbers(low, components));
    gltf_set(d, accessor, "max", gltf_numbers(high, components));
}

int gltf_floats(gltf_document *d, const float *values, size_t count, gltf_shape shape, gltf_use use, bool extremes)
{
    size_t begin = d->length;
    if (reserve(d, count * (size_t)shape)) {
        put_words(d, values, count * (size_t)shape);
    }
    json_t *accessor = make_accessor(add_view(d, begin, use), FLOAT, count, shape);
    if (extremes) {
        set_extremes(d, accessor, values, count, (int)shape);
    }
    return gltf_add(d, &d->accessors, accessor);
}

int gltf_indices(gltf_document *d, const uint32_t *values, size_t count)
{
    size_t begin = d->length;
    if (reserve(d, count)) {
        put_words(d, values, count);
    }
    int view = add_view(d, begin, GLTF_OF_INDICES);
    return gltf_add(d, &d->accessors, make_accessor(view, UNSIGNED_INT, count, GLTF_SCALAR));
}

/* ---- the file ------------------------------------------------------------------------------------------------------ */

/* Lists without members must be left out. The document keeps its share of the list. */
static void set_list(gltf_document *d, json_t *object, const char *name, const gltf_list *list)
{
    if (list->count > 0) {
        gltf_set(d, object, name, json_incref(list->items));
    }
}

static json_t *make_animation(gltf_document *d)
{
    json_t *animation = json_pack("{s:s}", "name", "run");
    set_list(d, animation, "samplers", &d->samplers);
    set_list(d, animation, "channels", &d->channels);
    return animation;
}

/* NULL: no memory. */
static json_t *make_json(gltf_document *d)
{
    json_t *json = json_pack("{s:{s:s,s:s},s:i,s:[{s:[i]}]}", "asset", "version", "2.0", "generator",
                             "carom " CAROM_VERSION, "scene", 0, "scenes", "nodes", 0);
    set_list(d, json, "nodes", &d->nodes);
    set_list(d, json, "meshes", &d->meshes);
    set_list(d, json, "materials", &d->materials);
    if (d->channels.count > 0) {
        gltf_set(d, json, "animations", json_pack("[o]", make_animation(d)));
    }
    set_list(d, json, "accessors", &d->accessors);
    set_list(d, json, "bufferViews", &d->views);
    if (d->length > 0) {
        gltf_set(d, json, "buffers", json_pack("[{s:I}]", "byteLength", (json_int_t)d->length));
    }
    return json;
}

/* The whole document as text, numbers so that they read back exactly, with spaces behind it up to a multiple of four bytes.
 * Slashes are escaped, so that no name ends a script where the text is put into a page. NULL: no memory. free() it. */
static char *make_text(gltf_document *d, size_t *length)
{
    const size_t style = JSON_COMPACT | JSON_ESCAPE_SLASH | JSON_REAL_PRECISION(17);
    json_t *json = make_json(d);
    size_t bytes = d->failed ? 0 : json_dumpb(json, NULL, 0, style);
    char *text = bytes > 0 ? malloc(bytes + 3) : NULL;
    if (text && json_dumpb(json, text, bytes, style) != bytes) {
        free(text);
        text = NULL;
    }
    json_decref(json);
    *length = (bytes + 3) / 4 * 4;
    if (text) {
        memset(text + bytes, ' ', *length - bytes);
    }
    return text;
}

static void write_words(output_file *out, const uint32_t *words, int count)
{
    unsigned char bytes[12];
    for (int k = 0; k < count; ++k) {
        put_word(bytes + 4 * k, words[k]);
    }
    output_write(out, bytes, 4 * (size_t)count);
}

static carom_status fail_too_large(carom_error *err)
{
    return carom_fail(err, CAROM_BAD_INPUT,
                      "the file would be larger than the 4 GiB that glTF allows; take fewer frames with --every");
}

static carom_status write_file(const gltf_document *d, const char *json, size_t length, const char *path,
                               carom_export_report *report, carom_error *err)
{
    output_file out;
    uint64_t total = 12 + 8 + (uint64_t)length + (d->length > 0 ? 8 + (uint64_t)d->length : 0);
    if (total > UINT32_MAX) {
        return fail_too_large(err);
    }
    carom_status status = output_open(&out, path, err);
    if (status != CAROM_OK) {
        return status;
    }
    write_words(&out, (uint32_t[]){ MAGIC, 2, (uint32_t)total }, 3);
    write_words(&out, (uint32_t[]){ (uint32_t)length, CHUNK_JSON }, 2);
    output_write(&out, json, length);
    if (d->length > 0) {
        write_words(&out, (uint32_t[]){ (uint32_t)d->length, CHUNK_BIN }, 2);
        output_write(&out, d->data, d->length);
    }
    return output_close(&out, CAROM_OK, report, err);
}

carom_status gltf_write(gltf_document *d, const char *path, carom_export_report *report, carom_error *err)
{
    if (d->too_large) {
        return fail_too_large(err);
    }
    size_t length = 0;
    char *json = make_text(d, &length);
    carom_status status = json ? write_file(d, json, length, path, report, err)
                               : carom_fail(err, CAROM_NO_MEMORY, "no memory for '%.500s'", path);
    free(json);
    return status;
}

void gltf_free(gltf_document *d)
{
    gltf_list *lists[] = {
        &d->views, &d->accessors, &d->materials, &d->meshes, &d->nodes, &d->samplers, &d->channels
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; ++i) {
        json_decref(lists[i]->items);
    }
    free(d->data);
}
