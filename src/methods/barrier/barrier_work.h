/* The workspace of the method: bodies on their way through a step, pairs that are near, islands that are solved one by one. */
#ifndef CAROM_METHODS_BARRIER_BARRIER_WORK_H
#define CAROM_METHODS_BARRIER_BARRIER_WORK_H

#include "collision/surface_pieces.h"
#include "contact/points.h"
#include "dynamics/contact.h"
#include "elements/joints/joint.h"
#include "linalg/block_system.h"
#include "model/method.h"
#include "model/near.h"

typedef struct barrier_options {
    double stick_speed; /* [m/s] below which friction is smoothed; 0: by the range */
    double tolerance;   /* [m/s] of a solve; 0: by range and stick speed */
    int lags;           /* most solves of a step with renewed friction */
    int iterations;     /* most Newton iterations of a solve */
    int blocked;        /* blocked_motion: what a prescribed motion does that has no way */
} barrier_options;

typedef enum blocked_motion { BLOCKED_STOP, BLOCKED_WAIT } blocked_motion;

enum { COLUMNS = FRAME_COLUMNS, BLOCK = FRAME_COLUMNS * FRAME_COLUMNS };

typedef double twist_matrix[TWIST_PAIR][TWIST_PAIR];

/* A body on its way through a step. */
typedef struct moving_body {
    bool free, kinematic;
    int island; /* -1: in none, it does not move */
    int node;   /* of its island's Newton system; -1: its twist is given */
    double mass;
    m3 inertia_b;        /* [kg m^2] body axes */
    double least_moment; /* [kg m^2] of inertia about any axis through the centre of mass */
    m3 J_b;              /* [kg m^2] tr(I)/2 1 - I */
    double reach;        /* [m] from the centre of mass to the farthest point of its surfaces */

    /* The step: velocities at its end are those against a reference, (x - x_ref) / h_rate. Of implicit Euler that is where the
     * step begins, of BDF2 what it extrapolates. */
    body_pose begin;
    body_rate rate;     /* with which it begins, */
    body_rate change;   /* and by which it has changed in the step before; zero where that is not known */
    v3 spin;            /* [kg m^2/s] angular momentum at the end without torques */
    double h_rate;      /* [s] */
    double inertia_per; /* [1/s^2] 1 / h_rate^2 */
    v3 x_ref;
    m3 R_ref;    /* no rotation */
    v3 turn_ref; /* [rad] the reference, as a turn from where the step begins */
    v3 x_goal;   /* where it would be at the end without forces: the incremental potential is least there */
    m3 R_goal;
    body_pose end; /* of a kinematic body: where its motion has it at the end of the step */
    v3 free_way;   /* [m] what its centre does in a step if nothing holds it */

    body_pose at; /* the iterate */
    m3 R;
    body_pose from; /* where the line search begins */
    m3 R_from;
    body_pose lagged; /* where the solve with lagged friction has ended, */
    body_pose stage;  /* and the last one with friction that follows the iterate */
    twist aim;        /* the direction of the line search */
    body_pose leg;    /* where the present motion begins: the line search, or the way back to the joints */
    twist d;          /* its twist */
    double way;       /* [m] no point moves farther by it */
    double pressed;   /* [N] sum of the sizes of its contact forces */
    double twisted;   /* [N m] likewise of torques of stops */

    double room;  /* [m] no point may leave the step's beginning farther before more pairs are looked for */
    bool settled; /* its island is solved */
    bool touches; /* something, where the solve begins */
    bool upset;   /* what touches it has changed: the step is one of implicit Euler */

    /* The broad phase knows all pairs while the body stays so near to where it saw it. */
    body_pose seen;
    double seen_room; /* [m] */
} moving_body;

/* Nothing moves it: what would act on it, and how it would give way, need not be known. */
static inline bool body_stays(const moving_body *b)
{
    return !b->free && !b->kinematic;
}

/* Whether a pair that touches is being compressed by an impact, that has just ended or is long over, or it was sent apart. */
typedef enum impact_phase { IMPACT_NONE, IMPACT_COMPRESSION, IMPACT_ENDED, IMPACT_OVER, IMPACT_LEAVING } impact_phase;

