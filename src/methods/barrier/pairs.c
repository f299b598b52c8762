/* Pairs of surfaces that are near each other: found by boxes that leave bodies room to move, each with a list of the features that
 * are near, and with the stiffness of its barrier. */
#include "methods/barrier/pairs.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/parallel.h"
#include "methods/barrier/bodies.h"
#include "methods/barrier/stiffness.h"
#include "methods/barrier/stops.h"
#include "methods/barrier/waits.h"
#include "methods/barrier/workspace.h"
#include "model/colliders.h"

/* Where the body is at x_w and its axes are R. */
static surface_place place_of(const barrier_work *w, int index, v3 x_w, const m3 *R)
{
    const model_collider *c = &w->model->colliders[index];
    const moving_body *b = &w->bodies[c->body];
    v3 arm = m3_mulv(*R, c->pose_c.position);
    return (surface_place){ .surface = w->surfaces[index],
                            .x_w = v3_add(x_w, arm),
                            .R_w = w->upright[index] ? *R : m3_mul(*R, w->R_c[index]),
                            .d_w = { twist_velocity(&b->d, arm), b->d.w } };
}

surface_place collider_place(const barrier_work *w, int index)
{
    const moving_body *b = &w->bodies[w->model->colliders[index].body];
    return place_of(w, index, b->at.x_w, &b->R);
}

static surface_place place_at_begin(const barrier_work *w, int index)
{
    const moving_body *b = &w->bodies[w->model->colliders[index].body];
    m3 R = q_matrix(b->begin.q_wb);
    return place_of(w, index, b->begin.x_w, &R);
}

/* ---- stiffness -------------------------------------------------------------------------------------------------------------- */

static double reduced_mass(const moving_body *a, const moving_body *b)
{
    double ma = a->free ? a->mass : 0.0;
    double mb = b->free ? b->mass : 0.0;
    return ma > 0.0 && mb > 0.0 ? ma * mb / (ma + mb) : ma + mb;
}

static double turning_way(const moving_body *b, double h)
{
    double turn = b->free || b->kinematic ? h * v3_norm(b->rate.omega_w) : 0.0;
    return turn > 0.0 ? turn * b->reach : 0.0;
}

static double stiffness_of(const barrier_work *w, const barrier_pair *p)
{
    const moving_body *a = &w->bodies[p->body[0]];
    const moving_body *b = &w->bodies[p->body[1]];
    double way = v3_norm(v3_sub(a->free_way, b->free_way)) + turning_way(a, w->h) + turning_way(b, w->h);
    way = p->impact == IMPACT_LEAVING ? 0.0 : way;
    return stiffness_for(w->h, reduced_mass(a, b), way, p->range);
}

/* ---- records ---------------------------------------------------------------------------------------------------------------- */

static contact_record record_of(const barrier_pair *p)
{
    contact_record r = {
        .a = (uint32_t)p->a, .b = (uint32_t)p->b, .kind = RECORD_PAIR, .state = (uint32_t)p->impact
    };
    v3_store(r.value, v3_make(p->kappa, p->approach, p->squeezed ? p->unraised : 0.0));
    return r;
}

static contact_record body_record(int body, uint32_t kind)
{
    return (contact_record){ .a = (uint32_t)body, .b = (uint32_t)body, .kind = kind };
}

/* [N/m] 0: the pair did not touch. */
static double take_records(barrier_pair *p, const contact_records *records)
{
    contact_record key = record_of(p);
    const contact_record *found = contact_records_find(records, &key);
    p->touched = found != NULL;
    p->impact = found ? (impact_phase)found->state : IMPACT_NONE;
    p->approach = found ? found->value[1] : 0.0;
    p->unraised = found ? found->value[2] : 0.0;
    p->squeezed = p->unraised > 0.0;
    return found ? found->value[0] : 0.0;
}

