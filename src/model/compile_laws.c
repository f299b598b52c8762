/* Contact laws of the program: copies that live as long as the model, found by name. */
#include "model/compile.h"

#include <string.h>

#include "model/fields.h"

static carom_status take_normal_laws(carom_model *model, const carom_spec *spec, carom_error *err)
{
    size_t count = 0;
    while (spec_normal_law(spec, count)) {
        ++count;
    }
    model->normal_laws = CAROM_ARENA_ARRAY(&model->arena, model_normal_law, count);
    for (size_t k = 0; k < count && !model->arena.failed; ++k) {
        const carom_user_normal_law_def *from = spec_normal_law(spec, k);
        carom_user_normal_law_def *def = carom_arena_copy(&model->arena, from, sizeof *def);
        if (def) {
            fields_copy(&model->arena, normal_user_fields(), def);
            model->normal_laws[k] = (model_normal_law){ def, normal_user_law(&model->arena, def) };
            model->normal_law_count = k + 1;
        }
    }
    return compile_check_memory(model, err);
}

static carom_status take_friction_laws(carom_model *model, const carom_spec *spec, carom_error *err)
{
    size_t count = 0;
    while (spec_friction_law(spec, count)) {
        ++count;
    }
    model->friction_laws = CAROM_ARENA_ARRAY(&model->arena, model_friction_law, count);
    for (size_t k = 0; k < count && !model->arena.failed; ++k) {
        const carom_user_friction_law_def *from = spec_friction_law(spec, k);
        carom_user_friction_law_def *def = carom_arena_copy(&model->arena, from, sizeof *def);
        if (def) {
            fields_copy(&model->arena, friction_user_fields(), def);
            model->friction_laws[k] = (model_friction_law){ def, friction_user_law(&model->arena, def) };
            model->friction_law_count = k + 1;
        }
    }
    return compile_check_memory(model, err);
}

carom_status compile_laws(carom_model *model, const carom_spec *spec, carom_error *err)
{
    carom_status status = take_normal_laws(model, spec, err);
    return status == CAROM_OK ? take_friction_laws(model, spec, err) : status;
}

/* What a choice of kind "user" refers to; NULL: it is of another kind. */
static const carom_user_law_def *reference_of(const carom_kind *user, const carom_choice *choice)
{
    return strcmp(choice->kind, user->name) == 0 ? choice->params : NULL;
}

const carom_normal_law *compile_normal_law(carom_model *model, const carom_choice *choice, const void **params)
{
    const carom_user_law_def *reference = reference_of(normal_user_kind(), choice);
    const carom_normal_law *listed = carom_normal_law_find(choice->kind);
    if (listed) {
        *params = kind_copy(&model->arena, &listed->kind, choice->params, 0);
    }
    for (size_t k = 0; reference && k < model->normal_law_count; ++k) {
        const model_normal_law *own = &model->normal_laws[k];
        if (strcmp(own->def->name, reference->name) == 0) {
            *params = normal_user_params(&model->arena, own->def, reference);
            return own->law;
        }
    }
    return listed;
}

const carom_friction_law *compile_friction_law(carom_model *model, const carom_choice *choice, const void **params)
{
    const carom_user_law_def *reference = reference_of(friction_user_kind(), choice);
    const carom_friction_law *listed = carom_friction_law_find(choice->kind);
    if (listed) {
        *params = kind_copy(&model->arena, &listed->kind, choice->params, 0);
    }
    for (size_t k = 0; reference && k < model->friction_law_count; ++k) {
        const model_friction_law *own = &model->friction_laws[k];
        if (strcmp(own->def->name, reference->name) == 0) {
            *params = friction_user_params(&model->arena, own->def, reference);
            return own->law;
        }
    }
    return listed;
}
