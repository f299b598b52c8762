/* carom_compile: from an edited spec to an immutable model, every reference resolved, everything checked once. */
#include "model/compile.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "base/error_list.h"
#include "model/fields.h"
#include "model/method.h"
#include "model/store.h"

/* ---- mistakes and notes ------------------------------------------------------------------------------------------ */

bool compile_follows(const carom_model *model, const char *name)
{
    spec_class which;
    size_t index;
    bool follows = model->trouble && spec_names_find(&model->trouble->refused, name, &which, &index);
    if (follows) {
        model->trouble->follows = true;
    }
    return follows;
}

carom_status compile_refuse(carom_model *model, const char *name, const spec_origin *origin, carom_status status,
                            carom_error *err)
{
    compile_trouble *trouble = model->trouble;
    bool follows = trouble->follows;
    trouble->any = true;
    trouble->follows = false;
    if (status != CAROM_BAD_INPUT) {
        return origin_blame(origin, NULL, status, err);
    }
    spec_class which;
    size_t index;
    if (!spec_names_find(&trouble->refused, name, &which, &index)) {
        spec_names_add(&trouble->refused, &model->arena, name, SPEC_BODY, 0);
    }
    if (model->arena.failed) {
        return compile_check_memory(model, err);
    }
    return follows ? status : origin_blame(origin, NULL, status, err);
}

spec_origin compile_origin(carom_model *model, const spec_origin *origin)
{
    const char *root = model->scene_origin.file; /* most definitions come from there */
    bool same = root && origin->file && strcmp(root, origin->file) == 0;
    return (spec_origin){ .file = same ? root : carom_arena_text(&model->arena, origin->file),
                          .line = origin->line,
                          .path = carom_arena_text(&model->arena, origin->path),
                          .override = carom_arena_text(&model->arena, origin->override) };
}

static carom_note note_at(carom_model *model, const note_place *place)
{
    const spec_origin none = { 0 };
    const spec_origin *o = place->setting ? model_setting_origin(model, place->setting) : place->origin;
    o = o ? o : &none;
    const char *path = place->setting ? place->setting : o->path;
    bool deeper = path && place->inside;
    return (carom_note){ .warning = place->warning,
                         .file = carom_arena_text(&model->arena, o->file),
                         .line = o->line,
                         .path = deeper ? carom_arena_printf(&model->arena, "%s.%s", path, place->inside)
                                        : carom_arena_text(&model->arena, path) };
}

static bool is_noted(const carom_model *model, const carom_note *note)
{
    bool found = false;
    for (size_t i = 0; i < model->note_count && !found; ++i) {
        const carom_note *n = &model->notes[i];
        found = n->line == note->line && strcmp(n->message, note->message) == 0;
    }
    return found;
}

