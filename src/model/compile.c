/* carom_compile: from an edited spec to an immutable model, every reference resolved, everything checked once. */
#include "model/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
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

static carom_status copy_scene(carom_model *model, const carom_scene_def *scene, carom_error *err)
{
    model->scene = *scene;
    model->scene.name = carom_arena_text(&model->arena, scene->name);
    model->scene.description = carom_arena_text(&model->arena, scene->description);
    const carom_kind *integrator = NULL;
    for (const carom_kind *const *k = carom_integrator_kinds(); scene->time.integrator.kind && *k; ++k) {
        if (strcmp((*k)->name, scene->time.integrator.kind) == 0) {
            integrator = *k;
        }
    }
    if (scene->time.integrator.kind && !integrator) {
        return carom_fail(err, CAROM_BAD_INPUT, "unknown integrator '%.100s'", scene->time.integrator.kind);
    }
    if (integrator) {
        const void *params = scene->time.integrator.params ? scene->time.integrator.params : integrator->defaults;
        model->scene.time.integrator.kind = integrator->name;
        model->scene.time.integrator.params = carom_arena_copy(&model->arena, params, integrator->size);
    }
    if (!(scene->time.end > 0.0) || !isfinite(scene->time.end)) {
        return carom_fail(err, CAROM_BAD_INPUT, "time.end must be positive, not %g", scene->time.end);
    }
    return CAROM_OK;
}