static void stiffen(barrier_work *w, barrier_pair *p, const contact_records *records)
{
    double known = take_records(p, records);
    known = p->squeezed ? p->unraised : known;
    p->loaded = stiffness_of(w, p);
    p->kappa = stiffness_kept(p->loaded, p->touched, p->impact, known);
    p->impact = p->impact == IMPACT_ENDED ? IMPACT_OVER : p->impact;
    p->fitted = p->kappa;
    p->grown = 1.0;
    p->begin_gap = HUGE_VAL;
    p->raised = 0;
    p->found_gap = HUGE_VAL;
    p->bounced = false;
    p->returned = 0.0;
}

/* Sum of the sizes of all forces of a pair [N]. */
static double push_of(const barrier_pair *p)
{
    double sum = 0.0;
    for (int k = 0; k < p->contact_count; ++k) {
        sum -= p->contacts[k].parallel.value * p->contacts[k].first;
    }
    return sum;
}

/* [m] way of a point of a body in a step, of its own. */
static v3 own_way(const moving_body *b, v3 arm, double h)
{
    return b->free || b->kinematic ? v3_axpy(b->free_way, h, v3_cross(b->rate.omega_w, arm)) : v3_zero();
}

/* [m] by which the bodies would come nearer where they touch. */
static double approach_of(const barrier_work *w, const barrier_pair *p)
{
    double most = 0.0;
    for (int k = 0; k < p->contact_count; ++k) {
        const barrier_contact *c = &p->contacts[k];
        v3 a = own_way(&w->bodies[p->body[0]], c->arm[0], w->h);
        v3 b = own_way(&w->bodies[p->body[1]], c->arm[1], w->h);
        most = fmax(most, -v3_dot(c->normal, v3_sub(a, b)));
    }
    return most;
}

/* [N] that holds what the bodies do of their own in a step. */
static double load_of(const barrier_work *w, const barrier_pair *p)
{
    double way = approach_of(w, p);
    double weight = v3_norm(w->model->scene.gravity); /* of what lies on the other */
    double mass = reduced_mass(&w->bodies[p->body[0]], &w->bodies[p->body[1]]);
    return mass * (way / (w->h * w->h) + weight);
}

/* [1/s] ranges that bodies may creep per second. */
static double creep_rate(const barrier_work *w, const barrier_pair *p)
{
    return stick_speed_of(w, p->range) / p->range;
}

void pair_fit(const barrier_work *w, barrier_pair *p)
{
    double rate = creep_rate(w, p);
    double mass = reduced_mass(&w->bodies[p->body[0]], &w->bodies[p->body[1]]);
    double before = p->kappa;
    p->kappa = p->touched ? stiffness_grown(p->kappa, p->loaded, w->h, rate)
                          : stiffness_carrying(p->kappa, push_of(p), load_of(w, p), mass, rate);
    p->fitted = p->kappa;
    p->grown = p->touched ? p->kappa / before : 1.0;
}

static void recall_energies(barrier_work *w, const contact_records *records)
{
    for (int i = 0; i < w->model->body_count; ++i) {
        contact_record key = body_record(i, RECORD_KINETIC);
        const contact_record *found = contact_records_find(records, &key);
        w->held[i] = found ? found->value[0] : -1.0;
    }
}

void pairs_stiffen(barrier_work *w, const contact_records *records)
{
    recall_energies(w, records);
    for (int k = 0; k < w->pair_count; ++k) {
        stiffen(w, &w->pairs[k], records);
        w->pairs[k].fresh = true;
    }
}

void pairs_recall(barrier_work *w, const contact_records *records)
{
    for (int k = 0; k < w->pair_count; ++k) {
        barrier_pair *p = &w->pairs[k];
        double known = take_records(p, records);
        p->kappa = known > 0.0 ? known : stiffness_of(w, p);
    }
}

bool body_restarts(const contact_records *records, int body)
{
    contact_record key = body_record(body, RECORD_RESTART);
    return contact_records_find(records, &key) != NULL;
}

