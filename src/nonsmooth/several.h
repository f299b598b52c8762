/* What the files behind strike_all have in common: several.c (room, beginning and end), several_stop.c (Poisson's rule
 * event by event), several_turn.c (one after another), several_steps.c (Poisson's rule in steps, what errors add taken away);
 * energy sharing is in steps_share.c. */
#ifndef CAROM_NONSMOOTH_SEVERAL_H
#define CAROM_NONSMOOTH_SEVERAL_H

#include "nonsmooth/strike_steps.h"

/* several.c */

double several_largest_speed(const reduced_problem *p, const double *u);
double several_diagonal(const reduced_problem *p, int row);
/* Scales of energy sharing: the hardest and lightest contact takes a velocity away within d = depth, s = duration. */
void several_set_scales(flow *f);

/* speed: the largest before everything, by which rounding is measured. */
flow several_begin(strike_work *work, const reduced_problem *p, const strike_contact *defs,
                   const strike_options *options, const double *u, double speed, strike_result *out);

/* What the impulses have done to the kinetic energy; *terms: the sum without signs. */
double several_energy_change(const flow *f, double *y, double *terms);

bool several_energy_grew(const flow *f, double *y);
/* The flow's impulses become the result. */
void several_hand_out(const flow *f, double *u, strike_result *out);

/* One piece of constant states goes into the history. */
void several_record(flow *f);

void several_mark_compression_end(flow *f);

/* several_stop.c */

double several_fastest_approach(const flow *f, double *y);
int several_fastest_contact(const reduced_problem *p, const double *u, double least);
strike_outcome several_stop_and_expand(flow *f);

/* several_turn.c */

strike_outcome several_in_turn(strike_work *work, const reduced_problem *p, const strike_contact *defs,
                               const strike_options *options, double *u, strike_result *out);

/* several_steps.c */

void several_stop_and_expand_in_steps(flow *f);
/* What is left undone, relative to the fastest velocity: accuracy that was not reached, or an impact that was cut short. */
void several_note_left(double left, strike_result *out);
/* Integration has errors, and where next to nothing is lost energy may have grown by them. The impulses that only stop lose
 * some: as much of those is mixed in as is needed. Neither lets anything approach. */
void several_take_growth_away(strike_work *work, const reduced_problem *p, const strike_options *options,
                              const double *u, flow *f);
/* What steps have led to becomes the result, without growth of energy. */
void several_conclude(strike_work *work, const reduced_problem *p, const strike_options *options, double *u, flow *f);

#endif
