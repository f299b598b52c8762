/* One impact at one contact on its way [paper 5], shared by
 *   strike_one.c   the impact: states, phases, step after step until it is over
 *   stroke_step.c  how far a step of constant rates goes
 *   stroke_turn.c  a step in which slip directions turn (with the turn_*.c)
 *   stroke_lock.c  jams: elements brought to rest at once and held
 *   stroke_book.c  what has been stored, spent and seen so far */
#ifndef CAROM_NONSMOOTH_STROKE_H
#define CAROM_NONSMOOTH_STROKE_H

#include <math.h>

#include "nonsmooth/strike_work.h"

/* A normal velocity below this, relative to the largest velocity, is none: rounding of the few sums that make it, times a
 * condition of 1e4. Nobody divides by it, so that it may be narrower than the limit of slip. */
static const double stroke_still_normal = 1e-12;

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
    double gone_limit;  /* turning slip that gets slower and is below this has gone */
    int stops_again;    /* creeping element that stopped at the end of such a step; -1: none */
    int turn_steps;     /* of the integration so far */
    bool going_on;      /* the last step ended without an event: the next is part of it */
    double P;           /* normal impulse so far */
    double stored;      /* that compression has left to give back: impulse (Poisson), energy (energetic) */
    friction_answer a;  /* of the present step */
    double strength;    /* sum over its forces of |force_k| sqrt(D_kk) */
} stroke;

/* Speed of an element's slip at the velocities u. */
static inline double slip_norm(const friction_element *e, const double *u)
{
    const double *slip = u + e->first_row;
    double square = 0.0;
    for (int d = 0; d < e->dim; ++d) {
        square += slip[d] * slip[d];
    }
    return e->dim == 1 ? fabs(slip[0]) : sqrt(square);
}

static inline double slip_speed(const stroke *s, int element)
{
    return slip_norm(&s->p->elements[element], s->u);
}

/* Whether an element slips with a velocity (not from rest). */
static inline bool stroke_moves(const stroke *s, int element)
{
    return s->a.state[element].mode == FRICTION_SLIP && slip_speed(s, element) > s->still;
}

static inline bool stroke_is_prescribed(const stroke *s)
{
    return !isnan(s->def->impulse);
}

static inline double stroke_normal_speed(const stroke *s)
{
    return s->u[s->contact];
}

/* ---- stroke_step.c ---- */

/* How fast the present forces could change a row, which rounding of rates is measured against: s->strength. */
void stroke_find_strength(stroke *s);

/* Rate of the normal velocity; 0 where it is rounding. */
double stroke_normal_rate(const stroke *s);

/* Impulse dP, and work of the normal, after which the impact ends if rates stay as they are; HUGE_VAL: not that way. */
double stroke_remaining_impulse(const stroke *s); /* Poisson, or prescribed */
double stroke_remaining_work(const stroke *s);    /* energetic */

/* dP to the next event with the present rates, HUGE_VAL: none comes. Sets finished when the impact ends there, and w->stop
 * for elements whose slip vanishes there. */
double stroke_next_event(stroke *s);

/* One step with constant rates. */
void stroke_step(stroke *s, double dP);

/* ---- stroke_turn.c ---- */

/* Whether the slip direction of some element turns with the rates of an answer. */
bool stroke_turns(const stroke *s, const friction_answer *a);

/* Integrates until something happens: impulses along all rows into w->impulse, the work of the normal is returned. u is
 * not changed. Sets finished when the impact ends there, going_on when nothing happened but that the turning ended,
 * jams_next, and w->stop for elements whose slip has gone. */
double stroke_turn(stroke *s);

/* ---- stroke_lock.c ---- */

/* u += D w->impulse, which is booked; the work of all of it is returned. */
double stroke_apply_impulse(stroke *s);

/* The joint comes to rest and is held from now on. */
void stroke_jam(stroke *s, int joint);

/* Everything with friction comes to rest and is held: what is left is linear, and loses energy. */
void stroke_lock_all(stroke *s);
bool stroke_all_held(const stroke *s);

/* Brings slips to rest that have vanished in the last step: those in w->stop, and those that did so by coincidence. */
void stroke_stop_vanished(stroke *s);

/* ---- stroke_book.c ---- */

/* What compression stores and restitution gives back in a step of length dP in which the normal did this work. */
void stroke_store(stroke *s, double dP, double work);

/* The step that has been taken, as one of the history. */
void stroke_record(stroke *s);
void stroke_record_end_of_compression(stroke *s);

#endif
