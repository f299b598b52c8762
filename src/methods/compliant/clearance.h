/* Joints with clearance under "compliant": the journal of B in the bearing of A, the four corners of the slider of B
 * between the walls of the guide of A. They touch like other surfaces: gap, gradient, point, then the same laws, books and
 * records (forces.h). */
#ifndef CAROM_METHODS_COMPLIANT_CLEARANCE_H
#define CAROM_METHODS_COMPLIANT_CLEARANCE_H

#include "methods/compliant/forces.h"

/* Appends what touches in joints with clearance to the pairs and touches found; false when memory runs out. */
bool clearance_find(compliant_work *t, const carom_scratch *w);

/* The step, at most dt [s], after which a joint's surfaces may meet with no more than `fraction` of the depth they will
 * be driven to; bodies are placed in w as in s. *distance becomes the smallest gap if that is smaller. */
double clearance_step(const compliant_work *t, const carom_scratch *w, const carom_state *s, double dt,
                      double fraction, double *distance);

#endif
