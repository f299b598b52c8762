/* Room for impacts, shared by the files that implement strike.h. Nothing in it outlives a call. */
#ifndef CAROM_NONSMOOTH_STRIKE_WORK_H
#define CAROM_NONSMOOTH_STRIKE_WORK_H

#include "nonsmooth/strike.h"

enum { STROKE_COLUMNS = 6 }; /* of the extrapolation, which has order 12 then */

struct strike_all_work;

struct strike_work {
    int rows, elements, loads; /* there is room for these */
    friction_work *friction;

    /* strike_one. */
    double *start;          /* rows: velocities before the impact */
    double *normal;         /* rows: normal forces of friction_choose */
    bool *held;             /* elements: locked by a jam */
    bool *stop;             /* elements: to be brought to rest now */
    int *stops;             /* elements: how often slip that began stopped again at once */
    friction_state *state;  /* elements: of the present step */
    double *until_slip;     /* elements: length of a step until their slip vanishes */
    double *before;         /* rows: velocities at the beginning of a step */
    double *impulse;        /* rows: of a step */
    double *matrix, *right; /* rows x rows, rows: systems of locking impulses */
    double *scratch;        /* of dense_solve */
    int *index;             /* rows: of those systems */

    /* Its steps in which slip directions turn (turn.h). */
    double *y, *y_new;         /* rows + 1: impulses along all rows and work of the normal; at the end of a part */
    double *slope;             /* rows + 1: dy/dtau at y */
    double *z[2];              /* rows + 1: of the midpoint rule */
    double *table;             /* STROKE_COLUMNS x (rows + 1): of the extrapolation */
    double *y_end, *slope_end; /* rows + 1: at the end of a part within which an event is guessed */
    double *speed;             /* rows: velocities */
    friction_state *turned;    /* elements: states, with directions as they turn */
    bool *creeps;              /* elements: slip that began from rest and is still slow */
    double *sign;              /* loads: of scalar load components */
    double *load;              /* elements: loads where the part begins */
    friction_state *begun;     /* elements: states there */

    /* strike_all. */
    struct strike_all_work *all; /* made by strike_all_create */
};

/* Empties a result before an impact. */
void strike_clear(const reduced_problem *p, strike_result *out);

/* Room for strike_all, called by strike_create; NULL when memory runs out. Lives in strike_all.c. */
struct strike_all_work *strike_all_create(carom_arena *arena, int rows, int elements, int loads);

#endif
