/* Contact forces where a state stands: barriers with the stiffness that the state remembers, friction at the present slip. A
 * step that has converged ends with the forces found here. */
#include "methods/barrier/seen.h"

#include <string.h>

#include "contact/points.h"
#include "contact/totals.h"
#include "dynamics/columns.h"
#include "methods/barrier/workspace.h"

static void load(void *self, const carom_state *s)
{
    barrier_work *w = self;
    w->h = *s->last_step > 0.0 ? *s->last_step : w->h;
    w->failure = contact_records_copy(&w->records, &s->contacts) ? CAROM_OK : CAROM_NO_MEMORY;
}

static void look_back(void *self)
{
    (void)self; /* what the state remembers holds at its end, where frames are taken */
}

static void place(barrier_work *w, const carom_scratch *s)
{
    for (int i = 0; i < w->model->body_count; ++i) {
        moving_body *b = &w->bodies[i];
        b->at = s->pose[i];
        b->R = s->R_w[i];
        b->rate = s->rate[i];
    }
}

/* [m/s] of A against B across the normal. */
static v3 slip_at(const barrier_work *w, const barrier_contact *c)
{
    const barrier_pair *p = &w->pairs[c->pair];
    v3 slip = v3_sub(point_velocity(&w->bodies[p->body[0]].rate, c->arm[0]),
                     point_velocity(&w->bodies[p->body[1]].rate, c->arm[1]));
    return v3_axpy(slip, -v3_dot(slip, c->normal), c->normal);
}

static void apply_contact(barrier_work *w, carom_scratch *s, const barrier_contact *c)
{
    const barrier_pair *p = &w->pairs[c->pair];
    double normal = -c->parallel.value * c->first;
    v3 slip = slip_at(w, c);
    double speed = v3_norm(slip);
    v3 rubbing = v3_scale(-p->mu * normal * friction_per_speed(w, speed), slip);
    v3 force = v3_axpy(rubbing, normal, c->normal);
    v3 turning = v3_scale(-c->parallel.first * c->value, c->parallel.turn);
    bool external = !work_is_free(s, p->body[0]) || !work_is_free(s, p->body[1]);
    for (int side = 0; side < 2; ++side) {
        double sign = side == 0 ? 1.0 : -1.0;
        wrench on = { v3_scale(sign, force), v3_scale(sign, turning) };
        v3 at = v3_add(s->pose[p->body[side]].x_w, c->arm[side]);
        work_apply_at(s, (body_place){ p->body[side], NULL }, at, on, external);
    }
    v3 middle = v3_scale(0.5, v3_add(v3_add(s->pose[p->body[0]].x_w, c->arm[0]),
                                     v3_add(s->pose[p->body[1]].x_w, c->arm[1])));
    contact_sight seen = { .body = p->body[0],
                           .other = p->body[1],
                           .gap = c->gap,
                           .p_w = middle,
                           .normal_w = c->normal,
                           .force_w = force,
                           .slip_w = slip };
    s->elastic += c->parallel.value * c->value;
    s->power.work[ACCOUNT_FRICTION] -= v3_dot(rubbing, slip);
    contact_points_push(&w->points, &seen, p->interaction);
    contact_totals_add(&w->totals, s->pose, p->body, middle, force, c->gap);
}

static bool apply(void *self, carom_scratch *s)
{
    barrier_work *w = self;
    if (w->stepping) {
        return true; /* contact is part of the potential that is being minimised */
    }
    place(w, s);
    contact_totals_clear(&w->totals, w->model);
    w->points.count = 0;
    w->contact_count = 0;
    if (!pairs_find(w)) {
        return false;
    }
    pairs_recall(w, &w->records);
    set_tolerances(w);
    contacts_evaluate(w);
    if (w->failure != CAROM_OK || !contact_points_reserve(&w->points, (size_t)w->contact_count + 1)) {
        return false;
    }
    for (int k = 0; k < w->contact_count; ++k) {
        apply_contact(w, s, &w->contacts[k]);
    }
    return true;
}

static const contact_tangent *tangents(void *self, double stiffness, double damping, int *count)
{
    (void)self;
    (void)stiffness;
    (void)damping;
    *count = 0; /* no integrator steps with this method */
    return NULL;
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

const contact_forces barrier_forces = { .create = barrier_create,
                                        .destroy = barrier_destroy,
                                        .load = load,
                                        .look_back = look_back,
                                        .apply = apply,
                                        .tangents = tangents,
                                        .points = points,
                                        .interaction = interaction,
                                        .totals = totals };
