/* The quadratic model of the incremental potential of an island at the iterate: gradient and Hessian, factored. */
#ifndef CAROM_METHODS_BARRIER_QUADRATIC_H
#define CAROM_METHODS_BARRIER_QUADRATIC_H

#include "methods/barrier/barrier_work.h"

/* Gradient and Hessian, with the curvature of surfaces where that is wanted (isle->full). `anew`: finds again who is near whom. */
carom_status quadratic_assemble(barrier_work *w, island *isle, bool anew);

/* The gradient alone. */
void quadratic_gradient(barrier_work *w, island *isle);

/* Factors the Hessian that was assembled: with all of the curvature if that is positive definite, else with what is positive of it. */
carom_status quadratic_factor(barrier_work *w, island *isle);

/* The same with what is positive of the curvature, after all of it was assembled, in this system or in another. */
carom_status quadratic_factor_positive(barrier_work *w, island *isle);

/* The right-hand side of a Newton step: minus the gradient, and minus the residuals of joints. */
void quadratic_right(const barrier_work *w, const island *isle, double *x);

/* What is no finite number, by name where it is known. */
carom_status quadratic_not_finite(const barrier_work *w, island *isle);

/* Whether the forces on each body are in balance to a part of its contact forces, or of what the tolerance comes to; the gradient has the
 * reactions of joints in it. Where barriers are stiff a twist may be tiny and the forces far off. */
bool quadratic_balances(const barrier_work *w, const island *isle, double part);

#endif
