/* Events of explicit steps: between two bodies contact begins with the first node that presses and ends with the last, sticks where some node
 * holds and slips where none does. Single nodes come and go too often to be listed: they are counted. */
#include "dynamics/work.h"
#include "methods/constraint/constraint_work.h"

static bool presses(const contact_sum *sum)
{
    return sum->last.impulse[0] > 0.0;
}

static bool same_bodies(const contact_sum *a, const contact_sum *b)
{
    return (a->last.body[0] == b->last.body[0] && a->last.body[1] == b->last.body[1]) ||
           (a->last.body[0] == b->last.body[1] && a->last.body[1] == b->last.body[0]);
}

/* What the nodes between two bodies did before a step, or do now. */
typedef struct pair_mode {
    int pressing;
    carom_friction_state friction;
} pair_mode;

static void add_node_mode(pair_mode *m, const contact_sum *sum, bool pressed, bool sticks)
{
    if (pressed) {
        m->pressing++;
        carom_friction_state own = sum->last.tangent_count == 0 ? CAROM_FRICTION_NONE
                                   : sticks                     ? CAROM_FRICTION_STICK
                                                                : CAROM_FRICTION_SLIP;
        m->friction = m->friction == CAROM_FRICTION_STICK || own == CAROM_FRICTION_NONE ? m->friction : own;
    }
}

/* The place that the event names: the node that is pressed hardest, else the first that was. */
static const contact_sum *hardest_of(const contact_sum *a, const contact_sum *b)
{
    return !a || (b->last.impulse[0] > a->last.impulse[0]) ? b : a;
}

static v3 slip_of(const constraint_work *cw, const node_contact *c, bool before)
{
    v3 slip = v3_zero();
    for (int t = 0; t < c->tangent_count; ++t) {
        const node_row *row = &cw->rows[c->first_row + 1 + t];
        slip = v3_axpy(slip, before ? row->before : row->after, c->tangent_w[t]);
    }
    return slip;
}

/* Velocities are those of this step's rows, where it has some for the node. */
static bool announce_pair(const constraint_work *cw, carom_scratch *w, const contact_sum *at, carom_event_kind kind,
                          const pair_mode modes[2])
{
    node_contact parted = at->last;
    if (!at->fresh) {
        measure_contact(w, &parted);
    }
    const node_contact *c = &parted;
    bool ascending = c->body[0] < c->body[1];
    double sign = ascending ? 1.0 : -1.0;
    carom_event event = { .t = w->t,
                          .kind = kind,
                          .body = { c->body[!ascending], c->body[ascending] },
                          .position = c->p_w,
                          .normal = v3_scale(sign, c->normal_w),
                          .joint = CAROM_NONE,
                          .friction = modes[0].friction,
                          .friction_after = modes[1].friction };
    if (at->fresh) {
        const node_row *row = &cw->rows[c->first_row];
        event.speed = kind == CAROM_EVENT_CONTACT_OFF ? row->after : row->before;
        event.speed_after = cw->rows[c->first_row].after;
        event.slip = v3_scale(sign, slip_of(cw, c, true));
        event.slip_after = v3_scale(sign, slip_of(cw, c, false));
    }
    return event_list_push(&w->events, event);
}

/* All nodes between two bodies, of which the list has the first at `from`. */
static bool compare_pair(const constraint_work *cw, carom_scratch *w, int from)
{
    pair_mode modes[2] = { { 0, CAROM_FRICTION_NONE }, { 0, CAROM_FRICTION_NONE } };
    const contact_sum *at = NULL;
    for (int k = from; k < cw->sum_count; ++k) {
        const contact_sum *sum = &cw->sums[k];
        if (same_bodies(&cw->sums[from], sum)) {
            add_node_mode(&modes[0], sum, sum->pressed, sum->stuck);
            add_node_mode(&modes[1], sum, presses(sum), sum->last.sticks);
            at = sum->pressed || presses(sum) ? hardest_of(at, sum) : at;
        }
    }
    if ((modes[0].pressing > 0) != (modes[1].pressing > 0)) {
        return announce_pair(cw, w, at, modes[1].pressing > 0 ? CAROM_EVENT_CONTACT_ON : CAROM_EVENT_CONTACT_OFF,
                             modes);
    }
    bool same = modes[0].friction == modes[1].friction || modes[1].friction == CAROM_FRICTION_NONE ||
                modes[0].friction == CAROM_FRICTION_NONE;
    return same ||
           announce_pair(cw, w, at, modes[1].friction == CAROM_FRICTION_STICK ? CAROM_EVENT_STICK : CAROM_EVENT_SLIP,
                         modes);
}

bool announce_switches(constraint_work *cw, carom_scratch *w)
{
    bool changed = false;
    bool ok = true;
    for (int k = 0; k < cw->sum_count; ++k) {
        const contact_sum *sum = &cw->sums[k];
        bool now = presses(sum);
        cw->switches += now != sum->pressed;
        changed = changed || now != sum->pressed || (now && sum->last.sticks != sum->stuck);
    }
    for (int k = 0; changed && ok && k < cw->sum_count; ++k) {
        bool first = true;
        for (int i = 0; first && i < k; ++i) {
            first = !same_bodies(&cw->sums[i], &cw->sums[k]);
        }
        ok = !first || compare_pair(cw, w, k);
    }
    return ok;
}

bool announce_phase(carom_scratch *w, const node_contact *nearest, double energy_lost)
{
    carom_event event = { .t = w->t, .kind = CAROM_EVENT_TOPOLOGY, .joint = CAROM_NONE, .energy_lost = energy_lost };
    if (nearest) {
        bool ascending = nearest->body[0] < nearest->body[1];
        event.body[0] = nearest->body[!ascending];
        event.body[1] = nearest->body[ascending];
        event.position = nearest->p_w;
        event.normal = v3_scale(ascending ? 1.0 : -1.0, nearest->normal_w);
    }
    return event_list_push(&w->events, event);
}
