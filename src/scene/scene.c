/* A scene file becomes a spec: load, override, open the include tree, read settings, bodies, joints, forces. */
#include "scene/scene_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "math/quat.h"
#include "model/compile.h"
#include "scene/scene_write.h"
#include "scene/translation.h"

const char *const scene_root_keys[] = { "carom",  "$schema", "units",  "variables", "include",
                                        "bodies", "joints",  "forces", NULL };

/* ---- the parts ------------------------------------------------------------------------------------------------ */

/* All overrides; of a scene of another format (or NULL) those that are not the original's, or only these. */
static carom_status apply_overrides(scene_file *root, const scene_format *format, const char *const *overrides,
                                    size_t count, bool original, carom_arena *arena, carom_error *err)
{
    scene_override *applied = CAROM_ARENA_ARRAY(arena, scene_override, count);
    if (!applied) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the scene");
    }
    root->overrides = applied;
    root->override_count = 0;
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < count && error_goes_on(err, status); ++i) {
        bool theirs = format && format->owns_override(overrides[i]);
        if (format != &rigid_ipc_format && strncmp(overrides[i], "rigid_ipc_quirks", 16) == 0) {
            status = carom_fail(err, CAROM_BAD_INPUT,
                                "only scenes of the rigid-ipc format have the quirks of its code");
        } else if (theirs == original) {
            status = error_worse(status, scene_apply_override(root->document.root, overrides[i], arena,
                                                              &applied[root->override_count], err));
            root->override_count += 1;
        }
    }
    return status;
}

/* ---- scenes of another format ----------------------------------------------------------------------------------- */

static bool pass_on(const scene_file *root, const scene_remarks *remarks, carom_spec *spec)
{
    bool ok = true;
    for (size_t i = 0; i < remarks->count && ok; ++i) {
        const scene_remark *r = &remarks->items[i];
        const spec_origin origin = { .file = root->document.file, .line = r->line, .path = r->path };
        ok = r->kind == REMARK_TOLD ? spec_add_remark(spec, &origin, r->text)
                                    : spec_add_note(spec, &origin, r->kind == REMARK_WARNING, r->text);
    }
    return ok;
}

static bool names_method(const char *const *overrides, size_t count)
{
    bool found = false;
    for (size_t i = 0; i < count && !found; ++i) {
        found = strncmp(overrides[i], "contact.method=", 15) == 0 || strncmp(overrides[i], "contact=", 8) == 0;
    }
    return found;
}

/* Puts a carom scene in the place of one of another format, whose files are named relative to `folder`. */
static carom_status translate(scene_file *root, const scene_format *format, const char *folder,
                              const char *const *overrides, size_t count, carom_arena *arena, carom_spec *spec,
                              carom_error *err)
{
    scene_remarks remarks = { 0 };
    scene_reader r = { .file = root, .arena = arena, .err = err };
    carom_status status = apply_overrides(root, format, overrides, count, true, arena, err);
    if (status == CAROM_OK) {
        translation t = { .r = &r,
                          .document = &root->document,
                          .folder = folder,
                          .remarks = &remarks,
                          .chosen_method = names_method(overrides, count) };
        status = translation_begin(&t) ? format->translate(&t, &root->document) : scene_no_memory(&r);
        translation_free(&t);
    }
    if (status == CAROM_OK && spec && !pass_on(root, &remarks, spec)) {
        status = carom_fail(err, CAROM_NO_MEMORY, "out of memory for the scene");
    }
    free(remarks.items);
    return status;
}

/* Settings that the compiler, a method or a run may refuse, with all that is inside them. */
static const char *const noted_settings[] = { "gravity", "time",   "record",    "contact", "inputs",
                                              "states",  "events", "materials", "view",    NULL };

/* Remembers the line of a setting and of those inside it, so that a later refusal can name it. */
static void note_setting(const scene_file *root, const json_place *at, const json_t *json, carom_spec *spec)
{
    enum { MOST = 200 }; /* entries of one list: beyond these the line of the list has to do */
    char path[256];
    if (!json) {
        return;
    }
    json_place_text(at, path, sizeof path);
    spec_note_setting(spec, path, json_document_line(&root->document, at), scene_override_of(root, path));
    void *object = json_is_object(json) ? (json_t *)(uintptr_t)json : NULL;
    for (void *m = json_object_iter(object); m; m = json_object_iter_next(object, m)) {
        const json_place inner = { at, json_object_iter_key(m), 0 };
        note_setting(root, &inner, json_object_iter_value(m), spec);
    }
    for (size_t i = 0; i < json_array_size(json) && i < MOST; ++i) {
        const json_place inner = { at, NULL, i };
        note_setting(root, &inner, json_array_get(json, i), spec);
    }
}

