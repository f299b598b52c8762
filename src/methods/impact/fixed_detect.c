/* Contacts of a fixed step: all points of near pairs whose gaps may close before the next one, with exact gaps. Convex shapes give
 * their manifold, all others the features of gap functions. */
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "contact/candidate.h"
#include "math/quat.h"
#include "methods/impact/fixed_work.h"
#include "model/colliders.h"

/* ---- how far things may move ------------------------------------------------------------------------------------------------ */

static double way_of(const fixed_work *fw, const carom_scratch *w, int index, double h)
{
    int body = fw->model->colliders[index].body;
    const body_rate *u = &w->rate[body];
    double spin = v3_norm(u->omega_w);
    double turn = spin > 0.0 ? fmin(fw->near->reach[index], w->model->length_scale * 1e3) * spin : 0.0;
    double gained = fixed_moves(fw->model, body) ? fixed_gravity(fw->model) * h : 0.0;
    return h * (v3_norm(u->v_w) + turn + 2.0 * gained);
}

static void set_margins(fixed_work *fw, const carom_scratch *w, double h)
{
    for (int i = 0; i < fw->model->collider_count; ++i) {
        double size = model_collider_size(&fw->model->colliders[i]);
        double room = isfinite(size) ? FIXED_MARGIN * size : 0.0;
        fw->margin[i] = room + 1.5 * way_of(fw, w, i, h);
    }
}

int fixed_compare_pairs(const int x[2], const int y[2])
{
    int first = (x[0] > y[0]) - (x[0] < y[0]);
    return first != 0 ? first : (x[1] > y[1]) - (x[1] < y[1]);
}

/* The memories of a pair of colliders; returns how many. */
static int memories_of(fixed_work *fw, const int pair[2], fixed_memory **first)
{
    int low = 0;
    int high = fw->memory_count;
    while (low < high) {
        int middle = (low + high) / 2;
        bool before = fixed_compare_pairs(fw->memory[middle].collider, pair) < 0;
        *(before ? &low : &high) = before ? middle + 1 : middle;
    }
    int end = low;
    while (end < fw->memory_count && fixed_compare_pairs(fw->memory[end].collider, pair) == 0) {
        ++end;
    }
    *first = fw->memory + low;
    return end - low;
}

/* ---- points of a pair ---------------------------------------------------------------------------------------------------------- */

bool fixed_add_contact(fixed_work *fw, const fixed_contact *c)
{
    if (!CAROM_ARRAY_RESERVE(fw->contacts, fw->contact_capacity, (size_t)fw->contact_count + 1)) {
        return false;
    }
    fixed_contact *out = &fw->contacts[fw->contact_count++];
    *out = *c;
    out->tangent_w[0] = v3_across(c->normal_w);
    out->tangent_w[1] = v3_cross(c->normal_w, out->tangent_w[0]);
    return true;
}

static bool add_contact(fixed_work *fw, int a, int b, v3 p_w, v3 normal_w, double gap, uint32_t code,
                        uint32_t feature, uint32_t partner)
{
    const carom_model *m = fw->model;
    const model_interaction *interaction = model_interaction_of(m, a, b);
    return fixed_add_contact(fw, &(fixed_contact){ .collider = { a, b },
                                                   .joint = CAROM_NONE,
                                                   .body = { m->colliders[a].body, m->colliders[b].body },
                                                   .code = code,
                                                   .feature = feature,
                                                   .partner = partner,
                                                   .interaction = interaction,
                                                   .mu = interaction->mu,
                                                   .restitution = interaction->restitution,
                                                   .p_w = p_w,
                                                   .normal_w = normal_w,
                                                   .gap = gap });
}

static const placed_convex *place(fixed_work *fw, int index)
{
    placed_convex *p = &fw->placed[index];
    const convex *shape = collider_convex(fw->model->colliders[index].collider);
    if (!fw->is_placed[index]) {
        fw->is_placed[index] = convex_place(p, shape, fw->near->pose_w[index]);
    }
    return fw->is_placed[index] ? p : NULL;
}

