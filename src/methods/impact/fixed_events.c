/* Events of fixed steps, per pair of bodies and not per point: contact begins with the first point that presses and ends with the last, sticks where
 * some point holds and slips where none does; an impact is an approach faster than the threshold. */
#include <math.h>

#include "dynamics/work.h"
#include "math/quat.h"
#include "methods/impact/fixed_work.h"

/* What the points between two bodies did before the step, and do now. */
typedef struct pair_modes {
    const fixed_contact *hardest; /* that is pressed now, or the first that was */
    int pressing[2];
    carom_friction_state friction[2];
    double fastest; /* [m/s] approach of a point that presses now */
    double lost;    /* [J] */
    v3 impulse_w;   /* on the lower body */
} pair_modes;

static bool presses(const fixed_contact *c)
{
    return v3_dot(c->impulse_w, c->normal_w) > 0.0;
}

static void add_mode(pair_modes *m, int when, const fixed_contact *c, bool pressed, bool sticks)
{
    if (pressed) {
        carom_friction_state own = c->mu == 0.0 ? CAROM_FRICTION_NONE
                                   : sticks     ? CAROM_FRICTION_STICK
                                                : CAROM_FRICTION_SLIP;
        m->pressing[when]++;
        m->friction[when] = m->friction[when] == CAROM_FRICTION_STICK || own == CAROM_FRICTION_NONE
                                ? m->friction[when]
                                : own;
    }
}

static void add_point(pair_modes *m, const fixed_contact *c)
{
    double sign = c->body[0] < c->body[1] ? 1.0 : -1.0;
    double normal = v3_dot(c->impulse_w, c->normal_w);
    v3 friction = v3_axpy(c->impulse_w, -normal, c->normal_w);
    add_mode(m, 0, c, c->was_pressed, c->was_sticking);
    add_mode(m, 1, c, presses(c), c->sticks);
    if (presses(c)) {
        m->fastest = fmin(m->fastest, c->before);
        m->impulse_w = v3_axpy(m->impulse_w, sign, c->impulse_w);
        m->lost -= 0.5 * (normal * (c->before + c->after) + v3_dot(friction, v3_add(c->slip_before, c->slip_after)));
    }
    bool harder = !m->hardest || normal > v3_dot(m->hardest->impulse_w, m->hardest->normal_w);
    m->hardest = (presses(c) || c->was_pressed) && harder ? c : m->hardest;
}

static carom_event event_of(const carom_scratch *w, const pair_modes *m, carom_event_kind kind)
{
    const fixed_contact *c = m->hardest;
    bool ascending = c->body[0] < c->body[1];
    double sign = ascending ? 1.0 : -1.0;
    double per_arm = c->couple > 0.0 ? 1.0 / c->couple : 1.0;
    return (carom_event){ .t = w->t,
                          .kind = kind,
                          .body = { c->body[!ascending], c->body[ascending] },
                          .position = c->p_w,
                          .normal = v3_scale(sign, c->normal_w),
                          .speed = per_arm * (kind == CAROM_EVENT_CONTACT_OFF ? c->after : c->before),
                          .speed_after = per_arm * c->after,
                          .slip = v3_scale(sign, c->slip_before),
                          .slip_after = v3_scale(sign, c->slip_after),
                          .joint = c->joint,
                          .friction = m->friction[0],
                          .friction_after = m->friction[1] };
}

static bool announce_pair(fixed_work *fw, carom_scratch *w, const pair_modes *m)
{
    bool before = m->pressing[0] > 0;
    bool now = m->pressing[1] > 0;
    bool ok = true;
    if (!m->hardest) {
        return true;
    }
    if (before != now) {
        fw->switches++;
        ok = event_list_push(&w->events, event_of(w, m, now ? CAROM_EVENT_CONTACT_ON : CAROM_EVENT_CONTACT_OFF));
    } else if (m->friction[0] != m->friction[1] && m->friction[0] != CAROM_FRICTION_NONE &&
               m->friction[1] != CAROM_FRICTION_NONE) {
        bool sticks = m->friction[1] == CAROM_FRICTION_STICK;
        ok = event_list_push(&w->events, event_of(w, m, sticks ? CAROM_EVENT_STICK : CAROM_EVENT_SLIP));
    }
    double threshold = fw->options->impact_speed > 0.0
                           ? fw->options->impact_speed
                           : FIXED_IMPACT * fixed_gravity(fw->model) * fw->place_in_step.h;
    if (ok && now && m->fastest < -threshold) {
        carom_event e = event_of(w, m, CAROM_EVENT_IMPACT);
        e.impulse = v3_scale(m->hardest->couple > 0.0 ? m->hardest->couple : 1.0, m->impulse_w);
        e.energy_lost = m->lost;
        ok = event_list_push(&w->events, e);
    }
    return ok;
}

