/* The workspace of the method: created with a scratch, filled from the model. */
#include "methods/barrier/workspace.h"

#include <stdlib.h>
#include <string.h>

#include "contact/totals.h"
#include "dynamics/integrator.h"
#include "methods/barrier/islands.h"
#include "methods/barrier/joint_friction.h"
#include "methods/barrier/joints.h"
#include "methods/barrier/pairs.h"
#include "methods/barrier/stops.h"
#include "methods/barrier/waits.h"

static bool has_room(barrier_work *w)
{
    const carom_model *m = w->model;
    carom_arena *a = &w->arena;
    int limits = 0;
    for (int j = 0; j < m->joint_count; ++j) {
        limits += m->joints[j].limit_count;
    }
    w->bodies = CAROM_ARENA_ARRAY(a, moving_body, m->body_count + 1);
    w->poses = CAROM_ARENA_ARRAY(a, body_pose, m->body_count + 1);
    w->ending = CAROM_ARENA_ARRAY(a, body_rate, m->body_count + 1);
    w->last_move = CAROM_ARENA_ARRAY(a, body_rate, m->body_count + 1);
    w->response = CAROM_ARENA_ARRAY(a, body_rate, m->body_count + 1);
    w->before = CAROM_ARENA_ARRAY(a, body_rate, m->body_count + 1);
    w->struck = CAROM_ARENA_ARRAY(a, bool, m->body_count + 1);
    w->held = CAROM_ARENA_ARRAY(a, double, m->body_count + 1);
    w->restarts = CAROM_ARENA_ARRAY(a, bool, m->body_count + 1);
    w->virial = CAROM_ARENA_ARRAY(a, m3, m->body_count + 1);
    w->parent = CAROM_ARENA_ARRAY(a, int, m->body_count + 1);
    w->open = CAROM_ARENA_ARRAY(a, int, 2 * m->body_count + 1);
    w->in_mechanism = CAROM_ARENA_ARRAY(a, bool, m->body_count + 1);
    w->mechanism_at = CAROM_ARENA_ARRAY(a, body_pose, m->body_count + 1);
    w->margin = CAROM_ARENA_ARRAY(a, double, m->collider_count + 1);
    w->ranges = CAROM_ARENA_ARRAY(a, double, m->collider_count + 1);
    w->R_c = CAROM_ARENA_ARRAY(a, m3, m->collider_count + 1);
    w->upright = CAROM_ARENA_ARRAY(a, bool, m->collider_count + 1);
    w->surfaces = CAROM_ARENA_ARRAY(a, const surface *, m->collider_count + 1);
    w->row_nodes = CAROM_ARENA_ARRAY(a, row_node, m->joint_count + m->coupler_count + 1);
    w->lambda = CAROM_ARENA_ARRAY(a, double, m->row_count + 1);
    w->rubs = CAROM_ARENA_ARRAY(a, joint_rub, m->joint_count + 1);
    w->fresh_rubs = CAROM_ARENA_ARRAY(a, joint_rub, m->joint_count + 1);
    w->motions = CAROM_ARENA_ARRAY(a, given_motion, m->body_count + m->row_count + 1);
    w->lambda_from = CAROM_ARENA_ARRAY(a, double, m->row_count + 1);
    w->stops = CAROM_ARENA_ARRAY(a, barrier_stop, 2 * limits + 1);
    contact_totals_create(&w->totals, a, m);
    return !a->failed;
}

static double least_eigenvalue(m3 a)
{
    double values[3];
    m3 vectors;
    m3_eigen_symmetric(a, values, &vectors);
    return values[0];
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
        b->mass = from->mass;
        b->inertia_b = from->inertia_b;
        b->least_moment = least_eigenvalue(from->inertia_b);
        b->J_b = m3_add(m3_scale(0.5 * m3_trace(from->inertia_b), m3_identity()), m3_scale(-1.0, from->inertia_b));
        w->lightest = b->free ? fmin(w->lightest, b->mass) : w->lightest;
    }
}

/* Bodies with joints or applied forces are evaluated together, in the scratch. */
static void find_mechanism(barrier_work *w)
{
    const carom_model *m = w->model;
    w->has_elements = m->force_count > 0;
    for (int j = 0; j < m->joint_count; ++j) {
        w->has_elements = w->has_elements || m->joints[j].spring_count > 0;
        w->in_mechanism[m->joints[j].body[0]] = w->in_mechanism[m->joints[j].body[1]] = true;
    }
    for (int k = 0; k < m->force_count; ++k) {
        const model_force *f = &m->forces[k];
        for (int side = 0; side < 2; ++side) {
            int body = f->joint >= 0 ? m->joints[f->joint].body[side] : f->body[side];
            if (body >= 0) {
                w->in_mechanism[body] = true;
            }
        }
    }
    joints_create(w);
}

