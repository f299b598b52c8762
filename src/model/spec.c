/* The editable description: owns deep copies of definitions in one arena, knows every name, remembers origins.
 *
 * Invariant: an add either succeeds entirely or changes nothing but unused memory of the arena. */
#include "model/spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "base/array.h"
#include "elements/forces/user.h"
#include "elements/joints/joint.h"
#include "elements/laws/user.h"
#include "model/fields.h"

typedef struct spec_entry {
    spec_origin origin;
    void *def;
} spec_entry;

typedef struct spec_list {
    spec_entry **entries;
    size_t count;
    size_t capacity;
} spec_list;

typedef struct spec_laws { /* of the program: definitions that begin with a name */
    const void **defs;
    size_t count, capacity;
} spec_laws;

struct carom_spec {
    carom_arena arena;
    carom_scene_def scene;
    spec_origin scene_origin;
    bool part; /* of the settings only some could be read */
    spec_origin *settings;
    size_t setting_count, setting_capacity;
    const char **broken; /* names of definitions that were refused */
    size_t broken_count, broken_capacity;
    spec_said *notes; /* of the reader */
    size_t note_count, note_capacity;
    const char **remarks;
    size_t remark_count, remark_capacity;
    const char *units;  /* of its file, for people */
    spec_list lists[3]; /* by spec_class */
    spec_laws normal_laws, friction_laws;
    spec_names names;
    spec_origin *last; /* origin of the definition added last */
};

static const char *const class_names[3] = { "body", "joint", "force" };

carom_spec *carom_spec_create(void)
{
    carom_spec *spec = calloc(1, sizeof *spec);
    if (spec) {
        spec->scene = carom_scene_def_default();
    }
    return spec;
}

void carom_spec_destroy(carom_spec *spec)
{
    if (!spec) {
        return;
    }
    for (int i = 0; i < 3; ++i) {
        free(spec->lists[i].entries);
    }
    free(spec->normal_laws.defs);
    free(spec->friction_laws.defs);
    free(spec->settings);
    free(spec->broken);
    free(spec->notes);
    free(spec->remarks);
    carom_arena_free(&spec->arena);
    free(spec);
}

/* ---- origins ------------------------------------------------------------------------------------------------- */

void carom_spec_note_origin(carom_spec *spec, const char *file, int line, const char *path)
{
    if (!spec || !spec->last) {
        return;
    }
    bool same_file = file && spec->scene_origin.file && strcmp(file, spec->scene_origin.file) == 0;
    spec->last->file = same_file ? spec->scene_origin.file : carom_arena_text(&spec->arena, file);
    spec->last->line = line > 0 ? line : 0;
    spec->last->path = carom_arena_text(&spec->arena, path);
    spec->arena.failed = false; /* an origin lost to lack of memory only makes a later message poorer */
}

void spec_note_setting(carom_spec *spec, const char *path, int line, const char *override)
{
    if (CAROM_ARRAY_RESERVE(spec->settings, spec->setting_capacity, spec->setting_count + 1)) {
        spec->settings[spec->setting_count++] = (spec_origin){ .file = spec->scene_origin.file,
                                                               .line = line,
                                                               .path = carom_arena_text(&spec->arena, path),
                                                               .override = carom_arena_text(&spec->arena, override) };
        spec->arena.failed = false; /* else a later message is poorer, that is all */
    }
}

void carom_spec_note_setting(carom_spec *spec, const char *path, int line)
{
    if (spec && path) {
        spec_note_setting(spec, path, line > 0 ? line : 0, NULL);
    }
}

size_t spec_setting_count(const carom_spec *spec)
{
    return spec->setting_count;
}

const spec_origin *spec_setting(const carom_spec *spec, size_t index)
{
    return &spec->settings[index];
}

bool spec_note_broken(carom_spec *spec, const char *name)
{
    const char *copy = carom_arena_text(&spec->arena, name);
    bool ok = copy && CAROM_ARRAY_RESERVE(spec->broken, spec->broken_capacity, spec->broken_count + 1);
    if (ok) {
        spec->broken[spec->broken_count++] = copy;
    }
    return ok;
}

