/* Several contacts at once, on their way through an impact: impulses along all rows as functions of a parameter.
 *
 * Ways on which the normal forces are constant, or bring all that approach to rest in proportion (the rule together), are cut
 * at events by flow_*.c: all but slip that turns is linear between them, and exact. Where the normals are springs (energy
 * sharing), and where it is too much to ask who holds, strike_steps.h goes in steps. strike_all.c and several*.c have the
 * rules. */
#ifndef CAROM_NONSMOOTH_STRIKE_FLOW_H
#define CAROM_NONSMOOTH_STRIKE_FLOW_H

#include "nonsmooth/normals.h"
#include "nonsmooth/rest.h"
#include "nonsmooth/rub.h"
#include "nonsmooth/strike_work.h"

enum { FLOW_COLUMNS = 5 }; /* of the extrapolation, which has order 10 then */
enum { FLOW_TABLE = 6 };   /* of that in steps (steps_share.c), which has order 6 */

/* Slip below is none, relative to the largest velocity: a little more than in exact stepping. */
#define FLOW_STILL 1e-10

/* Where the normal forces come from, event by event. */
typedef enum flow_mode {
    FLOW_GIVEN,    /* they are given and stay */
    FLOW_STOPPING, /* such that closed contacts come to rest as the parameter goes from 0 to 1 */
} flow_mode;

/* What a contact does under energy sharing. */
typedef enum flow_phase { FLOW_OFF, FLOW_LOADING, FLOW_UNLOADING } flow_phase;

struct strike_all_work {
    rest_work *rest;

    /* y and what it is made of: impulses J and velocities u (rows each), compressions d, impulses while compressing
     * (contacts each), work of the normals, the parameter. */
    double *y, *y_new, *slope, *slope_new;
    double *table; /* FLOW_TABLE of such vectors */
    double *z[2], *middle;

    flow_phase *phase;          /* contacts */
    friction_state *state;      /* elements, along the present step */
    bool *moving;               /* elements: slip with a velocity */
    bool *straight;             /* elements: slip does not turn in the present step */
    bool *creeping;             /* elements: slip that has just begun in a plane or in space, see strike_flow.c */
    bool *watched;              /* elements: hold within their cone at the beginning of the piece */
    bool *held;                 /* elements: locked by a jam */
    bool *closed;               /* contacts: FLOW_STOPPING */
    double *normal;             /* rows: FLOW_GIVEN, and room */
    double *bias;               /* rows: velocities at the beginning of FLOW_STOPPING */
    double *margin_force;       /* rows: forces at the last slope */
    double *margin_rate;        /* rows: rates likewise */
    double *margin_load;        /* elements */
    friction_element *elements; /* with the held ones beyond slipping */

    double *u0;    /* rows: before everything */
    double *kept;  /* a y to return to */
    double *shown; /* rows: velocities as friction_choose is to see them */
    int *index;    /* rows to lock */
    double *matrix, *right, *scratch;

    /* In steps, see strike_steps.h. */
    rub_work *rub;
    normals_work *normals;
    double *step_impulse; /* rows: of a step */
    double *before;       /* rows: velocities before or after it */
    double *trail;        /* (FLOW_TABLE + 1) x 2 contacts: velocities and depths along a step */
    double *slip_rate;    /* rows: in the last step */
    double *target;       /* contacts: normal velocities to reach */
    double *given;        /* contacts: normal impulses of the expansion */

    /* One contact at a time. */
    double *one_impulse, *one_compression;
    int *one_row;  /* rows of its problem */
    double *one_B; /* loads x those */
    bool *struck;  /* contacts whose prescribed impulse is spent */
    strike_history history;
};

typedef struct flow {
    struct strike_all_work *w;
    friction_work *friction;
    reduced_problem p;        /* without bias */
    reduced_problem stopping; /* with the bias of FLOW_STOPPING */
    const strike_contact *defs;
    double exponent;
    double lightest; /* the largest D_cc */
    double stiffest; /* the largest stiffness: others count in proportion */
    flow_mode mode;
    int size;         /* of y */
    double speed;     /* the largest velocity at the beginning */
    double scale;     /* the fastest approach: of the changes of velocity */
    double depth;     /* a typical d */
    double duration;  /* a typical length of the parameter */
    double still;     /* slip below counts as none */
    double step;      /* to try next */
    int until;        /* FLOW_GIVEN: contact whose approach ends the flow; -1: none */
    bool fresh;       /* states are to be chosen anew */
    double tolerance; /* in steps: of an error, relative */
    bool even;        /* in steps: their error has even powers only */
    bool stands;      /* in steps: nothing has moved in the last one */
    bool turning;     /* some slip turns: rates vary along the step */
    double margin;    /* the smallest at y */
    int jams;         /* element that jams on the way; -1 */
    strike_result *out;
} flow;

double *flow_impulse(const flow *f, double *y);
double *flow_speed(const flow *f, double *y);
double *flow_depth(const flow *f, double *y);
double *flow_compression(const flow *f, double *y);
double *flow_work(const flow *f, double *y);
double *flow_parameter(const flow *f, double *y);

/* States at the present y; joints that jam are locked on the way. */
strike_outcome flow_begin_piece(flow *f);

/* Integrates until an event, or until the parameter reaches `end`; *ended says which. */
strike_outcome flow_run(flow *f, double end, bool *ended);

/* Brings an element to rest, with all others that are, and holds it from now on. */
void flow_hold(flow *f, int element);

/* u = u0 + D J. */
void flow_fit_speeds(const flow *f, double *y);

/* Slips that have vanished are brought to rest. */
void flow_stop_vanished(flow *f);

#endif
