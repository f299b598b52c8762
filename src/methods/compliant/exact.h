/* Touches of exact features (collision/exact_touch.h): whole elements of solids. Their gap is -D, and its derivative is a
 * force along the gradient at the middle of the pressure together with a couple. Friction acts at a few places around that
 * middle. */
#ifndef CAROM_METHODS_COMPLIANT_EXACT_H
#define CAROM_METHODS_COMPLIANT_EXACT_H

#include "methods/compliant/forces.h"

/* Whether the pair touches by whole elements. */
bool exact_pair(const compliant_work *t, const broad_pair *pair);

/* The touches of a pair; false when memory runs out. */
bool exact_find_contacts(compliant_work *t, const carom_scratch *w, broad_pair *pair);

/* What the rotation adds to the rate of the gap. */
double exact_turning_rate(const touching_point *c, const body_rate *rate);

/* Friction at the places of a touch whose normal force is given [N]: adds to its force and torque, and returns its power [W], not
 * positive where it brakes. */
double exact_friction(touching_point *c, compliant_work *t, const carom_scratch *w, const broad_pair *pair,
                      double normal);

/* The tangent of a touch, added to that of its two bodies. */
void exact_add_tangent(contact_tangent *out, const compliant_work *t, const touching_point *c, double stiffness,
                       double damping);

/* The bristles of a touch as records, and how many there are at most. */
void exact_remember(const compliant_work *t, const carom_scratch *w, const broad_pair *pair, const touching_point *c,
                    contact_records *out);

/* The gap of a pair that touches by whole elements, no more than `limit`; false when memory runs out. */
bool exact_pair_distance(compliant_work *t, const broad_pair *pair, double limit, double *gap);

void exact_destroy(compliant_work *t);

#endif
