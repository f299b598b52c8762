/* Events of the scene: conditions on signals, and what follows from them. */
#include "model/compile.h"

#include <stdio.h>
#include <string.h>

#include "base/error_list.h"
#include "base/text.h"

/* What moves without forces being known: such a condition can be looked at inside a step. */
static bool needs_force(const model_value *v)
{
    bool needs = false;
    for (int k = 0; k < v->variable_count; ++k) {
        signal_source source = v->variables[k].source;
        needs = needs || !(source <= SIGNAL_MEASURE || source == SIGNAL_INPUT || source == SIGNAL_EVENT ||
                           source == SIGNAL_INTEGRAL);
    }
    return needs;
}

static carom_status compile_condition(carom_model *model, const carom_event_def *def, model_event *event,
                                      carom_error *err)
{
    char what[160];
    snprintf(what, sizeof what, "the condition of the event '%.100s'", def->name);
    if (def->when.kind != CAROM_EXPRESSION) {
        return carom_fail(err, CAROM_BAD_INPUT, "%s never changes: it names no signal, e.g. \"rod.position.x > 0.5\"",
                          what);
    }
    const value_request request = { .value = &def->when, .force = -1, .observes = true, .what = what };
    carom_status status = compile_value(model, &request, &event->value, err);
    event->needs_force = status == CAROM_OK && needs_force(&model->values[event->value]);
    return status;
}

static carom_status find_input(const carom_model *model, const carom_set_def *set, model_event *event,
                               carom_error *err)
{
    event->input = carom_model_find_input(model, set->input);
    if (event->input >= 0) {
        event->to = model->inputs[event->input].factor * set->to;
        return CAROM_OK;
    }
    return carom_fail(err, CAROM_BAD_INPUT,
                      "the event '%.60s' sets the input '%.60s', which is not among the scene's 'inputs'",
                      event->name, set->input ? set->input : "");
}

static carom_status compile_action(const carom_model *model, const carom_choice *action, model_event *event,
                                   carom_error *err)
{
    const char *kind = action->kind ? action->kind : "mark";
    event->action = strcmp(kind, "stop") == 0 ? EVENT_STOPS : strcmp(kind, "set") == 0 ? EVENT_SETS : EVENT_MARKS;
    return event->action == EVENT_SETS ? find_input(model, action->params, event, err) : CAROM_OK;
}

static carom_status check_name(const carom_model *model, const char *name, carom_error *err)
{
    carom_status status = compile_check_word(name, "event", err);
    for (int e = 0; status == CAROM_OK && e < model->event_count; ++e) {
        if (strcmp(model->events[e].name, name) == 0) {
            status = carom_fail(err, CAROM_BAD_INPUT, "two events are named '%.60s'", name);
        }
    }
    if (status == CAROM_OK && carom_names_find(&model->names, "event") >= 0) {
        status = carom_fail(err, CAROM_BAD_INPUT,
                            "a body, joint or force is named 'event', which is where the scene's events are: "
                            "'event.%.60s' would have two meanings; rename it",
                            name);
    }
    return status;
}

/* An event may look at those before it and at itself. */
static carom_status compile_event(carom_model *model, const carom_event_def *def, carom_error *err)
{
    model_event *event = &model->events[model->event_count];
    *event = (model_event){ .name = carom_arena_text(&model->arena, def->name), .hold = def->hold, .input = -1 };
    carom_status status = compile_check_memory(model, err);
    status = status == CAROM_OK ? check_name(model, def->name, err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    model->event_count++;
    status = compile_condition(model, def, event, err);
    return status == CAROM_OK ? compile_action(model, &def->action, event, err) : status;
}

carom_status compile_events(carom_model *model, const carom_list *events, carom_error *err)
{
    const carom_event_def *defs = events->items;
    model->scene.events = (carom_list){ 0 }; /* the model's own are elsewhere */
    model->events = CAROM_ARENA_ARRAY(&model->arena, model_event, events->count + 1);
    carom_status status = compile_check_memory(model, err);
    for (size_t i = 0; i < events->count && !model->arena.failed && error_goes_on(err, status); ++i) {
        carom_status one = compile_event(model, &defs[i], err);
        if (one != CAROM_OK && model->trouble->follows) { /* from an element that was refused */
            model->trouble->follows = false;
        } else if (one != CAROM_OK) {
            char path[48];
            snprintf(path, sizeof path, "events[%zu]", i);
            one = model_blame_setting(model, path, one, err);
        }
        status = error_worse(status, one);
    }
    return status;
}
