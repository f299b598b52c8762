/* carom_compile: from an edited spec to an immutable model, every reference resolved, everything checked once. */
#include "model/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "model/fields.h"
#include "model/method.h"

carom_status compile_failed_at(const spec_origin *origin, carom_status status, carom_error *err)
{
    if (err && origin) {
        snprintf(err->file, sizeof err->file, "%s", origin->file ? origin->file : "");
        snprintf(err->path, sizeof err->path, "%s", origin->path ? origin->path : "");
        err->line = origin->line;
    }
    return status;
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
        return carom_fail(err, CAROM_BAD_INPUT, "unknown integrator '%.100s'", choice->kind);
    }
    if (integrator) {
        const void *params = kind_copy(&model->arena, integrator, choice->params, 0);
        model->scene.time.integrator = (carom_choice){ integrator->name, params };
    }
    if (!(scene->time.end > 0.0) || !isfinite(scene->time.end)) {
        return carom_fail(err, CAROM_BAD_INPUT, "time.end must be positive, not %g", scene->time.end);
    }
    return compile_check_memory(model, err);
}

/* Before everything else, because what joints may have depends on the method. */
static carom_status choose_method(carom_model *model, const carom_choice *contact, carom_error *err)
{
    const char *name = contact->kind ? contact->kind : "none";
    model->method = carom_method_find(name);
    if (!model->method) {
        return carom_fail(err, CAROM_BAD_INPUT, "unknown contact method '%.100s'", name);
    }
    const carom_kind *kind = &model->method->kind;
    model->method_options = kind_copy(&model->arena, kind, contact->params, 0);
    model->scene.contact.method = (carom_choice){ kind->name, model->method_options };
    return compile_check_memory(model, err);
}

static carom_status compile_record(carom_model *model, const carom_record_def *record, const spec_origin *origin,
                                   carom_error *err)
{
    const char *const *names = record->signals.items;
    model->signal_names = CAROM_ARENA_ARRAY(&model->arena, const char *, record->signals.count);
    model->signals = CAROM_ARENA_ARRAY(&model->arena, signal_ref, record->signals.count);
    model->scene.record.signals = (carom_list){ record->signals.count, model->signal_names };
    for (size_t i = 0; !model->arena.failed && i < record->signals.count; ++i) {
        model->signal_names[i] = carom_arena_text(&model->arena, names[i]);
        carom_status status = model_find_signal(model, names[i], -1, &model->signals[i], err);
        if (status != CAROM_OK) {
            compile_failed_at(origin, status, err);
            if (err) {
                snprintf(err->path, sizeof err->path, "record.signals[%zu]", i);
            }
            return status;
        }
    }
    model->signal_count = (int)record->signals.count;
    return compile_check_memory(model, err);
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
    return scale2 > 0.0 ? sqrt(scale2) : 1.0;
}

/* Methods look at the whole model; what they say of their options belongs to the contact section. */
static carom_status check_method(const carom_model *model, const carom_spec *spec, carom_error *err)
{
    carom_status status = model->method->check ? model->method->check(model, model->method_options, err) : CAROM_OK;
    bool option = status != CAROM_OK && err && strncmp(err->message, "contact.", strlen("contact.")) == 0;
    return option ? compile_failed_at(carom_spec_contact_origin(spec), status, err) : status;
}

static carom_status compile_all(carom_model *model, const carom_spec *spec, const carom_compile_options *options,
                                carom_error *err)
{
    const carom_scene_def *scene = carom_spec_scene(spec);
    size_t names = carom_spec_body_count(spec) + carom_spec_joint_count(spec) + 1;
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
        status = compile_bodies(model, spec, options, err);
    }
    if (status == CAROM_OK) {
        status = compile_joints(model, spec, err);
    }
    if (status == CAROM_OK) {
        status = compile_forces(model, spec, err);
    }
    if (status == CAROM_OK) {
        status = compile_prepare_forces(model, spec, err);
    }
    if (status == CAROM_OK) {
        model->length_scale = find_length_scale(model); /* methods may ask for it when they check the model */
        status = check_method(model, spec, err);
    }
    if (status == CAROM_OK) {
        status = compile_contact(model, &scene->contact, options, err);
        if (status != CAROM_OK && status != CAROM_INTERRUPTED) {
            return compile_failed_at(carom_spec_contact_origin(spec), status, err);
        }
    }
    if (status == CAROM_OK) {
        status = compile_record(model, &scene->record, carom_spec_scene_origin(spec), err);
    }
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
    carom_status status = check_compile(spec, out, err);
    if (status != CAROM_OK) {
        return status;
    }
    const carom_compile_options unwatched = { 0 };
    carom_model *model = calloc(1, sizeof *model);
    if (!model) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    atomic_init(&model->owners, 1);
    status = compile_all(model, spec, options ? options : &unwatched, err);
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
        if (!model->colliders[i].shared) {
            collider_destroy(model->colliders[i].collider);
        }
    }
    for (int i = 0; i < model->mesh_count; ++i) {
        mesh_destroy(model->meshes[i].mesh);
    }
    carom_arena_free(&model->arena);
    free(model);
}
