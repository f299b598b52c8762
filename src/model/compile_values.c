/* Values: numbers, tables over time, expressions of t and signals, checked once at compile. */
#include "model/compile.h"

#include <string.h>

typedef struct variable_search {
    const carom_model *model;
    const value_request *request;
    model_value *value;
    carom_arena *arena;
    carom_error *err;
} variable_search;

/* Only what follows from positions and velocities may enter a force, else force and reaction would define each
 * other. */
static bool is_kinematic(signal_source source)
{
    return source <= SIGNAL_MEASURE;
}

enum { MOST_VARIABLES = 64 };

static int known_variable(const model_value *value, const char *name)
{
    for (int k = 0; k < value->variable_count; ++k) {
        if (strcmp(value->variable_names[k], name) == 0) {
            return k;
        }
    }
    return -1;
}

static int resolve_variable(void *context, const char *name)
{
    variable_search *s = context;
    int known = known_variable(s->value, name);
    if (known >= 0) {
        return known;
    }
    signal_ref ref;
    if (model_find_signal(s->model, name, s->request->force, &ref, s->err) != CAROM_OK) {
        return -1;
    }
    if (s->request->time_only && ref.source != SIGNAL_TIME) {
        carom_fail(s->err, CAROM_BAD_INPUT, "%.200s may depend on t only, not on '%.100s'", s->request->what, name);
        return -1;
    }
    if (!is_kinematic(ref.source) || s->value->variable_count == MOST_VARIABLES) {
        carom_fail(
            s->err, CAROM_BAD_INPUT,
            "%.200s cannot depend on '%.100s': expressions take t, positions, velocities, joint coordinates and "
            "lengths (at most %d of them)",
            s->request->what, name, MOST_VARIABLES);
        return -1;
    }
    int k = s->value->variable_count++;
    s->value->variable_names[k] = carom_arena_text(s->arena, name);
    s->value->variables[k] = ref;
    s->value->time_only = s->value->time_only && ref.source == SIGNAL_TIME;
    return k;
}

static carom_status compile_expression(carom_model *model, const value_request *request, model_value *value,
                                       carom_error *err)
{
    value->text = carom_arena_text(&model->arena, request->value->expression);
    value->scale = request->value->scale;
    value->units = request->value->units;
    value->time_only = true;
    value->variable_names = CAROM_ARENA_ARRAY(&model->arena, const char *, MOST_VARIABLES);
    value->variables = CAROM_ARENA_ARRAY(&model->arena, signal_ref, MOST_VARIABLES);
    if (model->arena.failed) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    carom_error why = { 0 };
    variable_search search = { model, request, value, &model->arena, &why };
    carom_error parse = { 0 };
    expr *e = expr_create(value->text, resolve_variable, &search, &parse);
    if (!e) {
        return carom_fail(err, CAROM_BAD_INPUT, "%.200s: expression '%.200s': %.500s", request->what, value->text,
                          why.message[0] ? why.message : parse.message);
    }
    expr_destroy(e);
    return CAROM_OK;
}

/* A prescribed position whose slope jumps would need an infinite force. */
static carom_status check_smooth(const value_request *request, carom_error *err)
{
    const carom_curve *table = &request->value->table;
    bool straight = table->count <= 2 && table->interpolation == CAROM_LINEAR && table->outside == CAROM_EXTRAPOLATE;
    if (table->interpolation == CAROM_CUBIC || straight) {
        return CAROM_OK;
    }
    return carom_fail(err, CAROM_BAD_INPUT,
                      "%.200s: a table with straight or stepped pieces makes the velocity jump; give it "
                      "\"interpolation\": \"cubic\", or an expression",
                      request->what);
}

carom_status compile_value(carom_model *model, const value_request *request, int *index, carom_error *err)
{
    if (model->value_count == model->value_capacity) {
        int capacity = model->value_capacity ? 2 * model->value_capacity : 32;
        model_value *values = CAROM_ARENA_ARRAY(&model->arena, model_value, capacity);
        if (!values) {
            return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
        }
        if (model->value_count > 0) {
            memcpy(values, model->values, (size_t)model->value_count * sizeof *values);
        }
        model->values = values;
        model->value_capacity = capacity;
    }
    model_value *value = &model->values[model->value_count];
    *value = (model_value){ .kind = request->value->kind, .force = request->force };
    carom_status status = CAROM_OK;
    switch (request->value->kind) {
    case CAROM_NUMBER:
        value->number = request->value->number;
        value->time_only = true;
        break;
    case CAROM_TABLE:
        status = request->smooth ? check_smooth(request, err) : CAROM_OK;
        if (status != CAROM_OK) {
            return status;
        }
        status = curve_prepare(&value->table, &request->value->table, &model->arena, err);
        value->time_only = true;
        break;
    case CAROM_EXPRESSION:
        status = compile_expression(model, request, value, err);
        break;
    }
    *index = model->value_count;
    model->value_count += status == CAROM_OK;
    return status;
}
