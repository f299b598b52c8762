/* The workspace of a step: bodies at the iterate, pairs that are near, contacts, friction, the Newton system. */
#ifndef CAROM_METHODS_BARRIER_BARRIER_WORK_H
#define CAROM_METHODS_BARRIER_BARRIER_WORK_H

#include "collision/surface_pair.h"
#include "contact/points.h"
#include "dynamics/contact.h"
#include "linalg/block_system.h"
#include "model/near.h"

typedef struct barrier_options {
    double range;       /* [m] of the barrier; 0: by the size of the bodies */
    double separation;  /* [m] least distance of surfaces */
    double stick_speed; /* [m/s] below which friction is smoothed; 0: by the range */
    double tolerance;   /* [m/s] of a solve; 0: by range and stick speed */
    int lags;           /* most solves of a step with renewed friction */
    int iterations;     /* most Newton iterations of a solve */
} barrier_options;

enum { COLUMNS = FRAME_COLUMNS };

/* A body on its way through a step. */
typedef struct moving_body {
    bool free, kinematic;
    int node;     /* of the Newton system; -1: its twist is given */
    double mass;  /* [kg] */
    m3 J_b;       /* [kg m^2] tr(I)/2 1 - I, body axes */
    double reach; /* [m] from the centre of mass to the farthest point of its surfaces */

    body_pose begin; /* where the step begins */
    m3 R_begin;
    body_rate rate; /* with which it begins */
    v3 x_goal;      /* where it would be without forces: the incremental potential is least there */
    m3 R_goal;      /* no rotation */
    body_pose end;  /* of a kinematic body: where its motion has it at the end of the step */

    body_pose at; /* the iterate */
    m3 R;
    body_pose from; /* where the line search begins */
    m3 R_from;
    twist aim;     /* the direction of the line search */
    body_pose leg; /* where the present motion begins: the line search, or the way back to the joints */
    twist d;       /* its twist */
    double way;    /* [m] no point moves farther by it */
} moving_body;

/* Whether a pair that touches is being compressed by an impact, or that is over. */
typedef enum impact_phase { IMPACT_NONE, IMPACT_COMPRESSION, IMPACT_OVER } impact_phase;

/* Two colliders that are near each other. */
typedef struct barrier_pair {
    int a, b;    /* colliders, a < b */
    int body[2]; /* theirs */
    const model_interaction *interaction;
    double range; /* [m] of the barrier */
    double kappa; /* [N/m] stiffness of the barrier */
    double mu;

    /* Features nearer than range + separation + slack when the list was made; `moved` is how far they have come since. */
    bool listed;
    double slack; /* [m] */
    m3 R_listed;  /* of A in the axes of B, when the list was made */
    v3 c_listed;
    near_list list;
    double *keys; /* list.count: distance + `path` when it was last computed: a bound on what it is now */
    size_t key_capacity;
    double path; /* [m] sum of relative motions so far */
    m3 R_seen;   /* at the last evaluation */
    v3 c_seen;

    /* Of an impact: what is remembered while it lasts (restitution.c). */
    impact_phase impact;
    double approach; /* [m/s] normal velocity before it, negative */
    double energy;   /* [J] kinetic, of both bodies before it */
    v3 pressed;      /* [N s] impulse on A so far */
    v3 pressed_moment[2];

    int contact_count; /* at the iterate */
    int edge;          /* of the Newton system between its bodies; -1: one of them is no node */
    double H[COLUMNS * COLUMNS]; /* [N/m, ..] in the relative twist at the centre of A */
} barrier_pair;

typedef struct barrier_contact {
    int pair, item;  /* of its list */
    double gap;      /* [m] distance less roundings and separation */
    double distance; /* [m] of the closest points */
    v3 normal;       /* unit, from B to A, world axes */
    v3 arm[2];       /* [m] closest points from the centres of mass */
    double value;    /* [J] of the barrier, without the factor for parallel edges */
    double first;    /* [N] d value/d gap <= 0 */
    double second;   /* [N/m] */
    edge_mollifier parallel; /* turn in world axes */
} barrier_contact;

