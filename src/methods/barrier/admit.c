/* A run begins without intersections, or not at all: what is free of them at the start stays so. */
#include "methods/barrier/admit.h"

#include <stdio.h>

#include "methods/barrier/workspace.h"
#include "model/origin.h"

static const char *const kind_names[] = { "the plane", "vertex", "edge", "triangle" };

static const char *body_of(const carom_model *model, int index)
{
    return model->bodies[model->colliders[index].body].name;
}

static carom_status refuse(const carom_model *model, int a, int b, const feature_pair *at, carom_error *err)
{
    int body = model->colliders[a].body > model->colliders[b].body ? model->colliders[a].body : model->colliders[b].body;
    carom_fail(err, CAROM_INTERSECTING,
               "'%.100s' and '%.100s' intersect at the start (%s %d of the first and %s %d of the second); the method 'barrier' "
               "needs a start without intersections: move them apart, or let them ignore each other in contact.pairs",
               body_of(model, a), body_of(model, b), kind_names[at->kind[0]], at->index[0], kind_names[at->kind[1]],
               at->index[1]);
    return model_blame_body(model, body, NULL, CAROM_INTERSECTING, err);
}

static carom_status refuse_near(const barrier_work *w, const barrier_pair *p, double distance, carom_error *err)
{
    const carom_model *model = w->model;
    carom_fail(err, CAROM_INTERSECTING,
               "'%.100s' and '%.100s' start %.3g m apart, and the method 'barrier' keeps %.3g m between them "
               "(contact.separation): move them apart, or take a smaller separation",
               body_of(model, p->a), body_of(model, p->b), distance, w->options->separation);
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
    if (!pair_follow(w, p, &now)) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for contacts");
    }
    for (size_t k = 0; k < p->list.count; ++k) {
        if (!(p->list.items[k].distance > w->options->separation + now.rounding)) {
            return refuse_near(w, p, p->list.items[k].distance, err);
        }
    }
    return CAROM_OK;
}

carom_status barrier_admit(const carom_state *state, carom_scratch *scratch, carom_error *err)
{
    barrier_work *w = scratch->contact;
    inertia_begin(w, state);
    if (!pairs_find(w)) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for contacts");
    }
    carom_status status = CAROM_OK;
    for (int k = 0; status == CAROM_OK && k < w->pair_count; ++k) {
        status = check_pair(w, &w->pairs[k], err);
    }
    return status;
}
