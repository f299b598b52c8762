/* Lists of signals as users ask for them; how one is evaluated is told in observe.c. */
#include "dynamics/observer.h"

#include <stdlib.h>

#include "base/arguments.h"
#include "dynamics/observe.h"
#include "model/ledger.h"
#include "model/method.h"

enum { UNIT_TEXT = 32 };

struct carom_observer {
    uint64_t model_hash;
    size_t count;
    signal_ref *refs;
    char (*units)[UNIT_TEXT];
    const char **names; /* in the arena */
    carom_arena arena;
};

/* As results say it. */
static void name_unit(const signal_ref *ref, char unit[UNIT_TEXT])
{
    if (ref->source == SIGNAL_LEDGER) {
        carom_ledger_unit(ref->component, unit, UNIT_TEXT);
    } else {
        carom_dimension_text(ref->dimension, unit, UNIT_TEXT);
    }
}

static carom_status find_all(carom_observer *o, const carom_model *model, const char *const *signals,
                             carom_error *err)
{
    for (size_t k = 0; k < o->count; ++k) {
        carom_status status = model_find_signal(model, signals[k], -1, &o->refs[k], err);
        if (status != CAROM_OK) {
            return status;
        }
        name_unit(&o->refs[k], o->units[k]);
        o->names[k] = carom_arena_text(&o->arena, signals[k]);
    }
    return o->arena.failed ? carom_fail(err, CAROM_NO_MEMORY, "out of memory") : CAROM_OK;
}

static carom_status create(const carom_model *model, const char *const *signals, size_t count, carom_observer **out,
                           carom_error *err)
{
    carom_observer *o = calloc(1, sizeof *o);
    if (o) {
        *o = (carom_observer){ .model_hash = model->hash,
                               .count = count,
                               .refs = calloc(count + 1, sizeof *o->refs),
                               .units = calloc(count + 1, sizeof *o->units),
                               .names = calloc(count + 1, sizeof *o->names) };
    }
    bool made = o && o->refs && o->units && o->names;
    carom_status status = made ? find_all(o, model, signals, err) : carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    if (status != CAROM_OK) {
        carom_observer_destroy(o);
        return status;
    }
    *out = o;
    return CAROM_OK;
}

carom_status carom_observer_create(const carom_model *model, const char *const *signals, size_t count,
                                   carom_observer **out, carom_error *err)
{
    const char *function = "carom_observer_create";
    const argument needed[] = { { "model", model }, { "out", out } };
    if (out) {
        *out = NULL;
    }
    carom_status status = arguments_given(function, needed, 2, err);
    status = status == CAROM_OK ? argument_texts(function, "signals", signals, count, err) : status;
    return status == CAROM_OK ? create(model, signals, count, out, err) : status;
}

/* ---- all signals that results hold ---------------------------------------------------------------------------------- */

typedef struct name_list {
    carom_arena arena;
    carom_names seen;
    const char **items; /* room for all */
    size_t count;
} name_list;

/* A name comes once: what the scene records may be any of the others. */
static void add_name(name_list *list, const char *name)
{
    if (name && carom_names_add(&list->seen, name, (int)list->count)) {
        list->items[list->count++] = name;
    }
}

static void add_components(name_list *list, const char *owner, const char *quantity, const char *components)
{
    for (const char *c = components; *c; ++c) {
        add_name(list, carom_arena_printf(&list->arena, "%s.%s.%c", owner, quantity, *c));
    }
}

static void add_coordinates(name_list *list, const carom_model *model)
{
    for (int j = 0; j < model->joint_count; ++j) {
        const carom_joint_type *type = model->joints[j].type;
        for (int k = 0; k < type->coordinate_count; ++k) {
            const char *name = type->coordinates[k].name;
            add_name(list, carom_arena_printf(&list->arena, "%s.%s", model->joints[j].name, name));
            add_name(list, carom_arena_printf(&list->arena, "%s.%s.rate", model->joints[j].name, name));
        }
    }
}

static void add_ledger(name_list *list)
{
    for (int k = 0; carom_ledger_table[k].name; ++k) {
        add_name(list, carom_ledger_table[k].name);
    }
}

