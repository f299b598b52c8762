/* Coulomb friction of contacts, with normal forces of an earlier iterate. */
#ifndef CAROM_METHODS_BARRIER_FRICTION_H
#define CAROM_METHODS_BARRIER_FRICTION_H

#include "methods/barrier/barrier_work.h"

/* Takes the normal forces of the iterate; *settled: friction is what it was, within the tolerance of the solve. False when memory
 * runs out. */
bool friction_lag(barrier_work *w, island *isle, int lag, bool *settled);

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
void friction_add(const barrier_work *w, barrier_pair *p, bool upper_bound);

/* f0(|u|), which is |u| beyond the width and smooth below. */
typedef struct smooth_slip {
    double value;     /* f0 [m] */
    double per_slip;  /* f0' / |u| [1/m] */
    double curvature; /* f0'' [1/m] */
} smooth_slip;
smooth_slip smooth_slip_at(double slip, double width);

/* Friction of a contact where its bodies stand, as a solve that has ended there found it. */
typedef struct contact_friction {
    v3 force; /* [N] on A */
    v3 slip;  /* [m/s] of A against B, over the step */
} contact_friction;
contact_friction friction_at(const barrier_work *w, const barrier_pair *p, const barrier_contact *c);

#endif