/* Whether the method in `def` is the one that the scene asks for: it decides what joints may have. */
static bool method_is_known(const scene_file *root, const carom_scene_def *def)
{
    json_t *contact = json_object_get(root->document.root, "contact");
    const char *asked = json_string_value(json_object_get(contact, "method"));
    return !contact || (asked && def->contact.method.kind && strcmp(asked, def->contact.method.kind) == 0);
}

static carom_status read_settings(const scene_file *root, carom_arena *arena, carom_spec *spec, carom_error *err)
{
    scene_reader r = { .file = root, .all_names = &root->names, .arena = arena, .err = err };
    carom_scene_def def = carom_scene_def_default();
    carom_status status = scene_read_object(&r, NULL, carom_scene_fields(), scene_root_keys, root->document.root,
                                            &def);
    bool part = status == CAROM_BAD_INPUT && method_is_known(root, &def);
    if (part) {
        spec_set_part(spec, &def); /* enough to judge what the rest of the scene says */
    } else if (status == CAROM_OK) {
        err->path[0] = '\0';
        status = carom_spec_set_scene(spec, &def, err);
        status = status == CAROM_OK ? status : scene_fail_inside(&r, NULL, status);
    }
    if (status != CAROM_OK && !part) {
        return status;
    }
    carom_spec_note_origin(spec, root->document.file, 1, NULL);
    for (const char *const *key = noted_settings; *key; ++key) {
        const json_place place = { NULL, *key, 0 };
        note_setting(root, &place, json_object_get(root->document.root, *key), spec);
    }
    return status;
}

/* Lengths in mm and masses in kg make forces in mN, which hardly anybody means. */
static bool note_units(const scene_file *root, carom_spec *spec)
{
    const carom_units *u = &root->units;
    char text[256];
    scene_units_text(u, text, sizeof text);
    bool milli = fabs(u->length - 1e-3) < 1e-15 && u->mass == 1.0 && u->time == 1.0 && u->force == 0.0;
    const json_place at = { NULL, "units", 0 };
    const spec_origin origin = { .file = root->document.file,
                                 .line = json_document_line(&root->document, &at),
                                 .path = "units" };
    return spec_set_units(spec, text) &&
           (!milli ||
            spec_add_note(spec, &origin, true,
                          "forces in this file are in mN, because lengths are in mm and masses in kg; if you mean "
                          "newtons, write \"units\": {\"length\": \"mm\", \"force\": \"N\"}, if not, "
                          "\"force\": \"mN\""));
}

static carom_status read_all(const scene_file *root, carom_arena *arena, carom_spec *spec, carom_error *err)
{
    carom_status status = read_settings(root, arena, spec, err);
    if (status == CAROM_OK && !note_units(root, spec)) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the scene");
    }
    for (int which = SPEC_BODY; which <= SPEC_FORCE && error_goes_on(err, status); ++which) {
        status = error_worse(status, scene_read_entries(root, &root->names, (spec_class)which, spec, err));
    }
    if (status == CAROM_OK && carom_spec_body_count(spec) == 0 && err->all->count == 0) {
        const scene_reader r = { .file = root, .err = err };
        const json_place bodies = { NULL, "bodies", 0 };
        return scene_fail(&r, &bodies, "the scene has no bodies; write at least one in \"bodies\": [...]");
    }
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------------------------ */

/* Takes over the document. `err` has a list for the mistakes. */
static carom_status collect_scene(json_document document, scene_identity identity, const char *const *overrides,
                                  size_t count, carom_spec **out, carom_error *err)
{
    carom_arena arena = { 0 };
    scene_budget budget = { .files = 1, .arena = &arena };
    scene_file root = { .document = document, .identity = identity, .prefix = "", .pose = scene_pose_identity() };
    carom_spec *spec = carom_spec_create();
    carom_status status = spec ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory for the scene");
    const scene_format *format = scene_format_of(&root.document);
    if (status == CAROM_OK && format) {
        status = translate(&root, format, root.document.folder, overrides, count, &arena, spec, err);
    }
    status = status == CAROM_OK ? apply_overrides(&root, format, overrides, count, false, &arena, err) : status;
    status = status == CAROM_OK ? scene_open(&root, &budget, NULL, err) : status;
    if (root.opened && error_goes_on(err, status)) {
        status = error_worse(status, read_all(&root, &arena, spec, err));
    }
    bool settings = spec && carom_spec_scene_origin(spec)->file;
    if (status == CAROM_BAD_INPUT && settings && error_goes_on(err, status)) {
        status = error_worse(status, compile_find_mistakes(spec, err));
    }
    if (status == CAROM_OK) {
        *out = spec;
    } else {
        carom_spec_destroy(spec);
    }
    scene_close(&root);
    carom_arena_free(&arena);
    return status;
}