typedef struct barrier_contact {
    int item;   /* of its pair's list */
    int times;  /* equal ones that it stands for; less than none beside a corner of a face that turns inwards */
    double gap; /* [m] distance less roundings and separation */
    v3 normal;  /* unit, from B to A, world axes */
    v3 arm[2];  /* [m] closest points of the skeletons from the centres of mass */
    double rounding[2];      /* [m] radius around each */
    double value;            /* [J] of the barrier, without the factor for parallel edges */
    double first;            /* [N] d value/d gap <= 0 */
    double second;           /* [N/m] */
    double foreseen[2];      /* [N], [N/m] both where the twists lead, the first carried back to the present gap */
    edge_mollifier parallel; /* shift in world axes */
    v3 turn[2];              /* of its factor, about the centres of mass of A and of B */

    int key_side, slides; /* by which equals are found (contacts.c) */
    v3 own[2];            /* [m] closest points in the axes of B */
} barrier_contact;

/* Friction of a contact with normal force and tangent plane of an earlier iterate. */
typedef struct lagged_friction {
    feature_pair features;
    double whole; /* [N] mu times the normal force, */
    double bound; /* [N] and what counts of it */
    v3 tangent[2];
    v3 arm_b[2];        /* [m] material points in body axes */
    v3 began[2];        /* [m] the same in world axes, at the reference of velocities */
    double foreseen[2]; /* [m] slip along the tangents where the twists lead */
} lagged_friction;

/* The part of the derivative of a pair's friction that is not symmetric, where friction follows the iterate. */
typedef struct friction_coupling {
    int pair;
    int node[2];                      /* of A and B; -1: none */
    double K[TWIST_PAIR][TWIST_PAIR]; /* gradient on A and on B, by the twists of A and of B */
} friction_coupling;

typedef double twist_matrix[TWIST_PAIR][TWIST_PAIR]; /* of A, then of B */

/* What a pair adds to the Newton system: gradient and blocks of A, of B, and between them (rows of A). */
typedef struct pair_terms {
    double gradient[2][COLUMNS];
    double own[2][BLOCK];
    double cross[BLOCK];
    m3 virial[2];   /* sums of forces times arms */
    double pressed; /* [N] sum of normal forces */

    twist_matrix curvature; /* of the surfaces: what is wanted of it */
} pair_terms;

/* Sums over the contacts of a pair. */
typedef struct pair_push {
    double weight; /* [N] sum of normal forces */
    v3 impulse;    /* [N s] on A in this step */
    v3 moment[2];  /* [N m s] about the centres of mass of A and of B, of the impulse on A and of that on B */
    double
        approach; /* [m/s] mean normal velocity with which the step would have begun without contact; negative: closing */
    double before; /* [m/s] the same when it began */
    double after;  /* [m/s] mean normal velocity at its end */
} pair_push;

/* The contact of a pair with the least gap. */
typedef struct near_contact {
    bool any;
    feature_pair features;
    double gap;  /* [m] */
    double rate; /* [m] its change along the twists, to first order */
} near_contact;

/* Features of two surfaces that were near each other where A stood at (R, c) in the axes of B. */
typedef struct near_features {
    bool made;
    double holds; /* [m] surfaces may come nearer by this before others are in reach */
    m3 R;
    v3 c;
    near_list list;
} near_features;

