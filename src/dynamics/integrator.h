/* Integrators: one file and one table each, listed in integrator_list.inc. They advance smooth motion under constraints;
 * contact methods call them and know nothing of their insides. */
#ifndef CAROM_DYNAMICS_INTEGRATOR_H
#define CAROM_DYNAMICS_INTEGRATOR_H

#include "dynamics/work.h"

/* What the scene's time section comes to for an integrator. */
typedef struct integrator_settings {
    double step;      /* [s] the fixed step, or the largest */
    double tolerance; /* relative local error */
    bool adaptive;
} integrator_settings;

typedef struct integrator_type {
    carom_kind kind; /* first */
    bool can_adapt;
    int incremental; /* order of a difference formula for methods that minimise; they take the step, and `step` is
                             NULL; 0: none */
    bool leaps;      /* central differences of methods that leap; `step` is NULL */
    bool takes_reactions;  /* goes with contact_forces.react: every acceleration comes from work_evaluate, and a step
                                   may be taken back and repeated shorter */
    double preset_step[3]; /* by carom_preset, as a fraction of the run where adaptive, else [s] */
    double preset_tolerance[3]; /* by carom_preset */
    double
        stable; /* [rad] largest angular frequency times step at which a vibration stays bounded, of fixed steps; 0: no such
                            limit, or steps that find it themselves */

    /* Refuses options out of range; NULL: any will do. */
    carom_status (*check)(const void *options, carom_error *err);

    /* Once per run after assembly and after every jump of a force; NULL: nothing to do. */
    carom_status (*start)(carom_scratch *w, carom_state *s, const integrator_settings *settings, const void *options,
                          carom_error *err);

    /* One step of at most dt. On failure the state is as it was. */
    carom_status (*step)(carom_scratch *w, carom_state *s, double dt, const integrator_settings *settings,
                         const void *options, carom_step_report *report, carom_error *err);
} integrator_type;

const integrator_type *integrator_find(const char *name);

/* The model's integrator with its settings. */
typedef struct integrator_choice {
    const integrator_type *type;
    const void *options;
    integrator_settings settings;
} integrator_choice;
integrator_choice integrator_of(const carom_model *model);

/* Refuses settings that no integrator can keep. For the check of contact methods. */
carom_status dynamics_check(const carom_model *model, carom_error *err);

/* Start and step with the model's integrator; the step leaves its dense output in w->dense. */
carom_status dynamics_start(carom_scratch *w, carom_state *s, carom_error *err);
carom_status dynamics_step(carom_scratch *w, carom_state *s, double dt, carom_step_report *report, carom_error *err);

/* The same with another one, for methods with phases of their own. */
carom_status dynamics_start_with(const integrator_choice *with, carom_scratch *w, carom_state *s, carom_error *err);
carom_status dynamics_step_with(const integrator_choice *with, carom_scratch *w, carom_state *s, double dt,
                                carom_step_report *report, carom_error *err);

/* How long a step that begins at a state may be: at most dt, up to the next point of a table, and no body turns by more than
 * can be counted. Tables are read on the near side of a jump until the span has ended. */
typedef struct step_span {
    double dt;    /* [s] */
    double point; /* [s] next point of a table; infinite: none */
    bool jump;    /* values jump there */
} step_span;

/* CAROM_NOT_CONVERGED where the motion, or what prescribes it, is beyond all limits. For methods that take the step
 * themselves: after it dynamics_span_end, which commits it, or dynamics_span_abort. */
carom_status dynamics_span(carom_scratch *w, const carom_state *s, double dt, step_span *out, carom_error *err);
void dynamics_span_end(carom_scratch *w, carom_state *s, const step_span *span, carom_step_report *report);
void dynamics_span_abort(carom_scratch *w);

/* ---- shared by integrators --------------------------------------------------------------------------------------- */

/* The point reached becomes the state: the motion given, accelerations, multipliers and powers as left in w by an
 * evaluation there; joint coordinates are followed so that angles keep counting turns. */
void integrator_commit(carom_scratch *w, carom_state *s, double t, motion at);

/* CAROM_NOT_CONVERGED because steps shrank to h: names what has no finite value where that is the reason, else gives
 * the integrator's advice. */
carom_status integrator_gives_up(const carom_scratch *w, double h, const char *advice, carom_error *err);

/* Whether contact is a constraint, so that only integrators that take reactions go with it. */
bool integrator_meets_reactions(const carom_model *model);

/* CAROM_NOT_CONVERGED naming a force, joint or kinematic body whose value in w is not finite; */
carom_status integrator_check_values(const carom_scratch *w, carom_error *err);

/* likewise, or naming a body whose acceleration is not. */
carom_status integrator_check_finite(const carom_scratch *w, carom_error *err);

/* The next step is chosen as the first one is: the last ones say nothing about the motion from here on. */
void integrator_forget_step(carom_state *s);

/* Copies what an evaluation needs to know of the state besides poses and rates. */
void integrator_load(carom_scratch *w, const carom_state *s);

/* The ledger's sums over a step of h by the trapezoidal rule, from the powers at both ends. */
void integrator_add_sums(carom_state *s, const ledger_sums *before, const ledger_sums *after, double h);

/* Typical speeds, so that errors are relative to the fastest body. */
typedef struct speed_scale {
    double linear;  /* [m/s] */
    double angular; /* [rad/s] */
} speed_scale;
speed_scale integrator_speed_scale(const carom_scratch *w, motion_rates of);

/* The step to take when `wanted` is wished for and dt is the most: never leaves a sliver for the next step. */
double integrator_pick_step(double wanted, double dt, bool adaptive);

/* Factor for the next step from the error of this one (1 = at the tolerance), a method of this order, and the error of
 * the step before (PI controller; 0: none). */
double integrator_step_factor(double error, double last_error, int order);

/* [s] the longest step of central differences that is stable: of the body that deforms with the highest frequency; infinite: none does. */
double integrator_critical_step(const carom_model *model);

#endif
