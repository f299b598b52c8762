/* Impacts [papers 3 and 5]: from the row velocities before to those after, at a frozen configuration.
 *
 * One contact is stepped exactly in its normal impulse P: between changes of slip all rates are constant (where the slip
 * direction turns in the tangent plane they are integrated). Several contacts follow one of three rules. */
#ifndef CAROM_NONSMOOTH_STRIKE_H
#define CAROM_NONSMOOTH_STRIKE_H

#include "nonsmooth/friction.h"

typedef enum strike_law {
    STRIKE_ENERGETIC, /* Stronge: work of restitution = e^2 work of compression */
    STRIKE_POISSON,   /* impulse of restitution = e impulse of compression */
    STRIKE_NEWTON,    /* speed after = e speed before; energy may grow with friction */
} strike_law;

typedef struct strike_contact {
    strike_law law;
    double restitution; /* 0..1 */
    double impulse;     /* prescribed total normal impulse [N s]; NAN: by the law */
    double stiffness;   /* relative, for energy sharing; 1 usually */
} strike_contact;

typedef enum strike_rule {
    STRIKE_SHARING,    /* all at once: energy stored and given back by every contact (energetic law) */
    STRIKE_TOGETHER,   /* all at once: compression and expansion as complementarity problems (Poisson's law) */
    STRIKE_SEQUENTIAL, /* one after another, fastest first, until none approaches */
} strike_rule;

typedef enum strike_outcome {
    STRIKE_OK,
    STRIKE_INCONSISTENT, /* friction_choose found no state */
    STRIKE_ENDLESS,      /* too many steps or passes */
} strike_outcome;

/* One step of constant state, for replays and tables. */
typedef struct strike_step {
    int contact; /* that carries the impulse; -1: several */
    double P;    /* [N s] at the end of the step, of this contact */
    bool compression_end;
    bool jam; /* joints locked at the beginning of this step */
    /* States of the elements follow in strike_history.state, element_count per step. */
} strike_step;

enum { STRIKE_HISTORY = 64 };
typedef struct strike_history {
    int count; /* of steps; beyond STRIKE_HISTORY they are not kept */
    strike_step step[STRIKE_HISTORY];
    friction_state *state; /* STRIKE_HISTORY x element_count, given by the caller; NULL: no history of states */
} strike_history;

typedef struct strike_result {
    double *impulse; /* row_count, given by the caller: along every row, all steps together */
    double *
        compression; /* contact_count, given by the caller: part of the normal impulse until the end of compression */
    double work_normal;   /* [J] done by the normal impulses */
    double work_friction; /* [J] done by friction, <= 0 */
    int steps;
    int jammed;                /* element that jammed, or -1 */
    strike_history *history;   /* NULL: none wanted */
    strike_rule rule_followed; /* by strike_all: one after another where impulses are prescribed, else as asked for */
    bool cut_short;            /* by strike_all: the work allowed was spent, what was left was stopped */
    bool held;                 /* no state of friction was found that fits: everything was held instead */
    double accuracy, asked;    /* of velocities, relative: where less was reached than asked for; else zero */
} strike_result;

typedef struct strike_options {
    strike_rule rule;
    double exponent; /* eta of energy sharing: 1 linear, 1.5 Hertz */
} strike_options;

typedef struct strike_work strike_work;
strike_work *strike_create(carom_arena *arena, int rows, int elements, int loads); /* NULL when memory runs out */

/* u: row_count, in and out. p->rate and p->load are not looked at. One contact alone, whose index is given, by stepping;
 * the other normals are not active (their forces are zero). An impact without collision (u = 0, the contact problem
 * having no solution) begins in the same way. */
strike_outcome strike_one(strike_work *w, const reduced_problem *p, int contact, const strike_contact *def, double *u,
                          strike_result *out);

/* All contacts of p, defs[contact_count]; those that do not approach take part when they are pressed. */
strike_outcome strike_all(strike_work *w, const reduced_problem *p, const strike_contact *defs,
                          const strike_options *options, double *u, strike_result *out);

#endif
