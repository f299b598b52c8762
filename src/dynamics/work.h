/* Scratch: the workspace in which a model is evaluated at one point (t, poses, velocities).
 *
 * The order of evaluation is place -> constraints -> forces -> accelerations; each stage uses what the earlier ones
 * left here. Nothing in it survives as physics: dropping it between steps changes no bit of a result. */
#ifndef CAROM_DYNAMICS_WORK_H
#define CAROM_DYNAMICS_WORK_H

#include <carom/contact.h>
#include <carom/step.h>

#include "base/stop.h"
#include "dynamics/motion_clock.h"
#include "linalg/saddle.h"
#include "model/event_list.h"
#include "model/finding.h"
#include "model/model.h"
#include "model/state.h"

/* Counters and times of a run; differences are what a caller wants. */
typedef struct work_counters {
    long evaluations;
    double seconds_detection;   /* of contacts, and their forces */
    double processor_detection; /* [s] of processor time for the same, where asked for */
    double seconds_assembly;
    double seconds_solve;
    carom_search_counts searched; /* by detection */
} work_counters;

/* What a step goes back to when it is aborted (step.h). */
typedef struct kept_step {
    double *data;            /* the state's doubles; NULL: none kept yet */
    contact_records records; /* the state's */
    size_t findings;         /* how many there were, and how many of the step survive it */
} kept_step;

/* Room for Newton's method on what is integrated along (integrals.h). */
typedef struct integrals_room {
    double *x;        /* integral_count: right-hand side, then solution */
    double *jacobian; /* integral_count squared, row-major */
    double *matrix;   /* likewise */
} integrals_room;

struct carom_scratch {
    const carom_model *model;
    int threads;
    carom_arena arena;
    saddle *kkt;        /* [M J^T; J 0] */
    expr **expressions; /* one per value, NULL where it is none */
    void *integrator;   /* the integrator's own workspace */
    void (*integrator_free)(void *);
    work_counters counters;
    bool counts_processor; /* time of detection: a call to the system for every evaluation */

    /* The evaluation point, kinematic bodies filled in. */
    double t;
    body_pose *pose; /* body_count */
    body_rate *rate; /* body_count */
    double *q;       /* deform_count: deformation coordinates */
    double *q_dot;   /* deform_count */
    double *z;       /* integral_count: what is integrated along with the motion */
    double *z_dot;   /* integral_count: its rates, left by work_forces */
    integrals_room integrals;
    body_rate *prescribed;      /* body_count: accelerations of kinematic bodies, else zero */
    m3 *R_w;                    /* body_count */
    m3 *J_w;                    /* body_count: inertia in world axes */
    double **mass;              /* free_count: M of a body that deforms, width x width; NULL for rigid ones */
    double latest;              /* [s] tables are read no later than this: the near side of a jump */
    motion_clock *body_clock;   /* body_count: of kinematic bodies */
    motion_clock *driver_clock; /* row_count: of drivers' rows */
    double *near;               /* coordinate_count: to unwrap angles */
    double *coupler_offset;     /* coupler_count */
    double *input;              /* input_count: the state's */
    double *happened;           /* event_count: how often, by the state */

    /* Joints. */
    bool *uses_coordinates;            /* joint_count: the motion depends on this joint's coordinates */
    carom_joint_frames *frames;        /* joint_count */
    carom_joint_rows *rows;            /* joint_count: equations */
    carom_joint_rows *coordinate_rows; /* joint_count */
    double *coordinate;                /* coordinate_count */
    double *coordinate_rate;           /* coordinate_count */
    double *coordinate_jdot_v;         /* coordinate_count */
    double (*driver)[3];               /* row_count: value and two derivatives, drivers' rows only */
    double *C;                         /* row_count: position residual */
    double *C_dot;                     /* row_count: velocity residual */
    double *gamma;                     /* row_count: C_ddot = J a_free + gamma */

    /* Forces. */
    carom_force_frames *force_frames; /* force_count */
    carom_force_effect *effects;      /* force_count */
    double *measures;                 /* force_count x FORCE_MEASURES */
    double *f;                        /* column_count: applied and gyroscopic */
    double potential;                 /* [J] gravity, uniform and of fields */
    double elastic;                   /* [J] springs and stops */
    ledger_sums power;                /* rates of the ledger's sums */

    double *nodal_force;       /* deform_count: internal forces and weight on the coordinates of nodes */
    struct nodal_work **nodal; /* nodal_count */
    double *damping;           /* deform_count: forces of structural damping on coordinates with columns */
    double nodal_dissipation;  /* [W] by structural damping of all bodies that deform, part of power */

    void *contact;         /* workspace of the method's contact forces, or NULL */
    bool out_of_memory;    /* an evaluation could not find its contacts */
    carom_stop stop;       /* whether the caller wants it to end */
    event_list events;     /* of the last step, in any order until it has ended */
    finding_list findings; /* likewise */
    kept_step kept;
    carom_scratch *eyes; /* looks for events of the scene (sim/scene_events.h); NULL: none yet */
    carom_state *before; /* where the step began, while they are looked for */
    int stopped_by;      /* event of the scene that ends the run in the last step; CAROM_NONE */
    int event_stalls;    /* steps in a row that such events cut to nothing */
    carom_state *given;  /* the state as the caller of a step gave it (sim/start.h); NULL: none kept yet */

    /* Where the last carom_step has ended; of a run they are not kept. */
    carom_contact_point *contacts;
    size_t contact_count, contact_capacity;
    void *watch; /* what carom_step remembers of the last one; see sim/step_found.c */
    void (*watch_free)(void *);