/* Two colliders that are near each other. */
typedef struct barrier_pair {
    int a, b;    /* colliders, a < b */
    int body[2]; /* theirs */
    const model_interaction *interaction;
    double range;      /* [m] of the barrier */
    double separation; /* [m] least distance */
    double
        reach; /* [m] centres of mass that are farther apart leave a gap of the difference; infinite: a half-space */
    double kappa;  /* [N/m] stiffness of the barrier */
    double loaded; /* [N/m] what the load of the step asks for */
    double fitted; /* [N/m] with which the step begins */
    double grown;  /* that of a pair that touched, over what it was when the step before ended */
    double mu, mu_static;
    int raised;       /* times the stiffness was doubled in this step */
    double found_gap; /* [m] least when the step began; infinite: beyond the range */
    bool squeezed;    /* nearly shut, and a stiffer barrier did not change that: */
    double unraised;  /* [N/m] what it had before */
    double begin_gap; /* over the range, when the step began; infinite: beyond it */
    bool active;      /* its surfaces may come within range while bodies stay in their rooms */
    bool fresh;       /* was not active when its island was last solved */
    bool touched;     /* when the step began */
    bool
        carries; /* within range since the step began, or an impact has just ended: no more than its load is pushed */

    near_features near;    /* within range + separation + slack when the list was made */
    near_features farther; /* as far as twists may lead (foresight.c) */
    double slack;          /* [m] */
    double *keys; /* near.list.count: distance + `path` when it was last computed: a bound on what it is now */
    size_t key_capacity;
    double path; /* [m] sum of relative motions so far */
    m3 R_seen;   /* at the last evaluation */
    v3 c_seen;

    double gone;  /* [m] no point has moved farther since the list was made, */
    double least; /* [m] and no gap of the list is smaller, where bodies are known: */

    bool known;                /* contacts are those of: */
    body_pose known_at[2];     /* both bodies */
    double known_kappa;        /* [N/m] and their forces are of this stiffness */
    bool shut;                 /* a gap is not positive */
    barrier_contact *contacts; /* at the iterate */
    int contact_count;
    size_t contact_capacity;
    piece_candidate *pieces; /* near ones of one flat face beside one vertex, or of two lines */
    int piece_count;
    size_t piece_capacity;
    piece_term *piece_terms;
    size_t piece_term_capacity;
    int *table; /* of contacts by their vertices */
    size_t table_capacity, table_mask;
    barrier_contact *ahead; /* out of range, and the twists lead there (foresight.c) */
    int ahead_count;
    size_t ahead_capacity;
    double foreseen
        [2]; /* [N] sums over its contacts: by how much the forces of the quadratic model are off, and their sizes */
    lagged_friction *frictions;
    int friction_count, fresh_frictions;
    int kept_frictions; /* lagged ones, while the others follow the iterate */
    size_t friction_capacity;
    near_contact nearest; /* where the line search begins */
    double softness;      /* of its friction: the stick speed is larger by this part of it */
    double lag_speed;     /* [m/s] what the last renewal of its friction changes velocities by */
    double energy;        /* [J] of the barrier at the iterate; infinite: a gap is not positive */
    double rubbing;       /* [J] of friction's potential there */
    double free_part;     /* of the last sweep */
    sweep_counts swept;
    long distances;
    bool no_memory;

    /* Of an impact: what is remembered while it lasts (restitution.c). */
    impact_phase impact;
    double approach; /* [m/s] normal velocity before it, negative */

    bool releasing, bounced; /* compression has ended in this step; and the pair was sent apart */
    pair_push push;          /* of the step */
    double gain, share;      /* normal velocity by the impulses of the step; the part of them that is given back */
    double returned;         /* [N s] that has sent the pair apart at the end of the step */

    bool edged;        /* the Newton system knows that they are near */
    int edge;          /* of the system between its bodies; -1: one of them is no node */
    pair_terms *terms; /* one, where there is a contact or has been */
    size_t term_capacity;
} barrier_pair;

/* What tells at a glance that a pair is far apart: most pairs of an island are, and are never looked at. */
typedef struct pair_bound {
    int body[2];
    double reach, range; /* [m] of the pair */
    bool quiet;          /* it has no contacts and no friction */
} pair_bound;

/* A limit of a joint coordinate as a barrier (stops.c). */
typedef struct barrier_stop {
    int joint, coordinate; /* of the joint */
    double sign;           /* 1: a least value, -1: a largest one */
    double limit;          /* [m or rad] */
    double range;          /* [m or rad] */
    double kappa;          /* [N/m or N m/rad] */
    double restitution;
    double gap;       /* [m or rad] at the iterate */
    double begin_gap; /* [m or rad] when the step began */
    double value, first, second;

    bool touched;        /* when the step began */
    impact_phase impact; /* as of a pair: what is remembered while it lasts */
    double approach;     /* [m/s or rad/s] with which it has come to the limit, negative */
    double began;        /* [m/s or rad/s] at which it leaves the limit when the step begins */
} barrier_stop;

