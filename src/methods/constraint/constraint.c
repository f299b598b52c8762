/* Method "constraint" [paper 2]: contact as a constraint that comes and goes, explicit steps.
 *
 *     (1)  [ M      Phi_q^T ] [ q'' ]   [ Q     ]       (4)  [ M       Phi_q^T  Phi^C_q^T ] [ q''   ]   [ Q       ]
 *          [ Phi_q  0       ] [ lam ] = [ gamma ]            [ Phi_q   0        0         ] [ lam   ] = [ gamma   ]
 *                                                            [ Phi^C_q 0        0         ] [ lam^C ]   [ gamma^C ]
 *     (2)  Phi^C(q, t) = 0,  (3) its second derivative
 *
 * in central differences with multipliers at the level of positions: velocities u live at half steps, and the rows ask that
 * Phi(q^{n+1}) = 0 and Phi^C(q^{n+1}) >= 0. So the velocity jump at first touch, the constraint, its stabilisation and the release are
 * one statement, and no number has to be chosen. Velocities that others see are those at whole steps, the mean of two half steps;
 * the state keeps the later half step in `history`. */
#include "methods/constraint/constraint.h"

#include <stdlib.h>
#include <string.h>

#include "dynamics/integrator.h"
#include "dynamics/limits.h"
#include "methods/constraint/constraint_work.h"

/* ---- one explicit step ---- */

/* q^{n+1} = q^n + h u^{n+1/2} */
static void move(carom_scratch *w, double h)
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
static carom_status evaluate(carom_scratch *w, double t, carom_error *err)
{
    work_place(w, t, work_motion(w));
    work_constraints(w);
    work_forces(w);
    w->counters.evaluations++;
    carom_status status = work_may_go_on(w, err);
    status = status == CAROM_OK ? integrator_check_values(w, err) : status;
    return status == CAROM_OK && w->model->free_count > 0 ? work_factor(w, err) : status;
}

/* u* = u + k M^-1 (Q - Phi_q^T lam), with lam so that Phi + h Phi_q u* = 0; joints' impulses are left in w->y. */
static void predict_velocities(carom_scratch *w, double kick, double h)
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
    for (int slot = 0; slot < m->free_count; ++slot) {
        int i = m->free_bodies[slot];
        const double *x = w->x + m->bodies[i].column;
        w->rate[i].v_w = v3_add(w->rate[i].v_w, v3_load(x));
        w->rate[i].omega_w = v3_add(w->rate[i].omega_w, v3_load(x + 3));
    }
    columns_to_deformation(m, 1.0, w->x, w->q_dot);
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

static bool moves(const carom_model *m, int body)
{
    return m->bodies[body].role == BODY_FREE || m->bodies[body].role == BODY_NODES;
}

/* The books: what contacts take away, and what comes from outside, as powers over the kick. The work of an impulse is that on the mean
 * of the velocities before and after. */
static void count_contacts(constraint_work *cw, carom_scratch *w, double kick)
{
    for (int i = 0; i < cw->contact_count; ++i) {
        const node_contact *c = &cw->contacts[i];
        v3 P = v3_scale(c->impulse[0], c->normal_w);
        for (int t = 0; t <= c->tangent_count; ++t) {
            const node_row *row = &cw->rows[c->first_row + t];
            double work = 0.5 * c->impulse[t] * (row->before + row->after);
            int account = t > 0 ? ACCOUNT_FRICTION : cw->by_penalty ? ACCOUNT_CONTACT : ACCOUNT_IMPACT;
            w->power.work[account] -= work / kick;
            P = t > 0 ? v3_axpy(P, c->impulse[t], c->tangent_w[t - 1]) : P;
        }
        if (!moves(w->model, c->body[1]) || !moves(w->model, c->body[0])) {
            bool slave = moves(w->model, c->body[0]);
            int held = slave ? c->body[1] : c->body[0];
            v3 push = v3_scale((slave ? 1.0 : -1.0) / kick, P); /* on the side that moves */
            v3 v_w = point_velocity(&w->rate[held], v3_sub(c->p_w, w->pose[held].x_w));
            w->power.impulse = v3_add(w->power.impulse, push);
            w->power.angular_impulse = v3_add(w->power.angular_impulse, v3_cross(c->p_w, push));
            w->power.work[ACCOUNT_MOTION] += v3_dot(push, v_w);
        }
    }
}

