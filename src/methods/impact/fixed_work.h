/* Fixed steps of the method "impact": the workspace, and the files that share it.
 *
 *     fixed_step.c     the step on a page: move, evaluate, contacts, impulses, ledger, records
 *     fixed_detect.c   contacts with gaps that may close within a step
 *     fixed_stops.c    stops and clearance of joints as contacts
 *     fixed_solve.c    islands, the contact problem of each, its solution
 *     fixed_joints.c   equations of joints and couplers, friction in joints
 *     fixed_books.c    the ledger
 *     fixed_events.c   events per pair of bodies
 *     fixed_seen.c     records of the state, points and totals that others see
 *     fixed_check.c    what fixed steps do not do */
#ifndef CAROM_METHODS_IMPACT_FIXED_WORK_H
#define CAROM_METHODS_IMPACT_FIXED_WORK_H

#include "collision/convex.h"
#include "collision/gap.h"
#include "contact/points.h"
#include "contact/totals.h"
#include "dynamics/leap.h"
#include "dynamics/step.h"
#include "methods/impact/options.h"
#include "model/near.h"
#include "nonsmooth/contact_solver.h"

/* Numbers of fixed steps, each with its reason. */
#define FIXED_COMPLIANCE 1e-6 /* of 1/m: makes forces unique; a contact creeps by 1e-6 g h under its own weight */
#define FIXED_JOINT_COMPLIANCE \
    1e-6 /* of the response of an equation: redundant joints are allowed; under weight they open by 1e-6 g h^2 */
#define FIXED_CREEP 5e-4 /* of g h: what the compliance of a contact may creep at most, half of what lifts it */
#define FIXED_LEAST_COMPLIANCE 1e-4 /* of the compliance: what such limits leave of it; forces stay unique */
#define FIXED_RECOVERY 1e-3         /* of g h: the speed at which tiny depths are lifted; 1e-10 J per kg and step */
#define FIXED_RELAXATION 0.2        /* of a depth per step, while slower than that */
#define FIXED_MARGIN 5e-3           /* of the smaller shape: gaps that are looked at in any case */
#define FIXED_BEYOND 20.0    /* depths that what has sunk into a notch may lie beyond the ends of its features */
#define FIXED_DEEP 1e-6      /* of the smaller shape: deeper positions are corrected; accurate */
#define FIXED_DEEP_FAST 1e-4 /* the same where sweeps solve */
#define FIXED_IMPACT 5.0     /* of g h: slower approaches have no restitution */
#define FIXED_SMALL 40       /* contacts of an island that `balanced` always solves exactly, whatever it takes */
#define FIXED_EXACT_MOST 150 /* of one that moves and that it solves exactly if Newton's method does */
#define FIXED_QUIET 5.0 /* of g h: slower islands are quiet, and `balanced` solves them exactly, whatever it takes */
#define FIXED_UNUSABLE 1e-2        /* residual above which an exact solve is no answer: the step is cut */
#define FIXED_SHORTEST 16.0        /* a step is cut to this part of it, then the run ends */
#define FIXED_SWEEP_TOLERANCE 1e-2 /* of the largest impulse */
#define FIXED_TOLERANCE 1e-8       /* of the speed scale: the residual of accurate solves */

typedef struct fixed_contact {
    int collider[2]; /* of a joint's stop or play: the number of colliders + the joint, and which of its limits */
    int joint;       /* CAROM_NONE: surfaces of bodies */
    int body[2];     /* A and B of the model; the normal points from B to A */
    uint32_t code;   /* which kind of features, then which */
    uint32_t feature, partner;
    const model_interaction *interaction; /* NULL: a stop */
    double mu, restitution;
    double
        couple; /* [m] stop of an angle: velocities are this times angular velocities, impulses act as couples; 0: at the point */
    v3 p_w, normal_w, tangent_w[2];
    double gap;           /* [m] */
    v3 impulse_w;         /* [N s] on A: a guess, then the answer */
    double before, after; /* [m/s] of the normal row, at both half steps */
    v3 slip_before, slip_after;
    double softest; /* [1/kg] largest compliance */
    double bounce;  /* [m/s] least speed after an impact; 0: none */
    bool sticks;
    bool was_pressed, was_sticking; /* in the step before */
} fixed_contact;

/* What the state remembers of a contact. */
typedef struct fixed_memory {
    int collider[2];
    uint32_t code, feature, partner;
    v3 force_w; /* [N] on A */
    v3 point_c; /* [m] in the frame of A's body */
    bool sticks, pressed;
    bool taken; /* by a contact of this step */
} fixed_memory;

/* How an island is solved. What is tried and not reached is left to sweeps, but for SOLVE_BY_ALL. */
typedef struct island_manner {
    bool exact; /* to the tolerance, not by sweeps alone */
    solve_effort effort;
    bool swept; /* what came of it: the answer is by sweeps */
} island_manner;

typedef struct fixed_island {
    int first_body, body_count; /* in the order of islands */
    int first_contact, contact_count;
    int first_joint, joint_count;
    island_manner manner;
    int halvings; /* of the restitution, until contacts gave no energy */
    solve_report report;
} fixed_island;