/* Dry friction in a joint, with loads and directions of an earlier iterate (joint_friction.c). */
typedef struct joint_rub {
    int joint;
    int dim;                   /* rows of slip, of B against A */
    double bound;              /* [N] mu times the load of the bearing */
    v3 arm_b[2];               /* [m] material points of A and of B that lie together, in body axes */
    v3 along[JOINT_SLIP];      /* what slip takes of their relative motion, world axes */
    v3 turning[2][JOINT_SLIP]; /* [m] what it takes of the turns of A and of B */
} joint_rub;

typedef struct step_counts {
    int iterations, lags, backtracks, not_converged, lag_limits, shifts, raised, damped, rounds, bounces;
    double last_speed; /* [m/s] of the last twist of a solve that ended before its tolerance, */
    double tolerance;  /* [m/s] which is this */
} step_counts;

/* What a Hessian has of the curvature of surfaces: none, as Gauss and Newton have it; what is positive of it, pair by pair; all. */
typedef enum hessian_curvature { CURVATURE_NONE, CURVATURE_POSITIVE, CURVATURE_WHOLE } hessian_curvature;

typedef enum island_outcome {
    ISLAND_OPEN, /* not solved yet */
    ISLAND_SOLVED,
    ISLAND_CONFINED, /* a body has to leave its room: more pairs have to be known first */
    ISLAND_BLOCKED,  /* a prescribed motion has no way, and may wait */
    ISLAND_FAILED,   /* status and message in `status`, `error` */
} island_outcome;

/* Bodies that may touch each other in this step, or are joined: solved together, and apart from all others. */
typedef struct island {
    int body_count;
    int *bodies; /* free ones and those whose motion is given */
    size_t body_capacity;
    int pair_count;
    int *pairs;
    size_t pair_capacity;
    pair_bound *bounds; /* pair_count */
    size_t bound_capacity;
    int *near; /* of its pairs, those that may have contacts or friction at the iterate; ascending */
    int near_count;
    size_t near_room;
    int *swept; /* likewise those that may meet on their way */
    int swept_count;
    size_t swept_room;
    bool mechanism;   /* has the joints and the applied forces of the model */
    bool rubs;        /* friction may act between some of its bodies */
    bool plain;       /* all its bodies take a step of implicit Euler */
    double tolerance; /* [m/s] */
    int threads;
    bool watched; /* the caller may be asked whether to go on */

    island_outcome outcome;
    carom_status status;
    carom_error error;
    step_counts counts;

    block_system *system;
    int node_count, row_node_count;
    int *node_sizes; /* of bodies, then of rows */
    bool *node_is_row;
    size_t node_capacity, is_row_capacity;
    int (*edges)[2];
    int edge_count;
    size_t edge_capacity;
    double *gradient;       /* unknowns of the bodies */
    double *x;              /* unknowns of bodies and rows: the solution */
    double *last_x;         /* likewise of the iteration before */
    double *plain_x;        /* unknowns of bodies and rows: the solution without foresight, */
    double *plain_gradient; /* and the gradient: unknowns of the bodies */
    double *applied;        /* unknowns of the bodies: [N, N m] forces at the iterate */
    double *applied_from;   /* where the line search begins */
    block_system *exact;    /* NULL: not needed yet; with implicit friction all of the Hessian, positive or not */
    friction_coupling *couplings;
    int coupling_count;
    size_t coupling_capacity;
    double lag_speed; /* [m/s] most that the last renewal of friction changes the velocities of a pair by */
    double follows;   /* the part of friction that follows the iterate; the rest is lagged */
    double *coupled;  /* memory of a solve with implicit friction */
    size_t coupled_capacity;
    size_t plain_x_capacity, plain_gradient_capacity;
    size_t gradient_capacity, x_capacity, last_x_capacity, applied_capacity, applied_from_capacity;

    double damping;              /* inertia that is added to the Hessian, over that of the bodies */
    bool shifted;                /* the last Hessian was positive definite only with a shift, which shortens twists */
    bool driven;                 /* joints are open: drivers lead bodies on */
    bool hasty;                  /* friction is going to change: the solve need not be exact, */
    bool tight;                  /* and is */
    bool foresees;               /* the quadratic model has contacts where the last twists lead */
    bool blind;                  /* foresight has failed in this solve */
    bool full;                   /* the curvature of surfaces is wanted in the Hessian */
    hessian_curvature curvature; /* what it has of it */
    bool backtracked;            /* the last line search: friction is taken by its upper bound */
    bool joined_edges;           /* the pattern has edges between joined bodies, for the curvature of joints */
    int blockers[2];             /* bodies that ended the last sweep; -1: none */
    double left;                 /* [m or rad] of prescribed motions when they were blocked */
} island;

