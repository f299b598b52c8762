/* The active set: contacts that stay closed, the mode of friction in each and in the joints, and the forces that follow.
 *
 * Within a step the set and its modes are fixed: closed contacts are constraints of the accelerations, sticking ones across
 * the normal too, slipping ones and slipping joints carry friction against their slip from true normal forces. Between
 * steps events change the set. What a state remembers of it are its records. */
#ifndef CAROM_METHODS_IMPACT_ACTIVE_SET_H
#define CAROM_METHODS_IMPACT_ACTIVE_SET_H

#include "contact/advancement.h"
#include "contact/points.h"
#include "contact/totals.h"
#include "methods/impact/reduction.h"
#include "nonsmooth/rest.h"

/* The contact mode of a closed contact. */
typedef struct active_mode {
    friction_mode mode;
    bool inactive;  /* it carries nothing: others keep it closed */
    bool at_cone;   /* its friction is on the cone, as if it slipped, but others keep it from slipping */
    v3 direction_w; /* of slip when the step began: A relative to B */
} active_mode;

typedef struct active_set {
    contact_list contacts; /* ascending by contact_compare */
    active_mode *modes;    /* one each */
    size_t mode_capacity;
    friction_state *joints; /* one for each joint with friction */
} active_set;

typedef struct impact_work {
    const carom_model *model;
    near_search *near;
    reduction reduced;       /* of the last evaluation, or of the event being treated */
    active_set present;      /* of the state loaded last */
    active_set last;         /* of the step that led there, for frames inside it */
    active_set next;         /* of the event being treated */
    const active_set *at;    /* which of them evaluations belong to; NULL: no forces at all */
    contact_records records; /* from which `present` was made */
    bool load_failed;
    double stick_tolerance;       /* [m/s] slip below this is none */
    double stick_tolerance_given; /* [m/s] likewise, where velocities are given */
    double speed;                 /* [m/s] of what is fast */

    /* Of the last evaluation. */
    rest_answer answer;
    bool solved;   /* it has an answer */
    bool jammed;   /* some evaluation of the step found no loads of joints: */
    int culprit;   /* the element that slips there */
    int gripped;   /* persistent contact whose friction lets no step succeed, or -1 */
    bool repeated; /* the step before has ended where it began: what it treated is not treated again */
    int stalled;   /* steps in a row that did so */
    contact_points points;
    contact_totals totals;

    /* Room. */
    carom_arena arena;
    carom_arena moment; /* for the treatment of one event */
    v3 *hint;           /* contacts */
    friction_state *state;
    bool *closed;
    size_t room; /* for so many contacts */
    gap_list gaps;
    double *margin;           /* collider_count */
    motion_bound *bounds;     /* body_count: how fast bodies move at most within the step */
    struct dense_step *piece; /* a part of the step, of bodies that the search follows: */
    motion_bound *in_piece;   /* body_count: the same within that part */
    contact_list found;       /* contacts touching where an event is treated */
    int *rounds;              /* free_count + 1: of the event being treated, for each component of the mechanism */
    body_rate *rate_before;   /* body_count: before the last jump */
    double *event_values;     /* event functions at present, and the lowest values of all evaluations of the step */
    double *shift;            /* of the search: what is added to each; HUGE_VAL: it is not followed */
    bool watching;            /* evaluations keep the lowest */
    size_t event_capacity, shift_capacity;
} impact_work;

extern const contact_forces impact_forces;

/* Room for contacts in the arrays above and in the reduction; false when memory runs out. */
bool impact_work_reserve(impact_work *iw, size_t contacts);

bool active_set_reserve(active_set *set, size_t count);
bool active_set_copy(active_set *to, const active_set *from, int joint_count);

/* The mode of a contact in a set; NULL: it is not closed. */
const active_mode *active_set_find(const active_set *set, const contact *s);

/* The set that the records of a state speak of becomes the present one; contact_forces.load. */
void active_set_load(void *self, const carom_state *s);

/* Writes the set into records; false when memory runs out. */
bool active_set_record(const active_set *set, const impact_work *iw, contact_records *out);

/* The set iw->next, written into the records of the state, becomes the present one. */
void active_set_take_next(impact_work *iw, const carom_state *s);

/* True if an event function is that of a slip, not of a force. */
bool event_function_is_slip(const impact_work *iw, int event);

/* Forces that miss their bounds by this part of the largest do so without doubt: a thousand times what the choice of who
 * opens, sticks, slips takes for rounding. */
static const double EVENT_NO_DOUBT = 1e-5;

/* Event-function value below which the active set is rejected at the start of a step. New slip starts at zero; contact forces
 * may sit exactly on their bound. */
double event_function_used_up(const impact_work *iw, int event);

/* Event-function value up to which a function at the start of a step is not followed: slip that is about to begin. Of slip
 * that fades where the step begins, rounding. */
double event_function_can_end(const impact_work *iw, int event);

/* [s] until the slip of an event function ends at the rate of the present evaluation, negative: since it has been; zero
 * where it does not fade. */
double event_function_slip_left(const impact_work *iw, int event);

/* How far the present evaluation is from a change of the set, in the order: normal force of every contact; friction of every
 * contact, of every joint. Positive: no change. Forces are divided by a typical force, slips by a typical speed, plus a
 * little so that rounding is no change. Count: 2 contacts + joints. */
int event_function_count(const impact_work *iw);
void event_functions_evaluate(const impact_work *iw, double *out);

/* From now on evaluations keep the lowest values of the event functions, which come behind the present ones in
 * iw->event_values. False when memory runs out. */
bool active_set_watch(impact_work *iw);

/* Turns a direction of slip along the slip where that goes on, and goes on across it by more than the tolerance. */
void turn_slip_direction(const double *slip, int dim, double stick_tolerance, double *direction);

/* Speed that stands for fast in this model at these rates [m/s]. */
double impact_speed_scale(const carom_scratch *w, const body_rate *rate);

/* Slip below this is none [m/s]: integration error of the fastest, or what friction stops in no time. Slip that comes to its
 * end is an event, at which what slips less than twice as much may stick. */
double stick_tolerance_at(const carom_scratch *w, const body_rate *rate);
/* Likewise where velocities are given, not integrated. */
double stick_tolerance_given(const carom_scratch *w, const body_rate *rate);

#endif
