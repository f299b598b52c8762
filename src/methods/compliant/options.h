/* Options of the method "compliant". */
#ifndef CAROM_METHODS_COMPLIANT_OPTIONS_H
#define CAROM_METHODS_COMPLIANT_OPTIONS_H

#include "collision/collider.h"
#include "model/method.h"

typedef enum substeps_choice { SUBSTEPS_NONE, SUBSTEPS_AUTO } substeps_choice;

typedef struct compliant_options {
    int detection;   /* detection_method   */
    int features;    /* detection_features, or one more: auto */
    double spacing;  /* [m] of detection points; 0: a default */
    int field;       /* sdf_kind */
    int sign;        /* sdf_sign */
    int resolution;  /* of distance fields */
    bool cache;      /* keep fields on disk */
    int substeps;    /* substeps_choice */
    double approach; /* fraction of the expected depth by which a step may overshoot a touch */
} compliant_options;

extern const carom_field compliant_fields[];
extern const compliant_options compliant_defaults;

void compliant_set_colliders(collider_options *out, const void *options);
carom_status compliant_check(const carom_model *model, const void *options, carom_error *err);
carom_status compliant_check_contact(const carom_model *model, const void *options, carom_error *err);

#endif
