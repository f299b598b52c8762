/* Prescribed motions that are blocked, and wait. */
#ifndef CAROM_METHODS_BARRIER_WAITS_H
#define CAROM_METHODS_BARRIER_WAITS_H

#include "methods/barrier/barrier_work.h"

void waits_create(barrier_work *w);

/* Own times of the step that begins, in the scratch. */
void waits_begin(barrier_work *w);

/* Gaps with which a step begins, of the pairs of an island. */
void waits_note_gaps(const barrier_work *w, const island *isle);

/* The prescribed motions of an island have gone a part of what was left of their way. False: they may wait, and gaps are too narrow
 * to stay there. */
bool waits_follow(barrier_work *w, const island *isle, double part);

/* Holds the motions that are opposed: they go less of their way, or none of it. The island is where the step begins, to be solved
 * again. False: nothing can be held. */
bool waits_hold(barrier_work *w, island *isle, const carom_state *state);

/* Velocities of bodies that were held. */
void waits_set_rates(barrier_work *w, body_rate *ending);

/* Records of motions that are behind their time, of which there are at most motion_count; returns how many. */
size_t waits_remember(const barrier_work *w, contact_record *out);

/* Tells who has waited in the step, and who is behind; returns how many have waited. */
int waits_note(barrier_work *w);

#endif
