/* What the state remembers of contacts: who touched in the last step, its mean force and whether it sticks; and what others see of
 * it: points and totals. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "methods/constraint/constraint_work.h"

enum { STICKS = 1u, TOUCHES = 2u };

/* Kinds of records: who is rigid; above them the other edge, plus one, where edges cross. */
enum { RIGID_SLAVE = 1u, RIGID_OTHER = 2u, EDGE_SHIFT = 2 };

/* Facets count no more than their point: a point touches a surface once. Edges cross any number of others. */
static contact_record record_of(const contact_key *key)
{
    uint32_t edge = key->edges ? ((uint32_t)key->facet + 1u) << EDGE_SHIFT : 0u;
    return (contact_record){ .a = (uint32_t)key->slave,
                             .b = (uint32_t)key->other,
                             .kind = (key->rigid_slave ? RIGID_SLAVE : 0u) | (key->rigid_other ? RIGID_OTHER : 0u) |
                                     edge,
                             .feature = (uint32_t)key->point };
}

static int compare_points(const contact_key *a, const contact_key *b)
{
    const contact_record x = record_of(a);
    const contact_record y = record_of(b);
    return contact_record_compare(&x, &y);
}

static contact_sum *find_sum(constraint_work *cw, const contact_key *key, int *place)
{
    int low = 0;
    int high = cw->sum_count;
    while (low < high) {
        int middle = (low + high) / 2;
        int order = compare_points(&cw->sums[middle].last.key, key);
        if (order == 0) {
            return &cw->sums[middle];
        }
        *(order < 0 ? &low : &high) = order < 0 ? middle + 1 : middle;
    }
    *place = low;
    return NULL;
}

static v3 impulse_w(const node_contact *c)
{
    v3 P = v3_scale(c->impulse[0], c->normal_w);
    for (int t = 0; t < c->tangent_count; ++t) {
        P = v3_axpy(P, c->impulse[1 + t], c->tangent_w[t]);
    }
    return P;
}

static bool same_surfaces(const contact_key *a, const contact_key *b)
{
    return a->rigid_slave == b->rigid_slave && a->slave == b->slave && a->rigid_other == b->rigid_other &&
           a->other == b->other;
}

/* Each pair of surfaces counts once, in any order. */
uint64_t hash_touching(const constraint_work *cw)
{
    uint64_t hash = 0;
    for (int i = 0; i < cw->sum_count; ++i) {
        const contact_key *key = &cw->sums[i].last.key;
        bool counted = !(cw->sums[i].last.impulse[0] > 0.0);
        for (int k = 0; k < i && !counted; ++k) {
            counted = cw->sums[k].last.impulse[0] > 0.0 && same_surfaces(&cw->sums[k].last.key, key);
        }
        const int numbers[4] = { key->rigid_slave, key->slave, key->rigid_other, key->other };
        hash += counted ? 0 : carom_hash(CAROM_HASH_START, numbers, sizeof numbers);
    }
    return hash;
}

bool was_sticking(const constraint_work *cw, const contact_key *key)
{
    int place = 0;
    constraint_work *reading = (constraint_work *)(uintptr_t)cw;
    const contact_sum *sum = find_sum(reading, key, &place);
    return sum && sum->last.sticks;
}

bool add_to_sums(constraint_work *cw)
{
    for (int k = 0; k < cw->sum_count; ++k) {
        contact_sum *sum = &cw->sums[k];
        sum->pressed = sum->last.impulse[0] > 0.0;
        sum->stuck = sum->last.sticks;
        sum->fresh = false;
        sum->last.impulse[0] = 0.0; /* unless it is pressed now */
    }
    for (int i = 0; i < cw->contact_count; ++i) {
        const node_contact *c = &cw->contacts[i];
        int place = 0;
        contact_sum *sum = find_sum(cw, &c->key, &place);
        if (!sum && !(c->impulse[0] > 0.0)) {
            continue;
        }
        if (!sum) {
            if (!CAROM_ARRAY_RESERVE(cw->sums, cw->sum_capacity, (size_t)cw->sum_count + 1)) {
                return false;
            }
            sum = &cw->sums[place];
            memmove(sum + 1, sum, (size_t)(cw->sum_count - place) * sizeof *sum);
            *sum = (contact_sum){ 0 };
            cw->sum_count++;
        }
        sum->last = *c;
        sum->fresh = true;
        sum->impulse_w = v3_add(sum->impulse_w, impulse_w(c));
    }
    return true;
}

