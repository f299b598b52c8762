/* Which surfaces are near, and how far a motion of all bodies is free of collisions.
 *
 * Lists of near features are valid while the two surfaces have moved no more than `slack` against each other, measured in the
 * frame of one of them: bodies that move together, or rest, search nothing. */
#include "methods/barrier/barrier_work.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/colliders.h"

surface_place collider_place(const barrier_work *w, int index)
{
    const model_collider *c = &w->model->colliders[index];
    const moving_body *b = &w->bodies[c->body];
    v3 arm = m3_mulv(b->R, c->pose_c.position);
    return (surface_place){ .surface = w->surfaces[index],
                            .x_w = v3_add(b->at.x_w, arm),
                            .R_w = m3_mul(b->R, q_matrix(c->pose_c.orientation)),
                            .d_w = { twist_velocity(&b->d, arm), b->d.w } };
}

/* ---- pairs ------------------------------------------------------------------------------------------------------------ */

static double pair_range(const barrier_work *w, int a, int b)
{
    return w->ranges[a] < w->ranges[b] ? w->ranges[a] : w->ranges[b];
}

static void pair_free(barrier_pair *p)
{
    free(p->list.items);
    free(p->keys);
}

/* ---- stiffness -------------------------------------------------------------------------------------------------------- */

/* What a body does in a step if nothing holds it [m]. */
static v3 free_way(const barrier_work *w, const moving_body *b)
{
    if (b->kinematic) {
        return v3_sub(b->end.x_w, b->begin.x_w);
    }
    v3 fall = v3_scale(w->h * w->h, w->model->scene.gravity);
    return b->free ? v3_add(v3_scale(w->h, b->rate.v_w), fall) : v3_zero();
}

/* Inertia / h^2 times ten, or ten times the free approach of the step in ranges: the load is then carried at 0.8 to 0.97 of the
 * range. Too stiff is harmless, too soft makes Newton's method stall. */
static double stiffness_of(const barrier_work *w, const barrier_pair *p)
{
    static const double FLOOR = 10.0;
    const moving_body *a = &w->bodies[p->body[0]];
    const moving_body *b = &w->bodies[p->body[1]];
    double ma = a->free ? a->mass : 0.0;
    double mb = b->free ? b->mass : 0.0;
    double mass = ma > 0.0 && mb > 0.0 ? ma * mb / (ma + mb) : ma + mb;
    double turns = (a->free || a->kinematic ? v3_norm(a->rate.omega_w) * a->reach : 0.0) +
                   (b->free || b->kinematic ? v3_norm(b->rate.omega_w) * b->reach : 0.0);
    double way = v3_norm(v3_sub(free_way(w, a), free_way(w, b))) + w->h * turns;
    return FLOOR * mass / (w->h * w->h) * fmax(1.0, way / p->range);
}

/* What a state remembers of a pair that touches: its stiffness, and an impact that is on its way. */
enum { RECORD_PAIR, RECORD_IMPULSE, RECORD_MOMENT_A, RECORD_MOMENT_B, RECORDS };

static contact_record record_of(const barrier_pair *p, uint32_t kind)
{
    contact_record r = { .a = (uint32_t)p->a, .b = (uint32_t)p->b, .kind = kind };
    if (kind == RECORD_PAIR) {
        r.state = (uint32_t)p->impact;
        v3_store(r.value, v3_make(p->kappa, p->approach, p->energy));
    } else {
        v3_store(r.value, kind == RECORD_IMPULSE ? p->pressed : p->pressed_moment[kind - RECORD_MOMENT_A]);
    }
    return r;
}

/* [N/m] 0: the pair did not touch. */
static double take_records(barrier_pair *p, const contact_records *records)
{
    const contact_record *found[RECORDS];
    for (uint32_t kind = 0; kind < RECORDS; ++kind) {
        contact_record key = record_of(p, kind);
        found[kind] = contact_records_find(records, &key);
    }
    p->impact = found[RECORD_PAIR] ? (impact_phase)found[RECORD_PAIR]->state : IMPACT_NONE;
    p->approach = found[RECORD_PAIR] ? found[RECORD_PAIR]->value[1] : 0.0;
    p->energy = found[RECORD_PAIR] ? found[RECORD_PAIR]->value[2] : 0.0;
    p->pressed = found[RECORD_IMPULSE] ? v3_load(found[RECORD_IMPULSE]->value) : v3_zero();
    for (int side = 0; side < 2; ++side) {
        const contact_record *moment = found[RECORD_MOMENT_A + side];
        p->pressed_moment[side] = moment ? v3_load(moment->value) : v3_zero();
    }
    return found[RECORD_PAIR] ? found[RECORD_PAIR]->value[0] : 0.0;
}

