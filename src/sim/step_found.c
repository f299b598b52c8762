/* carom_step, and what the last one has found: events, contact points, findings.
 *
 * A method that knows its events announces them. Of others they follow from comparing what touches where a step begins with
 * what touches where it ends. The scratch remembers the first from the end of the last step; for another state, or a new
 * scratch, the model is evaluated where the step begins. So what is found does not depend on the scratch, but for pairs
 * between the speeds at which friction sticks and slides: a scratch that has not seen them before takes them for sliding. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "base/array.h"
#include "base/clock.h"
#include "dynamics/contact.h"
#include "model/method.h"
#include "sim/contact_watch.h"
#include "sim/start.h"

/* Of a scratch whose method knows contact. */
typedef struct step_watch {
    contact_watch watched; /* what touches where the last step has ended, unless the method announces its events */
    bool knows;            /* that of this state: */
    carom_state *ended;
} step_watch;

static void free_watch(void *self)
{
    step_watch *watch = self;
    contact_watch_free(&watch->watched);
    carom_state_destroy(watch->ended);
    free(watch);
}

/* NULL when memory runs out. */
static step_watch *watch_of(carom_scratch *w)
{
    step_watch *watch = w->watch;
    if (watch) {
        return watch;
    }
    watch = calloc(1, sizeof *watch);
    w->watch = watch;
    w->watch_free = watch ? free_watch : NULL;
    return watch;
}

/* What touches where the step begins. Bodies that touch where a run begins are an event of its first step. */
static carom_status look_at_begin(const carom_step_context *c, step_watch *watch)
{
    bool announces = c->model->method->announces;
    if (announces || (watch->knows && state_equals(watch->ended, c->state))) {
        return CAROM_OK;
    }
    carom_ledger ledger;
    bool run_begins = *c->state->step_count == 0.0;
    watch->watched.memory.touching.count = 0;
    bool starts = run_begins && *c->state->initialised < STATE_STARTED;
    carom_status status = starts ? sim_start(c->model, c->state, c->scratch, c->err) : CAROM_OK;
    status = status == CAROM_OK ? carom_observe_ledger(c->model, c->state, c->scratch, &ledger, c->err) : status;
    status = status == CAROM_OK ? contact_watch_start(&watch->watched, c->scratch, c->err) : status;
    c->scratch->events.count = run_begins ? c->scratch->events.count : 0;
    return status;
}

static carom_status note_end(const carom_step_context *c, step_watch *watch)
{
    watch->ended = watch->ended ? watch->ended : carom_state_create(c->model);
    bool kept = watch->ended && carom_state_copy(watch->ended, c->state) == CAROM_OK;
    return kept ? CAROM_OK : carom_fail(c->err, CAROM_NO_MEMORY, "out of memory for what a step finds");
}

/* Nothing has been evaluated since the step has ended. */
static carom_status look_at_end(const carom_step_context *c, step_watch *watch)
{
    carom_scratch *w = c->scratch;
    int count = 0;
    const carom_contact_point *points = c->model->method->forces->points(w->contact, &count);
    if (!CAROM_ARRAY_RESERVE(w->contacts, w->contact_capacity, (size_t)count)) {
        return carom_fail(c->err, CAROM_NO_MEMORY, "out of memory for contact points");
    }
    if (count > 0) {
        memcpy(w->contacts, points, (size_t)count * sizeof *points);
    }
    w->contact_count = (size_t)count;
    if (c->model->method->announces) {
        return CAROM_OK;
    }
    carom_status status = contact_watch_step(&watch->watched, w, c->err);
    status = status == CAROM_OK ? note_end(c, watch) : status;
    watch->knows = status == CAROM_OK;
    return status;
}

static carom_status watched_step(const carom_step_context *c, double dt, carom_step_report *report)
{
    step_watch *watch = watch_of(c->scratch);
    carom_status status = watch ? sim_keep(c->state, c->scratch, c->err)
                                : carom_fail(c->err, CAROM_NO_MEMORY, "out of memory for what a step finds");
    if (status != CAROM_OK) {
        return status;
    }
    status = look_at_begin(c, watch);
    status = status == CAROM_OK ? sim_step(c->model, c->state, c->scratch, dt, report, c->err) : status;
    status = status == CAROM_OK ? look_at_end(c, watch) : status;
    if (status != CAROM_OK) {
        sim_restore(c->state, c->scratch);
        watch->knows = false;
    }
    return status;
}

