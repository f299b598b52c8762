/* Reading and compiling a scene for run, check and resume. */
#include "scene.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

/* Doubles a buffer until the file is in it, so that pipes and devices work as well. */
static char *read_stream(FILE *file)
{
    enum { LARGEST = 256 << 20 }; /* a scene is a text: beyond this it is a mistake */
    size_t capacity = 1 << 16;
    size_t length = 0;
    char *text = allocate(capacity + 1, 1);
    for (;;) {
        length += fread(text + length, 1, capacity - length, file);
        if (length < capacity || capacity >= LARGEST) {
            break;
        }
        char *larger = allocate(2 * capacity + 1, 1);
        memcpy(larger, text, length);
        free(text);
        text = larger;
        capacity *= 2;
    }
    if (ferror(file) || length >= LARGEST) {
        errno = ferror(file) ? errno : EFBIG;
        free(text);
        return NULL;
    }
    text[length] = '\0';
    return text;
}

char *read_text_file(const char *file)
{
    FILE *stream = fopen(file, "rb");
    if (!stream) {
        return NULL;
    }
    char *text = read_stream(stream);
    int code = errno;
    fclose(stream);
    errno = code;
    return text;
}

int scene_load(scene *out, const scene_source *source)
{
    carom_error err = { 0 };
    *out = (scene){ 0 };
    carom_status status = carom_scene_load(source->file, source->overrides, source->override_count, &out->spec, &err);
    if (status == CAROM_OK) {
        status = carom_compile(out->spec, &out->model, &err);
    }
    if (status != CAROM_OK) {
        scene_free(out);
        return report_scene(status, &err, source->file);
    }
    out->file = source->file;
    out->text = read_text_file(source->file);
    return EXIT_DONE;
}

void scene_free(scene *s)
{
    carom_model_destroy(s->model);
    carom_spec_destroy(s->spec);
    free(s->text);
    *s = (scene){ 0 };
}
