/* Parts of the search for events. Internal to search*.c. */
#ifndef CAROM_METHODS_IMPACT_SEARCH_PARTS_H
#define CAROM_METHODS_IMPACT_SEARCH_PARTS_H

#include "dynamics/dense.h"
#include "methods/impact/search.h"

/* ---- how fast two bodies approach (search_approach.c) ------------------------------------------------------------------ */

typedef struct gap_approach {
    double speed;        /* [m/s] of any two points along any direction */
    double acceleration; /* [m/s^2] bound on -g'' along a feature */
    double lever[2];     /* [m] of what may touch, from the centres of mass */
} gap_approach;

/* The step, or a part of it, and how fast bodies move within it. */
typedef struct span {
    const dense_step *d;
    const motion_bound *bounds; /* of every body; in a part: of the two that are followed */
} span;

/* Bounds of the motion of all bodies within the step into iw->bounds; then how much wider every box has to be to hold its
 * collider throughout into iw->margin, half of `near` [m] at least. */
void search_find_bounds(impact_work *iw, carom_scratch *w);
void search_find_margins(impact_work *iw, const dense_step *d, double near);

/* The whole step, whose bounds have been found; its part from t0 to t1, of two bodies, until the next is asked for. */
span search_whole(const impact_work *iw, const carom_scratch *w);
span search_piece(impact_work *iw, const carom_scratch *w, const int body[2], double t0, double t1);

/* Of two colliders, or of two bodies with the levers of what may touch. */
gap_approach search_approach_of_colliders(const impact_work *iw, const span *in, int a, int b);
gap_approach search_approach_of(const impact_work *iw, const span *in, const int body[2], const double lever[2]);

/* How much at most the height of points of one body over a plane fixed to the other, body[on], is accelerated towards it
 * [m/s^2]; n_w: the plane's normal, towards the points. Less than p->acceleration where the plane does not turn. */
double search_approach_onto(const impact_work *iw, const span *in, const gap_approach *p, const int body[2], int on,
                            v3 n_w);

/* Two bodies at a time within the step. */
void search_bodies_at(const impact_work *iw, carom_scratch *w, const int body[2], double t, contact_bodies *out);

/* ---- what persistent contacts keep outside (search_flush.c) -------------------------------------------------------------- */

/* A moment at which contacts are looked at: within the step, or with all bodies at hand. */
typedef struct moment {
    const impact_work *iw;
    carom_scratch *w; /* of the step; not needed where poses are given */
    double t;         /* [s] */
    const body_pose *pose;
    const body_rate *rate;
    const double *near; /* joint coordinates nearby */
} moment;

/* Whether persistent contacts say that the contact is no contact although its gap and its bounds say so. */
bool search_is_kept_off(const moment *m, const contact *s, const contact_bodies *bodies, const gap_value *g);

/* Whether persistent contacts hold two convex colliders face to face, at three places or more: the one stays above that plane and
 * the other below, and nothing else of them touches. */
bool search_is_face_to_face(const moment *begin, int a, int b);

/* ---- following gaps (search_advancement.c) --------------------------------------------------------------------------------- */

/* Follow the gaps of two colliders, or one contact of a joint, from the beginning of the step and keep the first touch before
 * out->t. False when memory runs out. */
bool search_advance_pair(impact_work *iw, carom_scratch *w, search_limits limits, int a, int b, impact_event *out);
bool search_advance_joint(impact_work *iw, carom_scratch *w, search_limits limits, const contact *s,
                          impact_event *out);

/* ---- how near bodies come (search_distance.c) ---------------------------------------------------------------------- */

#define SEARCH_NEAR 0.1 /* of the model's typical lever arm: distances below that are told */

/* The smallest distance of these pairs, and of all contacts of joints, within a step that nothing touches in; infinite where
 * none is near. False when memory runs out. */
bool search_distance(impact_work *iw, carom_scratch *w, const box_pair *pairs, size_t count, double *out);

#endif
