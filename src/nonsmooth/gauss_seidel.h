/* Nonlinear Gauss-Seidel [Jourdan1998]: contact after contact is solved exactly, the others as they are. Robust, cheap, first order:
 * for crowds in motion and as the beginning of other solvers. */
#ifndef CAROM_NONSMOOTH_GAUSS_SEIDEL_H
#define CAROM_NONSMOOTH_GAUSS_SEIDEL_H

#include "nonsmooth/contact_problem.h"

/* The impulse of one contact for which Coulomb's law holds exactly with u = W r + q: open, sticking, or slipping along the
 * direction that Newton's method finds on the circle. Where W lets that fail (wedged contacts with large mu) one projection. */
void solve_one_contact(const cone_contact *c, const double q[CONE_ROWS], double r[CONE_ROWS]);

/* One sweep over contacts and joints, p->v follows. Returns the largest change of an impulse over the largest normal impulse. */
double gauss_seidel_sweep(contact_problem *p, bool backward);

typedef struct sweep_report {
    int sweeps;
    double change; /* of the last one */
} sweep_report;

/* Sweeps forward and backward in turn until the impulses change by less than the tolerance. */
sweep_report gauss_seidel(contact_problem *p, double tolerance, int most);

#endif
