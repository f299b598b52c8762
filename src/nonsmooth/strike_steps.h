/* Several contacts at once with friction, in steps in which friction is implicit (rub.h): never without an answer, however
 * many elements rest or turn and however redundant they are. strike_flow.h cuts at every event instead, which is exact but
 * has to know who holds. */
#ifndef CAROM_NONSMOOTH_STRIKE_STEPS_H
#define CAROM_NONSMOOTH_STRIKE_STEPS_H

#include "nonsmooth/strike_flow.h"

/* Energy sharing from the flow's y on. False: not to its end within the work allowed; what was left has been stopped. */
bool steps_share(flow *f);

/* All that approach come to rest. Returns what normals and friction were left apart by, relative to the fastest velocity. */
double steps_stop(flow *f);

/* Normal impulses `given` (contacts) with their friction. Returns likewise. */
double steps_give(flow *f, const double *given);

/* What approaches still is stopped without friction. */
void steps_finish(flow *f);

#endif
