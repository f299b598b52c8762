/* Advancing a state: scratch, assembly of consistent initial conditions, the step, and what can be observed.
 *
 * Functions that take model, state and scratch refuse a state or a scratch of another model; err may be NULL, everything
 * else only where it is said.
 *
 * Threads: a scratch is used by one thread at a time. Threads that advance states of one model have a scratch each; a
 * scratch made for several threads makes them itself while a call lasts. */
#ifndef CAROM_STEP_H
#define CAROM_STEP_H

#include <carom/state.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_scratch carom_scratch;

/* Work space of one run; may be thrown away between steps without changing a bit of the result. Belongs to this very model
 * and keeps its memory. threads: 0 (one) to 4096. */
CAROM_API carom_status carom_scratch_create(const carom_model *model, int threads, carom_scratch **out,
                                            carom_error *err);
CAROM_API void carom_scratch_destroy(carom_scratch *scratch); /* NULL: nothing */

/* From now on whatever works with this scratch asks keep_going (NULL: nobody) some fifty times a second, on the thread of
 * the call, wherever it may take long: within steps, impacts, assembly. False ends the call soon with CAROM_INTERRUPTED
 * and the state as it was before. scratch NULL: nothing happens. */
typedef bool (*carom_keep_going)(void *context);
CAROM_API void carom_scratch_watch(carom_scratch *scratch, carom_keep_going keep_going, void *context);

/* What the scene's time section comes to. */
typedef struct carom_integration {
    const char *integrator; /* as scenes spell it */
    bool adaptive;
    double step;      /* [s] the fixed step, or the largest */
    double tolerance; /* relative local error of an adaptive integrator */
} carom_integration;
CAROM_API carom_integration carom_model_integration(const carom_model *model); /* NULL: zeros */

/* Begins a run: makes positions satisfy the constraints and velocities their rates, moving bodies as little as possible
 * (in the metric of their masses); fixes the constants of gears, and starts turns and ledger at zero. CAROM_IMPOSSIBLE
 * with the worst joint when there is no such configuration nearby. report may be NULL. */
typedef struct carom_assembly {
    double position_error;  /* largest residual before [m or rad] */
    double position_change; /* largest displacement made [m] */
    double velocity_error;  /* largest rate before */
    int iterations;
} carom_assembly;
CAROM_API carom_status carom_assemble(const carom_model *model, carom_state *state, carom_scratch *scratch,
                                      carom_assembly *report, carom_error *err);

typedef struct carom_step_report {
    double dt;          /* [s] advanced */
    double next;        /* [s] step the integrator would like next */
    int iterations;     /* Newton iterations */
    int evaluations;    /* of the right-hand side */
    int rejected;       /* attempts thrown away by error control */
    int contacts;       /* touching points at the end */
    double penetration; /* [m] deepest at the end */
    double distance;    /* [m] smallest gap the method has looked at, negative: penetration; infinite: none */
    int fallbacks; /* times a solver took the nearest answer, gave up or cut short: carom_step_findings in trust.h */
    int switches;  /* contact constraints that came or went, node by node; of methods that count them */
    int waiting;   /* prescribed motions that were held because something is in their way */
} carom_step_report;

/* Advance by at most dt [s], finite and above zero. On any status but CAROM_OK the state is exactly as it was. report may
 * be NULL. What happened and what touches: carom_step_events and carom_step_contacts in contact.h. */
CAROM_API carom_status carom_step(const carom_model *model, carom_state *state, carom_scratch *scratch, double dt,
                                  carom_step_report *report, carom_error *err);

/* Steps until the state is at `until` [s], finite; nothing happens where it is there or beyond. Returns CAROM_OK before, between
 * two steps, when wall_limit [s] of wall time has passed, though not without a step; 0: no limit. On any other status the
 * state is the last one that was reached. carom_step_events then has the events of all its steps, carom_step_contacts those
 * of the last. */
CAROM_API carom_status carom_advance(const carom_model *model, carom_state *state, carom_scratch *scratch,
                                     double until, double wall_limit, carom_error *err);

/* The ledger at the present state. Energies in J, work since the start in J. */
typedef struct carom_ledger {
    double kinetic;
    double potential; /* gravity */
    double elastic;   /* springs and stops */
    double work_motors, work_loads, work_motion;
    double lost_damping, lost_drag, lost_stops, lost_friction, lost_contact, lost_impact, lost_numerics,
        lost_handover;
    double residue;            /* energy that appeared (+) or vanished (-) by numerics alone */
    carom_v3 momentum;         /* [kg m/s] */
    carom_v3 angular_momentum; /* [kg m^2/s] about the world origin */
    carom_v3 momentum_residue; /* change not explained by external impulse */
    carom_v3 angular_momentum_residue;
    double position_error; /* largest constraint residual [m or rad] */
    double velocity_error; /* largest constraint rate [m/s or rad/s] */
} carom_ledger;
CAROM_API carom_status carom_observe_ledger(const carom_model *model, const carom_state *state,
                                            carom_scratch *scratch, carom_ledger *out, carom_error *err);

/* Value of a signal ("crank.angle", "rod.position.x", "energy.kinetic", "hinge.force.y") at the present state. Each
 * call evaluates the whole model: for many there are observers (observe.h). An unknown name is refused with the nearest. */
CAROM_API carom_status carom_observe_signal(const carom_model *model, const carom_state *state,
                                            carom_scratch *scratch, const char *signal, double *out,
                                            carom_error *err);

/* All joint coordinates and their rates at once, in the order of carom_model_joint's first_coordinate:
 * carom_model_coordinate_count numbers each. rates may be NULL, values where there are none. CAROM_BAD_INPUT, and both as
 * they were, for what does not fit together. */
CAROM_API carom_status carom_observe_coordinates(const carom_model *model, const carom_state *state,
                                                 carom_scratch *scratch, double *values, double *rates);

/* Degrees of freedom and redundant equations at the present configuration; their list lives in the scratch until it is used
 * again. */
CAROM_API carom_status carom_observe_mobility(const carom_model *model, const carom_state *state,
                                              carom_scratch *scratch, carom_mobility *out, carom_error *err);

#ifdef __cplusplus
}
#endif
#endif
