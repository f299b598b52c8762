/* Barriers between near features.
 *
 * With x = gap / range < 1 a contact stores b = -kappa range^2 (x - 1)^2 ln x [Li2020], here of the gap itself, so that
 * -db/dgap is its force in newtons. */
#include "methods/barrier/contacts.h"

#include <string.h>

#include "base/array.h"
#include "base/parallel.h"
#include "methods/barrier/friction.h"
#include "methods/barrier/pairs.h"

barrier_law barrier_at(double gap, double range, double kappa)
{
    double x = gap / range;
    double l = log(x);
    double y = x - 1.0;
    return (barrier_law){ .value = -kappa * range * range * y * y * l,
                          .first = -kappa * range * (2.0 * y * l + y * y / x),
                          .second = -kappa * (2.0 * l + 4.0 * y / x - y * y / (x * x)) };
}

/* ---- contacts of a pair ----------------------------------------------------------------------------------------------------- */

/* Turns are about the origin of B's surface at first. */
static void find_factor(const barrier_work *w, const barrier_pair *p, const surface_pair *now, const surface_place *b,
                        const feature_pair *f, barrier_contact *c)
{
    edge_mollifier *m = &c->parallel;
    *m = surface_pair_mollifier(now, f, p->range);
    if (!(m->value < 1.0)) {
        c->turn[0] = c->turn[1] = v3_zero();
        return;
    }
    v3 turn = m3_mulv(b->R_w, m->turn);
    m->shift = m3_mulv(b->R_w, m->shift);
    for (int side = 0; side < 2; ++side) {
        v3 arm = v3_sub(b->x_w, w->bodies[p->body[side]].at.x_w);
        c->turn[side] = v3_add(turn, v3_cross(arm, m->shift));
        m->edge[side] = m3_mulv(b->R_w, m->edge[side]);
    }
}

/* ---- equal contacts --------------------------------------------------------------------------------------------------------- */

/* Neighbouring features share vertices and edges, and where one of those is the closest they find it again: a corner on a corner
 * comes up some twenty times. Equal contacts become one, of as many times the stiffness: the sum stays what it is.
 *
 * A contact with a vertex on one side at least is known by where the vertex is, to the last digit, as all features compute it the
 * same way; the point of an edge on the other side is the same up to rounding. */
typedef struct contact_key {
    v3 vertex; /* [m] in the axes of B */
    int side;  /* whose vertex: 0 A's, 1 B's; -1: none, there is no equal */
} contact_key;

static contact_key key_of(const feature_distance *d)
{
    contact_key none = { .side = -1 };
    if (d->slides > 1) {
        return none;
    }
    int side = d->slides == 1 && d->owner[0] == 0 ? 1 : 0;
    return (contact_key){ d->point[side], side };
}

static size_t slot_of(const contact_key *key, size_t mask)
{
    uint64_t word[3];
    memcpy(word, &key->vertex, sizeof word);
    uint64_t hash = (word[0] * 0x9e3779b97f4a7c15u) ^ (word[1] * 0xc2b2ae3d27d4eb4fu) ^
                    (word[2] * 0x165667b19e3779f9u);
    return (size_t)(hash >> 40) & mask;
}

static bool same_point(v3 a, v3 b)
{
    static const double ROUNDING = 1e-12; /* of the sizes: points of one edge by different roads */
    return v3_norm2(v3_sub(a, b)) <= ROUNDING * ROUNDING * (v3_norm2(a) + v3_norm2(b));
}

static bool same_contact(const barrier_contact *a, const barrier_contact *b)
{
    return a->key_side == b->key_side && a->slides == b->slides &&
           memcmp(&a->own[a->key_side], &b->own[a->key_side], sizeof a->own[0]) == 0 &&
           same_point(a->own[1 - a->key_side], b->own[1 - a->key_side]);
}

/* The table has room for twice the list. Entries are numbers of contacts + 1 of the present evaluation. */
static bool clear_table(barrier_pair *p)
{
    size_t size = 16;
    while (size < 2 * p->near.list.count) {
        size *= 2;
    }
    if (!CAROM_ARRAY_RESERVE(p->table, p->table_capacity, size)) {
        return false;
    }
    memset(p->table, 0, size * sizeof *p->table);
    p->table_mask = size - 1;
    return true;
}

