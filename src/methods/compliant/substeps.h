/* How far a step may go while bodies touch, where nothing else sees to it: of integrators that take the steps they are given. */
#ifndef CAROM_METHODS_COMPLIANT_SUBSTEPS_H
#define CAROM_METHODS_COMPLIANT_SUBSTEPS_H

#include "methods/compliant/forces.h"

/* Part of the depth to come by which a step may overshoot a touch, and of the time 1/omega of a vibration on the contacts that it may
 * last: some thirty steps in a short impact. A fixed step that follows an impact well is about as long. */
#define SUBSTEPS_PART 0.1

/* The longest step from a state, at most dt [s], that follows the touches there: it is short against the vibration of each pair on its
 * contacts as they are, and against the time in which what still approaches gets as deep as it will. Rigid bodies only. */
carom_status substeps_bound(compliant_work *t, carom_scratch *w, const carom_state *s, double *dt, carom_error *err);

#endif
