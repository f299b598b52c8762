/* The include tree: each file with its own units and variables, its names under a prefix, its frame at a pose. From
 * an included file bodies, joints, forces, variables, units and includes are taken; its time, record, contact and
 * gravity are those of a scene of its own and are left aside. */
#include "scene/scene_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "math/quat.h"
#include "scene/translation.h"

enum { DEEPEST_INCLUDE = 16, MOST_FILES = 1000, MOST_ENTRIES = 1000000 };

static const carom_field include_fields[] = {
    { .name = "file",
      .kind = CAROM_FIELD_TEXT,
      .offset = offsetof(scene_include, file),
      .flags = CAROM_REQUIRED | CAROM_SHORTHAND,
      .doc = "Scene file, relative to the file that names it." },
    { .name = "prefix",
      .kind = CAROM_FIELD_TEXT,
      .offset = offsetof(scene_include, prefix),
      .doc = "Put before every name of the included file, e.g. \"left.\"." },
    { .name = "position",
      .kind = CAROM_FIELD_VECTOR,
      .offset = offsetof(scene_include, position),
      .dimension = { .length = 1 },
      .doc = "Where the origin of the included file lies." },
    { .name = "orientation",
      .kind = CAROM_FIELD_ORIENTATION,
      .offset = offsetof(scene_include, orientation),
      .doc = "How the axes of the included file are turned." },
    { 0 },
};

const carom_field *scene_include_fields(void)
{
    return include_fields;
}

char *scene_join_path(carom_arena *arena, const char *folder, const char *name)
{
    bool plain = name[0] == '/' || strcmp(folder, ".") == 0 || folder[0] == '\0';
    return plain ? carom_arena_text(arena, name) : carom_arena_printf(arena, "%s/%s", folder, name);
}

void scene_close(scene_file *file)
{
    for (size_t i = 0; i < file->child_count; ++i) {
        scene_close(file->children[i]);
    }
    json_decref(file->variables);
    json_document_free(&file->document);
}

/* ---- names --------------------------------------------------------------------------------------------------- */

static carom_status spend(const scene_reader *r, const json_place *at, scene_budget *budget, size_t entries)
{
    budget->entries += entries;
    return budget->entries <= MOST_ENTRIES
               ? CAROM_OK
               : scene_fail(r, at, "the scene has more than %d bodies, joints and forces", (int)MOST_ENTRIES);
}

static carom_status collect_entry(scene_reader *r, scene_file *file, scene_budget *budget, const json_place *at,
                                  json_t *entry, spec_class which)
{
    scene_repeat repeat;
    carom_status status = scene_read_repeat(r, at, entry, &repeat, &r->repeating);
    status = status == CAROM_OK ? spend(r, at, budget, (size_t)repeat.count) : status;
    for (r->index = 0; r->index < repeat.count && status == CAROM_OK; ++r->index) {
        const char *name;
        status = scene_entry_name(r, at, entry, false, &name);
        if (status == CAROM_OK && name) {
            spec_names_add(&file->names, budget->arena, name, which, 0); /* twice: refused where it is read */
        }
        status = status == CAROM_OK && budget->arena->failed ? scene_no_memory(r) : status;
    }
    return status;
}

static scene_file *root_of(scene_file *file)
{
    while (file->parent) {
        file = file->parent;
    }
    return file;
}

static carom_status collect_names(scene_file *file, scene_budget *budget, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (int which = SPEC_BODY; which <= SPEC_FORCE; ++which) {
        const json_place list = { NULL, scene_list_names[which], 0 };
        json_t *entries = json_object_get(file->document.root, list.key);
        for (size_t i = 0; i < json_array_size(entries) && error_goes_on(err, status); ++i) {
            scene_reader r = { .file = file, .arena = budget->arena, .err = err, .in_entry = true };
            const json_place at = { &list, NULL, i };
            carom_status one = collect_entry(&r, file, budget, &at, json_array_get(entries, i), (spec_class)which);
            status = error_worse(status, one);
            if (one != CAROM_OK) {
                root_of(file)->names_unsure = true;
            }
        }
    }
    return status;
}

/* The names of an included file, as the including one sees them. */
static carom_status adopt_names(const scene_reader *r, scene_file *file, const scene_file *child, const char *prefix,
                                scene_budget *budget)
{
    const carom_names *table = &child->names.table;
    for (size_t i = 0; i < table->capacity; ++i) {
        if (!table->keys[i]) {
            continue;
        }
        const char *name = carom_arena_printf(budget->arena, "%s%s", prefix, table->keys[i]);
        if (name) {
            spec_names_add(&file->names, budget->arena, name, (spec_class)(table->values[i] & 3), 0);
        }
    }
    return budget->arena->failed ? scene_no_memory(r) : CAROM_OK;
}

/* ---- cycles -------------------------------------------------------------------------------------------------- */

