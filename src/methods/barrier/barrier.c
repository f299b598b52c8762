/* Method "barrier" [Ferguson2021]: rigid bodies that never intersect, whatever the step.
 *
 * A step of h minimises the incremental potential of implicit Euler: inertia, applied forces, a barrier that grows without bound
 * as gaps close, and friction whose normal forces are those of the last iterate. Every motion that the minimisation makes is
 * free of collisions, so that the state it ends in, and the way there, are. */
#include "methods/barrier/barrier.h"

#include <stdio.h>
#include <stdlib.h>

#include "dynamics/integrator.h"
#include "dynamics/step.h"
#include "methods/barrier/workspace.h"

static const barrier_options defaults = { .lags = 10, .iterations = 200 };

static const carom_field fields[] = {
    { .name = "range",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(barrier_options, range),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_POSITIVE,
      .doc = "How near surfaces must be to push each other apart. By default a thousandth of the diagonal of the smaller shape, "
             "and at most 1 mm." },
    { .name = "separation",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(barrier_options, separation),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_NONNEGATIVE,
      .doc = "Distance that surfaces keep at least." },
    { .name = "stick_speed",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(barrier_options, stick_speed),
      .dimension = CAROM_DIM_VELOCITY,
      .flags = CAROM_POSITIVE,
      .doc = "Slip below this speed counts as sticking: friction grows smoothly up to it, so that loaded contacts creep. By default "
             "the range per second." },
    { .name = "tolerance",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(barrier_options, tolerance),
      .dimension = CAROM_DIM_VELOCITY,
      .flags = CAROM_POSITIVE,
      .doc = "Speed by which no point of any body may still change when a step is solved. By default a hundredth of the range per "
             "step, and with friction a tenth of the stick speed." },
    { .name = "lags",
      .kind = CAROM_FIELD_INT,
      .offset = offsetof(barrier_options, lags),
      .flags = CAROM_POSITIVE,
      .doc = "How often at most a step is solved again with renewed normal forces of friction." },
    { .name = "iterations",
      .kind = CAROM_FIELD_INT,
      .offset = offsetof(barrier_options, iterations),
      .flags = CAROM_POSITIVE,
      .doc = "Most Newton iterations of a solve." },
    { .name = NULL },
};

static void set_colliders(collider_options *out, const void *options)
{
    (void)options;
    out->method = DETECT_DIRECT;
    out->surface = true;
    out->cache = NULL;
}

static carom_status barrier_check(const carom_model *model, const void *options, carom_error *err)
{
    (void)options;
    return dynamics_check(model, err);
}

/* ---- the step ----------------------------------------------------------------------------------------------------------- */

static void set_tolerances(barrier_work *w)
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

static void aim_kinematic(carom_step_context *c, barrier_work *w)
{
    double t = *c->state->time + w->h;
    for (int i = 0; i < w->model->body_count; ++i) {
        body_rate rate, acceleration;
        if (w->bodies[i].kinematic) {
            work_kinematic(c->scratch, t, i, &w->bodies[i].end, &rate, &acceleration);
        }
    }
}

/* Solves with the friction of the last solve until that no longer changes the motion. */
static carom_status solve_with_friction(barrier_work *w, carom_error *err)
{
    carom_status status = CAROM_OK;
    contacts_evaluate(w);
    for (int lag = 0; status == CAROM_OK && lag < w->options->lags; ++lag) {
        int iterations = 0;
        if (!friction_lag(w)) {
            return carom_fail(err, CAROM_NO_MEMORY, "out of memory for contacts");
        }
        bool rubs = w->friction_count > 0;
        status = newton_solve(w, &iterations, err);
        ++w->counts.lags;
        if ((lag > 0 && iterations <= 1) || (!rubs && !pairs_rub(w))) {
            return status;
        }
    }
    w->counts.lag_limits += status == CAROM_OK;
    return status;
}

