/* Watching pairs of bodies: which begin and cease to touch, to stick and to slide, from one end of a step to the next,
 * and how hard each has pushed since the start.
 * Methods that know their events announce them themselves; of those only the totals are kept here. */
#ifndef CAROM_SIM_CONTACT_WATCH_H
#define CAROM_SIM_CONTACT_WATCH_H

#include "dynamics/work.h"

typedef struct contact_watch {
    contact_memory memory;
    touching_pairs now;          /* room for the present ones */
    struct contact_judge *judge; /* NULL: nobody judges */
} contact_watch;

/* Pushes what touches at the start into the scratch's events. The model has been evaluated there. */
carom_status contact_watch_start(contact_watch *w, carom_scratch *scratch, carom_error *err);

/* Pushes what the step that has just ended has changed. Nothing may have been evaluated since. */
carom_status contact_watch_step(contact_watch *w, carom_scratch *scratch, carom_error *err);

void contact_watch_free(contact_watch *w);

/* How a rate of two bodies (velocity or acceleration) drives them apart at a point along its normal. */
double contact_watch_apart(const carom_scratch *w, const touching_pair *pair, const body_rate *rate);

#endif
