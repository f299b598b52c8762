/* The energy and momentum ledger, signals and frames.
 *
 * Energy: residue = (T + V)(t) - (T + V)(0) - work put in + energy lost; what is left is made by numerics alone.
 * Momentum: residue = P(t) - P(0) - impulse of everything external, likewise angular about the world origin. */
#include "dynamics/observe.h"

#include <string.h>

#include "base/arguments.h"
#include "dynamics/contact.h"
#include "dynamics/dense.h"
#include "dynamics/integrator.h"
#include "dynamics/leap.h"
#include "dynamics/limits.h"
#include "dynamics/project.h"
#include "model/ledger.h"
#include "model/method.h"

void observe_start(const carom_scratch *w, carom_state *s)
{
    v3 linear, angular;
    work_momentum(w, &linear, &angular);
    s->start[0] = work_kinetic(w) + w->potential + w->elastic;
    v3_store(s->start + 1, linear);
    v3_store(s->start + 4, angular);
}

void observe_ledger(const carom_scratch *w, const carom_state *s, const ledger_sums *sums, carom_ledger *out)
{
    const double *work = sums->work;
    *out = (carom_ledger){ .kinetic = leap_kinetic(w, s),
                           .potential = w->potential,
                           .elastic = w->elastic,
                           .work_motors = work[ACCOUNT_MOTORS],
                           .work_loads = work[ACCOUNT_LOADS],
                           .work_motion = work[ACCOUNT_MOTION],
                           .lost_damping = work[ACCOUNT_DAMPING],
                           .lost_drag = work[ACCOUNT_DRAG],
                           .lost_stops = work[ACCOUNT_STOPS],
                           .lost_friction = work[ACCOUNT_FRICTION],
                           .lost_contact = work[ACCOUNT_CONTACT],
                           .lost_impact = work[ACCOUNT_IMPACT],
                           .lost_numerics = work[ACCOUNT_NUMERICS],
                           .lost_handover = work[ACCOUNT_HANDOVER],
                           .position_error = work_position_error(w, NULL),
                           .velocity_error = work_velocity_error(w, NULL) };
    work_momentum(w, &out->momentum, &out->angular_momentum);
    double input = 0.0;
    double lost = 0.0;
    for (int k = 0; k < ACCOUNT_COUNT; ++k) {
        *(k <= ACCOUNT_MOTION ? &input : &lost) += work[k];
    }
    out->residue = carom_ledger_energy(out) - s->start[0] - input + lost;
    v3 p = v3_sub(out->momentum, v3_load(s->start + 1));
    v3 l = v3_sub(out->angular_momentum, v3_load(s->start + 4));
    out->momentum_residue = v3_sub(p, sums->impulse);
    out->angular_momentum_residue = v3_sub(l, sums->angular_impulse);
}

