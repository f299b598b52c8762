/* Method "barrier" [Ferguson2021]: rigid bodies that never intersect, whatever the step.
 *
 * A step of h minimises the incremental potential of implicit Euler: inertia, applied forces, a barrier that grows without bound
 * as gaps close, and friction whose normal forces are those of the last iterate. Every motion that the minimisation makes is
 * free of collisions, so that the state it ends in, and the way there, are. */
#include "methods/barrier/barrier.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "dynamics/integrator.h"
#include "dynamics/step.h"
#include "methods/barrier/admit.h"
#include "methods/barrier/seen.h"
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

/* Velocities after restitution; the energy that it gives back is taken from the losses of impacts. */
static void give_back(const barrier_work *w, carom_step_context *c)
{
    carom_scratch *s = c->scratch;
    if (w->counts.bounces == 0) {
        return;
    }
    double before = work_kinetic(s);
    for (int i = 0; i < w->model->body_count; ++i) {
        if (w->bodies[i].free) {
            c->state->rate[i] = s->rate[i] = w->ending[i];
        }
    }
    ledger_add(c->state, ACCOUNT_IMPACT, before - work_kinetic(s));
}

/* The end of the step becomes the state. The powers of the ledger are those at its end, as in all of implicit Euler. */
static carom_status take_end(barrier_work *w, carom_step_context *c)
{
    carom_scratch *s = c->scratch;
    carom_state *state = c->state;
    for (int i = 0; i < w->model->body_count; ++i) {
        w->ending[i] = w->bodies[i].free ? bodies_rate(w, i) : w->bodies[i].rate;
    }
    if (!CAROM_ARRAY_RESERVE(w->pushes, w->push_capacity, (size_t)w->pair_count + 1)) {
        return carom_fail(c->err, CAROM_NO_MEMORY, "out of memory for contacts");
    }
    restitution_apply(w);
    if (!pairs_remember(w, &state->contacts) || !contact_records_copy(&w->records, &state->contacts)) {
        return carom_fail(c->err, CAROM_NO_MEMORY, "out of memory for contacts");
    }
    for (int i = 0; i < w->model->body_count; ++i) {
        const moving_body *b = &w->bodies[i];
        body_rate rate = bodies_rate(w, i);
        s->trial.pose[i] = b->at;
        s->trial.rate[i] = b->free ? rate : b->rate;
        w->reached[i] = (body_rate){ v3_scale(1.0 / w->h, v3_sub(rate.v_w, b->rate.v_w)),
                                     v3_scale(1.0 / w->h, v3_sub(rate.omega_w, b->rate.omega_w)) };
    }
    w->stepping = false;
    work_place(s, w->t_end, s->trial);
    work_constraints(s);
    work_forces(s);
    carom_status status = work_may_go_on(s, c->err);
    if (status != CAROM_OK) {
        return status;
    }
    for (int i = 0; i < w->model->body_count; ++i) {
        s->acceleration[i] = w->bodies[i].free ? w->reached[i] : s->prescribed[i];
    }
    memcpy(s->sigma, w->lambda, (size_t)w->model->row_count * sizeof *s->sigma);
    work_count_reactions(s);
    integrator_commit(s, state, w->t_end, s->trial);
    integrator_add_sums(state, &s->power, &s->power, w->h);
    give_back(w, c);
    return CAROM_OK;
}

static void note_fallbacks(const barrier_work *w, carom_scratch *s)
{
    double t = w->t_end;
    if (w->counts.not_converged > 0) {
        finding_note(&s->findings, CAROM_FINDING_SOLVE_CUT_SHORT, finding_in_run(), w->counts.last_speed, w->tolerance, t);
    }
    if (w->counts.lag_limits > 0) {
        finding_note(&s->findings, CAROM_FINDING_FRICTION_LAGS, finding_in_run(), w->counts.lags, (double)NAN, t);
    }
}

static void begin(barrier_work *w, carom_step_context *c, double dt)
{
    w->h = integrator_pick_step(integrator_of(c->model).settings.step, dt, false);
    w->t_end = *c->state->time + w->h;
    w->counts = (step_counts){ .least_alpha = 1.0 };
    w->failure = CAROM_OK;
    w->blockers[0] = w->blockers[1] = -1;
    w->stepping = true;
    w->scratch = c->scratch;
    integrator_load(c->scratch, c->state);
    set_tolerances(w);
    inertia_begin(w, c->state);
    aim_kinematic(c, w);
}

/* One step: the least of the incremental potential, reached without collisions. */
static carom_status barrier_step(carom_step_context *c, double dt, carom_step_report *report)
{
    barrier_work *w = c->scratch->contact;
    carom_status status = step_begin(c);
    if (status != CAROM_OK) {
        return status;
    }
    step_open(c->scratch, c->state, report);
    begin(w, c, dt);
    status = pairs_find(w) ? CAROM_OK : carom_fail(c->err, CAROM_NO_MEMORY, "out of memory for contacts");
    if (status == CAROM_OK) {
        pairs_stiffen(w, &c->state->contacts);
        status = solve_with_friction(w, c->err);
    }
    status = status == CAROM_OK ? take_end(w, c) : status;
    w->stepping = false;
    if (status != CAROM_OK) {
        step_abort(c);
        return status;
    }
    step_commit(c->scratch, c->state, report);
    note_fallbacks(w, c->scratch);
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
    return CAROM_OK;
}

static carom_status barrier_start(carom_step_context *c)
{
    bool first = *c->state->step_count == 0.0; /* not anew, after a jump of a force */
    barrier_work *w = c->scratch->contact;
    w->h = integrator_of(c->model).settings.step;
    carom_status status = first ? barrier_admit(c->state, c->scratch, c->err) : CAROM_OK;
    return status == CAROM_OK ? dynamics_start(c->scratch, c->state, c->err) : status;
}

const carom_method carom_method_barrier = {
    .kind = { .name = "barrier",
              .doc = "Bodies never intersect: implicit steps against a barrier between surfaces, for tight assemblies, stacks, "
                     "chains and whatever must not tunnel.",
              .fields = fields,
              .defaults = &defaults,
              .size = sizeof defaults },
    .colliders = set_colliders,
    .forces = &barrier_forces,
    .check = barrier_check,
    .admit = barrier_admit,
    .start = barrier_start,
    .step = barrier_step,
};
