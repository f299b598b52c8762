/* Loss in impacts against the coefficient of restitution.
 *
 * Where two bodies strike each other at one place, without friction and without anything else acting on them for that
 * while, the speed along the normal is e times what it was: the part 1 - e^2 of the energy of the approach is lost,
 * whatever their shapes. Impacts that do not meet these conditions say nothing, and are not judged. */
#include "sim/judge.h"

#include <string.h>

#include "dynamics/contact.h"
#include "dynamics/dense.h"
#include "model/method.h"
#include "sim/contact_watch.h"

/* Parts of the energy of approach. Of forces: speeds are interpolated within steps. Of impulses: rounding, with margin. */
static const double OFF_BY_STEPS = 0.05;
static const double OFF_BY_ROUNDING = 1e-6;

static double lost_part(double before, double after)
{
    return 1.0 - (after / before) * (after / before);
}

static void note_loss(carom_scratch *w, finding_place place, double lost, double law, double most_off)
{
    if (fabs(lost - law) > most_off) {
        finding_note(&w->findings, CAROM_FINDING_IMPACT_LOSS, place, lost, law, w->t);
    }
}

/* ---- contact by forces -------------------------------------------------------------------------------------------- */

/* Laws whose loss is that of the coefficient: one is made for it, and without loss all are alike. Those that come near it
 * by a formula lose what their formula says. */
static bool law_is_exact(const model_interaction *i)
{
    bool made_for_it = i->law && strcmp(i->law->kind.name, "exact-restitution") == 0;
    return made_for_it || (i->law && i->law->uses_restitution && i->restitution == 1.0);
}

/* [m/s] Slower impacts return more than the restitution: the law says so itself. */
static double slowest_exact(const model_interaction *i)
{
    const carom_field *f = i->law->kind.fields;
    while (f->name && strcmp(f->name, "v_min") != 0) {
        ++f;
    }
    return f->name ? *(const double *)((const char *)i->law_params + f->offset) : 0.0;
}

/* Whether a force along the normal at the point turns the body. */
static bool is_central(const contact_judge *j, const carom_scratch *w, int body, const touching_pair *pair)
{
    v3 r = v3_sub(pair->p_w, w->pose[body].x_w);
    double off = v3_norm(v3_cross(r, pair->normal_w));
    return j->model->bodies[body].role != BODY_FREE || off <= 1e-3 * v3_norm(r);
}

static bool is_crowded(const contact_judge *j, const carom_scratch *w, const judged_pair *p)
{
    const touching_pair *pair = p->now;
    const model_interaction *i = p->interaction;
    bool rough = i && i->friction && i->friction->speeds;
    bool held = j->held[pair->body[0]] || j->held[pair->body[1]];
    bool central = is_central(j, w, pair->body[0], pair) && is_central(j, w, pair->body[1], pair);
    return held || p->count > 1 || !i || !law_is_exact(i) || i->per_area || (rough && !central);
}

void judge_bounce(const contact_judge *j, carom_scratch *w, const judged_pair *p)
{
    touching_pair *pair = p->now;
    const touching_pair *before = p->before;
    if (before) {
        pair->began = before->began;
        pair->approach = before->approach;
        pair->pulled = before->pulled;
        pair->crowded = before->crowded || is_crowded(j, w, p);
        return;
    }
    const dense_end *begin = &w->dense->begin;
    pair->crowded = p->at_start || is_crowded(j, w, p);
    if (!pair->crowded) {
        pair->began = begin->t;
        pair->pulled = contact_watch_apart(w, pair, begin->acceleration);
        pair->approach = contact_watch_apart(w, pair, begin->rate) + p->dt * pair->pulled;
        pair->crowded = !(pair->approach < -slowest_exact(p->interaction));
    }
}

/* A pair that has parted: its speed now against that of its approach, where what else pulls can be left out. */
void judge_bounce_parted(const contact_judge *j, carom_scratch *w, const touching_pair *before)
{
    double lasted = w->t - before->began;
    if (before->crowded || fabs(before->pulled) * lasted > 0.01 * fabs(before->approach)) {
        return;
    }
    const model_interaction *i = NULL;
    for (int k = j->first[before->body[0]]; k < j->first[before->body[0] + 1]; ++k) {
        for (int l = j->first[before->body[1]]; l < j->first[before->body[1] + 1]; ++l) {
            int a = j->own[k] < j->own[l] ? j->own[k] : j->own[l];
            int b = j->own[k] < j->own[l] ? j->own[l] : j->own[k];
            const model_interaction *other = model_interaction_of(j->model, a, b);
            if (i && other && i->restitution != other->restitution) {
                return; /* which of their shapes met is not known */
            }
            i = other ? other : i;
        }
    }
    if (i) {
        double after = contact_watch_apart(w, before, w->rate);
        double law = 1.0 - i->restitution * i->restitution;
        note_loss(w, finding_at_pair(before->body[0], before->body[1]), lost_part(before->approach, after), law,
                  OFF_BY_STEPS);
    }
}

