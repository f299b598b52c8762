/* Scenes of papers: the files of papers/N/ are unpacked beside the results, so that anyone can run and change them, and
 * run from there through the public interface. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paper.h"
#include "progress.h"
#include "signals.h"

/* ---- embedded files --------------------------------------------------------------------------------------------- */

/* The path of a file below papers/N/, NULL when it belongs to another paper. */
static const char *path_within(const paper_report *r, const example_file *file)
{
    char start[16];
    int length = snprintf(start, sizeof start, "%d/", paper_number(r));
    return strncmp(file->path, start, (size_t)length) == 0 ? file->path + length : NULL;
}

/* A file of papers/N/, or one of the examples when the paper has none of this name. */
static const example_file *find_file(const paper_report *r, const char *name)
{
    for (const example_file *file = paper_files; file->path; ++file) {
        const char *path = path_within(r, file);
        if (path && strcmp(path, name) == 0) {
            return file;
        }
    }
    for (const example_file *file = example_files; file->path; ++file) {
        if (strcmp(file->path, name) == 0) {
            return file;
        }
    }
    return NULL;
}

const char *paper_text(const paper_report *r, const char *name)
{
    const example_file *file = find_file(r, name);
    return file ? (const char *)file->data : NULL; /* arrays end in a zero, so they are texts */
}

/* ---- numbers ---------------------------------------------------------------------------------------------------- */

static const char *next_line(const char *text)
{
    const char *end = strchr(text, '\n');
    return end ? end + 1 : text + strlen(text);
}

/* Behind the comments and the line of titles. */
static const char *first_numbers(const char *text)
{
    while (*text == '#') {
        text = next_line(text);
    }
    return next_line(text);
}

static size_t line_count(const char *text)
{
    size_t count = 0;
    for (; *text; text = next_line(text)) {
        ++count;
    }
    return count;
}

/* One line of numbers; false when it has fewer or more. */
static bool read_line(const char *text, size_t columns, double *out)
{
    for (size_t c = 0; c < columns; ++c) {
        char *end = NULL;
        out[c] = strtod(text, &end);
        if (end == text || *end != (c + 1 < columns ? ',' : '\n')) {
            return false;
        }
        text = end + 1;
    }
    return true;
}

double *paper_numbers(const paper_report *r, const char *name, size_t columns, size_t *rows)
{
    const char *text = paper_text(r, name);
    if (!text) {
        complain("paper %d has no file '%s'", paper_number(r), name);
        return NULL;
    }
    text = first_numbers(text);
    *rows = line_count(text);
    double *numbers = allocate(*rows * columns + 1, sizeof *numbers);
    for (size_t i = 0; i < *rows; ++i, text = next_line(text)) {
        if (!read_line(text, columns, &numbers[i * columns])) {
            complain("row %zu of '%s' of paper %d does not have %zu numbers", i + 1, name, paper_number(r), columns);
            free(numbers);
            return NULL;
        }
    }
    return numbers;
}

/* ---- unpacking -------------------------------------------------------------------------------------------------- */

static int unpack_file(const char *folder, const char *name, const example_file *file)
{
    char *path = format_text("%s/%s", folder, name);
    char *slash = strrchr(path, '/');
    *slash = '\0';
    int code = paper_make_folder(path);
    *slash = '/';
    FILE *stream = code == EXIT_DONE ? create_anew(path) : NULL;
    bool ok = stream && fwrite(file->data, 1, file->size, stream) == file->size;
    ok = stream && fclose(stream) == 0 && ok;
    if (code == EXIT_DONE && !ok) {
        complain("cannot write '%s': %s", path, strerror(errno));
        code = EXIT_GAVE_UP;
    }
    free(path);
    return code;
}

static int unpack_files(const paper_report *r, const char *folder)
{
    int code = EXIT_DONE;
    for (const example_file *file = paper_files; file->path && code == EXIT_DONE; ++file) {
        const char *name = path_within(r, file);
        code = name ? unpack_file(folder, name, file) : EXIT_DONE;
    }
    return code;
}

/* ---- runs ------------------------------------------------------------------------------------------------------- */

/* Progress of a run with its place among all above the bar. */
static void begin(progress *p, const paper_report *r, const char *name)
{
    char place[200];
    progress_begin(p, false);
    progress_title(p, "paper %d, %s: %s", paper_number(r), paper_place(r, place, sizeof place), name);
}

static carom_status load_model(const char *file, const char *const *overrides, size_t count, progress *p,
                               carom_model **out, carom_error *err)
{
    carom_compile_options options = { .keep_going = progress_keep_building, .context = p };
    carom_spec *spec = NULL;
    carom_status status = carom_scene_load(file, overrides, count, &spec, err);
    if (status == CAROM_OK) {
        status = carom_compile_with(spec, &options, out, err);
    }
    carom_spec_destroy(spec);
    return status;
}

