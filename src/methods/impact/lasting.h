/* Lasting contacts: contacts that stay closed, what friction does there and in the joints, and the forces that follow.
 *
 * Within a step the set and its modes are fixed: closed contacts are constraints of the accelerations, sticking ones across
 * the normal too, slipping ones and slipping joints carry friction against their slip from true normal forces. Between
 * steps events change the set. What a state remembers of it are its records. */
#ifndef CAROM_METHODS_IMPACT_LASTING_H
#define CAROM_METHODS_IMPACT_LASTING_H

#include "contact/advancement.h"
#include "contact/points.h"
#include "contact/totals.h"
#include "methods/impact/reduction.h"
#include "nonsmooth/rest.h"

/* What friction does at a closed contact. */
typedef struct active_mode {
    friction_mode mode;
    bool idle;      /* it carries nothing: others keep it closed */
    bool held;      /* its friction is at its end, as if it slipped, but others hold it */
    v3 direction_w; /* of slip when the step began: A relative to B */
} active_mode;

typedef struct contact_set {
    contact_list contacts; /* ascending by contact_compare */
    active_mode *modes;    /* one each */
    size_t mode_capacity;
    friction_state *joints; /* one for each joint with friction */
} contact_set;

typedef struct impact_work {
    const carom_model *model;
    near_search *near;
    reduction reduced;       /* of the last evaluation, or of the event being treated */
    contact_set present;     /* of the state loaded last */
    contact_set last;        /* of the step that led there, for frames inside it */
    contact_set next;        /* of the event being treated */
    const contact_set *at;   /* which of them evaluations belong to; NULL: no forces at all */
    contact_records records; /* from which `present` was made */
    bool load_failed;
    double still;       /* [m/s] slip below this is none */
    double still_given; /* [m/s] likewise, where velocities are given */
    double speed;       /* [m/s] of what is fast */

    /* Of the last evaluation. */
    rest_answer answer;
    bool solved;   /* it has an answer */
    bool jammed;   /* some evaluation of the step found no loads of joints: */
    int culprit;   /* the element that slips there */
    int gripped;   /* lasting contact whose friction lets no step succeed, or -1 */
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
    double *margins;          /* of the search: at present, and the lowest of all evaluations of the step */
    double *shift;            /* of the search: which of them it follows, and how */
    bool watching;            /* evaluations keep the lowest */
    size_t margin_capacity, shift_capacity;
} impact_work;

extern const contact_forces impact_forces;

/* Room for contacts in the arrays above and in the reduction; false when memory runs out. */
bool lasting_reserve(impact_work *iw, size_t contacts);

bool contact_set_reserve(contact_set *set, size_t count);
bool contact_set_copy(contact_set *to, const contact_set *from, int joint_count);

/* The mode of a contact in a set; NULL: it is not closed. */
const active_mode *contact_set_find(const contact_set *set, const contact *s);

/* The set that the records of a state speak of becomes the present one; contact_forces.load. */
void lasting_load(void *self, const carom_state *s);

/* Writes the set into records; false when memory runs out. */
bool lasting_remember(const contact_set *set, const impact_work *iw, contact_records *out);

/* The set iw->next, written into the records of the state, becomes the present one. */
void lasting_take(impact_work *iw, const carom_state *s);

/* Whether a margin is that of a slip, not of a force. */
bool lasting_slips(const impact_work *iw, int margin);

/* Forces that miss their bounds by this part of the largest do so without doubt: a thousand times what the choice of who
 * opens, sticks, slips takes for rounding. */
static const double LASTING_NO_DOUBT = 1e-5;

/* A margin below which the set was wrong from the start: slip that begins has none yet, forces may hover at their ends. */
double lasting_used_up(const impact_work *iw, int margin);

/* A margin up to which what begins a step need not come to its end there: slip that is only about to begin. Of slip that
 * fades where the step begins, rounding. */
double lasting_can_end(const impact_work *iw, int margin);

/* [s] until the slip of a margin is used up as it changes in the present evaluation, negative: since it has been; zero where it
 * does not fade. */
double lasting_slip_left(const impact_work *iw, int margin);

/* How far the present evaluation is from a change of the set, in the order: force of every contact; friction margin of every
 * contact, of every joint. Positive: no change. Forces are divided by a typical force, slips by a typical speed, plus a
 * little so that rounding is no change. Count: 2 contacts + joints. */
int lasting_margin_count(const impact_work *iw);
void lasting_margins(const impact_work *iw, double *out);

/* From now on evaluations keep the lowest margins, which come behind the present ones in iw->margins. False when memory
 * runs out. */
bool lasting_watch(impact_work *iw);

/* Turns a direction of slip along the slip where that goes on, and goes on across it by more than `still`. */
void lasting_turn(const double *slip, int dim, double still, double *direction);

/* Speed that stands for fast in this model at these rates [m/s]. */
double lasting_speed_scale(const carom_scratch *w, const body_rate *rate);

/* Slip below this is none [m/s]: integration error of the fastest, or what friction stops in no time. Slip that comes to its
 * end is an event, at which what slips less than twice as much may stick. */
double lasting_still(const carom_scratch *w, const body_rate *rate);
/* Likewise where velocities are given, not integrated. */
double lasting_still_given(const carom_scratch *w, const body_rate *rate);

#endif
