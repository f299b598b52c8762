/* Values: numbers, tables over time, expressions of t and signals, checked once at compile. */
#include "model/compile.h"

#include <string.h>

typedef struct variable_search {
    carom_model *model;
    const value_request *request;
    int count;
    const char *names[VALUE_VARIABLES]; /* in the model's arena */
    signal_ref refs[VALUE_VARIABLES];
    carom_error *err;
} variable_search;

/* Only what follows from positions and velocities may enter a force, else force and reaction would define each
 * other. */
static bool is_kinematic(signal_source source)
{
    return source <= SIGNAL_MEASURE || source == SIGNAL_INPUT || source == SIGNAL_INTEGRAL;
}

static int known_variable(const variable_search *s, const char *name)
{
    for (int k = 0; k < s->count; ++k) {
        if (strcmp(s->names[k], name) == 0) {
            return k;
        }
    }
    return -1;
}

static int resolve_variable(void *context, const char *name)
{
    variable_search *s = context;
    int known = known_variable(s, name);
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
    bool allowed = s->request->observes || is_kinematic(ref.source);
    if (!allowed && ref.source == SIGNAL_EVENT) {
        carom_fail(
            s->err, CAROM_BAD_INPUT,
            "%.200s cannot depend on '%.100s'; let the event set an input (\"do\": {\"set\": ...}) and use that",
            s->request->what, name);
        return -1;
    }
    if (!allowed || s->count == VALUE_VARIABLES) {
        carom_fail(s->err, CAROM_BAD_INPUT,
                   "%.200s cannot depend on '%.100s': expressions take t, inputs, states, positions, velocities, "
                   "joint coordinates and lengths (at most %d of them)",
                   s->request->what, name, VALUE_VARIABLES);
        return -1;
    }
    s->names[s->count] = carom_arena_text(&s->model->arena, name);
    s->refs[s->count] = ref;
    return compile_check_memory(s->model, s->err) == CAROM_OK ? s->count++ : -1;
}

static void keep_variables(carom_model *model, const variable_search *s, model_value *value)
{
    value->variable_count = s->count;
    value->variable_names = carom_arena_copy(&model->arena, s->names, (size_t)s->count * sizeof *s->names);
    value->variables = carom_arena_copy(&model->arena, s->refs, (size_t)s->count * sizeof *s->refs);
    value->time_only = true;
    for (int k = 0; k < s->count; ++k) {
        value->time_only = value->time_only && s->refs[k].source == SIGNAL_TIME;
    }
}

static carom_status compile_expression(carom_model *model, const value_request *request, model_value *value,
                                       carom_error *err)
{
    value->text = carom_arena_text(&model->arena, request->value->expression);
    value->scale = request->value->scale;
    value->units = request->value->units;
    carom_status status = compile_check_memory(model, err);
    if (status != CAROM_OK) {
        return status;
    }
    carom_error why = { 0 };
    variable_search search = { .model = model, .request = request, .err = &why };
    carom_error parse = { 0 };
    expr *e = expr_create(value->text, resolve_variable, &search, &parse);
    if (!e) {
        const carom_error *first = why.message[0] ? &why : &parse;
        return carom_fail(err, first->status, "%.200s: expression '%.200s': %.500s", request->what, value->text,
                          first->message);
    }
    expr_destroy(e);
    keep_variables(model, &search, value);
    return compile_check_memory(model, err);
}

/* A prescribed position whose slope jumps would need an infinite force. */
static carom_status check_smooth(const value_request *request, carom_error *err)
{
    const carom_curve *table = &request->value->table;
    bool straight = table->count <= 2 && table->interpolation == CAROM_LINEAR && table->outside == CAROM_EXTRAPOLATE;
    bool smooth = table->interpolation == CAROM_CUBIC || table->interpolation == CAROM_MONOTONE || straight;
    for (size_t i = 1; i < table->count; ++i) {
        smooth = smooth && table->x[i] > table->x[i - 1];
    }
    if (smooth) {
        return CAROM_OK;
    }
    return carom_fail(err, CAROM_BAD_INPUT,
                      "%.200s: a table with straight or stepped pieces or a jump makes the velocity jump; give it "
                      "\"interpolation\": \"cubic\" or \"monotone\", or an expression",
                      request->what);
}

/* Room for one more value. */
static carom_status reserve_value(carom_model *model, carom_error *err)
{
    if (model->value_count == model->value_capacity) {
        int capacity = model->value_capacity ? 2 * model->value_capacity : 32;
        model_value *values = CAROM_ARENA_ARRAY(&model->arena, model_value, capacity);
        if (values && model->value_count > 0) {
            memcpy(values, model->values, (size_t)model->value_count * sizeof *values);
        }
        model->values = values;
        model->value_capacity = capacity;
    }
    return compile_check_memory(model, err);
}

carom_status compile_value(carom_model *model, const value_request *request, int *index, carom_error *err)
{
    carom_status status = reserve_value(model, err); /* also when there was no memory for request->what */
    if (status != CAROM_OK) {
        return status;
    }
    model_value *value = &model->values[model->value_count];
    *value = (model_value){ .kind = request->value->kind };
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
