/* What the solvers of the contact problem share: the sparse matrix M + H' S H and room for a few numbers per contact. */
#ifndef CAROM_NONSMOOTH_SOLVER_WORK_H
#define CAROM_NONSMOOTH_SOLVER_WORK_H

#include <stddef.h>

#include "linalg/block_lu.h"
#include "nonsmooth/contact_problem.h"
#include "nonsmooth/contact_solver.h"

typedef double vec3[3];
typedef double mat3[3][3];
typedef int body_ends[2];

/* The state of the interior point at one contact, in coordinates in which the cone of friction is the second-order cone: r =
 * (m r_n, r_t), w = ((u_n + mu |u_t|)/m, u_t) with m = mu, or 1 without friction. */
typedef struct cone_point {
    vec3 r, w;
    double m;
    bool line;       /* no friction: the cone is a half-line */
    vec3 direction;  /* of the Nesterov-Todd scaling, on the unit hyperboloid */
    double size;     /* of the scaling */
    vec3 scaled;     /* r and w in the scaled space, where they are equal */
    vec3 infeasible; /* w(u) - w */
    mat3 K;          /* scaling squared */
    mat3 slope;      /* of w by u */
    mat3 G;          /* (1 + K compliance)^-1 */
    vec3 rhs;
    vec3 dr, dw;
} cone_point;

struct contact_solver {
    block_lu *matrix;
    int *edge_of; /* element -> edge of the pattern; -1: one body only. Contacts first, then joints */
    size_t edge_capacity;
    body_ends *edges;
    size_t ends_capacity;
    double *x; /* right-hand side and solution, six per body */
    size_t x_capacity;
    mat3 *S, *K;
    size_t S_capacity, K_capacity;
    vec3 *F, *step, *start, *best;
    size_t F_capacity, step_capacity, start_capacity, best_capacity;
    double (*joint_step)[EQUATION_ROWS], (*joint_start)[EQUATION_ROWS], (*joint_best)[EQUATION_ROWS];
    size_t joint_step_capacity, joint_start_capacity, joint_best_capacity;
    cone_point *points;
    size_t point_capacity;
};

/* Room for the problem and the pattern of its matrix. False when memory runs out. */
bool solver_begin(contact_solver *s, const contact_problem *p);

/* The matrix becomes M. */
void solver_clear(contact_solver *s, const contact_problem *p);

/* += H' S H of a contact; J' S J of a joint with a diagonal S. */
void solver_add_contact(contact_solver *s, const contact_problem *p, int contact, const mat3 S);
void solver_add_joint(contact_solver *s, const contact_problem *p, int joint, const double *S);

/* s->x += H' f, J' f; H and J times s->x. */
void solver_gather(contact_solver *s, const contact_problem *p, int contact, const vec3 f);
void solver_spread(const contact_solver *s, const contact_problem *p, int contact, vec3 u);
void solver_gather_joint(contact_solver *s, const contact_problem *p, int joint, const double *f);
void solver_spread_joint(const contact_solver *s, const contact_problem *p, int joint, double *u);

/* All impulses, kept and put back with the velocities. */
void solver_keep(const contact_problem *p, vec3 *r, double (*joints)[EQUATION_ROWS]);
void solver_restore(contact_problem *p, const vec3 *r, const double (*joints)[EQUATION_ROWS]);

/* r = start + part * step, and the velocities. */
void solver_move(contact_solver *s, contact_problem *p, double part);

/* ---- the solvers -------------------------------------------------------------------------------------------------------- */

/* Semismooth Newton on the natural map [Alart1991] with a halving line search; leaves at the first step that does not reduce the
 * merit by 2 %. `damping` is added to the diagonal of its 3x3 blocks. */
void semismooth_newton(contact_solver *s, contact_problem *p, double tolerance, int most, double damping,
                       solve_report *report);

/* Primal-dual interior point on the cones from a neutral start, with the scaling of Nesterov and Todd and the corrector of Mehrotra;
 * the derivative of mu |u_t| is part of the matrix [Acary2023]. Ends at the best iterate. */
void interior_point_solve(contact_solver *s, contact_problem *p, double tolerance, int most, solve_report *report);

#endif