/* ---- contact by impulses ------------------------------------------------------------------------------------------ */

/* The one interaction of all shapes of two bodies, or of the joint's bearing; NULL: there are several. */
static const model_interaction *interaction_of(const contact_judge *j, const carom_event *e)
{
    const model_interaction *found = NULL;
    if (e->joint != CAROM_NONE) {
        return e->mode == CAROM_MODE_STOP ? NULL : j->model->joints[e->joint].interaction;
    }
    for (int k = j->first[e->body[0]]; k < j->first[e->body[0] + 1]; ++k) {
        for (int l = j->first[e->body[1]]; l < j->first[e->body[1] + 1]; ++l) {
            int a = j->own[k] < j->own[l] ? j->own[k] : j->own[l];
            int b = j->own[k] < j->own[l] ? j->own[l] : j->own[k];
            const model_interaction *i = model_interaction_of(j->model, a, b);
            if (found && i && (found->restitution != i->restitution || found->mu != i->mu)) {
                return NULL;
            }
            found = i ? i : found;
        }
    }
    return found;
}

static bool shares_body(const carom_model *m, const carom_event *x, const carom_event *y)
{
    bool shared = m->joint_count > 0; /* through joints everybody may be connected */
    for (int k = 0; k < 2; ++k) {
        bool free = m->bodies[x->body[k]].role == BODY_FREE;
        shared = shared || (free && (x->body[k] == y->body[0] || x->body[k] == y->body[1]));
    }
    return shared;
}

/* Whether no other impact at the same instant has to do with it. */
static bool strikes_alone(const carom_model *m, const event_list *events, size_t at)
{
    const carom_event *e = &events->items[at];
    for (size_t k = 0; k < events->count; ++k) {
        const carom_event *other = &events->items[k];
        if (k != at && other->kind == CAROM_EVENT_IMPACT && other->t == e->t && shares_body(m, e, other)) {
            return false;
        }
    }
    return true;
}

static bool bouncing_ends(const event_list *events, double t)
{
    for (size_t k = 0; k < events->count; ++k) {
        if (events->items[k].kind == CAROM_EVENT_REST && events->items[k].t == t) {
            return true;
        }
    }
    return false;
}

/* Whether joints with friction may take part: an impulse loads them, and what they lose is not lost at the contact. */
static bool joints_rub(const carom_model *m, const carom_event *e)
{
    bool rubs = false;
    bool jointed = e->joint != CAROM_NONE;
    for (int k = 0; k < m->joint_count; ++k) {
        const model_joint *joint = &m->joints[k];
        rubs = rubs || joint->friction.coefficient > 0.0;
        for (int side = 0; side < 2; ++side) {
            bool free = m->bodies[joint->body[side]].role == BODY_FREE;
            jointed = jointed || (free && (joint->body[side] == e->body[0] || joint->body[side] == e->body[1]));
        }
    }
    return rubs && jointed;
}

void judge_impacts(const contact_judge *j, carom_scratch *w)
{
    enum { MOST = 1000 }; /* of a step: pairs of them are looked at */
    const event_list *events = &w->events;
    for (size_t k = 0; j->model->method->announces && k < events->count && k < MOST; ++k) {
        const carom_event *e = &events->items[k];
        if (e->kind != CAROM_EVENT_IMPACT || !(e->speed < 0.0)) {
            continue;
        }
        const model_interaction *i = interaction_of(j, e);
        bool smooth = i && i->mu == 0.0 && e->friction == CAROM_FRICTION_NONE && !joints_rub(j->model, e);
        if (smooth && isnan(i->impulse) && strikes_alone(j->model, events, k) && !bouncing_ends(events, e->t)) {
            finding_place place = e->joint != CAROM_NONE ? finding_at_joint(e->joint)
                                                         : finding_at_pair(e->body[0], e->body[1]);
            note_loss(w, place, lost_part(e->speed, e->speed_after), 1.0 - i->restitution * i->restitution,
                      OFF_BY_ROUNDING);
        }
    }
}
