/* Inputs: numbers that are set from outside, with names and units. */
#include "model/compile.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/error_list.h"
#include "expr/units.h"

enum { LONGEST_NAME = 100 };

static bool is_name(const char *name)
{
    bool good = (isalpha((unsigned char)name[0]) || name[0] == '_') && strlen(name) < LONGEST_NAME;
    for (const char *c = name; *c; ++c) {
        good = good && (isalnum((unsigned char)*c) || *c == '_');
    }
    return good;
}

carom_status compile_check_word(const char *name, const char *what, carom_error *err)
{
    return is_name(name)
               ? CAROM_OK
               : carom_fail(err, CAROM_BAD_INPUT,
                            "'%.60s' cannot be the name of an %s: letters, digits and _ only, not a digit first",
                            name, what);
}

static carom_status check_name(const carom_model *model, const char *name, carom_error *err)
{
    carom_status status = compile_check_word(name, "input", err);
    if (status != CAROM_OK) {
        return status;
    }
    return carom_model_find_input(model, name) < 0
               ? CAROM_OK
               : carom_fail(err, CAROM_BAD_INPUT, "two inputs are named '%.60s'", name);
}

static carom_status compile_input(carom_model *model, const carom_input_def *def, carom_error *err)
{
    double factor = 1.0;
    model_input input = { .name = carom_arena_text(&model->arena, def->name) };
    carom_status status = compile_check_memory(model, err);
    status = status == CAROM_OK ? check_name(model, def->name, err) : status;
    bool named = status == CAROM_OK; /* so that what uses it is not refused too */
    if (named && !unit_parse(def->unit ? def->unit : "", &input.dimension, &factor)) {
        status = carom_fail(err, CAROM_BAD_INPUT, "'%.60s' is no unit of an input; there are: %s", def->unit,
                            unit_list());
    }
    input.start = factor * def->start;
    input.factor = factor;
    if (named) {
        model->inputs[model->input_count++] = input;
    }
    if (status == CAROM_OK) {
        return CAROM_OK;
    }
    char path[LONGEST_NAME + 16];
    snprintf(path, sizeof path, "inputs.%.100s", def->name);
    return model_blame_setting(model, path, status, err);
}

carom_status compile_inputs(carom_model *model, const carom_list *inputs, carom_error *err)
{
    const carom_input_def *defs = inputs->items;
    carom_input_def *copies = carom_arena_copy(&model->arena, defs, inputs->count * sizeof *defs);
    model->inputs = CAROM_ARENA_ARRAY(&model->arena, model_input, inputs->count + 1);
    carom_status status = compile_check_memory(model, err);
    for (size_t i = 0; i < inputs->count && !model->arena.failed && error_goes_on(err, status); ++i) {
        copies[i].name = carom_arena_text(&model->arena, defs[i].name);
        copies[i].unit = carom_arena_text(&model->arena, defs[i].unit);
        status = error_worse(status, compile_input(model, &defs[i], err));
    }
    model->scene.inputs = (carom_list){ model->arena.failed ? 0 : inputs->count, copies };
    return status;
}

carom_status compile_check_inputs(const carom_model *model, carom_error *err)
{
    if (model->input_count == 0 || carom_names_find(&model->names, "input") < 0) {
        return CAROM_OK;
    }
    carom_fail(err, CAROM_BAD_INPUT,
               "a body, joint or force is named 'input', which is where the scene's inputs are: 'input.%.60s' would "
               "have two "
               "meanings; rename it",
               model->inputs[0].name);
    return model_blame_setting(model, "inputs", CAROM_BAD_INPUT, err);
}
