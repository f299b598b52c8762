/* Finding contacts and their forces; see forces.h for what they are. */
#include "methods/compliant/forces.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "methods/compliant/clearance.h"
#include "methods/compliant/exact.h"
#include "methods/compliant/skins.h"

bool compliant_reserve_pairs(compliant_work *t, size_t count)
{
    return CAROM_ARRAY_RESERVE(t->pairs, t->pair_capacity, count);
}

/* For pairs that do touch: near ones may be very many more. */
static bool reserve_touching(compliant_work *t, size_t count)
{
    size_t with_spare = 2 * count;                                       /* as much again to sort in */
    size_t most = t->model->deform_count > 0 ? t->contact_count : count; /* tangents: by points where bodies deform */
    return CAROM_ARRAY_RESERVE(t->tangents, t->tangent_capacity, most) &&
           CAROM_ARRAY_RESERVE(t->order, t->order_capacity, with_spare);
}

bool compliant_reserve(compliant_work *t, size_t count)
{
    return CAROM_ARRAY_RESERVE(t->contacts, t->contact_capacity, count) && contact_points_reserve(&t->points, count);
}

/* ---- near pairs -------------------------------------------------------------------------------------------------- */

bool compliant_find_pairs(compliant_work *t)
{
    const box_pair *found = NULL;
    size_t count = 0;
    t->pair_count = 0;
    if (!near_find(t->near, &found, &count) || !compliant_reserve_pairs(t, count)) {
        return false;
    }
    for (size_t k = 0; k < count; ++k) {
        broad_pair pair = { .a = found[k].a, .b = found[k].b, .joint = -1, .skin = -1 };
        pair.interaction = model_interaction_of(t->model, pair.a, pair.b);
        t->pairs[t->pair_count++] = pair;
    }
    return true;
}

/* ---- one touch --------------------------------------------------------------------------------------------------- */

/* Of P's material against F's at the place of contact. */
static v3 relative_velocity(const touching_point *c, const carom_scratch *w, motion_rates of)
{
    return v3_sub(work_point_velocity(w, c->p, c->r_p, of), work_point_velocity(w, c->f, c->r_f, of));
}

static motion_rates rates_at_begin(const compliant_work *t)
{
    return (motion_rates){ t->at->rate, t->at->q_dot };
}

static v3 across_normal(v3 v, v3 normal)
{
    return v3_axpy(v, -v3_dot(v, normal), normal);
}

void touching_point_set_motion(touching_point *c, const carom_scratch *w)
{
    c->r_p = v3_sub(c->p_w, w->pose[c->p.body].x_w);
    c->r_f = v3_sub(c->p_w, w->pose[c->f.body].x_w);
    v3 v = relative_velocity(c, w, rates_of(work_motion(w)));
    c->gap_rate = v3_dot(c->gradient_w, v);
    if (c->exact) {
        c->gap_rate += exact_turning_rate(c, w->rate);
    }
    c->slip_w = across_normal(v, c->normal_w);
}

/* Where and how fast: everything that does not depend on laws. */
static void place_contact(touching_point *c, const compliant_work *t, const carom_scratch *w, const contact_hit *hit,
                          int field)
{
    const carom_pose *F = &t->near->pose_w[field];
    double steepness = v3_norm(hit->gradient_f);
    c->feature = (uint32_t)hit->feature;
    c->gap = hit->gap;
    c->gradient_w = q_rotate(F->orientation, hit->gradient_f);
    c->normal_w = steepness > 0.0 ? v3_scale(1.0 / steepness, c->gradient_w) : c->gradient_w;
    v3 center_w = v3_add(F->position, q_rotate(F->orientation, hit->p_f));
    c->p_w = v3_axpy(center_w, -(hit->radius + 0.5 * hit->gap),
                     c->normal_w);   /* midpoint of the overlap, symmetric in both bodies */
    touching_point_set_motion(c, w); /* the ball's centre moves alike along the normal */
}

