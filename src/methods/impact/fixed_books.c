/* The ledger of fixed steps. Between two whole steps velocities u are constant, and the kinetic energy u^{k-1/2} M u^{k+1/2} / 2 of a whole step changes
 * by half the work of its impulses with the velocities before and half of that with the velocities behind it (dynamics/leap.h). So every
 * impulse is counted in two halves, and the sums close to rounding. What the turning of inertia
 * and gyroscopic torques leave is counted as numerics. */
#include <string.h>

#include "elements/bodies/rigid.h"
#include "methods/impact/fixed_work.h"

/* Powers [W] over a step with the velocities before and behind it. */
static void count_both(fixed_work *fw, carom_scratch *w, int account, double before, double after)
{
    w->power.work[account] += before;
    fw->work_after[account] += after;
}

/* What comes from a side that is held or prescribed. */
static void count_outside(fixed_work *fw, carom_scratch *w, const fixed_contact *c, double kick)
{
    bool first = fixed_moves(fw->model, c->body[0]);
    v3 push = v3_scale((first ? 1.0 : -1.0) / kick, c->impulse_w); /* on the side that moves */
    double power = v3_dot(push, fixed_side_velocity(w, w->rate, c, first)) * kick / fw->place_in_step.h;
    bool turns = c->couple > 0.0;
    v3 torque = turns ? v3_scale(c->couple, push) : v3_cross(c->p_w, push);
    w->power.impulse = turns ? w->power.impulse : v3_add(w->power.impulse, push);
    w->power.angular_impulse = v3_add(w->power.angular_impulse, torque);
    count_both(fw, w, ACCOUNT_MOTION, power, power);
}

static void count_contacts(fixed_work *fw, carom_scratch *w, double kick)
{
    const double per_step = 1.0 / fw->place_in_step.h;
    for (int i = 0; i < fw->contact_count; ++i) {
        const fixed_contact *c = &fw->contacts[i];
        double normal = v3_dot(c->impulse_w, c->normal_w);
        v3 friction = v3_axpy(c->impulse_w, -normal, c->normal_w);
        count_both(fw, w, ACCOUNT_IMPACT, -normal * c->before * per_step, -normal * c->after * per_step);
        count_both(fw, w, ACCOUNT_FRICTION, -v3_dot(friction, c->slip_before) * per_step,
                   -v3_dot(friction, c->slip_after) * per_step);
        if (!fixed_moves(fw->model, c->body[0]) || !fixed_moves(fw->model, c->body[1])) {
            count_outside(fw, w, c, kick);
        }
    }
}

/* What friction in a joint takes along its slip rows, and what held bodies feel and give. */
static void count_rubbing(fixed_work *fw, carom_scratch *w, int joint, double kick)
{
    const carom_model *m = fw->model;
    const joint_equations *j = &fw->joints[fw->joint_place[joint]];
    const double per_step = 1.0 / fw->place_in_step.h;
    const model_joint *from = &m->joints[joint];
    bool held = !fixed_moves(m, from->body[0]) || !fixed_moves(m, from->body[1]);
    for (int k = j->count; k < j->count + j->slip_count; ++k) {
        double power = j->r[k] * per_step;
        count_both(fw, w, ACCOUNT_FRICTION, -power * fixed_row_velocity(fw, j, joint, k, fw->rate_before),
                   -power * fixed_row_velocity(fw, j, joint, k, w->rate));
        if (held) {
            int body = from->body[!fixed_moves(m, from->body[0])];
            v3 force = v3_scale(j->r[k] / kick, v3_load(j->J[0][k]));
            v3 torque = v3_scale(j->r[k] / kick, v3_load(j->J[0][k] + 3));
            torque = v3_add(torque, v3_cross(w->pose[body].x_w, force));
            w->power.impulse = v3_add(w->power.impulse, force);
            w->power.angular_impulse = v3_add(w->power.angular_impulse, torque);
            count_both(fw, w, ACCOUNT_MOTION, -power * j->bias[k], -power * j->bias[k]);
        }
    }
}

