/* Solves contact problems: the chain of solvers, and what they share.
 *
 *     accurate   warm start; sweeps and Newton; interior point from a neutral start; Newton again; proximal steps; continuation
 *                in the compliance
 *     fast       sweeps alone
 *
 * Newton's method and the interior point meet the same matrix, M + H' S H with one 3x3 block S per contact: one pattern and
 * one order of elimination for both, kept for as long as the same bodies touch. What no solver solves to the tolerance ends at
 * the best impulses seen, and the report says how good they are. */
#ifndef CAROM_NONSMOOTH_CONTACT_SOLVER_H
#define CAROM_NONSMOOTH_CONTACT_SOLVER_H

#include "nonsmooth/contact_problem.h"

typedef struct contact_solver contact_solver;

contact_solver *contact_solver_create(void); /* NULL when memory runs out */
void contact_solver_destroy(contact_solver *s);

typedef struct solve_report {
    bool solved;    /* to the tolerance */
    bool no_memory; /* the problem is as it was, or as the last solver left it */
    double
        residual; /* a speed over the problem's scale; of `fast` the last change of an impulse over the largest one */
    int contact;  /* the worst one; -1: none */
    int sweeps, factorisations;
    int interior_points; /* how often the interior point was called */
} solve_report;

/* How far `accurate` goes along its chain before it gives up: to its first Newton, or to the end. */
typedef enum solve_effort { SOLVE_BY_NEWTON, SOLVE_BY_ALL } solve_effort;

/* The problem is prepared; its contacts hold impulses to start from, and afterwards the answer, as v does. */
solve_report contact_solve_accurate(contact_solver *s, contact_problem *p, double tolerance, solve_effort effort);
solve_report contact_solve_fast(contact_problem *p, double tolerance, int most_sweeps);

#endif
