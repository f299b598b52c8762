/* Explicit Runge-Kutta of order 5(4) [Dormand1980] with projection of positions and velocities onto the
 * constraints after each step [Hairer, Wanner, Solving ODEs II, VII.2].
 */
#include "dynamics/integrator_list.h"

#include <stdlib.h>
#include <string.h>

#include "dynamics/project.h"
#include "dynamics/unknowns.h"

enum { STAGES = 7, ORDER = 5 };

static const double NODE[STAGES] = { 0.0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1.0, 1.0 };
static const double A[STAGES][STAGES - 1] = {
    { 0 },
    { 1.0 / 5 },
    { 3.0 / 40, 9.0 / 40 },
    { 44.0 / 45, -56.0 / 15, 32.0 / 9 },
    { 19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729 },
    { 9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656 },
    { 35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84 },
};
/* Weights of order 5 minus those of order 4. */
static const double ERROR[STAGES] = { 71.0 / 57600,      0.0,          -71.0 / 16695, 71.0 / 1920,
                                      -17253.0 / 339200, 22.0 / 525.0, -1.0 / 40 };

typedef struct rk_work {
    carom_arena arena;
    int motion;    /* unknowns of the motion */
    int size;      /* of the vectors below: motion, then sums */
    double *scale; /* motion: what errors are compared with */
    double *y0;
    double *y;
    double *k[STAGES];
    motion at;
} rk_work;

static void rk_free(void *p)
{
    rk_work *rk = p;
    carom_arena_free(&rk->arena);
    free(rk);
}

static rk_work *rk_get(carom_scratch *w)
{
    if (w->integrator) {
        return w->integrator;
    }
    rk_work *rk = calloc(1, sizeof *rk);
    if (!rk) {
        return NULL;
    }
    rk->motion = unknowns_first_sum(w->model);
    rk->size = rk->motion + LEDGER_SUMS;
    rk->scale = CAROM_ARENA_ARRAY(&rk->arena, double, rk->motion);
    rk->y0 = CAROM_ARENA_ARRAY(&rk->arena, double, rk->size);
    rk->y = CAROM_ARENA_ARRAY(&rk->arena, double, rk->size);
    for (int s = 0; s < STAGES; ++s) {
        rk->k[s] = CAROM_ARENA_ARRAY(&rk->arena, double, rk->size);
    }
    rk->at = motion_create(&rk->arena, w->model);
    if (rk->arena.failed) {
        rk_free(rk);
        return NULL;
    }
    w->integrator = rk;
    w->integrator_free = rk_free;
    return rk;
}

static void combine(const rk_work *rk, int stage, double h)
{
    memcpy(rk->y, rk->y0, (size_t)rk->size * sizeof *rk->y);
    for (int j = 0; j < stage; ++j) {
        double factor = h * A[stage][j];
        if (factor != 0.0) {
            const double *k = rk->k[j];
            for (int i = 0; i < rk->size; ++i) {
                rk->y[i] += factor * k[i];
            }
        }
    }
}

static carom_status stage(carom_scratch *w, rk_work *rk, int s, double t, double h, carom_error *err)
{
    combine(rk, s, h);
    unknowns_unpack(w->model, rk->y, rk->at);
    carom_status status = work_evaluate(w, t + NODE[s] * h, rk->at, err);
    if (status == CAROM_OK) {
        unknowns_derivative(w->model, unknowns_of_work(w), rk->k[s]);
    }
    return status;
}

static carom_status stages(carom_scratch *w, rk_work *rk, double t, double h, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (int s = 1; s < STAGES && status == CAROM_OK; ++s) {
        status = stage(w, rk, s, t, h, err);
    }
    return status;
}

/* Before giving up: back to the first stage with a number that is none. In later ones everything is, and nobody could tell
 * where it came from. */
static void find_not_finite(carom_scratch *w, rk_work *rk, double t, double h)
{
    carom_status status = CAROM_OK;
    for (int s = 1; s < STAGES && status == CAROM_OK; ++s) {
        status = stage(w, rk, s, t, h, NULL);
        if (work_not_finite(w)) {
            return;
        }
    }
}

static double error_component(const rk_work *rk, int index, double h)
{
    double e = 0.0;
    for (int s = 0; s < STAGES; ++s) {
        e += ERROR[s] * rk->k[s][index];
    }
    return fabs(h * e);
}

