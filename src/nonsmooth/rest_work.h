/* Lasting contact: what rest.c (everything given), rest_newton.c (forces that fit) and rest_choose.c (who opens, sticks,
 * slips) work with. */
#ifndef CAROM_NONSMOOTH_REST_WORK_H
#define CAROM_NONSMOOTH_REST_WORK_H

#include "nonsmooth/joint_loads.h"
#include "nonsmooth/reduced_part.h"
#include "nonsmooth/rest.h"
#include "nonsmooth/small.h"

/* Where a contact, or a joint that sticks, stands among the unknowns. */
typedef struct rest_bearing {
    int normal; /* its unknown; -1: `constant` instead */
    int first;  /* unknowns of its friction, if it sticks */
    int dim;    /* 0: nothing sticks */
    double mu;
    double constant;
} rest_bearing;

struct rest_work {
    int rows, elements, load_room; /* of problems that there is room for */

    /* Everything given. */
    int active_count;
    int *active; /* rows whose rate is prescribed: closed normals, then slip of what sticks */
    int *column; /* row -> its unknown, or -1 */
    double *matrix, *scratch;
    double *row_space; /* orthonormal rows of the matrix, one after another, where has_row_space */
    bool has_row_space;
    double *force; /* (1 + slipping joints) x rows: without joint loads, then per unit of each */
    double *x;     /* unknowns x (1 + slipping joints): right sides and solutions */
    double *share; /* for rest_share */
    rest_bearing *bearings;
    joint_loads loads; /* of slipping joints */
    bool alone;        /* forces of least norm, however they are */

    /* Choosing. */
    bool *moving;          /* elements that slip faster than `still` */
    friction_state *along; /* of those */
    double *contact_fault; /* how far a condition is missed, in units of its tolerance */
    double *element_fault;
    double *newton_force, *newton_rate;
    double *turn_residual, *turn_jacobian, *turn_step;
    double *newton_trial, *newton_last;
    int *digit;
    int jammed;         /* element that jammed in a combination tried; -1: none */
    rest_answer answer; /* what is handed out */
    rest_answer trial, other, even;

    /* Islands. */
    reduced_part part;
    double *part_rows;
    rest_answer whole;
};

/* What is asked: with u, who opens, sticks, slips (rest_choose); else accelerations with all that given (rest_rates). */
typedef struct rest_request {
    const bool *closed;
    const friction_state *state;
    const double *target;
    const double *u;
    double still;
} rest_request;

/* Answers island by island. */
rest_outcome rest_solve_islands(rest_work *w, const reduced_problem *p, const rest_request *request,
                                rest_answer *out);

/* rest_choose for one island, into w->answer. */
rest_outcome rest_choose_one(rest_work *w, const reduced_problem *p, const double *u, double still);

/* rest_rates into an answer that has its room already; closed and state may be the answer's own. */
rest_outcome rest_rates_into(rest_work *w, const reduced_problem *p, const bool *closed, const friction_state *state,
                             const double *target, rest_answer *into);

/* Doubles of room that rest_share needs. */
size_t rest_share_room(int rows);

/* Redundant contacts (the matrix has this rank only): unknowns x of least norm become others with the same prescribed rates
 * that all contacts can bear, or that miss it least. */
void rest_share(rest_work *w, const reduced_problem *p, const rest_answer *a, int rank, double *x);

/* A slipping element's forces for the load N are added to `force`. */
void rest_add_slip(const friction_element *el, const friction_state *state, double N, double *force);

/* Forces that fit, into w->newton_force, from none; false when they do not fit well. */
bool rest_newton(rest_work *w, const reduced_problem *p);

/* The same from contacts that give, ever less, as far as that leads. False when it leads nowhere. */
bool rest_newton_giving(rest_work *w, const reduced_problem *p);

/* The load of an element at given forces along all rows. */
double rest_load_at(rest_work *w, const reduced_problem *p, int e, const double *force);

#endif