/* A thousandth of the diagonal of the box around a shape, a millimetre at most; planes have no size of their own. */
static double range_of(const carom_model *model, int index)
{
    static const double PART = 1e-3;
    static const double MOST = 1e-3; /* [m] */
    const obb *box = collider_box(model->colliders[index].collider);
    double diagonal = 2.0 * v3_norm(box->half);
    return isfinite(diagonal) ? fmin(PART * diagonal, MOST) : HUGE_VAL;
}

/* Turns of bodies without surfaces have to be solved, too, and carried out: free ones count with their radius of gyration, others
 * with the size of the scene. */
static void fill_reaches(barrier_work *w)
{
    for (int i = 0; i < w->model->body_count; ++i) {
        moving_body *b = &w->bodies[i];
        double size = b->free ? sqrt(0.5 * m3_trace(b->inertia_b) / b->mass) : w->model->length_scale;
        b->reach = b->reach > 0.0 || !(b->free || b->kinematic) ? b->reach : size;
    }
}

static void fill_colliders(barrier_work *w)
{
    for (int i = 0; i < w->model->collider_count; ++i) {
        const model_collider *c = &w->model->colliders[i];
        moving_body *b = &w->bodies[c->body];
        w->surfaces[i] = collider_surface(c->collider);
        const m3 same = m3_identity();
        w->R_c[i] = q_matrix(c->pose_c.orientation);
        w->upright[i] = memcmp(&w->R_c[i], &same, sizeof same) == 0;
        w->ranges[i] = range_of(w->model, i);
        b->reach = fmax(b->reach, v3_norm(c->pose_c.position) + w->surfaces[i]->radius);
    }
}

/* The least and the largest range and separation of all pairs that may meet. */
static void find_ranges(barrier_work *w)
{
    const carom_model *m = w->model;
    double least = HUGE_VAL;
    double most = 0.0;
    for (int i = 0; i < m->collider_count; ++i) {
        if (isfinite(w->ranges[i])) {
            least = fmin(least, w->ranges[i]);
            most = fmax(most, w->ranges[i]);
        }
    }
    bool all_given = m->group_count > 0;
    double given_least = HUGE_VAL;
    for (int k = 0; k < m->group_count * m->group_count; ++k) {
        const model_interaction *i = &m->interactions[k];
        if (i->ignore) {
            continue;
        }
        all_given = all_given && i->range > 0.0;
        given_least = i->range > 0.0 ? fmin(given_least, i->range) : given_least;
        w->range_given = fmax(w->range_given, i->range);
        w->separation_most = fmax(w->separation_most, i->separation);
    }
    static const double NONE = 1e-3; /* [m] of planes among themselves */
    w->range_least = all_given ? given_least : fmin(least, given_least);
    w->range_most = all_given ? w->range_given : fmax(most, w->range_given);
    w->range_least = isfinite(w->range_least) ? w->range_least : NONE;
    w->range_most = w->range_most > 0.0 ? w->range_most : NONE;
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
    integrator_choice choice = integrator_of(model);
    w->h = w->whole_step = choice.settings.step;
    w->second_order = choice.type->incremental > 1;
    fill_bodies(w);
    fill_colliders(w);
    fill_reaches(w);
    find_ranges(w);
    find_mechanism(w);
    stops_create(w);
    waits_create(w);
    joint_friction_create(w);
    return CAROM_OK;
}

void barrier_destroy(void *self)
{
    barrier_work *w = self;
    if (!w) {
        return;
    }
    pairs_free(w);
    islands_free(w);
    near_destroy(w->near);
    free(w->records.items);
    contact_points_free(&w->points);
    carom_arena_free(&w->arena);
    free(w);
}

double stick_speed_of(const barrier_work *w, double range)
{
    return w->options->stick_speed > 0.0 ? w->options->stick_speed : range; /* per second */
}

double tolerance_of(const barrier_work *w, double range, bool rubs)
{
    if (w->options->tolerance > 0.0) {
        return w->options->tolerance;
    }
    double speed = 1e-2 * range / w->h;
    return rubs ? fmin(speed, 0.1 * stick_speed_of(w, range)) : speed;
}
