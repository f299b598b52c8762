/* Lasting contact: forces and accelerations at an instant, from complementarity on acceleration level.
 *
 * p->rate holds the accelerations of all rows without contact and friction forces (velocity products included), p->load
 * the joints' loads likewise. For every contact, F >= 0, a_n >= 0, F a_n = 0. For every element with friction that
 * slips (|slip| > still), force = -mu N u; for one at rest, the slip acceleration s vanishes and |force| <= mu N
 * (stick), or force = -mu N s/|s| (it begins to slip). Joints' loads follow from the forces as in friction.h. */
#ifndef CAROM_NONSMOOTH_REST_H
#define CAROM_NONSMOOTH_REST_H

#include "nonsmooth/friction.h"

typedef enum rest_outcome {
    REST_OK,
    REST_JAM,          /* slipping joints' loads have no solution */
    REST_ROUGH,        /* none was found that fits, though there is no paradox: what comes near */
    REST_INCONSISTENT, /* no solution: Painleve's paradox, to be resolved by an impact without collision */
    REST_STOPPED,      /* the caller has wanted an end: no answer */
} rest_outcome;

typedef struct rest_answer {
    bool *closed;          /* contact_count: carries force; else it opens */
    friction_state *state; /* element_count; FRICTION_NONE at open contacts */
    double *force;         /* row_count */
    double *rate;          /* row_count: accelerations */
    double *load;          /* element_count */
    int culprit;           /* contact (REST_INCONSISTENT) or element (REST_JAM) to name; else -1 */
    bool ambiguous; /* another combination would have fitted as well (Painleve's indeterminate case), where that was
                              looked for */
} rest_answer;

typedef struct rest_work rest_work;
rest_work *rest_create(carom_arena *arena, int rows, int elements, int loads); /* NULL when memory runs out */

/* With everything given (who is closed, who sticks, who slips along which direction): the linear problem, nothing but the
 * loads of slipping joints to iterate on. Closed contacts have a_n = target[contact] (NULL: zero) whatever the sign of
 * their force; stuck elements have zero slip acceleration plus target likewise (target: row_count). */
rest_outcome rest_rates(rest_work *w, const reduced_problem *p, const bool *closed, const friction_state *state,
                        const double *target, rest_answer *out);

/* Who opens, sticks, slips. u: row velocities (normals count as zero). */
rest_outcome rest_choose(rest_work *w, const reduced_problem *p, const double *u, double still, rest_answer *out);

#endif
