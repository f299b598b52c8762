/* How far a step may go: long steps while boxes are apart, steps that end where surfaces meet when they are near. */
#ifndef CAROM_METHODS_COMPLIANT_APPROACH_H
#define CAROM_METHODS_COMPLIANT_APPROACH_H

#include "methods/compliant/forces.h"

typedef struct approach_rule {
    double fraction; /* of the depth to come by which a step may overshoot a touch */
    bool
        follow; /* no error control will look at the step: it ends before a touch, or is short where it ends in one, and stays so while
                        bodies touch */
} approach_rule;

/* The longest step not above dt in which no two surfaces that are apart can get further into each other than the rule's fraction
 * of the depth their speed would drive them to. *distance receives the smallest gap met (no more than `dt` allows to matter; HUGE_VAL: none). Pairs that touch already are left to the error control of the integrator, but move by no more
 * than a quarter of the thinner one. Negative when memory runs out. */
double approach_step(compliant_work *t, carom_scratch *w, const carom_state *s, double dt, approach_rule rule,
                     double *distance);

/* The motion of b relative to a at any of their points within the levers [m]: translation together where both move freely, rotation each,
 * and what deformation adds. t->bounds has how bodies move. */
approach_bound approach_of_bodies(const compliant_work *t, const carom_state *s, const int body[2],
                                  const double lever[2]);

/* [m] half the thickness of the thinner of two colliders: who gets deeper is pushed out on the far side. Infinite for other pairs. */
double approach_half_thickness(const compliant_work *t, const broad_pair *pair);

/* 1 / (1/m_a + 1/m_b) [kg], of free bodies; infinite where neither is. */
double approach_reduced_mass(const carom_model *model, const int body[2]);

#endif