typedef struct fixed_work {
    const carom_model *model;
    const impact_options *options;
    carom_arena arena;
    near_search *near;
    placed_convex *placed; /* collider_count */
    bool *is_placed;
    double *margin; /* collider_count */
    gap_list features;

    fixed_contact *contacts;
    int contact_count;
    size_t contact_capacity;
    fixed_memory *memory; /* ascending */
    int memory_count;
    size_t memory_capacity;

    /* The problem, in the order of islands. */
    int *parent;  /* free_count: sets that grow together */
    int *place;   /* free_count: slot -> place */
    int *slot_at; /* free_count: place -> slot */
    problem_body *bodies;
    double *v, *v_free; /* 6 x free_count, by place */
    joint_equations *joints;
    int *joint_at;    /* place in `joints` -> element: a joint of the model, or the number of joints + a coupler */
    int *joint_place; /* element -> place */
    v3 *rub_force;    /* joint_count: [N] along its slip rows in the step before */
    carom_friction_state *rub_state; /* the same: whether it stuck */
    cone_contact *cones;
    size_t cone_capacity;
    int *cone_source; /* cone -> contact */
    size_t source_capacity;
    fixed_island *islands;
    int island_count;
    contact_solver **solvers; /* free_count: one for each island, kept with its analysis */

    /* The step. */
    leap_place place_in_step;
    double left;            /* [s] of a whole step behind the shorter one under way; 0: it is a whole one */
    double force_time;      /* [s] over which the impulses of the last kick act */
    body_rate *rate_before; /* body_count: the half step before */
    body_rate *rate_free;   /* body_count: without impulses */
    double work_after[ACCOUNT_COUNT];
    double deepest; /* [m] of the contacts found */
    int switches;

    contact_points points;
    contact_totals totals;
    bool stepping;
    bool load_failed;
} fixed_work;

extern const contact_forces fixed_forces;

double fixed_step_size(const carom_model *model);
double fixed_gravity(const carom_model *model); /* [m/s^2] */

/* Contacts at the poses in w whose gaps may close within h; impulses of the memory where they were before, over `kick` seconds. False when memory
 * runs out. */
bool fixed_find_contacts(fixed_work *fw, const carom_scratch *w, double h, double kick);

/* Stops and plays of joints, all of them: an impact may throw a link against any. False when memory runs out. */
bool fixed_add_stops(fixed_work *fw, const carom_scratch *w);
enum {
    CODE_MANIFOLD = 0,
    CODE_GAP = 1,
    CODE_STOP = 200,
    CODE_PLAY = 201
}; /* gap functions: CODE_GAP + 2 * kind + swapped */
bool fixed_add_contact(fixed_work *fw, const fixed_contact *c);
void fixed_memory_bodies(const fixed_work *fw, const fixed_memory *m, int body[2], int *joint);

/* Of body[0] against body[1] where they touch; of angles as arcs. */
v3 fixed_side_velocity(const carom_scratch *w, const body_rate *rate, const fixed_contact *c, int side);
v3 fixed_relative_velocity(const carom_scratch *w, const body_rate *rate, const fixed_contact *c);

/* The elements that hold bodies together: joints, then couplers. */
static inline int fixed_element_count(const carom_model *m)
{
    return m->joint_count + m->coupler_count;
}
int fixed_element_bodies(const carom_model *m, int element, int body[ELEMENT_ENDS]); /* that move; returns how many */
int fixed_element_row(const carom_model *m, int element);                            /* the first one */

/* Equations and friction of an element at the point in w; first_body is that of its island. */
void fixed_make_element(fixed_work *fw, carom_scratch *w, int element, int first_body, double h, double kick);

/* [m/s] of a slip row at these velocities, with what held bodies move. */
double fixed_row_velocity(const fixed_work *fw, const joint_equations *j, int element, int row,
                          const body_rate *rate);
bool fixed_rubs(const model_joint *joint);
carom_friction_state fixed_rub_state(const joint_equations *j); /* of the impulses found */

/* The order of pairs of bodies, or colliders. */
int fixed_compare_pairs(const int x[2], const int y[2]);

/* Impulses of all contacts and joints; w->rate become the velocities of the half step to come. */
carom_status fixed_solve_impulses(fixed_work *fw, carom_scratch *w, double h, double kick, carom_error *err);

/* Whether every island that is solved exactly came near enough to a solution; the pair that is farthest from one (false: in joints). */
bool fixed_is_usable(const fixed_work *fw);
bool fixed_worst_pair(const fixed_work *fw, int body[2], double *residual);
void fixed_note_reports(const fixed_work *fw, carom_scratch *w); /* of what is accepted: findings */

/* Pushes out of each other what is too deep: positions in w alone. False when memory runs out; *moved says whether anything did. */
bool fixed_correct_positions(fixed_work *fw, carom_scratch *w, double h, bool *moved);

void fixed_count_way(const carom_scratch *w, carom_state *s, double way);
/* [J] of rotation at the inertia and velocities in w: what it changes by along a way, numerics has done. */
double fixed_turning_energy(const carom_scratch *w);

/* A kick lies between a step of fw->place_in_step.h and one of h, and acts for `kick`. */
typedef struct kick_books {
    double h, kick; /* [s] */
    bool first;     /* there is no step before */
} kick_books;
void fixed_count_kick(fixed_work *fw, carom_scratch *w, const kick_books *b);

bool fixed_announce(fixed_work *fw, carom_scratch *w);

bool fixed_remember(fixed_work *fw, const carom_scratch *w, carom_state *s);
bool fixed_keep_place(const fixed_work *fw, carom_state *s); /* of a part of a step: contacts stay */
void fixed_load(fixed_work *fw, const carom_state *s);
void fixed_show_step(fixed_work *fw, const carom_scratch *w); /* the contacts of the step just made */
void fixed_make_points(fixed_work *fw,
                       const carom_scratch *w); /* those of the memory, found anew at the point in w */

carom_status fixed_check(const carom_model *model, const void *options, carom_error *err);
carom_status fixed_admit(const carom_state *state, carom_scratch *scratch, carom_error *err);

/* Whether a body's velocity is found, not given. */
static inline bool fixed_moves(const carom_model *m, int body)
{
    return m->bodies[body].slot >= 0;
}

#endif
