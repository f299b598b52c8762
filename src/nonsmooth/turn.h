/* Impacts while slip directions turn: forces follow the directions of slip, so that the
 * impulses y (along all rows, with the work of the normal as last entry) obey a smooth differential equation in P.
 *
 * As slip goes to zero its direction turns ever faster in P. The independent variable is therefore
 *     dP = sigma d tau,   1 / sigma = (1 + 1 / det) sum over elements whose slip may turn of kappa_i / |slip_i|,
 * kappa_i being how fast impulses change that slip: then directions turn at a bounded pace, and a slip that vanishes goes
 * down exponentially. det is the regularity of the load problem: it goes to zero like the square root of the distance from
 * a jam, where loads have a fold; in tau that is reached smoothly and at a finite pace. Velocities are always u + D y, so
 * that they fit the impulses to rounding.
 *
 *   turn_rates.c   directions, rates and the slope dy/dtau at given impulses
 *   turn_step.c    a part of the step, by extrapolation
 *   turn_kinks.c   signs of scalar loads: |lambda| is continued smoothly beyond its kink within a part, and changed there
 *   turn_events.c  what has happened at given impulses
 *   turn_locate.c  where, within a part
 *   turn_creep.c   slip that begins slowly, and slip that has all but gone
 *   stroke_turn.c  part after part until something happens */
#ifndef CAROM_NONSMOOTH_TURN_H
#define CAROM_NONSMOOTH_TURN_H

#include "nonsmooth/stroke.h"

/* Turning slip below this, relative to the largest velocity, is none: its direction is known to 1e-6 only, and
 * to stop it changes velocities by no more than that. */
static const double turn_vanished = 1e-9;

/* ---- turn_rates.c ---- */

/* How much one unit of P can change the slip of element i, roughly, whatever its axes. */
double turn_gain(const stroke *s, int i);

/* Velocities after impulses y: w->speed; with these, the slip of element i: its speed, and half the rate of its square. */
void turn_find_speed(stroke *s, const double *y);
double turn_slip(const stroke *s, int i);
double turn_growth(const stroke *s, int i, const double *rate);

/* Rates at the impulses y, with |lambda| continued beyond kinks or not; sigma. False: joints jam there. */
bool turn_rates(stroke *s, const double *y, bool smooth, friction_answer *a, double *sigma);

/* slope = dy/dtau with the rates of an answer; the same at y, false: joints jam there. */
void turn_set_slope(const stroke *s, const friction_answer *a, double sigma, double *slope);
bool turn_find_slope(stroke *s, const double *y, double *slope);

/* Remembers the loads and directions where a part begins; lets what follows be sought near these, wherever an attempt has
 * ended. */
void turn_remember(stroke *s, const friction_answer *a);
void turn_go_back(stroke *s);

/* ---- turn_step.c ---- */

/* Local error of velocities, relative to the largest: of a part, of which there are about a dozen per impact. */
static const double turn_tolerance = 1e-12;

/* What a part has come to. */
typedef struct turn_size {
    double error; /* HUGE_VAL: joints jam on the way */
    double next;  /* proposed length of the next one, or of another attempt */
} turn_size;

/* One part of length h from w->y, where the slope is w->slope, into w->y_new. */
turn_size turn_extrapolate(stroke *s, double h);

/* ---- turn_events.c ---- */

/* Loads whose regularity is below this are at their fold, and jam: that goes to zero like the square root of the distance,
 * so that the fold is 1e-10 of the impulse away. */
static const double turn_folded = 1e-5;

/* What ends a part: a state changes, the impact ends by its law, a load component changes its sign, a joint jams, a creeping
 * element stops again. */
typedef enum turn_event { TURN_STATE, TURN_END, TURN_KINK, TURN_JAM, TURN_STOP } turn_event;

typedef struct turn_events {
    double worst;     /* the largest event function: > 0 when something has happened; scaled to order one */
    turn_event which; /* the function that is largest */
    int who;          /* TURN_KINK: the load component; TURN_JAM: the joint; TURN_STOP: the element; -1: not known */
    bool happened;    /* the part ends because of it */
    bool vanished;    /* a turning slip is gone: w->stop */
    bool turning;     /* something still turns */
} turn_events;

/* A jam, with or without a joint that is known to be to blame. */
turn_events turn_jam(int joint);

/* What has happened when the impulses are y. */
turn_events turn_look(stroke *s, const double *y);

void turn_notice(turn_events *events, double value, turn_event which, int who);

/* ---- turn_kinks.c ---- */

/* Signs where a part begins; after a kink, on which components vanish but for rounding, as they are. */
void turn_find_signs(stroke *s, const friction_answer *a);
void turn_check_signs(stroke *s, const friction_answer *a, turn_events *events);

/* At a kink of a component: with it, all that vanish there change their sign (joints in a row may be loaded, and unloaded,
 * by the same force). */
void turn_change_signs(stroke *s, int component);

/* The element that a load component belongs to. */
int turn_joint_of(const stroke *s, int component);

/* ---- turn_locate.c ---- */

/* Shortens the part h, at whose end something has happened, until it only just has. The impulses there stay in w->y_new. */
turn_events turn_locate(stroke *s, double h, turn_events after, double before);

/* ---- turn_creep.c ---- */

/* The limits of an impact's first part; wider ones for one that goes on and on. */
void turn_set_limits(stroke *s);
void turn_widen_limits(stroke *s);

/* Which elements creep from now on, at the velocities in w->speed: those that begin from rest, and those that have done so
 * and are still slow; with rates given, others that are slow and get faster, too. */
void turn_find_creeping(stroke *s, const double *rate);

/* Takes creeping slip for moving: what moved already when the step began; what is fast enough at w->y to have a direction.
 * Whether there was any. */
bool turn_drop_creeping(stroke *s);
bool turn_let_creeping_go(stroke *s);

/* Takes slips for gone that are slow at w->y and get slower: into w->stop. Those that vanish together with another that
 * has; those that may be what keeps loads from being found. Whether there are such. */
bool turn_stop_together(stroke *s);
bool turn_stop_slow(stroke *s);

#endif
