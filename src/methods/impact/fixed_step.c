/* Fixed steps [Moreau1988; Jean1999]: impulses over a step of Moreau and Jean with exact cones.
 *
 * Velocities u live at half steps, so that free flight is leapfrog and rest is u = 0 exactly. A step
 *
 *     q^{k+1} = q^k + h u^{k+1/2}                                         move; what is too deep is pushed out, positions alone
 *     M (u^{k+3/2} - u^{k+1/2}) = h f(q^{k+1}, u^{k+1/2}) + J' y + H' r   evaluate, contacts, impulses
 *
 * asks of each contact with gap g that g + h u_n >= 0 at the end of the step to come, so that nothing passes through anything and nothing
 * stops before it touches. Velocities that others see are means of both half steps; the state keeps the later one in `history`
 * (dynamics/leap.h). Impacts within one step happen together. */
#include <math.h>
#include <string.h>

#include "dynamics/integrals.h"
#include "dynamics/integrator.h"
#include "dynamics/limits.h"
#include "elements/bodies/rigid.h"
#include "methods/impact/fixed_work.h"
#include "methods/impact/impact.h"

double fixed_step_size(const carom_model *model)
{
    return integrator_of(model).settings.step;
}

static carom_status no_memory(carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "out of memory for contacts");
}

/* ---- the parts of a step -------------------------------------------------------------------------------------------------------- */

static void move(carom_scratch *w, double h)
{
    const carom_model *m = w->model;
    for (int slot = 0; slot < m->free_count; ++slot) {
        int i = m->free_bodies[slot];
        w->pose[i] = pose_moved(w->pose[i], v3_scale(h, w->rate[i].v_w), v3_scale(h, w->rate[i].omega_w));
    }
}

/* Forces and constraints at the point reached. */
static carom_status evaluate(carom_scratch *w, double t, carom_error *err)
{
    work_place(w, t, work_motion(w));
    work_constraints(w);
    work_forces(w);
    w->counters.evaluations++;
    carom_status status = work_may_go_on(w, err);
    return status == CAROM_OK ? integrator_check_values(w, err) : status;
}

/* Contacts at the point reached; where they are too deep positions are corrected, and everything is evaluated again. */
static carom_status meet(fixed_work *fw, carom_scratch *w, carom_state *s, double h, double kick, carom_error *err)
{
    bool moved = false;
    if (!fixed_find_contacts(fw, w, h, kick) || !fixed_correct_positions(fw, w, h, &moved)) {
        return no_memory(err);
    }
    if (!moved) {
        return CAROM_OK;
    }
    ledger_sums power = w->power;
    double before = w->potential + w->elastic + fixed_turning_energy(w);
    carom_status status = evaluate(w, w->t, err);
    if (status == CAROM_OK && !fixed_find_contacts(fw, w, h, kick)) {
        status = no_memory(err);
    }
    ledger_add(s, ACCOUNT_NUMERICS, before - (w->potential + w->elastic + fixed_turning_energy(w)));
    memcpy(w->power.work, power.work, sizeof power.work); /* of the way made before */
    return status;
}

/* Torques -omega x J omega are means of both half steps: a fixed point that contracts by the turn of a step. */
static bool turn_with_means(const m3 *J_w, const m3 *inverse, v3 torque, v3 before, double kick, v3 *omega)
{
    enum { MOST_PASSES = 50 };
    const double settled = 1e-15; /* of the spin */
    v3 first = rigid_gyroscopic(J_w, before);
    v3 applied = v3_sub(torque, first); /* forces have it in full */
    *omega = v3_axpy(before, kick, m3_mulv(*inverse, torque));
    for (int pass = 0; pass < MOST_PASSES; ++pass) {
        v3 mean = v3_scale(0.5, v3_add(first, rigid_gyroscopic(J_w, *omega)));
        v3 next = v3_axpy(before, kick, m3_mulv(*inverse, v3_add(applied, mean)));
        double change = v3_norm(v3_sub(next, *omega));
        *omega = next;
        if (change <= settled * v3_norm(next)) {
            return true;
        }
    }
    return false;
}