static bool add_manifold(fixed_work *fw, int a, int b, double margin)
{
    manifold_point points[MANIFOLD_MOST];
    const placed_convex *x = place(fw, a);
    const placed_convex *y = place(fw, b);
    bool ok = x && y;
    int count = ok ? manifold_find(x, y, margin, points) : 0;
    for (int k = 0; ok && k < count; ++k) {
        const manifold_point *p = &points[k];
        ok = add_contact(fw, a, b, p->p_w, p->normal_w, p->gap, CODE_MANIFOLD, p->feature, p->partner);
    }
    return ok;
}

static bool add_feature(fixed_work *fw, int a, int b, const gap_feature *f, const gap_motion moves[2])
{
    gap_value g;
    gap_measure(f, &moves[0], &moves[1], &g);
    uint32_t code = CODE_GAP + 2u * (uint32_t)f->kind + (f->swapped ? 1u : 0u);
    return add_contact(fw, a, b, g.point_w, g.normal_w, g.gap, code, f->feature[0], f->feature[1]);
}

/* Whether a contact of this pair, from `first` on, has the features of a memory. */
static bool is_found(const fixed_work *fw, int first, const fixed_memory *m)
{
    bool found = false;
    for (int i = first; i < fw->contact_count && !found; ++i) {
        const fixed_contact *c = &fw->contacts[i];
        found = c->code == m->code && c->feature == m->feature && c->partner == m->partner;
    }
    return found;
}

/* What pressed in the step before and has sunk into a notch, where nothing is found any more. */
static bool follow_features(fixed_work *fw, const gap_pair *pair, int a, int b, const gap_motion moves[2], int first)
{
    const carom_pose pose_w[2] = { moves[0].pose_w, moves[1].pose_w };
    fixed_memory *memory = NULL;
    int count = memories_of(fw, (const int[2]){ a, b }, &memory);
    bool ok = true;
    for (int k = 0; ok && k < count; ++k) {
        const fixed_memory *m = &memory[k];
        if (m->code < CODE_GAP || is_found(fw, first, m)) {
            continue;
        }
        gap_feature f = { .kind = (gap_kind)((m->code - CODE_GAP) / 2u),
                          .swapped = (m->code - CODE_GAP) % 2u == 1u,
                          .feature = { m->feature, m->partner } };
        ok = !gap_follow(&f, pair, pose_w, FIXED_BEYOND) || add_feature(fw, a, b, &f, moves);
    }
    return ok;
}

static bool add_features(fixed_work *fw, const carom_scratch *w, int a, int b, double margin)
{
    const gap_pair pair = contact_colliders(fw->model, a, b);
    const int body[2] = { fw->model->colliders[a].body, fw->model->colliders[b].body };
    const gap_motion moves[2] = { contact_motion(&w->pose[body[0]], &w->rate[body[0]]),
                                  contact_motion(&w->pose[body[1]], &w->rate[body[1]]) };
    const carom_pose pose_w[2] = { moves[0].pose_w, moves[1].pose_w };
    const int first = fw->contact_count;
    bool ok = gap_find(&fw->features, &pair, pose_w, margin);
    for (size_t k = 0; ok && k < fw->features.count; ++k) {
        const gap_feature *f = &fw->features.items[k];
        ok = f->mode == CAROM_MODE_NONE || add_feature(fw, a, b, f, moves);
    }
    return ok && follow_features(fw, &pair, a, b, moves, first);
}

static bool add_pair(fixed_work *fw, const carom_scratch *w, int a, int b)
{
    const carom_model *m = fw->model;
    if (!fixed_moves(m, m->colliders[a].body) && !fixed_moves(m, m->colliders[b].body)) {
        return true;
    }
    double margin = fw->margin[a] + fw->margin[b];
    bool exact = collider_convex(m->colliders[a].collider) && collider_convex(m->colliders[b].collider);
    return exact ? add_manifold(fw, a, b, margin) : add_features(fw, w, a, b, margin);
}