bool spec_add_note(carom_spec *spec, const spec_origin *origin, bool warning, const char *text)
{
    spec_said note = { .origin = { .file = carom_arena_text(&spec->arena, origin->file),
                                   .line = origin->line,
                                   .path = carom_arena_text(&spec->arena, origin->path) },
                       .warning = warning,
                       .text = carom_arena_text(&spec->arena, text) };
    bool ok = !spec->arena.failed && CAROM_ARRAY_RESERVE(spec->notes, spec->note_capacity, spec->note_count + 1);
    if (ok) {
        spec->notes[spec->note_count++] = note;
    }
    return ok;
}

bool spec_add_remark(carom_spec *spec, const spec_origin *origin, const char *text)
{
    char *remark = carom_arena_printf(&spec->arena, "line %d: %s", origin->line, text);
    bool ok = remark && CAROM_ARRAY_RESERVE(spec->remarks, spec->remark_capacity, spec->remark_count + 1);
    if (ok) {
        spec->remarks[spec->remark_count++] = remark;
    }
    return ok;
}

bool spec_set_units(carom_spec *spec, const char *text)
{
    spec->units = carom_arena_text(&spec->arena, text);
    return spec->units != NULL;
}

const char *carom_spec_units(const carom_spec *spec)
{
    return spec && spec->units ? spec->units : "";
}

size_t spec_notes(const carom_spec *spec, const spec_said **out)
{
    *out = spec->notes;
    return spec->note_count;
}

size_t carom_spec_remarks(const carom_spec *spec, const char *const **out)
{
    if (out) {
        *out = spec ? (const char *const *)spec->remarks : NULL;
    }
    return spec ? spec->remark_count : 0;
}

size_t spec_broken_count(const carom_spec *spec)
{
    return spec->broken_count;
}

const char *spec_broken(const carom_spec *spec, size_t index)
{
    return spec->broken[index];
}

/* ---- adding -------------------------------------------------------------------------------------------------- */

static carom_status out_of_memory(carom_spec *spec, carom_error *err)
{
    spec->arena.failed = false;
    return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the scene");
}

/* Names the field of a definition that is wrong; the reader puts the place of the definition before it. */
static carom_status fail_in(const char *path, carom_error *err)
{
    if (err) {
        snprintf(err->path, sizeof err->path, "%s", path);
    }
    return CAROM_BAD_INPUT;
}

static carom_status check_name(const carom_spec *spec, spec_class which, const char *name, carom_error *err)
{
    const char *problem = spec_name_problem(name);
    if (problem) {
        carom_fail(err, CAROM_BAD_INPUT, "%s without a valid name: %s", class_names[which], problem);
        return fail_in("name", err);
    }
    spec_class other;
    size_t index;
    if (spec_find(spec, name, &other, &index)) {
        const spec_origin *origin = &spec->lists[other].entries[index]->origin;
        bool known = origin->file && origin->line > 0;
        char line[24] = "";
        if (known) {
            snprintf(line, sizeof line, ":%d", origin->line);
        }
        carom_fail(err, CAROM_BAD_INPUT,
                   "the name '%s' is taken already by a %s%s%.200s%s; names must be unique among bodies, joints and "
                   "forces",
                   name, class_names[other], known ? " at " : "", known ? origin->file : "", line);
        return fail_in("name", err);
    }
    return CAROM_OK;
}

/* What an add works on: the class, its table, and a definition with its name. */
typedef struct spec_addition {
    spec_class which;
    const carom_field *fields;
    const void *def;
    const void *defaults;
    size_t size;
    const char *name;
} spec_addition;