bool pair_upsets(const barrier_pair *p)
{
    return (p->contact_count > 0) != p->touched || p->bounced;
}

static int by_record(const void *x, const void *y)
{
    return contact_record_compare(x, y);
}

static void remember(contact_records *records, contact_record r)
{
    records->items[records->count++] = r; /* there is room */
}

static void remember_body(const barrier_work *w, int body, contact_records *records)
{
    if (w->second_order && w->bodies[body].free && w->restarts[body]) {
        remember(records, body_record(body, RECORD_RESTART));
    }
    if (w->held[body] >= 0.0) {
        contact_record r = body_record(body, RECORD_KINETIC);
        r.value[0] = w->held[body];
        remember(records, r);
    }
}

bool pairs_remember(const barrier_work *w, contact_records *records)
{
    size_t most = (size_t)(2 * w->model->body_count + w->stop_count + w->pair_count + w->motion_count) + 1;
    if (!contact_records_reserve(records, most)) {
        return false;
    }
    records->count = 0;
    for (int k = 0; k < w->pair_count; ++k) {
        if (w->pairs[k].contact_count > 0) {
            remember(records, record_of(&w->pairs[k]));
        }
    }
    for (int i = 0; i < w->model->body_count; ++i) {
        remember_body(w, i, records);
    }
    records->count += stops_remember(w, records->items + records->count);
    records->count += waits_remember(w, records->items + records->count);
    qsort(records->items, records->count, sizeof *records->items, by_record);
    return true;
}

void pairs_note_restarts(barrier_work *w)
{
    for (int i = 0; i < w->model->body_count; ++i) {
        w->restarts[i] = false;
    }
    for (int k = 0; k < w->pair_count; ++k) {
        const barrier_pair *p = &w->pairs[k];
        for (int side = 0; pair_upsets(p) && side < 2; ++side) {
            w->restarts[p->body[side]] = true;
        }
    }
    for (int i = 0; stops_upset(w) && i < w->model->body_count; ++i) {
        w->restarts[i] = w->restarts[i] || w->in_mechanism[i];
    }
}

/* ---- finding pairs ---------------------------------------------------------------------------------------------------------- */

static double pair_range(const barrier_work *w, const model_interaction *i, int a, int b)
{
    if (i->range > 0.0) {
        return i->range;
    }
    double least = w->ranges[a] < w->ranges[b] ? w->ranges[a] : w->ranges[b];
    return isfinite(least) ? least : w->range_most; /* two planes: nothing has a size */
}

static barrier_pair pair_make(const barrier_work *w, int a, int b)
{
    const model_interaction *law = model_interaction_of(w->model, a, b);
    barrier_pair p = { .a = a, .b = b, .interaction = law, .separation = law->separation, .fresh = true };
    p.range = pair_range(w, law, a, b);
    p.mu = law->mu;
    p.mu_static = law->mu_static;
    p.body[0] = w->model->colliders[a].body;
    p.body[1] = w->model->colliders[b].body;
    p.slack = 2.0 * p.range;
    bool endless = w->surfaces[a]->half_space || w->surfaces[b]->half_space;
    p.reach = endless ? HUGE_VAL : w->bodies[p.body[0]].reach + w->bodies[p.body[1]].reach + p.separation;
    return p;
}

static void pair_free(barrier_pair *p)
{
    free(p->near.list.items);
    free(p->keys);
    free(p->contacts);
    free(p->pieces);
    free(p->piece_terms);
    free(p->ahead);
    free(p->farther.list.items);
    free(p->table);
    free(p->frictions);
    free(p->terms);
}

void pairs_free(barrier_work *w)
{
    for (int k = 0; k < w->pair_count; ++k) {
        pair_free(&w->pairs[k]);
    }
    free(w->pairs);
}

static bool comes_before(const barrier_pair *p, const box_pair *q)
{
    return p->a < q->a || (p->a == q->a && p->b < q->b);
}

