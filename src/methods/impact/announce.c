/* Events of an instant, for the run's list. */
#include "methods/impact/instant.h"

static bool announce(const instant *now, carom_event event)
{
    event.t = *now->s->time;
    return event_list_push(&now->w->events, event);
}

/* Speeds at stops of angles are angular velocities, and impulses torques times time. */
static carom_event event_at(const instant *now, const contact *s, const contact_value *v, carom_event_kind kind)
{
    double rate = v->gap.rate / contact_arm(s, now->iw->model);
    return (carom_event){ .kind = kind,
                          .body = { s->body[0], s->body[1] },
                          .position = v->gap.point_w,
                          .normal = v->gap.normal_w,
                          .speed = rate,
                          .speed_after = rate,
                          .joint = s->kind == CONTACT_SURFACE ? CAROM_NONE : s->a,
                          .mode = s->feature.mode };
}

bool announce_contact(const instant *now, const contact *s, const contact_value *value, carom_event_kind kind)
{
    return announce(now, event_at(now, s, value, kind));
}

static carom_friction_state state_name(friction_mode mode)
{
    return mode == FRICTION_STICK  ? CAROM_FRICTION_STICK
           : mode == FRICTION_SLIP ? CAROM_FRICTION_SLIP
                                   : CAROM_FRICTION_NONE;
}

bool announce_joint(const instant *now, int joint, carom_event_kind kind, friction_mode before, friction_mode after)
{
    const model_joint *j = &now->iw->model->joints[joint];
    bool ascending = j->body[0] < j->body[1];
    return announce(now, (carom_event){ .kind = kind,
                                        .body = { j->body[!ascending], j->body[ascending] },
                                        .position = now->w->frames[joint].a.p_w,
                                        .joint = joint,
                                        .friction = state_name(before),
                                        .friction_after = state_name(after) });
}

/* As the list of events has it: what others hold sticks. */
static friction_mode shown_mode(const active_mode *mode)
{
    return !mode ? FRICTION_NONE : mode->at_cone ? FRICTION_STICK : mode->mode;
}

static friction_mode slip_mode(const instant *now, v3 slip, double mu)
{
    return !(mu > 0.0) ? FRICTION_NONE : v3_norm(slip) > now->stick_tolerance ? FRICTION_SLIP : FRICTION_STICK;
}

static bool announce_impact(const instant *now, int k)
{
    const reduction *r = &now->iw->reduced;
    const contact *s = &now->iw->found.items[k];
    int e = r->element[k];
    row_jump jump = instant_row_jump(r);
    v3 before = reduction_slip(r, now->w, s, k, now->iw->rate_before);
    v3 after = reduction_slip(r, now->w, s, k, now->s->rate);
    carom_event event = event_at(now, s, &r->values[k], CAROM_EVENT_IMPACT);
    double arm = contact_arm(s, now->iw->model);
    event.speed = r->u_before[k] / arm;
    event.speed_after = r->u[k] / arm;
    event.slip = before;
    event.slip_after = after;
    event.impulse = v3_axpy(reduction_across(r, k, r->impulse), arm * r->impulse[k], r->values[k].gap.normal_w);
    event.energy_lost = jump_energy_lost(&jump, k, 1) +
                        (e >= 0 ? jump_energy_lost(&jump, r->elements[e].first_row, r->elements[e].dim) : 0.0);
    event.friction = state_name(slip_mode(now, before, s->mu));
    event.friction_after = state_name(slip_mode(now, after, s->mu));
    return announce(now, event);
}

/* An impulse below this is rounding of the largest one of its group. */
static const double LEAST_IMPULSE = 1e-12;

bool announce_impacts(const instant *now, const reduced_problem *groups)
{
    const reduction *r = &now->iw->reduced;
    double *largest = CAROM_ARENA_ARRAY(&now->iw->moment, double, groups->island_count + 1);
    bool ok = largest != NULL;
    for (int k = 0; k < r->contact_count && ok; ++k) {
        double *here = &largest[groups->island[k]];
        *here = fmax(*here, fabs(r->impulse[k]));
    }
    for (int k = 0; k < r->contact_count && ok; ++k) {
        double least = LEAST_IMPULSE * largest[groups->island[k]];
        ok = fabs(r->impulse[k]) <= least || announce_impact(now, k);
    }
    return ok;
}

bool announce_jam(const instant *now, int element)
{
    const reduction *r = &now->iw->reduced;
    int first_joint = r->problem.element_count - r->joint_count;
    bool joint = element >= first_joint && element < r->problem.element_count;
    return !joint ||
           announce_joint(now, r->joints[element - first_joint], CAROM_EVENT_JAM, FRICTION_SLIP, FRICTION_STICK);
}

static bool announce_change(const instant *now, const contact *s, const active_mode *before, const active_mode *after)
{
    contact_value value;
    contact_evaluate(s, now->w, &value);
    carom_event_kind kind = !before                               ? CAROM_EVENT_CONTACT_ON
                            : !after                              ? CAROM_EVENT_CONTACT_OFF
                            : shown_mode(after) == FRICTION_STICK ? CAROM_EVENT_STICK
                                                                  : CAROM_EVENT_SLIP;
    carom_event event = event_at(now, s, &value, kind);
    event.friction = state_name(shown_mode(before));
    event.friction_after = state_name(shown_mode(after));
    return announce(now, event);
}

/* The set that was and the one that follows. */
bool announce_changes(const instant *now)
{
    const active_set *before = &now->iw->present;
    const active_set *after = &now->iw->next;
    bool ok = true;
    for (size_t k = 0; k < before->contacts.count && ok; ++k) {
        const contact *s = &before->contacts.items[k];
        ok = active_set_find(after, s) || announce_change(now, s, &before->modes[k], NULL);
    }
    for (size_t k = 0; k < after->contacts.count && ok; ++k) {
        const contact *s = &after->contacts.items[k];
        const active_mode *was = active_set_find(before, s);
        bool same = was && shown_mode(was) == shown_mode(&after->modes[k]);
        ok = same || announce_change(now, s, was, &after->modes[k]);
    }
    for (int k = 0; k < now->iw->reduced.joint_count && ok; ++k) {
        friction_mode was = before->joints[k].mode;
        friction_mode is = after->joints[k].mode;
        bool same = was == is || was == FRICTION_NONE;
        carom_event_kind kind = is == FRICTION_STICK ? CAROM_EVENT_STICK : CAROM_EVENT_SLIP;
        ok = same || announce_joint(now, now->iw->reduced.joints[k], kind, was, is);
    }
    return ok;
}