static carom_status compile_method(carom_model *model, const carom_choice *contact, carom_error *err)
{
    const char *name = contact->kind ? contact->kind : "none";
    model->method = carom_method_find(name);
    if (!model->method) {
        return carom_fail(err, CAROM_BAD_INPUT, "unknown contact method '%.100s'", name);
    }
    const carom_kind *kind = &model->method->kind;
    model->method_options = carom_arena_copy(&model->arena, contact->params ? contact->params : kind->defaults,
                                             contact->params || kind->defaults ? kind->size : 0);
    model->scene.contact = (carom_choice){ kind->name, model->method_options };
    return model->method->check ? model->method->check(model, model->method_options, err) : CAROM_OK;
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
    return CAROM_OK;
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

static uint64_t hash_text(uint64_t hash, const char *text)
{
    return text ? carom_hash(hash, text, strlen(text) + 1) : carom_hash(hash, "", 1);
}

static uint64_t hash_values(uint64_t hash, const carom_model *model)
{
    for (int i = 0; i < model->value_count; ++i) {
        const model_value *v = &model->values[i];
        hash = carom_hash(hash, &v->number, sizeof v->number);
        hash = hash_text(hash, v->text);
        hash = carom_hash(hash, &v->scale, sizeof v->scale);
        hash = carom_hash(hash, &v->units, sizeof v->units);
        if (v->table.points.count > 0) {
            hash = carom_hash(hash, v->table.points.x, v->table.points.count * sizeof(double));
            hash = carom_hash(hash, v->table.points.y, v->table.points.count * sizeof(double));
        }
    }
    return hash;
}

/* Numbers of a definition by its table, so that padding and pointers stay out of the hash. */
static uint64_t hash_params(uint64_t hash, const carom_kind *kind, const void *params)
{
    for (const carom_field *f = kind->fields; f && f->name; ++f) {
        const char *at = (const char *)params + f->offset;
        switch (f->kind) {
        case CAROM_FIELD_BOOL:
            hash = carom_hash(hash, at, sizeof(bool));
            break;
        case CAROM_FIELD_INT:
        case CAROM_FIELD_ENUM:
            hash = carom_hash(hash, at, sizeof(int));
            break;
        case CAROM_FIELD_REAL:
            hash = carom_hash(hash, at, sizeof(double));
            break;
        case CAROM_FIELD_VECTOR:
        case CAROM_FIELD_DIRECTION:
            hash = carom_hash(hash, at, sizeof(carom_v3));
            break;
        case CAROM_FIELD_CURVE: {
            const carom_curve *c = (const void *)at;
            if (c->count > 0) {
                hash = carom_hash(hash, c->x, c->count * sizeof(double));
                hash = carom_hash(hash, c->y, c->count * sizeof(double));
            }
            break;
        }
        default: /* values are hashed with the model's values */
            break;
        }
    }
    return hash;
}

static uint64_t hash_joint(uint64_t hash, const model_joint *j)
{
    hash = hash_text(hash, j->type->kind.name);
    hash = carom_hash(hash, j->body, sizeof j->body);
    hash = carom_hash(hash, j->marker_c, sizeof j->marker_c);
    hash = hash_params(hash, &j->type->kind, j->params);
    for (int k = 0; k < j->spring_count; ++k) {
        const model_joint_spring *s = &j->springs[k];
        double numbers[] = { s->coordinate, s->stiffness, s->damping, s->free, s->preload };
        hash = carom_hash(hash, numbers, sizeof numbers);
    }
    for (int k = 0; k < j->limit_count; ++k) {
        const model_joint_limit *l = &j->limits[k];
        double numbers[] = { l->coordinate, l->min, l->max, l->stiffness, l->damping, l->restitution };
        hash = carom_hash(hash, numbers, sizeof numbers);
    }
    double friction[] = { j->friction.given, j->friction.coefficient, j->friction.radius };
    return carom_hash(hash, friction, sizeof friction);
}

static uint64_t hash_model(const carom_model *model)
{
    uint64_t hash = CAROM_HASH_START;
    for (int i = 0; i < model->body_count; ++i) {
        const model_body *b = &model->bodies[i];
        int role = (int)b->role;
        hash = hash_text(hash, b->name);
        hash = carom_hash(hash, &role, sizeof role);
        hash = carom_hash(hash, &b->mass, sizeof b->mass);
        hash = carom_hash(hash, &b->inertia_b, sizeof b->inertia_b);
        hash = carom_hash(hash, &b->com_b, sizeof b->com_b);
        hash = carom_hash(hash, &b->start, sizeof b->start);
        hash = carom_hash(hash, &b->start_velocity, sizeof b->start_velocity);
        hash = carom_hash(hash, &b->start_omega_w, sizeof b->start_omega_w);
        hash = carom_hash(hash, &b->motion.axis_w, sizeof b->motion.axis_w);
    }
    for (int j = 0; j < model->joint_count; ++j) {
        hash = hash_joint(hash, &model->joints[j]);
    }
    for (int k = 0; k < model->coupler_count; ++k) {
        const model_coupler *c = &model->couplers[k];
        double numbers[] = { c->joint[0], c->joint[1], c->coordinate[0], c->coordinate[1], c->ratio };
        hash = carom_hash(hash, numbers, sizeof numbers);
    }
    for (int i = 0; i < model->force_count; ++i) {
        const model_force *f = &model->forces[i];
        hash = hash_text(hash, f->type->kind.name);
        hash = carom_hash(hash, f->body, sizeof f->body);
        hash = carom_hash(hash, f->marker_c, sizeof f->marker_c);
        hash = hash_params(hash, &f->type->kind, f->params);
    }
    const carom_time_def *time = &model->scene.time;
    double numbers[] = {
        model->scene.gravity.x, model->scene.gravity.y, model->scene.gravity.z, time->preset, time->step,
        time->tolerance
    };
    hash = carom_hash(hash, numbers, sizeof numbers);
    hash = hash_text(hash, time->integrator.kind);
    hash = hash_text(hash, model->method->kind.name);
    return hash_values(hash, model);
}

static carom_status compile_all(carom_model *model, const carom_spec *spec, carom_error *err)
{
    const carom_scene_def *scene = carom_spec_scene(spec);
    size_t names = carom_spec_body_count(spec) + carom_spec_joint_count(spec) + 1;
    for (size_t i = 0; i < carom_spec_force_count(spec); ++i) {
        const char *body = carom_spec_force(spec, i)->attachment.bodies[0];
        names += body && strcmp(body, "all") == 0 ? carom_spec_body_count(spec) : 1;
    }
    carom_names_prepare(&model->names, names, &model->arena);
    if (model->arena.failed) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    carom_status status = copy_scene(model, scene, err);
    if (status == CAROM_OK) {
        status = compile_bodies(model, spec, err);
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
        status = compile_method(model, &scene->contact, err);
    }
    if (status == CAROM_OK) {
        status = compile_record(model, &scene->record, carom_spec_scene_origin(spec), err);
    }
    if (status == CAROM_OK && model->arena.failed) {
        status = carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    return status;
}

carom_status carom_compile(const carom_spec *spec, carom_model **out, carom_error *err)
{
    *out = NULL;
    carom_model *model = calloc(1, sizeof *model);
    if (!model) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    carom_status status = compile_all(model, spec, err);
    if (status != CAROM_OK) {
        carom_model_destroy(model);
        return status;
    }
    model->length_scale = find_length_scale(model);
    model->hash = hash_model(model);
    *out = model;
    return CAROM_OK;
}

void carom_model_destroy(carom_model *model)
{
    if (!model) {
        return;
    }
    for (int i = 0; i < model->mesh_count; ++i) {
        mesh_destroy(model->meshes[i]);
    }
    carom_arena_free(&model->arena);
    free(model);
}