/* The equal of a contact, or the free place in the table where it belongs. */
static barrier_contact *find_equal(const barrier_pair *p, const barrier_contact *c, const contact_key *key,
                                   int **place)
{
    size_t slot = slot_of(key, p->table_mask);
    for (; p->table[slot] > 0; slot = (slot + 1) & p->table_mask) {
        barrier_contact *other = &p->contacts[p->table[slot] - 1];
        if (same_contact(other, c)) {
            return other;
        }
    }
    *place = &p->table[slot];
    return NULL;
}

/* Where it is, in world axes. */
static void place_contact(const barrier_work *w, const barrier_pair *p, const surface_place *b,
                          const feature_distance *d, barrier_contact *c)
{
    c->normal = m3_mulv(b->R_w, d->normal);
    for (int side = 0; side < 2; ++side) {
        v3 point = v3_add(b->x_w, m3_mulv(b->R_w, d->point[side]));
        c->arm[side] = v3_sub(point, w->bodies[p->body[side]].at.x_w);
    }
}

v3 surface_arm(const barrier_contact *c, int side)
{
    return v3_axpy(c->arm[side], side == 0 ? -c->rounding[0] : c->rounding[1], c->normal);
}

/* Takes the contact that was put behind the others, so many times, or counts it with its equal. */
static void take_contact(const barrier_work *w, barrier_pair *p, const surface_place *b, const feature_distance *d,
                         int times)
{
    barrier_contact *c = &p->contacts[p->contact_count];
    contact_key key = key_of(d);
    int *place = NULL;
    c->times = times;
    if (key.side >= 0 && c->parallel.value == 1.0) {
        c->key_side = key.side;
        c->slides = d->slides;
        c->own[0] = d->point[0];
        c->own[1] = d->point[1];
        barrier_contact *equal = find_equal(p, c, &key, &place);
        if (equal) {
            equal->times += times;
            return;
        }
    }
    place_contact(w, p, b, d, c);
    ++p->contact_count;
    if (place) {
        *place = p->contact_count;
    }
}

/* Features of the list whose distance is to be found: they are within range, or it is known how far they are from that. */
static bool measure(barrier_pair *p, const surface_pair *now, size_t item, feature_distance *d)
{
    const feature_pair *f = &p->near.list.items[item].pair;
    *d = surface_pair_distance(now, f);
    d->rounding[0] += surface_rounding(now->a, f->kind[0], f->index[0]);
    d->rounding[1] += surface_rounding(now->b, f->kind[1], f->index[1]);
    double distance = d->distance - d->rounding[0] - d->rounding[1];
    ++p->distances;
    p->keys[item] = distance + p->path;
    p->shut = p->shut || !(distance > p->separation);
    return distance < p->range + p->separation && !p->shut;
}

static void find_contact(const barrier_work *w, barrier_pair *p, const surface_pair *now, const surface_place *b,
                         size_t item, const feature_distance *d, int times)
{
    p->no_memory = !CAROM_ARRAY_RESERVE(p->contacts, p->contact_capacity, (size_t)p->contact_count + 1) ||
                   !CAROM_ARRAY_RESERVE(p->terms, p->term_capacity, 1);
    if (p->no_memory) {
        return;
    }
    barrier_contact *c = &p->contacts[p->contact_count];
    c->item = (int)item;
    c->rounding[0] = d->rounding[0];
    c->rounding[1] = d->rounding[1];
    c->gap = d->distance - d->rounding[0] - d->rounding[1] - p->separation;
    find_factor(w, p, now, b, &p->near.list.items[item].pair, c);
    if (c->parallel.value > 0.0) {
        take_contact(w, p, b, d, times);
    }
}

/* ---- flat faces ------------------------------------------------------------------------------------------------------------- */

/* Whether flat faces of both are so flat that what lies inside of them is as far away as their outlines say. */
static bool has_flat_faces(const barrier_pair *p, const surface_pair *now)
{
    static const double FLAT = 1e-3; /* ranges */
    return now->a->bulge + now->b->bulge <= FLAT * p->range;
}

