/* Loads of slipping joints with friction, which feed themselves: N_j = sum over the groups of joint j of |a_g + sum_k b_gk N_k|,
 * where a are the load components of all forces but the friction of slipping joints, and b_k those of what one unit of N_k
 * adds (joint_loads.c). */
#ifndef CAROM_NONSMOOTH_JOINT_LOADS_H
#define CAROM_NONSMOOTH_JOINT_LOADS_H

#include "base/arena.h"
#include "nonsmooth/reduced.h"

typedef struct joint_loads {
    int count;         /* slipping joints */
    int *element;      /* theirs */
    double *component; /* (1 + count) x load_count: a, b_1, b_2, ... */
    double *N;         /* count: the answer */
    double regularity; /* det(I - dh/dN) there */
    double scale;      /* of load components without friction in joints */

    const double
        *near; /* element_count: loads near which the answer is sought first; NULL: it is on the branch from mu = 0 */
    const double *sign; /* load_count: |lambda| of a scalar group counts as sign lambda where not 0; NULL: none */

    double *N_try, *N_step, *h; /* count */
    double *lambda;             /* load_count */
    double *slope, *lu;         /* count x count: dh/dN */
} joint_loads;

/* Room for problems up to these counts; false when memory runs out. */
bool joint_loads_create(joint_loads *s, carom_arena *arena, int elements, int loads);

/* s->component from forces: (1 + count) x row_count, without friction of slipping joints, then per unit of load of each. */
void joint_loads_find_components(joint_loads *s, const reduced_problem *p, const double *columns);

/* s->N from s->component; how many solutions there are as far as that is known, 0: jam, of which the element *culprit is to
 * blame. */
int joint_loads_solve(joint_loads *s, const reduced_problem *p, int *culprit);

/* A slipping joint without any load that would jam under the least one; -1: none does so. */
int joint_loads_unloaded_jam(joint_loads *s, const reduced_problem *p);

/* The element of the joint whose load grows fastest with friction; -1: no joint slips. */
int joint_loads_weakest(joint_loads *s, const reduced_problem *p, const double *sign);

/* Sum of the norms of a joint's load groups, of load components lambda. */
double joint_loads_norm(const reduced_problem *p, const friction_element *joint, const double *lambda);

#endif
