/* Contact forces where a state stands: barriers with the stiffness that the state remembers, friction at the present slip. A
 * step that has converged ends with the forces found here.
 *
 * At the end of a step friction is that of its last solve, which the motion is in balance with. Where it has not settled it is not that of
 * the contacts there, and momentum is accounted for all the same. */
#include "methods/barrier/seen.h"

#include <string.h>

#include "contact/points.h"
#include "contact/totals.h"
#include "dynamics/columns.h"
#include "methods/barrier/contacts.h"
#include "methods/barrier/friction.h"
#include "methods/barrier/joint_friction.h"
#include "methods/barrier/pairs.h"
#include "methods/barrier/stops.h"
#include "methods/barrier/workspace.h"

static void load(void *self, const carom_state *s)
{
    barrier_work *w = self;
    w->h = *s->last_step > 0.0 ? *s->last_step : w->h;
    w->no_memory = !contact_records_copy(&w->records, &s->contacts);
    w->moved_last = *s->step_error > 0.0;
    memcpy(w->lambda, s->sigma, (size_t)w->model->row_count * sizeof *w->lambda);
    memcpy(w->last_move, s->jerk, (size_t)w->model->body_count * sizeof *w->last_move);
}

/* Bodies where the evaluation has them. */
static void place(barrier_work *w, const carom_scratch *s)
{
    v3 fall = v3_scale(w->h * w->h, w->model->scene.gravity);
    for (int i = 0; i < w->model->body_count; ++i) {
        moving_body *b = &w->bodies[i];
        b->at = b->begin = s->pose[i];
        b->R = s->R_w[i];
        b->rate = s->rate[i];
        b->h_rate = w->h;
        body_rate moved = w->moved_last ? w->last_move[i]
                                        : (body_rate){ v3_scale(w->h, b->rate.v_w), v3_scale(w->h, b->rate.omega_w) };
        b->turn_ref = v3_neg(moved.omega_w); /* there is no turn since this step began */
        b->x_ref = v3_sub(b->at.x_w, moved.v_w);
        b->R_ref = q_matrix(q_mul(so3_exp(v3_neg(moved.omega_w)), b->at.q_wb));
        b->free_way = b->free ? v3_axpy(fall, w->h, b->rate.v_w) : v3_zero();
    }
    pairs_make_room(w);
}

static void apply_contact(barrier_work *w, carom_scratch *s, const barrier_pair *p, const barrier_contact *c,
                          v3 rubbing)
{
    const v3 arm[2] = { surface_arm(c, 0), surface_arm(c, 1) };
    double normal = -c->parallel.value * c->first;
    double factor = c->parallel.value < 1.0 ? -c->parallel.first * c->value : 0.0;
    v3 push = v3_scale(factor, c->parallel.shift);
    v3 force = v3_axpy(push, normal, c->normal);
    bool external = !work_is_free(s, p->body[0]) || !work_is_free(s, p->body[1]);
    for (int side = 0; side < 2; ++side) {
        double sign = side == 0 ? 1.0 : -1.0;
        if (body_stays(&w->bodies[p->body[side]])) {
            continue; /* a force on what never moves does nothing */
        }
        v3 turning = v3_sub(v3_scale(factor, c->turn[side]), v3_cross(arm[side], push));
        wrench on = { v3_scale(sign, force), v3_scale(sign, turning) };
        v3 at = v3_add(s->pose[p->body[side]].x_w, arm[side]);
        work_apply_at(s, (body_place){ p->body[side], NULL }, at, on, external);
    }
    v3 middle = v3_scale(0.5,
                         v3_add(v3_add(s->pose[p->body[0]].x_w, arm[0]), v3_add(s->pose[p->body[1]].x_w, arm[1])));
    contact_sight seen = { .body = p->body[0],
                           .other = p->body[1],
                           .gap = c->gap,
                           .p_w = middle,
                           .normal_w = c->normal,
                           .force_w = v3_add(force, rubbing),
                           .slip_w = friction_slip(w, p, c) };
    s->elastic += c->parallel.value * c->value;
    contact_points_push(&w->points, &seen, p->interaction);
    contact_totals_add(&w->totals, s->pose, p->body, middle, force, c->gap);
}