/* Joints hold positions, not velocities: what they work besides prescribed motion, numerics does. */
static void count_joints(fixed_work *fw, carom_scratch *w, const kick_books *b)
{
    const carom_model *m = fw->model;
    const double kick = b->kick;
    const double share = kick / fw->place_in_step.h;
    double before = w->power.work[ACCOUNT_MOTION];
    for (int e = 0; e < fixed_element_count(m); ++e) {
        const joint_equations *j = &fw->joints[fw->joint_place[e]];
        for (int k = 0; k < j->count; ++k) {
            int row = fixed_element_row(m, e) + k;
            double opening = w->C[row] / b->h;
            double behind = fixed_row_velocity(fw, j, e, k, fw->rate_before) - opening;
            double after = fixed_row_velocity(fw, j, e, k, w->rate) - opening;
            w->sigma[row] = -j->r[k] / kick;
            count_both(fw, w, ACCOUNT_NUMERICS, share * w->sigma[row] * behind, share * w->sigma[row] * after);
        }
    }
    work_count_reactions(w);
    double moved = (b->first ? 1.0 : share) * (w->power.work[ACCOUNT_MOTION] - before);
    w->power.work[ACCOUNT_MOTION] = before + moved;
    fw->work_after[ACCOUNT_MOTION] += moved;
    for (int j = 0; j < m->joint_count; ++j) {
        count_rubbing(fw, w, j, kick);
    }
}

/* Gyroscopic torques are means of both half steps and work with the other one's velocity. At a start they are those of the velocities
 * given and of the half step to come, on both sides, and what they did before belongs to the hand-over. */
static void count_gyroscopic(fixed_work *fw, carom_scratch *w, const kick_books *b)
{
    const carom_model *m = fw->model;
    const double share = b->first ? 1.0 : b->kick / fw->place_in_step.h;
    for (int slot = 0; slot < m->free_count; ++slot) {
        int i = m->free_bodies[slot];
        v3 u0 = fw->rate_before[i].omega_w;
        v3 u1 = w->rate[i].omega_w;
        v3 free = fw->rate_free[i].omega_w;
        v3 from = b->first ? v3_scale(0.5, v3_add(u0, free)) : u0;
        v3 gyro = v3_scale(0.5 * share,
                           v3_add(rigid_gyroscopic(&w->J_w[i], from), rigid_gyroscopic(&w->J_w[i], free)));
        count_both(fw, w, ACCOUNT_NUMERICS, b->first ? 0.0 : -v3_dot(gyro, u0), -v3_dot(gyro, u1));
    }
}

double fixed_turning_energy(const carom_scratch *w)
{
    double sum = 0.0;
    for (int slot = 0; slot < w->model->free_count; ++slot) {
        int i = w->model->free_bodies[slot];
        sum += 0.5 * v3_dot(w->rate[i].omega_w, m3_mulv(w->J_w[i], w->rate[i].omega_w));
    }
    return sum;
}

/* [W] of applied forces, without gyroscopic torques. */
static double applied_power(const fixed_work *fw, const carom_scratch *w, const body_rate *rate)
{
    const carom_model *m = fw->model;
    double power = 0.0;
    for (int slot = 0; slot < m->free_count; ++slot) {
        int i = m->free_bodies[slot];
        const double *f = w->f + m->bodies[i].column;
        v3 torque = v3_sub(v3_load(f + 3), rigid_gyroscopic(&w->J_w[i], fw->rate_before[i].omega_w));
        power += v3_dot(v3_load(f), rate[i].v_w) + v3_dot(torque, rate[i].omega_w);
    }
    return power;
}

/* Between steps of two lengths forces act for their mean, and along ways of the one and the other: numerics has the difference. */
static void count_uneven(fixed_work *fw, carom_scratch *w, const kick_books *b)
{
    const double last = fw->place_in_step.h;
    const double share = b->kick / last;
    count_both(fw, w, ACCOUNT_NUMERICS, -(b->kick - last) / last * applied_power(fw, w, fw->rate_before),
               -(b->kick - b->h) / last * applied_power(fw, w, w->rate));
    w->power.impulse = v3_scale(share, w->power.impulse);
    w->power.angular_impulse = v3_scale(share, w->power.angular_impulse);
}

void fixed_count_kick(fixed_work *fw, carom_scratch *w, const kick_books *b)
{
    memset(fw->work_after, 0, sizeof fw->work_after);
    count_joints(fw, w, b);
    count_gyroscopic(fw, w, b);
    count_contacts(fw, w, b->kick);
    if (!b->first && b->h != fw->place_in_step.h) {
        count_uneven(fw, w, b);
    }
}

/* Forces of elements have worked along the way just made: their powers at its end, with the velocity that led there. */
void fixed_count_way(const carom_scratch *w, carom_state *s, double way)
{
    for (int k = 0; k < ACCOUNT_COUNT; ++k) {
        ledger_add(s, k, way * w->power.work[k]);
    }
}
