/* Options of the method "impact". */
#ifndef CAROM_METHODS_IMPACT_OPTIONS_H
#define CAROM_METHODS_IMPACT_OPTIONS_H

#include "collision/collider.h"
#include "model/method.h"

typedef enum impact_stepping { STEPPING_EVENTS, STEPPING_FIXED } impact_stepping;

typedef struct impact_options {
    int rule;         /* strike_rule */
    double exponent;  /* of energy sharing */
    int stepping;     /* impact_stepping */
    double tolerance; /* of fixed steps: the residual, over the speed of the contacts; 0: 1e-8 */
    double
        impact_speed; /* [m/s] of fixed steps: slower approaches have no restitution; 0: what gravity gives in five steps */
    double rest_time; /* [s] flights shorter than this end in persistent contact; 0: 1e-9 of the run */
} impact_options;

extern const carom_field impact_fields[];
extern const impact_options impact_defaults;

void impact_set_colliders(collider_options *out, const void *options);
carom_status impact_check(const carom_model *model, const void *options, carom_error *err);

#endif
