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

/* Whether the law loses what the coefficient says: it promises so, or there is no loss, in which all are alike. Laws that
 * come near it by a formula lose what their formula says. */
static bool law_is_exact(const model_interaction *i)
{
    return i->law && (i->law->exact_restitution || (i->law->uses_restitution && i->restitution == 1.0));
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

/* What a step has announced at one instant. */
typedef struct judged_instant {
    double t;
    size_t impacts;
    bool bouncing_ends;
} judged_instant;

/* Counts impacts, by bodies where no joints connect them: j->struck. */
static judged_instant count_instant(const contact_judge *j, const event_list *events, double t)
{
    judged_instant out = { .t = t };
    bool by_body = j->model->joint_count == 0;
    for (int i = 0; by_body && i < j->model->body_count; ++i) {
        j->struck[i] = 0;
    }
    for (size_t k = 0; k < events->count; ++k) {
        const carom_event *e = &events->items[k];
        bool impact = e->t == t && e->kind == CAROM_EVENT_IMPACT;
        out.impacts += impact;
        out.bouncing_ends = out.bouncing_ends || (e->t == t && e->kind == CAROM_EVENT_REST);
        for (int side = 0; impact && by_body && side < 2; ++side) {
            j->struck[e->body[side]]++;
        }
    }
    return out;
}

/* Whether no other impact at the same instant has to do with it: through joints everybody may be connected. */
static bool strikes_alone(const contact_judge *j, const judged_instant *now, const carom_event *e)
{
    bool alone = now->impacts == 1 || j->model->joint_count == 0;
    for (int side = 0; alone && now->impacts > 1 && side < 2; ++side) {
        bool free = j->model->bodies[e->body[side]].role == BODY_FREE;
        alone = !free || j->struck[e->body[side]] == 1;
    }
    return alone;
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

/* Whether the law of restitution alone says what the impact loses. */
static bool loses_by_restitution(const contact_judge *j, const judged_instant *now, const carom_event *e,
                                 const model_interaction *i)
{
    bool smooth = i && i->mu == 0.0 && e->friction == CAROM_FRICTION_NONE && !joints_rub(j->model, e);
    return smooth && isnan(i->impulse) && strikes_alone(j, now, e) && !now->bouncing_ends;
}

void judge_impacts(const contact_judge *j, carom_scratch *w)
{
    const event_list *events = &w->events;
    judged_instant now = { .t = (double)NAN };
    for (size_t k = 0; j->model->method->announces && k < events->count; ++k) {
        const carom_event *e = &events->items[k];
        if (e->kind != CAROM_EVENT_IMPACT || !(e->speed < 0.0)) {
            continue;
        }
        now = e->t == now.t ? now : count_instant(j, events, e->t);
        const model_interaction *i = interaction_of(j, e);
        if (loses_by_restitution(j, &now, e, i)) {
            finding_place place = e->joint != CAROM_NONE ? finding_at_joint(e->joint)
                                                         : finding_at_pair(e->body[0], e->body[1]);
            note_loss(w, place, lost_part(e->speed, e->speed_after), 1.0 - i->restitution * i->restitution,
                      fmax(OFF_BY_ROUNDING, j->model->method->impact_error));
        }
    }
}