static void count_joints(carom_scratch *w, double kick)
{
    for (int k = 0; k < w->model->row_count; ++k) {
        w->sigma[k] = w->y[k] / kick;
    }
    work_count_reactions(w);
}

/* u^{n+1/2} from u^{n-1/2}: forces over `kick`, rows that look ahead by h. */
static carom_status kick_velocities(constraint_work *cw, carom_scratch *w, double kick, double h, carom_error *err)
{
    keep_velocities(cw, w);
    predict_velocities(w, kick, h);                     /* (1): without contacts, with joints */
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
    apply_impulses(cw, w, w->y); /* (4): with contacts */
    follow_sections(w);
    measure_rows(cw, w, false);
    count_joints(w, kick);
    cw->sum_time += kick;
    return add_to_sums(cw) ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory for contacts");
}

/* [W] on a body that deforms and has columns. */
static double damping_work(const constraint_work *cw, const carom_scratch *w, const model_body *b)
{
    const double *before = cw->q_dot_before + b->first_deform;
    double work = 0.0;
    if (!body_deforms(b) || !b->type->damping) {
        return 0.0;
    }
    memset(cw->damping, 0, (size_t)b->width * sizeof *cw->damping);
    b->type->damping(b->params, before, cw->damping);
    for (int k = 0; k < body_coordinate_count(b); ++k) {
        work += 0.5 * cw->damping[k] * (w->q_dot[b->first_deform + k] + before[k]);
    }
    return work;
}

/* Structural damping works on the mean of both half steps, not on the earlier one with which its forces were found. */
static void count_damping(const constraint_work *cw, carom_scratch *w)
{
    for (int k = 0; k < w->model->nodal_count; ++k) {
        const model_nodal *n = &w->model->nodal[k];
        const double *f = nodal_damping(n->nodes, w->nodal[k]);
        double work = 0.0;
        for (int c = 0; f && c < nodal_coordinate_count(n->nodes); ++c) {
            int at = n->first_deform + c;
            work += 0.5 * f[c] * (w->q_dot[at] + cw->q_dot_before[at]);
        }
        w->power.work[ACCOUNT_DAMPING] -= work;
    }
    for (int slot = 0; cw->widest > 0 && slot < w->model->free_count; ++slot) {
        w->power.work[ACCOUNT_DAMPING] -= damping_work(cw, w, &w->model->bodies[w->model->free_bodies[slot]]);
    }
}

static void count(constraint_work *cw, carom_scratch *w, double kick)
{
    count_damping(cw, w);
    count_contacts(cw, w, kick);
}

/* ---- the state ---- */

/* Half-step velocities and positions of the state become those of w; those of the half step before follow from the whole step. */
static void take_state(constraint_work *cw, carom_scratch *w, const carom_state *s)
{
    const carom_model *m = w->model;
    for (int i = 0; i < m->body_count; ++i) {
        cw->rate_before[i].v_w = v3_axpy(v3_scale(2.0, s->rate[i].v_w), -1.0, s->history[i].v_w);
        cw->rate_before[i].omega_w = v3_axpy(v3_scale(2.0, s->rate[i].omega_w), -1.0, s->history[i].omega_w);
    }
    for (int k = 0; k < m->deform_count; ++k) {
        cw->q_dot_before[k] = 2.0 * s->q_dot[k] - s->q_history[k];
    }
    memcpy(w->pose, s->pose, (size_t)m->body_count * sizeof *w->pose);
    memcpy(w->rate, s->history, (size_t)m->body_count * sizeof *w->rate);
    memcpy(w->q, s->q, (size_t)m->deform_count * sizeof *w->q);
    memcpy(w->q_dot, s->q_history, (size_t)m->deform_count * sizeof *w->q_dot);
}

/* Velocities at the whole step, or `beyond` it as a part of the step to come, and the later half step in the history; poses of bodies in
 * nodal coordinates by the best fit. */