static void take_end(const barrier_work *w, carom_step_context *c)
{
    carom_state *s = c->state;
    for (int i = 0; i < w->model->body_count; ++i) {
        const moving_body *b = &w->bodies[i];
        if (b->free) {
            body_rate rate = bodies_rate(w, i);
            s->acceleration[i] = (body_rate){ v3_scale(1.0 / w->h, v3_sub(rate.v_w, b->rate.v_w)),
                                              v3_scale(1.0 / w->h, v3_sub(rate.omega_w, b->rate.omega_w)) };
            s->rate[i] = rate;
            s->pose[i] = b->at;
        } else if (b->kinematic) {
            work_kinematic(c->scratch, *s->time + w->h, i, &s->pose[i], &s->rate[i], &s->acceleration[i]);
        }
    }
    *s->time += w->h;
}

static carom_status barrier_step(carom_step_context *c, double dt, carom_step_report *report)
{
    barrier_work *w = c->scratch->contact;
    carom_status status = step_begin(c);
    if (status != CAROM_OK) {
        return status;
    }
    step_open(c->scratch, c->state, report);
    w->h = integrator_pick_step(integrator_of(c->model).settings.step, dt, false);
    w->counts = (step_counts){ .least_alpha = 1.0 };
    w->failure = CAROM_OK;
    w->scratch = c->scratch;
    w->t_end = *c->state->time + w->h;
    integrator_load(c->scratch, c->state);
    set_tolerances(w);
    inertia_begin(w, c->state);
    aim_kinematic(c, w);
    if (!pairs_find(w)) {
        return carom_fail(c->err, CAROM_NO_MEMORY, "out of memory for contacts");
    }
    pairs_stiffen(w, &c->state->contacts);
    status = solve_with_friction(w, c->err);
    if (status == CAROM_OK) {
        take_end(w, c);
        status = pairs_remember(w, &c->state->contacts) ? CAROM_OK : CAROM_NO_MEMORY;
        step_commit(c->scratch, c->state, report);
    }
    report->iterations = w->counts.iterations;
    report->rejected = w->counts.backtracks;
    report->contacts = w->contact_count;
    report->distance = contacts_least_gap(w);
    if (getenv("CAROM_BARRIER_TRACE")) {
        fprintf(stderr, "t %.6g h %g: %d iterations, %d lags, %d backtracks, %d contacts, least gap %.3g, not converged %d, sweeps: %ld nodes %ld queries %ld evaluations\n",
                *c->state->time, w->h, w->counts.iterations, w->counts.lags, w->counts.backtracks, w->contact_count,
                report->distance, w->counts.not_converged, w->counts.swept.nodes, w->counts.swept.queries,
                w->counts.swept.evaluations);
    }
    if (status != CAROM_OK) {
        step_abort(c);
    }
    return status;
}

static void load(void *self, const carom_state *s)
{
    (void)self;
    (void)s;
}

static void look_back(void *self)
{
    (void)self;
}

static bool apply(void *self, carom_scratch *w)
{
    (void)self;
    (void)w;
    return true;
}

static const contact_tangent *tangents(void *self, double stiffness, double damping, int *count)
{
    (void)self;
    (void)stiffness;
    (void)damping;
    *count = 0;
    return NULL;
}

static const carom_contact_point *points(void *self, int *count)
{
    const barrier_work *w = self;
    *count = w->point_count;
    return w->points;
}

static const model_interaction *interaction(const void *self, int point)
{
    (void)self;
    (void)point;
    return NULL;
}

static contact_totals totals(const void *self)
{
    return ((const barrier_work *)self)->totals;
}

static const contact_forces forces = { .create = barrier_create,
                                       .destroy = barrier_destroy,
                                       .load = load,
                                       .look_back = look_back,
                                       .apply = apply,
                                       .tangents = tangents,
                                       .points = points,
                                       .interaction = interaction,
                                       .totals = totals };

static carom_status barrier_start(carom_step_context *c)
{
    return dynamics_start(c->scratch, c->state, c->err);
}

const carom_method carom_method_barrier = {
    .kind = { .name = "barrier",
              .doc = "Bodies never intersect: implicit steps against a barrier between surfaces, for tight assemblies, stacks, "
                     "chains and whatever must not tunnel.",
              .fields = fields,
              .defaults = &defaults,
              .size = sizeof defaults },
    .colliders = set_colliders,
    .forces = &forces,
    .check = barrier_check,
    .start = barrier_start,
    .step = barrier_step,
};
