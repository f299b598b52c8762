/* Coulomb friction of contacts, with normal forces of an earlier iterate. */
#ifndef CAROM_METHODS_BARRIER_FRICTION_H
#define CAROM_METHODS_BARRIER_FRICTION_H

#include "methods/barrier/barrier_work.h"

/* Takes the normal forces of the iterate; *settled: friction is what it was, within the tolerance of the solve. False when memory
 * runs out. */
bool friction_lag(barrier_work *w, island *isle, int lag, bool *settled);
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
