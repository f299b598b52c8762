/* What impacts give back. */
#ifndef CAROM_METHODS_BARRIER_RESTITUTION_H
#define CAROM_METHODS_BARRIER_RESTITUTION_H

#include "methods/barrier/barrier_work.h"

/* Follows impacts over the step, with the velocities at its end in `ending`. */
void restitution_judge(barrier_work *w);

/* Whether compression is over anywhere. */
bool restitution_wanted(const barrier_work *w);

/* Changes the velocities where compression is over. Where there are joints, the solver has the factors of the end of the step. False
 * when memory runs out. */
bool restitution_release(barrier_work *w, carom_scratch *s, body_rate *rate);

#endif
