/* One instant at which an event is resolved (resolve_event.h), in several files.
 *
 * announce.c tells the run, instant.c lets velocities jump, strike_groups.c strikes what approaches, update_active_set.c
 * decides who stays in touch, stabilise.c makes persistent contacts exactly so, resolve_event.c leads through it. */
#ifndef CAROM_METHODS_IMPACT_INSTANT_H
#define CAROM_METHODS_IMPACT_INSTANT_H

#include "contact/jump.h"
#include "methods/impact/resolve_event.h"

typedef struct instant {
    carom_step_context *c;
    impact_work *iw;
    carom_scratch *w;
    carom_state *s;
    const impact_options *options;
    search_limits limits;
    double stick_tolerance;        /* [m/s] slip below this is none */
    double stick_tolerance_struck; /* [m/s] likewise, once velocities have jumped */
    double rest_time;              /* [s] */
    double ahead; /* [s] after which there is no doubt that forces have come to their end; else zero */
} instant;

static inline carom_status no_memory(const instant *now)
{
    return carom_fail(now->c->err, CAROM_NO_MEMORY, "out of memory for contacts");
}

static inline const char *body_name(const instant *now, int body)
{
    return now->iw->model->bodies[body].name;
}

/* ---- announce.c: false when memory runs out ------------------------------------------------------------------------ */

/* A contact's contact begins, ends, or comes to rest. */
bool announce_contact(const instant *now, const contact *s, const contact_value *value, carom_event_kind kind);
bool announce_joint(const instant *now, int joint, carom_event_kind kind, friction_mode before, friction_mode after);

/* Every contact of iw->found that the last jump has given an impulse; groups: as its islands. */
bool announce_impacts(const instant *now, const reduced_problem *groups);

/* A joint that has locked, by its element; none where the element is no joint, or -1. */
bool announce_jam(const instant *now, int element);

/* What is different in iw->next from iw->present. */
bool announce_changes(const instant *now);

/* ---- instant.c ----------------------------------------------------------------------------------------------------- */

/* Masses and constraints at the state's configuration. */
carom_status instant_place(const instant *now);

/* Everything that touches, into iw->found and reduced at the present velocities. */
carom_status instant_gather(const instant *now);

/* Velocities jump by what r->impulse does; r->u and the ledger follow. */
void instant_jump(const instant *now);

/* Whether a contact of iw->found approaches. */
bool instant_approaches(const instant *now, int k);

/* What somebody whose impacts have no end may write instead of the rule that they follow (resolve_event.c). */
const char *instant_other_rule(const instant *now);

/* Impulses along the rows chosen that make their velocities zero, into r->impulse. */
void instant_stop_rows(const instant *now, const int *rows, int count);

/* The last jump, or the one to come. */
row_jump instant_row_jump(const reduction *r);

/* ---- strike_groups.c ----------------------------------------------------------------------------------------------- */

/* Impacts of all groups of iw->found that approach, each on its own; *again when there were some. */
carom_status instant_strike(const instant *now, bool *again);

/* An impact without collision of one contact alone; *moved: it has changed velocities. */
carom_status instant_strike_alone(const instant *now, int k, bool *moved);

/* How often something happened at this instant to the mechanisms of two bodies, whichever more often; and that it has
 * happened `round` times by now. */
int instant_rounds(const instant *now, const int body[2]);
void instant_count_round(const instant *now, const int body[2], int round);

/* ---- infeasible.c ----------------------------------------------------------------------------------------------------- */

/* Refuses contacts of a group that approach although each alone cannot give way: all that could is prescribed. */
carom_status instant_check_driven(const instant *now, const reduced_part *part);

/* Refuses contacts of a group that approach each other after an impact because no impulse whatever can stop them. */
carom_status instant_check_infeasible(const instant *now, const reduced_part *part);

/* ---- update_active_set.c -------------------------------------------------------------------------------------------------------- */

/* Who of iw->found stays in touch, sticks and slips, into iw->next; *again when velocities had to jump for it. */
carom_status instant_update_active_set(const instant *now, bool *again);

/* A slipping joint whose loads have no solution locks: an internal plastic impact. */
carom_status instant_lock(const instant *now, int element);

/* A persistent contact sticks at once while all that are closed stay so; the reduction is that of iw->present. */
carom_status instant_grip(const instant *now, int k);

/* ---- stabilise.c ------------------------------------------------------------------------------------------------------- */

/* Removes constraint drift: projects persistent contacts and sticking directions back onto their constraints. */
carom_status instant_stabilise(const instant *now);

/* Directions of slip as they are now, from which the next step begins. */
void instant_renew_directions(const instant *now, active_set *set);

/* Notes what was found at one of the contacts that touch: at its joint, or its pair of bodies. */
static inline void instant_note(const instant *now, carom_finding_kind kind, const contact *s, double number,
                                double limit)
{
    finding_place place = s->kind == CONTACT_SURFACE ? finding_at_pair(s->body[0], s->body[1])
                                                     : finding_at_joint(s->a);
    finding_note(&now->w->findings, kind, place, number, limit, *now->s->time);
}

#endif