/* Whether nothing changed at a contact: most of them, in most steps. */
static bool is_calm(const fixed_contact *c, double threshold)
{
    bool now = presses(c);
    return now == c->was_pressed && (!now || (c->sticks == c->was_sticking && c->before >= -threshold));
}

static bool same_bodies(const fixed_contact *a, const fixed_contact *b)
{
    return a->body[0] == b->body[0] && a->body[1] == b->body[1] && a->joint == b->joint;
}

static fixed_contact *contact_between(fixed_work *fw, const int body[2], int joint)
{
    int low = 0;
    int high = fw->contact_count;
    while (low < high) {
        int middle = (low + high) / 2;
        bool before = fixed_compare_pairs(fw->contacts[middle].body, body) < 0;
        *(before ? &low : &high) = before ? middle + 1 : middle;
    }
    while (low < fw->contact_count && fixed_compare_pairs(fw->contacts[low].body, body) == 0 &&
           fw->contacts[low].joint != joint) {
        ++low;
    }
    bool found = low < fw->contact_count && fixed_compare_pairs(fw->contacts[low].body, body) == 0;
    return found ? &fw->contacts[low] : NULL;
}

static bool announce_end(carom_scratch *w, const fixed_memory *m, const int body[2], int joint)
{
    const body_pose *pose = &w->pose[body[0]];
    v3 p_w = v3_add(pose->x_w, q_rotate(pose->q_wb, m->point_c));
    carom_event e = { .t = w->t,
                      .kind = CAROM_EVENT_CONTACT_OFF,
                      .body = { body[0] < body[1] ? body[0] : body[1], body[0] < body[1] ? body[1] : body[0] },
                      .position = p_w,
                      .joint = joint };
    return event_list_push(&w->events, e);
}

/* Points that pressed and are no longer near: their pair goes on by other points, or has parted. */
static bool follow_lost_points(fixed_work *fw, carom_scratch *w)
{
    int last[2] = { -1, -1 };
    bool ok = true;
    for (int k = 0; ok && k < fw->memory_count; ++k) {
        const fixed_memory *m = &fw->memory[k];
        if (m->taken || !m->pressed) {
            continue;
        }
        int body[2];
        int joint = CAROM_NONE;
        fixed_memory_bodies(fw, m, body, &joint);
        fixed_contact *c = contact_between(fw, body, joint);
        if (c) {
            c->was_pressed = true;
            c->was_sticking = c->was_sticking || m->sticks;
        } else if (fixed_compare_pairs(last, body) != 0) {
            fw->switches++;
            last[0] = body[0];
            last[1] = body[1];
            ok = announce_end(w, m, body, joint);
        }
    }
    return ok;
}

/* A joint that begins to stick, or to slip. */
static bool announce_rubbing(const fixed_work *fw, carom_scratch *w, int joint)
{
    const joint_equations *e = &fw->joints[fw->joint_place[joint]];
    const model_joint *j = &fw->model->joints[joint];
    bool ascending = j->body[0] < j->body[1];
    carom_friction_state before = fw->rub_state[joint];
    carom_friction_state now = fixed_rub_state(e);
    if (before == now || before == CAROM_FRICTION_NONE || now == CAROM_FRICTION_NONE) {
        return true;
    }
    return event_list_push(&w->events,
                           (carom_event){ .t = w->t,
                                          .kind = now == CAROM_FRICTION_STICK ? CAROM_EVENT_STICK : CAROM_EVENT_SLIP,
                                          .body = { j->body[!ascending], j->body[ascending] },
                                          .position = w->frames[joint].a.p_w,
                                          .joint = joint,
                                          .friction = before,
                                          .friction_after = now });
}

bool fixed_announce(fixed_work *fw, carom_scratch *w)
{
    double threshold = FIXED_IMPACT * fixed_gravity(fw->model) * fw->place_in_step.h;
    threshold = fw->options->impact_speed > 0.0 ? fw->options->impact_speed : threshold;
    bool ok = follow_lost_points(fw, w);
    for (int k = 0; ok && k < fw->contact_count;) {
        bool calm = true;
        pair_modes m = { .friction = { CAROM_FRICTION_NONE, CAROM_FRICTION_NONE } };
        int end = k;
        for (; end < fw->contact_count && same_bodies(&fw->contacts[end], &fw->contacts[k]); ++end) {
            calm = calm && is_calm(&fw->contacts[end], threshold);
            add_point(&m, &fw->contacts[end]);
        }
        ok = calm || announce_pair(fw, w, &m);
        k = end;
    }
    for (int j = 0; ok && j < fw->model->joint_count; ++j) {
        ok = !fixed_rubs(&fw->model->joints[j]) || announce_rubbing(fw, w, j);
    }
    return ok;
}
