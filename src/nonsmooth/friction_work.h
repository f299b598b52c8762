/* Room for friction, shared by the files that implement friction.h:
 *   friction_rates.c                                forces with given states
 *   joint_loads.c                                   loads of slipping joints
 *   friction_start.c, _direction.c, _newton.c       directions in which slip begins
 *   friction_choose.c, _fits.c, _sweep.c            who slips
 * Nothing in it outlives a call but the last loads, near which friction_follow seeks the next. */
#ifndef CAROM_NONSMOOTH_FRICTION_WORK_H
#define CAROM_NONSMOOTH_FRICTION_WORK_H

#include <math.h>

#include "nonsmooth/friction.h"
#include "nonsmooth/joint_loads.h"
#include "nonsmooth/small.h"

/* D_kl err by 1e-16 times a condition of 1e4 or so: what is left of a row below this of its scale, when others are taken
 * out of it, is rounding, and it counts as depending on them. */
static const double friction_rank_tolerance = 1e-11;

struct friction_work {
    friction_state *state; /* elements: answer */
    double *force, *rate, *load;

    int *stuck; /* rows of stuck elements */
    int stuck_count;
    int firm_count;    /* the first of them, which hold whatever it takes */
    const bool *firm;  /* elements that do; NULL: none */
    joint_loads loads; /* of slipping joints */
    double *column;    /* (elements + 1) x rows: forces, see above */
    double *lambda;    /* loads */
    double *matrix;    /* rows x rows */
    double *right;     /* rows x (elements + 1) */
    double *scratch;

    int *resting; /* elements whose state is to be found */
    int resting_count;
    friction_state *trial;            /* elements */
    friction_state *begin;            /* elements: where a search for directions begins */
    friction_state *at;               /* elements: where a step of Newton's method for them begins */
    double *turning, *turn;           /* rows x rows, rows: its system */
    int *turning_row;                 /* rows: whose directions are searched */
    double *own;                      /* elements x SLIP_DIM^2: answer of an element's slip to its own force */
    double *residual, *last_residual; /* rows: of a search for directions */
    double *sweep;                    /* rows: forces of the projected iteration */
};

static inline bool slips(const friction_state *state)
{
    return state->mode == FRICTION_SLIP;
}

/* RATES with the states in w->state. */
friction_outcome friction_find_rates(friction_work *w, const reduced_problem *p, const double *normal,
                                     friction_answer *out);

/* Lets `out` show the arrays of w. */
void friction_show(friction_work *w, friction_answer *out);

/* Friction of a slipping element under a load, into its rows of `column`. */
void friction_add_slip(const friction_element *e, const friction_state *state, double load, double *column);

/* N of every element with the forces in w->force: w->load. */
void friction_find_element_loads(friction_work *w, const reduced_problem *p, const double *normal);

/* By how much the force of a stuck element exceeds its cone, less the slack; <= 0: it may hold. */
double friction_cone_excess(const friction_work *w, const reduced_problem *p, int i);

/* Whether the states of the resting elements fit; those that slip in name only, at the bound of their cone (as redundant
 * contacts may be) without moving, are called stuck. */
bool friction_fits(const friction_work *w, const reduced_problem *p);
void friction_call_still_ones_stuck(friction_work *w, const reduced_problem *p);

/* Who slips of many at rest. */
friction_outcome friction_sweep(friction_work *w, const reduced_problem *p, const double *normal,
                                friction_answer *out);

/* The joint to jam when no states of the resting elements fit, -1: none. */
int friction_joint_to_jam(friction_work *w, const reduced_problem *p, const double *normal, friction_answer *out);

/* Rates with the directions of those resting elements found that slip, according to w->state, in a plane or in space:
 * from the directions in w->state, improved until each is along the rate of its own slip. */
friction_outcome friction_improve_start(friction_work *w, const reduced_problem *p, const double *normal,
                                        friction_answer *out);

/* Whether the direction of the resting element number r is searched: it slips, and in more than one dimension. */
bool friction_searched(const friction_work *w, const reduced_problem *p, int r);

/* How element i answers its own force while all stuck rows hold, into `own` (dim x dim). */
void friction_own_answer(friction_work *w, const reduced_problem *p, int i, double *own);

/* The direction of the resting element number r anew, with the loads as they are: w->residual is how far it is from the
 * present one. False: it has none. */
bool friction_find_residual(friction_work *w, const reduced_problem *p, int r);

/* Directions by Newton's method from those in w->state; false: not found. */
bool friction_start_by_newton(friction_work *w, const reduced_problem *p, const double *normal, friction_answer *out);

/* The same with the states in w->trial, directions guessed from the forces that would have held. */
friction_outcome friction_find_start(friction_work *w, const reduced_problem *p, const double *normal,
                                     friction_answer *out);

#endif
