/* Fuzz target: any bytes as a scene, of carom's format or another. A first byte that no text begins with, 128 + n, says that the
 * following n bytes, up to a zero, are an override. */
#include <stdlib.h>
#include <string.h>

#include <carom/scene.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Takes the override off the front, when there is one. */
static char *take_override(const uint8_t **data, size_t *size)
{
    const size_t mark = 128;
    if (*size == 0 || (*data)[0] < mark) {
        return NULL;
    }
    size_t length = (*data)[0] - mark;
    *data += 1;
    *size -= 1;
    if (length > *size) {
        return NULL;
    }
    char *text = malloc(length + 1);
    if (text) {
        memcpy(text, *data, length);
        text[length] = '\0';
        *data += length;
        *size -= length;
    }
    return text;
}

/* What is imported is a scene that is read. */
static void try_import(const uint8_t *data, size_t size, const char *const *overrides, size_t count)
{
    char *text = NULL;
    carom_spec *spec = NULL;
    carom_error err = { 0 };
    carom_status status = carom_scene_import((const char *)data, size, "fuzz.json", "/nonexistent", overrides, count,
                                             ".", &text, &err);
    if ((status == CAROM_OK) != (text != NULL) || (status != CAROM_OK && !err.message[0])) {
        abort();
    }
    if (text) {
        status = carom_scene_parse(text, strlen(text), "imported.json", ".", NULL, 0, &spec, &err);
        if (status != CAROM_OK && !err.message[0]) {
            abort();
        }
    }
    carom_spec_destroy(spec);
    carom_text_destroy(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *override = take_override(&data, &size);
    const char *const overrides[] = { override };
    carom_spec *spec = NULL;
    carom_error err = { 0 };
    carom_status status = carom_scene_parse((const char *)data, size, "fuzz.json", "/nonexistent", overrides,
                                            override ? 1 : 0, &spec, &err);
    if ((status == CAROM_OK) != (spec != NULL) || (status != CAROM_OK && !err.message[0])) {
        abort();
    }
    carom_spec_destroy(spec);
    try_import(data, size, overrides, override ? 1 : 0);
    free(override);
    return 0;
}
