/* Forces: targets, markers, values; "all" makes one force per free body. */
#include "model/compile.h"

#include <string.h>

#include "base/error_list.h"
#include "elements/forces/user.h"
#include "model/fields.h"

/* NULL: there is no such type. Listed types know their target; functions of a program act where the definition says. */
static const carom_force_type *find_type(const carom_force_def *def)
{
    bool user = def->force.kind && strcmp(def->force.kind, force_user_kind()->name) == 0;
    force_target target = def->joint ? FORCE_ON_JOINT : def->attachment.bodies[1] ? FORCE_ON_PAIR : FORCE_ON_BODY;
    return user ? force_user_on(target) : carom_force_type_find(def->force.kind);
}

static carom_status find_pair(const carom_model *model, model_force *force, const carom_force_def *def,
                              carom_error *err)
{
    for (int side = 0; side < 2; ++side) {
        if (!def->attachment.bodies[side]) {
            return carom_fail(err, CAROM_BAD_INPUT, "%s '%.100s' needs \"bodies\": [\"A\", \"B\"]",
                              force->type->kind.name, def->name);
        }
        carom_status status = compile_find_body(model, def->attachment.bodies[side], &force->body[side], err);
        if (status != CAROM_OK) {
            return status;
        }
    }
    if (force->body[0] == force->body[1]) {
        return carom_fail(err, CAROM_BAD_INPUT, "%s '%.100s' joins '%.100s' with itself", force->type->kind.name,
                          def->name, def->attachment.bodies[0]);
    }
    return CAROM_OK;
}

static carom_status find_joint_target(const carom_model *model, model_force *force, const carom_force_def *def,
                                      carom_error *err)
{
    if (!def->joint) {
        return carom_fail(err, CAROM_BAD_INPUT, "%s '%.100s' needs a \"joint\"", force->type->kind.name, def->name);
    }
    carom_status status = compile_find_joint(model, def->joint, &force->joint, err);
    if (status != CAROM_OK) {
        return status;
    }
    const model_joint *joint = &model->joints[force->joint];
    memcpy(force->body, joint->body, sizeof force->body);
    memcpy(force->marker_c, joint->marker_c, sizeof force->marker_c);
    return compile_find_coordinate(model, force->joint, def->coordinate, &force->coordinate, err);
}

static carom_status find_one_body(const carom_model *model, model_force *force, const carom_force_def *def,
                                  carom_error *err)
{
    if (!def->attachment.bodies[0]) {
        return carom_fail(err, CAROM_BAD_INPUT, "%s '%.100s' needs a \"body\"", force->type->kind.name, def->name);
    }
    return compile_find_body(model, def->attachment.bodies[0], &force->body[0], err);
}

/* A field pulls at every part of a body; of a rigid one it is enough to know the centre of mass. */
static carom_status check_attracted(const model_body *body, const model_force *force, const carom_force_def *def,
                                    carom_error *err)
{
    return !body_deforms(body)
               ? CAROM_OK
               : carom_fail(
                     err, CAROM_BAD_INPUT,
                     "%s '%.100s' pulls at centres of mass, and body '%.100s' deforms (it is of kind '%s'); take the "
                     "scene's 'gravity', or make the body rigid",
                     force->type->kind.name, def->name, body->name, body->type->kind.name);
}

static carom_status compile_target(carom_model *model, model_force *force, const carom_force_def *def,
                                   carom_error *err)
{
    carom_status status = CAROM_OK;
    switch (force->type->target) {
    case FORCE_ON_JOINT:
        return find_joint_target(model, force, def, err);
    case FORCE_ON_PAIR:
        status = find_pair(model, force, def, err);
        break;
    case FORCE_ON_BODY:
        status = find_one_body(model, force, def, err);
        break;
    }
    if (status == CAROM_OK && force->type->gravitational) {
        status = check_attracted(&model->bodies[force->body[0]], force, def, err);
    }
    return status == CAROM_OK ? compile_markers(model, &def->attachment, force->body, force->marker_c, err) : status;
}

static carom_status copy_params(carom_model *model, model_force *force, const carom_force_def *def, carom_error *err)
{
    const carom_force_type *type = force->type;
    force->params = kind_copy(&model->arena, &type->kind, def->force.params, type->prepared_size);
    if (force->params && type == force_user_on(type->target)) {
        force->type = force_user_measured(&model->arena, type, force->params);
    }
    return compile_check_memory(model, err);
}

/* One force; `body` replaces the definition's when it stands for "all". */
static carom_status compile_force(carom_model *model, const carom_force_def *def, const carom_force_type *type,
                                  const char *body, carom_error *err)
{
    model_force *force = &model->forces[model->force_count];
    carom_force_def one = *def;
    *force = (model_force){ .type = type, .body = { -1, -1 }, .joint = -1, .name = NULL, .integral = -1 };
    if (body) { /* each at its own centre of mass, unless a frame says otherwise */
        one.attachment.bodies[0] = body;
        one.attachment.at = carom_force_def_default().attachment.at;
    }
    force->name = body ? carom_arena_printf(&model->arena, "%s.%s", def->name, body)
                       : carom_arena_text(&model->arena, def->name);
    carom_status status = compile_check_memory(model, err);
    if (status == CAROM_OK) {
        status = compile_target(model, force, &one, err);
    }
    if (status == CAROM_OK) {
        status = copy_params(model, force, &one, err);
    }
    if (status == CAROM_OK) {
        carom_names_add(&model->names, force->name, element_code(ELEMENT_FORCE, model->force_count));
        status = compile_force_integral(model, model->force_count++, err);
    }
    return status;
}