/* u without impulses: h M^-1 f and no more. */
static carom_status find_free_velocities(fixed_work *fw, const carom_scratch *w, double kick, carom_error *err)
{
    const carom_model *m = fw->model;
    memcpy(fw->rate_free, w->rate, (size_t)m->body_count * sizeof *w->rate);
    for (int slot = 0; slot < m->free_count; ++slot) {
        int i = m->free_bodies[slot];
        const double *f = w->f + m->bodies[i].column;
        const m3 inverse = m3_inverse(w->J_w[i]);
        body_rate *u = &fw->rate_free[i];
        u->v_w = v3_axpy(u->v_w, kick / m->bodies[i].mass, v3_load(f));
        if (!turn_with_means(&w->J_w[i], &inverse, v3_load(f + 3), w->rate[i].omega_w, kick, &u->omega_w)) {
            return carom_fail(
                err, CAROM_NOT_CONVERGED,
                "body '%.100s' turns too far in a step of %.3g s at t = %.6g s; take a shorter time.step",
                m->bodies[i].name, kick, w->t);
        }
    }
    return CAROM_OK;
}

/* From the half step before to the one to come, of length h. */
static carom_status kick_velocities(fixed_work *fw, carom_scratch *w, double h, double kick, carom_error *err)
{
    memcpy(fw->rate_before, w->rate, (size_t)w->model->body_count * sizeof *w->rate);
    carom_status status = find_free_velocities(fw, w, kick, err);
    return status == CAROM_OK ? fixed_solve_impulses(fw, w, h, kick, err) : status;
}

/* ---- steps that cannot be solved --------------------------------------------------------------------------------------------------- */

static carom_status give_up(const fixed_work *fw, const carom_scratch *w, double h, carom_error *err)
{
    const model_body *bodies = fw->model->bodies;
    int body[2];
    double residual = 0.0;
    bool pair = fixed_worst_pair(fw, body, &residual);
    return carom_fail(
        err, CAROM_NOT_CONVERGED,
        "contacts at '%.100s'%s%.100s%s are not solved at t = %.6g s: %.2g of their speeds is left, and steps "
        "of %.3g s do not help; lower the friction or the ratio of masses there, or take a shorter time.step",
        pair ? bodies[body[0]].name : "joints", pair ? " and '" : "", pair ? bodies[body[1]].name : "",
        pair ? "'" : "", w->t, residual, h);
}

/* Halves the length of a step unless that would be too short. */
static bool may_halve(const fixed_work *fw, double *h)
{
    const double rounding = 1e-9;
    bool may = 0.5 * *h >= (1.0 - rounding) * fixed_step_size(fw->model) / FIXED_SHORTEST;
    *h *= may ? 0.5 : 1.0;
    return may;
}

/* Kicks for a step of length *h; where the answer is of no use, for one of half the length, and so on. */
static carom_status kick_as_far_as_solved(fixed_work *fw, carom_scratch *w, double last, double *h, int *halved,
                                          carom_error *err)
{
    carom_status status = kick_velocities(fw, w, *h, 0.5 * (last + *h), err);
    while (status == CAROM_OK && !fixed_is_usable(fw)) {
        if (!may_halve(fw, h)) {
            return give_up(fw, w, *h, err);
        }
        ++*halved;
        memcpy(w->rate, fw->rate_before, (size_t)w->model->body_count * sizeof *w->rate);
        if (!fixed_find_contacts(fw, w, *h, 0.5 * (last + *h))) {
            return no_memory(err);
        }
        status = kick_velocities(fw, w, *h, 0.5 * (last + *h), err);
    }
    fixed_note_reports(fw, w);
    return status;
}

/* ---- the state --------------------------------------------------------------------------------------------------------------------- */

static void take_state(fixed_work *fw, carom_scratch *w, const carom_state *s)
{
    size_t n = (size_t)w->model->body_count;
    memcpy(w->pose, s->pose, n * sizeof *w->pose);
    memcpy(w->rate, s->history, n * sizeof *w->rate);
    memcpy(w->sigma, s->sigma, (size_t)w->model->row_count * sizeof *w->sigma);
    for (size_t i = 0; i < n; ++i) {
        fw->rate_before[i].v_w = v3_axpy(s->history[i].v_w, -fw->place_in_step.h, s->acceleration[i].v_w);
        fw->rate_before[i].omega_w = v3_axpy(s->history[i].omega_w, -fw->place_in_step.h, s->acceleration[i].omega_w);
    }
    w->t = *s->time;
}