static void friction(touching_point *c, const compliant_work *t, const carom_scratch *w, const model_interaction *law,
                     double normal, v3 bristle_f)
{
    v3 bristle_w = across_normal(m3_mulv(w->R_w[c->f.body], bristle_f), c->normal_w);
    v3 begin = across_normal(relative_velocity(c, w, rates_at_begin(t)), c->normal_w);
    friction_input in = {
        .slip = c->slip_w, .normal = normal, .dt = w->t - t->at->t, .bristle = bristle_w, .slip_begin = begin
    };
    friction_force f = law->friction->force(&in, law->friction_params);
    c->force_w = v3_add(c->force_w, f.force);
    c->bristle_w = f.bristle;
    c->along = f.along;
    c->across = f.across;
}

/* Friction of a touch along whose normal this force [N] acts. Returns its power [W]. */
static double add_friction(touching_point *c, compliant_work *t, const carom_scratch *w, const broad_pair *pair,
                           double normal)
{
    const model_interaction *law = pair->interaction;
    if (!law->friction) {
        return 0.0;
    }
    if (c->exact) {
        return exact_friction(c, t, w, pair, normal);
    }
    contact_record key = {
        .a = (uint32_t)pair->a, .b = (uint32_t)pair->b, .kind = (uint32_t)c->side + 1, .feature = c->feature
    };
    const contact_record *record = law->friction->has_bristles ? contact_records_find(&t->at->records, &key) : NULL;
    v3 along_normal = c->force_w;
    friction(c, t, w, law, normal, record ? v3_load(record->value) : v3_zero());
    return v3_dot(v3_sub(c->force_w, along_normal), c->slip_w);
}

/* (36), (37): the law's force along the gradient, and friction against the slip. Returns what the law says. */
static law_force force_on_contact(touching_point *c, compliant_work *t, const carom_scratch *w,
                                  const broad_pair *pair, double *friction_power)
{
    const model_interaction *law = pair->interaction;
    law_context context = law->context;
    context.approach = pair->approach;
    law_force f = law->law->force((contact_rate){ c->gap, c->gap_rate }, &context, law->law_params);
    c->stiffness = fmax(0.0, -c->weight * f.d_gap); /* opening laws may soften with depth: Newton does without */
    c->damping = -c->weight * f.d_gap_rate;
    c->force_w = v3_scale(c->weight * f.force, c->gradient_w);
    c->turning *= f.force;
    c->pressing = c->weight * f.force;
    c->torque_w = c->exact ? v3_scale(c->pressing, c->couple_w) : v3_zero();
    *friction_power = add_friction(c, t, w, pair, v3_norm(c->force_w));
    return f;
}

/* ---- all touches of a pair --------------------------------------------------------------------------------------- */

/* Shapes of a body that deforms go with the part of it that carries them. */
static body_place collider_place(const model_collider *c)
{
    return (body_place){ c->body, c->point.psi ? &c->point : NULL };
}

static bool find_side(compliant_work *t, const carom_scratch *w, broad_pair *pair, int side, double share)
{
    int points = side == 0 ? pair->a : pair->b;
    int field = side == 0 ? pair->b : pair->a;
    const model_collider *P = &t->model->colliders[points];
    const model_collider *F = &t->model->colliders[field];
    t->hits.count = 0;
    if (!detect_contacts(&t->hits, F->collider, P->collider,
                         pose_relative(&t->near->pose_w[field], &t->near->pose_w[points]), 0.0) ||
        !compliant_reserve(t, t->contact_count + t->hits.count)) {
        return false;
    }
    for (size_t k = 0; k < t->hits.count; ++k) {
        const contact_hit *hit = &t->hits.items[k];
        touching_point *c = &t->contacts[t->contact_count++];
        *c = (touching_point){ .side = side, .p = collider_place(P), .f = collider_place(F) };
        c->weight = pair->interaction->per_area ? share * hit->area : 1.0;
        place_contact(c, t, w, hit, field);
    }
    pair->count += t->hits.count;
    return true;
}