/* Those that pressed at the end of the step, or within it. */
bool remember_contacts(constraint_work *cw, carom_state *s)
{
    contact_records *records = &s->contacts;
    if (!contact_records_reserve(records, (size_t)cw->sum_count + LEAP_RECORDS)) {
        return false;
    }
    records->count = 0;
    for (int k = 0; k < cw->sum_count; ++k) {
        const contact_sum *sum = &cw->sums[k];
        contact_record r = record_of(&sum->last.key);
        bool pressed = sum->last.impulse[0] > 0.0;
        if (!pressed && v3_norm2(sum->impulse_w) == 0.0) {
            continue;
        }
        r.state = (pressed ? TOUCHES : 0u) | (pressed && sum->last.sticks ? STICKS : 0u) |
                  ((uint32_t)sum->last.key.facet << 2);
        v3_store(r.value, v3_scale(cw->sum_time > 0.0 ? 1.0 / cw->sum_time : 1.0, sum->impulse_w));
        records->items[records->count++] = r;
    }
    leap_remember(s, &cw->place);
    return true;
}

void load_records(constraint_work *cw, const carom_state *s)
{
    cw->sum_count = 0;
    cw->just_ended = false;
    cw->place = (leap_place){ 0 };
    leap_find(s, &cw->place);
    cw->load_failed = !CAROM_ARRAY_RESERVE(cw->sums, cw->sum_capacity, s->contacts.count + 1);
    for (size_t k = 0; !cw->load_failed && k < s->contacts.count; ++k) {
        const contact_record *r = &s->contacts.items[k];
        if (r->a == UINT32_MAX) { /* of the step, not of a contact */
            continue;
        }
        contact_sum *sum = &cw->sums[cw->sum_count++];
        *sum = (contact_sum){ 0 };
        bool edges = r->kind >> EDGE_SHIFT != 0u;
        sum->last.key = (contact_key){ .edges = edges,
                                       .rigid_slave = (r->kind & RIGID_SLAVE) != 0u,
                                       .rigid_other = (r->kind & RIGID_OTHER) != 0u,
                                       .slave = (int)r->a,
                                       .point = (int)r->feature,
                                       .other = (int)r->b,
                                       .facet = (int)(edges ? (r->kind >> EDGE_SHIFT) - 1u : r->state >> 2) };
        sum->last.sticks = (r->state & STICKS) != 0u;
        resolve_bodies(cw->model, &sum->last);
        sum->last.impulse[0] = r->state & TOUCHES ? 1.0 : 0.0;
        cw->just_ended = cw->just_ended || !(r->state & TOUCHES);
        sum->impulse_w = v3_load(r->value); /* a force until the step begins */
    }
}

void make_points(constraint_work *cw, const carom_scratch *w)
{
    cw->points.count = 0;
    contact_totals_clear(&cw->totals, cw->model);
    cw->load_failed = cw->load_failed || !contact_points_reserve(&cw->points, (size_t)cw->sum_count + 1);
    for (int k = 0; !cw->load_failed && k < cw->sum_count; ++k) {
        const contact_sum *sum = &cw->sums[k];
        node_contact c = { .key = sum->last.key, .beside = true }; /* it may have moved off since it was pressed */
        if (!measure_contact(w, &c)) {
            continue;
        }
        contact_sight seen = { .body = c.body[0],
                               .other = c.body[1],
                               .gap = c.gap,
                               .p_w = c.p_w,
                               .normal_w = c.normal_w,
                               .force_w = sum->impulse_w };
        contact_points_push(&cw->points, &seen, c.interaction);
        contact_totals_add(&cw->totals, w->pose, c.body, c.p_w, sum->impulse_w, c.gap);
    }
}
