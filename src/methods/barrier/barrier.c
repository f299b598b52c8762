/* Method "barrier" [Ferguson2021]: rigid bodies that never intersect, whatever the step.
 *
 * A step of h minimises the incremental potential of implicit Euler, or of BDF2: inertia, applied forces, a barrier that grows
 * without bound as gaps close, and friction whose normal forces are those of the last iterate. Every motion that the minimisation
 * makes is free of collisions, so that the state it ends in, and the way there, are. */
#include "methods/barrier/barrier.h"

#include <string.h>

#include "dynamics/integrator.h"
#include "dynamics/step.h"
#include "methods/barrier/admit.h"
#include "methods/barrier/bodies.h"
#include "methods/barrier/contacts.h"
#include "methods/barrier/finish.h"
#include "methods/barrier/islands.h"
#include "methods/barrier/pairs.h"
#include "methods/barrier/seen.h"
#include "methods/barrier/stops.h"
#include "methods/barrier/waits.h"
#include "methods/barrier/workspace.h"

static const barrier_options defaults = { .lags = 20, .iterations = 1000 };

static const char *const blocked_names[] = { "stop", "wait", NULL };

static const carom_field fields[] = {
    { .name = "stick_speed",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(barrier_options, stick_speed),
      .dimension = CAROM_DIM_VELOCITY,
      .flags = CAROM_POSITIVE,
      .doc =
          "Slip below this speed counts as sticking: friction grows smoothly up to it, so that loaded contacts creep. By default "
          "the range per second." },
    { .name = "tolerance",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(barrier_options, tolerance),
      .dimension = CAROM_DIM_VELOCITY,
      .flags = CAROM_POSITIVE,
      .doc =
          "Speed by which no point of any body may still change when a step is solved. By default a hundredth of the range per "
          "step, and with friction a tenth of the stick speed." },
    { .name = "lags",
      .kind = CAROM_FIELD_INT,
      .offset = offsetof(barrier_options, lags),
      .flags = CAROM_POSITIVE,
      .doc =
          "How often at most a step is solved again with renewed normal forces of friction; 20 by default. With more than "
          "four, friction and motion are solved for at once where they do not settle." },
    { .name = "iterations",
      .kind = CAROM_FIELD_INT,
      .offset = offsetof(barrier_options, iterations),
      .flags = CAROM_POSITIVE,
      .doc = "Most Newton iterations of a solve; 1000 by default." },
    { .name = "blocked",
      .kind = CAROM_FIELD_ENUM,
      .offset = offsetof(barrier_options, blocked),
      .names = blocked_names,
      .doc =
          "What a prescribed motion does that has no way, of a kinematic body or of a driver: stop ends the run and says who "
          "is in whose way; wait holds the motion where it got to and lets it go on, delayed, as soon as it can." },
    { .name = NULL },
};

static void set_colliders(collider_options *out, const void *options)
{
    (void)options;
    out->method = DETECT_DIRECT;
    out->surface = true;
    out->cache = NULL;
}

/* A speed that is given must be more than what rounding makes of positions in a step; 0: not given. */
static carom_status check_speed(const carom_model *model, double speed, const char *setting, carom_error *err)
{
    static const double ROUNDING = 1e-15;
    double least = ROUNDING * model->length_scale / integrator_of(model).settings.step;
    if (!(speed > 0.0) || speed >= least) {
        return CAROM_OK;
    }
    carom_fail(err, CAROM_BAD_INPUT,
               "%s = %g m/s is below what rounding of positions allows here; take %.1g m/s or more", setting, speed,
               2.0 * least);
    return model_blame_setting(model, setting, CAROM_BAD_INPUT, err);
}

static carom_status barrier_check(const carom_model *model, const void *options, carom_error *err)
{
    const barrier_options *o = options;
    carom_status status = dynamics_check(model, err);
    status = status == CAROM_OK ? check_speed(model, o->tolerance, "contact.tolerance", err) : status;
    return status == CAROM_OK ? check_speed(model, o->stick_speed, "contact.stick_speed", err) : status;
}

/* ---- the step --------------------------------------------------------------------------------------------------------------- */

static void aim_kinematic(carom_step_context *c, barrier_work *w)
{
    for (int i = 0; i < w->model->body_count; ++i) {
        body_rate rate, acceleration;
        if (w->bodies[i].kinematic) {
            work_kinematic(c->scratch, w->t_end, i, &w->bodies[i].end, &rate, &acceleration);
        }
    }
}

