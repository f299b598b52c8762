/* What the files that implement strike_flow.h have in common. */
#ifndef CAROM_NONSMOOTH_FLOW_PARTS_H
#define CAROM_NONSMOOTH_FLOW_PARTS_H

#include "nonsmooth/strike_flow.h"

/* Margins of normal velocities are twice as wide, so that a phase that begins has some. */
static const double NO_SPEED = 1e-12; /* normal velocities below are none, relative to the largest velocity */

/* flow_slope.c */

double flow_slip_norm(const friction_element *el, const double *rows);
double flow_slip_along(const friction_element *el, const friction_state *state, const double *rows);
double flow_slip_across(const friction_element *el, const friction_state *state, const double *rows);
/* Velocities with creeping elements at rest; others that move go on in their direction, also beyond an event. */
void flow_show_speeds(const flow *f, double *y, bool frozen);

bool flow_find_slope(flow *f, double *y, double *slope);

/* flow_margin.c */

double flow_cone_margin(const flow *f, int e, double largest_force);
double flow_largest_force(const flow *f);
/* The smallest margin at y, whose forces were found last. Positive: nothing has happened. */
double flow_smallest_margin(const flow *f, double *y);

/* flow_step.c */

/* From y over h into y_new; the error in units of its tolerance, HUGE_VAL: joints jam on the way. */
double flow_step_over(flow *f, double h);

/* Straight slip that has turned after all; it is let go in the next attempt. */
bool flow_turned(flow *f);

/* The step is shortened to the first event: the smallest margin vanishes (Illinois). y_new is then just beyond it. */
void flow_shorten_to_event(flow *f, double h, double margin_start, double margin_end);

/* flow_piece.c */

/* What moves, and whether it turns. */
void flow_find_motion(flow *f);

#endif
