/* What steps_share.c (steps and their errors), steps_kick.c (a small step) and steps_phase.c (where steps are cut) share. */
#ifndef CAROM_NONSMOOTH_STEPS_PARTS_H
#define CAROM_NONSMOOTH_STEPS_PARTS_H

#include "nonsmooth/strike_steps.h"

/* Slip below is none, relative to the fastest approach. */
#define STEPS_STILL 1e-10

/* steps_kick.c */

double steps_push(const flow *f, int contact, double depth);
/* The largest push of a contact in a step to come, about. */
double steps_push_ahead(const flow *f, int contact, double h);
/* Impulses along the contact move it. */
bool steps_can_move(const flow *f, int contact);
/* z goes on by h. */
void steps_small(flow *f, double h, double *z);

/* steps_share.c */

double steps_over(flow *f, double h, int *lines);

/* steps_phase.c */

void steps_first_phases(flow *f);
/* Some contact has gone beyond the end of its phase at y_new. */
bool steps_phase_ends(const flow *f);
/* When the first contact that gives back will be empty, about. */
double steps_until_empty(const flow *f);
/* Where the first contact ends its phase, about, as a part of the step that has been made with so many lines. */
double steps_end_guess(const flow *f, int lines);
/* That step, of length h, is repeated with a length such that the first contact just ends its phase at y_new; returns its
 * error. */
double steps_shorten(flow *f, double h, int lines);
/* Those that have ended their phases at y begin the next ones. */
void steps_next_phases(flow *f);

#endif
