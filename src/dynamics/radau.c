/* Radau IIA of order 5 [Hairer1996, IV.8] for bodies under constraints, in the form of radau_stages.h: implicit, accurate and
 * damping what is too fast to be followed. Steps follow the error of an embedded formula of order 3. The end of a step
 * is projected onto the constraints to rounding, and evaluated there. */
#include "dynamics/integrator_list.h"

#include <string.h>

#include "dynamics/project.h"
#include "dynamics/radau_stages.h"

typedef struct radau_options {
    int newton_limit;
} radau_options;

static const radau_options defaults = { .newton_limit = 12 };

static const carom_field fields[] = {
    { .name = "newton_limit",
      .kind = CAROM_FIELD_INT,
      .offset = offsetof(radau_options, newton_limit),
      .flags = CAROM_POSITIVE,
      .doc = "Largest number of Newton iterations per step before the step is halved." },
    { .name = NULL },
};

enum { ESTIMATE_ORDER = 3 };

/* What the estimate, of order h^4, may be when the error, of order h^6, is to be at the tolerance [Hairer1996, IV.8]. */
static double estimate_allowed(double tolerance)
{
    return 0.1 * cbrt(tolerance * tolerance);
}

/* Newton's method stops where its error is a small part of that of the step, or for fixed steps far below any. */
static double newton_tolerance(const integrator_settings *settings)
{
    const double part = 0.03;
    const double fixed = 1e-11;
    const double rounding = 1e-14;
    return fmax(rounding, settings->adaptive ? part * settings->tolerance : fixed);
}

/* The end of an accepted step: onto the constraints (a tiny move, so that the matrix of where it begins serves), then
 * accelerations there. */
static carom_status finish(carom_scratch *w, double t, motion at, carom_error *err)
{
    carom_status status = CAROM_OK;
    if (w->model->row_count > 0) {
        work_place(w, t, at);
        work_positions(w);
        status = work_factor(w, err);
    }
    if (status == CAROM_OK) {
        status = project_onto_constraints(w, t, at, true, err);
    }
    if (status == CAROM_OK) {
        status = work_evaluate(w, t, at, err);
    }
    return status == CAROM_OK ? integrator_check_finite(w, err) : status;
}

static void accept(carom_scratch *w, carom_state *s, const radau_work *r, double h, double error,
                   const integrator_settings *settings, double least)
{
    const double sliver = 1e-4; /* a step cut so short says nothing about derivatives */
    if (h > sliver * *s->last_step) {
        radau_keep_derivatives(w, r, h, s);
    }
    ledger_sums sums = *s->sums;
    radau_add_sums(r, h, &sums);
    integrator_commit(w, s, *s->time + h, r->stages[RADAU_STAGES - 1].at);
    *s->sums = sums;
    *s->step = settings->adaptive ? fmax(least, h * integrator_step_factor(error, *s->step_error, ESTIMATE_ORDER))
                                  : settings->step;
    *s->step_error = settings->adaptive ? fmax(error, 1e-4) : 0.0;
}

static carom_status radau_step(carom_scratch *w, carom_state *s, double dt, const integrator_settings *settings,
                               const void *options, carom_step_report *report, carom_error *err)
{
    const radau_options *o = options;
    radau_work *r = NULL;
    carom_status status = radau_get(w, &r, err);
    if (status != CAROM_OK) {
        return status;
    }
    integrator_load(w, s);
    const double first = fmin(settings->step, 1e-4 * w->model->scene.time.end);
    double wanted = *s->step > 0.0 ? *s->step : settings->adaptive ? first : settings->step;
    const double t = *s->time;
    const size_t notes = w->findings.count;
    for (;;) {
        double h = integrator_pick_step(fmin(wanted, settings->step), dt, settings->adaptive);
        bool capped = h >= dt;
        if (!capped && h < 1e-14 * fmax(fabs(t), w->model->scene.time.end)) {
            return integrator_gives_up(w, h,
                                       "look for a force or motion that jumps or has a pole there, for constraints "
                                       "that contradict each other, or a time.tolerance beyond rounding",
                                       err);
        }
        radau_predict(w, s, r, h);
        radau_goal goal = { t, h, newton_tolerance(settings),
                            integrator_speed_scale(w, (motion_rates){ s->rate, s->q_dot }), o->newton_limit };
        status = radau_solve(w, s, r, &goal, &report->iterations, err);
        double error = HUGE_VAL;
        if (status == CAROM_OK) {
            error = radau_error(w, s, r, &goal) / estimate_allowed(settings->tolerance);
        }
        if (status == CAROM_OK && (error <= 1.0 || !settings->adaptive)) {
            status = finish(w, t + h, r->stages[RADAU_STAGES - 1].at, err);
            if (status == CAROM_OK) {
                accept(w, s, r, h, error, settings, capped ? fmin(wanted, settings->step) : 0.0);
                return CAROM_OK;
            }
        }
        if (status != CAROM_OK && status != CAROM_NOT_CONVERGED) {
            return status;
        }
        report->rejected++;
        w->findings.count = notes;
        wanted = h * (status == CAROM_OK ? fmin(0.9, integrator_step_factor(error, 0.0, ESTIMATE_ORDER)) : 0.5);
    }
}

/* Nothing is known yet of how accelerations change. */
static carom_status radau_start(carom_scratch *w, carom_state *s, const integrator_settings *settings,
                                const void *options, carom_error *err)
{
    (void)options;
    (void)err;
    memset(s->jerk, 0, (size_t)w->model->body_count * sizeof *s->jerk);
    memset(s->history, 0, (size_t)w->model->body_count * sizeof *s->history);
    memset(s->q_jerk, 0, (size_t)w->model->deform_count * sizeof *s->q_jerk);
    memset(s->q_history, 0, (size_t)w->model->deform_count * sizeof *s->q_history);
    memset(s->z_jerk, 0, (size_t)w->model->integral_count * sizeof *s->z_jerk);
    memset(s->z_history, 0, (size_t)w->model->integral_count * sizeof *s->z_history);
    *s->last_step = settings->step;
    return CAROM_OK;
}

const integrator_type integrator_radau = {
    .kind = { .name = "radau",
              .doc =
                  "Radau IIA of order 5, implicit: accurate for closed loops that pass singular positions and for stiff "
                  "springs, dampers and controls, at long steps.",
              .fields = fields,
              .defaults = &defaults,
              .size = sizeof defaults },
    .can_adapt = true,
    .preset_step = { 0.02, 0.02, 0.02 },
    .preset_tolerance = { 1e-4, 1e-6, 1e-8 },
    .start = radau_start,
    .step = radau_step,
};