    /* Right-hand sides and solutions. */
    int *row_order;          /* row_count: for the rank */
    double *x;               /* column_count */
    double *row_columns;     /* deform_count: a row on the coordinates of one body, while it is multiplied */
    double *y;               /* row_count */
    body_rate *acceleration; /* body_count */
    double *q_ddot;          /* deform_count */
    double *sigma;           /* row_count */

    /* The last step, for dense output. */
    struct dense_step *dense;
    motion trial; /* being tried, or seen by an observer */
};

/* The evaluation point. */
static inline motion work_motion(const carom_scratch *w)
{
    return (motion){ w->pose, w->rate, w->q, w->q_dot, w->z };
}

static inline body_frame work_frame(const carom_scratch *w, int body)
{
    return (body_frame){ w->pose[body], w->rate[body], w->R_w[body] };
}

/* ---- evaluation, in this order --------------------------------------------------------------------------------- */

/* Takes the point; kinematic bodies are put where their motion says, rotation matrices and inertias follow. */
void work_place(carom_scratch *w, double t, motion at);

/* Where the motion of a kinematic body has it at t, with its velocity and acceleration. */
void work_kinematic(carom_scratch *w, double t, int body, body_pose *pose, body_rate *rate, body_rate *acceleration);

/* What driver d of a joint asks of its coordinate at t: value and two derivatives. */
void work_driver(carom_scratch *w, int joint, int d, double t, double out[3]);

/* Markers, constraint residuals C and C_dot, Jacobian rows, gamma. */
void work_constraints(carom_scratch *w);

/* Only markers, residuals C and rows: what position iterations need. */
void work_positions(carom_scratch *w);

/* Coordinates of every joint, and their rates, whether the motion depends on them or not. */
void work_all_coordinates(carom_scratch *w);
void work_all_rates(carom_scratch *w);

/* Applied forces into f, energies, powers that do not depend on reactions. */
void work_forces(carom_scratch *w);

/* Lengths, extensions and the like of force elements, at the place and with the coordinates that are there. */
void work_measures(carom_scratch *w);

/* The name of a force, driven joint or kinematic body that has no finite value at the present point, or NULL. */
const char *work_not_finite(const carom_scratch *w);

/* Writes M and J into the solver and factors. */
carom_status work_factor(carom_scratch *w, carom_error *err);

/* Accelerations and multipliers of paper 1 (25): M a + J^T sigma = f, J a = -gamma; adds the power of reactions. */
void work_accelerations(carom_scratch *w);

/* Multipliers of least norm where constraints are redundant: reactions shared in the one way that is unique. */
void work_settle_reactions(carom_scratch *w);

/* The power and external impulse of the multipliers in w->sigma; part of work_accelerations. */
void work_count_reactions(carom_scratch *w);

/* Counts the time since `start` as assembly, but for what detection has counted since it stood at `detection`. */
void work_count_assembly(carom_scratch *w, double start, double detection);

/* CAROM_NO_MEMORY when the last work_forces could not hold its contacts; CAROM_INTERRUPTED when the caller wants an end. */
carom_status work_may_go_on(carom_scratch *w, carom_error *err);

/* CAROM_INTERRUPTED, with the time. */
carom_status work_interrupted(const carom_scratch *w, carom_error *err);

/* All of the above. */
carom_status work_evaluate(carom_scratch *w, double t, motion at, carom_error *err);

/* Write the masses, and the Jacobian, into a solver with the layout of work_layout. */
void work_write_mass(const carom_scratch *w, saddle *solver);
void work_write_rows(const carom_scratch *w, saddle *solver);

/* Largest entries of |C| and |C_dot|; rows of the worst. */
double work_position_error(const carom_scratch *w, int *row);
double work_velocity_error(const carom_scratch *w, int *row);

/* Kinetic energy and momenta of the point, and where a body has its centre of mass. */
double work_kinetic(const carom_scratch *w);
double work_mass_product(const carom_scratch *w, motion_rates x, motion_rates y); /* x M y at the point */
double work_body_kinetic(const carom_scratch *w, int body);
v3 work_center(const carom_scratch *w, int body);
void work_momentum(const carom_scratch *w, v3 *linear, v3 *angular);

/* out += scale * transpose(J) s, on the columns of free bodies. */
void work_add_reactions(const carom_scratch *w, double scale, const double *sigma, double *out);

/* ---- pieces shared by the files of this folder ------------------------------------------------------------------ */

/* Values: numbers, tables, expressions at the present point. */
void work_time_value(carom_scratch *w, int value, double t, double out[3]);
void work_force_values(carom_scratch *w, int force);
double work_expression_value(carom_scratch *w, int value);
double work_signal_kinematic(const carom_scratch *w, const signal_ref *ref);

/* Moves a pose along a displacement of its centre and a world rotation vector. */
static inline body_pose pose_moved(body_pose p, v3 dx, v3 theta_w)
{
    return (body_pose){ v3_add(p.x_w, dx), q_unit(q_mul(so3_exp(theta_w), p.q_wb)) };
}

/* The blocks of the saddle-point layout of M: one per joint, then one per coupler. Pairs may be added by the caller; where anything is
 * added to the blocks of bodies, `diagonals` must go. */
carom_status work_layout(const carom_scratch *w, carom_arena *arena, saddle_layout *out, carom_error *err);

/* Arguments of a public function: a scratch, and a state, of this model. The model is there, or for work_check may be NULL
 * as the others may. */
carom_status scratch_check(const char *function, const carom_model *model, const carom_scratch *scratch,
                           carom_error *err);
carom_status work_check(const char *function, const carom_model *model, const carom_state *state,
                        const carom_scratch *scratch, carom_error *err);

#endif