/* Friction of a contact with normal force and tangent plane of an earlier iterate. */
typedef struct lagged_friction {
    int pair;
    double bound; /* [N] mu times the normal force */
    v3 tangent[2];
    v3 arm_b[2]; /* [m] material points in body axes */
} lagged_friction;

typedef struct step_counts {
    int bounces;
    int iterations, lags, backtracks, not_converged, lag_limits, shifts;
    double least_alpha;
    double last_speed; /* [m/s] of the last twist of a solve */
    sweep_counts swept;
    long distances;
} step_counts;

typedef struct barrier_work {
    const carom_model *model;
    const barrier_options *options;
    carom_arena arena;
    carom_status failure; /* CAROM_NO_MEMORY while evaluating */

    double h;         /* [s] of the step */
    double tolerance; /* [m/s] */
    double stick_width; /* [m] slip in a step below which friction is smoothed */
    double lightest;  /* [kg] */
    moving_body *bodies;
    int node_count;

    near_search *near;
    double *margin;        /* collider_count: of the broad phase */
    body_pose *near_begin; /* body_count: where the broad phase saw them */
    double *ranges;        /* collider_count: [m] */
    const surface **surfaces; /* collider_count */
    barrier_pair *pairs;   /* ascending by a, b */
    int pair_count;
    size_t pair_capacity;
    bool paired; /* pairs were found for the present poses */

    barrier_contact *contacts;
    int contact_count;
    size_t contact_capacity;
    lagged_friction *frictions;
    int friction_count;
    size_t friction_capacity;
    bool backtracked; /* the last line search: friction is taken by its upper bound */

    int blockers[2]; /* bodies that ended the last sweep; -1: none */

    block_system *system;
    int *node_sizes;   /* of bodies, then of rows */
    bool *node_is_row; /* likewise */
    int (*edges)[2];
    int edge_count;
    size_t edge_capacity;
    m3 *virial;       /* body_count: sums of forces times arms */
    double *gradient; /* unknowns of the bodies */
    double *x;        /* unknowns of bodies and rows: the solution */

    body_rate *reached;     /* body_count: accelerations of the step */
    carom_scratch *scratch; /* where joints and forces are evaluated, during a step */
    double t_end;           /* [s] */
    bool has_elements;      /* forces besides gravity */
    double *applied;        /* unknowns of the bodies: [N, N m] forces at the iterate */
    double *applied_from;   /* where the line search begins */
    int row_node_count;     /* joints and couplers with rows */
    struct row_node *row_nodes; /* row_node_count */
    double *lambda;       /* row_count: [N or N m] of the last solve */
    double joint_tolerance; /* [m or rad] residuals are closed to */

    step_counts counts;

    /* Where a state stands. */
    struct pair_push *pushes; /* pair_count */
    size_t push_capacity;
    body_rate *ending; /* body_count: velocities at the end of the step */
    bool stepping; /* evaluations belong to a step that is on its way */
    contact_records records;
    contact_totals totals;
    contact_points points;
} barrier_work;

/* ---- workspace.c ------------------------------------------------------------------------------------------------------------ */

/* Tolerance and width of friction of steps of h. */
void set_tolerances(barrier_work *w);

/* ---- inertia.c: the incremental potential of bodies ------------------------------------------------------------------------ */

/* [m |x - x_goal|^2 + tr((R - R_goal) J (R - R_goal)')] / (2 h^2): goals, derivatives by the twist at the iterate, and the
 * change since the line search began, without the cancellation of a difference. */
void inertia_begin(barrier_work *w, const carom_state *s);
void inertia_add(barrier_work *w);
double inertia_change(const barrier_work *w);
double inertia_value(const barrier_work *w);

/* Places bodies at a part of their way. */
void bodies_move(barrier_work *w, double alpha);
void bodies_keep(barrier_work *w);

/* The velocity with which a body has come to the iterate. */
body_rate bodies_rate(const barrier_work *w, int body);

/* ---- pairs.c: which surfaces are near -------------------------------------------------------------------------------------- */