void compile_note(carom_model *model, note_place place, const char *fmt, ...)
{
    compile_trouble *trouble = model->trouble;
    if (model->note_count == trouble->note_capacity) {
        size_t capacity = 2 * trouble->note_capacity + 8;
        carom_note *notes = CAROM_ARENA_ARRAY(&model->arena, carom_note, capacity);
        if (!notes) {
            return;
        }
        if (model->note_count > 0) {
            memcpy(notes, model->notes, model->note_count * sizeof *notes);
        }
        model->notes = trouble->notes = notes;
        trouble->note_capacity = capacity;
    }
    char message[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    carom_note note = note_at(model, &place);
    note.message = carom_arena_text(&model->arena, message);
    if (!model->arena.failed && !is_noted(model, &note)) {
        trouble->notes[model->note_count++] = note;
    }
}

/* ---- stages ------------------------------------------------------------------------------------------------------ */

static void copy_origins(carom_model *model, const carom_spec *spec)
{
    size_t count = spec_setting_count(spec);
    spec_origin *settings = CAROM_ARENA_ARRAY(&model->arena, spec_origin, count + 1);
    model->scene_origin = compile_origin(model, carom_spec_scene_origin(spec));
    for (size_t i = 0; settings && i < count; ++i) {
        settings[i] = compile_origin(model, spec_setting(spec, i));
    }
    model->settings = settings;
    model->setting_count = settings ? count : 0;
}

static void take_over_refused(carom_model *model, const carom_spec *spec)
{
    for (size_t i = 0; i < spec_broken_count(spec); ++i) {
        spec_names_add(&model->trouble->refused, &model->arena, spec_broken(spec, i), SPEC_BODY, 0);
    }
}

carom_status compile_check_memory(const carom_model *model, carom_error *err)
{
    return model->arena.failed ? carom_fail(err, CAROM_NO_MEMORY, "out of memory for the model") : CAROM_OK;
}

static carom_status copy_scene(carom_model *model, const carom_scene_def *scene, carom_error *err)
{
    model->scene = *scene;
    model->scene.name = carom_arena_text(&model->arena, scene->name);
    model->scene.description = carom_arena_text(&model->arena, scene->description);
    fields_copy(&model->arena, carom_contact_fields(), &model->scene.contact);
    const carom_choice *choice = &scene->time.integrator;
    const carom_kind *integrator = choice->kind ? kind_find(carom_integrator_kinds(), choice->kind) : NULL;
    if (choice->kind && !integrator) {
        carom_fail(err, CAROM_BAD_INPUT, "unknown integrator '%.100s'", choice->kind);
        return model_blame_setting(model, "time.integrator", CAROM_BAD_INPUT, err);
    }
    if (integrator) {
        const void *params = kind_copy(&model->arena, integrator, choice->params, 0);
        model->scene.time.integrator = (carom_choice){ integrator->name, params };
    }
    if (!(scene->time.end > 0.0) || !isfinite(scene->time.end)) {
        carom_fail(err, CAROM_BAD_INPUT, "time.end must be positive, not %g s", scene->time.end);
        return model_blame_setting(model, "time.end", CAROM_BAD_INPUT, err);
    }
    return compile_check_memory(model, err);
}

/* Before everything else, because what joints may have depends on the method. */
static carom_status choose_method(carom_model *model, const carom_choice *contact, carom_error *err)
{
    const char *name = contact->kind ? contact->kind : "none";
    model->method = carom_method_find(name);
    if (!model->method) {
        carom_fail(err, CAROM_BAD_INPUT, "unknown contact method '%.100s'", name);
        return model_blame_setting(model, "contact.method", CAROM_BAD_INPUT, err);
    }
    const carom_kind *kind = &model->method->kind;
    model->method_options = kind_copy(&model->arena, kind, contact->params, 0);
    model->scene.contact.method = (carom_choice){ kind->name, model->method_options };
    if (model->method->variant && model->method_options) {
        model->method = model->method->variant(model->method_options);
    }
    return compile_check_memory(model, err);
}

static carom_status compile_signal(carom_model *model, size_t index, const char *name, carom_error *err)
{
    model->signal_names[index] = carom_arena_text(&model->arena, name);
    carom_status status = model_find_signal(model, name, -1, &model->signals[index], err);
    if (status != CAROM_OK && model->trouble->follows) {
        model->trouble->follows = false;
        return status;
    }
    char path[48];
    snprintf(path, sizeof path, "record.signals[%zu]", index);
    return status == CAROM_OK ? status : model_blame_setting(model, path, status, err);
}

/* Fields go with frames: how many frames apart they are must not depend on how long a run is. */
static carom_status check_fields_every(const carom_model *model, const carom_record_def *record, carom_error *err)
{
    if (!(record->fields_every > 0.0) || (record->every > 0.0 && record->fields_every >= record->every)) {
        return CAROM_OK;
    }
    if (record->every > 0.0) {
        carom_fail(
            err, CAROM_BAD_INPUT,
            "record.fields_every is %g s, less than record.every, %g s: fields are recorded with frames; give a "
            "multiple of record.every, or leave it out",
            record->fields_every, record->every);
    } else {
        carom_fail(err, CAROM_BAD_INPUT,
                   "record.fields_every needs record.every, of which it is a multiple: give both, or leave it out");
    }
    return model_blame_setting(model, "record.fields_every", CAROM_BAD_INPUT, err);
}

static carom_status compile_record(carom_model *model, const carom_record_def *record, carom_error *err)
{
    const char *const *names = record->signals.items;
    model->signal_names = CAROM_ARENA_ARRAY(&model->arena, const char *, record->signals.count);
    model->signals = CAROM_ARENA_ARRAY(&model->arena, signal_ref, record->signals.count);
    model->scene.record.signals = (carom_list){ record->signals.count, model->signal_names };
    carom_status status = check_fields_every(model, record, err);
    for (size_t i = 0; !model->arena.failed && i < record->signals.count && error_goes_on(err, status); ++i) {
        status = error_worse(status, compile_signal(model, i, names[i], err));
    }
    model->signal_count = (int)record->signals.count;
    return model->arena.failed ? compile_check_memory(model, err) : status;
}

/* The longest of the markers' lever arms and the bodies' radii of gyration. */
static double find_length_scale(const carom_model *model)
{
    double scale2 = 0.0;
    for (int slot = 0; slot < model->free_count; ++slot) {
        const model_body *body = &model->bodies[model->free_bodies[slot]];
        scale2 = fmax(scale2, 0.5 * m3_trace(body->inertia_b) / body->mass);
    }
    for (int j = 0; j < model->joint_count; ++j) {
        for (int side = 0; side < 2; ++side) {
            if (model->bodies[model->joints[j].body[side]].slot >= 0) {
                scale2 = fmax(scale2, v3_norm2(model->joints[j].marker_c[side].position));
            }
        }
    }
    for (int k = 0; k < model->nodal_count; ++k) {
        const model_body *body = &model->bodies[model->nodal[k].body];
        scale2 = fmax(scale2, 0.5 * m3_trace(body->inertia_b) / body->mass);
    }
    return scale2 > 0.0 ? sqrt(scale2) : 1.0;
}

/* Bodies, joints, forces: each stage looks for its own mistakes. */
static carom_status compile_elements(carom_model *model, const carom_spec *spec, const carom_compile_options *options,
                                     carom_error *err)
{
    static carom_status (*const stages[])(carom_model *, const carom_spec *,
                                          carom_error *) = { compile_joints, compile_forces, compile_prepare_forces };
    const carom_compile_options unwatched = { 0 };
    carom_status status = compile_bodies(model, spec, options ? options : &unwatched, err);
    for (size_t k = 0; k < sizeof stages / sizeof *stages && error_goes_on(err, status); ++k) {
        status = error_worse(status, stages[k](model, spec, err));
    }
    return status;
}

/* "'a', 'b'": the methods that bodies that deform go with. */
static void list_deforming_methods(char *buffer, size_t size)
{
    buffer[0] = '\0';
    for (const carom_kind *const *kind = carom_method_kinds(); *kind; ++kind) {
        size_t used = strlen(buffer);
        if (carom_method_find((*kind)->name)->deformation) {
            snprintf(buffer + used, size - used, "%s'%s'", used ? " or " : "", (*kind)->name);
        }
    }
}

/* Methods look at the whole model. */
static carom_status check_method(const carom_model *model, carom_error *err)
{
    if (model->nodal_count > 0 && !model->method->leaps) {
        int body = model->nodal[0].body;
        carom_fail(err, CAROM_BAD_INPUT,
                   "body '%.100s' deforms by its nodes, which the method '%s' does not know; take the method "
                   "'constraint', or write \"as\": \"modes\"",
                   model->bodies[body].name, model->method->kind.name);
        return model_blame_body(model, body, NULL, CAROM_BAD_INPUT, err);
    }
    for (int i = 0; i < model->body_count && !model->method->deformation; ++i) {
        if (body_deforms(&model->bodies[i])) {
            char others[128];
            list_deforming_methods(others, sizeof others);
            carom_fail(
                err, CAROM_BAD_INPUT,
                "body '%.100s' deforms (it is of kind '%s'), and the method '%s' knows rigid bodies only; take the "
                "method %s, or leave out 'flexible'",
                model->bodies[i].name, model->bodies[i].type->kind.name, model->method->kind.name, others);
            return model_blame_body(model, i, NULL, CAROM_BAD_INPUT, err);
        }
    }
    return model->method->check ? model->method->check(model, model->method_options, err) : CAROM_OK;
}

/* Without options nothing is made that takes long. */
/* What the reader of the scene has noted. */
static void take_notes(carom_model *model, const carom_spec *spec)
{
    const spec_said *notes = NULL;
    size_t count = spec_notes(spec, &notes);
    for (size_t i = 0; i < count; ++i) {
        compile_note(model, (note_place){ .origin = &notes[i].origin, .warning = notes[i].warning }, "%s",
                     notes[i].text);
    }
}

static carom_status compile_all(carom_model *model, const carom_spec *spec, const carom_compile_options *options,
                                carom_error *err)
{
    const carom_scene_def *scene = carom_spec_scene(spec);
    copy_origins(model, spec);
    take_over_refused(model, spec);
    take_notes(model, spec);
    size_t names = carom_spec_body_count(spec) + compile_count_sections(spec) + carom_spec_joint_count(spec) + 1;
    for (size_t i = 0; i < carom_spec_force_count(spec); ++i) {
        const char *body = carom_spec_force(spec, i)->attachment.bodies[0];
        names += body && strcmp(body, "all") == 0 ? carom_spec_body_count(spec) : 1;
    }
    carom_names_prepare(&model->names, names, &model->arena);
    carom_status status = compile_check_memory(model, err);
    if (status == CAROM_OK) {
        status = copy_scene(model, scene, err);
    }
    if (status == CAROM_OK) {
        status = choose_method(model, &scene->contact.method, err);
    }
    if (status == CAROM_OK) {
        status = compile_materials(model, &scene->materials, err);
    }
    if (status != CAROM_OK) {
        return status;
    }
    status = compile_laws(model, spec, err);
    if (status != CAROM_OK) {
        return status;
    }
    status = compile_inputs(model, &scene->inputs, err);
    if (error_goes_on(err, status)) {
        status = error_worse(status, compile_states(model, &scene->states, err));
    }
    if (error_goes_on(err, status)) {
        status = error_worse(status, compile_elements(model, spec, options, err));
        status = error_worse(status, compile_check_inputs(model, err));
    }
    if (error_goes_on(err, status)) {
        status = error_worse(status, compile_state_rates(model, &scene->states, err));
    }
    if (error_goes_on(err, status)) {
        status = error_worse(status, compile_events(model, &scene->events, err));
    }
    if (error_goes_on(err, status)) {
        status = error_worse(status, compile_record(model, &scene->record, err));
    }
    if (error_goes_on(err, status)) {
        status = error_worse(status, compile_views(model, err));
    }
    if (error_goes_on(err, status) && !spec_is_part(spec)) {
        model->length_scale = find_length_scale(model); /* methods may ask for it when they check the model */
        status = error_worse(status, check_method(model, err));
    }
    if (error_goes_on(err, status) && !spec_is_part(spec)) {
        status = error_worse(status,
                             compile_contact(model, &scene->contact, status == CAROM_OK ? options : NULL, err));
    }
    return status;
}

static carom_status compile_model(carom_model *model, const carom_spec *spec, const carom_compile_options *options,
                                  carom_error *err)
{
    compile_trouble trouble = { 0 };
    model->trouble = &trouble;
    carom_status status = compile_all(model, spec, options, err);
    model->trouble = NULL;
    model->choices = NULL;
    model->choice_count = 0;
    return status == CAROM_OK ? compile_check_memory(model, err) : status; /* for notes */
}

carom_status compile_find_mistakes(const carom_spec *spec, carom_error *err)
{
    carom_model *model = calloc(1, sizeof *model);
    if (!model) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    atomic_init(&model->owners, 1);
    carom_status status = compile_model(model, spec, NULL, err);
    carom_model_destroy(model);
    return status;
}

carom_status carom_compile(const carom_spec *spec, carom_model **out, carom_error *err)
{
    return carom_compile_with(spec, NULL, out, err);
}

static carom_status check_compile(const carom_spec *spec, carom_model **out, carom_error *err)
{
    const argument needed[] = { { "spec", spec }, { "out", out } };
    if (out) {
        *out = NULL;
    }
    return arguments_given("carom_compile", needed, 2, err);
}

carom_status carom_compile_with(const carom_spec *spec, const carom_compile_options *options, carom_model **out,
                                carom_error *err)
{
    return compile_with_bodies(spec, options, NULL, 0, out, err);
}

carom_status compile_with_bodies(const carom_spec *spec, const carom_compile_options *options,
                                 const body_choice *choices, int choice_count, carom_model **out, carom_error *err)
{
    carom_status status = check_compile(spec, out, err);
    if (status != CAROM_OK) {
        return status;
    }
    const carom_compile_options unwatched = { 0 };
    carom_model *model = calloc(1, sizeof *model);
    carom_error_list *own = calloc(1, sizeof *own);
    if (!model || !own) {
        free(model);
        free(own);
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    atomic_init(&model->owners, 1);
    carom_error work;
    error_list_begin(&work, own, err, false);
    model->choices = choices;
    model->choice_count = choice_count;
    model->store = options ? options->store : NULL;
    if (model->store) {
        store_keep(model->store);
    }
    status = compile_model(model, spec, options ? options : &unwatched, &work);
    error_list_tell(&work, status, err);
    free(own);
    if (status != CAROM_OK) {
        carom_model_destroy(model);
        return status;
    }
    model->hash = compile_hash(model);
    *out = model;
    return CAROM_OK;
}

void model_keep(const carom_model *model)
{
    /* No model is made const: to the caller it is immutable, and the count is no part of what it says. */
    atomic_fetch_add(&((carom_model *)(uintptr_t)model)->owners, 1);
}

void carom_model_destroy(carom_model *model)
{
    if (!model || atomic_fetch_sub(&model->owners, 1) > 1) {
        return;
    }
    for (int i = 0; i < model->collider_count; ++i) {
        const model_collider *c = &model->colliders[i];
        if (!c->shared && !c->stored) {
            collider_destroy(c->collider);
        }
        store_give_back(model->store, c->stored);
    }
    for (int i = 0; i < model->mesh_count; ++i) {
        if (!model->meshes[i].stored) {
            mesh_destroy(model->meshes[i].mesh);
        }
        store_give_back(model->store, model->meshes[i].stored);
    }
    carom_store_destroy(model->store);
    for (int k = 0; k < model->nodal_count; ++k) {
        nodal_destroy(model->nodal[k].nodes);
        solid_mesh_destroy(model->nodal[k].mesh);
    }
    for (int k = 0; k < model->solid_count; ++k) {
        solid_mesh_destroy(model->solids[k]);
    }
    carom_arena_free(&model->arena);
    free(model);
}