static carom_status run_model(const paper_report *r, const carom_model *model, const char *folder, const char *text,
                              double duration, bool verify, progress *p, carom_run_report *how, carom_error *err)
{
    carom_run_options options = { .folder = folder,
                                  .duration = duration,
                                  .threads = paper_threads(r),
                                  .scene_text = text,
                                  .command = "carom papers",
                                  .keep_going = progress_keep_going,
                                  .context = p,
                                  .report = how,
                                  .processor_time = true,
                                  .verify = verify };
    return carom_run_folder(model, &options, err);
}

/* The scene as a file beside the others, which it may include. */
static char *scene_path(const paper_report *r, const char *scene)
{
    return format_text("%s/scenes/%s", paper_folder(r), scene);
}

/* Puts the files of the paper, and the scene, where scenes are run from. */
static int unpack_scene(const paper_report *r, const char *scene, const char *text)
{
    const example_file *embedded = find_file(r, scene);
    example_file made = { .path = scene, .data = (const unsigned char *)text, .size = text ? strlen(text) : 0 };
    if (!embedded && !text) {
        complain("paper %d has no file '%s'", paper_number(r), scene);
        return EXIT_BAD_INPUT;
    }
    char *scenes = format_text("%s/scenes", paper_folder(r));
    int code = unpack_files(r, scenes);
    code = code == EXIT_DONE ? unpack_file(scenes, scene, text ? &made : embedded) : code;
    free(scenes);
    return code;
}

int paper_compile(paper_report *r, const char *scene, const char *name, const char *const *overrides,
                  size_t override_count, carom_model **model)
{
    carom_error err = { 0 };
    char *file = scene_path(r, scene);
    int code = unpack_scene(r, scene, NULL);
    if (code == EXIT_DONE) {
        progress p;
        begin(&p, r, name);
        carom_status status = load_model(file, overrides, override_count, &p, model, &err);
        progress_end(&p);
        code = status == CAROM_OK ? EXIT_DONE : report_scene(status, &err, file);
    }
    free(file);
    return code;
}

int paper_run_model(paper_report *r, const carom_model *model, const char *scene, const char *name, double duration,
                    carom_result **result, carom_run_report *how)
{
    carom_error err = { 0 };
    char *file = scene_path(r, scene);
    char *folder = format_text("%s/%s", paper_folder(r), name);
    progress p;
    begin(&p, r, name);
    carom_status status = run_model(r, model, folder, paper_text(r, scene), duration, false, &p, how, &err);
    progress_end(&p);
    status = status == CAROM_OK && result ? carom_result_open(folder, result, &err) : status;
    int code = status == CAROM_OK ? EXIT_DONE : report_scene(status, &err, file);
    free(folder);
    free(file);
    return code;
}

int paper_run(paper_report *r, const char *scene, const char *name, const char *const *overrides,
              size_t override_count, carom_result **result, carom_run_report *how)
{
    carom_model *model = NULL;
    int code = paper_compile(r, scene, name, overrides, override_count, &model);
    code = code == EXIT_DONE ? paper_run_model(r, model, scene, name, 0.0, result, how) : code;
    carom_model_destroy(model);
    return code;
}

/* ---- runs that may fail ----------------------------------------------------------------------------------------- */

void settings_number(settings *s, const char *path, double value)
{
    snprintf(s->text[s->count++], SETTING_TEXT, "%s=%.17g", path, value);
}

void settings_text(settings *s, const char *path, const char *value)
{
    snprintf(s->text[s->count++], SETTING_TEXT, "%s=%s", path, value);
}

static carom_status try_file(paper_report *r, const char *file, const char *text, const char *name, const settings *s,
                             carom_result **result, carom_run_report *how, carom_error *err)
{
    const char *overrides[SETTINGS];
    size_t count = s ? s->count : 0;
    carom_model *model = NULL;
    char *folder = format_text("%s/%s", paper_folder(r), name);
    progress p;
    for (size_t k = 0; k < count; ++k) {
        overrides[k] = s->text[k];
    }
    begin(&p, r, name);
    carom_status status = load_model(file, overrides, count, &p, &model, err);
    status = status == CAROM_OK ? run_model(r, model, folder, text, 0.0, true, &p, how, err) : status;
    progress_end(&p);
    status = status == CAROM_OK && result ? carom_result_open(folder, result, err) : status;
    carom_model_destroy(model);
    free(folder);
    return status;
}

carom_status paper_try(paper_report *r, const char *scene, const char *text, const char *name, const settings *s,
                       carom_result **result, carom_run_report *how, carom_error *err)
{
    if (unpack_scene(r, scene, text) != EXIT_DONE) {
        return carom_fail(err, CAROM_IO_FAILED, "the scene '%s' could not be unpacked", scene);
    }
    char *file = scene_path(r, scene);
    carom_status status = try_file(r, file, text ? text : paper_text(r, scene), name, s, result, how, err);
    free(file);
    return status;
}

const double *paper_signal(const carom_result *result, const char *name)
{
    for (size_t k = 0; k < carom_result_signal_count(result); ++k) {
        if (strcmp(carom_result_signal_name(result, k), name) == 0) {
            return signal_values(result, k);
        }
    }
    complain("the result has no signal '%s'", name);
    return NULL;
}