/* What the near triangles of one face are to one vertex. */
static void find_of_pieces(const barrier_work *w, barrier_pair *p, const surface_pair *now, const surface_place *b)
{
    size_t most = (size_t)p->piece_count * PIECE_TERMS;
    int count = 0;
    if (p->piece_count > 0 && !p->no_memory && !p->shut) {
        p->no_memory = !CAROM_ARRAY_RESERVE(p->piece_terms, p->piece_term_capacity, most);
        count = p->no_memory
                    ? 0
                    : surface_piece_terms(now, p->pieces, p->piece_count, p->range + p->separation, p->piece_terms);
    }
    for (int k = 0; k < count && !p->no_memory; ++k) {
        const piece_term *t = &p->piece_terms[k];
        find_contact(w, p, now, b, t->item, &t->d, t->times);
    }
    p->piece_count = 0;
}

static void add_piece(barrier_pair *p, size_t item, const feature_distance *d)
{
    p->no_memory = !CAROM_ARRAY_RESERVE(p->pieces, p->piece_capacity, (size_t)p->piece_count + 1);
    if (!p->no_memory) {
        p->pieces[p->piece_count++] = (piece_candidate){ .item = item,
                                                         .pair = p->near.list.items[item].pair,
                                                         .d = *d };
    }
}

/* What is within range becomes a contact, unless it lies inside of a face. The list has the triangles of a face side by side. */
static void find_near(const barrier_work *w, barrier_pair *p, const surface_pair *now, const surface_place *b)
{
    double reach = p->range + p->separation;
    bool flat = has_flat_faces(p, now);
    piece_group last = { .kind = NO_PIECES };
    p->piece_count = 0;
    for (size_t k = 0; !p->no_memory && !p->shut && k < p->near.list.count; ++k) {
        const feature_pair *f = &p->near.list.items[k].pair;
        feature_distance d;
        bool near = p->keys[k] - p->path <= reach && measure(p, now, k, &d);
        if (near && !(flat && surface_pair_inner(now, f))) {
            piece_group group = flat ? surface_piece_group(now, f) : (piece_group){ .kind = NO_PIECES };
            if (!piece_group_same(&group, &last)) {
                find_of_pieces(w, p, now, b);
            }
            last = group;
            if (group.kind != NO_PIECES) {
                add_piece(p, k, &d);
            } else {
                find_contact(w, p, now, b, k, &d, 1);
            }
        }
        double gap = p->keys[k] - p->path - p->separation;
        p->least = gap < p->least ? gap : p->least;
    }
    find_of_pieces(w, p, now, b);
}

/* Which features are within range, and where. */
static void find_contacts(const barrier_work *w, barrier_pair *p)
{
    p->contact_count = 0;
    p->shut = p->no_memory = false;
    if (pair_clearance(w, p) >= p->range) {
        p->gone = HUGE_VAL; /* the list was not followed */
        return;
    }
    surface_place places[2] = { collider_place(w, p->a), collider_place(w, p->b) };
    surface_pair now = surface_pair_still(&places[0], &places[1]);
    p->no_memory = !pair_follow(p, &now) || (p->near.list.count > 0 && !clear_table(p));
    p->least = HUGE_VAL;
    if (p->kappa > 0.0) { /* else two motions are given: it is in nobody's balance */
        find_near(w, p, &now, &places[1]);
    }
}

static void find_forces(barrier_pair *p)
{
    p->energy = p->shut ? HUGE_VAL : 0.0;
    p->known_kappa = p->kappa;
    for (int k = 0; !p->shut && k < p->contact_count; ++k) {
        barrier_contact *c = &p->contacts[k];
        barrier_law law = barrier_at(c->gap, p->range, p->kappa);
        c->value = c->times * law.value;
        c->first = c->times * law.first;
        c->second = c->times * law.second;
        p->energy += c->parallel.value * c->value;
    }
}

/* Contacts where bodies have not moved since the last time are the same; their forces follow the stiffness. */
void contacts_evaluate_pair(barrier_work *w, barrier_pair *p)
{
    bool stands = pair_stands(w, p);
    if (!stands) {
        find_contacts(w, p);
        p->known_at[0] = w->bodies[p->body[0]].at;
        p->known_at[1] = w->bodies[p->body[1]].at;
    }
    if (!stands || p->known_kappa != p->kappa) {
        find_forces(p);
    }
    p->known = !p->no_memory && p->kappa > 0.0;
}

/* ---- contacts ahead --------------------------------------------------------------------------------------------------------- */

/* [m] No gap of a pair shrinks by more along the twists, as far as is looked. */
static double closing_of(const barrier_work *w, const barrier_pair *p)
{
    static const double FAR = 12.0; /* ranges */
    return fmin(w->bodies[p->body[0]].way + w->bodies[p->body[1]].way, FAR * p->range);
}

