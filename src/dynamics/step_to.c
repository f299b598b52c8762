#include "dynamics/step_to.h"

#include <float.h>
#include <math.h>

#include "dynamics/dense.h"
#include "dynamics/integrator.h"

static carom_status advance(const carom_step_context *c, const step_events *e, bool again, double dt,
                            carom_step_report *report)
{
    return e->step ? e->step(e->context, again, dt, report) : dynamics_step(c->scratch, c->state, dt, report, c->err);
}

void step_nowhere(const carom_step_context *c, carom_step_report *report)
{
    step_abort(c);
    integrator_load(c->scratch, c->state);
    *c->state->last_step = report->dt = 0.0;
}

/* Repeats the step up to t, and again while the event turns out to be elsewhere. */
static carom_status repeat_up_to(const carom_step_context *c, const step_events *e, double t,
                                 carom_step_report *report, bool *there)
{
    enum { MOST = 6 };
    double begin = c->scratch->dense->begin.t;
    *there = true;
    for (int k = 0; k < MOST; ++k) {
        if (!(t > begin)) {
            step_nowhere(c, report);
            return CAROM_OK;
        }
        step_abort(c);
        carom_status status = advance(c, e, true, t - begin, report);
        if (status != CAROM_OK) {
            return status;
        }
        if (*c->state->time < t - 4.0 * DBL_EPSILON * fabs(t)) {
            *there = false; /* error control wants a shorter step */
            return CAROM_OK;
        }
        double at = e->locate ? e->locate(e->context, t, k == MOST - 1) : t;
        *there = at < HUGE_VAL;
        if (at == t || !*there) {
            return CAROM_OK;
        }
        t = at;
    }
    return CAROM_OK;
}

carom_status step_to(const carom_step_context *c, const step_events *events, double dt, carom_step_report *report)
{
    double t = HUGE_VAL;
    carom_status status = advance(c, events, false, dt, report);
    carom_step_report all = *report;
    status = status == CAROM_OK ? events->first(events->context, &t) : status;
    while (status == CAROM_OK && t < HUGE_VAL) {
        bool there = false;
        status = repeat_up_to(c, events, t, report, &there);
        all.rejected += report->rejected + 1;
        all.evaluations += report->evaluations;
        if (status != CAROM_OK || (there && (!events->accept || events->accept(events->context)))) {
            break;
        }
        status = events->first(events->context, &t);
    }
    report->rejected = all.rejected;
    report->evaluations = all.evaluations;
    return status;
}
