/* Which surfaces are near, what is remembered of them, and how far a motion is free of collisions. */
#ifndef CAROM_METHODS_BARRIER_PAIRS_H
#define CAROM_METHODS_BARRIER_PAIRS_H

#include "methods/barrier/barrier_work.h"

/* Rooms for the motion of a step from where bodies are, and no more than there is for bodies that stay. */
void pairs_make_room(barrier_work *w);

/* Pairs that may come within range while bodies stay in their rooms are active; those that are known keep what they know.
 * Which are active depends on the beginning of the step and the rooms alone. False when memory runs out. */
bool pairs_find(barrier_work *w);
void pairs_free(barrier_work *w);

/* Sets the stiffness of each barrier by the load of the step; of contacts that last it never falls. */
void pairs_stiffen(barrier_work *w, const contact_records *records);

/* Fits the stiffness to where a step begins, of which the contacts are. A pair that is within range when a run begins carries its
 * load there: a stiffer barrier would throw it apart. */
void pair_fit(const barrier_work *w, barrier_pair *p);

/* The stiffness that records remember; others as their bodies move. */
void pairs_recall(barrier_work *w, const contact_records *records);

/* Records of pairs that touch, and of bodies that restart. False when memory runs out. */
bool pairs_remember(const barrier_work *w, contact_records *records);

/* Whether a pair has begun or ceased to touch in this step, or was sent apart. */
bool pair_upsets(const barrier_pair *p);

/* Which bodies have to take a step of implicit Euler next: what touches them has changed. */
void pairs_note_restarts(barrier_work *w);
/* What a state remembers of a pair that touches: its stiffness, and an impact that is on its way. Of a body, under its number
 * twice: that its next step is one of implicit Euler. Of a stop, likewise: an impact that is on its way. */
enum { RECORD_PAIR, RECORD_RESTART, RECORD_KINETIC, RECORD_STOP };
bool body_restarts(const contact_records *records, int body);

/* Bounds of the pairs of an island, before its first evaluation. False when memory runs out. */
bool pairs_bound(const barrier_work *w, island *isle);

/* Which pairs may have contacts or friction at the iterate; all others have none. */
void pairs_find_near(barrier_work *w, island *isle);

/* The part of the twists of all bodies of an island that is free of collisions, at most `until` <= 1. */
double pairs_sweep(barrier_work *w, island *isle, double until);

/* [m] no gap of the pair is smaller, by the size of its bodies. */
double pair_clearance(const barrier_work *w, const barrier_pair *p);

/* Whether bodies are where the contacts of their pair were found. */
bool pair_stands(const barrier_work *w, const barrier_pair *p);

/* Finds the features that are nearer than range and separation, and farther by `wider` [m]. False when memory runs out. */
bool pair_search(const barrier_pair *p, const surface_pair *now, double wider, near_features *out);

/* [m] no point of the surfaces has moved farther since their features were found; infinite: none were. */
double pair_gone(const near_features *f, const surface_pair *now);

/* Renews the list of a pair where the surfaces have moved too far, and follows their motion. False when memory runs out. */
bool pair_follow(barrier_pair *p, const surface_pair *now);

surface_place collider_place(const barrier_work *w, int index);

#endif
