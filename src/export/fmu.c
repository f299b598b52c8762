/* A scene as an FMU for co-simulation (FMI 2.0, Linux): an archive with the description of its variables, the scene with the files it names,
 * the library, and the shim in front of it (apps/fmu).
 *
 * The scene is packed as it stands, next to its files as they lie: each text of the scene that is the name of a file there is packed
 * under that name. Where names lead upwards the scene lies as many folders deep. */
#include <carom/fmu.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <carom/observe.h>

#include "base/arguments.h"
#include "base/arena.h"
#include "base/beside.h"
#include "base/text.h"
#include "export/zip.h"
#include "files/file.h"
#include "files/json_document.h"
#include "model/fields.h"
#include "scene/translation.h"

enum { LARGEST = 1 << 30, MOST_FILES = 10000, DEEPEST = 16, LONGEST_PATH = 4096 };

typedef struct fmu_work {
    const carom_fmu_options *options;
    carom_arena arena;
    carom_spec *spec;
    carom_model *model;
    carom_observer *outputs;
    char *translated; /* the scene as carom's, where it is of another format */
    json_t *files;    /* names relative to the scene's folder -> true */
    int up;           /* folders that names lead upwards */
    const char *folder;
    char identifier[80];
    char guid[80];
    zip_writer zip;
} fmu_work;

static carom_status no_memory(carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "no memory for an FMU");
}

/* ---- what goes in and out ------------------------------------------------------------------------------------------------------- */

static carom_status check_inputs(const fmu_work *w, carom_error *err)
{
    for (size_t i = 0; i < w->options->input_count; ++i) {
        const char *name = w->options->inputs[i];
        if (carom_model_find_input(w->model, name) < 0) {
            return carom_fail(
                err, CAROM_BAD_INPUT,
                "the scene has no input '%.100s'; inputs are a section of it: \"inputs\": {\"%.100s\": {\"start\": 0}}",
                name, name);
        }
    }
    return CAROM_OK;
}

static carom_status refuse_twins(const char *const *names, size_t count, carom_error *err)
{
    for (size_t i = 0; i < count; ++i) {
        for (size_t k = 0; k < i; ++k) {
            if (strcmp(names[i], names[k]) == 0) {
                return carom_fail(err, CAROM_BAD_INPUT, "'%.100s' is there twice", names[i]);
            }
        }
    }
    return CAROM_OK;
}

static carom_status compile_scene(fmu_work *w, carom_error *err)
{
    const carom_fmu_options *o = w->options;
    carom_status status = carom_scene_load(o->scene, o->overrides, o->override_count, &w->spec, err);
    status = status == CAROM_OK ? carom_compile(w->spec, &w->model, err) : status;
    status = status == CAROM_OK ? check_inputs(w, err) : status;
    status = status == CAROM_OK ? refuse_twins(o->inputs, o->input_count, err) : status;
    status = status == CAROM_OK ? refuse_twins(o->outputs, o->output_count, err) : status;
    return status == CAROM_OK ? carom_observer_create(w->model, o->outputs, o->output_count, &w->outputs, err)
                              : status;
}

/* ---- files of the scene ------------------------------------------------------------------------------------------------------------ */

/* A name without "." and inner "..", "../" in front counted; NULL: no memory. */
static const char *flatten(carom_arena *arena, const char *name, int *up)
{
    char *flat = carom_arena_printf(arena, "%s", name);
    size_t used = 0;
    *up = 0;
    for (const char *p = name; flat && *p;) {
        size_t word = strcspn(p, "/");
        bool back = word == 2 && strncmp(p, "..", 2) == 0;
        if (back && used > 0) {
            flat[used - 1] = '\0';
            char *slash = strrchr(flat, '/');
            used = slash ? (size_t)(slash - flat) + 1 : 0;
        } else if (back) {
            *up += 1;
        } else if (word > 0 && !(word == 1 && p[0] == '.')) {
            memmove(flat + used, p, word);
            used += word;
            flat[used++] = p[word] == '/' ? '/' : '\0';
        }
        p += word + (p[word] == '/');
    }
    if (flat) {
        flat[used] = '\0';
    }
    return flat;
}

