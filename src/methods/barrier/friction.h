/* Coulomb friction of contacts, with normal forces of an earlier iterate. */
#ifndef CAROM_METHODS_BARRIER_FRICTION_H
#define CAROM_METHODS_BARRIER_FRICTION_H

#include "methods/barrier/barrier_work.h"

/* Finds friction with the normal forces of the iterate, behind that of the last solve; *settled: it is what it was, within the tolerance
 * of the solve. False when memory runs out. */
bool friction_renew(barrier_work *w, island *isle, int lag, bool *settled);

/* What was found is that of the next solve. */
void friction_take_over(barrier_work *w, const island *isle);

/* The friction of a pair is that of its contacts. False when memory runs out. */
bool friction_find(const barrier_work *w, barrier_pair *p);

/* Smooths friction over a stick speed that is larger by `softness` of what it is. */
void friction_soften(barrier_work *w, const island *isle, double softness);

/* Keeps the lagged friction of all pairs; of which a part is then replaced by friction of the iterate itself. False when memory runs
 * out. */
void friction_keep_lagged(barrier_work *w, const island *isle);
bool friction_follow_by(barrier_work *w, const island *isle, double part);

/* What the derivative of the friction of a pair has besides that of the potential, where a part of it follows the iterate: normal forces
 * change, and so do tangent planes and the points at which it acts. */
void friction_couple(const barrier_work *w, const barrier_pair *p, double part, friction_coupling *out);

double friction_value(const barrier_work *w, const barrier_pair *p);

/* The same of all near pairs, into `rubbing`. */
void friction_evaluate(barrier_work *w, const island *isle);

/* Gradient and Hessian; `foreseen`: those of the slip to which the twists lead, the gradient carried back to where bodies are. */
void friction_add(const barrier_work *w, barrier_pair *p, bool upper_bound, bool foreseen);
void friction_add_forces(const barrier_work *w, barrier_pair *p); /* the gradient alone */

/* Foresees the slip to which the twists lead. Adds to sums[0] by how much forces there differ from those that the quadratic model has had
 * for it, and to sums[1] their sizes [N]. `first`: it was the model of the present slip. */
void friction_foresee(const barrier_work *w, barrier_pair *p, bool first, bool upper_bound, double sums[2]);

/* f0(|u|), which is |u| beyond the width and smooth below. */
typedef struct smooth_slip {
    double value;     /* f0 [m] */
    double per_slip;  /* f0' / |u| [1/m] */
    double curvature; /* f0'' [1/m] */
} smooth_slip;
smooth_slip smooth_slip_at(double size, double width);

/* [m/s] of A against B at a contact, over the step. */
v3 friction_slip(const barrier_work *w, const barrier_pair *p, const barrier_contact *c);

/* What the k-th friction of a pair does where its bodies stand: that of the last solve, which the motion is in balance with. */
typedef struct friction_push {
    v3 force;    /* [N] on A */
    v3 arm[2];   /* [m] of its points on A and on B */
    double loss; /* [W] */
} friction_push;
friction_push friction_push_of(const barrier_work *w, const barrier_pair *p, int k);

/* [N] on A: that of them which belongs to a contact; none where the contact is newer than the last solve. *next: where to begin to
 * look. */
v3 friction_force_at(const barrier_work *w, const barrier_pair *p, const barrier_contact *c, int *next);

#endif
