/* Resolves an event: impacts until no contact approaches, then the active set from there on. */
#ifndef CAROM_METHODS_IMPACT_RESOLVE_EVENT_H
#define CAROM_METHODS_IMPACT_RESOLVE_EVENT_H

#include "methods/impact/active_set.h"
#include "methods/impact/options.h"
#include "methods/impact/search.h"
#include "model/method.h"

/* At the present time of the state: velocities jump where contacts approach, the set of persistent contacts becomes the
 * one that fits, records and accelerations follow, events are announced. `ahead`: of the event. */
carom_status resolve_event(carom_step_context *c, impact_work *iw, double ahead);

/* The same where the loads of joints that slip are about to have no solution: the joint of this element locks first. */
carom_status resolve_jam(carom_step_context *c, impact_work *iw, int element);

/* The same where the forces of a persistent contact that slips grow without limit: it sticks first, by an impact without
 * collision. `k`: of iw->present. */
carom_status resolve_grip(carom_step_context *c, impact_work *iw, int k);

/* Removes the constraint drift of a step: gaps and velocities of persistent contacts are made zero, accelerations follow. */
carom_status stabilise(carom_step_context *c, impact_work *iw);

/* The gap [m] at which surfaces count as touching: a few units in the last place, so that their sides stay known. */
double touching_gap(const carom_scratch *w, double speed);

#endif
