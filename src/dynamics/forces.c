/* Applied forces: gravity, force elements, joint springs and stops, contact; their energies and powers.
 *
 * Bookkeeping: the power of all forces on free bodies equals -dV/dt - dissipation + input - (power on bodies whose
 * motion is prescribed); the last term is work done by the prescribed motion. Forces with one side outside the set of
 * free bodies count as external for the momentum balance. */
#include "dynamics/contact.h"
#include "dynamics/deformation.h"
#include "dynamics/integrals.h"
#include "dynamics/nodal_forces.h"

#include <string.h>

#include "base/clock.h"
#include "elements/bodies/rigid.h"
#include "model/method.h"

/* Weight, and -omega x J omega: what the rotation of the inertia tensor asks for. */
static void rigid_forces(carom_scratch *w, int body, v3 g)
{
    const model_body *b = &w->model->bodies[body];
    v3 weight = v3_scale(b->mass, g);
    v3 torque = rigid_gyroscopic(&w->J_w[body], w->rate[body].omega_w);
    double *f = w->f + b->column;
    v3_store(f, v3_add(v3_zero(), weight)); /* no zero has a sign, so that sums do not depend on who adds first */
    v3_store(f + 3, v3_add(v3_zero(), torque));
    w->power.impulse = v3_add(w->power.impulse, weight);
    w->power.angular_impulse = v3_add(w->power.angular_impulse, v3_cross(w->pose[body].x_w, weight));
    w->potential -= b->mass * v3_dot(g, w->pose[body].x_w);
}

/* The forces that bodies bring along, written to every column there is. */
static void body_forces(carom_scratch *w)
{
    v3 g = w->model->scene.gravity;
    for (int slot = 0; slot < w->model->free_count; ++slot) {
        int i = w->model->free_bodies[slot];
        if (body_deforms(&w->model->bodies[i])) {
            deformation_forces(w, i, g);
        } else {
            rigid_forces(w, i, g);
        }
    }
    for (int k = 0; k < w->model->nodal_count; ++k) {
        nodal_apply(w, k, g);
    }
}

/* A generalised force along a joint coordinate acts through the coordinate's rows. */
static void apply_on_coordinate(carom_scratch *w, int j, int coordinate, double Q)
{
    const model_joint *joint = &w->model->joints[j];
    bool external = !work_is_free(w, joint->body[0]) || !work_is_free(w, joint->body[1]);
    for (int side = 0; side < 2; ++side) {
        const double *row = side == 0 ? w->coordinate_rows[j].a[coordinate] : w->coordinate_rows[j].b[coordinate];
        wrench on = { v3_scale(Q, v3_load(row)), v3_scale(Q, v3_load(row + 3)) };
        work_apply_at(w, joint_place(joint, side), w->pose[joint->body[side]].x_w, on, external);
    }
}

static void joint_spring(carom_scratch *w, int j, const model_joint_spring *s)
{
    int index = w->model->joints[j].first_coordinate + s->coordinate;
    double d = w->coordinate[index] - s->free;
    double rate = w->coordinate_rate[index];
    w->elastic += 0.5 * s->stiffness * d * d + s->preload * d;
    w->power.work[ACCOUNT_DAMPING] += s->damping * rate * rate;
    apply_on_coordinate(w, j, s->coordinate, -s->preload - s->stiffness * d - s->damping * rate);
}

/* A stop at overshoot d > 0 growing at d_rate: k d (1 + c d_rate), cut off where it would pull. */
static double stop_force(carom_scratch *w, const model_joint_limit *l, double d, double d_rate)
{
    double elastic = l->stiffness * d;
    double force = fmax(0.0, elastic * (1.0 + l->damping * d_rate));
    w->elastic += 0.5 * elastic * d;
    w->power.work[ACCOUNT_STOPS] += (force - elastic) * d_rate;
    return force;
}

static void joint_limit(carom_scratch *w, int j, const model_joint_limit *l)
{
    int index = w->model->joints[j].first_coordinate + l->coordinate;
    double q = w->coordinate[index];
    double rate = w->coordinate_rate[index];
    if (q > l->max) {
        apply_on_coordinate(w, j, l->coordinate, -stop_force(w, l, q - l->max, rate));
    } else if (q < l->min) {
        apply_on_coordinate(w, j, l->coordinate, stop_force(w, l, l->min - q, -rate));
    }
}

static void joint_forces(carom_scratch *w)
{
    for (int j = 0; j < w->model->joint_count; ++j) {
        const model_joint *joint = &w->model->joints[j];
        for (int k = 0; k < joint->spring_count; ++k) {
            joint_spring(w, j, &joint->springs[k]);
        }
        for (int k = 0; k < joint->limit_count && !w->model->method->rigid_stops; ++k) {
            joint_limit(w, j, &joint->limits[k]);
        }
    }
}

