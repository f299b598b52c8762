/* Twists that foresee the contacts to which they lead. */
#ifndef CAROM_METHODS_BARRIER_FORESIGHT_H
#define CAROM_METHODS_BARRIER_FORESIGHT_H

#include "methods/barrier/barrier_work.h"

/* Where the twists x to the least of the quadratic model bring a pair within range that is not, replaces them by those to the least of a model
 * that foresees it. The gradient stays that of the potential, the factors are those of some model. */
carom_status foresight_improve(barrier_work *w, island *isle);

#endif