/* Pairs that stay keep their lists; both lists of pairs ascend. */
static bool take_pairs(barrier_work *w, const box_pair *found, size_t count)
{
    barrier_pair *pairs = malloc((count + 1) * sizeof *pairs);
    int old = 0;
    if (!pairs) {
        return false;
    }
    for (size_t k = 0; k < count; ++k) {
        while (old < w->pair_count && comes_before(&w->pairs[old], &found[k])) {
            pair_free(&w->pairs[old++]);
        }
        bool known = old < w->pair_count && w->pairs[old].a == found[k].a && w->pairs[old].b == found[k].b;
        pairs[k] = known ? w->pairs[old++] : pair_make(w, found[k].a, found[k].b);
        if (!known && w->stepping) {
            stiffen(w, &pairs[k], &w->records);
        }
    }
    while (old < w->pair_count) {
        pair_free(&w->pairs[old++]);
    }
    free(w->pairs);
    w->pairs = pairs;
    w->pair_count = (int)count;
    return true;
}

/* What a body needs in a step if nothing disturbs it, and half as much again. */
void pairs_make_room(barrier_work *w)
{
    static const double MORE = 1.5;
    for (int i = 0; i < w->model->body_count; ++i) {
        moving_body *b = &w->bodies[i];
        bool moves = b->free || b->kinematic;
        b->room = moves ? MORE * (v3_norm(b->free_way) + turning_way(b, w->h)) + 2.0 * w->range_most : 0.0;
    }
}

/* Whether the broad phase has seen everything that rooms reach. */
static bool pairs_hold(const barrier_work *w)
{
    for (int i = 0; w->paired && i < w->model->body_count; ++i) {
        const moving_body *b = &w->bodies[i];
        moving_body begin = { .at = b->begin, .reach = b->reach };
        if ((b->free || b->kinematic) && !(body_moved(&begin, &b->seen) + b->room <= b->seen_room)) {
            return false;
        }
    }
    return w->paired;
}

static void place_boxes(barrier_work *w, bool seen)
{
    for (int i = 0; i < w->model->body_count; ++i) {
        w->poses[i] = w->bodies[i].begin;
    }
    for (int i = 0; i < w->model->collider_count; ++i) {
        const moving_body *b = &w->bodies[w->model->colliders[i].body];
        double range = isfinite(w->ranges[i]) ? fmax(w->ranges[i], w->range_given) : w->range_most;
        w->margin[i] = range + 0.5 * w->separation_most + (seen ? b->seen_room : b->room);
    }
    near_place(w->near, w->poses, NULL, w->margin);
}

static bool look_again(barrier_work *w)
{
    const box_pair *found = NULL;
    size_t count = 0;
    for (int i = 0; i < w->model->body_count; ++i) {
        w->bodies[i].seen = w->bodies[i].begin;
        w->bodies[i].seen_room = 2.0 * w->bodies[i].room;
    }
    place_boxes(w, true);
    return near_find(w->near, &found, &count) && take_pairs(w, found, count);
}

static bool boxes_overlap(const aabb *a, const aabb *b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y && b->low.y <= a->high.y &&
           a->low.z <= b->high.z && b->low.z <= a->high.z;
}

/* Whether two surfaces are as near as the rooms of their bodies. World boxes alone would have islands depend on the axes of the world.
 * Rooms never shrink within a step, and what touches is near. */
static bool rooms_meet(const barrier_work *w, const barrier_pair *p)
{
    if (!boxes_overlap(&w->near->bounds_w[p->a], &w->near->bounds_w[p->b])) {
        return false;
    }
    if (p->contact_count > 0 || (p->active && w->counts.rounds > 0)) {
        return true;
    }
    surface_place x = place_at_begin(w, p->a);
    surface_place y = place_at_begin(w, p->b);
    surface_pair begin = surface_pair_still(&x, &y);
    return surface_pair_within(&begin, w->margin[p->a] + w->margin[p->b]);
}

