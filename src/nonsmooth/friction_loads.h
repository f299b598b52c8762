/* The parts of the load problem N = h(t, N) of slipping joints: friction_loads.c (h, one joint, which way to solve),
 * friction_branch.c (several joints) and friction_signs.c (scalar loads). */
#ifndef CAROM_NONSMOOTH_FRICTION_LOADS_H
#define CAROM_NONSMOOTH_FRICTION_LOADS_H

#include "nonsmooth/friction_work.h"

/* ---- friction_loads.c ---- */

/* w->lambda = a + t sum b_j N_j. */
void friction_find_lambda(friction_work *w, const reduced_problem *p, double t, const double *N);

/* w->h = h(t, N), w->slope = dh/dN, and, where wanted, dh/dt. */
void friction_find_loads(friction_work *w, const reduced_problem *p, double t, const double *N, double *dh_dt);

/* Most by which h_j can grow per unit of the largest load: below 1 for all j it contracts. */
double friction_gain(const friction_work *w, const reduced_problem *p, int j);

/* w->N_step = (I - dh/dN)^-1 right; returns the determinant. */
double friction_newton_step(friction_work *w, const double *right);

/* Element of the joint whose load grows fastest with t at w->N. */
int friction_fastest_growing(friction_work *w, const reduced_problem *p, double t);

/* ---- friction_branch.c ---- */

/* Newton's method for N = h(t, N) from N_try; returns the determinant at the solution, zero when there is none near. */
double friction_correct_loads(friction_work *w, const reduced_problem *p, double t);

/* Loads of a contracting h, into N. */
void friction_solve_contracting(friction_work *w, const reduced_problem *p);

/* Follows N = h(t, N) from t = 0 to 1. False: the branch ends; *culprit is the joint whose load grows fastest there. */
bool friction_follow_branch(friction_work *w, const reduced_problem *p, int *culprit);

/* ---- friction_signs.c ---- */

/* Number of scalar groups of the slipping joints; 0 when there are others or too many. */
int friction_scalar_groups(const friction_work *w, const reduced_problem *p);

/* Tries all signs: how many solutions there are, and into N the only regular one (det > 0); *regular of them. */
int friction_enumerate_signs(friction_work *w, const reduced_problem *p, int groups, int *regular);

#endif
