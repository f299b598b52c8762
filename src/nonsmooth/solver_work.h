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
typedef int element_edges[ELEMENT_ENDS][ELEMENT_ENDS];
typedef double element_row[ELEMENT_ROWS];

/* dr = step - S J dv: how the impulses of a joint answer to a change of velocities. */
typedef struct joint_slope {
    double step[ELEMENT_ROWS];
    double S[ELEMENT_ROWS][ELEMENT_ROWS];
} joint_slope;

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
    int *edge_of; /* contact -> edge of the pattern; -1: one body only */
    size_t edge_capacity;
    element_edges *joint_edges; /* the same of all pairs of ends of a joint */
    size_t joint_edge_capacity;
    body_ends *edges;
    size_t ends_capacity;
    double *x; /* right-hand side and solution, six per body */
    size_t x_capacity;
    mat3 *S, *K;
    size_t S_capacity, K_capacity;
    vec3 *F, *step, *start, *best, *path, *least;
    size_t F_capacity, step_capacity, start_capacity, best_capacity, path_capacity, least_capacity;
    element_row *joint_step, *joint_start, *joint_best, *joint_path, *joint_least;
    size_t joint_step_capacity, joint_start_capacity, joint_best_capacity, joint_path_capacity, joint_least_capacity;
    double *path_eps, *own_response; /* of contacts without what a path adds to them */
    size_t path_eps_capacity, own_response_capacity;
    vec3 *path_bias;
    size_t path_bias_capacity;
    joint_slope *joint_slopes;
    size_t slope_capacity;
    cone_point *points;
    size_t point_capacity;
};

/* Room for the problem and the pattern of its matrix. False when memory runs out. */
bool solver_begin(contact_solver *s, const contact_problem *p);

/* The matrix becomes M. */
void solver_clear(contact_solver *s, const contact_problem *p);

/* += H' S H of a contact. */
void solver_add_contact(contact_solver *s, const contact_problem *p, int contact, const mat3 S);

/* s->x += H' f */
void solver_gather(contact_solver *s, const contact_problem *p, int contact, const vec3 f);

/* All joints, linearised: J' S J into the matrix, their steps for dv = 0. `rounding` [m/s]: friction is that of a slip |u| rounded off, as the
 * interior point wants it; 0: the natural map. */
void solver_linearise_joints(contact_solver *s, const contact_problem *p, double rounding);
void solver_gather_joints(contact_solver *s, const contact_problem *p); /* s->x += J' (their steps for dv = 0) */
void solver_step_joints(contact_solver *s, const contact_problem *p);   /* s->joint_step, with dv in s->x */

/* All impulses, kept and put back with the velocities. */
void solver_keep(const contact_problem *p, vec3 *r, element_row *joints);
void solver_restore(contact_problem *p, const vec3 *r, const element_row *joints);

/* r = start + part * step, and the velocities. */
void solver_move(contact_solver *s, contact_problem *p, double part);

/* ---- the solvers -------------------------------------------------------------------------------------------------------- */

/* Semismooth Newton on the natural map [Alart1991] with a halving line search. At kinks between sticking, slipping and parting the merit has valleys that
 * no short step leaves: where the search finds no way down, full steps are taken nevertheless, a few at most before the merit must have fallen. Ends
 * at the least merit seen. */
void semismooth_newton(contact_solver *s, contact_problem *p, double tolerance, int most, solve_report *report);

/* Primal-dual interior point on the cones from a neutral start, with the scaling of Nesterov and Todd and the corrector of Mehrotra;
 * the derivative of mu |u_t| is part of the matrix [Acary2023]. Ends at the best iterate. */
void interior_point_solve(contact_solver *s, contact_problem *p, double tolerance, int most, solve_report *report);

/* Newton's method on problems whose contacts resist a change of their impulses, ever less; from the impulses there are. Ends at the last step solved. */
void proximal_steps(contact_solver *s, contact_problem *p, double tolerance, solve_report *report);

/* Newton's method along a falling compliance, from nothing. */
void follow_compliance(contact_solver *s, contact_problem *p, double tolerance, solve_report *report);

#endif