void pairs_stiffen(barrier_work *w, const contact_records *records)
{
    for (int k = 0; k < w->pair_count; ++k) {
        barrier_pair *p = &w->pairs[k];
        p->kappa = fmax(stiffness_of(w, p), take_records(p, records));
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

bool pairs_remember(const barrier_work *w, contact_records *records)
{
    if (!contact_records_reserve(records, RECORDS * (size_t)w->pair_count + 1)) {
        return false;
    }
    records->count = 0;
    for (int k = 0; k < w->pair_count; ++k) {
        const barrier_pair *p = &w->pairs[k];
        uint32_t kinds = p->contact_count == 0 ? 0 : p->impact == IMPACT_COMPRESSION ? RECORDS : 1;
        for (uint32_t kind = 0; kind < kinds; ++kind) {
            records->items[records->count++] = record_of(p, kind);
        }
    }
    return true;
}

bool pairs_rub(const barrier_work *w)
{
    for (int k = 0; k < w->pair_count; ++k) {
        if (w->pairs[k].contact_count > 0 && w->pairs[k].mu > 0.0) {
            return true;
        }
    }
    return false;
}

/* ---- finding pairs ---------------------------------------------------------------------------------------------------- */

static barrier_pair pair_make(const barrier_work *w, int a, int b)
{
    const model_interaction *law = model_interaction_of(w->model, a, b);
    barrier_pair p = { .a = a, .b = b, .interaction = law, .range = pair_range(w, a, b), .mu = law->mu };
    p.body[0] = w->model->colliders[a].body;
    p.body[1] = w->model->colliders[b].body;
    p.slack = 2.0 * p.range;
    p.kappa = stiffness_of(w, &p);
    return p;
}

void pairs_free(barrier_work *w)
{
    for (int k = 0; k < w->pair_count; ++k) {
        pair_free(&w->pairs[k]);
    }
    free(w->pairs);
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
        while (old < w->pair_count && (w->pairs[old].a < found[k].a ||
                                       (w->pairs[old].a == found[k].a && w->pairs[old].b < found[k].b))) {
            pair_free(&w->pairs[old++]);
        }
        bool known = old < w->pair_count && w->pairs[old].a == found[k].a && w->pairs[old].b == found[k].b;
        pairs[k] = known ? w->pairs[old++] : pair_make(w, found[k].a, found[k].b);
    }
    while (old < w->pair_count) {
        pair_free(&w->pairs[old++]);
    }
    free(w->pairs);
    w->pairs = pairs;
    w->pair_count = (int)count;
    return true;
}

/* How far any point of a body can be from where the broad phase saw it. */
static double moved_since(const barrier_work *w, int body)
{
    const moving_body *b = &w->bodies[body];
    const body_pose *seen = &w->near_begin[body];
    double turn = v3_norm(so3_log(q_mul(b->at.q_wb, q_conj(seen->q_wb))));
    return v3_norm(v3_sub(b->at.x_w, seen->x_w)) + (turn > 0.0 ? turn * b->reach : 0.0);
}

/* Boxes are wider by range, separation and what bodies may move before they are looked at again. */
static double fat_of(const barrier_work *w, int index)
{
    return 4.0 * w->ranges[index];
}

static bool pairs_hold(const barrier_work *w)
{
    for (int i = 0; w->paired && i < w->model->collider_count; ++i) {
        int body = w->model->colliders[i].body;
        const moving_body *b = &w->bodies[body];
        if ((b->free || b->kinematic) && moved_since(w, body) > fat_of(w, i)) {
            return false;
        }
    }
    return w->paired;
}

static void place_all(barrier_work *w, body_pose *poses)
{
    for (int i = 0; i < w->model->body_count; ++i) {
        poses[i] = w->bodies[i].at;
    }
}

bool pairs_find(barrier_work *w)
{
    const box_pair *found = NULL;
    size_t count = 0;
    if (pairs_hold(w)) {
        return true;
    }
    for (int i = 0; i < w->model->collider_count; ++i) {
        w->margin[i] = w->ranges[i] + w->options->separation + fat_of(w, i);
    }
    place_all(w, w->near_begin);
    near_place(w->near, w->near_begin, w->margin);
    w->paired = near_find(w->near, &found, &count) && take_pairs(w, found, count);
    return w->paired;
}

/* ---- motion of one surface against the other ------------------------------------------------------------------------------ */

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

/* ---- lists ---------------------------------------------------------------------------------------------------------------- */

static bool list_near(const barrier_work *w, barrier_pair *p, const surface_pair *now)
{
    p->list.count = 0;
    p->listed = surface_pair_near(now, p->range + w->options->separation + p->slack, &p->list);
    double *keys = carom_array_grow(p->keys, &p->key_capacity, p->list.count + 1, sizeof *keys);
    p->keys = keys ? keys : p->keys;
    for (size_t k = 0; keys && k < p->list.count; ++k) {
        keys[k] = p->list.items[k].distance;
    }
    p->R_listed = p->R_seen = now->R;
    p->c_listed = p->c_seen = now->c;
    p->path = 0.0;
    p->listed = p->listed && keys;
    return p->listed;
}

bool pair_follow(barrier_work *w, barrier_pair *p, const surface_pair *now)
{
    if (!p->listed || moved_from(now, p->R_listed, p->c_listed) > p->slack) {
        return list_near(w, p, now);
    }
    p->path += moved_from(now, p->R_seen, p->c_seen);
    p->R_seen = now->R;
    p->c_seen = now->c;
    return true;
}

/* ---- free of collisions ------------------------------------------------------------------------------------------------------ */

/* Whether a feature pair whose gap is at least `gap` can end the motion: queries end at 3/4 of the gap of a contact and at 0.45
 * of the range else, and a gap shrinks by the relative way at most. */
static bool may_stop(double gap, double range, double way)
{
    double room = gap < range ? 0.25 * gap : gap - 0.45 * range;
    return !(room > way);
}

static double sweep_list(barrier_work *w, barrier_pair *p, const surface_pair *now, double way, double until)
{
    sweep_limits limits = { .separation = w->options->separation, .range = p->range };
    for (size_t k = 0; k < p->list.count; ++k) {
        double gap = p->keys[k] - p->path - limits.separation;
        if (may_stop(gap, p->range, way * until)) {
            until = surface_pair_query(now, &p->list.items[k].pair, &limits, until, &w->counts.swept);
        }
    }
    return until;
}

static double sweep_pair(barrier_work *w, int a, int b, barrier_pair *known, double until)
{
    const moving_body *body[2] = { &w->bodies[w->model->colliders[a].body], &w->bodies[w->model->colliders[b].body] };
    if (!(body[0]->way + body[1]->way > 0.0)) {
        return until;
    }
    surface_place x = collider_place(w, a);
    surface_place y = collider_place(w, b);
    surface_pair now = surface_pair_of(&x, &y);
    double way = relative_way(&now);
    if (known && known->listed) {
        double gone = moved_from(&now, known->R_listed, known->c_listed);
        if (gone + way * until <= known->slack + 0.25 * known->range) {
            return sweep_list(w, known, &now, way, until);
        }
    }
    sweep_limits limits = { .separation = w->options->separation, .range = pair_range(w, a, b) };
    return surface_pair_sweep(&now, &limits, until, &w->counts.swept);
}

static barrier_pair *find_pair(barrier_work *w, int *at, int a, int b)
{
    while (*at < w->pair_count && (w->pairs[*at].a < a || (w->pairs[*at].a == a && w->pairs[*at].b < b))) {
        ++*at;
    }
    return *at < w->pair_count && w->pairs[*at].a == a && w->pairs[*at].b == b ? &w->pairs[*at] : NULL;
}

/* Whether no body moves beyond what the pairs were found for. */
static bool stays_in_pairs(const barrier_work *w)
{
    for (int i = 0; i < w->model->collider_count; ++i) {
        int body = w->model->colliders[i].body;
        if (w->bodies[body].way > 0.0 && moved_since(w, body) + w->bodies[body].way > fat_of(w, i)) {
            return false;
        }
    }
    return true;
}

/* The same, and who ended it. */
static double sweep_and_note(barrier_work *w, int a, int b, barrier_pair *known, double until)
{
    double end = sweep_pair(w, a, b, known, until);
    if (end < until) {
        w->blockers[0] = w->model->colliders[a].body;
        w->blockers[1] = w->model->colliders[b].body;
    }
    return end;
}

double pairs_sweep(barrier_work *w)
{
    double until = 1.0;
    if (stays_in_pairs(w)) {
        for (int k = 0; k < w->pair_count; ++k) {
            until = sweep_and_note(w, w->pairs[k].a, w->pairs[k].b, &w->pairs[k], until);
        }
        return until;
    }
    const box_pair *found = NULL;
    size_t count = 0;
    body_pose *poses = w->near_begin;
    int at = 0;
    w->paired = false; /* the broad phase is asked about something else: pairs are found anew afterwards */
    for (int i = 0; i < w->model->collider_count; ++i) {
        w->margin[i] = w->bodies[w->model->colliders[i].body].way + w->ranges[i] + w->options->separation;
    }
    place_all(w, poses);
    near_place(w->near, poses, w->margin);
    if (!near_find(w->near, &found, &count)) {
        return -1.0;
    }
    for (size_t k = 0; k < count; ++k) {
        until = sweep_and_note(w, found[k].a, found[k].b, find_pair(w, &at, found[k].a, found[k].b), until);
    }
    return until;
}
