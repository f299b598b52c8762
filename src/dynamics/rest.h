/* Static equilibrium as the start of a run: "initial": "static". */
#ifndef CAROM_DYNAMICS_REST_H
#define CAROM_DYNAMICS_REST_H

#include "dynamics/work.h"

/* Moves and deforms all bodies to where they rest under their loads, nearby and stable, joints kept. The state is assembled and stands still.
 * CAROM_IMPOSSIBLE with a sentence where no equilibrium is found. */
carom_status rest_find(carom_scratch *w, carom_state *s, carom_error *err);

#endif
