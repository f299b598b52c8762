/* Who slips and who holds: Coulomb friction at contacts whose normal forces are known and in joints whose loads follow
 * from everything else [paper 5].
 *
 * RATES: with a state for every element, the rates are linear but for the loads of slipping joints, which solve
 * N_j = sum |a_j + B_j N|: by signs where every slipping joint has one load component, by a quadratic for one pin,
 * by Newton's method along the branch that starts at mu = 0 in general. Where that branch ends (det <= 0) the mechanism
 * jams.
 * CHOOSE: elements that move slip along their velocity; for those at rest all combinations of hold and slip are tried,
 * holding first (many at once: by a projected iteration whose answer is then made exact). */
#ifndef CAROM_NONSMOOTH_FRICTION_H
#define CAROM_NONSMOOTH_FRICTION_H

#include "base/arena.h"
#include "nonsmooth/reduced.h"

typedef enum friction_outcome {
    FRICTION_OK,
    FRICTION_JAM,          /* loads of slipping joints have no solution that grows out of mu = 0: they lock */
    FRICTION_INCONSISTENT, /* no combination of holding and slipping fits */
} friction_outcome;

typedef struct friction_answer {
    friction_state *state; /* element_count */
    double *force;         /* row_count: normal forces as given, then friction */
    double *rate;          /* row_count: of u */
    double *load;          /* element_count: N */
    int solutions;         /* of the load problem, where they were counted (signs, one pin); else 1 or 0 */
    int jammed;            /* FRICTION_JAM: an element that slips and jams; else -1 */
    double regularity;     /* det(I - d|lambda|/dN) of the load problem: 1 at mu = 0, 0 where slipping joints jam */
} friction_answer;

typedef struct friction_work friction_work;

/* Room for problems up to these counts, from the arena; NULL when memory runs out. An answer's arrays are set to room in
 * the work and are overwritten by the next call. */
friction_work *friction_create(carom_arena *arena, int rows, int elements, int loads);

/* u: row velocities; slip below `still` (> 0, in the units of u) counts as none. normal: contact_count forces >= 0.
 * held: element_count, elements that are to hold whatever it takes (locked by a jam); NULL: none. */
friction_outcome friction_choose(friction_work *w, const reduced_problem *p, const double *u, double still,
                                 const double *normal, const bool *held, friction_answer *out);

/* With the state of every element given: RATES alone. */
friction_outcome friction_rates(friction_work *w, const reduced_problem *p, const friction_state *state,
                                const double *normal, friction_answer *out);

/* How friction_follow goes on from the last answer. */
typedef struct friction_path {
    const bool *held; /* as for friction_choose; NULL: none */
    const bool
        *creeping; /* elements that slip, but so slowly that their direction is that of their rate; NULL: none */
    const double
        *sign; /* load_count: |lambda| of a scalar group is taken as sign lambda, where this is not 0, so that
                             rates go on smoothly beyond the kink; NULL: none */
} friction_path;

/* The same after a call with nearly the same directions (while slip turns): loads of slipping joints are sought near those
 * of the last answer first, which stays on the branch that the last answer is on, and is quicker. */
friction_outcome friction_follow(friction_work *w, const reduced_problem *p, const friction_state *state,
                                 const double *normal, const friction_path *path, friction_answer *out);

/* Lets the next friction_follow seek loads near these (element_count) instead of those of the last answer. */
void friction_follow_from(friction_work *w, const reduced_problem *p, const double *load);

/* After an answer that is FRICTION_OK with slipping joints: the one whose load grows fastest with friction, which is the
 * one to jam where regularity goes to zero; -1: no joint slips. sign: as in friction_path. */
int friction_weakest(friction_work *w, const reduced_problem *p, const double *sign);

#endif