/* A prescribed motion, of a kinematic body or of a driver (waits.c). */
typedef struct given_motion {
    int body;       /* -1: of a driver, */
    int joint, row; /* of this joint, with this row */
    double begin;   /* [s] own time when the step begins */
    double part;    /* of the step by which its own time goes on; 1: it does not wait */
    double rest;    /* what is left of its way in this step, as a part of it */
    double reached; /* the part that it had gone when gaps were still wide enough to stay there */
    int tries;      /* times it was held in this step */
} given_motion;

/* What the scratch has of the mechanism (mechanism.c). */
typedef enum mechanism_sight { MECHANISM_UNKNOWN, MECHANISM_POSITIONS, MECHANISM_MOTION } mechanism_sight;

typedef struct barrier_work {
    const carom_model *model;
    const barrier_options *options;
    carom_scratch *scratch; /* where joints and forces are evaluated, during a step */
    carom_arena arena;
    int threads;
    bool second_order; /* BDF2, */
    bool has_history;  /* with a step of the same size before this one */

    double whole_step; /* [s] that the scene asks for; */
    double h;          /* [s] of the step */
    double t_end;      /* [s] */
    double lightest;   /* [kg] */
    moving_body *bodies;

    near_search *near;
    double *margin;           /* collider_count: of the broad phase */
    body_pose *poses;         /* body_count: for the broad phase */
    double *ranges;           /* collider_count: [m] by the size of shapes; infinite: a plane has none */
    double range_least;       /* [m] smallest of all pairs; */
    double range_given;       /* [m] largest that the scene gives; 0: none */
    double range_most;        /* [m] largest of all pairs; */
    double separation_most;   /* [m] likewise */
    const surface **surfaces; /* collider_count */
    m3 *R_c;                  /* collider_count: axes of the shape in those of its body */
    bool *upright;            /* collider_count: which are the same */
    barrier_pair *pairs;      /* ascending by a, b */
    int pair_count;
    bool paired; /* pairs were found, and hold while bodies stay near where they were seen */

    int *parent; /* body_count: of the sets that become islands */
    int *open;   /* 2 body_count: islands to be solved */
    island *islands;
    int island_count, island_capacity;

    bool has_elements;  /* forces besides gravity, springs of joints */
    bool *in_mechanism; /* body_count */
    mechanism_sight mechanism_has;
    body_pose *mechanism_at;    /* body_count: with the bodies of its island here */
    m3 *virial;                 /* body_count */
    struct row_node *row_nodes; /* joints and couplers with rows */
    int row_node_count;
    double *lambda;         /* row_count: [N or N m] at the iterate */
    double *lambda_from;    /* row_count: where the line search begins */
    double joint_tolerance; /* [m or rad] residuals are closed to */
    barrier_stop *stops;
    int stop_count;

    joint_rub *rubs;       /* of the last solve, */
    joint_rub *fresh_rubs; /* and as the iterate has them */
    int rub_count;

    given_motion *motions; /* bodies, then drivers */
    int motion_count;

    step_counts counts;
    body_rate *ending;   /* body_count: velocities at the end of the step */
    body_rate *response; /* body_count */
    body_rate *before;   /* body_count: velocities before impacts give back */
    bool *struck;        /* body_count: in an impact that goes on */
    double *held;        /* body_count: [J] kinetic energy before the impact that it is in; negative: in none */
    bool *restarts;      /* body_count: takes a step of implicit Euler next */
    double impact_loss;  /* [J] of the step */

    /* Where a state stands (seen.c). */
    bool stepping; /* evaluations belong to a step that is on its way */
    bool no_memory;
    bool moved_last;      /* what bodies have done in the last step is known: */
    body_rate *last_move; /* body_count: displacement and turn */
    bool current;         /* contacts at the present poses are known */
    contact_records records;
    contact_totals totals;
    contact_points points;
} barrier_work;

#endif