carom_status carom_step(const carom_model *model, carom_state *state, carom_scratch *scratch, double dt,
                        carom_step_report *report, carom_error *err)
{
    carom_step_report own;
    carom_status status = work_check("carom_step", model, state, scratch, err);
    status = status == CAROM_OK ? argument_positive("carom_step", "dt", dt, "s", err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    carom_step_context c = { model, state, scratch, model->method_options, err };
    report = report ? report : &own;
    *report = (carom_step_report){ 0 };
    sim_clear(scratch);
    status = scratch->contact ? watched_step(&c, dt, report) : sim_step(model, state, scratch, dt, report, err);
    event_list_sort(&scratch->events);
    if (status != CAROM_OK) {
        scratch->events.count = 0;
        scratch->contact_count = 0;
    }
    return status;
}

/* ---- many steps ----------------------------------------------------------------------------------------------------- */

/* Events of all steps so far change places with those of the last. */
static carom_status gather(event_list *all, carom_scratch *scratch, carom_error *err)
{
    bool kept = true;
    for (size_t i = 0; kept && i < scratch->events.count; ++i) {
        kept = event_list_push(all, scratch->events.items[i]);
    }
    return kept ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory for events");
}

static carom_status advance(const carom_step_context *c, double until, double wall_limit, event_list *all)
{
    double deadline = wall_limit > 0.0 ? carom_clock_wall() + wall_limit : HUGE_VAL;
    carom_status status = CAROM_OK;
    bool in_time = true;
    while (status == CAROM_OK && in_time && *c->state->time < until) {
        status = carom_step(c->model, c->state, c->scratch, until - *c->state->time, NULL, c->err);
        status = status == CAROM_OK ? gather(all, c->scratch, c->err) : status;
        in_time = wall_limit <= 0.0 || carom_clock_wall() < deadline;
    }
    return status;
}

carom_status carom_advance(const carom_model *model, carom_state *state, carom_scratch *scratch, double until,
                           double wall_limit, carom_error *err)
{
    const char *function = "carom_advance";
    carom_status status = work_check(function, model, state, scratch, err);
    status = status == CAROM_OK ? argument_nonnegative(function, "until", until, "s", err) : status;
    status = status == CAROM_OK ? argument_nonnegative(function, "wall_limit", wall_limit, "s", err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    carom_step_context c = { model, state, scratch, model->method_options, err };
    event_list all = { 0 };
    sim_clear(scratch);
    status = advance(&c, until, wall_limit, &all);
    event_list last = scratch->events;
    scratch->events = all;
    free(last.items);
    return status;
}

/* ---- what it has found --------------------------------------------------------------------------------------------- */

const carom_event *carom_step_events(const carom_scratch *scratch, size_t *count)
{
    bool any = scratch && count && scratch->events.count > 0;
    if (count) {
        *count = any ? scratch->events.count : 0;
    }
    return any ? scratch->events.items : NULL;
}

const carom_contact_point *carom_step_contacts(const carom_scratch *scratch, size_t *count)
{
    bool any = scratch && count && scratch->contact_count > 0;
    if (count) {
        *count = any ? scratch->contact_count : 0;
    }
    return any ? scratch->contacts : NULL;
}

static carom_status check_findings(const carom_model *model, const carom_scratch *scratch, carom_findings **out,
                                   carom_error *err)
{
    const argument needed[] = { { "model", model }, { "out", out } };
    if (out) {
        *out = NULL;
    }
    carom_status status = arguments_given("carom_step_findings", needed, 2, err);
    return status == CAROM_OK ? scratch_check("carom_step_findings", model, scratch, err) : status;
}

carom_status carom_step_findings(const carom_model *model, const carom_scratch *scratch, carom_findings **out,
                                 carom_error *err)
{
    carom_status status = check_findings(model, scratch, out, err);
    if (status != CAROM_OK) {
        return status;
    }
    *out = scratch->findings.lost ? NULL : findings_tell(model, scratch->findings.items, scratch->findings.count);
    return *out ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory for findings");
}
