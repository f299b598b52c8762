/* Limits of joints, as barriers. */
#ifndef CAROM_METHODS_BARRIER_STOPS_H
#define CAROM_METHODS_BARRIER_STOPS_H

#include "methods/barrier/barrier_work.h"

void stops_create(barrier_work *w);

/* Stiffness for the load of the step that begins, and impacts that are on their way. */
void stops_begin(barrier_work *w, const contact_records *records);

/* Whether a stop has begun or ceased to push in this step, or has given back. */
bool stops_upset(const barrier_work *w);

/* How many records stops have; writes them. */
size_t stops_remember(const barrier_work *w, contact_record *out);

/* Follows impacts on stops over the step; where compression is over, changes the velocities of the state, which the joints allow
 * and goes on doing so. The solver has the factors of the end of the step. */
void stops_release(barrier_work *w, carom_scratch *s, carom_state *state);

/* Energy at the iterate, for which joints_place was called; infinite where a coordinate is beyond its limit. */
double stops_evaluate(barrier_work *w, const island *isle);
void stops_add(barrier_work *w, island *isle);
void stops_add_forces(const barrier_work *w, island *isle); /* the gradient alone */

/* Adds forces and energies of stops to an evaluation outside of steps. */
void stops_apply(barrier_work *w, carom_scratch *s);

/* The part of the twists after which every stop keeps at least half of its gap, to first order. */
double stops_free_part(const barrier_work *w, const island *isle);

#endif
