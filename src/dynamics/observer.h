/* A carom_observer for those who evaluate the model themselves. */
#ifndef CAROM_DYNAMICS_OBSERVER_H
#define CAROM_DYNAMICS_OBSERVER_H

#include <carom/observe.h>

#include "dynamics/work.h"

/* Arguments of a public function: an observer of this model, and room for its values. */
carom_status observer_check(const char *function, const carom_observer *observer, const carom_model *model,
                            const double *out, carom_error *err);

/* Its signals at the point evaluated in w, joint coordinates included, with the ledger there. */
void observer_read(const carom_observer *observer, const carom_scratch *w, const carom_ledger *ledger, double *out);

#endif
