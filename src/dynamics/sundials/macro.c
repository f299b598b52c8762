/* Macro steps: restart, advance, project, commit. */
#include "dynamics/sundials/macro.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics/dense.h"
#include "dynamics/project.h"

static const long MOST_INTERNAL_STEPS = 200000; /* per macro step; a step needs a few hundred at most */

carom_status macro_create(macro_work *m, carom_scratch *w, int extra, carom_error *err)
{
    m->w = w;
    m->motion = unknowns_first_sum(w->model);
    m->size = m->motion + LEDGER_SUMS + extra;
    m->scale = CAROM_ARENA_ARRAY(&m->arena, double, m->size);
    m->at = motion_create(&m->arena, w->model);
    if (!m->arena.failed && SUNContext_Create(NULL, &m->context) == 0) {
        m->y = N_VNew_Serial(m->size, m->context);
        m->middle = N_VNew_Serial(m->size, m->context);
        m->abstol = N_VNew_Serial(m->size, m->context);
    }
    if (!m->y || !m->middle || !m->abstol) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    return CAROM_OK;
}

void macro_free(macro_work *m)
{
    N_VDestroy(m->y);
    N_VDestroy(m->middle);
    N_VDestroy(m->abstol);
    SUNContext_Free(&m->context);
    carom_arena_free(&m->arena);
}

void macro_listen(int code, const char *module, const char *function, char *message, void *data)
{
    (void)module;
    (void)function;
    macro_work *m = data;
    if (code < 0) { /* the rest are warnings */
        snprintf(m->complaint, sizeof m->complaint, "%s", message);
    }
}

void macro_unpack(macro_work *m, const double *y)
{
    unknowns_unpack(m->w->model, y, m->at);
}

double macro_increment(const macro_work *m, const double *y, int j)
{
    return sqrt(DBL_EPSILON) * fmax(fabs(y[j]), m->scale[j]);
}

/* Speeds to compare errors with: of the fastest body, or what it will have gained by the end of the step. */
static speed_scale typical_speeds(const macro_work *m, const carom_state *s, double h)
{
    speed_scale now = integrator_speed_scale(m->w, rates_of(state_motion(s)));
    speed_scale gained = integrator_speed_scale(m->w, (motion_rates){ s->acceleration, s->q_ddot });
    double L = m->w->model->length_scale;
    double linear = fmax(now.linear, h * gained.linear);
    return (speed_scale){ linear, linear / L };
}

static double total_mass(const carom_model *model)
{
    double mass = 0.0;
    for (int slot = 0; slot < model->free_count; ++slot) {
        mass += model->bodies[model->free_bodies[slot]].mass;
    }
    return mass;
}

/* Sums may err ten times more than the motion: they must not dictate its steps. */
static void scale_sums(macro_work *m, speed_scale speed)
{
    const double slack = 10.0;
    double momentum = total_mass(m->w->model) * speed.linear;
    double extent = m->w->model->length_scale;
    for (int i = 0; i < m->w->model->body_count; ++i) {
        extent = fmax(extent, v3_norm(m->at.pose[i].x_w));
    }
    double *scale = m->scale + m->motion;
    for (int k = 0; k < LEDGER_SUMS; ++k) {
        bool work = k < ACCOUNT_COUNT;
        bool impulse = !work && k < ACCOUNT_COUNT + 3;
        scale[k] = slack * momentum * (work ? speed.linear : impulse ? 1.0 : extent);
    }
}

/* Multipliers of a solver's own, two per row: forces, then velocities. */
static void scale_extra(macro_work *m, const carom_state *s, speed_scale speed, double h)
{
    double force = total_mass(m->w->model) * speed.linear / h;
    for (int k = 0; k < m->w->model->row_count; ++k) {
        force = fmax(force, fabs(s->sigma[k]));
    }
    int first = m->motion + LEDGER_SUMS;
    for (int j = first; j < m->size; ++j) {
        m->scale[j] = j < first + m->w->model->row_count ? force : speed.linear;
    }
}

/* The tolerance asked for is that of a macro step; inside it the solver makes tens of steps, whose errors add up.
 * Multipliers are no part of the motion (at the end they are computed afresh) and, where rows are redundant, know no
 * better than rounding divided by a tiny number: they have no say in when an iteration has converged. */
static void set_tolerances(macro_work *m, const carom_state *s, double h, double asked)
{
    const double share = 0.01;
    const double tightest = 1e-12; /* beyond, rounding in the solver's history stops it */
    const double no_say = 1e12;
    double tolerance = fmax(share * asked, tightest);
    speed_scale speed = typical_speeds(m, s, h);
    unknowns_scales(m->w->model, speed.linear, speed.angular, s->z, m->scale);
    scale_sums(m, speed);
    scale_extra(m, s, speed, h);
    for (int j = 0; j < m->size; ++j) {
        NV_Ith_S(m->abstol, j) = tolerance * m->scale[j] * (j < m->motion + LEDGER_SUMS ? 1.0 : no_say);
    }
}

