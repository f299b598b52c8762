/* Lists of signals as users ask for them; how one is evaluated is told in observe.c. */
#include "dynamics/observer.h"

#include <stdlib.h>

#include "base/arguments.h"
#include "dynamics/observe.h"

enum { UNIT_TEXT = 32 };

struct carom_observer {
    uint64_t model_hash;
    size_t count;
    signal_ref *refs;
    char (*units)[UNIT_TEXT];
};

static carom_status find_all(carom_observer *o, const carom_model *model, const char *const *signals,
                             carom_error *err)
{
    for (size_t k = 0; k < o->count; ++k) {
        carom_status status = model_find_signal(model, signals[k], -1, &o->refs[k], err);
        if (status != CAROM_OK) {
            return status;
        }
        carom_dimension_text(o->refs[k].dimension, o->units[k], UNIT_TEXT);
    }
    return CAROM_OK;
}

static carom_status create(const carom_model *model, const char *const *signals, size_t count, carom_observer **out,
                           carom_error *err)
{
    carom_observer *o = calloc(1, sizeof *o);
    if (o) {
        *o = (carom_observer){ .model_hash = model->hash,
                               .count = count,
                               .refs = calloc(count + 1, sizeof *o->refs),
                               .units = calloc(count + 1, sizeof *o->units) };
    }
    bool made = o && o->refs && o->units;
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

void carom_observer_destroy(carom_observer *o)
{
    if (o) {
        free(o->refs);
        free(o->units);
        free(o);
    }
}

size_t carom_observer_count(const carom_observer *o)
{
    return o ? o->count : 0;
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
