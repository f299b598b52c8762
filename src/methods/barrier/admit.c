/* A run begins without intersections, or not at all: what is free of them at the start stays so. */
#include "methods/barrier/admit.h"

#include <stdio.h>

#include "dynamics/integrator.h"
#include "methods/barrier/bodies.h"
#include "methods/barrier/pairs.h"
#include "methods/barrier/workspace.h"
#include "model/origin.h"

static const char *body_of(const carom_model *model, int index)
{
    return model->bodies[model->colliders[index].body].name;
}

static carom_status refuse(const carom_model *model, int a, int b, const feature_pair *at, carom_error *err)
{
    int body = model->colliders[a].body > model->colliders[b].body ? model->colliders[a].body
                                                                   : model->colliders[b].body;
    carom_fail(
        err, CAROM_INTERSECTING,
        "'%.100s' and '%.100s' intersect at the start (%s %d of the first and %s %d of the second); the method 'barrier' "
        "needs a start without intersections: move them apart, or let them ignore each other in contact.pairs",
        body_of(model, a), body_of(model, b), surface_kind_names[at->kind[0]], at->index[0],
        surface_kind_names[at->kind[1]], at->index[1]);
    return model_blame_body(model, body, NULL, CAROM_INTERSECTING, err);
}

static carom_status refuse_near(const barrier_work *w, const barrier_pair *p, double distance, double rounding,
                                carom_error *err)
{
    const carom_model *model = w->model;
    if (p->separation > 0.0) {
        carom_fail(err, CAROM_INTERSECTING,
                   "'%.100s' and '%.100s' start %.3g m apart, and the method 'barrier' keeps %.3g m between them "
                   "(contact.separation): move them apart, or take a smaller separation",
                   body_of(model, p->a), body_of(model, p->b), distance, p->separation);
    } else {
        carom_fail(
            err, CAROM_INTERSECTING,
            "'%.100s' and '%.100s' start %.3g m apart, which rounding cannot tell from touching; the method 'barrier' "
            "needs a start with more than %.2g m between them",
            body_of(model, p->a), body_of(model, p->b), distance, rounding);
    }
    return model_blame_body(model, p->body[0] > p->body[1] ? p->body[0] : p->body[1], NULL, CAROM_INTERSECTING, err);
}

static carom_status check_pair(barrier_work *w, barrier_pair *p, carom_error *err)
{
    surface_place places[2] = { collider_place(w, p->a), collider_place(w, p->b) };
    surface_pair now = surface_pair_of(&places[0], &places[1]);
    feature_pair at;
    if (surface_pair_meets(&now, &at)) {
        return refuse(w->model, p->a, p->b, &at, err);
    }
    if (!pair_follow(p, &now)) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for contacts");
    }
    for (size_t k = 0; k < p->near.list.count; ++k) {
        if (!(p->near.list.items[k].distance > p->separation + now.rounding)) {
            return refuse_near(w, p, p->near.list.items[k].distance, now.rounding, err);
        }
    }
    return CAROM_OK;
}

/* A coordinate that is at or beyond its limit has no way back. */
static carom_status check_stops(barrier_work *w, carom_scratch *scratch, carom_error *err)
{
    for (int k = 0; k < w->stop_count; ++k) {
        const barrier_stop *s = &w->stops[k];
        const model_joint *joint = &w->model->joints[s->joint];
        double at = scratch->coordinate[joint->first_coordinate + s->coordinate];
        if (!(s->sign * (at - s->limit) > 0.0)) {
            carom_fail(
                err, CAROM_INTERSECTING,
                "joint '%.100s' starts at %.6g, and its coordinate '%s' must be %s %.6g; the method 'barrier' needs a start "
                "inside the limits",
                joint->name, at, joint->type->coordinates[s->coordinate].name, s->sign > 0.0 ? "above" : "below",
                s->limit);
            return CAROM_INTERSECTING;
        }
    }
    return CAROM_OK;
}

carom_status barrier_admit(const carom_state *state, carom_scratch *scratch, carom_error *err)
{
    barrier_work *w = scratch->contact;
    bodies_begin(w, state);
    pairs_make_room(w);
    if (!pairs_find(w)) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for contacts");
    }
    carom_status status = CAROM_OK;
    for (int k = 0; status == CAROM_OK && k < w->pair_count; ++k) {
        /* Near or not: what is deep inside another is far from its surface. */
        status = check_pair(w, &w->pairs[k], err);
    }
    if (status == CAROM_OK && w->stop_count > 0) {
        integrator_load(scratch, state);
        work_place(scratch, *state->time, state_motion(state));
        work_positions(scratch);
        status = check_stops(w, scratch, err);
    }
    return status;
}
