/* What a state remembers of persistent contacts: one record for each, and one for each joint with friction. */
#include "methods/impact/active_set.h"

#include <stdlib.h>
#include <string.h>

enum { RECORD_JOINT = 1000 };
enum { RECORD_MODE = 3, RECORD_INACTIVE = 4, RECORD_AT_CONE = 8, RECORD_SIDE = 16 }; /* parts of a contact's state */

static uint32_t record_kind(const contact *s)
{
    return 64u * (uint32_t)s->kind + 2u * (uint32_t)s->feature.kind + (uint32_t)s->feature.swapped;
}

static contact_record record_of(const contact *s, const active_mode *mode)
{
    contact_record record = { .a = (uint32_t)s->a,
                              .b = (uint32_t)s->b,
                              .kind = record_kind(s),
                              .feature = s->feature.feature[0],
                              .partner = s->feature.feature[1],
                              .state = (uint32_t)mode->mode | (mode->inactive ? RECORD_INACTIVE : 0u) |
                                       (mode->at_cone ? RECORD_AT_CONE : 0u) |
                                       (s->feature.side < 0.0 ? RECORD_SIDE : 0u) };
    v3_store(record.value, mode->direction_w);
    return record;
}

static int compare_records(const void *x, const void *y)
{
    return contact_record_compare(x, y);
}

void active_set_take_next(impact_work *iw, const carom_state *s)
{
    iw->load_failed = !active_set_copy(&iw->present, &iw->next, iw->reduced.joint_count) ||
                      !contact_records_copy(&iw->records, &s->contacts) ||
                      !impact_work_reserve(iw, iw->present.contacts.count);
}

bool active_set_record(const active_set *set, const impact_work *iw, contact_records *out)
{
    size_t joints = (size_t)iw->reduced.joint_count;
    if (!contact_records_reserve(out, set->contacts.count + joints + 1)) {
        return false;
    }
    out->count = 0;
    for (size_t k = 0; k < set->contacts.count; ++k) {
        out->items[out->count++] = record_of(&set->contacts.items[k], &set->modes[k]);
    }
    for (size_t k = 0; k < joints; ++k) {
        const friction_state *f = &set->joints[k];
        out->items[out->count++] = (contact_record){ .a = (uint32_t)iw->reduced.joints[k],
                                                     .kind = RECORD_JOINT,
                                                     .state = (uint32_t)f->mode,
                                                     .value = { f->direction[0], f->direction[1], f->direction[2] } };
    }
    qsort(out->items, out->count, sizeof *out->items, compare_records);
    return true;
}

static bool fits(const contact *s, const contact_record *record)
{
    return record_kind(s) == record->kind && s->a == (int)record->a && s->b == (int)record->b &&
           s->feature.feature[0] == record->feature && s->feature.feature[1] == record->partner;
}

/* The features of a pair of surfaces that a record speaks of: it touches where the state is. */
static bool find_surface(impact_work *iw, const carom_state *s, const contact_record *record, contact *out)
{
    gap_pair pair = contact_colliders(iw->model, (int)record->a, (int)record->b);
    carom_pose pose_w[2];
    for (int side = 0; side < 2; ++side) {
        const body_pose *p = &s->pose[iw->model->colliders[side == 0 ? record->a : record->b].body];
        pose_w[side] = (carom_pose){ p->x_w, p->q_wb };
    }
    iw->gaps.count = 0;
    if (!gap_find(&iw->gaps, &pair, pose_w, 1e-6 * iw->model->length_scale)) {
        iw->load_failed = true;
        return false;
    }
    for (size_t k = 0; k < iw->gaps.count; ++k) {
        *out = contact_of_surface(iw->model, (int)record->a, (int)record->b, &iw->gaps.items[k]);
        if (fits(out, record)) {
            return true;
        }
    }
    return false;
}