/* Features that are nearer than range and closing, and others: those of the list where it reaches as far, else of one that does, and is
 * kept for the twists to come. Nothing depends on when lists were made. NULL when memory runs out. */
static const near_features *features_ahead(barrier_pair *p, const surface_pair *now, double closing)
{
    if (p->near.made && p->gone + closing <= p->near.holds) {
        return &p->near;
    }
    bool reaches = pair_gone(&p->farther, now) + closing <= p->farther.holds;
    return reaches || pair_search(p, now, closing + p->slack, &p->farther) ? &p->farther : NULL;
}

/* A contact ahead, behind the others, if the twists lead there or not far beside. */
static void find_one_ahead(const barrier_work *w, barrier_pair *p, const surface_pair *now, const surface_place *b,
                           const feature_pair *f, double closing)
{
    static const double BESIDE = 0.1;
    feature_distance d = surface_pair_distance(now, f);
    if (has_flat_faces(p, now) && surface_pair_inner(now, f)) {
        return;
    }
    barrier_contact c = { .times = 1 };
    c.rounding[0] = surface_rounding(now->a, f->kind[0], f->index[0]) + d.rounding[0];
    c.rounding[1] = surface_rounding(now->b, f->kind[1], f->index[1]) + d.rounding[1];
    c.gap = d.distance - c.rounding[0] - c.rounding[1] - p->separation;
    if (c.gap < p->range || c.gap - closing >= p->range) {
        return;
    }
    place_contact(w, p, b, &d, &c);
    if (c.gap + gap_change(w, p, &c) < p->range + BESIDE * closing) {
        find_factor(w, p, now, b, f, &c);
        p->ahead[p->ahead_count] = c;
        p->ahead_count += c.parallel.value > 0.0;
    }
}

bool contacts_find_ahead(const barrier_work *w, barrier_pair *p)
{
    double closing = closing_of(w, p);
    p->ahead_count = 0;
    if (p->contact_count > 0 || !(p->kappa > 0.0) || pair_clearance(w, p) >= p->range + closing) {
        return true;
    }
    surface_place places[2] = { collider_place(w, p->a), collider_place(w, p->b) };
    surface_pair now = surface_pair_still(&places[0], &places[1]);
    const near_features *found = features_ahead(p, &now, closing);
    if (!found || !CAROM_ARRAY_RESERVE(p->ahead, p->ahead_capacity, found->list.count + 1) ||
        !CAROM_ARRAY_RESERVE(p->terms, p->term_capacity, 1)) {
        return false;
    }
    double gone = found == &p->near ? p->path : pair_gone(found, &now);
    for (size_t k = 0; k < found->list.count; ++k) {
        double was = found == &p->near ? p->keys[k] : found->list.items[k].distance;
        if (was - gone - p->separation - closing < p->range) { /* the gap is not smaller */
            find_one_ahead(w, p, &now, &places[1], &found->list.items[k].pair, closing);
        }
    }
    return true;
}

/* ---- all pairs -------------------------------------------------------------------------------------------------------------- */

typedef struct pair_task {
    barrier_work *w;
    const island *isle;
} pair_task;

static void evaluate_slice(void *context, size_t begin, size_t end)
{
    const pair_task *task = context;
    for (size_t k = begin; k < end; ++k) {
        barrier_pair *p = &task->w->pairs[task->isle->near[k]];
        contacts_evaluate_pair(task->w, p);
        p->rubbing = friction_value(task->w, p);
    }
}

double contacts_evaluate(barrier_work *w, island *isle)
{
    enum { GRAIN = 16 };
    pair_task task = { w, isle };
    double energy = 0.0;
    bool no_memory = false;
    pairs_find_near(w, isle);
    carom_parallel_uneven(isle->threads, (size_t)isle->near_count, GRAIN, evaluate_slice, &task);
    for (int k = 0; k < isle->near_count; ++k) {
        const barrier_pair *p = &w->pairs[isle->near[k]];
        energy += p->energy + p->rubbing;
        no_memory = no_memory || p->no_memory;
    }
    return no_memory ? (double)NAN : energy;
}

enum { MOST_DOUBLINGS = 10 };    /* of the stiffness in a step */
static const double SHUT = 0.02; /* of the range */