static void add_contacts(name_list *list, const carom_model *model)
{
    if (model->method && model->method->forces) {
        add_name(list, "contact.count");
        add_name(list, "contact.penetration");
    }
}

static void list_all(name_list *list, const carom_model *model)
{
    for (int k = 0; k < model->signal_count; ++k) {
        add_name(list, model->signal_names[k]);
    }
    add_coordinates(list, model);
    add_ledger(list);
    for (int i = 1; i < model->body_count; ++i) {
        add_components(list, model->bodies[i].name, "position", "xyz");
        add_components(list, model->bodies[i].name, "orientation", "wxyz");
        add_components(list, model->bodies[i].name, "velocity", "xyz");
        add_components(list, model->bodies[i].name, "angular_velocity", "xyz");
    }
    add_contacts(list, model);
    for (int j = 0; j < model->joint_count; ++j) {
        add_components(list, model->joints[j].name, "force", "xyz");
        add_components(list, model->joints[j].name, "torque", "xyz");
    }
}

/* At least as many as list_all adds. */
static size_t most_names(const carom_model *model)
{
    enum { OF_BODY = 13, OF_JOINT = 12, OF_LEDGER = 64 };
    return (size_t)model->signal_count + OF_LEDGER + (size_t)model->body_count * OF_BODY +
           (size_t)model->joint_count * OF_JOINT;
}

carom_status carom_observer_create_all(const carom_model *model, carom_observer **out, carom_error *err)
{
    const argument needed[] = { { "model", model }, { "out", out } };
    if (out) {
        *out = NULL;
    }
    carom_status status = arguments_given("carom_observer_create_all", needed, 2, err);
    if (status != CAROM_OK) {
        return status;
    }
    name_list list = { 0 };
    list.items = CAROM_ARENA_ARRAY(&list.arena, const char *, most_names(model));
    carom_names_prepare(&list.seen, most_names(model), &list.arena);
    if (!list.arena.failed) {
        list_all(&list, model);
    }
    status = list.arena.failed ? carom_fail(err, CAROM_NO_MEMORY, "out of memory")
                               : create(model, list.items, list.count, out, err);
    carom_arena_free(&list.arena);
    return status;
}

void carom_observer_destroy(carom_observer *o)
{
    if (o) {
        free(o->refs);
        free(o->units);
        free(o->names);
        carom_arena_free(&o->arena);
        free(o);
    }
}

size_t carom_observer_count(const carom_observer *o)
{
    return o ? o->count : 0;
}

const char *carom_observer_name(const carom_observer *o, size_t signal)
{
    return o && signal < o->count ? o->names[signal] : NULL;
}

const char *carom_observer_unit(const carom_observer *o, size_t signal)
{
    return o && signal < o->count ? o->units[signal] : NULL;
}

carom_status observer_check(const char *function, const carom_observer *o, const carom_model *model,
                            const double *out, carom_error *err)
{
    carom_status status = argument_given(function, "observer", o, err);
    status = status == CAROM_OK && o->count > 0 ? argument_given(function, "out", out, err) : status;
    if (status == CAROM_OK && o->model_hash != model->hash) {
        status =
            carom_fail(err, CAROM_BAD_INPUT,
                       "%s: 'observer' belongs to another model; make one with carom_observer_create(model, ...)",
                       function);
    }
    return status;
}

void observer_read(const carom_observer *o, const carom_scratch *w, const carom_ledger *ledger, double *out)
{
    observe_values(w, ledger, o->refs, o->count, out);
}

carom_status carom_observe(const carom_observer *observer, const carom_state *state, carom_scratch *scratch,
                           double *out, carom_error *err)
{
    const char *function = "carom_observe";
    carom_status status = argument_given(function, "scratch", scratch, err);
    status = status == CAROM_OK ? work_check(function, scratch->model, state, scratch, err) : status;
    status = status == CAROM_OK ? observer_check(function, observer, scratch->model, out, err) : status;
    return status == CAROM_OK ? observe_signals(scratch, state, observer->refs, observer->count, out, err) : status;
}