/* Largest local error, 1 being the tolerance: positions against the model's size, velocities against the fastest. */
static double local_error(const carom_scratch *w, const rk_work *rk, double h, double tolerance)
{
    speed_scale speed = integrator_speed_scale(w, rates_of(rk->at));
    unknowns_scales(w->model, speed.linear, speed.angular, rk->at.z, rk->scale);
    double worst = 0.0;
    for (int i = 0; i < rk->motion; ++i) {
        worst = max_or_nan(worst, error_component(rk, i, h) / rk->scale[i]);
    }
    return worst / tolerance;
}

/* The end of an accepted step: onto the constraints (the matrix of the last stage differs by the tiny move only), then
 * accelerations there for the next step and the record. */
static carom_status finish(carom_scratch *w, rk_work *rk, double t, carom_error *err)
{
    carom_status status = project_onto_constraints(w, t, rk->at, true, err);
    if (status == CAROM_OK) {
        status = work_evaluate(w, t, rk->at, err);
    }
    return status == CAROM_OK ? integrator_check_finite(w, err) : status;
}

static double first_step(const carom_scratch *w, const integrator_settings *settings)
{
    return fmin(settings->step, 1e-4 * w->model->scene.time.end);
}

/* The step becomes the state. A step cut short by the caller says little about the next: at least `least` then. */
static void accept(carom_scratch *w, carom_state *s, const rk_work *rk, double h, double error,
                   const integrator_settings *settings, double least)
{
    integrator_commit(w, s, *s->time + h, rk->at);
    memcpy(s->sums, rk->y + rk->motion, sizeof *s->sums);
    *s->step = settings->adaptive ? fmax(least, h * integrator_step_factor(error, *s->step_error, ORDER - 1))
                                  : settings->step;
    *s->step_error = settings->adaptive ? fmax(error, 1e-4) : 0.0;
}

/* Where events end steps there is no other integrator. */
static const char *advice(const carom_scratch *w)
{
    return integrator_meets_reactions(w->model)
               ? "the motion is too stiff or discontinuous for an explicit integrator: try a larger "
                 "time.tolerance, or springs and loads that are softer"
               : "the motion is too stiff or discontinuous for an explicit integrator: try "
                 "\"generalized-alpha\" or a larger time.tolerance";
}

static carom_status rk_step(carom_scratch *w, carom_state *s, double dt, const integrator_settings *settings,
                            const void *options, carom_step_report *report, carom_error *err)
{
    (void)options;
    rk_work *rk = rk_get(w);
    if (!rk) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    integrator_load(w, s);
    unknowns_pack(w->model, s, rk->y0);
    motion_copy(w->model, rk->at, state_motion(s));
    unknowns_derivative(w->model, unknowns_of_state(s), rk->k[0]);
    double wanted = *s->step > 0.0 ? *s->step : settings->adaptive ? first_step(w, settings) : settings->step;
    double t = *s->time;
    double tried = 0.0;
    const size_t notes = w->findings.count;
    for (;;) {
        double h = integrator_pick_step(fmin(wanted, settings->step), dt, settings->adaptive);
        bool capped = h >= dt;
        if (!capped && h < 1e-14 * fmax(fabs(t), w->model->scene.time.end)) {
            find_not_finite(w, rk, t, tried);
            return integrator_gives_up(w, h, advice(w), err);
        }
        carom_status status = stages(w, rk, t, h, err);
        double error = status == CAROM_OK ? local_error(w, rk, h, settings->tolerance) : HUGE_VAL;
        if (status == CAROM_OK && (error <= 1.0 || !settings->adaptive)) {
            status = finish(w, rk, t + h, err);
            if (status == CAROM_OK) {
                accept(w, s, rk, h, error, settings, capped ? fmin(wanted, settings->step) : 0.0);
                return CAROM_OK;
            }
        }
        if (!settings->adaptive || (status != CAROM_OK && status != CAROM_NOT_CONVERGED)) {
            return status;
        }
        report->rejected++;
        w->findings.count = notes;
        tried = h;
        wanted = h * fmin(status == CAROM_OK ? 0.9 : 0.5, integrator_step_factor(error, 0.0, ORDER - 1));
    }
}

static const carom_field fields[] = { { .name = NULL } }; /* the time section says all there is to say */

const integrator_type integrator_runge_kutta = {
    .kind = { .name = "runge-kutta",
              .doc = "Explicit Runge-Kutta of order 5(4) with projection onto the constraints: accurate for smooth, "
                     "not too stiff motion. The default of the accurate preset.",
              .fields = fields },
    .can_adapt = true,
    .takes_reactions = true,
    .preset_step = { 0.02, 0.01, 0.01 },
    .preset_tolerance = { 1e-5, 1e-7, 1e-10 },
    .step = rk_step,
};