static void keep_half_steps(const fixed_work *fw, const carom_scratch *w, carom_state *s)
{
    const double per_step = 1.0 / fw->place_in_step.h;
    memcpy(s->history, w->rate, (size_t)w->model->body_count * sizeof *w->rate);
    for (int i = 0; i < w->model->body_count; ++i) {
        s->acceleration[i].v_w = v3_scale(per_step, v3_sub(w->rate[i].v_w, fw->rate_before[i].v_w));
        s->acceleration[i].omega_w = v3_scale(per_step, v3_sub(w->rate[i].omega_w, fw->rate_before[i].omega_w));
    }
}

/* Velocities at the whole step, or beyond it as a part of the step to come. */
static void give_state(const fixed_work *fw, carom_scratch *w, carom_state *s)
{
    const double now = 0.5 + fw->place_in_step.part;
    const double before = 0.5 - fw->place_in_step.part;
    keep_half_steps(fw, w, s);
    for (int i = 0; i < w->model->body_count; ++i) {
        w->acceleration[i] = s->acceleration[i];
        w->rate[i].v_w = v3_axpy(v3_scale(before, fw->rate_before[i].v_w), now, w->rate[i].v_w);
        w->rate[i].omega_w = v3_axpy(v3_scale(before, fw->rate_before[i].omega_w), now, w->rate[i].omega_w);
    }
    integrals_step(w, s);
    integrator_commit(w, s, w->t, work_motion(w));
}

/* ---- the step ---------------------------------------------------------------------------------------------------------------------- */

/* Positions go on by a way; what the turning of inertia did is numerics. */
static carom_status go(carom_scratch *w, carom_state *s, double way, carom_error *err)
{
    work_place(w, w->t, work_motion(w));
    double turning = fixed_turning_energy(w);
    move(w, way);
    carom_status status = evaluate(w, w->t + way, err);
    if (status == CAROM_OK) {
        fixed_count_way(w, s, way);
        ledger_add(s, ACCOUNT_NUMERICS, turning - fixed_turning_energy(w));
        memset(w->power.work, 0, sizeof w->power.work);
    }
    return status;
}

/* The step to come is what is left of a whole one where that had to be cut. */
static double next_length(const fixed_work *fw)
{
    return fw->left > 0.0 ? fw->left : fixed_step_size(fw->model);
}

/* Powers of the kick belong to both steps, per length of the one before; those of the one to come are per its own. */
static void pass_on_powers(fixed_work *fw, carom_scratch *w, double share)
{
    for (int k = 0; k < ACCOUNT_COUNT; ++k) {
        w->power.work[k] = share * fw->work_after[k];
    }
    w->power.impulse = v3_scale(share, w->power.impulse);
    w->power.angular_impulse = v3_scale(share, w->power.angular_impulse);
}