/* Each writes to its own pair alone. */
static void meet_slice(void *context, size_t begin, size_t end)
{
    barrier_work *w = context;
    for (size_t k = begin; k < end; ++k) {
        barrier_pair *p = &w->pairs[k];
        bool active = rooms_meet(w, p);
        p->fresh = p->fresh || (active && !p->active);
        p->active = active;
        p->known = p->known && active;
        p->contact_count = active ? p->contact_count : 0;
        p->friction_count = active ? p->friction_count : 0;
    }
}

bool pairs_find(barrier_work *w)
{
    enum { GRAIN = 256 }; /* most pairs are told apart by their boxes */
    if (!pairs_hold(w)) {
        w->paired = look_again(w);
    }
    place_boxes(w, false);
    carom_parallel_uneven(w->threads, (size_t)w->pair_count, GRAIN, meet_slice, w);
    return w->paired;
}

/* ---- bodies that are far apart ---------------------------------------------------------------------------------------------- */

double pair_clearance(const barrier_work *w, const barrier_pair *p)
{
    v3 apart = v3_sub(w->bodies[p->body[0]].at.x_w, w->bodies[p->body[1]].at.x_w);
    return v3_norm(apart) - p->reach;
}

bool pairs_bound(const barrier_work *w, island *isle)
{
    size_t count = (size_t)isle->pair_count + 1;
    if (!CAROM_ARRAY_RESERVE(isle->bounds, isle->bound_capacity, count) ||
        !CAROM_ARRAY_RESERVE(isle->near, isle->near_room, count) ||
        !CAROM_ARRAY_RESERVE(isle->swept, isle->swept_room, count)) {
        return false;
    }
    for (int k = 0; k < isle->pair_count; ++k) {
        const barrier_pair *p = &w->pairs[isle->pairs[k]];
        isle->bounds[k] = (pair_bound){ { p->body[0], p->body[1] }, p->reach, p->range, false };
    }
    isle->near_count = isle->swept_count = 0;
    return true;
}

static double bound_clearance(const barrier_work *w, const pair_bound *b)
{
    return v3_norm(v3_sub(w->bodies[b->body[0]].at.x_w, w->bodies[b->body[1]].at.x_w)) - b->reach;
}

/* Contacts are gone, and the list with them, so that nothing depends on how long ago it was made. Friction of a pair that touched
 * lasts as long as the solve. Returns whether nothing is left. */
static bool clear_pair(barrier_pair *p)
{
    p->contact_count = 0;
    p->near.list.count = 0;
    p->near.made = p->known = p->shut = p->no_memory = false;
    p->energy = p->rubbing = 0.0;
    return p->friction_count == 0;
}

void pairs_find_near(barrier_work *w, island *isle)
{
    isle->near_count = 0;
    for (int k = 0; k < isle->pair_count; ++k) {
        pair_bound *b = &isle->bounds[k];
        bool far = bound_clearance(w, b) >= b->range;
        if (far && !b->quiet) {
            b->quiet = clear_pair(&w->pairs[isle->pairs[k]]);
        }
        if (!far || !b->quiet) {
            isle->near[isle->near_count++] = isle->pairs[k];
            b->quiet = false;
        }
    }
}

/* ---- motion of one surface against the other -------------------------------------------------------------------------------- */

/* Whose points are followed in the frame of the other: those of the smaller one, never those of a half-space. */
static bool follows_b(const surface_pair *p)
{
    return p->a->half_space || (!p->b->half_space && p->b->radius < p->a->radius);
}

static double rotation_apart(m3 A, m3 B)
{
    double sum = 0.0;
    for (int k = 0; k < 9; ++k) {
        sum += (A.m[k] - B.m[k]) * (A.m[k] - B.m[k]);
    }
    return sqrt(0.5 * sum); /* 2 sin(angle / 2) */
}

