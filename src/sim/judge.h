/* What a balance of energy cannot see of contact, found by looking at the ends of steps. Findings go into the scratch's
 * list; what has to be remembered from step to step lies in the run's memory of contacts, and so in its checkpoint. */
#ifndef CAROM_SIM_JUDGE_H
#define CAROM_SIM_JUDGE_H

#include "collision/exact_touch.h"
#include "dynamics/work.h"
#include "model/frame.h"
#include "model/colliders.h"
#include "model/near.h"

typedef struct contact_judge {
    const carom_model *model;
    carom_arena arena;
    int *first;        /* body_count + 1: where a body's colliders begin in `own` */
    int *own;          /* collider_count: colliders by their bodies */
    double *thickness; /* collider_count: [m] smallest width; infinite for planes */
    double *thinnest;  /* body_count: of the body's colliders */
    bool *unbounded;   /* body_count: has a plane: its centre means nothing */
    bool *held;        /* body_count: a joint or a force acts on it */
    bool *round;       /* body_count: has a cylinder, that may roll */
    int *struck;       /* body_count: impacts at the instant looked at */
    near_search *near; /* where steps are fixed, which may jump over a body; else NULL */
    double *travel;    /* collider_count: [m] within the step */
    exact_list room;   /* for gaps of whole elements */
} contact_judge;

carom_status judge_create(contact_judge *j, const carom_model *model, carom_error *err);
void judge_free(contact_judge *j);

/* The points of one pair of bodies where a step ends, or a run begins. */
typedef struct judged_pair {
    const carom_contact_point *points;
    int count;
    const carom_contact_point *hardest;
    const model_interaction *interaction; /* there; NULL: unknown */
    touching_pair *now;
    const touching_pair *before; /* NULL: it did not touch */
    pair_total *total;
    double dt; /* [s] of the step */
    bool at_start;
} judged_pair;

/* A pair that touches, and one that has parted. False when memory runs out. */
bool judge_touching(const contact_judge *j, carom_scratch *w, const judged_pair *p);
void judge_parted(const contact_judge *j, carom_scratch *w, const touching_pair *before, pair_total *total,
                  double dt);

/* Impacts that the step has announced. */
void judge_impacts(const contact_judge *j, carom_scratch *w);

/* What does not take a contact: joints with clearance that have opened too far, bodies that a fixed step has carried
 * through others. */
carom_status judge_step(contact_judge *j, carom_scratch *w, carom_error *err);

/* What pairs have been through, when the run ends. */
void judge_totals(const contact_judge *j, const pair_totals *totals, finding_list *out);

/* Whether all values of a frame are finite; else *out names the first body with one that is not, or the run where another
 * value is not. */
bool judge_frame(const carom_model *model, const result_frame *frame, finding *out);

/* Steps thrown away, energy made by numerics and what of it they have booked as lost [J], when the run ends at t. */
void judge_numbers(const run_progress *p, double lost, double t, finding_list *out);

/* ---- parts -------------------------------------------------------------------------------------------------------- */

/* The collider of a body that is nearest to touching at a point, which is inside it by `depth` or so; -1: none. */
int judge_collider_at(const contact_judge *j, const carom_scratch *w, int body, v3 p_w, double depth);

/* The field of a collider at a point of the world. */
field_sample judge_field(const contact_judge *j, const carom_scratch *w, int index, v3 p_w);

/* Counts a touch of a pair with this speed [m/s]: of surfaces, or an impact. */
void judge_chatter(const contact_judge *j, carom_scratch *w, pair_total *total, double speed);

/* judge_pass.c: whether the centre of one body has got to the far side of the other. */
void judge_sides(const contact_judge *j, carom_scratch *w, const judged_pair *p);
void judge_sides_parted(const contact_judge *j, carom_scratch *w, const touching_pair *before);

bool judge_flights(contact_judge *j, carom_scratch *w); /* false when memory runs out */

/* judge_missed.c: pairs that met within a fixed step that is too long for them. False when memory runs out. */
bool judge_missed(contact_judge *j, carom_scratch *w);

/* judge_play.c: how far joints with clearance have opened. */
void judge_play(const contact_judge *j, carom_scratch *w);

/* judge_roll.c: what contact takes from a cylinder that rolls. */
void judge_rolling(const contact_judge *j, const carom_scratch *w, const judged_pair *p);

/* judge_patch.c: flat contact on few points, edges that cross. */
void judge_surfaces(const contact_judge *j, carom_scratch *w, const judged_pair *p);

/* judge_impact.c: how much of the energy of its approach a pair has lost when it parts. */
void judge_bounce(const contact_judge *j, carom_scratch *w, const judged_pair *p);
void judge_bounce_parted(const contact_judge *j, carom_scratch *w, const touching_pair *before);

#endif
