/* Advancing to the first event of a step. */
#ifndef CAROM_METHODS_IMPACT_ADVANCE_H
#define CAROM_METHODS_IMPACT_ADVANCE_H

#include "methods/impact/search.h"
#include "model/method.h"

/* The state moves on by at most dt, or to the first event before that, which is still to be resolved; EVENT_NONE: there is
 * none. The step has begun (step_begin) and the state is loaded. */
carom_status advance_to_event(carom_step_context *c, impact_work *iw, double dt, carom_step_report *report,
                              impact_event *event);

#endif