/* [m] no point has moved farther since A stood at (R, c) in the axes of B. */
static double moved_from(const surface_pair *now, m3 R, v3 c)
{
    double turn = rotation_apart(now->R, R);
    if (follows_b(now)) {
        v3 shift = v3_sub(m3_tmulv(now->R, now->c), m3_tmulv(R, c));
        return v3_norm(shift) + turn * now->b->radius;
    }
    return v3_norm(v3_sub(now->c, c)) + turn * now->a->radius;
}

/* [m] no point moves farther against the other surface during the whole twists. A point x of A has the velocity
 * V_A(x) - V_B(x) there, which is linear in x, and x itself moves no farther than A does. */
static double relative_way(const surface_pair *p)
{
    v3 turn = v3_sub(p->d[0].w, p->d[1].w);
    bool b = follows_b(p);
    const surface *s = b ? p->b : p->a;
    v3 arm = b ? v3_zero() : p->c; /* origin of the followed surface */
    v3 va = twist_velocity(&p->d[0], v3_sub(arm, p->c));
    v3 vb = twist_velocity(&p->d[1], arm);
    const twist *own = &p->d[b ? 1 : 0];
    double far = s->radius + v3_norm(own->v) + v3_norm(own->w) * s->radius;
    return v3_norm(v3_sub(va, vb)) + v3_norm(turn) * far;
}

/* ---- lists ------------------------------------------------------------------------------------------------------------------ */

/* [m] A wide slack makes a list last and makes it long, so the next one is the wider the shorter the last one was. Lists of all widths have
 * the same contacts. Those of cylinders stay narrow: distances of their features say nothing where solids are in each other. */
static double next_slack(const barrier_pair *p, const surface_pair *now)
{
    static const double LEAST = 2.0, MOST = 16.0; /* ranges */
    static const double LENGTH = 1024.0;          /* features times ranges */
    double width = now->a->round || now->b->round ? LEAST : LENGTH / (double)(p->near.list.count + 1);
    return (width < LEAST ? LEAST : width > MOST ? MOST : width) * p->range;
}

bool pair_search(const barrier_pair *p, const surface_pair *now, double wider, near_features *out)
{
    double reach = p->range + p->separation;
    double apart = surface_pair_apart(now) - reach;
    out->list.count = 0;
    out->holds = apart > wider ? apart : wider;
    out->R = now->R;
    out->c = now->c;
    out->made = apart > wider ||
                (surface_pair_near(now, reach + wider, &out->list) && surface_sort_pieces(now, &out->list));
    return out->made;
}

double pair_gone(const near_features *f, const surface_pair *now)
{
    return f->made ? moved_from(now, f->R, f->c) : HUGE_VAL;
}

static bool list_near(barrier_pair *p, const surface_pair *now)
{
    p->slack = p->near.made ? next_slack(p, now) : p->slack;
    bool found = pair_search(p, now, p->slack, &p->near);
    bool room = CAROM_ARRAY_RESERVE(p->keys, p->key_capacity, p->near.list.count + 1);
    for (size_t k = 0; room && k < p->near.list.count; ++k) {
        p->keys[k] = p->near.list.items[k].distance;
    }
    p->R_seen = now->R;
    p->c_seen = now->c;
    p->path = 0.0;
    p->near.made = found && room;
    return p->near.made;
}

bool pair_stands(const barrier_work *w, const barrier_pair *p)
{
    bool stands = p->known;
    for (int side = 0; stands && side < 2; ++side) {
        const body_pose *at = &w->bodies[p->body[side]].at;
        stands = memcmp(&p->known_at[side], at, sizeof *at) == 0;
    }
    return stands;
}

bool pair_follow(barrier_pair *p, const surface_pair *now)
{
    p->gone = pair_gone(&p->near, now);
    if (p->gone > p->near.holds) {
        p->gone = 0.0;
        return list_near(p, now);
    }
    p->path += moved_from(now, p->R_seen, p->c_seen);
    p->R_seen = now->R;
    p->c_seen = now->c;
    return true;
}

