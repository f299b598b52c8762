/* The workspace of the method: created with a scratch, filled from the model. */
#include "methods/barrier/workspace.h"

#include <stdlib.h>

#include "contact/totals.h"

static bool has_room(barrier_work *w)
{
    const carom_model *m = w->model;
    carom_arena *a = &w->arena;
    w->bodies = CAROM_ARENA_ARRAY(a, moving_body, m->body_count + 1);
    w->near_begin = CAROM_ARENA_ARRAY(a, body_pose, m->body_count + 1);
    w->ending = CAROM_ARENA_ARRAY(a, body_rate, m->body_count + 1);
    w->reached = CAROM_ARENA_ARRAY(a, body_rate, m->body_count + 1);
    w->virial = CAROM_ARENA_ARRAY(a, m3, m->body_count + 1);
    w->margin = CAROM_ARENA_ARRAY(a, double, m->collider_count + 1);
    w->ranges = CAROM_ARENA_ARRAY(a, double, m->collider_count + 1);
    w->surfaces = CAROM_ARENA_ARRAY(a, const surface *, m->collider_count + 1);
    int row_nodes = m->joint_count + m->coupler_count;
    w->node_sizes = CAROM_ARENA_ARRAY(a, int, m->free_count + row_nodes + 1);
    w->node_is_row = CAROM_ARENA_ARRAY(a, bool, m->free_count + row_nodes + 1);
    w->row_nodes = CAROM_ARENA_ARRAY(a, row_node, row_nodes + 1);
    w->lambda = CAROM_ARENA_ARRAY(a, double, m->row_count + 1);
    w->gradient = CAROM_ARENA_ARRAY(a, double, COLUMNS * m->free_count + 1);
    w->applied = CAROM_ARENA_ARRAY(a, double, COLUMNS * m->free_count + 1);
    w->applied_from = CAROM_ARENA_ARRAY(a, double, COLUMNS * m->free_count + 1);
    w->x = CAROM_ARENA_ARRAY(a, double, COLUMNS * m->free_count + m->row_count + 1);
    contact_totals_create(&w->totals, a, m);
    w->system = block_system_create();
    return !a->failed && w->system;
}

static void fill_bodies(barrier_work *w)
{
    const carom_model *m = w->model;
    w->lightest = HUGE_VAL;
    for (int i = 0; i < m->body_count; ++i) {
        moving_body *b = &w->bodies[i];
        const model_body *from = &m->bodies[i];
        b->free = from->role == BODY_FREE;
        b->kinematic = from->role == BODY_KINEMATIC;
        b->node = from->slot;
        b->mass = from->mass;
        b->J_b = m3_add(m3_scale(0.5 * m3_trace(from->inertia_b), m3_identity()), m3_scale(-1.0, from->inertia_b));
        w->lightest = b->free ? fmin(w->lightest, b->mass) : w->lightest;
    }
    w->node_count = m->free_count;
    for (int k = 0; k < m->free_count; ++k) {
        w->node_sizes[k] = COLUMNS;
    }
    w->has_elements = m->force_count > 0;
    for (int j = 0; j < m->joint_count; ++j) {
        w->has_elements = w->has_elements || m->joints[j].spring_count > 0 || m->joints[j].limit_count > 0;
    }
    joints_create(w);
    for (int k = 0; k < w->row_node_count; ++k) {
        w->node_sizes[w->node_count + k] = w->row_nodes[k].row_count;
        w->node_is_row[w->node_count + k] = true;
    }
}

/* A thousandth of the diagonal of the box around a shape, a millimetre at most; planes have no size of their own. */
static double range_of(const barrier_work *w, int index)
{
    static const double PART = 1e-3;
    static const double MOST = 1e-3; /* [m] */
    if (w->options->range > 0.0) {
        return w->options->range;
    }
    const obb *box = collider_box(w->model->colliders[index].collider);
    double part = PART * 2.0 * v3_norm(box->half);
    return part < MOST ? part : MOST;
}

static void fill_colliders(barrier_work *w)
{
    for (int i = 0; i < w->model->collider_count; ++i) {
        const model_collider *c = &w->model->colliders[i];
        moving_body *b = &w->bodies[c->body];
        w->surfaces[i] = collider_surface(c->collider);
        w->ranges[i] = range_of(w, i);
        b->reach = fmax(b->reach, v3_norm(c->pose_c.position) + w->surfaces[i]->radius);
    }
}

carom_status barrier_create(void **self, const carom_model *model, carom_error *err)
{
    barrier_work *w = *self = calloc(1, sizeof *w);
    if (w) {
        w->model = model;
        w->options = model->method_options;
    }
    if (!w || !has_room(w)) {
        barrier_destroy(w);
        *self = NULL;
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for contacts");
    }
    carom_status status = near_create(&w->near, model, err);
    if (status != CAROM_OK) {
        barrier_destroy(w);
        *self = NULL;
        return status;
    }
    fill_bodies(w);
    fill_colliders(w);
    return CAROM_OK;
}

void barrier_destroy(void *self)
{
    barrier_work *w = self;
    if (!w) {
        return;
    }
    pairs_free(w);
    near_destroy(w->near);
    block_system_destroy(w->system);
    free(w->contacts);
    free(w->frictions);
    free(w->edges);
    free(w->pushes);
    free(w->records.items);
    contact_points_free(&w->points);
    carom_arena_free(&w->arena);
    free(w);
}

void set_tolerances(barrier_work *w)
{
    double least = HUGE_VAL;
    bool rubs = false;
    for (int i = 0; i < w->model->collider_count; ++i) {
        least = fmin(least, w->ranges[i]);
    }
    for (int k = 0; k < w->model->group_count * w->model->group_count; ++k) {
        rubs = rubs || w->model->interactions[k].mu > 0.0;
    }
    least = isfinite(least) ? least : 1e-3;
    double stick = w->options->stick_speed > 0.0 ? w->options->stick_speed : least;
    w->stick_width = stick * w->h;
    w->tolerance = w->options->tolerance;
    if (!(w->tolerance > 0.0)) {
        double speed = 1e-2 * least / w->h;
        w->tolerance = rubs ? fmin(speed, 0.1 * stick) : speed;
    }
}
