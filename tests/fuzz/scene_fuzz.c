/* Fuzz target: any bytes as a scene. The first byte says how many of the following bytes, up to a zero, are an
 * override. */
#include <stdlib.h>
#include <string.h>

#include <carom/scene.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Takes the override off the front, when there is one. */
static char *take_override(const uint8_t **data, size_t *size)
{
    size_t length = *size > 0 ? (*data)[0] : 0;
    *data += *size > 0;
    *size -= *size > 0;
    if (length == 0 || length > *size) {
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
    free(override);
    return 0;
}
