/* From the mechanism to the reduced problem: rows of contacts and of joints with friction, what a unit force along each of
 * them does. One solve with the factored matrix of the mechanism per row; see reduced.h for what comes out. */
#ifndef CAROM_METHODS_IMPACT_REDUCTION_H
#define CAROM_METHODS_IMPACT_REDUCTION_H

#include "contact/response.h"
#include "nonsmooth/reduced_part.h"

typedef struct reduction {
    const carom_model *model;
    int joint_count; /* with friction: each is one element, behind those of the contacts */
    int *joints;
    joint_friction *joint_friction; /* joint_count: at the present point */

    reduced_problem problem; /* points into what follows */
    int contact_count;
    contact_value *values;   /* contact_count */
    int *element;            /* contact_count: its element, or -1 */
    v3 (*tangents)[2];       /* contact_count: directions of its slip rows */
    row_responses responses; /* row_count */
    int *island;             /* row_count */
    double *u;               /* row_count: velocities */
    double *D, *B;
    double *rate, *load; /* the problem's, where accelerations were asked for */
    friction_element *elements;
    load_group *groups;

    /* Room. */
    carom_arena arena;
    carom_arena sized; /* renewed when more contacts than ever before are asked for */
    int contact_capacity;
    strike_work *strike;
    struct rest_work *rest;
    int *joined;         /* components of the mechanism: another one that contacts join it with, or itself */
    int *island_of;      /* likewise: the island, or -1 */
    double *sigma;       /* model rows */
    double *impulse;     /* rows: of an impact */
    double *compression; /* rows */
    double *u_before;    /* rows */
    double *small;       /* for dense_solve */
    int *few;            /* some of the rows */
    reduced_part part;   /* one group or island of the problem */
} reduction;

carom_status reduction_create(reduction *r, const carom_model *model, carom_error *err);
void reduction_free(reduction *r);

/* Room for so many contacts; false when memory runs out. Solvers are made anew when it grows. */
bool reduction_reserve(reduction *r, int contacts);

/* The problem of these contacts and all joints with friction at the point of w, whose constraints are evaluated and whose
 * matrix is factored. With `accelerations`, w->acceleration and w->sigma hold those without any force along the rows.
 * `hint` (NULL: none): contact_count directions in which contacts at rest will slip or have slipped. Slip below the stick
 * tolerance [m/s] counts as none. There is room (reduction_reserve). */
void reduction_make(reduction *r, carom_scratch *w, const contact *contacts, int count, const v3 *hint,
                    bool accelerations, double stick_tolerance);

/* The largest acceleration of any row without forces along them, which stands for large; 1 where nothing accelerates. */
double reduction_largest_rate(const reduction *r);

/* Velocities at the present rates of w. */
void reduction_velocities(reduction *r, const carom_scratch *w);

/* Velocity of A relative to B across the normal at a contact, for any rates of the bodies; zero at a stop. */
v3 reduction_slip(const reduction *r, const carom_scratch *w, const contact *s, int k, const body_rate *rate);

/* The slip of a contact as a vector, from its slip rows' numbers (velocities or forces). */
v3 reduction_across(const reduction *r, int k, const double *rows);

/* Which element belongs to the k-th joint with friction. */
static inline int reduction_joint_element(const reduction *r, int k)
{
    return r->problem.element_count - r->joint_count + k;
}

#endif