double contacts_least_gap(const barrier_pair *p)
{
    double least = HUGE_VAL;
    for (int c = 0; c < p->contact_count; ++c) {
        least = fmin(least, p->contacts[c].gap);
    }
    return least;
}

/* Where bodies have no more room than they take, twice the stiffness on all sides leaves them where they are, and only the energy of
 * the barriers grows. */
void contacts_note_squeezed(barrier_work *w)
{
    static const double SAME = 0.1; /* of the gap; a load that a doubling carries would open it to twice as much */
    for (int k = 0; k < w->pair_count; ++k) {
        barrier_pair *p = &w->pairs[k];
        double gap = contacts_least_gap(p);
        bool same = gap < SHUT * p->range && fabs(gap - p->found_gap) < SAME * p->found_gap;
        p->unraised = p->raised > 0 ? p->fitted : p->kappa;
        p->squeezed = same && (p->squeezed || p->raised > 0);
    }
}

void contacts_note_shut(barrier_work *w)
{
    for (int k = 0; k < w->pair_count; ++k) {
        const barrier_pair *p = &w->pairs[k];
        if ((p->squeezed || p->raised >= MOST_DOUBLINGS) && contacts_least_gap(p) < SHUT * p->range) {
            finding_note(&w->scratch->findings, CAROM_FINDING_NEARLY_SHUT, finding_at_pair(p->body[0], p->body[1]),
                         contacts_least_gap(p), SHUT * p->range, w->t_end);
        }
    }
}

bool contacts_stiffen(barrier_work *w, island *isle)
{
    bool any = false;
    for (int k = 0; k < isle->near_count; ++k) {
        barrier_pair *p = &w->pairs[isle->near[k]];
        if (!p->squeezed && p->raised < MOST_DOUBLINGS && contacts_least_gap(p) < SHUT * p->range) {
            p->kappa *= 2.0;
            ++p->raised;
            ++isle->counts.raised;
            any = true;
        }
    }
    return any;
}

/* ---- gaps that motions close by their curvature ----------------------------------------------------------------------------- */

static const barrier_contact *nearest_of(const barrier_pair *p)
{
    const barrier_contact *nearest = p->contact_count > 0 ? &p->contacts[0] : NULL;
    for (int k = 1; k < p->contact_count; ++k) {
        nearest = p->contacts[k].gap < nearest->gap ? &p->contacts[k] : nearest;
    }
    return nearest;
}

double gap_change(const barrier_work *w, const barrier_pair *p, const barrier_contact *c)
{
    double rate = 0.0;
    for (int side = 0; side < 2; ++side) {
        const moving_body *b = &w->bodies[p->body[side]];
        v3 moved = v3_add(b->d.v, v3_cross(b->d.w, c->arm[side]));
        rate += b->way > 0.0 ? (side == 0 ? 1.0 : -1.0) * v3_dot(c->normal, moved) : 0.0;
    }
    return rate;
}

void contacts_keep_nearest(barrier_work *w, const island *isle)
{
    for (int k = 0; k < isle->pair_count; ++k) {
        barrier_pair *p = &w->pairs[isle->pairs[k]];
        const barrier_contact *c = nearest_of(p);
        p->nearest.any = c != NULL;
        if (c) {
            p->nearest = (near_contact){ true, p->near.list.items[c->item].pair, c->gap, gap_change(w, p, c) };
        }
    }
}

bool same_features(const feature_pair *a, const feature_pair *b)
{
    return a->kind[0] == b->kind[0] && a->kind[1] == b->kind[1] && a->index[0] == b->index[0] &&
           a->index[1] == b->index[1];
}

bool contacts_bend(const barrier_work *w, const island *isle, double alpha)
{
    static const double FORESEEN = 0.9; /* of the gap is left to first order, */
    static const double LEFT = 0.8;     /* and at most this much of that: sweeps end at three quarters of a gap */
    for (int k = 0; k < isle->near_count; ++k) {
        const barrier_pair *p = &w->pairs[isle->near[k]];
        const barrier_contact *c = nearest_of(p);
        const near_contact *from = &p->nearest;
        double foreseen = from->gap + alpha * from->rate;
        if (c && from->any && foreseen > FORESEEN * from->gap && c->gap < LEFT * foreseen &&
            same_features(&p->near.list.items[c->item].pair, &from->features)) {
            return true;
        }
    }
    return false;
}