double compliant_approach_speed(const compliant_work *t, const carom_scratch *w, const broad_pair *pair)
{
    contact_record key = { .a = (uint32_t)pair->a, .b = (uint32_t)pair->b };
    const contact_record *record = contact_records_find(&t->at->records, &key);
    if (record) {
        return record->value[0];
    }
    double fastest = 0.0;
    for (size_t k = pair->first; k < pair->first + pair->count; ++k) {
        const touching_point *c = &t->contacts[k];
        v3 v = relative_velocity(c, w, rates_at_begin(t));
        double speed = c->exact ? -v3_dot(c->gradient_w, v) - exact_turning_rate(c, t->at->rate)
                                : -v3_dot(c->normal_w, v);
        fastest = speed > fastest ? speed : fastest; /* fmax may return -0 for what rests */
    }
    return fastest;
}

static bool find_points(compliant_work *t, const carom_scratch *w, broad_pair *pair)
{
    bool sides[2];
    model_contact_sides(t->model, pair->a, pair->b, sides);
    double share = sides[0] && sides[1] ? 0.5 : 1.0; /* both surfaces carry the pressure between them */
    for (int side = 0; side < 2; ++side) {
        if (sides[side] && !find_side(t, w, pair, side, share)) {
            return false;
        }
    }
    return true;
}

static bool find_contacts_of_pair(compliant_work *t, const carom_scratch *w, broad_pair *pair)
{
    pair->first = t->contact_count;
    pair->count = 0;
    if (!(exact_pair(t, pair) ? exact_find_contacts(t, w, pair) : find_points(t, w, pair))) {
        return false;
    }
    pair->approach = pair->count > 0 && pair->interaction->law->remembers_approach
                         ? compliant_approach_speed(t, w, pair)
                         : 0.0;
    return true;
}

/* Colliders ascend by body, the bodies of joints need not. */
void broad_pair_bodies(const compliant_work *t, const broad_pair *pair, int body[2])
{
    if (pair->joint >= 0) {
        const int *joined = t->model->joints[pair->joint].body;
        bool ordered = joined[0] < joined[1];
        body[0] = joined[!ordered];
        body[1] = joined[ordered];
        return;
    }
    if (pair->skin >= 0) {
        skin_pair_bodies(t, pair, body);
        return;
    }
    body[0] = t->model->colliders[pair->a].body;
    body[1] = t->model->colliders[pair->b].body;
}

/* Balls are looked up faster than fifteen axes are tried. */
static bool has_few_balls(const collider *c)
{
    enum { FEW = 4 };
    return collider_has_balls(c) && collider_point_count(c) <= FEW;
}

double broad_pair_box_gap(const compliant_work *t, const broad_pair *pair)
{
    if (has_few_balls(t->model->colliders[pair->a].collider) ||
        has_few_balls(t->model->colliders[pair->b].collider)) {
        return -HUGE_VAL;
    }
    return obb_gap(&t->near->box_w[pair->a], &t->near->box_w[pair->b]);
}

/* Pairs of colliders that touch, ascending by their bodies: a body may have many colliders. */
static bool order_pairs(compliant_work *t)
{
    t->touching = 0;
    for (size_t k = 0; k < t->pair_count; ++k) {
        t->touching += t->pairs[k].count > 0;
    }
    if (!reserve_touching(t, t->touching)) {
        t->touching = 0;
        return false;
    }
    size_t n = 0;
    for (size_t k = 0; k < t->pair_count; ++k) {
        if (t->pairs[k].count > 0) {
            int body[2];
            broad_pair_bodies(t, &t->pairs[k], body);
            t->order[n++] = (keyed){ (uint64_t)body[0] << 32 | (uint64_t)body[1], (int64_t)k };
        }
    }
    key_sort(t->order, t->order + n, n);
    return true;
}

