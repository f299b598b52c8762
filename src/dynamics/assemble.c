/* Consistent initial conditions: positions on the constraints, velocities tangent to them, accelerations.
 *
 * Newton's method with steps of least norm in the metric of the masses, shortened when a step would turn a body far or
 * not reduce the residual: loops drawn approximately close, contradictions are refused by name. */
#include "dynamics/integrator.h"

#include <stdio.h>
#include <string.h>

#include "dynamics/assemble.h"
#include "dynamics/limits.h"
#include "dynamics/project.h"
#include "dynamics/quasi_static.h"
#include "dynamics/rest.h"
#include "dynamics/starts.h"
#include "dynamics/observe.h"

enum { ASSEMBLY_ITERATIONS = 200 };

static double norm2(const double *v, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        sum += v[i] * v[i];
    }
    return sum;
}

/* Drivers tell in which turn their coordinate starts. */
static void start_coordinates(carom_scratch *w, carom_state *s)
{
    memset(s->near, 0, (size_t)w->model->coordinate_count * sizeof *s->near);
    for (int j = 0; j < w->model->joint_count; ++j) {
        const model_joint *joint = &w->model->joints[j];
        for (int d = 0; d < joint->driver_count; ++d) {
            double value[3];
            work_driver(w, j, d, *s->time, value);
            s->near[joint->first_coordinate + joint->drivers[d].coordinate] = value[0];
        }
    }
    memcpy(w->near, s->near, (size_t)w->model->coordinate_count * sizeof *s->near);
}

/* A gear keeps the relation its joints have in the drawing. */
static void fix_couplers(carom_scratch *w, carom_state *s)
{
    memset(w->coupler_offset, 0, (size_t)w->model->coupler_count * sizeof *w->coupler_offset);
    work_positions(w);
    for (int k = 0; k < w->model->coupler_count; ++k) {
        s->coupler_offset[k] = w->C[w->model->couplers[k].row];
        w->coupler_offset[k] = s->coupler_offset[k];
    }
}

static void evaluate_at(carom_scratch *w, double t, motion at)
{
    work_place(w, t, at);
    work_positions(w);
}

static double largest_turn(const carom_scratch *w)
{
    double turn = 0.0;
    for (int slot = 0; slot < w->model->free_count; ++slot) {
        const double *d = w->x + w->model->bodies[w->model->free_bodies[slot]].column;
        turn = fmax(turn, v3_norm(v3_load(d + 3)));
    }
    return turn;
}

/* One damped Newton step; false when no shortened step reduces the residual. */
static bool assembly_step(carom_scratch *w, carom_state *s)
{
    enum { HALVINGS = 12 };
    const double farthest_turn = 0.5; /* [rad] beyond this the linearisation means nothing */
    double before = norm2(w->C, w->model->row_count);
    memset(w->x, 0, (size_t)w->model->column_count * sizeof *w->x);
    for (int k = 0; k < w->model->row_count; ++k) {
        w->y[k] = -w->C[k];
    }
    saddle_solve(w->kkt, w->x, w->y);
    double turn = largest_turn(w);
    double factor = turn > farthest_turn ? farthest_turn / turn : 1.0;
    for (int k = 0; k < HALVINGS; ++k, factor *= 0.5) {
        motion_copy(w->model, w->trial, state_motion(s));
        project_move(w, factor, w->trial);
        evaluate_at(w, *s->time, w->trial);
        if (norm2(w->C, w->model->row_count) < before) {
            motion_copy(w->model, state_motion(s), w->trial);
            return true;
        }
    }
    return false;
}

static carom_status refuse(carom_scratch *w, int iterations, carom_error *err)
{
    int row = 0;
    char name[256];
    double error = work_position_error(w, &row);
    carom_fail(
        err, CAROM_IMPOSSIBLE,
        "the scene cannot be assembled: '%.200s' stays open by %.3g after %d iterations; its joints contradict "
        "each other or start too far apart",
        row >= 0 ? carom_model_equation_name(w->model, row, name, sizeof name) : "?", error, iterations);
    return model_blame_row(w->model, row, CAROM_IMPOSSIBLE, err);
}

