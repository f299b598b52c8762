/* Bodies, joints and forces: each entry of their lists, once or repeated, read, brought to SI, moved to its place,
 * named, and added to the spec with its origin. */
#include "scene/scene_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const scene_list_names[3] = { "bodies", "joints", "forces" };

static const char *const entry_beside[] = { "repeat", NULL };

/* One definition on its way into the spec. */
typedef struct entry_work {
    scene_reader *r;
    const json_place *at;
    json_t *json;
    carom_pose pose;
    carom_spec *spec;
} entry_work;

static carom_status add_body(const entry_work *w)
{
    carom_body_def def = carom_body_def_default();
    carom_status status = scene_read_object(w->r, w->at, carom_body_fields(), entry_beside, w->json, &def);
    status = status == CAROM_OK ? scene_move_body(w->r, w->at, w->pose, &def) : status;
    status = status == CAROM_OK ? scene_entry_name(w->r, w->at, w->json, true, &def.name) : status;
    if (status != CAROM_OK) {
        return status;
    }
    status = carom_spec_add_body(w->spec, &def, w->r->err);
    return status == CAROM_OK ? status : scene_fail_inside(w->r, w->at, status);
}

static carom_status add_joint(const entry_work *w)
{
    carom_joint_def def = carom_joint_def_default();
    carom_status status = scene_read_object(w->r, w->at, carom_joint_fields(), entry_beside, w->json, &def);
    status = status == CAROM_OK ? scene_scale_joint(w->r, w->at, &def) : status;
    status = status == CAROM_OK ? scene_move_joint(w->r, w->at, w->pose, &def) : status;
    status = status == CAROM_OK ? scene_entry_name(w->r, w->at, w->json, true, &def.name) : status;
    if (status != CAROM_OK) {
        return status;
    }
    status = carom_spec_add_joint(w->spec, &def, w->r->err);
    return status == CAROM_OK ? status : scene_fail_inside(w->r, w->at, status);
}

static carom_status add_force(const entry_work *w)
{
    carom_force_def def = carom_force_def_default();
    carom_status status = scene_read_object(w->r, w->at, carom_force_fields(), entry_beside, w->json, &def);
    status = status == CAROM_OK ? scene_scale_force(w->r, w->at, w->spec, &def) : status;
    status = status == CAROM_OK ? scene_move_force(w->r, w->at, w->pose, &def) : status;
    status = status == CAROM_OK ? scene_entry_name(w->r, w->at, w->json, true, &def.name) : status;
    if (status != CAROM_OK) {
        return status;
    }
    status = carom_spec_add_force(w->spec, &def, w->r->err);
    return status == CAROM_OK ? status : scene_fail_inside(w->r, w->at, status);
}

/* The name of an entry that could not be read: what refers to it is not to blame. */
static carom_status note_broken(const entry_work *w)
{
    const char *name = NULL;
    carom_status status = scene_entry_name(w->r, w->at, w->json, true, &name);
    return status == CAROM_OK && name && !spec_note_broken(w->spec, name) ? scene_no_memory(w->r) : CAROM_OK;
}

static carom_status add_one(const entry_work *w, spec_class which, int line)
{
    static carom_status (*const add[3])(const entry_work *) = { add_body, add_joint, add_force };
    w->r->err->path[0] = '\0';
    carom_status status = add[which](w);
    if (status == CAROM_OK) {
        char path[256];
        json_place_text(w->at, path, sizeof path);
        carom_spec_note_origin(w->spec, w->r->file->document.file, line, path);
    } else if (status == CAROM_BAD_INPUT) {
        status = error_worse(status, note_broken(w));
    }
    carom_arena_free(w->r->arena);
    return status;
}

static carom_status read_entry(entry_work *w, spec_class which, int line)
{
    if (!json_is_object(w->json)) {
        return scene_wrong_type(w->r, w->at, w->json, "an object {...}");
    }
    scene_repeat repeat;
    carom_status status = scene_read_repeat(w->r, w->at, w->json, &repeat, &w->r->repeating);
    if (status != CAROM_OK) {
        return status;
    }
    for (long i = 0; i < repeat.count && (status == CAROM_OK || status == CAROM_BAD_INPUT); ++i) {
        w->r->index = i;
        w->pose = scene_pose_compose(w->r->file->pose, scene_repeat_pose(&repeat, i));
        status = status == CAROM_OK ? add_one(w, which, line) /* after a mistake the copies are no better */
                                    : error_worse(status, note_broken(w));
    }
    return status;
}

static carom_status read_list(const scene_file *file, const spec_names *all_names, spec_class which, carom_spec *spec,
                              carom_error *err)
{
    const json_place list = { NULL, scene_list_names[which], 0 };
    json_t *entries = json_object_get(file->document.root, list.key);
    size_t count = json_array_size(entries);
    int *lines = calloc(count + 1, sizeof *lines);
    if (!lines) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the scene");
    }
    json_document_element_lines(&file->document, list.key, lines, count);
    carom_arena arena = { 0 };
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < count && error_goes_on(err, status); ++i) {
        scene_reader r = { .file = file, .all_names = all_names, .arena = &arena, .err = err, .in_entry = true };
        const json_place at = { &list, NULL, i };
        entry_work w = { .r = &r, .at = &at, .json = json_array_get(entries, i), .spec = spec };
        status = error_worse(status, read_entry(&w, which, lines[i]));
    }
    carom_arena_free(&arena);
    free(lines);
    return status;
}

carom_status scene_read_entries(const scene_file *file, const spec_names *all_names, spec_class which,
                                carom_spec *spec, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < file->child_count && error_goes_on(err, status); ++i) {
        status = error_worse(status, scene_read_entries(file->children[i], all_names, which, spec, err));
    }
    return file->opened && error_goes_on(err, status)
               ? error_worse(status, read_list(file, all_names, which, spec, err))
               : status;
}