static void give_state(const constraint_work *cw, carom_scratch *w, carom_state *s, double beyond)
{
    const double now = 0.5 + beyond;
    const double before = 0.5 - beyond;
    const double per_step = 1.0 / constraint_step_size(w->model);
    const carom_model *m = w->model;
    memcpy(s->history, w->rate, (size_t)m->body_count * sizeof *w->rate);
    memcpy(s->q_history, w->q_dot, (size_t)m->deform_count * sizeof *w->q_dot);
    for (int i = 0; i < m->body_count; ++i) {
        w->acceleration[i].v_w = v3_scale(per_step, v3_sub(w->rate[i].v_w, cw->rate_before[i].v_w));
        w->acceleration[i].omega_w = v3_scale(per_step, v3_sub(w->rate[i].omega_w, cw->rate_before[i].omega_w));
        w->rate[i].v_w = v3_axpy(v3_scale(before, cw->rate_before[i].v_w), now, w->rate[i].v_w);
        w->rate[i].omega_w = v3_axpy(v3_scale(before, cw->rate_before[i].omega_w), now, w->rate[i].omega_w);
    }
    for (int k = 0; k < m->deform_count; ++k) {
        w->q_ddot[k] = per_step * (w->q_dot[k] - cw->q_dot_before[k]);
        w->q_dot[k] = before * cw->q_dot_before[k] + now * w->q_dot[k];
    }
    for (int k = 0; k < m->nodal_count; ++k) {
        const model_nodal *n = &m->nodal[k];
        nodal_overall(n, w->q + n->first_deform, w->q_dot + n->first_deform, m->bodies[n->body].com_b,
                      &w->pose[n->body], &w->rate[n->body]);
    }
    integrator_commit(w, s, w->t, work_motion(w));
}

/* ---- the step ---- */

/* How long this step may be: to the next frame, and no longer than keeps the caller in touch. */
static double bundle_length(const carom_model *m, double t, double h, double dt)
{
    enum { MOST_STEPS = 256 };
    double every = m->scene.record.every;
    double length = fmin(dt, MOST_STEPS * h);
    if (every > 0.0) {
        double next = (floor(t / every * (1.0 + 1e-12) + 1e-9) + 1.0) * every;
        length = fmin(length, fmax(next - t, h));
    }
    return length;
}

/* Forces of elements have worked along the way just made: their powers at its end, with the velocity that led there. */
static void count_way(carom_scratch *w, carom_state *s, double h)
{
    w->power.work[ACCOUNT_DAMPING] -= w->nodal_dissipation;
    for (int k = 0; k < ACCOUNT_COUNT; ++k) {
        ledger_add(s, k, h * w->power.work[k]);
        w->power.work[k] = 0.0;
    }
}

static carom_status leap(constraint_work *cw, carom_step_context *c, double h, double next)
{
    carom_scratch *w = c->scratch;
    carom_state *s = c->state;
    double kick = 0.5 * (h + next);
    move(w, h);
    carom_status status = evaluate(w, w->t + h, c->err);
    if (status == CAROM_OK) {
        count_way(w, s, h);
        status = kick_velocities(cw, w, kick, next, c->err);
    }
    if (status == CAROM_OK) {
        count(cw, w, kick);
        integrator_add_sums(s, s->power, &w->power, h);
        *s->power = w->power;
    }
    return status;
}

/* A part of a step, at the end of what was asked for: positions go on with the velocities there are, and nothing else happens. */
static carom_status leap_partly(carom_step_context *c, double part)
{
    carom_scratch *w = c->scratch;
    move(w, part);
    carom_status status = evaluate(w, w->t + part, c->err);
    count_way(w, c->state, part);
    memcpy(w->sigma, c->state->sigma, (size_t)w->model->row_count * sizeof *w->sigma);
    w->power = *c->state->power;
    integrator_add_sums(c->state, c->state->power, c->state->power, part);
    return status;
}