static bool is_regular(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

static carom_status pack_names(fmu_work *w, const json_t *json, const char *key, const char *inside, int depth,
                               carom_error *err);

/* An included scene names its files from where it lies. */
static carom_status look_into(fmu_work *w, const char *path, const char *name, int depth, carom_error *err)
{
    size_t length = strlen(name);
    json_document document;
    if (depth >= DEEPEST || length < 5 || strcmp(name + length - 5, ".json") != 0) {
        return CAROM_OK;
    }
    carom_status status = json_document_load(&document, path, err);
    if (status != CAROM_OK) {
        return status;
    }
    const char *slash = strrchr(name, '/');
    const char *inside = carom_arena_printf(&w->arena, "%.*s", slash ? (int)(slash - name) + 1 : 0, name);
    status = inside ? pack_names(w, document.root, "", inside, depth + 1, err) : no_memory(err);
    json_document_free(&document);
    return status;
}

static carom_status pack_name(fmu_work *w, const char *text, const char *inside, int depth, carom_error *err)
{
    int up = 0;
    if (!text[0] || strlen(text) + strlen(inside) + strlen(w->folder) > LONGEST_PATH - 4) {
        return CAROM_OK;
    }
    const char *name = carom_arena_printf(&w->arena, "%s%s", inside, text);
    const char *path = text[0] == '/' ? text : name ? carom_arena_printf(&w->arena, "%s/%s", w->folder, name) : NULL;
    if (!name || !path) {
        return no_memory(err);
    }
    if (!is_regular(path) || json_object_get(w->files, name)) {
        return CAROM_OK;
    }
    if (text[0] == '/') {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "the scene names '%.300s' by its whole path; an FMU is opened elsewhere: name it "
                          "relative to the scene",
                          text);
    }
    const char *flat = flatten(&w->arena, name, &up);
    if (!flat || json_object_set_new(w->files, name, json_true()) != 0) {
        return no_memory(err);
    }
    w->up = up > w->up ? up : w->up;
    if (json_object_size(w->files) > MOST_FILES || w->up > DEEPEST) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "the scene names more than %d files, or files more than %d folders above it",
                          (int)MOST_FILES, (int)DEEPEST);
    }
    return look_into(w, path, name, depth, err);
}

/* Whether a text under this key of a scene may be the name of a file. Names of bodies are none, even where a file is called so. */
static bool names_a_file(const char *key)
{
    static const char *const keys[] = { "file", "include", "mesh", "sheet", "wire", "points", "table", NULL };
    const char *const *k = keys;
    while (*k && strcmp(*k, key) != 0) {
        ++k;
    }
    return *k != NULL;
}

static carom_status pack_names(fmu_work *w, const json_t *json, const char *key, const char *inside, int depth,
                               carom_error *err)
{
    carom_status status = CAROM_OK;
    json_t *any = (json_t *)(uintptr_t)json;
    if (json_is_string(json)) {
        return names_a_file(key) ? pack_name(w, json_string_value(json), inside, depth, err) : CAROM_OK;
    }
    for (size_t i = 0; i < json_array_size(json) && status == CAROM_OK; ++i) {
        status = pack_names(w, json_array_get(json, i), key, inside, depth, err);
    }
    for (void *m = json_object_iter(any); m && status == CAROM_OK; m = json_object_iter_next(any, m)) {
        status = pack_names(w, json_object_iter_value(m), json_object_iter_key(m), inside, depth, err);
    }
    return status;
}

/* Overrides may name files, too. */
static carom_status override(fmu_work *w, json_t *root, carom_error *err)
{
    scene_override unused;
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < w->options->override_count && status == CAROM_OK; ++i) {
        status = scene_apply_override(root, w->options->overrides[i], &w->arena, &unused, err);
    }
    return status;
}

/* A scene of another format is packed as carom's, with its overrides in it. */
static carom_status find_files(fmu_work *w, carom_error *err)
{
    const carom_fmu_options *o = w->options;
    json_document document;
    carom_status status = json_document_load(&document, o->scene, err);
    if (status != CAROM_OK) {
        return status;
    }
    w->folder = carom_arena_text(&w->arena, document.folder);
    w->files = json_object();
    bool foreign = scene_format_of(&document) != NULL;
    if (!w->folder || !w->files) {
        status = no_memory(err);
    } else if (!foreign) {
        status = override(w, document.root, err);
        status = status == CAROM_OK ? pack_names(w, document.root, "", "", 0, err) : status;
    } else {
        status = carom_scene_import(document.text, document.length, o->scene, document.folder, o->overrides,
                                    o->override_count, document.folder, &w->translated, err);
    }
    json_document_free(&document);
    if (status != CAROM_OK || !foreign) {
        return status;
    }
    status = json_document_parse(&document, w->translated, strlen(w->translated), o->scene, w->folder, err);
    if (status == CAROM_OK) {
        status = pack_names(w, document.root, "", "", 0, err);
        json_document_free(&document);
    }
    return status;
}