/* Pairs whose surfaces may come within range, for the present poses. False when memory runs out. */
bool pairs_find(barrier_work *w);

void pairs_free(barrier_work *w);

/* Sets the stiffness of each barrier by the load of the step; of contacts that last it never falls. */
void pairs_stiffen(barrier_work *w, const contact_records *records);

/* The stiffness that records remember; others as their bodies move. */
void pairs_recall(barrier_work *w, const contact_records *records);

/* Records of pairs that touch. False when memory runs out. */
bool pairs_remember(const barrier_work *w, contact_records *records);

/* Whether there is friction in any pair that touches. */
bool pairs_rub(const barrier_work *w);

/* The part of the twists of all bodies that is free of collisions, at most 1; -1 when memory runs out. */
double pairs_sweep(barrier_work *w);

/* Renews the list of a pair where the surfaces have moved too far, and follows their motion. False when memory runs out. */
bool pair_follow(barrier_work *w, barrier_pair *p, const surface_pair *now);

surface_place collider_place(const barrier_work *w, int index);

/* ---- contacts.c: barriers -------------------------------------------------------------------------------------------------- */

/* All contacts at the iterate; their energy [J], infinite where a gap is not positive. */
double contacts_evaluate(barrier_work *w);
void contacts_add(barrier_work *w);

/* [m] infinite: none. */
double contacts_least_gap(const barrier_work *w);

/* ---- friction.c ------------------------------------------------------------------------------------------------------------ */

bool friction_lag(barrier_work *w);
double friction_value(const barrier_work *w);
void friction_add(barrier_work *w);

/* Friction at a slip speed, by its bound and the speed [s/m]. */
double friction_per_speed(const barrier_work *w, double speed);

/* ---- applied.c: applied forces ---------------------------------------------------------------------------------------------- */

void applied_evaluate(barrier_work *w);
void applied_add(barrier_work *w);
double applied_change(const barrier_work *w);

/* ---- joints.c: rows of joints, drivers and couplers in the Newton system ---------------------------------------------------- */

/* A joint or coupler: its rows are a node of the system. */
typedef struct row_node {
    int joint;   /* or -1: */
    int coupler;
    int first_row, row_count;
    int body_count;
    int bodies[4];
    int edges[4]; /* of the system; -1: the body is no node */
} row_node;

void joints_create(barrier_work *w);

/* Residuals and rows at the iterate. Returns the largest residual [m or rad]. */
double joints_evaluate(barrier_work *w);

/* Edges between bodies and rows, after those between bodies. */
int joints_edges(barrier_work *w, int (*edges)[2], int first);
void joints_add(barrier_work *w);

/* Puts -C into the right-hand side, and takes the multipliers out of the solution. */
void joints_set_residual(const barrier_work *w, double *x);
void joints_take_multipliers(barrier_work *w, const double *x);

/* ---- restitution.c ---------------------------------------------------------------------------------------------------------- */

/* Sums over the contacts of a pair. */
typedef struct pair_push {
    double weight;   /* [N] sum of normal forces */
    v3 impulse;      /* [N s] on A in this step */
    v3 moment[2];    /* [N m s] about the centres of mass of A and of B, of the impulse on A and of that on B */
    double approach; /* [m/s] mean normal velocity with which the step would have begun without contact; negative: closing */
    double after;    /* [m/s] mean normal velocity at its end */
} pair_push;

/* Follows impacts over the step and changes the velocities at its end where compression is over. */
void restitution_apply(barrier_work *w);

/* ---- newton.c -------------------------------------------------------------------------------------------------------------- */

/* Minimises the incremental potential with the friction of the last lag. */
carom_status newton_solve(barrier_work *w, int *iterations, carom_error *err);

/* Adds to the gradient and the diagonal block of a body. */
double *gradient_of(barrier_work *w, int body); /* NULL: no node */
double *diagonal_of(barrier_work *w, int body);

/* The edge between two bodies, whose block has the rows of the lower node; -1: none. */
int edge_between(const barrier_work *w, int body_a, int body_b);

#endif