carom_status assemble_positions(carom_scratch *w, carom_state *s, carom_assembly *report, carom_error *err)
{
    evaluate_at(w, *s->time, state_motion(s));
    report->position_error = work_position_error(w, NULL);
    for (int k = 0; k < ASSEMBLY_ITERATIONS; ++k) {
        double error = work_position_error(w, NULL);
        if (!isfinite(error)) {
            break;
        }
        if (error <= project_tolerance(w)) {
            return CAROM_OK;
        }
        carom_status status = carom_stop_asked(&w->stop) ? work_interrupted(w, err) : work_factor(w, err);
        if (status != CAROM_OK) {
            return status;
        }
        bool better = assembly_step(w, s);
        report->iterations++;
        if (!better) { /* rounding is the end of the road; anything larger is a contradiction */
            evaluate_at(w, *s->time, state_motion(s));
            error = work_position_error(w, NULL);
            project_note_loose(w, error, project_tolerance(w));
            return error <= 1e3 * project_tolerance(w) ? CAROM_OK : refuse(w, report->iterations, err);
        }
    }
    return refuse(w, report->iterations, err);
}

/* Joints whose equations also hold with an axis turned round must not have been closed that way. */
static carom_status check_flips(carom_scratch *w, carom_error *err)
{
    for (int j = 0; j < w->model->joint_count; ++j) {
        const model_joint *joint = &w->model->joints[j];
        if (joint->type->flipped && joint->type->flipped(&w->frames[j])) {
            carom_fail(err, CAROM_IMPOSSIBLE,
                       "joint '%.100s' can only be closed with an axis pointing backwards; turn one of its frames",
                       joint->name);
            return model_blame_joint(w->model, j, NULL, CAROM_IMPOSSIBLE, err);
        }
    }
    return CAROM_OK;
}

carom_status assemble_velocities(carom_scratch *w, carom_state *s, carom_assembly *report, carom_error *err)
{
    work_place(w, *s->time, state_motion(s));
    work_constraints(w);
    report->velocity_error = work_velocity_error(w, NULL);
    carom_status status = work_factor(w, err);
    if (status != CAROM_OK) {
        return status;
    }
    if (report->velocity_error > 0.0) {
        project_velocities(w, state_motion(s), 2);
    }
    work_place(w, *s->time, state_motion(s));
    work_constraints(w);
    int row = 0;
    char name[256];
    double left = work_velocity_error(w, &row);
    double allowed = 1e-8 * (1.0 + report->velocity_error);
    if (!(left <= allowed)) {
        carom_fail(err, CAROM_IMPOSSIBLE,
                   "no velocities satisfy all joints and prescribed motions: '%.200s' is left with a rate of %.3g",
                   row >= 0 ? carom_model_equation_name(w->model, row, name, sizeof name) : "?", left);
        return model_blame_row(w->model, row, CAROM_IMPOSSIBLE, err);
    }
    return CAROM_OK;
}

static double largest_move(const carom_scratch *w, const body_pose *from, const body_pose *to)
{
    double move = 0.0;
    for (int slot = 0; slot < w->model->free_count; ++slot) {
        int i = w->model->free_bodies[slot];
        move = fmax(move, v3_norm(v3_sub(to[i].x_w, from[i].x_w)));
    }
    return move;
}

/* Notes by how much a vector that the scene gives has become another: at its component that has changed most. Scenes give
 * numbers with three digits or more: a thousandth is rounding. What is not given is free to follow. */
static void note_changed(carom_scratch *w, carom_finding_kind kind, int body, v3 given, v3 became, double t)
{
    const double asked[3] = { given.x, given.y, given.z };
    const double got[3] = { became.x, became.y, became.z };
    int k = 0;
    for (int i = 1; i < 3; ++i) {
        k = fabs(got[i] - asked[i]) > fabs(got[k] - asked[k]) ? i : k;
    }
    if (v3_norm(v3_sub(became, given)) > 1e-3 * v3_norm(given) && v3_norm(given) > 0.0) {
        finding_note(&w->findings, kind, (finding_place){ FINDING_BODY, body, 1 + k }, got[k], asked[k], t);
    }
}