/* Whole steps to the next frame or to the end, and then what is left of it; that is given as a part of a step. */
static carom_status advance(constraint_work *cw, carom_step_context *c, double dt, double *beyond)
{
    const double sliver = 1e-6; /* of a step: what rounding leaves is no step of its own */
    carom_scratch *w = c->scratch;
    double h = constraint_step_size(c->model);
    double t = *c->state->time;
    double end = t + (cw->just_ended ? fmin(h, dt)
                                     : bundle_length(c->model, t, h, dt)); /* who looks at steps sees the end */
    uint64_t touching = hash_touching(cw);
    int switched = 0; /* steps since the topology changed: the whole step at which it does is half of either */
    carom_status status = CAROM_OK;
    *beyond = 0.0;
    w->t = t;
    cw->sum_time = 0.0;
    for (int k = 0; k < cw->sum_count && dt >= (1.0 - sliver) * h; ++k) { /* else the forces of the last step stay */
        cw->sums[k].impulse_w = v3_zero();
    }
    cw->stepping = true;
    while (status == CAROM_OK && *beyond == 0.0 && switched < 2 && end - w->t > sliver * h) {
        double left = t + dt - w->t;
        if (left < (1.0 - sliver) * h) {
            *beyond = left / h;
            status = leap_partly(c, left);
        } else {
            status = leap(cw, c, h, h);
            switched += switched > 0 || hash_touching(cw) != touching;
        }
    }
    if (fabs(t + dt - w->t) <= sliver * h) {
        w->t = t + dt;
    }
    cw->stepping = false;
    return status;
}

static void report_contacts(const constraint_work *cw, carom_step_report *report)
{
    report->contacts = cw->points.count;
    report->penetration = cw->totals.penetration;
    report->distance = cw->points.count > 0 ? -cw->totals.penetration : HUGE_VAL;
}

static carom_status finish(constraint_work *cw, carom_step_context *c, double beyond, carom_step_report *report)
{
    carom_scratch *w = c->scratch;
    give_state(cw, w, c->state, beyond);
    carom_status status = limits_check_motion(w, w->t, state_motion(c->state), c->err);
    if (status == CAROM_OK && !remember_contacts(cw, c->state)) {
        status = carom_fail(c->err, CAROM_NO_MEMORY, "out of memory for contacts");
    }
    if (status == CAROM_OK) {
        step_commit(w, c->state, report);
        load_records(cw, c->state);
        make_points(cw, w);
        report_contacts(cw, report);
    }
    return status;
}

static carom_status constraint_step(carom_step_context *c, double dt, carom_step_report *report)
{
    carom_scratch *w = c->scratch;
    constraint_work *cw = w->contact;
    integrator_load(w, c->state);
    carom_status status = step_begin(c);
    if (status != CAROM_OK) {
        return status;
    }
    step_open(w, c->state, report);
    long evaluations = w->counters.evaluations;
    take_state(cw, w, c->state);
    double beyond;
    status = advance(cw, c, dt, &beyond);
    status = status == CAROM_OK ? finish(cw, c, beyond, report) : status;
    report->evaluations = (int)(w->counters.evaluations - evaluations);
    if (status != CAROM_OK) {
        step_abort(c);
    }
    return status;
}

/* Assembly closes joints by moving rigid bodies; a section that it has moved away from its body would tear it. */
static carom_status check_sections(const carom_step_context *c)
{
    const double room = 1e-7; /* of the size of the mechanism */
    for (int k = 0; k < c->model->nodal_count; ++k) {
        const model_nodal *n = &c->model->nodal[k];
        for (int s = 0; s < n->section_count; ++s) {
            const model_section *section = &n->sections[s];
            v3 there = v3_add(n->start.position, m3_mulv(n->R_start, section->centre));
            double off = v3_norm(v3_sub(c->state->pose[section->body].x_w, there));
            m3 turned = m3_mul(m3_transpose(n->R_start), q_matrix(c->state->pose[section->body].q_wb));
            double turn = sqrt(fmax(0.0, 3.0 - m3_trace(turned)));
            if (off > room * c->model->length_scale || turn > room) {
                return carom_fail(
                    c->err, CAROM_BAD_INPUT,
                    "the joints at the attachment '%.100s' of body '%.100s' are open by %.3g m and %.3g rad at the "
                    "start; place the body so that they are closed",
                    section->name, c->model->bodies[n->body].name, off, turn);
            }
        }
    }
    return CAROM_OK;
}

