/* One explicit step: central differences, velocities u at half steps, multipliers at the level of positions. */
#include <string.h>

#include "dynamics/integrator.h"
#include "elements/bodies/rigid.h"
#include "methods/constraint/constraint_work.h"

/* q^{n+1} = q^n + h u^{n+1/2} */
void leap_move(carom_scratch *w, double h)
{
    const carom_model *m = w->model;
    for (int slot = 0; slot < m->free_count; ++slot) {
        int i = m->free_bodies[slot];
        w->pose[i] = pose_moved(w->pose[i], v3_scale(h, w->rate[i].v_w), v3_scale(h, w->rate[i].omega_w));
        for (int c = m->bodies[i].first_deform, k = 0; k < body_coordinate_count(&m->bodies[i]); ++k) {
            w->q[c + k] += h * w->q_dot[c + k];
        }
    }
    for (int k = 0; k < m->nodal_count; ++k) {
        const model_nodal *n = &m->nodal[k];
        double *q = w->q + n->first_deform;
        const double *u = w->q_dot + n->first_deform;
        for (int c = 0; c < nodal_coordinate_count(n->nodes); ++c) {
            q[c] += h * u[c];
        }
        nodal_follow_sections(n, w->pose, w->rate, q, w->q_dot + n->first_deform);
    }
}

/* Q(q, u), Phi and Phi_q at the point reached. */
carom_status leap_evaluate(carom_scratch *w, double t, carom_error *err)
{
    work_place(w, t, work_motion(w));
    work_constraints(w);
    work_forces(w);
    w->counters.evaluations++;
    carom_status status = work_may_go_on(w, err);
    status = status == CAROM_OK ? integrator_check_values(w, err) : status;
    return status == CAROM_OK && w->model->free_count > 0 ? work_factor(w, err) : status;
}

/* Velocities of bodies with columns += those in w->x. */
static void add_columns(carom_scratch *w)
{
    const carom_model *m = w->model;
    for (int slot = 0; slot < m->free_count; ++slot) {
        int i = m->free_bodies[slot];
        const double *x = w->x + m->bodies[i].column;
        w->rate[i].v_w = v3_add(w->rate[i].v_w, v3_load(x));
        w->rate[i].omega_w = v3_add(w->rate[i].omega_w, v3_load(x + 3));
    }
    columns_to_deformation(m, 1.0, w->x, w->q_dot);
}

/* Gyroscopic torques of rigid bodies at `now` in place of `before`, over half the kick, into w->x; the largest one over what it takes to stop
 * its body [rad/rad]. */
static double gyroscopic_change(carom_scratch *w, const body_rate *before, const body_rate *now, double kick)
{
    const carom_model *m = w->model;
    double largest = 0.0;
    memset(w->x, 0, (size_t)m->column_count * sizeof *w->x);
    for (int slot = 0; slot < m->free_count; ++slot) {
        int i = m->free_bodies[slot];
        if (body_deforms(&m->bodies[i])) {
            continue;
        }
        v3 change = v3_sub(rigid_gyroscopic(&w->J_w[i], now[i].omega_w),
                           rigid_gyroscopic(&w->J_w[i], before[i].omega_w));
        double spin = v3_norm(m3_mulv(w->J_w[i], now[i].omega_w));
        v3_store(w->x + m->bodies[i].column + 3, v3_scale(0.5 * kick, change));
        largest = spin > 0.0 ? fmax(largest, 0.5 * kick * v3_norm(change) / spin) : largest;
    }
    return largest;
}

/* Torques -omega x J omega are means of both half steps, so that bodies turn with errors of second order and nothing drifts; those of the
 * half step before are in u* already. A fixed point that contracts by the turn of a step. */
static carom_status turn_with_means(constraint_work *cw, carom_scratch *w, double kick, carom_error *err)
{
    enum { MOST_PASSES = 50 };
    const double settled = 1e-15; /* of the spin */
    const carom_model *m = w->model;
    double change = gyroscopic_change(w, cw->rate_before, w->rate, kick);
    for (int pass = 0; change > settled; ++pass) {
        if (pass == MOST_PASSES) {
            return carom_fail(err, CAROM_NOT_CONVERGED,
                              "bodies turn too far in a step of %.3g s at t = %.6g s; take a shorter time.step", kick,
                              w->t);
        }
        memcpy(cw->rate_tried, w->rate, (size_t)m->body_count * sizeof *w->rate);
        memset(cw->joint_extra, 0, (size_t)m->row_count * sizeof *cw->joint_extra);
        saddle_solve(w->kkt, w->x, cw->joint_extra);
        add_columns(w);
        for (int k = 0; k < m->row_count; ++k) {
            w->y[k] += cw->joint_extra[k];
        }
        change = gyroscopic_change(w, cw->rate_tried, w->rate, kick);
    }
    return CAROM_OK;
}