/* To the end of the step under way, and over to the next. */
static carom_status leap(fixed_work *fw, carom_step_context *c, int *halved)
{
    carom_scratch *w = c->scratch;
    carom_state *s = c->state;
    const double last = fw->place_in_step.h;
    const double whole = next_length(fw);
    double h = whole;
    carom_status status = go(w, s, (1.0 - fw->place_in_step.part) * last, c->err);
    status = status == CAROM_OK ? meet(fw, w, s, h, 0.5 * (last + h), c->err) : status;
    status = status == CAROM_OK ? kick_as_far_as_solved(fw, w, last, &h, halved, c->err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    fw->force_time = 0.5 * (last + h);
    fixed_count_kick(fw, w, &(kick_books){ .h = h, .kick = fw->force_time });
    leap_add_to_ledger(&fw->place_in_step, w, s, 1.0);
    pass_on_powers(fw, w, last / h);
    *s->power = w->power;
    fw->place_in_step = (leap_place){ .h = h };
    fw->left = h < whole ? whole - h : 0.0;
    return fixed_announce(fw, w) && fixed_remember(fw, w, s) ? CAROM_OK : no_memory(c->err);
}

/* A part of a step, at the end of what was asked for: positions go on with the velocities there are, and nothing else happens. */
static carom_status leap_partly(fixed_work *fw, carom_step_context *c, double way)
{
    carom_scratch *w = c->scratch;
    double to = fw->place_in_step.part + way / fw->place_in_step.h;
    carom_status status = go(w, c->state, way, c->err);
    if (status != CAROM_OK) {
        return status;
    }
    leap_add_to_ledger(&fw->place_in_step, w, c->state, to);
    fw->place_in_step.part = to;
    fw->place_in_step.way = leap_way(w, &fw->place_in_step);
    memcpy(w->sigma, c->state->sigma, (size_t)w->model->row_count * sizeof *w->sigma);
    w->power = *c->state->power;
    return fixed_keep_place(fw, c->state) ? CAROM_OK : no_memory(c->err);
}

static void report_contacts(const fixed_work *fw, carom_step_report *report)
{
    for (int k = 0; k < fw->island_count; ++k) {
        report->iterations += fw->islands[k].report.factorisations;
    }
    report->contacts = fw->points.count;
    report->penetration = fw->totals.penetration;
    report->distance = fw->points.count > 0 ? -fw->totals.penetration : HUGE_VAL;
    report->switches = fw->switches;
}

static carom_status advance(fixed_work *fw, carom_step_context *c, double dt, carom_step_report *report)
{
    const double sliver = 1e-6; /* of a step: what rounding leaves is no step of its own */
    carom_scratch *w = c->scratch;
    double t = *c->state->time;
    double left = (1.0 - fw->place_in_step.part) * fw->place_in_step.h;
    fw->island_count = 0;
    fw->switches = 0;
    bool part = dt < left - sliver * fw->place_in_step.h;
    int halved = 0;
    carom_status status = part ? leap_partly(fw, c, dt) : leap(fw, c, &halved);
    report->rejected += halved;
    if (status != CAROM_OK) {
        return status;
    }
    w->t = fabs(t + dt - w->t) <= sliver * fw->place_in_step.h ? t + dt : w->t;
    give_state(fw, w, c->state);
    status = limits_check_motion(w, w->t, state_motion(c->state), c->err);
    if (status == CAROM_OK) {
        step_commit(w, c->state, report);
        fixed_load(fw, c->state);
        if (part) {
            fixed_make_points(fw, w);
        } else {
            fixed_show_step(fw, w);
        }
        report_contacts(fw, report);
    }
    return status == CAROM_OK && fw->load_failed ? no_memory(c->err) : status;
}

static carom_status fixed_step(carom_step_context *c, double dt, carom_step_report *report)
{
    carom_scratch *w = c->scratch;
    fixed_work *fw = w->contact;
    long evaluations = w->counters.evaluations;
    size_t events = w->events.count;
    integrator_load(w, c->state);
    carom_status status = fw->load_failed ? no_memory(c->err) : step_begin(c);
    if (status != CAROM_OK) {
        return status;
    }
    step_open(w, c->state, report);
    take_state(fw, w, c->state);
    fw->stepping = true;
    status = advance(fw, c, dt, report);
    fw->stepping = false;
    report->evaluations = (int)(w->counters.evaluations - evaluations);
    if (status != CAROM_OK) {
        w->events.count = events;
        step_abort(c);
    }
    return status;
}

/* ---- the start ---------------------------------------------------------------------------------------------------------------------- */

/* The half step before is as far from v as the free one to come, on the other side. */
static void mirror_velocities(fixed_work *fw, const carom_state *s)
{
    for (int i = 0; i < fw->model->body_count; ++i) {
        body_rate *before = &fw->rate_before[i];
        before->v_w = v3_axpy(v3_scale(2.0, s->rate[i].v_w), -1.0, fw->rate_free[i].v_w);
        before->omega_w = v3_axpy(v3_scale(2.0, s->rate[i].omega_w), -1.0, fw->rate_free[i].omega_w);
    }
}

/* Half a kick from the velocities given, for as long a step as can be solved. */
static carom_status kick_from_start(fixed_work *fw, carom_step_context *c, double *h)
{
    carom_scratch *w = c->scratch;
    carom_status status = CAROM_OK;
    bool usable = false;
    while (status == CAROM_OK && !usable) {
        memcpy(w->rate, c->state->rate, (size_t)c->model->body_count * sizeof *w->rate);
        status = find_free_velocities(fw, w, 0.5 * *h, c->err);
        if (status != CAROM_OK) {
            return status;
        }
        mirror_velocities(fw, c->state);
        status = fixed_find_contacts(fw, w, *h, 0.5 * *h) ? CAROM_OK : no_memory(c->err);
        status = status == CAROM_OK ? fixed_solve_impulses(fw, w, *h, 0.5 * *h, c->err) : status;
        usable = status == CAROM_OK && fixed_is_usable(fw);
        if (status == CAROM_OK && !usable && !may_halve(fw, h)) {
            return give_up(fw, w, *h, c->err);
        }
    }
    fixed_note_reports(fw, w);
    return status;
}

/* The first kick is half. The kinetic energy that the books have is that of the velocities given, or of half steps before a jump of a
 * force; what the new half steps count less is handed over. */
static carom_status kick_first(fixed_work *fw, carom_step_context *c)
{
    carom_scratch *w = c->scratch;
    carom_state *s = c->state;
    double hidden = leap_kinetic(w, s);
    double h = fw->place_in_step.h;
    carom_status status = kick_from_start(fw, c, &h);
    if (status != CAROM_OK) {
        return status;
    }
    hidden -= 0.5 * work_mass_product(w, (motion_rates){ fw->rate_before, w->q_dot },
                                      (motion_rates){ fw->rate_free, w->q_dot });
    fw->left = fw->place_in_step.h - h;
    fw->place_in_step.h = h;
    fw->force_time = 0.5 * h;
    memset(w->power.work, 0, sizeof w->power.work); /* nothing has moved yet */
    fixed_count_kick(fw, w, &(kick_books){ .h = h, .kick = 0.5 * h, .first = true });
    for (int k = 0; k < ACCOUNT_COUNT; ++k) {
        ledger_add(s, k, 0.5 * h * w->power.work[k]);
    }
    ledger_add(s, ACCOUNT_HANDOVER, hidden);
    memcpy(w->power.work, fw->work_after, sizeof fw->work_after);
    *s->power = w->power;
    return CAROM_OK;
}

static carom_status fixed_start(carom_step_context *c)
{
    carom_scratch *w = c->scratch;
    carom_state *s = c->state;
    fixed_work *fw = w->contact;
    bool first = *s->step_count == 0.0; /* not anew, after a jump of a force */
    carom_status status = first ? fixed_admit(s, w, c->err) : CAROM_OK;
    if (status != CAROM_OK) {
        return status;
    }
    integrator_load(w, s);
    work_place(w, *s->time, state_motion(s));
    memcpy(w->sigma, s->sigma, (size_t)w->model->row_count * sizeof *w->sigma);
    status = evaluate(w, *s->time, c->err);
    fw->place_in_step = (leap_place){ .h = fixed_step_size(c->model) };
    fw->stepping = true;
    status = status == CAROM_OK ? kick_first(fw, c) : status;
    fw->stepping = false;
    if (status != CAROM_OK) {
        return status;
    }
    keep_half_steps(fw, w, s);
    memcpy(s->sigma, w->sigma, (size_t)w->model->row_count * sizeof *s->sigma);
    *s->step = fw->place_in_step.h;
    return fixed_announce(fw, w) && fixed_remember(fw, w, s) ? CAROM_OK : no_memory(c->err);
}

const carom_method carom_method_impact_fixed = {
    .kind = { .name = "impact",
              .doc = "Rigid contact by impulses over fixed steps: for crowds of bodies with many contacts.",
              .fields = impact_fields,
              .defaults = &impact_defaults,
              .size = sizeof impact_defaults },
    .colliders = impact_set_colliders,
    .clearance = true,
    .joint_friction = true,
    .rigid_stops = true,
    .leaps = true,
    .default_step = 1e-3,
    .inelastic = true,
    .announces = true,
    .impact_error = 5.0 * FIXED_COMPLIANCE, /* the compliance takes 2 e (1 + e) of it, and e is 1 at most */
    .forces = &fixed_forces,
    .check = fixed_check,
    .admit = fixed_admit,
    .start = fixed_start,
    .step = fixed_step,
};
