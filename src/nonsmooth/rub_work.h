/* Friction over a step: what rub.c (loads, sweeps) and rub_newton.c (all at once) work with. Slip rows are numbered through
 * without the contacts' normals. */
#ifndef CAROM_NONSMOOTH_RUB_WORK_H
#define CAROM_NONSMOOTH_RUB_WORK_H

#include <math.h>

#include "nonsmooth/rub.h"

struct rub_work {
    const reduced_problem *p;
    int count;       /* slip rows */
    double *D;       /* count x count */
    double *stiff;   /* elements: a bound of what a unit impulse along its rows does to its own slip */
    double *radius;  /* elements: mu N */
    double *start;   /* elements: of joints, by the normal impulses alone */
    double *impulse; /* count: p */
    double *slip;    /* count: s */
    double *free;    /* count: c, slip without friction */
    double *before;  /* count: slip before the step */
    bool *fast;      /* elements, see rub_expect */
    double *carried; /* loads by the normal impulses */
    double least;    /* velocities below are rounding */
    double enough;   /* or these, when they stay */
    double length;   /* of the last step, for the first guess; 0: none */
    double *marked;  /* count: p of rub_mark, of a step of marked_length */
    double marked_length;
    double effort;
    int jammed;

    /* rub_newton.c */
    int unknowns;
    int *row;       /* unknown -> slip row */
    int *element;   /* unknown -> its element */
    double *matrix; /* unknowns x unknowns */
    double *step;   /* unknowns */
    double *kept;   /* count: p to return to */

    /* Elements that hold have a matrix that does not change while they do. */
    int held;       /* unknowns of the factor; 0: none */
    int *held_row;  /* unknown -> slip row */
    double *factor; /* Cholesky's, held x held */
};

static inline int rub_first(const rub_work *w, int element)
{
    return w->p->elements[element].first_row - w->p->contact_count;
}

static inline double rub_size(const double *x, int dim)
{
    double sum = 0.0;
    for (int d = 0; d < dim; ++d) {
        sum += x[d] * x[d];
    }
    return sqrt(sum);
}

/* How far the present impulses are from the answer, as a velocity. */
double rub_residual(const rub_work *w);

/* s = c + D p. */
void rub_find_slip(rub_work *w);

/* Takes part in the step. */
static inline bool rub_active(const rub_work *w, int element)
{
    return w->radius[element] > 0.0 && w->stiff[element] > 0.0;
}

/* What element e's impulse should be for the present slip: p - s/stiff, brought back into its disc; that of a fast one lies
 * against its mean slip. Returns the length of that before it is brought back. */
double rub_wanted(const rub_work *w, int e, double *wanted);

/* One step of Newton's method for all elements that hold or slip slowly. */
void rub_newton(rub_work *w);

#endif
