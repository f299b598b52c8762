/* Barriers between near features: contacts, their energy, gradient and Hessian. */
#ifndef CAROM_METHODS_BARRIER_CONTACTS_H
#define CAROM_METHODS_BARRIER_CONTACTS_H

#include "methods/barrier/barrier_work.h"

/* A barrier of this range and stiffness at a gap > 0. */
typedef struct barrier_law {
    double value, first, second;
} barrier_law;
barrier_law barrier_at(double gap, double range, double kappa);

/* [m] from the centre of mass to the point of the surface, where friction acts. */
v3 surface_arm(const barrier_contact *c, int side);

/* All contacts of an island at the iterate; energy of barriers and friction [J], infinite where a gap is not positive, NAN when
 * memory runs out. */
double contacts_evaluate(barrier_work *w, island *isle);
void contacts_evaluate_pair(barrier_work *w, barrier_pair *p);

/* Gradient and Hessian of barriers and friction. With what is positive of the curvature: after the same with all of it. */
void contacts_add(barrier_work *w, island *isle);
void contacts_add_forces(barrier_work *w, island *isle); /* the gradient alone */

/* Sets negative eigenvalues of a curvature to zero. It knows the translations of A and B by their difference alone. Turns are
 * counted as the ways that they move points at `size` [m], so that eigenvalues can be compared. */
void positive_part(twist_matrix sum, double size);

bool same_features(const feature_pair *a, const feature_pair *b);

/* Keeps the nearest contact of each pair where a line search begins; whether one has lost much of its gap on the part `alpha` of
 * the twists, and to first order would not have. */
void contacts_keep_nearest(barrier_work *w, const island *isle);
bool contacts_bend(const barrier_work *w, const island *isle, double alpha);

/* [m] of the gap along the twists, to first order. */
double gap_change(const barrier_work *w, const barrier_pair *p, const barrier_contact *c);

/* Finds what a pair that has no contacts may come to by the twists; false when memory runs out. */
bool contacts_find_ahead(const barrier_work *w, barrier_pair *p);

/* [m] infinite: nothing is within range. */
double contacts_least_gap(const barrier_pair *p);

/* Doubles the stiffness of pairs that are pressed nearly shut, ten times in a step at most. True if any was. */
bool contacts_stiffen(barrier_work *w, island *isle);

/* Notes at the end of a step which pairs are as nearly shut as when it began, although they became stiffer: they go back to the
 * stiffness that they had, and keep it as long as the gap stays. */
void contacts_note_squeezed(barrier_work *w);

/* Tells of pairs that are nearly shut at the end of the step although they were made as stiff as is of use. */
void contacts_note_shut(barrier_work *w);

#endif
