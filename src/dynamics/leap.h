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
    double way;   /* [J] half the work of forces along that part, as they were there */
} leap_place;

/* False: the state is not in the middle of explicit steps. */
bool leap_find(const carom_state *s, leap_place *out);

/* Room for LEAP_RECORDS must have been reserved; they come behind all others. */
enum { LEAP_RECORDS = 2 };
void leap_remember(carom_state *s, const leap_place *place);

/* [J] half the work of the forces in w along the part of a step that has been made with the velocities there. */
double leap_way(const carom_scratch *w, const leap_place *at);

/* The kinetic energy of a whole step, u^{n-1/2} M u^{n+1/2} / 2, which central differences keep exactly together with the energy of linear
 * springs; beyond it with the work of forces along the way made since. w has the state's point. Of other states u M u / 2. */
double leap_kinetic(const carom_scratch *w, const carom_state *s);

/* Sums from where the step stands, at->part of it, to a later part; at its end the impulses in w come in. Velocities that others see go
 * on with the acceleration of the last whole step until the next one is reached. */
void leap_add_to_ledger(const leap_place *at, const carom_scratch *w, carom_state *s, double to);

#endif
