/* The contact problem of rigid bodies: velocities v, impulses r at contacts and joints.
 *
 *     M (v - v_free) = H' r + J' y
 *     contacts:  u = H v + bias + eps r,   0 <= r_n  perp  u_n >= 0,   |r_t| <= mu r_n,   r_t = -mu r_n u_t / |u_t| where u_t /= 0
 *     joints:    J v + bias + eps y = 0
 *     friction in joints:  u = J_s v + bias + eps f,   |f| <= mu N,   f = -mu N u / |u| where u /= 0,   N = sum of |B y|
 *
 * u = W r + q with the Delassus matrix W = H M^-1 H' + eps, which is never formed: M is block diagonal by bodies, so that a
 * product with W is one pass over the contacts. A compliance eps > 0 makes normal and sticking forces unique where contacts are
 * redundant [Acary2011]; joints have one too, so that redundant equations are allowed.
 *
 * Residual: the natural map [Alart1991] as a speed. With rho_n = 1/W_nn and rho_t = 1/(largest eigenvalue of W_tt)
 *
 *     F_n = r_n - max(0, r_n - rho_n u_n),   F_t = r_t - projection of (r_t - rho_t u_t) onto the disc of radius mu max(0, r_n - rho_n u_n)
 *
 * is zero exactly at solutions; the residual is the largest |F / rho| over the speed scale of the problem.
 *
 * Bodies that do not move freely have the index -1; their velocities are part of the bias. */
#ifndef CAROM_NONSMOOTH_CONTACT_PROBLEM_H
#define CAROM_NONSMOOTH_CONTACT_PROBLEM_H

#include <stdbool.h>

enum { BODY_COLUMNS = 6, CONE_ROWS = 3, EQUATION_ROWS = 6, SLIP_ROWS = 3, ELEMENT_ROWS = EQUATION_ROWS + SLIP_ROWS };
enum { ELEMENT_ENDS = 4, ELEMENT_LOADS = 4 };

typedef struct problem_body {
    double mass, inverse_mass;
    double inertia[3][3], inverse_inertia[3][3]; /* about the centre of mass, world axes */
} problem_body;

typedef struct cone_contact {
    int body[2];                /* the normal points from body[1] to body[0]; -1: does not move freely */
    double frame[CONE_ROWS][3]; /* unit: normal, two tangents */
    double arm[2][3];           /* [m] from the centres of mass to the point of contact */
    double
        couple; /* [m] stops of angles: u is this times the angular velocity of body[0] against body[1] along the frame, and
                    * arms mean nothing; 0: u is the velocity at the point */
    double mu;
    double bias[CONE_ROWS]; /* [m/s] */
    double eps;             /* [1/kg] */
    double r[CONE_ROWS];    /* [N s] on body[0] along normal and tangents: the start of a solve and its answer */
    double W[CONE_ROWS][CONE_ROWS]; /* made by contact_problem_prepare, as its inverse and the steps rho */
    double inverse[CONE_ROWS][CONE_ROWS];
    double rho_n, rho_t;
} cone_contact;

/* |map y| of the impulses y of a joint's equations presses its surfaces together. */
typedef struct element_load {
    int dim;
    double map[3][EQUATION_ROWS];
} element_load;

/* Equations of a joint and its drivers, or of a coupler; behind them the rows along which the joint rubs. */
typedef struct joint_equations {
    int end_count;
    int body[ELEMENT_ENDS]; /* distinct; -1: does not move freely */
    int count;              /* equations */
    int slip_count;         /* rows of friction */
    double J[ELEMENT_ENDS][ELEMENT_ROWS][BODY_COLUMNS];
    double bias[ELEMENT_ROWS];
    double eps[ELEMENT_ROWS];
    double length[ELEMENT_ROWS]; /* [m] that makes a speed of a residual in rad/s; 1 for equations of lengths */
    double mu;
    int load_count;
    element_load loads[ELEMENT_LOADS];
    double r[ELEMENT_ROWS];
    double inverse[EQUATION_ROWS][EQUATION_ROWS]; /* of its own block of W; made by contact_problem_prepare */
    double rho;                                   /* of the slip rows, too */
} joint_equations;

typedef struct contact_problem {
    int body_count;
    problem_body *bodies;
    double *v;      /* body_count x 6: velocity, angular velocity; follows r */
    double *v_free; /* without impulses */
    int contact_count;
    cone_contact *contacts;
    int joint_count;
    joint_equations *joints;
    double speed; /* [m/s] scale of the residual */
} contact_problem;

/* W and the steps rho of all contacts, the inverse blocks of joints. */
void contact_problem_prepare(contact_problem *p);

/* v = v_free + M^-1 (H' r + J' y) */
void contact_problem_velocities(contact_problem *p);

/* u of one joint at v. */
void joint_velocity(const contact_problem *p, const joint_equations *j, double u[ELEMENT_ROWS]);

/* v += M^-1 J' d for a change d of the impulses of one joint. */
void joint_push(const contact_problem *p, const joint_equations *j, const double d[ELEMENT_ROWS]);

/* The natural map of one contact at u. */
void natural_map(const cone_contact *c, const double u[CONE_ROWS], double F[CONE_ROWS]);

/* The bound mu N of a joint's friction at its impulses r [N s]; slope, unless NULL, is its derivative by r. */
double joint_friction_bound(const joint_equations *j, double slope[EQUATION_ROWS]);

/* The same map of the friction in a joint, at u of all its rows. */
void joint_friction_map(const joint_equations *j, const double u[ELEMENT_ROWS], double F[SLIP_ROWS]);

/* How far a problem is from being solved. */
typedef struct contact_residual {
    double speed; /* the residual: a speed over the problem's scale; infinite where a number is not finite */
    double merit; /* [J] sum of F^2 / rho: what line searches lower */
    int contact;  /* the worst one; -1: a joint, or none */
} contact_residual;
contact_residual contact_problem_residual(const contact_problem *p);

#endif