/* ---- what was there before ------------------------------------------------------------------------------------------------------ */

static int compare_contacts(const void *x, const void *y)
{
    const fixed_contact *a = x;
    const fixed_contact *b = y;
    int pair = fixed_compare_pairs(a->body, b->body);
    pair = pair != 0 ? pair : fixed_compare_pairs(a->collider, b->collider);
    const uint32_t keys[3][2] = { { a->code, b->code }, { a->feature, b->feature }, { a->partner, b->partner } };
    for (int k = 0; pair == 0 && k < 3; ++k) {
        pair = (keys[k][0] > keys[k][1]) - (keys[k][0] < keys[k][1]);
    }
    return pair;
}

/* Pairs of colliders come in order, and mostly so do those of bodies. */
static void sort_contacts(fixed_work *fw)
{
    bool sorted = true;
    for (int i = 1; sorted && i < fw->contact_count; ++i) {
        sorted = compare_contacts(&fw->contacts[i - 1], &fw->contacts[i]) <= 0;
    }
    if (!sorted) {
        qsort(fw->contacts, (size_t)fw->contact_count, sizeof *fw->contacts, compare_contacts);
    }
}

/* Of the memories of its pair the one with the same features, else the nearest point within 1 % of the body's reach. */
static fixed_memory *memory_of(const fixed_contact *c, fixed_memory *first, int count, v3 point_c, double near)
{
    fixed_memory *best = NULL;
    double least = near;
    for (int k = 0; k < count; ++k) {
        fixed_memory *m = &first[k];
        if (m->taken) {
            continue;
        }
        if (m->code == c->code && m->feature == c->feature && m->partner == c->partner) {
            return m;
        }
        double distance = v3_norm(v3_sub(m->point_c, point_c));
        if (distance < least) {
            least = distance;
            best = m;
        }
    }
    return best;
}

static v3 point_in_body(const carom_scratch *w, const fixed_contact *c)
{
    const body_pose *pose = &w->pose[c->body[0]];
    return q_unrotate(pose->q_wb, v3_sub(c->p_w, pose->x_w));
}

static void take_memories(fixed_work *fw, const carom_scratch *w, double kick)
{
    for (int k = 0; k < fw->memory_count; ++k) {
        fw->memory[k].taken = false;
    }
    for (int i = 0; i < fw->contact_count; ++i) {
        fixed_contact *c = &fw->contacts[i];
        fixed_memory *first = NULL;
        int count = memories_of(fw, c->collider, &first);
        double near = 0.01 * fw->model->bodies[c->body[0]].reach;
        fixed_memory *m = count > 0 ? memory_of(c, first, count, point_in_body(w, c), near) : NULL;
        if (m) {
            m->taken = true;
            c->impulse_w = v3_scale(kick, m->force_w);
            c->was_pressed = m->pressed;
            c->was_sticking = m->sticks;
        }
    }
}

bool fixed_find_contacts(fixed_work *fw, const carom_scratch *w, double h, double kick)
{
    const box_pair *pairs = NULL;
    size_t count = 0;
    set_margins(fw, w, h);
    near_place(fw->near, w->pose, NULL, fw->margin);
    bool ok = near_find(fw->near, &pairs, &count);
    fw->contact_count = 0;
    for (int i = 0; i < fw->model->collider_count; ++i) {
        fw->is_placed[i] = false;
    }
    for (size_t k = 0; ok && k < count; ++k) {
        ok = add_pair(fw, w, pairs[k].a, pairs[k].b);
    }
    ok = ok && fixed_add_stops(fw, w);
    sort_contacts(fw);
    take_memories(fw, w, kick);
    fw->deepest = 0.0;
    for (int i = 0; i < fw->contact_count; ++i) {
        fw->deepest = fmax(fw->deepest, -fw->contacts[i].gap);
    }
    return ok;
}
