/* Room for impacts, shared by the files that implement strike.h. Nothing in it outlives a call. */
#ifndef CAROM_METHODS_IMPACT_STRIKE_WORK_H
#define CAROM_METHODS_IMPACT_STRIKE_WORK_H

#include "methods/impact/strike.h"

enum { STROKE_COLUMNS = 6 }; /* of the extrapolation, which has order 12 then */

struct strike_all_work;

struct strike_work {
    int rows, elements, loads; /* there is room for these */
    friction_work *friction;

    /* strike_one. */
    double *normal;                   /* rows: normal forces of friction_choose */
    bool *held;                       /* elements: locked by a jam */
    bool *stop;                       /* elements: to be brought to rest now */
    friction_state *state;            /* elements: of the present step */
    friction_state *turned;           /* elements: within a step in which directions turn */
    double *speed;                    /* rows: velocities within such a step */
    double *before;                   /* rows: velocities at the beginning of a step */
    double *impulse;                  /* rows: of a step */
    double *matrix, *right;           /* rows x rows, rows: systems of locking impulses */
    double *scratch;                  /* of dense_solve */
    int *index;                       /* rows: of those systems */
    double *y, *y_new, *z[2], *slope; /* rows + 1 each: integration where slip directions turn (stroke_turn.c) */
    double *table;                    /* its extrapolation table: STROKE_COLUMNS of such vectors */
    double *y_end, *slope_end;        /* rows + 1: at the end of its step */
    double *sign;                     /* loads: of scalar load components in its step */
    int *stops;                       /* elements: how often slip that began stopped again at once */
    double *start;                    /* rows: velocities before the impact */
    bool *creeps;                     /* elements: slip that began from rest and is still slow */

    /* strike_all. */
    struct strike_all_work *all; /* made by strike_all_create */
};

/* Room for strike_all, called by strike_create; NULL when memory runs out. Lives in strike_all.c. */
struct strike_all_work *strike_all_create(carom_arena *arena, int rows, int elements, int loads);

#endif