/* Angles are counted on from internal step to internal step, so that a macro step may hold many turns. */
static void follow_coordinates(macro_work *m, double t)
{
    carom_scratch *w = m->w;
    if (w->model->coordinate_count == 0) {
        return;
    }
    macro_unpack(m, N_VGetArrayPointer(m->y));
    work_place(w, t, m->at);
    work_positions(w);
    work_all_coordinates(w);
    memcpy(w->near, w->coordinate, (size_t)w->model->coordinate_count * sizeof *w->near);
}

static carom_status fail_not_finite(const macro_work *m, double t, carom_error *err)
{
    return carom_fail(err, CAROM_NOT_CONVERGED, "'%.100s' has no finite value behind t = %.6g s", m->not_finite, t);
}

static carom_status fail(const macro_work *m, const macro_solver *solver, int flag, double t, carom_error *err)
{
    if (carom_stop_seen(&m->w->stop)) {
        return work_interrupted(m->w, err);
    }
    if (m->not_finite) {
        return fail_not_finite(m, t, err);
    }
    char *name = solver->flag_name(flag);
    carom_fail(err, CAROM_NOT_CONVERGED,
               "%s stopped at t = %.6g s (%s): %.200s; try \"generalized-alpha\" or a larger "
               "time.tolerance",
               solver->name, t, name ? name : "unknown flag", m->complaint[0] ? m->complaint : "no reason given");
    free(name);
    return CAROM_NOT_CONVERGED;
}

/* An internal step that brings time no further: solvers get there where forces jump. The first one after a restart is not asked.
 * CVODE guesses it from |y'|, |y| and the absolute tolerance, and with a body at the origin, at rest or not turned, where y = 0,
 * makes it shorter than this at tight tolerances; the second is up to 1e4 times longer. */
static bool is_nothing(const macro_work *m, double t, double dt)
{
    return dt < 1e-15 * fmax(fabs(t), m->w->model->scene.time.end);
}

/* From t to t + h; m->y is the solution there. */
static carom_status integrate(macro_work *m, const macro_solver *solver, const carom_state *s, double h,
                              carom_error *err)
{
    double t = *s->time;
    double t_stop = t + h;
    double t_middle = t + 0.5 * h;
    m->complaint[0] = '\0';
    m->not_finite = NULL;
    int flag = solver->restart(m, s, t, t_stop);
    for (long step = 0; flag >= 0 && t < t_stop; ++step) {
        double before = t;
        if (step == MOST_INTERNAL_STEPS) {
            return carom_fail(
                err, CAROM_NOT_CONVERGED,
                "%s has taken %ld steps between t = %.6g s and %.9g s; the motion is discontinuous or the "
                "tolerance too tight",
                solver->name, step, *s->time, t);
        }
        m->not_finite = NULL;
        flag = solver->advance(m, t_stop, &t);
        if (flag >= 0 && t < t_stop && step > 0 && is_nothing(m, t, t - before)) {
            return m->not_finite ? fail_not_finite(m, t, err)
                                 : carom_fail(err, CAROM_NOT_CONVERGED,
                                              "the steps of %s shrank to nothing at t = %.9g s: the forces jump or "
                                              "are no numbers there",
                                              solver->name, t);
        }
        if (flag >= 0 && before < t_middle && t >= t_middle) {
            flag = solver->interpolate(m, t_middle, m->middle);
        }
        if (flag >= 0) {
            follow_coordinates(m, t);
        }
    }
    return flag < 0 ? fail(m, solver, flag, t, err) : CAROM_OK;
}

/* A step so short that solvers refuse it (an event was located to the last bits): Taylor's series is exact to
 * rounding. */
static void extrapolate(macro_work *m, const carom_state *s, double h)
{
    double *y = N_VGetArrayPointer(m->y);
    const double *power = (const double *)(const void *)s->power;
    unknowns_pack(m->w->model, s, y);
    for (int slot = 0; slot < m->w->model->free_count; ++slot) {
        int i = m->w->model->free_bodies[slot];
        double *b = y + UNKNOWNS_PER_BODY * slot;
        body_pose moved = pose_moved(s->pose[i], v3_scale(h, s->rate[i].v_w), v3_scale(h, s->rate[i].omega_w));
        memcpy(b, &moved, sizeof moved);
        v3_store(b + UNKNOWNS_PER_POSE, v3_axpy(s->rate[i].v_w, h, s->acceleration[i].v_w));
        v3_store(b + UNKNOWNS_PER_POSE + 3, v3_axpy(s->rate[i].omega_w, h, s->acceleration[i].omega_w));
    }
    for (int k = 0; k < m->w->model->deform_count; ++k) {
        y[unknowns_first_q(m->w->model) + k] += h * s->q_dot[k];
        y[unknowns_first_q_dot(m->w->model) + k] += h * s->q_ddot[k];
    }
    for (int k = 0; k < m->w->model->integral_count; ++k) {
        y[unknowns_first_z(m->w->model) + k] += h * s->z_dot[k];
    }
    for (int k = 0; k < LEDGER_SUMS; ++k) {
        y[m->motion + k] += h * power[k];
    }
}