/* Friction acts as the last solve had it, though contacts may have changed since. */
static void apply_friction(barrier_work *w, carom_scratch *s, const barrier_pair *p, int k)
{
    friction_push push = friction_push_of(w, p, k);
    bool external = !work_is_free(s, p->body[0]) || !work_is_free(s, p->body[1]);
    v3 at[2];
    for (int side = 0; side < 2; ++side) {
        wrench on = { side == 0 ? push.force : v3_neg(push.force), v3_zero() };
        at[side] = v3_add(s->pose[p->body[side]].x_w, push.arm[side]);
        work_apply_at(s, (body_place){ p->body[side], NULL }, at[side], on, external);
    }
    s->power.work[ACCOUNT_FRICTION] += push.loss;
    contact_totals_add_force(&w->totals, s->pose, p->body, v3_scale(0.5, v3_add(at[0], at[1])), push.force);
}

static void apply_pair(barrier_work *w, carom_scratch *s, const barrier_pair *p)
{
    int next = 0;
    for (int c = 0; c < p->contact_count; ++c) {
        apply_contact(w, s, p, &p->contacts[c], friction_force_at(w, p, &p->contacts[c], &next));
    }
    for (int k = 0; k < p->friction_count; ++k) {
        apply_friction(w, s, p, k);
    }
}

/* Contacts at the poses of an evaluation, with the stiffness that the state remembers. */
static bool find_contacts(barrier_work *w, const carom_scratch *s)
{
    place(w, s);
    if (w->no_memory || !pairs_find(w)) {
        return false;
    }
    pairs_recall(w, &w->records);
    for (int k = 0; k < w->pair_count; ++k) {
        barrier_pair *p = &w->pairs[k];
        if (p->active) {
            contacts_evaluate_pair(w, p);
            if (!p->touched && p->contact_count > 0) {
                pair_fit(w, p);
                contacts_evaluate_pair(w, p);
            }
            w->no_memory = w->no_memory || p->no_memory || !friction_find(w, p);
        }
    }
    return !w->no_memory;
}

static bool apply(void *self, carom_scratch *s)
{
    barrier_work *w = self;
    size_t count = 0;
    if (w->stepping) {
        return true; /* contact is part of the potential that is being minimised */
    }
    contact_totals_clear(&w->totals, w->model);
    w->points.count = 0;
    if (!w->current && !find_contacts(w, s)) {
        return false;
    }
    for (int k = 0; k < w->pair_count; ++k) {
        count += (size_t)w->pairs[k].contact_count;
    }
    if (!contact_points_reserve(&w->points, count + 1)) {
        return false;
    }
    for (int k = 0; k < w->pair_count; ++k) {
        apply_pair(w, s, &w->pairs[k]);
    }
    stops_apply(w, s);
    joint_friction_apply(w, s);
    return true;
}

static const carom_contact_point *points(void *self, int *count)
{
    const barrier_work *w = self;
    *count = w->points.count;
    return w->points.items;
}

static const model_interaction *interaction(const void *self, int point)
{
    return ((const barrier_work *)self)->points.interactions[point];
}

static contact_totals totals(const void *self)
{
    return ((const barrier_work *)self)->totals;
}

/* What restitution has given back. */
static bool impulse(const void *self, int *at, contact_impulse *out)
{
    const barrier_work *w = self;
    while (*at < w->pair_count) {
        const barrier_pair *p = &w->pairs[(*at)++];
        if (p->returned > 0.0) {
            bool ascending = p->body[0] < p->body[1];
            *out = (contact_impulse){ .body = { p->body[!ascending], p->body[ascending] }, .normal = p->returned };
            return true;
        }
    }
    return false;
}

const contact_forces barrier_forces = { .create = barrier_create,
                                        .destroy = barrier_destroy,
                                        .load = load,
                                        .apply = apply,
                                        .points = points,
                                        .interaction = interaction,
                                        .totals = totals,
                                        .impulse = impulse };