/* ---- texts ------------------------------------------------------------------------------------------------------------------------- */

static void add_escaped(carom_text *t, const char *text)
{
    for (; *text; ++text) {
        switch (*text) {
        case '&':
            carom_text_add(t, "&amp;");
            break;
        case '<':
            carom_text_add(t, "&lt;");
            break;
        case '>':
            carom_text_add(t, "&gt;");
            break;
        case '"':
            carom_text_add(t, "&quot;");
            break;
        default:
            carom_text_add(t, "%c", *text);
        }
    }
}

static void add_attribute(carom_text *t, const char *name, const char *value)
{
    carom_text_add(t, " %s=\"", name);
    add_escaped(t, value);
    carom_text_add(t, "\"");
}

/* "results/my arm.fmu" is "my_arm". */
static void find_identifier(fmu_work *w)
{
    const char *slash = strrchr(w->options->path, '/');
    const char *name = slash ? slash + 1 : w->options->path;
    size_t length = strcspn(name, ".");
    size_t n = 0;
    if (length == 0 || isdigit((unsigned char)name[0])) {
        w->identifier[n++] = '_';
    }
    for (size_t i = 0; i < length && n + 1 < sizeof w->identifier; ++i) {
        unsigned char c = (unsigned char)name[i];
        w->identifier[n++] = c < 0x80 && isalnum(c) ? (char)c : '_';
    }
    w->identifier[n] = '\0';
}

/* The same for the same scene, inputs and outputs. */
static void find_guid(fmu_work *w)
{
    uint64_t hash = carom_model_hash(w->model);
    uint64_t names = UINT64_C(1469598103934665603);
    for (size_t k = 0; k < w->options->input_count + w->options->output_count; ++k) {
        bool in = k < w->options->input_count;
        const char *text = in ? w->options->inputs[k] : w->options->outputs[k - w->options->input_count];
        for (;; ++text) {
            names = (names ^ (unsigned char)(*text ? *text : in)) * UINT64_C(1099511628211);
            if (!*text) {
                break;
            }
        }
    }
    snprintf(w->guid, sizeof w->guid, "{carom-%016llx-%016llx}", (unsigned long long)hash, (unsigned long long)names);
}

static void add_units(const fmu_work *w, carom_text *t)
{
    size_t count = carom_observer_count(w->outputs);
    bool any = false;
    for (size_t i = 0; i < count; ++i) {
        const char *unit = carom_observer_unit(w->outputs, i);
        bool first = unit[0] != '\0';
        for (size_t k = 0; k < i && first; ++k) {
            first = strcmp(unit, carom_observer_unit(w->outputs, k)) != 0;
        }
        if (first) {
            carom_text_add(t, any ? "" : "  <UnitDefinitions>\n");
            carom_text_add(t, "    <Unit");
            add_attribute(t, "name", unit);
            carom_text_add(t, "/>\n");
            any = true;
        }
    }
    carom_text_add(t, any ? "  </UnitDefinitions>\n" : "");
}

static void add_variables(const fmu_work *w, const carom_state *start, carom_text *t)
{
    const carom_fmu_options *o = w->options;
    carom_text_add(t, "  <ModelVariables>\n");
    for (size_t i = 0; i < o->input_count; ++i) {
        char number[40];
        int input = carom_model_find_input(w->model, o->inputs[i]);
        carom_text_add(t, "    <ScalarVariable");
        add_attribute(t, "name", o->inputs[i]);
        carom_text_add(
            t,
            " valueReference=\"%zu\" causality=\"input\" variability=\"discrete\"><Real start=\"%s\"/></ScalarVariable>\n",
            i, number_text(carom_state_input(w->model, start, input), number, sizeof number));
    }
    for (size_t i = 0; i < o->output_count; ++i) {
        const char *unit = carom_observer_unit(w->outputs, i);
        carom_text_add(t, "    <ScalarVariable");
        add_attribute(t, "name", o->outputs[i]);
        carom_text_add(
            t, " valueReference=\"%zu\" causality=\"output\" variability=\"continuous\" initial=\"calculated\"><Real",
            o->input_count + i);
        if (unit[0]) {
            add_attribute(t, "unit", unit);
        }
        carom_text_add(t, "/></ScalarVariable>\n");
    }
    carom_text_add(t, "  </ModelVariables>\n");
}

