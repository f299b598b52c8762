/* The end of a step: the iterate becomes the state. */
#ifndef CAROM_METHODS_BARRIER_FINISH_H
#define CAROM_METHODS_BARRIER_FINISH_H

#include "methods/barrier/barrier_work.h"

/* The iterate becomes the state: velocities, restitution, joints, ledger, records. */
carom_status finish_step(barrier_work *w, carom_step_context *c);

#endif
