/* One step, handed to the model's contact method; the first one begins the run. */
#include "dynamics/work.h"
#include "model/method.h"
#include "sim/scene_events.h"
#include "sim/start.h"

/* Assembles a state that is fresh or was set from outside, and lets the method start. */
static carom_status begin(carom_step_context *c)
{
    carom_status status = CAROM_OK;
    if (*c->state->initialised < STATE_ASSEMBLED) {
        status = carom_assemble(c->model, c->state, c->scratch, NULL, c->err);
    }
    status = status == CAROM_OK ? scene_events_begin(c) : status;
    if (status == CAROM_OK && c->model->method->start) {
        status = c->model->method->start(c);
    }
    if (status == CAROM_OK) {
        *c->state->initialised = STATE_STARTED;
    }
    return status;
}

carom_status sim_keep(const carom_state *state, carom_scratch *scratch, carom_error *err)
{
    scratch->given = scratch->given ? scratch->given : carom_state_create(scratch->model);
    bool kept = scratch->given && carom_state_copy(scratch->given, state) == CAROM_OK;
    return kept ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory for the state before the step");
}

void sim_restore(carom_state *state, const carom_scratch *scratch)
{
    carom_state_copy(state, scratch->given); /* which had its room there */
}

/* The first step begins the run, and one after a jump of a force begins anew; when any of it fails the state goes back
 * to what it was. Without a report it only begins. */
static carom_status first_step(carom_step_context *c, double dt, carom_step_report *report)
{
    carom_status status = sim_keep(c->state, c->scratch, c->err);
    if (status != CAROM_OK) {
        return status;
    }
    status = begin(c);
    if (status == CAROM_OK && report) {
        status = c->model->method->step(c, dt, report);
    }
    if (status == CAROM_OK && carom_stop_seen(&c->scratch->stop)) {
        status = work_interrupted(c->scratch, c->err);
    }
    if (status != CAROM_OK) {
        sim_restore(c->state, c->scratch);
    }
    return status;
}

void sim_clear(carom_scratch *scratch)
{
    scratch->events.count = 0;
    scratch->findings.count = 0;
    scratch->contact_count = 0;
}

carom_status sim_start(const carom_model *model, carom_state *state, carom_scratch *scratch, carom_error *err)
{
    carom_step_context c = { model, state, scratch, model->method_options, err };
    sim_clear(scratch);
    scratch->stopped_by = CAROM_NONE;
    carom_stop_reset(&scratch->stop);
    return first_step(&c, 0.0, NULL);
}

static carom_status plain_step(carom_step_context *c, double dt, carom_step_report *report)
{
    bool first = *c->state->initialised < STATE_STARTED;
    return first ? first_step(c, dt, report) : c->model->method->step(c, dt, report);
}

carom_status sim_step(const carom_model *model, carom_state *state, carom_scratch *scratch, double dt,
                      carom_step_report *report, carom_error *err)
{
    carom_step_context c = { model, state, scratch, model->method_options, err };
    *report = (carom_step_report){ 0 };
    carom_stop_reset(&scratch->stop);
    scratch->stopped_by = CAROM_NONE;
    carom_status status = model->event_count > 0 ? scene_events_step(&c, plain_step, dt, report)
                                                 : plain_step(&c, dt, report);
    if (status != CAROM_OK && carom_stop_seen(&scratch->stop)) { /* whatever else went wrong on the way out */
        status = work_interrupted(scratch, err);
    }
    report->fallbacks = finding_count_fallbacks(&scratch->findings);
    return status;
}
