/* Advancing by at most dt or to the first event on the way, whichever comes first.
 *
 *     integrate; look for the first event on the dense output; where there is one, go back and integrate up to it
 *
 * A step up to the event need not end there: error control may want a shorter one, which is searched anew, and a short step does
 * not move exactly as the dense output of a longer one did, so the event is located again where the state stands. What events
 * are and how they are found is up to the method. The step has begun (step_begin). */
#ifndef CAROM_DYNAMICS_STEP_TO_H
#define CAROM_DYNAMICS_STEP_TO_H

#include "dynamics/step.h"

typedef struct step_events {
    void *context;

    /* Integrates by at most dt from where the state stands; `again`: up to an event of the step that was taken back. NULL:
     * dynamics_step. */
    carom_status (*step)(void *context, bool again, double dt, carom_step_report *report);

    /* The time of the first event within the step in w->dense; HUGE_VAL: none, or nothing more to look for. */
    carom_status (*first)(void *context, double *t);

    /* The state stands at t, where the event was expected. Where it is: at t; elsewhere, the step is repeated up to there (where
     * the step begins: it ends there, too); HUGE_VAL: not near, the step is searched anew. `last`: the answer is not followed
     * any more. NULL: always at t. */
    double (*locate)(void *context, double t, bool last);

    /* The state stands at the event: whether that is the end. Else the step that led there is searched anew. NULL: it is. */
    bool (*accept)(void *context);
} step_events;

/* The report has the evaluations and rejections of all steps tried. On failure the state may stand anywhere: step_abort. */
carom_status step_to(const carom_step_context *c, const step_events *events, double dt, carom_step_report *report);

/* A step that ends where it begins: the state as step_begin kept it, loaded. */
void step_nowhere(const carom_step_context *c, carom_step_report *report);

#endif