scene_identity scene_identify(const char *path)
{
    struct stat status;
    bool known = stat(path, &status) == 0;
    return known ? (scene_identity){ true, status.st_dev, status.st_ino } : (scene_identity){ 0 };
}

static bool same_file(const scene_identity *a, const scene_identity *b)
{
    return a->known && b->known && a->device == b->device && a->inode == b->inode;
}

/* "a.json -> b.json -> a.json" */
static carom_status name_cycle(const scene_reader *r, const json_place *at, const scene_file *first,
                               const scene_file *last)
{
    char chain[700];
    snprintf(chain, sizeof chain, "%.200s", last->document.file);
    for (const scene_file *f = last; f != first;) {
        f = f->parent;
        char longer[sizeof chain];
        snprintf(longer, sizeof longer, "%.200s -> %.480s", f->document.file, chain);
        memcpy(chain, longer, sizeof chain);
    }
    return scene_fail(r, at, "files include each other in a circle: %s", chain);
}

static carom_status refuse_cycle(const scene_reader *r, const json_place *at, const scene_file *child)
{
    int depth = 0;
    for (const scene_file *f = child->parent; f; f = f->parent, ++depth) {
        if (same_file(&f->identity, &child->identity)) {
            return name_cycle(r, at, f, child);
        }
    }
    return depth < DEEPEST_INCLUDE
               ? CAROM_OK
               : scene_fail(r, at, "files are included more than %d levels deep", DEEPEST_INCLUDE);
}

/* ---- one include --------------------------------------------------------------------------------------------- */

static carom_status read_change(const scene_reader *r, const json_place *at, const json_t *value,
                                const scene_file *child, const json_t *known, json_t *out)
{
    double number = 0.0;
    if (!json_object_get(known, at->key)) {
        return scene_fail(r, at, "%s has no variable '%.60s'", child->document.file, at->key);
    }
    carom_status status = scene_read_number(r, at, value, &number);
    json_t *change = status == CAROM_OK ? json_real(number) : json_null(); /* null: its mistake has been told */
    return json_object_set_new(out, at->key, change) == 0 ? status : scene_no_memory(r);
}

/* The variables an include changes, as numbers; each must exist in the included file. */
static carom_status read_changes(const scene_reader *r, const json_place *at, const json_t *given,
                                 const scene_file *child, json_t *out)
{
    json_t *known = json_object_get(child->document.root, "variables");
    if (given && !json_is_object(given)) {
        return scene_wrong_type(r, at, given, "an object such as {\"L\": 2}");
    }
    carom_status status = CAROM_OK;
    void *object = (json_t *)(uintptr_t)given;
    for (void *m = json_object_iter(object); m && error_goes_on(r->err, status);
         m = json_object_iter_next(object, m)) {
        const json_place place = { at, json_object_iter_key(m), 0 };
        status = error_worse(status, read_change(r, &place, json_object_iter_value(m), child, known, out));
    }
    return status;
}

static carom_status load_child(const scene_reader *r, const json_place *at, const char *path, scene_file *child,
                               scene_budget *budget)
{
    const json_place place = { at, "file", 0 };
    if (++budget->files > MOST_FILES) {
        return scene_fail(r, at, "the scene includes more than %d files", (int)MOST_FILES);
    }
    *r->err = (carom_error){ .all = r->err->all };
    carom_status status = json_document_load(&child->document, path, r->err);
    if (status != CAROM_OK && status != CAROM_NO_MEMORY && r->err->line == 0) {
        char message[sizeof r->err->message];
        memcpy(message, r->err->message, sizeof message);
        return scene_fail(r, &place, "%s", message);
    }
    if (status == CAROM_BAD_INPUT) {
        return error_note(r->err); /* a line of the included file */
    }
    const scene_format *format = status == CAROM_OK ? scene_format_of(&child->document) : NULL;
    if (format) {
        return scene_fail(r, &place,
                          "'%.200s' is of the format %s; 'carom import' makes a scene of it that can be included",
                          path, format->name);
    }
    if (status == CAROM_OK) {
        child->identity = scene_identify(path);
        status = refuse_cycle(r, &place, child);
    }
    return status;
}

static carom_status open_child(const scene_reader *r, const json_place *at, const json_t *json, scene_file *file,
                               scene_file *child, scene_budget *budget, json_t *changes)
{
    static const char *const beside[] = { "variables", NULL };
    scene_include include = { .prefix = "", .orientation = q_identity() };
    carom_status status = scene_read_object(r, at, include_fields, beside, json, &include);
    if (status != CAROM_OK) {
        root_of(file)->names_unsure = true;
        return status;
    }
    const char *path = scene_join_path(budget->arena, file->document.folder, include.file);
    child->prefix = carom_arena_printf(budget->arena, "%s%s", file->prefix, include.prefix);
    child->pose = scene_pose_compose(file->pose, (carom_pose){ include.position, include.orientation });
    status = path && child->prefix ? load_child(r, at, path, child, budget) : scene_no_memory(r);
    const json_place variables = { at, "variables", 0 };
    if (status != CAROM_OK) {
        root_of(file)->names_unsure = true;
        return status;
    }
    status = read_changes(r, &variables, json_object_get(json, "variables"), child, changes);
    if (error_goes_on(r->err, status)) {
        status = error_worse(status, scene_open(child, budget, changes, r->err));
    }
    return error_goes_on(r->err, status) ? error_worse(status, adopt_names(r, file, child, include.prefix, budget))
                                         : status;
}