/* u* = u + k M^-1 (Q - Phi_q^T lam), with lam so that Phi + h Phi_q u* = 0; joints' impulses are left in w->y. */
static carom_status predict_velocities(constraint_work *cw, carom_scratch *w, double kick, double h, carom_error *err)
{
    const carom_model *m = w->model;
    for (int i = 0; i < m->column_count; ++i) {
        w->x[i] = kick * w->f[i];
    }
    for (int k = 0; k < m->row_count; ++k) {
        w->y[k] = -w->C[k] / h - w->C_dot[k];
    }
    if (m->free_count > 0) {
        saddle_solve(w->kkt, w->x, w->y);
    }
    add_columns(w);
    for (int k = 0; k < m->nodal_count; ++k) {
        const model_nodal *n = &m->nodal[k];
        const double *mass = nodal_mass(n->nodes);
        const bool *held = nodal_held(n->nodes);
        double *u = w->q_dot + n->first_deform;
        const double *f = w->nodal_force + n->first_deform;
        for (int c = 0; c < nodal_coordinate_count(n->nodes); ++c) {
            u[c] += held[c] ? 0.0 : kick * f[c] / mass[c];
        }
    }
    return turn_with_means(cw, w, kick, err);
}

static void follow_sections(carom_scratch *w)
{
    for (int k = 0; k < w->model->nodal_count; ++k) {
        const model_nodal *n = &w->model->nodal[k];
        nodal_follow_sections(n, w->pose, w->rate, w->q + n->first_deform, w->q_dot + n->first_deform);
    }
}

static void keep_velocities(constraint_work *cw, const carom_scratch *w)
{
    memcpy(cw->rate_before, w->rate, (size_t)w->model->body_count * sizeof *w->rate);
    memcpy(cw->q_dot_before, w->q_dot, (size_t)w->model->deform_count * sizeof *w->q_dot);
}

/* Velocities of rows at the half step before need the old velocities once more. */
static void swap_velocities(constraint_work *cw, carom_scratch *w)
{
    body_rate *rate = w->rate;
    double *q_dot = w->q_dot;
    w->rate = cw->rate_before;
    w->q_dot = cw->q_dot_before;
    cw->rate_before = rate;
    cw->q_dot_before = q_dot;
}

/* Velocities of all rows at the half step before, or after. */
static void measure_rows(constraint_work *cw, carom_scratch *w, bool before)
{
    for (int k = 0; k < cw->row_count; ++k) {
        double u = row_velocity(cw, w, k);
        *(before ? &cw->rows[k].before : &cw->rows[k].after) = u;
    }
}

