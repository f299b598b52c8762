/* Options of the method: what scenes write under "contact". */
#ifndef CAROM_METHODS_CONSTRAINT_OPTIONS_H
#define CAROM_METHODS_CONSTRAINT_OPTIONS_H

#include "collision/collider.h"
#include "dynamics/generalized_alpha.h"
#include "model/model.h"

typedef struct constraint_options {
    double penalty;     /* factor of the penalty stiffness that takes the place of constraints; 0: constraints */
    double hold;        /* [s] without contact before flight; 0: a period of the lowest vibration */
    double flight_step; /* [s] implicit steps; 0: by error control */
    alpha_options flight;
} constraint_options;

extern const constraint_options constraint_defaults;
extern const carom_field constraint_fields[];

void constraint_set_colliders(collider_options *out, const void *options);
carom_status constraint_check(const carom_model *model, const void *options, carom_error *err);

/* [s] the longest explicit step that is stable: of the body with the highest frequency; infinite: none deforms. */
double constraint_critical_step(const carom_model *model);

/* [s] for which nothing presses before implicit steps take over; infinite: they never do, all steps are explicit. */
double constraint_hold(const carom_model *model);

/* [s] the explicit step: time.step, else 0.9 of the critical one, rounded (dynamics/integrator.c). */
double constraint_step_size(const carom_model *model);

#endif