static carom_status open_include(const scene_reader *r, const json_place *at, const json_t *json, scene_file *file,
                                 scene_budget *budget)
{
    scene_file *child = carom_arena_alloc(budget->arena, sizeof *child);
    json_t *changes = json_object();
    if (!child || !changes) {
        json_decref(changes);
        return scene_no_memory(r);
    }
    child->parent = file;
    file->children[file->child_count++] = child;
    carom_status status = open_child(r, at, json, file, child, budget, changes);
    json_decref(changes);
    return status;
}

static carom_status open_includes(const scene_reader *r, scene_file *file, scene_budget *budget)
{
    const json_place list = { NULL, "include", 0 };
    json_t *includes = json_object_get(file->document.root, "include");
    bool many = json_is_array(includes);
    size_t count = many ? json_array_size(includes) : includes != NULL;
    file->children = CAROM_ARENA_ARRAY(budget->arena, scene_file *, count);
    if (!file->children) {
        return scene_no_memory(r);
    }
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < count && error_goes_on(r->err, status); ++i) {
        const json_place at = { &list, NULL, i };
        status = error_worse(status, open_include(r, many ? &at : &list,
                                                  many ? json_array_get(includes, i) : includes, file, budget));
    }
    return status;
}

/* ---- one file ------------------------------------------------------------------------------------------------ */

static carom_status check_version(const scene_reader *r)
{
    const json_place place = { NULL, "carom", 0 };
    json_t *version = json_object_get(r->file->document.root, "carom");
    if (!version) {
        return scene_fail(r, NULL, "the version is missing: a scene begins with {\"carom\": %d, ...}",
                          CAROM_SCENE_VERSION);
    }
    if (!json_is_real(version)) {
        return scene_wrong_type(r, &place, version, "the version number of the scene format");
    }
    double number = json_real_value(version);
    if (number > CAROM_SCENE_VERSION) {
        return scene_fail(r, &place,
                          "the scene has version %g, but carom " CAROM_VERSION " reads versions up to %d; "
                          "take a newer carom",
                          number, CAROM_SCENE_VERSION);
    }
    return number == CAROM_SCENE_VERSION ? CAROM_OK
                                         : scene_fail(r, &place, "there is no scene format %g; write \"carom\": %d",
                                                      number, CAROM_SCENE_VERSION);
}

static carom_status check_lists(const scene_reader *r)
{
    carom_status status = CAROM_OK;
    for (int which = SPEC_BODY; which <= SPEC_FORCE && error_goes_on(r->err, status); ++which) {
        const json_place place = { NULL, scene_list_names[which], 0 };
        json_t *list = json_object_get(r->file->document.root, place.key);
        if (list && !json_is_array(list)) {
            status = scene_wrong_type(r, &place, list, "a list [...]");
        }
    }
    return status;
}

/* Settings of an included file are left aside, but not its mistakes. */
static carom_status check_settings(const scene_reader *r)
{
    carom_scene_def unused = carom_scene_def_default();
    return r->file->parent
               ? scene_read_object(r, NULL, carom_scene_fields(), scene_root_keys, r->file->document.root, &unused)
               : CAROM_OK;
}

carom_status scene_open(scene_file *file, scene_budget *budget, const json_t *changes, carom_error *err)
{
    const json_place units = { NULL, "units", 0 };
    file->units = carom_units_si();
    scene_reader r = { .file = file, .arena = budget->arena, .err = err };
    carom_status status = check_version(&r);
    if (status != CAROM_OK) {
        root_of(file)->names_unsure = true;
        return status; /* nobody knows what the rest means */
    }
    file->opened = true;
    status = check_lists(&r);
    root_of(file)->names_unsure |= status != CAROM_OK;
    if (error_goes_on(err, status)) {
        json_t *given = json_object_get(file->document.root, "units");
        status = error_worse(status, scene_read_units(&r, &units, given, &file->units));
    }
    status = error_goes_on(err, status) ? error_worse(status, scene_open_variables(&r, file, changes)) : status;
    status = error_goes_on(err, status) ? error_worse(status, check_settings(&r)) : status;
    status = error_goes_on(err, status) ? error_worse(status, open_includes(&r, file, budget)) : status;
    return error_goes_on(err, status) ? error_worse(status, collect_names(file, budget, err)) : status;
}