static bool on_all(const carom_force_def *def, const carom_force_type *type)
{
    return type->target == FORCE_ON_BODY && def->attachment.bodies[0] &&
           strcmp(def->attachment.bodies[0], "all") == 0;
}

static size_t count_forces(const carom_model *model, const carom_spec *spec)
{
    size_t count = 0;
    for (size_t i = 0; i < carom_spec_force_count(spec); ++i) {
        const carom_force_def *def = carom_spec_force(spec, i);
        const carom_force_type *type = find_type(def);
        count += type && on_all(def, type) ? (size_t)model->free_count : 1;
    }
    return count;
}

static carom_status compile_force_def(carom_model *model, const carom_force_def *def, int spec_index,
                                      carom_error *err)
{
    const carom_force_type *type = find_type(def);
    if (!type) {
        return carom_fail(err, CAROM_BAD_INPUT, "force '%.100s' has no known type", def->name);
    }
    int first = model->force_count;
    carom_status status = CAROM_OK;
    if (on_all(def, type)) {
        for (int slot = 0; status == CAROM_OK && slot < model->free_count; ++slot) {
            const char *body = model->bodies[model->free_bodies[slot]].name;
            status = compile_force(model, def, type, body, err);
        }
    } else {
        status = compile_force(model, def, type, NULL, err);
    }
    for (int i = first; i < model->force_count; ++i) {
        model->forces[i].spec_index = spec_index;
    }
    return status;
}

carom_status compile_forces(carom_model *model, const carom_spec *spec, carom_error *err)
{
    model->forces = CAROM_ARENA_ARRAY(&model->arena, model_force, count_forces(model, spec));
    if (!model->forces) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for forces");
    }
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < carom_spec_force_count(spec) && error_goes_on(err, status); ++i) {
        const carom_force_def *def = carom_spec_force(spec, i);
        carom_status one = compile_force_def(model, def, (int)i, err);
        if (one != CAROM_OK) {
            status = error_worse(status,
                                 compile_refuse(model, def->name, carom_spec_force_origin(spec, i), one, err));
        }
    }
    return status;
}

static carom_status compile_force_value(carom_model *model, int index, const carom_field *field, int component,
                                        carom_error *err)
{
    model_force *force = &model->forces[index];
    const carom_value *value = (const carom_value *)(const void *)((const char *)force->params + field->offset);
    if (force->value_count == FORCE_VALUES) {
        return carom_fail(err, CAROM_BAD_INPUT, "force '%.100s' has too many values", force->name);
    }
    const char *what = carom_arena_printf(&model->arena, "'%s' of force '%s'", field->name, force->name);
    value_request request = { .value = &value[component], .force = index, .what = what };
    return compile_value(model, &request, &force->values[force->value_count++], err);
}

static carom_status compile_force_values(carom_model *model, int index, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (const carom_field *f = model->forces[index].type->kind.fields; f && f->name && status == CAROM_OK; ++f) {
        int count = f->kind == CAROM_FIELD_VALUE ? 1 : f->kind == CAROM_FIELD_VALUE3 ? 3 : 0;
        for (int k = 0; k < count && status == CAROM_OK; ++k) {
            status = compile_force_value(model, index, f, k, err);
        }
    }
    return status;
}

static carom_status prepare_force(carom_model *model, model_force *force, carom_error *err)
{
    if (!force->type->prepare) {
        return CAROM_OK;
    }
    carom_force_frames frames = { .a = compile_start_marker(model, force->body[0], force->marker_c[0]),
                                  .mass = model->bodies[force->body[0]].mass };
    if (force->body[1] >= 0) {
        frames.b = compile_start_marker(model, force->body[1], force->marker_c[1]);
    }
    carom_error why = { 0 };
    carom_status status = force->type->prepare((void *)(uintptr_t)force->params, &frames, &model->arena, &why);
    return status == CAROM_OK
               ? status
               : carom_fail(err, status, "%s '%.100s': %.500s", force->type->kind.name, force->name, why.message);
}

/* After all names are known: expressions may speak of any element. */
carom_status compile_prepare_forces(carom_model *model, const carom_spec *spec, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (int i = 0; i < model->force_count && error_goes_on(err, status); ++i) {
        const model_force *force = &model->forces[i];
        carom_status one = compile_force_values(model, i, err);
        if (one == CAROM_OK) {
            one = prepare_force(model, &model->forces[i], err);
        }
        if (one != CAROM_OK) {
            const spec_origin *origin = carom_spec_force_origin(spec, (size_t)force->spec_index);
            status = error_worse(status, compile_refuse(model, force->name, origin, one, err));
        }
    }
    return status;
}