/* The first half step: forces over h/2, rows that look ahead by h. */
static carom_status constraint_start(carom_step_context *c)
{
    bool first = *c->state->step_count == 0.0;
    carom_status fits = first ? check_sections(c) : CAROM_OK;
    if (fits != CAROM_OK) {
        return fits;
    }
    carom_scratch *w = c->scratch;
    carom_state *s = c->state;
    constraint_work *cw = w->contact;
    double h = constraint_step_size(c->model);
    integrator_load(w, s);
    memcpy(s->history, s->rate, (size_t)c->model->body_count * sizeof *s->rate);
    memcpy(s->q_history, s->q_dot, (size_t)c->model->deform_count * sizeof *s->q_dot);
    take_state(cw, w, s);
    cw->sum_time = 0.0;
    carom_status status = evaluate(w, *s->time, c->err);
    status = status == CAROM_OK ? kick_velocities(cw, w, 0.5 * h, h, c->err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    memset(w->power.work, 0, sizeof w->power.work); /* nothing has moved yet */
    count(cw, w, 0.5 * h);
    *s->power = w->power;
    memcpy(s->history, w->rate, (size_t)c->model->body_count * sizeof *w->rate);
    memcpy(s->q_history, w->q_dot, (size_t)c->model->deform_count * sizeof *w->q_dot);
    *s->step = h;
    return remember_contacts(cw, s) ? CAROM_OK : carom_fail(c->err, CAROM_NO_MEMORY, "out of memory for contacts");
}

/* ---- what others see ---- */

static carom_status create(void **self, const carom_model *model, carom_error *err)
{
    constraint_work *cw = calloc(1, sizeof *cw);
    if (!cw) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    cw->model = model;
    cw->options = model->method_options;
    cw->by_penalty = cw->options->penalty > 0.0;
    cw->rate_before = CAROM_ARENA_ARRAY(&cw->arena, body_rate, model->body_count);
    cw->q_dot_before = CAROM_ARENA_ARRAY(&cw->arena, double, model->deform_count);
    for (int i = 0; i < model->body_count; ++i) {
        int width = body_deforms(&model->bodies[i]) ? model->bodies[i].width : 0;
        cw->widest = width > cw->widest ? width : cw->widest;
    }
    cw->damping = CAROM_ARENA_ARRAY(&cw->arena, double, cw->widest);
    contact_totals_create(&cw->totals, &cw->arena, model);
    *self = cw;
    return cw->arena.failed ? carom_fail(err, CAROM_NO_MEMORY, "out of memory") : CAROM_OK;
}

static void destroy(void *self)
{
    constraint_work *cw = self;
    if (cw) {
        free(cw->near);
        free(cw->contacts);
        free(cw->rows);
        free(cw->W);
        free(cw->u);
        free(cw->columns);
        free(cw->sums);
        contact_points_free(&cw->points);
        carom_arena_free(&cw->response_arena);
        carom_arena_free(&cw->arena);
        free(cw);
    }
}

static void load(void *self, const carom_state *s)
{
    load_records(self, s);
}

/* Forces of contacts are impulses of the step; an evaluation shows them and adds none. */
static bool apply(void *self, carom_scratch *w)
{
    constraint_work *cw = self;
    if (!cw->stepping) {
        make_points(cw, w);
    }
    return !cw->load_failed;
}

static const carom_contact_point *points(void *self, int *count)
{
    constraint_work *cw = self;
    *count = cw->points.count;
    return cw->points.items;
}

static const model_interaction *interaction(const void *self, int point)
{
    const constraint_work *cw = self;
    return cw->points.interactions[point];
}

static contact_totals totals(const void *self)
{
    const constraint_work *cw = self;
    return cw->totals;
}

static const contact_forces forces = {
    .create = create,
    .destroy = destroy,
    .load = load,
    .apply = apply,
    .points = points,
    .interaction = interaction,
    .totals = totals,
};

const carom_method carom_method_constraint = {
    .kind = { .name = "constraint",
              .doc =
                  "Contact as a constraint that comes and goes, in explicit steps: for bodies that deform, their waves "
                  "and their impacts.",
              .fields = constraint_fields,
              .defaults = &constraint_defaults,
              .size = sizeof constraint_defaults },
    .colliders = constraint_set_colliders,
    .inelastic = true,
    .leaps = true,
    .deformation = true,
    .forces = &forces,
    .check = constraint_check,
    .start = constraint_start,
    .step = constraint_step,
};