static void add_unknowns(const fmu_work *w, const char *name, carom_text *t)
{
    if (w->options->output_count == 0) {
        return;
    }
    carom_text_add(t, "    <%s>\n", name);
    for (size_t i = 0; i < w->options->output_count; ++i) {
        carom_text_add(t, "      <Unknown index=\"%zu\"/>\n", w->options->input_count + i + 1);
    }
    carom_text_add(t, "    </%s>\n", name);
}

static void describe(const fmu_work *w, const carom_state *start, carom_text *t)
{
    const carom_scene_def *scene = carom_spec_scene(w->spec);
    carom_text_add(t, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"2.0\"");
    add_attribute(t, "modelName", scene->name && scene->name[0] ? scene->name : w->identifier);
    add_attribute(t, "guid", w->guid);
    carom_text_add(t,
                   " generationTool=\"carom %s\" variableNamingConvention=\"flat\" numberOfEventIndicators=\"0\">\n",
                   CAROM_VERSION);
    carom_text_add(t,
                   "  <CoSimulation modelIdentifier=\"%s\" canHandleVariableCommunicationStepSize=\"true\" "
                   "canBeInstantiatedOnlyOncePerProcess=\"false\" canNotUseMemoryManagementFunctions=\"true\" "
                   "canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\"/>\n",
                   w->identifier);
    add_units(w, t);
    carom_text_add(t, "  <DefaultExperiment startTime=\"0\" stopTime=\"%.17g\"/>\n", scene->time.end);
    add_variables(w, start, t);
    carom_text_add(t, "  <ModelStructure>\n");
    add_unknowns(w, "Outputs", t);
    add_unknowns(w, "InitialUnknowns", t);
    carom_text_add(t, "  </ModelStructure>\n</fmiModelDescription>\n");
}

/* "down/down/": as deep as names lead upwards. */
static void add_depth(carom_text *t, int depth)
{
    for (int i = 0; i < depth; ++i) {
        carom_text_add(t, "down/");
    }
}

static carom_status list_parts(const fmu_work *w, carom_text *t, carom_error *err)
{
    const carom_fmu_options *o = w->options;
    carom_text_add(t, "carom %s\nguid %s\nscene ", CAROM_VERSION, w->guid);
    add_depth(t, w->up);
    carom_text_add(t, "scene.json\n");
    for (size_t i = 0; i < o->input_count; ++i) {
        carom_text_add(t, "input %s\n", o->inputs[i]);
    }
    for (size_t i = 0; i < o->output_count; ++i) {
        carom_text_add(t, "output %s\n", o->outputs[i]);
    }
    for (size_t i = 0; i < o->override_count && !w->translated; ++i) {
        if (strchr(o->overrides[i], '\n') || strlen(o->overrides[i]) > 4000) {
            return carom_fail(err, CAROM_BAD_INPUT,
                              "--set %.60s...: an FMU takes overrides of one line and 4000 bytes", o->overrides[i]);
        }
        carom_text_add(t, "set %s\n", o->overrides[i]);
    }
    return CAROM_OK;
}

/* ---- the archive ------------------------------------------------------------------------------------------------------------------- */

static carom_status put_text(fmu_work *w, const char *name, const carom_text *t, carom_error *err)
{
    if (t->failed) {
        return no_memory(err);
    }
    zip_begin(&w->zip, name);
    zip_write(&w->zip, t->data, t->length);
    zip_end(&w->zip);
    return CAROM_OK;
}

static carom_status put_file(fmu_work *w, const char *name, const char *path, carom_error *err)
{
    char *data = NULL;
    size_t bytes = 0;
    carom_status status = file_read_whole(path, LARGEST, &data, &bytes, err);
    if (status == CAROM_OK) {
        zip_begin(&w->zip, name);
        zip_write(&w->zip, data, bytes);
        zip_end(&w->zip);
    }
    free(data);
    return status;
}

static carom_status put_named(fmu_work *w, const char *name, carom_error *err)
{
    int up = 0;
    char path[2 * LONGEST_PATH];
    const char *flat = flatten(&w->arena, name, &up);
    carom_text inside = { 0 };
    carom_text_add(&inside, "resources/");
    add_depth(&inside, w->up - up);
    carom_text_add(&inside, "%s", flat ? flat : "");
    snprintf(path, sizeof path, "%s/%s", w->folder, name);
    carom_status status = !flat || inside.failed ? no_memory(err)
                          : inside.length >= ZIP_LONGEST_NAME
                              ? carom_fail(err, CAROM_BAD_INPUT, "the name '%.200s' is too long for an FMU", name)
                              : put_file(w, inside.data, path, err);
    carom_text_free(&inside);
    return status;
}

