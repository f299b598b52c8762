/* Central differences as a state keeps them, for methods that leap: velocities u^{n+1/2} of the later half step lie in `history`,
 * (u^{n+1/2} - u^{n-1/2})/h in `acceleration`, and a record has the step. Velocities that others see are means of both half steps. */
#ifndef CAROM_DYNAMICS_LEAP_H
#define CAROM_DYNAMICS_LEAP_H

#include "dynamics/work.h"

typedef struct leap_place {
    double h; /* [s] the explicit step */
    double
        part; /* of it that positions are beyond the last whole step: 0, or more where a caller has asked for less than a step */
    double quiet; /* [s] for which nothing has pressed */
} leap_place;

/* False: the state is not in the middle of explicit steps. */
bool leap_find(const carom_state *s, leap_place *out);

/* Room for the record must have been reserved; it comes behind all others. */
void leap_remember(carom_state *s, const leap_place *place);

/* The kinetic energy of a whole step, u^{n-1/2} M u^{n+1/2} / 2, which central differences keep exactly together with the energy of linear
 * springs; beyond it the work of forces along the way made since. w has the state's point and its forces. Of other states u M u / 2. */
double leap_kinetic(const carom_scratch *w, const carom_state *s);

#endif