/* ---- free of collisions ----------------------------------------------------------------------------------------------------- */

/* Whether a feature pair whose gap is at least `gap` can end the motion: queries end at 3/4 of the gap of a contact and at 0.45
 * of the range else, and a gap shrinks by the relative way at most. */
static bool may_stop(double gap, double range, double way)
{
    double room = gap < range ? 0.25 * gap : gap - 0.45 * range;
    return !(room > way);
}

static double sweep_list(barrier_pair *p, const surface_pair *now, double way, double until)
{
    sweep_limits limits = { .separation = p->separation, .range = p->range };
    for (size_t k = 0; k < p->near.list.count; ++k) {
        double gap = p->keys[k] - p->path - limits.separation;
        if (may_stop(gap, p->range, way * until)) {
            until = surface_pair_query(now, &p->near.list.items[k].pair, &limits, until, &p->swept);
        }
    }
    return until;
}

/* Whether a motion is too short for anything: no gap shrinks by more than both bodies move. */
static bool moves_little(const barrier_work *w, const barrier_pair *p, double until)
{
    double way = (w->bodies[p->body[0]].way + w->bodies[p->body[1]].way) * until;
    return p->near.made && p->gone + way <= p->near.holds + 0.25 * p->range && !may_stop(p->least, p->range, way) &&
           pair_stands(w, p);
}

static double sweep_pair(const barrier_work *w, barrier_pair *p, double until)
{
    if (moves_little(w, p, until)) {
        return until;
    }
    surface_place x = collider_place(w, p->a);
    surface_place y = collider_place(w, p->b);
    surface_pair now = surface_pair_of(&x, &y);
    double way = relative_way(&now);
    if (pair_gone(&p->near, &now) + way * until <= p->near.holds + 0.25 * p->range) {
        return sweep_list(p, &now, way, until);
    }
    sweep_limits limits = { .separation = p->separation, .range = p->range };
    return surface_pair_sweep(&now, &limits, until, &p->swept);
}

typedef struct sweep_task {
    const barrier_work *w;
    const island *isle;
    double until;
} sweep_task;

/* Each slice goes on with the least that it has found: what a pair ends at does not depend on it unless it is beyond. */
static void sweep_slice(void *context, size_t begin, size_t end)
{
    const sweep_task *task = context;
    double until = task->until;
    for (size_t k = begin; k < end; ++k) {
        barrier_pair *p = &task->w->pairs[task->isle->swept[k]];
        until = p->free_part = sweep_pair(task->w, p, until);
    }
}

/* Pairs of which a body moves, and that are not too far apart for that. */
static void find_swept(const barrier_work *w, island *isle, double until)
{
    isle->swept_count = 0;
    for (int k = 0; k < isle->pair_count; ++k) {
        const pair_bound *b = &isle->bounds[k];
        double ways = w->bodies[b->body[0]].way + w->bodies[b->body[1]].way;
        double clearance = bound_clearance(w, b);
        if (ways > 0.0 && (!(clearance > b->range) || may_stop(clearance, b->range, ways * until))) {
            isle->swept[isle->swept_count++] = isle->pairs[k];
        }
    }
}

double pairs_sweep(barrier_work *w, island *isle, double until)
{
    enum { GRAIN = 8 };
    sweep_task task = { w, isle, until };
    find_swept(w, isle, until);
    carom_parallel_uneven(isle->threads, (size_t)isle->swept_count, GRAIN, sweep_slice, &task);
    isle->blockers[0] = isle->blockers[1] = -1;
    for (int k = 0; k < isle->swept_count; ++k) {
        const barrier_pair *p = &w->pairs[isle->swept[k]];
        if (p->free_part < until) {
            until = p->free_part;
            isle->blockers[0] = p->body[0];
            isle->blockers[1] = p->body[1];
        }
    }
    return until;
}