/* A step of the same size must lie behind, or BDF2 has nothing to go on. */
static bool has_history(const carom_state *s, double h)
{
    static const double SAME = 1e-6;
    return *s->step_error > 0.0 && fabs(*s->last_step - h) <= SAME * h;
}

static void begin(barrier_work *w, carom_step_context *c, double dt)
{
    integrator_load(c->scratch, c->state); /* what the last step was; all that follows is of this one */
    w->h = integrator_pick_step(w->whole_step, dt, false);
    w->t_end = *c->state->time + w->h;
    w->has_history = has_history(c->state, w->h);
    w->threads = c->scratch->threads;
    w->scratch = c->scratch;
    w->stepping = true;
    w->counts = (step_counts){ 0 };
    memcpy(w->lambda, c->state->sigma, (size_t)w->model->row_count * sizeof *w->lambda);
    waits_begin(w);
    aim_kinematic(c, w);
    bodies_begin(w, c->state);
    pairs_make_room(w);
    pairs_stiffen(w, &c->state->contacts);
    stops_begin(w, &c->state->contacts);
    for (int i = 0; i < w->model->body_count; ++i) {
        w->bodies[i].settled = w->bodies[i].upset = false;
    }
}

static void note_fallbacks(barrier_work *w, carom_scratch *s)
{
    contacts_note_shut(w);
    if (w->counts.not_converged > 0) {
        finding_note(&s->findings, CAROM_FINDING_SOLVE_CUT_SHORT, finding_in_run(), w->counts.last_speed,
                     w->counts.tolerance, w->t_end);
    }
    if (w->counts.lag_limits > 0) {
        finding_note(&s->findings, CAROM_FINDING_FRICTION_LAGS, finding_in_run(), w->options->lags, (double)NAN,
                     w->t_end);
    }
}

static void fill_report(barrier_work *w, carom_step_report *report)
{
    report->iterations = w->counts.iterations;
    report->waiting = waits_note(w);
    for (int k = 0; k < w->pair_count; ++k) {
        const barrier_pair *p = &w->pairs[k];
        report->contacts += p->contact_count;
        for (int c = 0; c < p->contact_count; ++c) {
            report->distance = fmin(report->distance, p->contacts[c].gap + p->separation);
        }
    }
}

/* One step: the least of the incremental potential, reached without collisions. */
static carom_status barrier_step(carom_step_context *c, double dt, carom_step_report *report)
{
    barrier_work *w = c->scratch->contact;
    step_span span;
    carom_status status = step_begin(c);
    if (status != CAROM_OK) {
        return status;
    }
    step_open(c->scratch, c->state, report);
    status = dynamics_span(c->scratch, c->state, dt, &span, c->err);
    if (status == CAROM_OK) {
        begin(w, c, span.dt);
        status = islands_solve(w, c->state, c->err);
    }
    status = status == CAROM_OK ? finish_step(w, c) : status;
    w->stepping = false;
    if (status != CAROM_OK) {
        dynamics_span_abort(c->scratch);
        step_abort(c);
        return status;
    }
    dynamics_span_end(c->scratch, c->state, &span, report);
    note_fallbacks(w, c->scratch);
    fill_report(w, report);
    return CAROM_OK;
}

static carom_status barrier_start(carom_step_context *c)
{
    bool first = *c->state->step_count == 0.0; /* not anew, after a jump of a force */
    barrier_work *w = c->scratch->contact;
    w->h = w->whole_step;
    carom_status status = first ? barrier_admit(c->state, c->scratch, c->err) : CAROM_OK;
    return status == CAROM_OK ? dynamics_start(c->scratch, c->state, c->err) : status;
}

const carom_method carom_method_barrier = {
    .kind = { .name = "barrier",
              .doc =
                  "Bodies never intersect: implicit steps against a barrier between surfaces, for tight assemblies, stacks, "
                  "chains and whatever must not tunnel.",
              .fields = fields,
              .defaults = &defaults,
              .size = sizeof defaults },
    .colliders = set_colliders,
    .joint_friction = true,
    .rigid_stops = true,
    .minimises = true,
    .inelastic = true,
    .forces = &barrier_forces,
    .check = barrier_check,
    .admit = barrier_admit,
    .start = barrier_start,
    .step = barrier_step,
};
