/* Finding near pairs of colliders. */
#include "model/near.h"

#include <stdlib.h>

#include "model/colliders.h"

/* How far from the centre of mass anything is that can touch. A ball turns without moving its surface, so what counts is
 * its centre. */
static double reach_of(const model_collider *c)
{
    double r = collider_radius(c->collider);
    if (collider_has_balls(c->collider)) {
        r = 0.0;
        for (int i = 0; i < collider_point_count(c->collider); ++i) {
            r = fmax(r, v3_norm(collider_point(c->collider, i).r));
        }
    }
    return v3_norm(c->pose_c.position) + r;
}

carom_status near_create(near_search **out, const carom_model *model, carom_error *err)
{
    near_search *n = *out = calloc(1, sizeof *n);
    if (n) {
        n->model = model;
        n->broad = broad_phase_create();
        n->pose_w = CAROM_ARENA_ARRAY(&n->arena, carom_pose, model->collider_count);
        n->box_w = CAROM_ARENA_ARRAY(&n->arena, obb, model->collider_count);
        n->bounds_w = CAROM_ARENA_ARRAY(&n->arena, aabb, model->collider_count);
        n->reach = CAROM_ARENA_ARRAY(&n->arena, double, model->collider_count);
    }
    if (!n || !n->broad || n->arena.failed) {
        near_destroy(n);
        *out = NULL;
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for contacts");
    }
    for (int i = 0; i < model->collider_count; ++i) {
        n->reach[i] = reach_of(&model->colliders[i]);
    }
    return CAROM_OK;
}

void near_destroy(near_search *n)
{
    if (n) {
        if (n->broad) {
            broad_phase_destroy(n->broad);
        }
        carom_arena_free(&n->arena);
        free(n);
    }
}

void near_place(near_search *n, const body_pose *pose, const double *q, const double *margin)
{
    for (int i = 0; i < n->model->collider_count; ++i) {
        const model_collider *c = &n->model->colliders[i];
        aabb *bounds = &n->bounds_w[i];
        n->pose_w[i] = model_collider_pose(n->model, c, &pose[c->body], q);
        n->box_w[i] = obb_move(collider_box(c->collider), n->pose_w[i]);
        obb_bounds(&bounds->low, &bounds->high, &n->box_w[i]);
        if (margin) {
            v3 by = { margin[i], margin[i], margin[i] };
            bounds->low = v3_sub(bounds->low, by);
            bounds->high = v3_add(bounds->high, by);
        }
    }
}

static bool of_no_interest(const void *context, int a, int b)
{
    return !model_interaction_of(context, a, b);
}

bool near_find(near_search *n, const box_pair **pairs, size_t *count)
{
    return broad_phase_find(n->broad, n->bounds_w, n->model->collider_count, of_no_interest, n->model, pairs, count);
}