bool compliant_find_contacts(compliant_work *t, const carom_scratch *w)
{
    t->contact_count = 0;
    t->exact.place_count = 0;
    t->exact.bend_count = 0;
    near_place(t->near, w->pose, w->q, NULL);
    if (!compliant_find_pairs(t)) {
        return false;
    }
    for (size_t k = 0; k < t->pair_count; ++k) {
        broad_pair *pair = &t->pairs[k];
        pair->first = t->contact_count;
        if (broad_pair_box_gap(t, pair) < 0.0 && !find_contacts_of_pair(t, w, pair)) {
            return false;
        }
    }
    return clearance_find(t, w) && skins_find(t, w) && order_pairs(t);
}

/* ---- forces on the model ----------------------------------------------------------------------------------------- */

/* Forces, stored energy and losses of one touch. */
static void apply_contact(touching_point *c, compliant_work *t, carom_scratch *w, const broad_pair *pair)
{
    double friction_power = 0.0;
    law_force f = force_on_contact(c, t, w, pair, &friction_power);
    bool external = !work_is_free(w, c->p.body) || !work_is_free(w, c->f.body);
    w->elastic += c->weight * f.potential;
    w->power.work[ACCOUNT_CONTACT] -= c->weight * (f.force - f.elastic) * c->gap_rate;
    w->power.work[ACCOUNT_FRICTION] -= friction_power;
    work_apply_at(w, c->p, c->p_w, (wrench){ c->force_w, c->torque_w }, external);
    work_apply_at(w, c->f, c->p_w, (wrench){ v3_neg(c->force_w), v3_neg(c->torque_w) }, external);
    const int body[2] = { c->p.body, c->f.body };
    contact_totals_add(&t->totals, w->pose, body, c->p_w, c->force_w, c->gap);
    if (c->exact) {
        contact_totals_add_torque(&t->totals, body, c->torque_w);
    }
}

static bool apply(void *self, carom_scratch *w)
{
    compliant_work *t = self;
    contact_totals_clear(&t->totals, t->model);
    if (t->load_failed || !compliant_find_contacts(t, w)) {
        return false;
    }
    const search_counts *by_points = &t->hits.asked;
    const search_counts *whole = &t->exact.found.asked;
    w->counters.searched = (carom_search_counts){ by_points->searches + whole->searches,
                                                  by_points->features + whole->features,
                                                  by_points->cells + whole->cells };
    for (size_t k = 0; k < t->pair_count; ++k) {
        const broad_pair *pair = &t->pairs[k];
        for (size_t i = pair->first; i < pair->first + pair->count; ++i) {
            apply_contact(&t->contacts[i], t, w, pair);
        }
    }
    return true;
}

/* ---- what is seen and remembered --------------------------------------------------------------------------------- */

static contact_sight sight_of(const touching_point *c)
{
    return (contact_sight){ .body = c->p.body,
                            .other = c->f.body,
                            .gap = c->gap,
                            .p_w = c->p_w,
                            .normal_w = c->normal_w,
                            .force_w = c->force_w,
                            .slip_w = c->slip_w };
}

static const carom_contact_point *points(void *self, int *count)
{
    compliant_work *t = self;
    t->points.count = 0;
    for (size_t k = 0; k < t->touching; ++k) {
        const broad_pair *pair = &t->pairs[t->order[k].value];
        for (size_t i = pair->first; i < pair->first + pair->count; ++i) {
            contact_sight seen = sight_of(&t->contacts[i]);
            contact_points_push(&t->points, &seen, pair->interaction);
        }
    }
    *count = t->points.count;
    return t->points.items;
}

static const model_interaction *interaction(const void *self, int point)
{
    const compliant_work *t = self;
    return t->points.interactions[point];
}

static contact_totals totals(const void *self)
{
    const compliant_work *t = self;
    return t->totals;
}

