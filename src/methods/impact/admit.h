/* The check before a run under impact. */
#ifndef CAROM_METHODS_IMPACT_ADMIT_H
#define CAROM_METHODS_IMPACT_ADMIT_H

#include "dynamics/work.h"

/* CAROM_INTERSECTING, naming the bodies or the joint, when surfaces overlap or joints stand beyond their stops. */
carom_status impact_admit(const carom_state *state, carom_scratch *scratch, carom_error *err);

#endif