static carom_status read_scene(json_document document, scene_identity identity, const char *const *overrides,
                               size_t count, carom_spec **out, carom_error *err)
{
    carom_error work;
    carom_error_list *own = calloc(1, sizeof *own);
    if (!own) {
        json_document_free(&document);
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the scene");
    }
    error_list_begin(&work, own, err, false);
    carom_status status = collect_scene(document, identity, overrides, count, out, &work);
    status = error_list_tell(&work, status, err);
    free(own);
    return status;
}

/* An error that is empty but for the caller's list. */
static void clear(carom_error *err)
{
    if (err) {
        *err = (carom_error){ .all = err->all };
    }
}

/* The arguments that both ways to read a scene share. */
static carom_status check_given(const char *function, const char *const *overrides, size_t count, carom_spec **out,
                                carom_error *err)
{
    clear(err);
    carom_status status = argument_given(function, "out", out, err);
    if (status == CAROM_OK) {
        *out = NULL;
        status = argument_texts(function, "overrides", overrides, count, err);
    }
    return status;
}

carom_status carom_scene_load(const char *file, const char *const *overrides, size_t override_count, carom_spec **out,
                              carom_error *err)
{
    json_document document;
    carom_status status = check_given("carom_scene_load", overrides, override_count, out, err);
    status = status == CAROM_OK ? argument_text("carom_scene_load", "file", file, err) : status;
    status = status == CAROM_OK ? json_document_load(&document, file, err) : status;
    return status == CAROM_OK ? read_scene(document, scene_identify(file), overrides, override_count, out, err)
                              : status;
}

carom_status carom_scene_parse(const char *text, size_t length, const char *name, const char *folder,
                               const char *const *overrides, size_t override_count, carom_spec **out,
                               carom_error *err)
{
    json_document document;
    carom_status status = check_given("carom_scene_parse", overrides, override_count, out, err);
    status = status == CAROM_OK ? argument_given("carom_scene_parse", "text", text, err) : status;
    if (status == CAROM_OK) {
        status = json_document_parse(&document, text, length, name ? name : "scene", folder ? folder : ".", err);
    }
    return status == CAROM_OK ? read_scene(document, (scene_identity){ 0 }, overrides, override_count, out, err)
                              : status;
}

/* ---- scenes of another format, as text --------------------------------------------------------------------------------- */

/* Takes over the document. */
static carom_status import_document(json_document document, const char *const *overrides, size_t count,
                                    const char *to_folder, char **out, carom_error *err)
{
    carom_arena arena = { 0 };
    scene_file root = { .document = document, .prefix = "", .pose = scene_pose_identity() };
    scene_reader r = { .file = &root, .arena = &arena, .err = err };
    const scene_format *format = scene_format_of(&root.document);
    carom_status status = CAROM_OK;
    if (!format) {
        status =
            scene_fail(&r, NULL,
                       "this is no scene of another format: neither a robot (URDF, MJCF) nor a scene of rigid-ipc, "
                       "which has a 'rigid_body_problem'");
    }
    status = status == CAROM_OK ? translate(&root, format, to_folder, overrides, count, &arena, NULL, err) : status;
    status = status == CAROM_OK ? apply_overrides(&root, format, overrides, count, false, &arena, err) : status;
    if (status == CAROM_OK) {
        *out = scene_write(root.document.root);
        status = *out ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory for the scene");
    }
    scene_close(&root);
    carom_arena_free(&arena);
    return status;
}

carom_status carom_scene_import(const char *text, size_t length, const char *name, const char *folder,
                                const char *const *overrides, size_t override_count, const char *to_folder,
                                char **out, carom_error *err)
{
    json_document document;
    clear(err);
    carom_status status = argument_given("carom_scene_import", "out", out, err);
    if (status == CAROM_OK) {
        *out = NULL;
        status = argument_texts("carom_scene_import", "overrides", overrides, override_count, err);
    }
    status = status == CAROM_OK ? argument_given("carom_scene_import", "text", text, err) : status;
    if (status == CAROM_OK) {
        status = json_document_parse(&document, text, length, name ? name : "scene", folder ? folder : ".", err);
    }
    carom_error_list *own = status == CAROM_OK ? calloc(1, sizeof *own) : NULL;
    if (status != CAROM_OK || !own) {
        if (status == CAROM_OK) {
            json_document_free(&document);
            status = carom_fail(err, CAROM_NO_MEMORY, "out of memory for the scene");
        }
        return status;
    }
    carom_error work;
    error_list_begin(&work, own, err, false);
    status = import_document(document, overrides, override_count, to_folder ? to_folder : ".", out, &work);
    status = error_list_tell(&work, status, err);
    free(own);
    return status;
}
