/* One impact at one contact on its way: shared by strike_one.c, which steps where rates are constant, and stroke_turn.c,
 * which integrates where slip directions turn. */
#ifndef CAROM_METHODS_IMPACT_STROKE_H
#define CAROM_METHODS_IMPACT_STROKE_H

#include "methods/impact/strike_work.h"

typedef struct stroke {
    strike_work *w;
    const reduced_problem *p;
    int contact;
    const strike_contact *def;
    double *u;
    strike_result *out;

    double speed_scale; /* the largest velocity around: what rounding is measured against */
    double still;       /* slip below counts as none */
    double own_answer;  /* D_nn */
    double target;      /* Newton's law: normal velocity at the end */

    bool restitution; /* else compression */
    bool finished;
    bool jam;           /* joints have locked since the last step */
    int jams_next;      /* element that jams at the end of a step in which directions turned; -1: none */
    double creep_limit; /* turning slip that began from rest and is below this creeps (stroke_turn.c) */
    int stops_again;    /* creeping element that stopped at the end of such a step; -1: none */
    int turn_steps;     /* of the integration so far */
    bool going_on;      /* the last step ended without an event: the next is part of it */
    double P;           /* normal impulse so far */
    double stored;      /* that compression has left to give back: impulse (Poisson), energy (energetic) */
    friction_answer a;  /* of the present step */
    double strength;    /* sum over its forces of |force_k| sqrt(D_kk) */
} stroke;

/* Impulse dP, and work of the normal, after which the impact ends if rates stay as they are; HUGE_VAL: not that way. */
double stroke_remaining_impulse(const stroke *s); /* Poisson, or prescribed */
double stroke_remaining_work(const stroke *s);    /* energetic */
bool stroke_is_prescribed(const stroke *s);

/* Whether an element slips with a velocity (not from rest). */
bool stroke_moves(const stroke *s, int element);

/* Whether the slip direction of some element turns with the present rates. */
bool stroke_turns(const stroke *s);

/* Integrates until something happens: impulses along all rows into w->impulse, the work of the normal is returned. u is
 * not changed. Sets finished when the impact ends there, going_on when nothing happened but that the turning ended,
 * jams_next, and w->stop for elements whose slip has gone. */
double stroke_turn(stroke *s);

#endif
