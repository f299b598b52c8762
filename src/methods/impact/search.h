/* Event location: the first moment within the last step at which a gap closes or the set of persistent contacts changes.
 *
 * Gaps are followed over the dense output by bounds that hold: along a feature, g(t + h) >= g + g' h - A h^2/2 with A from
 * the accelerations and turning of both bodies, and no surface comes nearer faster than the fastest relative motion of any
 * two of their points. Time advances as far as these allow, so that no touch is passed, grazing ones included; the
 * crossing itself is then bracketed and narrowed to the last bit: the moment at which the gap is closed and the place of
 * contact within the bounds of its features, so that what is found here is found again where the event is treated. What
 * persistent contacts keep outside (the rim of a table flush with the one that a body slides on) is no touch. */
#ifndef CAROM_METHODS_IMPACT_SEARCH_H
#define CAROM_METHODS_IMPACT_SEARCH_H

#include "methods/impact/active_set.h"

typedef enum event_kind {
    EVENT_NONE,
    EVENT_TOUCH,  /* a gap closes: `contact` */
    EVENT_MODE,   /* a contact opens, sticks or slips, likewise a joint */
    EVENT_BOUNDS, /* a contact leaves its features */
    EVENT_JAM,    /* the loads of slipping joints cease to have a solution */
    EVENT_GRIP,   /* forces of a contact that slips grow without limit */
} event_kind;

typedef struct impact_event {
    event_kind kind;
    double t; /* [s] */
    contact contact;
    int slip;        /* event function of the slip that ends; -1: it is none */
    double ahead;    /* [s] after which there is no doubt that forces have come to their end; else zero */
    double distance; /* [m] smallest of all pairs within the step, 0 where some touch; infinite: none are near */
} impact_event;

/* Limits below which numbers are rounding. */
typedef struct search_limits {
    double gap;   /* [m] */
    double speed; /* [m/s] */
} search_limits;
search_limits search_limits_of(const carom_scratch *w, const body_rate *rate);

/* The last step is in w->dense and w holds the evaluation at its end; afterwards w holds anything. */
carom_status search_first(impact_work *iw, carom_scratch *w, impact_event *out, carom_error *err);

/* The longest step [s] while journals that touch go around in their bearings; infinite where none do. And by how much the
 * last step has let gaps of clearances that touch open or close, 1 being what is allowed (search_play.c). */
double search_play_step(const impact_work *iw, const carom_scratch *w, const carom_state *state);
double search_play_drift(const impact_work *iw, carom_scratch *w);

/* Whether the last step goes beyond a play that was open. */
bool search_play_exceeded(const impact_work *iw, carom_scratch *w);

/* Parts of it: the first change of the set before out->t (search_active_set.c). */
void search_modes(impact_work *iw, carom_scratch *w, impact_event *out);
void search_bounds(impact_work *iw, carom_scratch *w, impact_event *out);

/* All contacts whose gap is below `margin` [m] at these poses, or that come nearer and whose gap is below gap_rounding, into
 * iw->found, ascending; none that persistent contacts keep outside. False when memory runs out. */
bool search_touching(impact_work *iw, const carom_scratch *w, const body_pose *pose, const body_rate *rate,
                     double margin);

#endif
