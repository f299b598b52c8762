/* Jumps of velocities by impulses along rows of contacts, with their place in the ledger. */
#ifndef CAROM_CONTACT_JUMP_H
#define CAROM_CONTACT_JUMP_H

#include "contact/response.h"

/* The velocities of all rows around a jump, and the impulses [N s] along them. */
typedef struct row_jump {
    const double *impulse;
    double *before; /* [m/s] */
    double *after;  /* [m/s] */
} row_jump;

/* The velocities of the state jump by the impulses; w stands at the state, its rates follow. `after` holds the velocities of
 * the rows now, and afterwards those that follow. The ledger takes the energy lost, the work of prescribed motion, external
 * impulse and angular impulse. */
void jump_velocities(const row_responses *r, const row_jump *jump, carom_scratch *w, carom_state *s);

/* - impulse . (velocity before + after) / 2 [J]: summed over all rows it is exactly the kinetic energy lost. */
double jump_energy_lost(const row_jump *jump, int first, int count);

#endif
