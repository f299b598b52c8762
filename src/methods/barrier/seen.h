/* What contact is where a state stands: forces, points, totals, for whoever evaluates the model there. */
#ifndef CAROM_METHODS_BARRIER_SEEN_H
#define CAROM_METHODS_BARRIER_SEEN_H

#include "dynamics/contact.h"

extern const struct contact_forces barrier_forces;

#endif
