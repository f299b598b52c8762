/* Numbers that are integrated along with the motion: the scene's states with their rates, and what forces remember. */
#include "model/compile.h"

#include <stdio.h>
#include <string.h>

#include "base/error_list.h"
#include "expr/units.h"

int model_find_state(const carom_model *model, const char *name)
{
    for (int k = 0; k < model->integral_count; ++k) {
        const char *known = model->integrals[k].name;
        if (known && strcmp(known, name) == 0) {
            return k;
        }
    }
    return CAROM_NONE;
}

static carom_status add_integral(carom_model *model, const model_integral *integral, carom_error *err)
{
    if (model->integral_count == model->integral_capacity) {
        int capacity = model->integral_capacity ? 2 * model->integral_capacity : 8;
        model_integral *more = CAROM_ARENA_ARRAY(&model->arena, model_integral, capacity);
        if (more && model->integral_count > 0) {
            memcpy(more, model->integrals, (size_t)model->integral_count * sizeof *more);
        }
        model->integrals = more;
        model->integral_capacity = capacity;
    }
    if (model->integrals) {
        model->integrals[model->integral_count++] = *integral;
    }
    return compile_check_memory(model, err);
}

static carom_status blame(carom_model *model, const char *name, const char *field, carom_status status,
                          carom_error *err)
{
    char path[160];
    snprintf(path, sizeof path, "states.%.100s%s", name, field);
    return model_blame_setting(model, path, status, err);
}

static carom_status check_name(const carom_model *model, const char *name, carom_error *err)
{
    carom_status status = compile_check_word(name, "integrated state", err);
    if (status == CAROM_OK && model_find_state(model, name) >= 0) {
        status = carom_fail(err, CAROM_BAD_INPUT, "two states are named '%.60s'", name);
    }
    return status;
}

static carom_status compile_state(carom_model *model, const carom_integral_def *def, carom_error *err)
{
    model_integral z = {
        .name = carom_arena_text(&model->arena, def->name), .force = -1, .value = -1, .rate_scale = 1.0, .factor = 1.0
    };
    carom_status status = compile_check_memory(model, err);
    status = status == CAROM_OK ? check_name(model, def->name, err) : status;
    if (status != CAROM_OK) {
        return blame(model, def->name, "", status, err);
    }
    if (!unit_parse(def->unit ? def->unit : "", &z.dimension, &z.factor)) {
        carom_fail(err, CAROM_BAD_INPUT, "'%.60s' is no unit of a state; there are: %s", def->unit, unit_list());
        status = blame(model, def->name, ".unit", CAROM_BAD_INPUT, err);
    }
    z.start = z.factor * def->start;
    z.size = z.factor * (def->size > 0.0 ? def->size : 1.0);
    carom_dimension per_time = z.dimension;
    per_time.time = (int8_t)(per_time.time - 1);
    z.rate_scale = carom_units_factor(&def->rate.units, per_time);
    return error_worse(status, add_integral(model, &z, err));
}

carom_status compile_states(carom_model *model, const carom_list *states, carom_error *err)
{
    const carom_integral_def *defs = states->items;
    model->scene.states = (carom_list){ 0 }; /* the model's own are elsewhere */
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < states->count && error_goes_on(err, status); ++i) {
        status = error_worse(status, compile_state(model, &defs[i], err));
    }
    return status;
}

carom_status compile_force_integral(carom_model *model, int force, carom_error *err)
{
    model_force *f = &model->forces[force];
    double size = f->type->integral_size ? f->type->integral_size(f->params) : 0.0;
    if (!(size > 0.0)) {
        return CAROM_OK;
    }
    f->integral = model->integral_count;
    const model_integral z = { .force = force, .value = -1, .rate_scale = 1.0, .factor = 1.0, .size = size };
    return add_integral(model, &z, err);
}

static carom_status compile_rate(carom_model *model, const carom_integral_def *def, model_integral *z,
                                 carom_error *err)
{
    char what[160];
    snprintf(what, sizeof what, "the rate of the state '%.100s'", def->name);
    const value_request request = { .value = &def->rate, .force = -1, .what = what };
    return compile_value(model, &request, &z->value, err);
}

/* An element of this name would hide the states. */
static carom_status check_hidden(const carom_model *model, carom_error *err)
{
    if (model->integral_count == 0 || !model->integrals[0].name || carom_names_find(&model->names, "state") < 0) {
        return CAROM_OK;
    }
    carom_fail(
        err, CAROM_BAD_INPUT,
        "a body, joint or force is named 'state', which is where the scene's states are: 'state.%.60s' would have "
        "two meanings; rename it",
        model->integrals[0].name);
    return model_blame_setting(model, "states", CAROM_BAD_INPUT, err);
}

carom_status compile_state_rates(carom_model *model, const carom_list *states, carom_error *err)
{
    const carom_integral_def *defs = states->items;
    carom_status status = check_hidden(model, err);
    for (size_t i = 0; i < states->count && error_goes_on(err, status); ++i) {
        int k = model_find_state(model, defs[i].name);
        carom_status one = k < 0 ? CAROM_OK : compile_rate(model, &defs[i], &model->integrals[k], err);
        if (one != CAROM_OK && model->trouble->follows) { /* from an element that was refused */
            model->trouble->follows = false;
        } else if (one != CAROM_OK) {
            one = blame(model, defs[i].name, ".rate", one, err);
        }
        status = error_worse(status, one);
    }
    return status;
}