/* The impulses of contacts on top of u*: (4). */
static carom_status add_contacts(constraint_work *cw, carom_scratch *w, double kick, double h, carom_error *err)
{
    carom_status status = find_contacts(cw, w, h, err); /* who can touch within h */
    status = status == CAROM_OK ? make_rows(cw, w, err) : status;
    if (status == CAROM_OK) {
        swap_velocities(cw, w);
        measure_rows(cw, w, true);
        swap_velocities(cw, w);
    }
    if (status == CAROM_OK && cw->by_penalty) {
        set_penalties(cw, kick);
    }
    status = status == CAROM_OK ? solve_impulses(cw, h, w->t, err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    apply_impulses(cw, w, w->y);
    follow_sections(w);
    measure_rows(cw, w, false);
    cw->sum_time += kick;
    return add_to_sums(cw) ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory for contacts");
}

carom_status kick_velocities(constraint_work *cw, carom_scratch *w, carom_error *err)
{
    double h = cw->place.h;
    keep_velocities(cw, w);
    carom_status status = predict_velocities(cw, w, h, h, err); /* (1): without contacts, with joints */
    return status == CAROM_OK ? add_contacts(cw, w, h, h, err) : status;
}

/* The half step before is as far from v as the one to come, on the other side. */
static void mirror_velocities(constraint_work *cw, const carom_scratch *w)
{
    for (int i = 0; i < w->model->body_count; ++i) {
        body_rate *before = &cw->rate_before[i];
        before->v_w = v3_axpy(v3_scale(2.0, before->v_w), -1.0, w->rate[i].v_w);
        before->omega_w = v3_axpy(v3_scale(2.0, before->omega_w), -1.0, w->rate[i].omega_w);
    }
    for (int k = 0; k < w->model->deform_count; ++k) {
        cw->q_dot_before[k] = 2.0 * cw->q_dot_before[k] - w->q_dot[k];
    }
}

carom_status start_velocities(constraint_work *cw, carom_scratch *w, double *hidden, carom_error *err)
{
    double h = cw->place.h;
    keep_velocities(cw, w);
    carom_status status = predict_velocities(cw, w, 0.5 * h, h, err);
    if (status != CAROM_OK) {
        return status;
    }
    follow_sections(w);
    mirror_velocities(cw, w);
    const motion_rates before = { cw->rate_before, cw->q_dot_before };
    *hidden -= 0.5 * work_mass_product(w, before, rates_of(work_motion(w)));
    return add_contacts(cw, w, 0.5 * h, h, err);
}

/* Half-step velocities and positions of the state become those of w; those of the half step before follow. */
void take_state(constraint_work *cw, carom_scratch *w, const carom_state *s)
{
    const carom_model *m = w->model;
    double h = cw->place.h;
    for (int i = 0; i < m->body_count; ++i) {
        cw->rate_before[i].v_w = v3_axpy(s->history[i].v_w, -h, s->acceleration[i].v_w);
        cw->rate_before[i].omega_w = v3_axpy(s->history[i].omega_w, -h, s->acceleration[i].omega_w);
    }
    for (int k = 0; k < m->deform_count; ++k) {
        cw->q_dot_before[k] = s->q_history[k] - h * s->q_ddot[k];
    }
    memcpy(w->pose, s->pose, (size_t)m->body_count * sizeof *w->pose);
    memcpy(w->rate, s->history, (size_t)m->body_count * sizeof *w->rate);
    memcpy(w->q, s->q, (size_t)m->deform_count * sizeof *w->q);
    memcpy(w->q_dot, s->q_history, (size_t)m->deform_count * sizeof *w->q_dot);
}

void keep_half_steps(const constraint_work *cw, const carom_scratch *w, carom_state *s)
{
    const carom_model *m = w->model;
    const double per_step = 1.0 / cw->place.h;
    memcpy(s->history, w->rate, (size_t)m->body_count * sizeof *w->rate);
    memcpy(s->q_history, w->q_dot, (size_t)m->deform_count * sizeof *w->q_dot);
    for (int i = 0; i < m->body_count; ++i) {
        s->acceleration[i].v_w = v3_scale(per_step, v3_sub(w->rate[i].v_w, cw->rate_before[i].v_w));
        s->acceleration[i].omega_w = v3_scale(per_step, v3_sub(w->rate[i].omega_w, cw->rate_before[i].omega_w));
    }
    for (int k = 0; k < m->deform_count; ++k) {
        s->q_ddot[k] = per_step * (w->q_dot[k] - cw->q_dot_before[k]);
    }
}

/* Velocities at the whole step, or beyond it as a part of the step to come, and the later half step in the history; poses of bodies in
 * nodal coordinates by the best fit. */
void give_state(const constraint_work *cw, carom_scratch *w, carom_state *s)
{
    const double now = 0.5 + cw->place.part;
    const double before = 0.5 - cw->place.part;
    const carom_model *m = w->model;
    keep_half_steps(cw, w, s);
    for (int i = 0; i < m->body_count; ++i) {
        w->acceleration[i] = s->acceleration[i];
        w->rate[i].v_w = v3_axpy(v3_scale(before, cw->rate_before[i].v_w), now, w->rate[i].v_w);
        w->rate[i].omega_w = v3_axpy(v3_scale(before, cw->rate_before[i].omega_w), now, w->rate[i].omega_w);
    }
    for (int k = 0; k < m->deform_count; ++k) {
        w->q_ddot[k] = s->q_ddot[k];
        w->q_dot[k] = before * cw->q_dot_before[k] + now * w->q_dot[k];
    }
    for (int k = 0; k < m->nodal_count; ++k) {
        const model_nodal *n = &m->nodal[k];
        nodal_overall(n, w->q + n->first_deform, w->q_dot + n->first_deform, m->bodies[n->body].com_b,
                      &w->pose[n->body], &w->rate[n->body]);
    }
    integrator_commit(w, s, w->t, work_motion(w));
}
