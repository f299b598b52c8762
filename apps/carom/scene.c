/* Reading and compiling a scene for run, check and resume. */
#include "scene.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "progress.h"

/* Doubles a buffer until the stream is in it: standard input may be a pipe. */
static char *read_stream(FILE *file, size_t *bytes)
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
    *bytes = length;
    return text;
}

char *read_text_file(const char *file)
{
    FILE *stream = open_to_read(file);
    if (!stream) {
        return NULL;
    }
    size_t length = 0;
    char *text = read_stream(stream, &length);
    int code = errno;
    fclose(stream);
    errno = code;
    return text;
}

bool is_standard_input(const char *scene_file)
{
    return strcmp(scene_file, "-") == 0;
}

/* ---- what the command line says --------------------------------------------------------------------------------- */

void scene_source_set_method(scene_source *source, const char *method)
{
    source->override_count -= source->method ? 1 : 0;
    free(source->method);
    source->method = format_text("contact.method=%s", method);
    source->overrides[source->override_count++] = source->method;
}

/* "--package NAME=FOLDER" as the override that it stands for; "./" before a folder keeps it from being read as JSON. */
static bool take_packages(scene_source *out, const arguments *args)
{
    size_t count = 0;
    const char **given = arguments_list(args, "--package", &count);
    bool ok = true;
    out->packages = allocate(count + 1, sizeof *out->packages);
    for (size_t i = 0; i < count && ok; ++i) {
        size_t name = strcspn(given[i], "=");
        ok = name > 0 && given[i][name] == '=' && given[i][name + 1] && name == strcspn(given[i], ".[=");
        if (!ok) {
            complain("--package %s: it is written NAME=FOLDER", given[i]);
            break;
        }
        const char *folder = given[i] + name + 1;
        char *text = format_text("import.packages.%.*s=%s%s", (int)name, given[i],
                                 strchr("/.", folder[0]) ? "" : "./", folder);
        out->packages[out->package_count++] = text;
        out->overrides[out->override_count++] = text;
    }
    free(given);
    return ok;
}

bool scene_source_read(scene_source *out, const arguments *args)
{
    const char *method = arguments_text(args, "--method");
    *out = (scene_source){ .file = copy_text(args->operands[0]), .quiet = arguments_have(args, "--quiet") };
    out->overrides = arguments_list(args, "--set", &out->override_count);
    if (arguments_have(args, "--rigid-ipc-quirks")) {
        out->overrides[out->override_count++] = "rigid_ipc_quirks=true"; /* noted with the others, for resume */
    }
    if (!take_packages(out, args)) {
        return false;
    }
    if (method) {
        scene_source_set_method(out, method);
    }
    return arguments_number(args, "--duration", 1e-12, 1e12, &out->duration);
}

void scene_source_free(scene_source *source)
{
    for (size_t i = 0; i < source->package_count; ++i) {
        free(source->packages[i]);
    }
    free(source->packages);
    free(source->method);
    free(source->overrides);
    free(source->file);
    *source = (scene_source){ 0 };
}

/* The library knows --method only as an override; the message speaks of what was typed. */
static void name_method_in(const scene_source *source, carom_error *err)
{
    char *internal = format_text("--set %s", source->method);
    char *found = strstr(err->message, internal);
    if (found) {
        char *rest = copy_text(found + strlen(internal));
        size_t room = sizeof err->message - (size_t)(found - err->message);
        snprintf(found, room, "--method %s%s", strchr(source->method, '=') + 1, rest);
        free(rest);
    }
    free(internal);
}

static void name_method(const scene_source *source, carom_error *err)
{
    if (!source->method) {
        return;
    }
    name_method_in(source, err);
    for (int i = 0; err->all && i < err->all->count; ++i) {
        name_method_in(source, &err->all->items[i]);
    }
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

static carom_status read_spec(scene *out, const scene_source *source, carom_error *err)
{
    if (!is_standard_input(source->file)) {
        return carom_scene_load(source->file, source->overrides, source->override_count, &out->spec, err);
    }
    size_t length = 0;
    out->text = read_stream(stdin, &length);
    if (!out->text) {
        return carom_fail(err, CAROM_IO_FAILED, "cannot read the scene from standard input: %s", strerror(errno));
    }
    return carom_scene_parse(out->text, length, "standard input", ".", source->overrides, source->override_count,
                             &out->spec, err);
}

/* As if the scene itself ended there, so that all that is derived from its end fits: step, spacing of frames. */
static carom_status set_end(carom_spec *spec, double end, carom_error *err)
{
    carom_scene_def def = *carom_spec_scene(spec);
    def.time.end = end;
    return carom_spec_set_scene(spec, &def, err);
}

/* Distance fields of large meshes take seconds when they are not in the cache. */
static carom_status compile_with_progress(scene *out, bool quiet, carom_error *err)
{
    progress p;
    progress_begin(&p, quiet);
    carom_compile_options options = { .keep_going = progress_keep_building, .context = &p };
    carom_status status = carom_compile_with(out->spec, &options, &out->model, err);
    progress_end(&p);
    return status;
}

int scene_load(scene *out, const scene_source *source)
{
    carom_error err = { .all = allocate(1, sizeof *err.all) };
    *out = (scene){ .file = is_standard_input(source->file) ? "standard input" : source->file };
    carom_status status = read_spec(out, source, &err);
    if (status == CAROM_OK && source->duration > 0.0) {
        status = set_end(out->spec, source->duration, &err);
    }
    if (status == CAROM_OK) {
        status = compile_with_progress(out, source->quiet, &err);
    }
    if (status != CAROM_OK) {
        name_method(source, &err);
        int code = status == CAROM_INTERRUPTED ? report(status, &err) : report_scene(status, &err, out->file);
        scene_free(out);
        free(err.all);
        return code;
    }
    free(err.all);
    out->text = out->text ? out->text : read_text_file(source->file);
    return EXIT_DONE;
}

void scene_free(scene *s)
{
    carom_model_destroy(s->model);
    carom_spec_destroy(s->spec);
    free(s->text);
    *s = (scene){ 0 };
}
