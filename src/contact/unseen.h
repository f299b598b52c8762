/* Bodies inside each other that no point of contact sees. */
#ifndef CAROM_CONTACT_UNSEEN_H
#define CAROM_CONTACT_UNSEEN_H

#include "model/near.h"

/* [m] how deep something is inside of both colliders, as they are placed: at the middles of both, and of what the boxes around them share. Planes see
 * all that is below them. 0: nothing was found. */
double unseen_depth(const near_search *n, int a, int b);

/* [m] less than this part of the thinner one's width is a matter of how far points lie apart, not of passing through. */
double unseen_noticeable(const near_search *n, int a, int b);

#endif
