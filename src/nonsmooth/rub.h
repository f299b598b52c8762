/* Friction over a step of an impact, normal impulses known: of all friction impulses p_i with |p_i| <= mu_i P_i those that
 * dissipate most at the velocities s = c + D p after the step,
 *
 *     min p.D.p / 2 + p.c   over the discs,
 *
 * which is backward Euler for Coulomb's law: what holds has s_i = 0, what slips p_i = -mu_i P_i s_i/|s_i|. The problem is
 * convex: s is unique, and there is always an answer, however redundant the contacts are. Loads of joints follow from the
 * impulses by a fixed point; where it runs away the mechanism jams, and the joint holds. */
#ifndef CAROM_NONSMOOTH_RUB_H
#define CAROM_NONSMOOTH_RUB_H

#include "base/arena.h"
#include "nonsmooth/reduced.h"

typedef struct rub_work rub_work;

rub_work *rub_create(carom_arena *arena, int rows, int elements, int loads); /* NULL when memory runs out */

/* A problem to rub in, until the next call. scale: of the changes of velocity that matter; fastest: of all velocities, whose
 * rounding does not count. */
void rub_begin(rub_work *w, const reduced_problem *p, double scale, double fastest);

/* impulse: row_count, normal impulses given in the first contact_count; friction impulses are put into the others.
 * u: row_count, velocities with the normal impulses; friction changes them. before: row_count, velocities before the step.
 * `length` of the step: impulses of the last call, in proportion to the lengths, are the first guess. Returns how far the
 * impulses are from Coulomb's law, as a velocity: rounding, or more where so many rounds were not enough. */
double rub(rub_work *w, double length, const double *before, double *impulse, double *u);

/* A contact's element whose slip changes little in a step: its friction is taken against the mean of the slips before and
 * after, which is symmetric in time. None is after rub_begin. */
void rub_expect(rub_work *w, int element, bool fast);

/* The first guess goes back to what it was when it was marked: redundant elements share alike then on every way from there. */
void rub_mark(rub_work *w);
void rub_return(rub_work *w);

/* An element that jammed since rub_begin; -1: none. */
int rub_jammed(const rub_work *w);

/* How many systems and sweeps were worked through since rub_begin, in units of a matrix by a vector. */
double rub_effort(const rub_work *w);

#endif
