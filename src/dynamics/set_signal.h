/* Signals that can be set, found once and set in many states. */
#ifndef CAROM_DYNAMICS_SET_SIGNAL_H
#define CAROM_DYNAMICS_SET_SIGNAL_H

#include <carom/observe.h>

#include "dynamics/observe.h"

/* Refuses names that are no signals, and signals that nothing sets. */
carom_status set_signal_find(const carom_model *model, const char *signal, signal_ref *out, carom_error *err);

/* One that was found; on failure the state is as it was. */
carom_status set_signal_value(const carom_model *model, carom_state *state, carom_scratch *scratch,
                              const signal_ref *ref, double value, carom_error *err);

#endif