static carom_status add(carom_spec *spec, const spec_addition *a, carom_error *err)
{
    carom_status status = check_name(spec, a->which, a->name, err);
    status = status == CAROM_OK ? fields_check(a->fields, a->def, a->defaults, err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    spec_list *list = &spec->lists[a->which];
    spec_entry *entry = carom_arena_alloc(&spec->arena, sizeof *entry);
    void *def = carom_arena_copy(&spec->arena, a->def, a->size);
    if (!CAROM_ARRAY_RESERVE(list->entries, list->capacity, list->count + 1) || !entry || !def) {
        return out_of_memory(spec, err);
    }
    fields_copy(&spec->arena, a->fields, def);
    entry->def = def;
    const char *name = *(const char *const *)def; /* `name` is the first member of every definition */
    if (spec->arena.failed || !spec_names_add(&spec->names, &spec->arena, name, a->which, list->count)) {
        return out_of_memory(spec, err);
    }
    list->entries[list->count++] = entry;
    spec->last = &entry->origin;
    return CAROM_OK;
}

_Static_assert(offsetof(carom_body_def, name) == 0 && offsetof(carom_joint_def, name) == 0 &&
                   offsetof(carom_force_def, name) == 0,
               "add() takes the name from the start of a definition");

static carom_status check_given(const char *function, const carom_spec *spec, const void *def, carom_error *err)
{
    const argument needed[] = { { "spec", spec }, { "def", def } };
    return arguments_given(function, needed, 2, err);
}

carom_status carom_spec_set_scene(carom_spec *spec, const carom_scene_def *def, carom_error *err)
{
    const carom_scene_def defaults = carom_scene_def_default();
    carom_status status = check_given("carom_spec_set_scene", spec, def, err);
    status = status == CAROM_OK ? fields_check(carom_scene_fields(), def, &defaults, err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    carom_scene_def copy = *def;
    fields_copy(&spec->arena, carom_scene_fields(), &copy);
    if (spec->arena.failed) {
        return out_of_memory(spec, err);
    }
    spec->scene = copy;
    spec->last = &spec->scene_origin;
    return CAROM_OK;
}

void spec_set_part(carom_spec *spec, const carom_scene_def *def)
{
    carom_scene_def part = carom_scene_def_default();
    part.contact.method = (carom_choice){ .kind = def->contact.method.kind };
    part.record.signals = def->record.signals;
    fields_copy(&spec->arena, carom_scene_fields(), &part);
    spec->part = true;
    spec->last = &spec->scene_origin;
    if (!spec->arena.failed) {
        spec->scene = part;
    }
    spec->arena.failed = false; /* then less is found out, no more */
}

bool spec_is_part(const carom_spec *spec)
{
    return spec->part;
}

carom_status carom_spec_add_body(carom_spec *spec, const carom_body_def *def, carom_error *err)
{
    const carom_body_def defaults = carom_body_def_default();
    carom_status status = check_given("carom_spec_add_body", spec, def, err);
    if (status != CAROM_OK) {
        return status;
    }
    return add(spec, &(spec_addition){ SPEC_BODY, carom_body_fields(), def, &defaults, sizeof *def, def->name }, err);
}

/* ---- joints -------------------------------------------------------------------------------------------------- */

static carom_status check_pair(const carom_joint_def *def, carom_error *err)
{
    const carom_joint_type *type = def->joint.kind ? carom_joint_type_find(def->joint.kind) : NULL;
    const char *a = def->attachment.bodies[0];
    const char *b = def->attachment.bodies[1];
    if (!type || type->couples_joints) {
        return CAROM_OK; /* fields_check names an unknown kind */
    }
    if (!a || !b) {
        carom_fail(err, CAROM_BAD_INPUT, "joint '%s' needs 'bodies': two names, of which one may be \"ground\"",
                   def->name);
        return fail_in("bodies", err);
    }
    if (strcmp(a, b) != 0) {
        return CAROM_OK;
    }
    if (strcmp(a, "ground") == 0) {
        carom_fail(err, CAROM_BAD_INPUT,
                   "joint '%s' joins the ground to the ground; one of its bodies must be able to move", def->name);
    } else {
        carom_fail(err, CAROM_BAD_INPUT, "joint '%s' joins body '%s' to itself; it needs two different bodies",
                   def->name, a);
    }
    return fail_in("bodies", err);
}

/* " [m]" or " [rad]" of a coordinate; "" where there is no such coordinate. */
static const char *unit_along(const carom_joint_def *def, const char *coordinate)
{
    const carom_joint_type *type = def->joint.kind ? carom_joint_type_find(def->joint.kind) : NULL;
    for (int k = 0; type && k < type->coordinate_count; ++k) {
        const joint_coordinate *c = &type->coordinates[k];
        if (coordinate ? strcmp(coordinate, c->name) == 0 : type->coordinate_count == 1) {
            return c->angle ? " [rad]" : " [m]";
        }
    }
    return "";
}

static carom_status check_limits(const carom_joint_def *def, carom_error *err)
{
    const carom_joint_limit_def *limits = def->limits.items;
    bool readable = limits && def->limits.count <= FIELD_MOST; /* else fields_check says so */
    for (size_t i = 0; readable && i < def->limits.count; ++i) {
        if (!(limits[i].min < limits[i].max)) {
            char path[40];
            snprintf(path, sizeof path, "limits[%zu]", i);
            const char *unit = unit_along(def, limits[i].coordinate);
            carom_fail(err, CAROM_BAD_INPUT,
                       "limits of joint '%s'%s have min %g %s max %g; min must be below max (a 'motion' holds a "
                       "coordinate in place)",
                       def->name, unit, limits[i].min, limits[i].min == limits[i].max ? "equal to" : "above",
                       limits[i].max);
            return fail_in(path, err);
        }
    }
    return CAROM_OK;
}

static carom_status check_bounds(const carom_joint_def *def, carom_error *err)
{
    const carom_distance_def *own = def->joint.params;
    if (own->length != 0.0) {
        carom_fail(err, CAROM_BAD_INPUT,
                   "joint '%s' has a length of %g m and bounds (min, max); a distance has one or the other",
                   def->name, own->length);
        return fail_in("length", err);
    }
    if (def->limits.count > 0) {
        carom_fail(err, CAROM_BAD_INPUT,
                   "joint '%s' has bounds and 'limits'; write min and max into the limits of a joint of type 'rope'",
                   def->name);
        return fail_in("limits", err);
    }
    return CAROM_OK;
}

/* A distance between bounds is a rope with a limit. */
static carom_status add_rope(carom_spec *spec, const carom_joint_def *def, const carom_joint_limit_def *limit,
                             carom_error *err)
{
    const carom_joint_def defaults = carom_joint_def_default();
    carom_joint_def rope = *def;
    rope.joint = (carom_choice){ .kind = "rope" };
    rope.limits = (carom_list){ 1, limit };
    carom_status status = fields_check(carom_joint_fields(), def, &defaults, err);
    status = status == CAROM_OK ? check_bounds(def, err) : status;
    return status == CAROM_OK ? carom_spec_add_joint(spec, &rope, err) : status;
}

carom_status carom_spec_add_joint(carom_spec *spec, const carom_joint_def *def, carom_error *err)
{
    const carom_joint_def defaults = carom_joint_def_default();
    carom_joint_limit_def limit;
    carom_status status = check_given("carom_spec_add_joint", spec, def, err);
    if (status == CAROM_OK && joint_is_bounded_distance(def, &limit)) {
        return add_rope(spec, def, &limit, err);
    }
    status = status == CAROM_OK ? check_name(spec, SPEC_JOINT, def->name, err) : status;
    status = status == CAROM_OK ? check_pair(def, err) : status;
    status = status == CAROM_OK ? check_limits(def, err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    return add(spec, &(spec_addition){ SPEC_JOINT, carom_joint_fields(), def, &defaults, sizeof *def, def->name },
               err);
}

/* A function that is missing, and what goes with it. */
static carom_status check_user_force(const carom_force_def *def, carom_error *err)
{
    const carom_kind *kind = def->force.kind ? kind_of_choice(carom_force_kinds(), def->force.kind) : NULL;
    const void *params = def->force.params ? def->force.params : force_user_kind()->defaults;
    bool fine = kind != force_user_kind() || force_user_check(params, err) == CAROM_OK;
    return fine ? CAROM_OK : fail_in("force", err);
}

carom_status carom_spec_add_force(carom_spec *spec, const carom_force_def *def, carom_error *err)
{
    const carom_force_def defaults = carom_force_def_default();
    carom_status status = check_given("carom_spec_add_force", spec, def, err);
    status = status == CAROM_OK ? check_user_force(def, err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    return add(spec, &(spec_addition){ SPEC_FORCE, carom_force_fields(), def, &defaults, sizeof *def, def->name },
               err);
}

/* ---- contact laws ------------------------------------------------------------------------------------------------- */

static bool law_known(const spec_laws *laws, const char *name)
{
    size_t k = 0;
    while (k < laws->count && strcmp(*(const char *const *)laws->defs[k], name) != 0) {
        ++k;
    }
    return k < laws->count;
}

/* `def` begins with its name, which is there. */
static carom_status add_law(carom_spec *spec, spec_laws *laws, const carom_field *fields, const void *def,
                            size_t size, carom_error *err)
{
    const char *name = *(const char *const *)def;
    if (law_known(laws, name)) {
        return carom_fail(err, CAROM_BAD_INPUT, "the spec has a law '%.60s' already; give this one another name",
                          name);
    }
    bool room = CAROM_ARRAY_RESERVE(laws->defs, laws->capacity, laws->count + 1);
    void *copy = carom_arena_copy(&spec->arena, def, size);
    if (!room || !copy) {
        return out_of_memory(spec, err);
    }
    fields_copy(&spec->arena, fields, copy);
    if (spec->arena.failed) {
        return out_of_memory(spec, err);
    }
    laws->defs[laws->count++] = copy;
    return CAROM_OK;
}

_Static_assert(offsetof(carom_user_normal_law_def, name) == 0 && offsetof(carom_user_friction_law_def, name) == 0,
               "add_law() takes the name from the start of a definition");

carom_status carom_spec_add_normal_law(carom_spec *spec, const carom_user_normal_law_def *def, carom_error *err)
{
    carom_status status = check_given("carom_spec_add_normal_law", spec, def, err);
    status = status == CAROM_OK ? fields_check(normal_user_fields(), def, NULL, err) : status;
    status = status == CAROM_OK ? normal_user_check(def, err) : status;
    return status == CAROM_OK ? add_law(spec, &spec->normal_laws, normal_user_fields(), def, sizeof *def, err)
                              : status;
}

carom_status carom_spec_add_friction_law(carom_spec *spec, const carom_user_friction_law_def *def, carom_error *err)
{
    carom_status status = check_given("carom_spec_add_friction_law", spec, def, err);
    status = status == CAROM_OK ? fields_check(friction_user_fields(), def, NULL, err) : status;
    status = status == CAROM_OK ? friction_user_check(def, err) : status;
    return status == CAROM_OK ? add_law(spec, &spec->friction_laws, friction_user_fields(), def, sizeof *def, err)
                              : status;
}

const carom_user_normal_law_def *spec_normal_law(const carom_spec *spec, size_t index)
{
    return index < spec->normal_laws.count ? spec->normal_laws.defs[index] : NULL;
}

const carom_user_friction_law_def *spec_friction_law(const carom_spec *spec, size_t index)
{
    return index < spec->friction_laws.count ? spec->friction_laws.defs[index] : NULL;
}

/* ---- looking ------------------------------------------------------------------------------------------------- */

const carom_scene_def *carom_spec_scene(const carom_spec *spec)
{
    return spec ? &spec->scene : NULL;
}

bool spec_find(const carom_spec *spec, const char *name, spec_class *which, size_t *index)
{
    return spec_names_find(&spec->names, name, which, index);
}

/* NULL: there is none. */
static const spec_entry *entry_of(const carom_spec *spec, spec_class which, size_t index)
{
    return spec && index < spec->lists[which].count ? spec->lists[which].entries[index] : NULL;
}

static const void *def_of(const carom_spec *spec, spec_class which, size_t index)
{
    const spec_entry *entry = entry_of(spec, which, index);
    return entry ? entry->def : NULL;
}

static const spec_origin *origin_of(const carom_spec *spec, spec_class which, size_t index)
{
    const spec_entry *entry = entry_of(spec, which, index);
    return entry ? &entry->origin : NULL;
}

size_t carom_spec_body_count(const carom_spec *spec)
{
    return spec ? spec->lists[SPEC_BODY].count : 0;
}

size_t carom_spec_joint_count(const carom_spec *spec)
{
    return spec ? spec->lists[SPEC_JOINT].count : 0;
}

size_t carom_spec_force_count(const carom_spec *spec)
{
    return spec ? spec->lists[SPEC_FORCE].count : 0;
}

const carom_body_def *carom_spec_body(const carom_spec *spec, size_t index)
{
    return def_of(spec, SPEC_BODY, index);
}

const carom_joint_def *carom_spec_joint(const carom_spec *spec, size_t index)
{
    return def_of(spec, SPEC_JOINT, index);
}

const carom_force_def *carom_spec_force(const carom_spec *spec, size_t index)
{
    return def_of(spec, SPEC_FORCE, index);
}

const spec_origin *carom_spec_body_origin(const carom_spec *spec, size_t index)
{
    return origin_of(spec, SPEC_BODY, index);
}

const spec_origin *carom_spec_joint_origin(const carom_spec *spec, size_t index)
{
    return origin_of(spec, SPEC_JOINT, index);
}

const spec_origin *carom_spec_force_origin(const carom_spec *spec, size_t index)
{
    return origin_of(spec, SPEC_FORCE, index);
}

const spec_origin *carom_spec_scene_origin(const carom_spec *spec)
{
    return &spec->scene_origin;
}