static void place_force(carom_scratch *w, int i)
{
    const model_force *force = &w->model->forces[i];
    carom_force_frames *frames = &w->force_frames[i];
    frames->t = w->t;
    frames->inputs = w->input;
    frames->input_count = (size_t)w->model->input_count;
    frames->integral = force->integral >= 0 ? w->z[force->integral] : 0.0;
    if (force->joint >= 0) {
        int index = w->model->joints[force->joint].first_coordinate + force->coordinate;
        frames->coordinate = w->coordinate[index];
        frames->coordinate_rate = w->coordinate_rate[index];
    } else {
        frames->a = work_marker(w, force->body[0], &force->marker_c[0]);
        frames->mass = w->model->bodies[force->body[0]].mass;
        if (force->body[1] >= 0) {
            frames->b = work_marker(w, force->body[1], &force->marker_c[1]);
        }
    }
    if (force->type->measure) {
        force->type->measure(w->measures + i * FORCE_MEASURES, frames, force->params);
    }
}

void work_measures(carom_scratch *w)
{
    for (int i = 0; i < w->model->force_count; ++i) {
        place_force(w, i);
    }
}

static void apply_effect(carom_scratch *w, int i)
{
    const model_force *force = &w->model->forces[i];
    const carom_force_frames *frames = &w->force_frames[i];
    const carom_force_effect *e = &w->effects[i];
    *(force->type->gravitational ? &w->potential : &w->elastic) += e->potential;
    w->power.work[force->type->input_account] += e->input;
    w->power.work[force->type->dissipation_account] += e->dissipation;
    switch (force->type->target) {
    case FORCE_ON_JOINT:
        apply_on_coordinate(w, force->joint, force->coordinate, e->generalised);
        break;
    case FORCE_ON_BODY:
        work_apply_at(w, force_place(force, 0), frames->a.p_w, (wrench){ e->force_a, e->torque_a }, true);
        break;
    case FORCE_ON_PAIR: {
        bool external = !work_is_free(w, force->body[0]) || !work_is_free(w, force->body[1]);
        work_apply_at(w, force_place(force, 0), frames->a.p_w, (wrench){ e->force_a, e->torque_a }, external);
        work_apply_at(w, force_place(force, 1), frames->b.p_w, (wrench){ v3_neg(e->force_a), e->torque_b }, external);
        break;
    }
    }
}

/* Measures of all forces come first: expressions may speak of any of them. */
static void force_elements(carom_scratch *w)
{
    for (int i = 0; i < w->model->force_count; ++i) {
        place_force(w, i);
    }
    for (int i = 0; i < w->model->force_count; ++i) {
        const model_force *force = &w->model->forces[i];
        work_force_values(w, i);
        w->effects[i] = (carom_force_effect){ 0 };
        force->type->effect(&w->effects[i], &w->force_frames[i], force->params);
        apply_effect(w, i);
    }
}

static bool effect_finite(const carom_force_effect *e)
{
    return v3_finite(e->force_a) && v3_finite(e->torque_a) && v3_finite(e->torque_b) && isfinite(e->generalised) &&
           isfinite(e->potential) && isfinite(e->dissipation) && isfinite(e->input);
}

const char *work_not_finite(const carom_scratch *w)
{
    for (int i = 0; i < w->model->force_count; ++i) {
        if (!effect_finite(&w->effects[i])) {
            return w->model->forces[i].name;
        }
    }
    for (int k = 0; k < w->model->integral_count; ++k) {
        if (!isfinite(w->z_dot[k])) {
            const model_integral *z = &w->model->integrals[k];
            return z->name ? z->name : w->model->forces[z->force].name;
        }
    }
    for (int j = 0; j < w->model->joint_count; ++j) {
        const model_joint *joint = &w->model->joints[j];
        for (int d = 0; d < joint->driver_count; ++d) {
            const double *value = w->driver[joint->first_row + joint->type->equation_count + d];
            if (!isfinite(value[0]) || !isfinite(value[1]) || !isfinite(value[2])) {
                return joint->name;
            }
        }
    }
    for (int i = 0; i < w->model->body_count; ++i) {
        bool placed = v3_finite(w->pose[i].x_w) && isfinite(q_norm(w->pose[i].q_wb));
        bool moving = v3_finite(w->rate[i].v_w) && v3_finite(w->rate[i].omega_w);
        if (w->model->bodies[i].role == BODY_KINEMATIC && !(placed && moving)) {
            return w->model->bodies[i].name;
        }
    }
    return NULL;
}

static void contact(carom_scratch *w)
{
    if (w->contact) {
        double start = carom_clock_wall();
        double begun = w->counts_processor ? carom_clock_cpu() : 0.0;
        w->out_of_memory = !w->model->method->forces->apply(w->contact, w) || w->out_of_memory;
        w->counters.processor_detection += w->counts_processor ? carom_clock_cpu() - begun : 0.0;
        w->counters.seconds_detection += carom_clock_wall() - start;
    }
}

void work_forces(carom_scratch *w)
{
    memset(&w->power, 0, sizeof w->power);
    w->potential = 0.0;
    w->elastic = 0.0;
    w->nodal_dissipation = 0.0;
    body_forces(w);
    joint_forces(w);
    force_elements(w);
    integrals_evaluate(w);
    contact(w);
}
