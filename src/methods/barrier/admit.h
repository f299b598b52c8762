/* Whether a run may begin where its state stands. */
#ifndef CAROM_METHODS_BARRIER_ADMIT_H
#define CAROM_METHODS_BARRIER_ADMIT_H

#include "model/method.h"

/* CAROM_INTERSECTING, naming them, where surfaces cut each other or are nearer than their separation. */
carom_status barrier_admit(const carom_state *state, carom_scratch *scratch, carom_error *err);

#endif