/* Onto the constraints, then accelerations and multipliers there. */
static carom_status finish(macro_work *m, double t, carom_error *err)
{
    carom_scratch *w = m->w;
    macro_unpack(m, N_VGetArrayPointer(m->y));
    if (w->model->row_count > 0) {
        double moved = 0.0;
        carom_status status = project_positions(w, t, m->at, false, &moved, err);
        if (status != CAROM_OK) {
            return status;
        }
        work_place(w, t, m->at);
        work_constraints(w);
        status = work_factor(w, err);
        if (status != CAROM_OK) {
            return status;
        }
        project_velocities(w, m->at, 1);
    }
    carom_status status = work_evaluate(w, t, m->at, err);
    return status == CAROM_OK ? integrator_check_finite(w, err) : status;
}

static double pose_distance(const carom_model *model, const body_pose *a, const body_pose *b)
{
    v3 turn = so3_log(q_mul(a->q_wb, q_conj(b->q_wb)));
    return fmax(v3_norm(v3_sub(a->x_w, b->x_w)) / model->length_scale, v3_norm(turn));
}

/* How far dense output and solver are apart in the middle of the step, 1 being the tolerance. */
static double dense_error(macro_work *m, const carom_state *s, double h, double tolerance)
{
    carom_scratch *w = m->w;
    dense_step *dense = w->dense;
    dense_take(&dense->begin, s, w->model);
    dense_take_point(&dense->end, *s->time + h, work_motion(w), (motion_rates){ w->acceleration, w->q_ddot },
                     w->z_dot, w->model);
    dense_at(dense, *s->time + 0.5 * h, w->trial, NULL);
    macro_unpack(m, N_VGetArrayPointer(m->middle));
    double worst = 0.0;
    for (int slot = 0; slot < w->model->free_count; ++slot) {
        int i = w->model->free_bodies[slot];
        double e = pose_distance(w->model, &w->trial.pose[i], &m->at.pose[i]);
        worst = max_or_nan(worst, e);
    }
    for (int k = 0; k < w->model->deform_count; ++k) {
        double scale = m->scale[unknowns_first_q(w->model) + k];
        worst = max_or_nan(worst, fabs(w->trial.q[k] - m->at.q[k]) / scale);
    }
    for (int k = 0; k < w->model->integral_count; ++k) {
        double scale = m->scale[unknowns_first_z(w->model) + k];
        worst = max_or_nan(worst, fabs(w->trial.z[k] - m->at.z[k]) / scale);
    }
    return worst / tolerance;
}

/* What is in w is the state. */
static void commit(macro_work *m, carom_state *s, double t)
{
    integrator_commit(m->w, s, t, work_motion(m->w));
    memcpy(s->sums, N_VGetArrayPointer(m->y) + m->motion, sizeof *s->sums);
}

static bool too_short(const macro_work *m, double t, double h)
{
    return h <= 1e-12 * fmax(fabs(t), m->w->model->scene.time.end);
}

static carom_status attempt(macro_work *m, const macro_solver *solver, const carom_state *s, double h,
                            const integrator_settings *settings, double *error, carom_error *err)
{
    *error = 0.0;
    motion_copy(m->w->model, m->at, state_motion(s));
    integrator_load(m->w, s);
    if (too_short(m, *s->time, h)) {
        extrapolate(m, s, h);
        return finish(m, *s->time + h, err);
    }
    set_tolerances(m, s, h, settings->tolerance);
    unknowns_pack(m->w->model, s, N_VGetArrayPointer(m->y));
    carom_status status = integrate(m, solver, s, h, err);
    if (status == CAROM_OK) {
        status = finish(m, *s->time + h, err);
    }
    if (status == CAROM_OK && settings->adaptive) {
        *error = dense_error(m, s, h, settings->tolerance);
    }
    return status;
}

carom_status macro_step(macro_work *m, const macro_solver *solver, carom_state *s, double dt,
                        const integrator_settings *settings, carom_step_report *report, carom_error *err)
{
    enum { DENSE_ORDER = 5 };
    double wanted = settings->adaptive && *s->step > 0.0 ? *s->step : settings->step;
    const size_t notes = m->w->findings.count;
    for (;;) {
        double h = integrator_pick_step(fmin(wanted, settings->step), dt, settings->adaptive);
        bool capped = h >= dt;
        double error = 0.0;
        carom_status status = attempt(m, solver, s, h, settings, &error, err);
        if (status != CAROM_OK) {
            return status;
        }
        solver->count(m, report);
        if (!(error <= 1.0) &&
            h > 1e-4 * settings->step) { /* below, it is the solver's error, not the interpolation's */
            report->rejected++;
            m->w->findings.count = notes;
            wanted = h * fmin(0.9, integrator_step_factor(error, 0.0, DENSE_ORDER));
            continue;
        }
        commit(m, s, *s->time + h);
        double next = settings->adaptive ? h * integrator_step_factor(error, 0.0, DENSE_ORDER) : settings->step;
        *s->step = fmin(settings->step, capped ? fmax(next, wanted) : next);
        return CAROM_OK;
    }
}
