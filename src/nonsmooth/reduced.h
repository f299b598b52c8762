/* The reduced problem: all that an impact, or a moment of lasting contact, needs to know of a mechanism.
 *
 * In a frozen configuration the velocities that matter are a few rows u_k = R_k v: the normal velocity of every contact
 * (positive: apart) and the slip of every place with friction, at contacts and in joints. The joints' constraints are
 * kept throughout: a unit force (or impulse) along row l changes row k by D[k][l], and changes the multipliers of the
 * joints, whose part that presses bearing surfaces together is seen as load components, by B[i][l]. D is symmetric and
 * positive semidefinite; it is singular where a row cannot move or where contacts are redundant.
 *
 * Rates are per unit of whatever drives the process: of the normal impulse P in an impact (then there is no bias), of
 * time in lasting contact (then `rate` and `load` hold what applied forces and inertia do on their own). */
#ifndef CAROM_NONSMOOTH_REDUCED_H
#define CAROM_NONSMOOTH_REDUCED_H

#include <stdbool.h>
#include <stddef.h>

enum { SLIP_DIM = 3 };

/* The Euclidean norm of some load components. */
typedef struct load_group {
    int first, dim;
} load_group;

/* One place with friction. |force| <= mu N; where it slips, force = -mu N u along the unit slip direction u. */
typedef struct friction_element {
    int first_row, dim; /* its slip rows, 1 to SLIP_DIM */
    double mu;          /* > 0 */
    int contact;        /* N is the normal force of this contact (a row below contact_count); -1: a joint */
    int first_group;    /* of a joint: N = sum over the groups of their norms */
    int group_count;
    bool goes_on; /* slips as before, however slowly: nothing has happened to its mechanism */
} friction_element;

typedef struct reduced_problem {
    int row_count;     /* contacts' normals first, then all slip rows */
    int contact_count; /* rows 0 .. contact_count - 1 */
    int element_count;
    int load_count;
    int group_count;
    const double *D;    /* row_count x row_count, row-major */
    const double *B;    /* load_count x row_count */
    const double *rate; /* row_count: rates without any force along the rows; NULL: zero */
    const double *load; /* load_count: likewise */
    const friction_element *elements;
    const load_group *groups;

    /* Rows of different islands have nothing to do with each other: D and B vanish between them. */
    int island_count;
    const int *island; /* row_count; NULL: all are one */

    struct carom_stop *stop; /* whether the caller wants solvers to end, with any answer; NULL: nobody asks */
} reduced_problem;

typedef enum friction_mode { FRICTION_NONE, FRICTION_STICK, FRICTION_SLIP } friction_mode;

/* What an element does. */
typedef struct friction_state {
    friction_mode mode;
    double direction[SLIP_DIM]; /* of slip, a unit vector of `dim` numbers; else zero */
} friction_state;

#endif
