/* Bodies that start in the shape of their loads: "initial": "static" of a body that deforms. */
#ifndef CAROM_DYNAMICS_QUASI_STATIC_H
#define CAROM_DYNAMICS_QUASI_STATIC_H

#include "dynamics/work.h"

/* Deforms the bodies that ask for it until their deformation has neither velocity nor acceleration, while their frames move as they start, joints
 * kept. The state is assembled. CAROM_IMPOSSIBLE with a sentence where no such shape is found. */
carom_status quasi_static_find(carom_scratch *w, carom_state *s, carom_error *err);

#endif