static void remember_pair(const compliant_work *t, const carom_scratch *w, const broad_pair *pair,
                          contact_records *out)
{
    if (pair->interaction->law->remembers_approach) {
        out->items[out->count++] = (contact_record){ .a = (uint32_t)pair->a,
                                                     .b = (uint32_t)pair->b,
                                                     .value = { pair->approach } };
    }
    const carom_friction_law *friction = pair->interaction->friction;
    for (size_t i = pair->first; friction && friction->has_bristles && i < pair->first + pair->count; ++i) {
        const touching_point *c = &t->contacts[i];
        if (c->exact) {
            exact_remember(t, w, pair, c, out);
            continue;
        }
        contact_record record = {
            .a = (uint32_t)pair->a, .b = (uint32_t)pair->b, .kind = (uint32_t)c->side + 1, .feature = c->feature
        };
        v3_store(record.value, m3_tmulv(w->R_w[c->f.body], c->bristle_w));
        out->items[out->count++] = record;
    }
}

bool compliant_remember(const compliant_work *t, const carom_scratch *w, contact_records *out)
{
    if (!contact_records_reserve(out, t->pair_count + t->contact_count + t->exact.place_count)) {
        return false;
    }
    out->count = 0;
    for (size_t k = 0; k < t->pair_count; ++k) {
        if (t->pairs[k].count > 0) {
            remember_pair(t, w, &t->pairs[k], out);
        }
    }
    return true;
}

/* ---- the workspace ----------------------------------------------------------------------------------------------- */

static void load(void *self, const carom_state *s)
{
    compliant_work *t = self;
    step_memory *b = t->present;
    t->at = b;
    b->t = *s->time;
    b->records.count = 0;
    memcpy(b->rate, s->rate, (size_t)t->model->body_count * sizeof *b->rate);
    if (t->model->deform_count > 0) {
        memcpy(b->q_dot, s->q_dot, (size_t)t->model->deform_count * sizeof *b->q_dot);
    }
    t->load_failed = !contact_records_copy(&b->records, &s->contacts);
}

static void look_back(void *self)
{
    compliant_work *t = self;
    t->at = t->last;
    t->load_failed = false;
}

void compliant_end_step(compliant_work *t)
{
    step_memory *ended = t->present;
    t->present = t->last;
    t->last = ended;
}

static void destroy(void *self)
{
    compliant_work *t = self;
    near_destroy(t->near);
    skins_destroy(t);
    hit_list_free(&t->hits);
    exact_destroy(t);
    free(t->pairs);
    free(t->contacts);
    contact_points_free(&t->points);
    free(t->tangents);
    free(t->order);
    free(t->slots[0].records.items);
    free(t->slots[1].records.items);
    carom_arena_free(&t->arena);
    free(t);
}

static carom_status create(void **self, const carom_model *model, carom_error *err)
{
    compliant_work *t = calloc(1, sizeof *t);
    if (!t) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    t->model = model;
    t->present = &t->slots[0];
    t->last = &t->slots[1];
    t->at = t->present;
    carom_status status = near_create(&t->near, model, err);
    for (int k = 0; k < 2; ++k) {
        t->slots[k].rate = CAROM_ARENA_ARRAY(&t->arena, body_rate, model->body_count);
        t->slots[k].q_dot = CAROM_ARENA_ARRAY(&t->arena, double, model->deform_count + 1);
    }
    t->bounds = CAROM_ARENA_ARRAY(&t->arena, motion_bound, model->body_count);
    t->margin = CAROM_ARENA_ARRAY(&t->arena, double, model->collider_count);
    contact_totals_create(&t->totals, &t->arena, model);
    status = status == CAROM_OK ? skins_create(t, err) : status;
    if (status == CAROM_OK && t->arena.failed) {
        status = carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    if (status != CAROM_OK) {
        destroy(t);
        return status;
    }
    *self = t;
    return CAROM_OK;
}

const contact_forces compliant_forces = {
    .create = create,
    .destroy = destroy,
    .load = load,
    .look_back = look_back,
    .apply = apply,
    .tangents = compliant_tangents,
    .points = points,
    .interaction = interaction,
    .totals = totals,
};