carom_status carom_observe_ledger(const carom_model *model, const carom_state *state, carom_scratch *scratch,
                                  carom_ledger *out, carom_error *err)
{
    carom_status status = work_check("carom_observe_ledger", model, state, scratch, err);
    status = status == CAROM_OK ? argument_given("carom_observe_ledger", "out", out, err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    carom_stop_reset(&scratch->stop);
    integrator_load(scratch, state);
    status = work_evaluate(scratch, *state->time, state_motion(state), err);
    if (status == CAROM_OK) {
        work_settle_reactions(scratch);
        observe_ledger(scratch, state, state->sums, out);
    }
    return status;
}

/* ---- signals and frames ------------------------------------------------------------------------------------------ */

carom_status frame_space_create(frame_space *out, carom_arena *arena, const carom_model *model, carom_error *err)
{
    *out = (frame_space){ .pose = CAROM_ARENA_ARRAY(arena, carom_pose, model->body_count),
                          .rate = CAROM_ARENA_ARRAY(arena, body_rate, model->body_count),
                          .coordinate = CAROM_ARENA_ARRAY(arena, double, model->coordinate_count),
                          .coordinate_rate = CAROM_ARENA_ARRAY(arena, double, model->coordinate_count),
                          .joint_force = CAROM_ARENA_ARRAY(arena, v3, model->joint_count),
                          .joint_torque = CAROM_ARENA_ARRAY(arena, v3, model->joint_count),
                          .effort_force = CAROM_ARENA_ARRAY(arena, v3, model->force_count),
                          .effort_torque = CAROM_ARENA_ARRAY(arena, v3, model->force_count),
                          .signals = CAROM_ARENA_ARRAY(arena, double, model->signal_count) };
    return arena->failed ? carom_fail(err, CAROM_NO_MEMORY, "out of memory") : CAROM_OK;
}

static void all_coordinates(carom_scratch *w)
{
    work_all_coordinates(w);
    work_all_rates(w);
}

/* The reaction on B, force and torque about marker B: -(rows of B)^T sigma, moved from the centre of mass. */
static void joint_reaction(const carom_scratch *w, int j, v3 *force, v3 *torque)
{
    const model_joint *joint = &w->model->joints[j];
    *force = v3_zero();
    v3 about_center = v3_zero();
    for (int k = 0; k < joint->type->equation_count + joint->driver_count; ++k) {
        double s = -w->sigma[joint->first_row + k];
        *force = v3_axpy(*force, s, v3_load(w->rows[j].b[k]));
        about_center = v3_axpy(about_center, s, v3_load(w->rows[j].b[k] + 3));
    }
    *torque = v3_sub(about_center, v3_cross(w->frames[j].b.r_w, *force));
}

static double pick(v3 v, int component)
{
    return component == 3 ? v3_norm(v) : v3_get(v, component);
}

static double acceleration_signal(const carom_scratch *w, const signal_ref *ref)
{
    const body_rate *a = &w->acceleration[ref->index];
    v3 omega = w->rate[ref->index].omega_w;
    v3 com_w = m3_mulv(w->R_w[ref->index], w->model->bodies[ref->index].com_b);
    if (ref->source == SIGNAL_ANGULAR_ACCELERATION) {
        return v3_get(a->omega_w, ref->component);
    }
    v3 relative = v3_add(v3_cross(a->omega_w, com_w), v3_cross(omega, v3_cross(omega, com_w)));
    return v3_get(v3_sub(a->v_w, relative), ref->component);
}

static double driver_signal(const carom_scratch *w, const signal_ref *ref)
{
    const model_joint *joint = &w->model->joints[ref->index];
    for (int d = 0; d < joint->driver_count; ++d) {
        if (joint->drivers[d].coordinate == ref->component) {
            return -w->sigma[joint->first_row + joint->type->equation_count + d];
        }
    }
    return 0.0;
}

/* Tension of a spring (positive when it pulls), force of a motor, magnitude of anything else. */
static double force_signal(const carom_scratch *w, int i)
{
    const carom_force_effect *e = &w->effects[i];
    if (w->model->forces[i].type->target == FORCE_ON_JOINT) {
        return e->generalised;
    }
    if (w->model->forces[i].type->target == FORCE_ON_PAIR) {
        v3 line = v3_sub(w->force_frames[i].b.p_w, w->force_frames[i].a.p_w);
        double length = v3_norm(line);
        double along = v3_dot(e->force_a, line);
        return length > 0.0 && along < 0.0 ? -v3_norm(e->force_a) : v3_norm(e->force_a);
    }
    return v3_norm(e->force_a);
}

static double contact_signal(const carom_scratch *w, const signal_ref *ref)
{
    if (!w->contact) {
        return 0.0;
    }
    contact_totals totals = w->model->method->forces->totals(w->contact);
    switch (ref->source) {
    case SIGNAL_CONTACT_FORCE:
        return pick(totals.force_w[ref->index], ref->component);
    case SIGNAL_CONTACT_TORQUE:
        return pick(totals.torque_w[ref->index], ref->component);
    default:
        return ref->component == CONTACT_COUNT ? (double)totals.count : totals.penetration;
    }
}

static double signal_value(const carom_scratch *w, const signal_ref *ref, const carom_ledger *ledger)
{
    v3 force, torque;
    switch (ref->source) {
    case SIGNAL_ACCELERATION:
    case SIGNAL_ANGULAR_ACCELERATION:
        return acceleration_signal(w, ref);
    case SIGNAL_JOINT_FORCE:
        joint_reaction(w, ref->index, &force, &torque);
        return pick(force, ref->component);
    case SIGNAL_JOINT_TORQUE:
        joint_reaction(w, ref->index, &force, &torque);
        return pick(torque, ref->component);
    case SIGNAL_DRIVER:
        return driver_signal(w, ref);
    case SIGNAL_GEAR_EFFORT:
        return -w->sigma[w->model->couplers[ref->index].row];
    case SIGNAL_CONTACT_FORCE:
    case SIGNAL_CONTACT_TORQUE:
    case SIGNAL_CONTACT:
        return contact_signal(w, ref);
    case SIGNAL_FORCE_VALUE:
        return force_signal(w, ref->index);
    case SIGNAL_LEDGER:
        return carom_ledger_get(ledger, ref->component);
    default:
        return work_signal_kinematic(w, ref);
    }
}

void observe_values(const carom_scratch *w, const carom_ledger *ledger, const signal_ref *refs, size_t count,
                    double *out)
{
    for (size_t k = 0; k < count; ++k) {
        out[k] = signal_value(w, &refs[k], ledger);
    }
}

double observe_expression(const carom_scratch *w, const carom_ledger *ledger, int value)
{
    const model_value *v = &w->model->values[value];
    double variables[VALUE_VARIABLES];
    for (int k = 0; k < v->variable_count; ++k) {
        const signal_ref *ref = &v->variables[k];
        variables[k] = signal_value(w, ref, ledger) / carom_units_factor(&v->units, ref->dimension);
    }
    return expr_eval(w->expressions[value], variables);
}

void observe_motion(carom_scratch *w, const carom_state *s, double t, const dense_step *dense)
{
    integrator_load(w, s);
    motion_copy(w->model, w->trial, state_motion(s));
    if (t != *s->time) {
        dense_at(dense, t, w->trial, NULL);
    }
    work_place(w, t, w->trial);
    work_positions(w);
    all_coordinates(w);
    work_measures(w);
}

carom_status observe_all(carom_scratch *w, const carom_state *s, carom_ledger *ledger, carom_error *err)
{
    carom_status status = carom_observe_ledger(w->model, s, w, ledger, err);
    if (status == CAROM_OK) {
        all_coordinates(w);
    }
    return status;
}

carom_status observe_signals(carom_scratch *w, const carom_state *s, const signal_ref *refs, size_t count,
                             double *out, carom_error *err)
{
    carom_ledger ledger;
    carom_status status = observe_all(w, s, &ledger, err);
    if (status == CAROM_OK) {
        observe_values(w, &ledger, refs, count, out);
    }
    return status;
}

static void fill_bodies(const carom_scratch *w, frame_space *o)
{
    for (int i = 0; i < w->model->body_count; ++i) {
        v3 com_w = m3_mulv(w->R_w[i], w->model->bodies[i].com_b);
        v3 omega = w->rate[i].omega_w;
        o->pose[i] = (carom_pose){ v3_sub(w->pose[i].x_w, com_w), w->pose[i].q_wb };
        o->rate[i] = (body_rate){ v3_sub(w->rate[i].v_w, v3_cross(omega, com_w)), omega };
    }
}

/* What forces with a place exert: on A; those that drive a joint on B, about or along its axis. */
static void fill_efforts(const carom_scratch *w, frame_space *o)
{
    int row = 0;
    for (int i = 0; i < w->model->force_count; ++i) {
        const model_force *f = &w->model->forces[i];
        const carom_force_effect *e = &w->effects[i];
        if (!model_force_is_drawn(f)) {
            continue;
        }
        bool drives = f->type->target == FORCE_ON_JOINT;
        bool turns = drives && w->model->joints[f->joint].type->coordinates[f->coordinate].angle;
        v3 along = drives ? v3_scale(e->generalised, marker_z(&w->frames[f->joint].a)) : v3_zero();
        o->effort_force[row] = !drives ? e->force_a : turns ? v3_zero() : along;
        o->effort_torque[row] = !drives ? e->torque_a : turns ? along : v3_zero();
        ++row;
    }
}

carom_status observe_frame(carom_scratch *w, const carom_state *s, double t, frame_space *o, result_frame *out,
                           carom_error *err)
{
    ledger_sums sums = *s->sums;
    integrator_load(w, s);
    motion_copy(w->model, w->trial, state_motion(s));
    carom_status status = CAROM_OK;
    if (t != *s->time) {
        dense_at(w->dense, t, w->trial, &sums);
        if (w->contact && w->model->method->forces->look_back) {
            w->model->method->forces->look_back(w->contact);
        }
        status = project_onto_constraints(w, t, w->trial, false, err); /* interpolation leaves them */
    }
    if (status == CAROM_OK) {
        status = work_evaluate(w, t, w->trial, err);
    }
    status = status == CAROM_OK ? integrator_check_finite(w, err) : status;
    status = status == CAROM_OK ? limits_check_motion(w, t, work_motion(w), err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    work_settle_reactions(w);
    all_coordinates(w);
    fill_bodies(w, o);
    memcpy(o->coordinate, w->coordinate, (size_t)w->model->coordinate_count * sizeof *o->coordinate);
    memcpy(o->coordinate_rate, w->coordinate_rate, (size_t)w->model->coordinate_count * sizeof *o->coordinate_rate);
    for (int j = 0; j < w->model->joint_count; ++j) {
        joint_reaction(w, j, &o->joint_force[j], &o->joint_torque[j]);
    }
    fill_efforts(w, o);
    *out = (result_frame){ .t = t,
                           .pose = o->pose,
                           .rate = o->rate,
                           .coordinate = o->coordinate,
                           .coordinate_rate = o->coordinate_rate,
                           .joint_force = o->joint_force,
                           .joint_torque = o->joint_torque,
                           .effort_force = o->effort_force,
                           .effort_torque = o->effort_torque,
                           .signals = o->signals,
                           .deformation = w->q,
                           .deformation_rate = w->q_dot,
                           .step = *s->last_step,
                           .steps = (long)*s->step_count };
    if (w->contact) {
        out->contacts = w->model->method->forces->points(w->contact, &out->contact_count);
    }
    observe_ledger(w, s, &sums, &out->ledger);
    observe_values(w, &out->ledger, w->model->signals, (size_t)w->model->signal_count, o->signals);
    return CAROM_OK;
}

carom_status carom_observe_coordinates(const carom_model *model, const carom_state *state, carom_scratch *scratch,
                                       double *values, double *rates)
{
    carom_status status = work_check("carom_observe_coordinates", model, state, scratch, NULL);
    if (status != CAROM_OK || (!values && model->coordinate_count > 0)) {
        return CAROM_BAD_INPUT;
    }
    integrator_load(scratch, state);
    work_place(scratch, *state->time, state_motion(state));
    work_positions(scratch);
    all_coordinates(scratch);
    if (model->coordinate_count > 0) {
        memcpy(values, scratch->coordinate, (size_t)model->coordinate_count * sizeof *values);
    }
    if (rates && model->coordinate_count > 0) {
        memcpy(rates, scratch->coordinate_rate, (size_t)model->coordinate_count * sizeof *rates);
    }
    return CAROM_OK;
}

static carom_status check_signal(const carom_model *model, const carom_state *state, const carom_scratch *scratch,
                                 const char *signal, const double *out, carom_error *err)
{
    const char *function = "carom_observe_signal";
    carom_status status = work_check(function, model, state, scratch, err);
    status = status == CAROM_OK ? argument_text(function, "signal", signal, err) : status;
    return status == CAROM_OK ? argument_given(function, "out", out, err) : status;
}

carom_status carom_observe_signal(const carom_model *model, const carom_state *state, carom_scratch *scratch,
                                  const char *signal, double *out, carom_error *err)
{
    signal_ref ref;
    carom_status status = check_signal(model, state, scratch, signal, out, err);
    status = status == CAROM_OK ? model_find_signal(model, signal, -1, &ref, err) : status;
    return status == CAROM_OK ? observe_signals(scratch, state, &ref, 1, out, err) : status;
}
