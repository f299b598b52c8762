/* A scene file becomes a spec: load, override, open the include tree, read settings, bodies, joints, forces. */
#include "io/scene_reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "math/quat.h"

const char *const scene_root_keys[] = { "carom",  "$schema", "units",  "variables", "include",
                                        "bodies", "joints",  "forces", NULL };

/* ---- the parts ------------------------------------------------------------------------------------------------ */

static carom_status apply_overrides(scene_file *root, const char *const *overrides, size_t count, carom_arena *arena,
                                    carom_error *err)
{
    scene_override *applied = CAROM_ARENA_ARRAY(arena, scene_override, count);
    if (!applied) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the scene");
    }
    root->overrides = applied;
    for (size_t i = 0; i < count; ++i) {
        carom_status status = scene_apply_override(root->document.root, overrides[i], arena, &applied[i], err);
        if (status != CAROM_OK) {
            return status;
        }
        root->override_count = i + 1;
    }
    return CAROM_OK;
}

static carom_status read_settings(const scene_file *root, carom_arena *arena, carom_spec *spec, carom_error *err)
{
    scene_reader r = { .file = root, .all_names = &root->names, .arena = arena, .err = err };
    carom_scene_def def = carom_scene_def_default();
    carom_status status = scene_read_object(&r, NULL, carom_scene_fields(), scene_root_keys, root->document.root,
                                            &def);
    if (status != CAROM_OK) {
        return status;
    }
    status = carom_spec_set_scene(spec, &def, err);
    if (status == CAROM_OK) {
        /* What the compiler finds wrong in the settings are names of signals, and what contact is to do. */
        const json_place contact = { NULL, "contact", 0 };
        const json_place record = { NULL, "record", 0 };
        const json_place signals = { &record, "signals", 0 };
        carom_spec_note_origin(spec, root->document.file, json_document_line(&root->document, &signals), NULL);
        carom_spec_note_contact(spec, json_document_line(&root->document, &contact));
    }
    return status == CAROM_OK ? status : scene_fail_inside(&r, NULL, status);
}

static carom_status read_all(const scene_file *root, carom_arena *arena, carom_spec *spec, carom_error *err)
{
    carom_status status = read_settings(root, arena, spec, err);
    for (int which = SPEC_BODY; which <= SPEC_FORCE && status == CAROM_OK; ++which) {
        status = scene_read_entries(root, &root->names, (spec_class)which, spec, err);
    }
    if (status == CAROM_OK && carom_spec_body_count(spec) == 0) {
        const scene_reader r = { .file = root, .err = err };
        const json_place bodies = { NULL, "bodies", 0 };
        return scene_fail(&r, &bodies, "the scene has no bodies; write at least one in \"bodies\": [...]");
    }
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------------------------ */

/* Takes over the document. */
static carom_status read_scene(json_document document, scene_identity identity, const char *const *overrides,
                               size_t count, carom_spec **out, carom_error *err)
{
    carom_arena arena = { 0 };
    scene_budget budget = { .files = 1, .arena = &arena };
    scene_file root = { .document = document, .identity = identity, .prefix = "", .pose = scene_pose_identity() };
    carom_spec *spec = carom_spec_create();
    carom_status status = spec ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory for the scene");
    status = status == CAROM_OK ? apply_overrides(&root, overrides, count, &arena, err) : status;
    status = status == CAROM_OK ? scene_open(&root, &budget, NULL, err) : status;
    status = status == CAROM_OK ? read_all(&root, &arena, spec, err) : status;
    if (status == CAROM_OK) {
        *out = spec;
    } else {
        carom_spec_destroy(spec);
    }
    scene_close(&root);
    carom_arena_free(&arena);
    return status;
}

/* The arguments that both ways to read a scene share. */
static carom_status check_given(const char *function, const char *const *overrides, size_t count, carom_spec **out,
                                carom_error *err)
{
    if (err) {
        *err = (carom_error){ 0 };
    }
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