static carom_status put_scene(fmu_work *w, carom_error *err)
{
    carom_text name = { 0 };
    carom_text_add(&name, "resources/");
    add_depth(&name, w->up);
    carom_text_add(&name, "scene.json");
    carom_status status = CAROM_OK;
    if (name.failed) {
        status = no_memory(err);
    } else if (w->translated) {
        zip_begin(&w->zip, name.data);
        zip_write(&w->zip, w->translated, strlen(w->translated));
        zip_end(&w->zip);
    } else {
        status = put_file(w, name.data, w->options->scene, err);
    }
    carom_text_free(&name);
    const char *file;
    json_t *unused;
    json_object_foreach(w->files, file, unused)
    {
        status = status == CAROM_OK ? put_named(w, file, err) : status;
    }
    return status;
}

/* The library under the name that the shim asks for: "libcarom.so.0". */
static carom_status put_programs(fmu_work *w, carom_error *err)
{
    char shim[LONGEST_PATH];
    char library[LONGEST_PATH];
    char name[400];
    if (!carom_find_program(shim, sizeof shim, "CAROM_FMU_SHIM", "carom-fmu.so") ||
        !carom_find_library(library, sizeof library)) {
        return carom_fail(
            err, CAROM_UNSUPPORTED,
            "carom-fmu.so, or libcarom.so itself, is not where carom was installed; install carom, or build all of "
            "it (make build)");
    }
    snprintf(name, sizeof name, "binaries/linux64/%s.so", w->identifier);
    carom_status status = put_file(w, name, shim, err);
    const char *slash = strrchr(library, '/');
    const char *plain = slash ? slash + 1 : library;
    const char *so = strstr(plain, ".so.");
    size_t length = so ? (size_t)(so - plain) + 4 + strcspn(so + 4, ".") : strlen(plain);
    snprintf(name, sizeof name, "binaries/linux64/%.*s", (int)length, plain);
    return status == CAROM_OK ? put_file(w, name, library, err) : status;
}

static carom_status put_texts(fmu_work *w, carom_error *err)
{
    carom_text description = { 0 };
    carom_text parts = { 0 };
    carom_state *start = carom_state_create(w->model);
    carom_status status = start ? list_parts(w, &parts, err) : no_memory(err);
    if (status == CAROM_OK) {
        describe(w, start, &description);
        status = put_text(w, "modelDescription.xml", &description, err);
    }
    status = status == CAROM_OK ? put_text(w, "resources/carom.txt", &parts, err) : status;
    carom_state_destroy(start);
    carom_text_free(&description);
    carom_text_free(&parts);
    return status;
}

static carom_status write_archive(fmu_work *w, carom_export_report *report, carom_error *err)
{
    carom_status status = zip_open(&w->zip, w->options->path, err);
    if (status != CAROM_OK) {
        return status;
    }
    status = put_texts(w, err);
    status = status == CAROM_OK ? put_scene(w, err) : status;
    status = status == CAROM_OK ? put_programs(w, err) : status;
    return zip_close(&w->zip, status, report, err);
}

static carom_status check_options(const carom_fmu_options *o, carom_error *err)
{
    const char *function = "carom_fmu_export";
    carom_status status = argument_given(function, "options", o, err);
    status = status == CAROM_OK ? argument_text(function, "scene", o->scene, err) : status;
    status = status == CAROM_OK ? argument_text(function, "path", o->path, err) : status;
    status = status == CAROM_OK ? argument_texts(function, "overrides", o->overrides, o->override_count, err)
                                : status;
    status = status == CAROM_OK ? argument_texts(function, "inputs", o->inputs, o->input_count, err) : status;
    return status == CAROM_OK ? argument_texts(function, "outputs", o->outputs, o->output_count, err) : status;
}

carom_status carom_fmu_export(const carom_fmu_options *options, carom_export_report *report, carom_error *err)
{
    carom_export_report unused = { 0 };
    carom_status status = check_options(options, err);
    if (status != CAROM_OK) {
        return status;
    }
    fmu_work w = { .options = options };
    status = compile_scene(&w, err);
    status = status == CAROM_OK ? find_files(&w, err) : status;
    if (status == CAROM_OK) {
        find_identifier(&w);
        find_guid(&w);
        status = write_archive(&w, report ? report : &unused, err);
    }
    carom_observer_destroy(w.outputs);
    carom_model_destroy(w.model);
    carom_spec_destroy(w.spec);
    carom_text_destroy(w.translated);
    json_decref(w.files);
    carom_arena_free(&w.arena);
    return status;
}