static void note_start(carom_scratch *w, const carom_state *given, const carom_state *s)
{
    const carom_model *m = w->model;
    double t = *s->time;
    for (int slot = 0; slot < m->free_count; ++slot) {
        int i = m->free_bodies[slot];
        note_changed(w, CAROM_FINDING_VELOCITY_CHANGED, i, carom_state_velocity(m, given, i),
                     carom_state_velocity(m, s, i), t);
        note_changed(w, CAROM_FINDING_SPIN_CHANGED, i, carom_state_angular_velocity(m, given, i),
                     carom_state_angular_velocity(m, s, i), t);
    }
}

static carom_status start_accelerations(carom_scratch *w, carom_state *s, carom_error *err)
{
    integrator_load(w, s);
    carom_status status = work_evaluate(w, *s->time, state_motion(s), err);
    if (status != CAROM_OK) {
        return status;
    }
    if (integrator_check_finite(w, err) != CAROM_OK) {
        return err ? (err->status = CAROM_IMPOSSIBLE) : CAROM_IMPOSSIBLE;
    }
    integrator_commit(w, s, *s->time, work_motion(w));
    memset(s->sums, 0, sizeof *s->sums);
    observe_start(w, s);
    *s->initialised = STATE_ASSEMBLED;
    return CAROM_OK;
}

carom_status assemble_drawing(carom_scratch *w, carom_state *s, carom_error *err)
{
    clocks_load(w, s);
    start_coordinates(w, s);
    work_place(w, *s->time, state_motion(s));
    fix_couplers(w, s);
    carom_status status = limits_check_start(w, *s->time, err);
    return status == CAROM_OK ? starts_apply(w, s, err) : status;
}

/* What was set from outside keeps its turns and gears. */
static carom_status assemble_set(carom_scratch *w, carom_state *s, carom_error *err)
{
    integrator_load(w, s);
    work_place(w, *s->time, state_motion(s));
    return limits_check_start(w, *s->time, err);
}

carom_status carom_assemble(const carom_model *model, carom_state *state, carom_scratch *scratch,
                            carom_assembly *report, carom_error *err)
{
    carom_scratch *w = scratch;
    carom_assembly own = { 0 };
    carom_status status = work_check("carom_assemble", model, state, scratch, err);
    if (status != CAROM_OK) {
        return status;
    }
    carom_stop_reset(&w->stop);
    carom_state *saved = carom_state_create(model);
    if (!saved) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    if (carom_state_copy(saved, state) != CAROM_OK) {
        carom_state_destroy(saved);
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    w->findings.count = 0;
    bool set = *state->initialised == STATE_SET;
    status = set ? assemble_set(w, state, err) : assemble_drawing(w, state, err);
    if (status == CAROM_OK) {
        status = assemble_positions(w, state, &own, err);
    }
    if (status == CAROM_OK) {
        status = check_flips(w, err);
    }
    if (status == CAROM_OK) {
        own.position_change = starts_are_given(model) && !set ? 0.0 : largest_move(w, saved->pose, state->pose);
        status = assemble_velocities(w, state, &own, err);
    }
    if (status == CAROM_OK && !set && model->scene.initial == CAROM_INITIAL_STATIC) {
        status = rest_find(w, state, err);
    } else if (status == CAROM_OK && !set) {
        status = quasi_static_find(w, state, err);
    }
    if (status == CAROM_OK) {
        note_start(w, saved, state);
        status = start_accelerations(w, state, err);
    }
    if (status != CAROM_OK) {
        carom_state_copy(state, saved);
    }
    carom_state_destroy(saved);
    if (report) {
        *report = own;
    }
    return status;
}
