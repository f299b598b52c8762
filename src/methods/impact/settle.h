/* What happens at an instant: impacts until nothing approaches, then who stays in touch, sticks and slips from there on. */
#ifndef CAROM_METHODS_IMPACT_SETTLE_H
#define CAROM_METHODS_IMPACT_SETTLE_H

#include "methods/impact/lasting.h"
#include "methods/impact/search.h"
#include "model/method.h"

typedef struct impact_options {
    int rule;         /* strike_rule */
    double exponent;  /* of energy sharing */
    double rest_time; /* [s] flights shorter than this end in lasting contact; 0: 1e-9 of the run */
} impact_options;

/* Treats the present moment of the state: velocities jump where contacts approach, the set of lasting contacts becomes the
 * one that fits, records and accelerations follow, events are announced. `ahead`: of the change that led here. */
carom_status settle(carom_step_context *c, impact_work *iw, double ahead);

/* The same where the loads of joints that slip are about to have no solution: the joint of this element locks first. */
carom_status settle_jam(carom_step_context *c, impact_work *iw, int element);

/* The same where the forces of a lasting contact that slips grow without limit: it sticks first, by an impact without
 * collision. `k`: of iw->present. */
carom_status settle_grip(carom_step_context *c, impact_work *iw, int k);

/* Takes out the drift of a step: gaps and velocities of lasting contacts are made zero, accelerations follow. */
carom_status settle_drift(carom_step_context *c, impact_work *iw);

/* The gap [m] at which surfaces count as touching: a few units in the last place, so that their sides stay known. */
double settle_touch(const carom_scratch *w, double speed);

#endif