static bool find_at_joint(const impact_work *iw, const contact_record *record, contact *out)
{
    contact contacts[CONTACT_PER_JOINT];
    int count = contact_of_joint(iw->model, (int)record->a, contacts);
    for (int k = 0; k < count; ++k) {
        if (fits(&contacts[k], record)) {
            *out = contacts[k];
            return true;
        }
    }
    return false;
}

static active_mode mode_in(const contact_record *record)
{
    return (active_mode){ .mode = (friction_mode)(record->state & RECORD_MODE),
                          .inactive = (record->state & RECORD_INACTIVE) != 0,
                          .at_cone = (record->state & RECORD_AT_CONE) != 0,
                          .direction_w = v3_load(record->value) };
}

static void load_contact(impact_work *iw, const carom_state *s, const contact_record *record)
{
    contact found;
    active_set *set = &iw->present;
    bool surface = record->kind < 64u * CONTACT_STOP;
    uint32_t most = (uint32_t)(surface ? iw->model->collider_count : iw->model->joint_count);
    bool known = record->a < most && (!surface || record->b < most);
    if (!known || (surface && !model_interaction_of(iw->model, (int)record->a, (int)record->b))) {
        return; /* a checkpoint that somebody has changed */
    }
    if (!(surface ? find_surface(iw, s, record, &found) : find_at_joint(iw, record, &found))) {
        return;
    }
    bool other_side = (record->state & RECORD_SIDE) != 0;
    if ((found.feature.side < 0.0) != other_side) {
        contact_flip(&found);
    }
    size_t k = set->contacts.count;
    if (!contact_list_push(&set->contacts, &found) || !active_set_reserve(set, k + 1)) {
        iw->load_failed = true;
        return;
    }
    active_mode mode = mode_in(record);
    for (; k > 0 && contact_compare(&set->contacts.items[k - 1], &found) > 0;
         --k) { /* the order of contacts is another */
        set->contacts.items[k] = set->contacts.items[k - 1];
        set->modes[k] = set->modes[k - 1];
    }
    set->contacts.items[k] = found;
    set->modes[k] = mode;
}

static void load_mode(impact_work *iw, const contact_record *record)
{
    for (size_t k = 0; k < iw->present.contacts.count; ++k) {
        if (fits(&iw->present.contacts.items[k], record)) {
            iw->present.modes[k] = mode_in(record);
        }
    }
}

static void load_joint(impact_work *iw, const contact_record *record)
{
    for (int k = 0; k < iw->reduced.joint_count; ++k) {
        if (iw->reduced.joints[k] == (int)record->a) {
            iw->present.joints[k] = (friction_state){ (friction_mode)record->state,
                                                      { record->value[0], record->value[1], record->value[2] } };
        }
    }
}

/* The same contacts, seen from the same sides; modes and directions may differ. */
static bool same_contacts(const contact_records *x, const contact_records *y)
{
    bool same = x->count == y->count;
    for (size_t k = 0; k < x->count && same; ++k) {
        const contact_record *p = &x->items[k];
        const contact_record *q = &y->items[k];
        same = contact_record_compare(p, q) == 0 && (p->state & RECORD_SIDE) == (q->state & RECORD_SIDE);
    }
    return same;
}

void active_set_load(void *self, const carom_state *s)
{
    impact_work *iw = self;
    bool known = !iw->load_failed && same_contacts(&iw->records, &s->contacts);
    iw->at = &iw->present;
    iw->load_failed = !contact_records_copy(&iw->records, &s->contacts);
    iw->present.contacts.count = known ? iw->present.contacts.count : 0;
    memset(iw->present.joints, 0, (size_t)iw->reduced.joint_count * sizeof *iw->present.joints);
    for (size_t k = 0; k < s->contacts.count && !iw->load_failed; ++k) {
        const contact_record *record = &s->contacts.items[k];
        if (record->kind == RECORD_JOINT) {
            load_joint(iw, record);
        } else if (known) {
            load_mode(iw, record);
        } else {
            load_contact(iw, s, record);
        }
    }
    iw->load_failed = iw->load_failed || !impact_work_reserve(iw, iw->present.contacts.count);
}
