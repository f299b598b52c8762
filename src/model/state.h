/* The state inside: one header and one block of doubles, so that copy, hash and checkpoint are a memcpy.
 *
 * Positions are of centres of mass. History of integrators (algorithmic accelerations, proposed step) and warm starts
 * are state, because the next step depends on them. What is remembered of contacts comes and goes: a second block of
 * records, ascending by key. */
#ifndef CAROM_MODEL_STATE_H
#define CAROM_MODEL_STATE_H

#include <carom/state.h>

#include "elements/forces/force.h"
#include "model/motion.h"

/* Quantities integrated along with the motion. */
typedef struct ledger_sums {
    double work[ACCOUNT_COUNT]; /* [J] input, or dissipation, by account */
    v3 impulse;                 /* [N s] of everything external */
    v3 angular_impulse;         /* [N m s] about the world origin */
} ledger_sums;

enum { LEDGER_SUMS = (int)(sizeof(ledger_sums) / sizeof(double)) };

/* What is remembered of an event of the scene. */
typedef struct event_memory {
    double count; /* how often it has happened */
    double holds; /* 1: its condition does, 0: it does not; NaN: nobody has looked yet */
    double due;   /* [s] when it happens, if the condition holds until then; infinite: it has, or does not hold */
} event_memory;

/* What a contact method remembers of one touching pair, or of one feature of it. */
typedef struct contact_record {
    uint32_t a, b;    /* colliders, or whatever the method numbers */
    uint32_t kind;    /* of record */
    uint32_t feature; /* point, edge, triangle; 0 where the record is of the pair */
    uint32_t partner; /* feature of the other side, where that matters too */
    uint32_t state;   /* what the method wants to know besides numbers; no part of the key */
    double value[3];
} contact_record;

/* Kinds of records that belong to no method: explicit steps (dynamics/leap.h); own times of prescribed motions that have waited, under the number of their body, or
 * of the row of their driver. Values are the own time [s], its pace over the last step, and when the motion was first held [s]. */
enum { RECORD_BODY_CLOCK = 1000, RECORD_DRIVER_CLOCK, RECORD_LEAP };

typedef struct contact_records {
    contact_record *items; /* ascending by a, b, kind, feature, partner */
    size_t count, capacity;
} contact_records;

struct carom_state {
    uint64_t model_hash; /* of the model it is a state of */
    size_t size;         /* doubles in data */
    double *data;        /* everything below points into it */
    double *time;        /* [s] */
    double *step;        /* [s] the integrator's proposal for the next step; 0: none yet */
    double *last_step;   /* [s] size of the last step, or of the first to come */
    double *
        step_error; /* last local error estimate, for the step controller; of difference formulas 1: there is a last step */
    double *initialised; /* STATE_FRESH or STATE_SET, then STATE_ASSEMBLED, then STATE_STARTED */
    double *step_count;
    body_pose *pose;         /* body_count */
    body_rate *rate;         /* body_count */
    body_rate *acceleration; /* body_count: at the end of the last step */
    body_rate *history;      /* body_count: algorithmic accelerations of generalised-alpha; of difference formulas the
                                velocities with which the last step began */
    body_rate *jerk; /* body_count: change of acceleration per second over the last step; of difference formulas
                                what bodies have moved and turned in it */
    double *sigma;   /* row_count: multipliers, as in paper 1 (24): force = -J^T sigma */
    double *near;    /* coordinate_count: last joint coordinates, to unwrap angles */
    double *coupler_offset; /* coupler_count: constant of each gear, fixed at assembly */
    ledger_sums *sums;
    ledger_sums *power;   /* rates of the sums at the end of the last step */
    double *start;        /* energy, momentum (3), angular momentum (3) after assembly */
    double *input;        /* input_count: set from outside, in SI */
    event_memory *events; /* event_count: of the scene */
    double *q;            /* deform_count: deformation coordinates of all bodies that have some; */
    double *q_dot;        /* their rates, */
    double *q_ddot;       /* accelerations at the end of the last step, */
    double *q_history;    /* algorithmic accelerations of generalised-alpha, */
    double *q_jerk;       /* and change of acceleration per second over the last step */
    double *z;            /* integral_count: what is integrated along with the motion, */
    double *z_dot;        /* its rates at the end of the last step, */
    double *z_history;    /* algorithmic rates of generalised-alpha, */
    double *z_jerk;       /* and change of rates per second over the last step */
    contact_records contacts;
};

enum { STATE_START = 7 };

/* Set: changed from outside; assembly goes on from there, without the scene's starts of joints. Assembled: positions and
 * velocities are consistent, but the method has to (re)start before it steps. */
enum { STATE_SET = -1, STATE_FRESH, STATE_ASSEMBLED, STATE_STARTED };

/* Where a state has everything. */
static inline motion state_motion(const carom_state *s)
{
    return (motion){ s->pose, s->rate, s->q, s->q_dot, s->z };
}

/* Whether it is a state of this model, or of one that was compiled from the same scene; neither may be NULL. */
bool state_fits(const carom_model *model, const carom_state *state);

/* The same for arguments of a public function, any of which may be NULL. */
carom_status state_check(const char *function, const carom_model *model, const carom_state *state, carom_error *err);

/* Whether two states of one model are the same bits. */
bool state_equals(const carom_state *a, const carom_state *b);

/* The body's frame is put there; the velocity of its centre of mass stays. */
void state_set_pose(const carom_model *model, carom_state *state, int body, carom_pose pose);

/* Of the body's frame, as it lies now [m/s, rad/s]. */
void state_set_rate(const carom_model *model, carom_state *state, int body, v3 v_w, v3 omega_w);

/* Room for so many records; false when memory runs out. */
bool contact_records_reserve(contact_records *r, size_t count);
bool contact_records_copy(contact_records *to, const contact_records *from);

/* The order of records: negative, zero or positive as x comes before, is, or comes after y. */
int contact_record_compare(const contact_record *x, const contact_record *y);

/* The record with this key, or NULL; the values of `key` do not matter. */
const contact_record *contact_records_find(const contact_records *r, const contact_record *key);

#endif
