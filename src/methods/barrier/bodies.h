/* The inertia of bodies as a potential of their poses, and their motion through a step. */
#ifndef CAROM_METHODS_BARRIER_BODIES_H
#define CAROM_METHODS_BARRIER_BODIES_H

#include "methods/barrier/barrier_work.h"

/* [m |x - x_goal|^2 + tr((R - R_goal) J (R - R_goal)')] / (2 h^2): goals, derivatives by the twist at the iterate, and the
 * change since the line search began, without the cancellation of a difference. */
void bodies_begin(barrier_work *w, const carom_state *s);
void bodies_set_goals(barrier_work *w, const carom_state *s, const island *isle);
void bodies_add(const barrier_work *w, island *isle);
void bodies_add_forces(const barrier_work *w, island *isle); /* the gradient alone */
double bodies_change(const barrier_work *w, const island *isle);
double bodies_value(const barrier_work *w, const island *isle);

/* Places bodies at a part of their way, and keeps where a line search begins. */
void bodies_move(barrier_work *w, const island *isle, double alpha);
void bodies_keep(barrier_work *w, const island *isle);

/* The velocity with which a body has come to the iterate, as forces see it. */
body_rate body_rate_at(const moving_body *b);

/* Its velocity at the end of the step: momentum and angular momentum have changed by the forces at the end times the step. */
body_rate body_rate_ending(const moving_body *b);

/* How far any point of a body can be from where it was in another pose [m]. */
double body_moved(const moving_body *b, const body_pose *from);

#endif
